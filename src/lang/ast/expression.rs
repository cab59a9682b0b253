//! Expressions, as they were written.

use super::{Name, TypeExpr};
use crate::source::{Span, Spanned};

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Where it was written, without blanks around it.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `null`
    Null,
    /// `missing`
    Missing,
    /// `true`, `false`
    Boolean(bool),
    /// A number, as written.
    Number(String),
    /// A plain text, escapes resolved.
    Text(String),
    /// A duration in nanoseconds.
    Duration(i64),
    /// `/…/`: what stands between the slashes, `\/` turned into `/`.
    Regex(String),
    /// `$…`
    Path(PathPattern),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{ k: v }`
    Object(Vec<(Name, Expr)>),
    /// A word.
    Name(String),
    /// `x.name`
    Member(Box<Expr>, Name),
    /// `x[e]`
    Index(Box<Expr>, Box<Expr>),
    /// `f(a, b)`, or `a.f(b)` with `a` as first argument and `method` set.
    Call {
        /// The name of the function.
        function: Name,
        /// What it is given.
        arguments: Vec<Expr>,
        /// Written behind a dot.
        method: bool,
    },
    /// `not x`
    Not(Box<Expr>),
    /// `-x`
    Negate(Box<Expr>),
    /// `a OP b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x exists`
    Exists(Box<Expr>),
    /// `x missing` behind a value
    IsMissing(Box<Expr>),
    /// `x is T`, `x is not T`
    Is {
        /// The value.
        value: Box<Expr>,
        /// `not`
        negated: bool,
        /// The type.
        ty: TypeExpr,
    },
    /// `x fails …`
    Fails(Box<Expr>, Premise),
    /// `if a then b else c`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `any x in xs, y in ys: e`
    Quantified {
        /// Which form.
        quantifier: Quantifier,
        /// Names and lists; at least one.
        bindings: Vec<(Name, Expr)>,
        /// What is asked of them.
        body: Box<Expr>,
    },
    /// Something that was reported as an error; never reported again.
    Broken,
}

/// What stands behind `fails`.
#[derive(Debug, Clone)]
pub enum Premise {
    /// Names of rules.
    Rules(Vec<Name>),
    /// `tag "t"`
    Tag(Spanned<String>),
}

/// Operators between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `has`
    Has,
    /// `matches`
    Matches,
    /// `fits`
    Fits,
    /// `+`
    Add,
    /// `-`
    Subtract,
}

/// The forms for lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Is there one?
    Any,
    /// Are all so?
    All,
    /// How many?
    Count,
    /// The first such.
    First,
    /// The last such.
    Last,
    /// All such.
    Those,
    /// A value for each.
    Each,
    /// Pairs with an equal key.
    Duplicates,
}

/// A pattern for a whole path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    /// As written, with the `$`.
    pub text: String,
    /// Its steps, in order.
    pub steps: Vec<PathStep>,
}

/// A step of a [`PathPattern`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// `.name`, `["name"]`
    Member(String),
    /// `.*`
    AnyMember,
    /// `[0]`
    Index(u64),
    /// `[*]`
    AnyIndex,
    /// `..` : any steps, none included. (`..name` is this and a member.)
    Depth,
    /// `( … | … )` and how often.
    Group(Vec<Vec<PathStep>>, Repeat),
}

/// How often a group of a [`PathPattern`] stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// Once.
    Once,
    /// `?`
    Optional,
    /// `*`
    Any,
    /// `+`
    Some,
}

impl BinaryOp {
    /// A comparison as it is written; empty for what is none.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            _ => "",
        }
    }
}
