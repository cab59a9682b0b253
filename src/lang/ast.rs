//! The syntax tree of a rule file: what was written, with its places, before any name is looked up.
//!
//! [`parse`](crate::lang::parse) makes it, [`check`](crate::lang::check) reads it. Nothing here has a meaning yet: a
//! [`Expr::Name`](ExprKind::Name) may be a subject, a `let`, a parameter, a constant or a misspelling.

use crate::source::{SourceId, Span, Spanned};

mod example;
mod expression;

pub use example::{Example, ExampleEvent, ExampleHttp, ExampleMessage, Outcome, Step};
pub use expression::{BinaryOp, Expr, ExprKind, PathPattern, PathStep, Premise, Quantifier, Repeat};

/// A word with its place.
pub type Name = Spanned<String>;

/// One rule file.
#[derive(Debug, Clone)]
pub struct File {
    /// The text that it was parsed from.
    pub source: SourceId,
    /// `pack NAME`; a file without it is a pack of its file's name.
    pub pack: Option<Name>,
    /// Documentation of the pack (`///` before `pack`).
    pub docs: String,
    /// `use NAME`, in order.
    pub uses: Vec<Name>,
    /// All other items, in order. Items that could not be parsed are missing; their errors were reported.
    pub items: Vec<Item>,
    /// Names of items that could not be read (`request.client` of an attribute): their errors were reported, and what
    /// refers to them deserves no other.
    pub broken: Vec<Name>,
}

/// An item in column 1.
#[derive(Debug, Clone)]
pub struct Item {
    /// Its `///` lines without the marks, joined with line ends.
    pub docs: String,
    /// From its first word to its last token.
    pub span: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of items.
#[derive(Debug, Clone)]
pub enum ItemKind {
    /// `param NAME: TYPE = EXPR`
    Param(Param),
    /// `const NAME = EXPR`
    Const(Const),
    /// `fn NAME(…) -> TYPE …`
    Function(Function),
    /// `attribute SUBJECT.NAME: TYPE …`
    Attribute(Attribute),
    /// `shape NAME …`
    Shape(Shape),
    /// `profile NAME { … }`
    Profile(Profile),
    /// `rule NAME { … }`
    Rule(Box<Rule>),
}

/// A parameter that configuration may set.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// Its default.
    pub default: Expr,
}

/// A named value.
#[derive(Debug, Clone)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its type, if written.
    pub ty: Option<TypeExpr>,
    /// Its value.
    pub value: Expr,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Names and types of what it takes.
    pub parameters: Vec<(Name, TypeExpr)>,
    /// What it gives.
    pub result: TypeExpr,
    /// How.
    pub body: Body,
}

/// `= EXPR`, or `{ let … return EXPR }`.
#[derive(Debug, Clone)]
pub struct Body {
    /// Named values, each seeing those above it.
    pub lets: Vec<Let>,
    /// The value of the whole.
    pub result: Expr,
}

/// `let NAME = EXPR`
#[derive(Debug, Clone)]
pub struct Let {
    /// The name.
    pub name: Name,
    /// The value.
    pub value: Expr,
}

/// A derived attribute of a subject.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Of what: `request`.
    pub subject: Name,
    /// Its name: `client`.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// How; the subject's own word stands for the record.
    pub body: Body,
}

impl Attribute {
    /// Whether it is nothing but the JSON member of its name: `attribute tool.title: json = tool["title"]`.
    pub fn is_member(&self) -> bool {
        match &self.body.result.kind {
            ExprKind::Index(of, name) => {
                matches!(&of.kind, ExprKind::Name(of) if *of == self.subject.node)
                    && matches!(&name.kind, ExprKind::Text(name) if *name == self.name.node)
            }
            _ => false,
        }
    }
}

/// What a value must look like.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Its CamelCase name.
    pub name: Name,
    /// `closed`: no other members.
    pub closed: bool,
    /// `extends NAME`
    pub extends: Option<Name>,
    /// The revisions that it is for; empty: all.
    pub revision: Vec<Bound>,
    /// Its content.
    pub body: ShapeBody,
}

/// The content of a shape.
#[derive(Debug, Clone)]
pub enum ShapeBody {
    /// `= TYPE`
    Alias(TypeExpr),
    /// `{ … }`
    Fields(Vec<Field>),
}

/// A member of a shape.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its documentation.
    pub docs: String,
    /// Its name as it stands in JSON.
    pub name: Name,
    /// `?` behind the name.
    pub optional: bool,
    /// What it holds.
    pub ty: TypeExpr,
}

/// A named set of parameters and levels.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Its kebab-case name.
    pub name: Name,
    /// `NAME = EXPR`
    pub settings: Vec<Setting>,
    /// `level RULE = LEVEL`
    pub levels: Vec<(Name, Spanned<Level>)>,
}

/// `NAME = EXPR`
#[derive(Debug, Clone)]
pub struct Setting {
    /// The parameter.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not evaluated, unless another rule asks with `fails`.
    Off,
    /// Worth knowing.
    Note,
    /// Breaks a SHOULD, or a MUST that a recording shows with doubt.
    Warning,
    /// Breaks the protocol.
    Error,
}

/// Who broke the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// The client.
    Client,
    /// The server.
    Server,
    /// A gateway or proxy between them.
    Intermediary,
    /// The program that wrote the recording.
    Recorder,
    /// Whoever sent the subject.
    Sender,
    /// Whoever received the subject.
    Receiver,
}

/// `>= "2025-06-18"`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// One of `==` `<` `<=` `>` `>=`.
    pub op: BinaryOp,
    /// A date as it stands on the wire.
    pub revision: Spanned<String>,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its kebab-case name.
    pub name: Name,
    /// `severity LEVEL`
    pub severity: Option<Spanned<Level>>,
    /// `fault PARTY`
    pub fault: Option<Spanned<Party>>,
    /// `source "…"`, may repeat.
    pub sources: Vec<Spanned<String>>,
    /// `revision BOUND and BOUND …`; empty: all.
    pub revision: Vec<Bound>,
    /// `tags "…", …`
    pub tags: Vec<Spanned<String>>,
    /// `scope KEY, …`; empty: the session. May begin with `corpus`.
    pub scope: Vec<Name>,
    /// `on …`
    pub on: On,
    /// `for`, `let`, `when`, `undecided when`, in the order written.
    pub clauses: Vec<Clause>,
    /// The verdicts, at least one.
    pub verdicts: Vec<Verdict>,
    /// `once per EXPR`
    pub once: Option<Expr>,
    /// `pass fail skip undecided`
    pub examples: Vec<Example>,
}

/// `on SUBJECT [as NAME] [of METHOD or …] [from SIDE] [over TRANSPORT] [where EXPR]`
#[derive(Debug, Clone)]
pub struct On {
    /// All of it.
    pub span: Span,
    /// `request`, `tool`, …
    pub subject: Name,
    /// Another name for it.
    pub alias: Option<Name>,
    /// The methods; empty: any.
    pub methods: Vec<Spanned<String>>,
    /// `client` or `server`.
    pub from: Option<Name>,
    /// `http` or `stdio`.
    pub over: Option<Name>,
    /// A condition.
    pub guard: Option<Expr>,
}

/// A clause between `on` and the verdicts.
#[derive(Debug, Clone)]
pub enum Clause {
    /// `for NAME in EXPR [where EXPR]`
    For {
        /// The name of the element.
        name: Name,
        /// The list.
        list: Expr,
        /// A condition on the element.
        guard: Option<Expr>,
    },
    /// `let NAME = EXPR`
    Let(Let),
    /// `when EXPR`
    When(Expr),
    /// `undecided when EXPR TEXT`
    Undecided {
        /// When the rule declines to judge.
        condition: Expr,
        /// Why.
        reason: Template,
    },
}

/// `require EXPR report …`, `forbid EXPR report …` or a bare `report …`
#[derive(Debug, Clone)]
pub struct Verdict {
    /// All of it.
    pub span: Span,
    /// The condition; `None` for a bare report.
    pub condition: Option<(VerdictKind, Expr)>,
    /// `report LEVEL`
    pub level: Option<Spanned<Level>>,
    /// `against PARTY`
    pub against: Option<Spanned<Party>>,
    /// What is said.
    pub text: Template,
    /// `at EXPR [TEXT]`
    pub labels: Vec<(Expr, Option<Template>)>,
    /// `help TEXT`
    pub help: Option<Template>,
}

/// Which value of the condition is a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictKind {
    /// False is.
    Require,
    /// True is.
    Forbid,
}

/// A text with holes.
#[derive(Debug, Clone)]
pub struct Template {
    /// With its quotes.
    pub span: Span,
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
}

/// A piece of a [`Template`].
#[derive(Debug, Clone)]
pub enum Piece {
    /// Plain text, escapes resolved.
    Text(String),
    /// `{EXPR}`
    Hole(Expr),
}

/// A type as written.
#[derive(Debug, Clone)]
pub struct TypeExpr {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: TypeKind,
}

/// The kinds of types.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// A builtin type, a subject or a shape.
    Name(String),
    /// `[T]`
    List(Box<TypeExpr>),
    /// `NAME of T` (only `object of T` has a meaning)
    Of(Name, Box<TypeExpr>),
    /// A literal text.
    Text(String),
    /// A literal number, or a range of them; ends as written, included, either may be left out.
    Range(Option<String>, Option<String>),
    /// `A or B`
    Or(Vec<TypeExpr>),
}

impl Level {
    /// Its word in the language.
    pub fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
            Level::Off => "off",
        }
    }
}

impl Party {
    /// Its word in the language.
    pub fn word(self) -> &'static str {
        match self {
            Party::Client => "client",
            Party::Server => "server",
            Party::Intermediary => "intermediary",
            Party::Recorder => "recorder",
            Party::Sender => "sender",
            Party::Receiver => "receiver",
        }
    }
}
