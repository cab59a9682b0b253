//! The checked program: names resolved, types known, parameters and constants folded. All that the engine sees.
//!
//! The expressions are still a tree; [`compile`](crate::lang::compile) plans how the engine evaluates them. The meaning
//! of a program is defined on this tree (`tests/reference` evaluates it plainly).

use std::sync::Arc;

use super::ast::{BinaryOp, Level, Outcome, Party, Quantifier, VerdictKind};
use super::builtins::Builtin;
use crate::input::event::{Side, Transport};
use crate::model::subject::{Attribute, Key, Subject};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::source::Span;

/// Number of a rule in [`Program::rules`].
pub type RuleId = usize;
/// Number of a function in [`Program::functions`].
pub type FunctionId = usize;
/// Number of a derived attribute in [`Program::attributes`].
pub type AttributeId = usize;
/// Number of a local name in its frame.
pub type Slot = usize;

/// All rules of a run, with what they use.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// In the order of packs and files.
    pub rules: Vec<Rule>,
    /// Functions; none calls itself.
    pub functions: Vec<Function>,
    /// Derived attributes, each after those that it reads.
    pub attributes: Vec<DerivedAttribute>,
    /// Parameters with the values of this run.
    pub parameters: Vec<Parameter>,
    /// Packs with their documentation.
    pub packs: Vec<Pack>,
    /// Profiles by `pack/name`.
    pub profiles: Vec<Profile>,
    /// What makes messages one session, if the run says so.
    pub session_by: Option<SessionBy>,
}

/// An expression on one message; messages of equal values are of one session.
#[derive(Debug, Clone)]
pub struct SessionBy {
    /// The expression; slot 0 is the message.
    pub expr: Expr,
    /// How many slots it needs.
    pub slots: usize,
}

/// A pack.
#[derive(Debug, Clone)]
pub struct Pack {
    /// Its name.
    pub name: Arc<str>,
    /// Its documentation.
    pub docs: String,
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The pack that declares it.
    pub pack: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its documentation.
    pub docs: String,
    /// Its type.
    pub ty: Type,
    /// Its default.
    pub default: Value,
    /// Its value in this run.
    pub value: Value,
}

/// A profile.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The pack that declares it.
    pub pack: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its documentation.
    pub docs: String,
    /// Parameters that it sets.
    pub settings: Vec<(Arc<str>, Value)>,
    /// Levels that it sets, by rule id.
    pub levels: Vec<(Arc<str>, Level)>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// How many arguments it takes; they are the first slots.
    pub arity: usize,
    /// How many slots it needs.
    pub slots: usize,
    /// `let`s, in order.
    pub lets: Vec<(Slot, Expr)>,
    /// Its value.
    pub result: Expr,
}

/// A derived attribute.
#[derive(Debug, Clone)]
pub struct DerivedAttribute {
    /// Of what.
    pub subject: Subject,
    /// Its name.
    pub name: Arc<str>,
    /// Its documentation.
    pub docs: String,
    /// Its type.
    pub ty: Type,
    /// How many slots it needs; slot 0 is the record.
    pub slots: usize,
    /// `let`s, in order.
    pub lets: Vec<(Slot, Expr)>,
    /// Its value.
    pub result: Expr,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// `pack/name`.
    pub id: Arc<str>,
    /// The pack.
    pub pack: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// Its documentation.
    pub docs: String,
    /// Its level in this run.
    pub level: Level,
    /// Its level as written; warning where none is.
    pub severity: Level,
    /// Who is at fault.
    pub fault: Option<Party>,
    /// Clauses that it rests on.
    pub sources: Vec<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The revisions that it is for.
    pub revision: Vec<(BinaryOp, Arc<str>)>,
    /// What its history is.
    pub scope: Scope,
    /// What it judges.
    pub subject: Subject,
    /// Of which methods; empty: any.
    pub methods: Vec<Arc<str>>,
    /// Sent by whom.
    pub from: Option<Side>,
    /// Over which transport.
    pub over: Option<Transport>,
    /// `on … where`; slot 0 is the subject.
    pub guard: Option<Expr>,
    /// `for`, `let`, `when`, `undecided when`, in order.
    pub clauses: Vec<Clause>,
    /// The verdicts.
    pub verdicts: Vec<Verdict>,
    /// `once per`
    pub once: Option<Expr>,
    /// How many slots it needs.
    pub slots: usize,
    /// Its examples.
    pub examples: Vec<super::ast::Example>,
    /// Where it was written.
    pub span: Span,
    /// What it needs of a recording.
    pub needs: Needs,
}

/// The history of a rule or an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// Through all recordings.
    pub corpus: bool,
    /// What its records share.
    pub keys: Vec<Key>,
}

impl Default for Scope {
    fn default() -> Self {
        Scope {
            corpus: false,
            keys: vec![Key::Session],
        }
    }
}

/// How far a rule looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Reach {
    /// Its subject alone.
    #[default]
    Message,
    /// Also the exchange and the paired message.
    Exchange,
    /// All of its scope.
    Scope,
    /// All recordings.
    Corpus,
}

/// What a rule needs of a recording, inferred by the checker; for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Words such as `headers`, `status`, `clock`, `catalogue`, `pairing`, `session`, `raw text`, sorted.
    pub evidence: Vec<&'static str>,
    /// How far it looks.
    pub reach: Reach,
}

/// A clause between `on` and the verdicts.
#[derive(Debug, Clone)]
pub enum Clause {
    /// `for`
    For {
        /// The element.
        slot: Slot,
        /// The list.
        list: Expr,
        /// `where`
        guard: Option<Expr>,
    },
    /// `let`, evaluated when used.
    Let {
        /// The name.
        slot: Slot,
        /// The value.
        value: Expr,
    },
    /// `when`
    When(Expr),
    /// `undecided when`
    Undecided {
        /// When.
        condition: Expr,
        /// Why.
        reason: Template,
    },
}

/// A verdict.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// `None`: a bare report.
    pub condition: Option<(VerdictKind, Expr)>,
    /// Overrides the rule's level.
    pub level: Option<Level>,
    /// Overrides the rule's fault.
    pub against: Option<Party>,
    /// What is said.
    pub text: Template,
    /// Where.
    pub labels: Vec<(Expr, Option<Template>)>,
    /// Advice.
    pub help: Option<Template>,
}

/// A text with holes.
#[derive(Debug, Clone, Default)]
pub struct Template {
    /// Its pieces.
    pub pieces: Vec<Piece>,
}

/// A piece of a template.
#[derive(Debug, Clone)]
pub enum Piece {
    /// Plain text.
    Text(String),
    /// A value.
    Hole(Expr),
}

/// An expression with its type.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Where it was written.
    pub span: Span,
    /// Its static type.
    pub ty: Type,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A literal, a parameter, a constant. A literal list or object of constants is one too.
    Constant(Value),
    /// A name: the subject (slot 0 of a rule or attribute), `for`, `let`, a binding, an argument.
    Local(Slot),
    /// A built-in attribute of a record.
    Attribute(Box<Expr>, Attribute),
    /// A derived attribute of a record.
    Derived(Box<Expr>, AttributeId),
    /// A member of JSON, of a computed object, or (by `x["name"]`) of a message or entry.
    Member(Box<Expr>, Arc<str>),
    /// `x[e]` of a list, an object or headers; a literal text on an object is [`ExprKind::Member`].
    Index(Box<Expr>, Box<Expr>),
    /// `headers.list`
    HeaderList(Box<Expr>),
    /// A list of `earlier` or `later`: `earlier.requests`, `earlier.since(x).tools`, `earlier.open`.
    History {
        /// Whose; `earlier` alone is that of the subject in slot 0.
        of: Box<Expr>,
        /// Which way.
        later: bool,
        /// `since(x)`, `until(x)`; several are cut one after the other.
        bounds: Vec<Expr>,
        /// Which list; `open` is [`Collection::Open`].
        collection: Collection,
    },
    /// A builtin function.
    Call(&'static Builtin, Vec<Expr>),
    /// A function of a pack.
    Apply(FunctionId, Vec<Expr>),
    /// `[a, b]` that is not constant.
    List(Vec<Expr>),
    /// `{ k: v }` that is not constant.
    Object(Vec<(Arc<str>, Expr)>),
    /// `not`
    Not(Box<Expr>),
    /// unary `-`
    Negate(Box<Expr>),
    /// An operator. `NotIn` and `NotEqual` are the negations of `In` and `Equal`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `exists`
    Exists(Box<Expr>),
    /// `missing`
    IsMissing(Box<Expr>),
    /// `is T`; `is not T` is wrapped in [`ExprKind::Not`].
    Is(Box<Expr>, TypeTest),
    /// `fails`
    Fails(Box<Expr>, Vec<RuleId>),
    /// `if`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A form over `earlier` that the compiler planned; never in a checked program.
    Query(usize),
    /// A value with a name in front of an expression, where the compiler wrote a function out; never in a checked
    /// program.
    Let {
        /// The name.
        slot: Slot,
        /// What it stands for, evaluated when used.
        value: Box<Expr>,
        /// In what.
        body: Box<Expr>,
        /// It is the value and nothing more, as an argument is: of a count or of `first` and `last` a `let` knows more.
        settled: bool,
    },
    /// A form for lists.
    Quantified {
        /// Which form.
        quantifier: Quantifier,
        /// Names and lists, outermost first.
        bindings: Vec<(Slot, Expr)>,
        /// What is asked of them.
        body: Box<Expr>,
    },
}

/// What `is` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeTest {
    /// `null`
    Null,
    /// `boolean`
    Boolean,
    /// A number without a fraction.
    Integer,
    /// `number`
    Number,
    /// `string`
    Text,
    /// `list`
    List,
    /// `object`
    Object,
}

/// A list of `earlier` or `later`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Collection {
    /// All records of a kind.
    Of(Subject),
    /// Requests that are open.
    Open,
}

impl Rule {
    /// What an example says that must come out.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> + '_ {
        self.examples.iter().map(|example| example.outcome)
    }
}

impl Expr {
    /// The direct parts of an expression.
    pub fn parts(&self) -> Vec<&Expr> {
        use ExprKind as K;
        match &self.kind {
            K::Constant(_) | K::Local(_) | K::Query(_) => vec![],
            K::Attribute(a, _)
            | K::Derived(a, _)
            | K::Member(a, _)
            | K::HeaderList(a)
            | K::Not(a)
            | K::Negate(a)
            | K::Exists(a)
            | K::IsMissing(a)
            | K::Is(a, _)
            | K::Fails(a, _) => vec![a],
            K::Index(a, b) | K::Binary(_, a, b) => vec![a, b],
            K::Let { value, body, .. } => vec![value, body],
            K::If(a, b, c) => vec![a, b, c],
            K::Call(_, all) | K::Apply(_, all) | K::List(all) => all.iter().collect(),
            K::Object(members) => members.iter().map(|(_, value)| value).collect(),
            K::History { of, bounds, .. } => std::iter::once(&**of).chain(bounds).collect(),
            K::Quantified { bindings, body, .. } => {
                bindings.iter().map(|(_, l)| l).chain([&**body]).collect()
            }
        }
    }

    /// The direct parts of an expression, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        use ExprKind as K;
        match &mut self.kind {
            K::Constant(_) | K::Local(_) | K::Query(_) => vec![],
            K::Attribute(a, _)
            | K::Derived(a, _)
            | K::Member(a, _)
            | K::HeaderList(a)
            | K::Not(a)
            | K::Negate(a)
            | K::Exists(a)
            | K::IsMissing(a)
            | K::Is(a, _)
            | K::Fails(a, _) => vec![a],
            K::Index(a, b) | K::Binary(_, a, b) => vec![a, b],
            K::Let { value, body, .. } => vec![value, body],
            K::If(a, b, c) => vec![a, b, c],
            K::Call(_, all) | K::Apply(_, all) | K::List(all) => all.iter_mut().collect(),
            K::Object(members) => members.iter_mut().map(|(_, value)| value).collect(),
            K::History { of, bounds, .. } => std::iter::once(&mut **of).chain(bounds).collect(),
            K::Quantified { bindings, body, .. } => {
                bindings.iter_mut().map(|(_, l)| l).chain([&mut **body]).collect()
            }
        }
    }
}
