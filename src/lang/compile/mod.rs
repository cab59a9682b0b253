//! Program → plan: which rules concern which records, what history they need, and what must be decoded at all.
//!
//! A form over `earlier` becomes a [`Query`]: the part of its condition that reads the element alone is evaluated once,
//! when the element passes; what equates the element with something of the subject becomes the key of a hash index; of
//! what is left only as much is kept as can still matter. Everything else keeps whole lists.

mod constants;
mod demand;
mod foreseen;
mod inline;
mod queries;
mod reduce;
mod shared;
mod specialise;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use super::ast::{Level, Quantifier};
use super::program::{
    AttributeId, Clause, Collection, Expr, Function, Program, Reach, Rule, RuleId, Scope, Slot,
};
use crate::input::event::Wanted;
use crate::json::Demand;
use crate::model::subject::{Attribute, Subject};
use crate::model::types::Type;

pub use self::specialise::{Known, Special, specialise};

/// Number of a scope in [`Plan::scopes`].
pub type ScopeId = usize;
/// Number of a query in [`Plan::queries`].
pub type QueryId = usize;

/// What the engine runs.
#[derive(Debug)]
pub struct Plan {
    /// The program; its expressions are planned.
    pub program: Program,
    /// Per rule.
    pub rules: Vec<PlannedRule>,
    /// Per derived attribute.
    pub attributes: Vec<PlannedAttribute>,
    /// The distinct scopes; the first is the session.
    pub scopes: Vec<Scope>,
    /// Forms over `earlier`.
    pub queries: Vec<Query>,
    /// Lists that are kept whole.
    pub lists: BTreeSet<(ScopeId, Collection)>,
    /// How many rules others ask for.
    pub premises: usize,
    /// Per rule, its turn on one subject: premises come before those who ask for them.
    pub order: Vec<usize>,
    /// The rules for each subject.
    pub dispatch: Dispatch,
    /// What must be decoded.
    pub wanted: Wanted,
    /// Some rule or attribute looks at stream events.
    pub events: bool,
    /// Some rule or attribute looks at the messages of an exchange.
    pub links: bool,
    /// Some rule asks for what was open at another place than where it stands: closed requests are kept.
    pub open_late: bool,
}

/// How a rule is run.
#[derive(Debug, Clone, Default)]
pub struct PlannedRule {
    /// Its history.
    pub scope: ScopeId,
    /// Its number among the premises, if another rule asks for it.
    pub premise: Option<usize>,
    /// It is evaluated.
    pub active: bool,
    /// The clause behind which a bare report stands.
    pub bare_after: Option<usize>,
}

/// How a derived attribute is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlannedAttribute {
    /// A rule that runs needs it.
    pub active: bool,
    /// It looks at history, so it is evaluated at its own place.
    pub placed: bool,
    /// Its value does not change once it is known, so it is kept.
    pub kept: bool,
    /// It was made of an expression that stands in several places.
    pub shared: bool,
}

/// Rules by what they are about.
#[derive(Debug, Default)]
pub struct Dispatch {
    /// Rules by the narrowest subject of a record, in their turn.
    pub rules: BTreeMap<Subject, Vec<RuleId>>,
    /// Attributes that are evaluated at the place of a record.
    pub placed: BTreeMap<Subject, Vec<AttributeId>>,
    /// Queries and lists that take in records of a subject.
    pub queries: BTreeMap<Subject, Vec<QueryId>>,
}

/// A form over `earlier`.
#[derive(Debug, Clone)]
pub struct Query {
    /// Whose history.
    pub scope: ScopeId,
    /// Which list.
    pub collection: Collection,
    /// Which form: `any`, `first`, `last`, `count` or `those`.
    pub quantifier: Quantifier,
    /// The element's slot, in a frame of [`slots`](Self::slots).
    pub slot: Slot,
    /// Size of the frame.
    pub slots: usize,
    /// What was recorded is taken for all there is.
    pub known: bool,
    /// `since(…)`, evaluated at the subject.
    pub bounds: Vec<Expr>,
    /// What is asked of the element alone, evaluated when it passes.
    pub alone: Option<Expr>,
    /// Element side and subject side of equations.
    pub keys: Vec<(Expr, Expr)>,
    /// What is left, evaluated at the subject.
    pub rest: Option<Expr>,
    /// What is kept.
    pub keep: Keep,
}

/// What a query keeps of the elements under one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The first sure one and what perhaps came before it.
    First,
    /// The last sure one and what perhaps came after it.
    Last,
    /// How many.
    Count,
    /// All.
    All,
}

/// Plans a program. Parameters and levels of the run are in it.
pub fn compile(program: &Program) -> Plan {
    plan(reduce::reduced(program, &walk::active(program)))
}

/// Plans one rule of a program alone, with what it rests on; a rule that is off is tried at its severity as well.
pub fn compile_alone(program: &Program, rule: RuleId) -> Plan {
    let mut reduced = reduce::reduced(program, &walk::active_alone(program, rule));
    for (id, other) in reduced.rules.iter_mut().enumerate() {
        other.level = match other.severity {
            _ if id != rule => Level::Off,
            Level::Off => Level::Warning,
            severity => severity,
        };
    }
    plan(reduced)
}

fn plan(mut program: Program) -> Plan {
    let active = walk::active(&program);
    constants::fold(&mut program, &active);
    let active = walk::active(&program);
    let wanted = demand::wanted(&program, &active);
    inline::inline(&mut program, &active);
    constants::fold(&mut program, &active);
    let active = walk::active(&program);
    let written = program.attributes.len();
    shared::share(&mut program, &active);
    let active = walk::active(&program);
    let mut planner = queries::Planner::new(&program);
    let mut planned = program.clone();
    let mut rules = vec![PlannedRule::default(); program.rules.len()];
    for (id, rule) in planned.rules.iter_mut().enumerate() {
        if !active.rules.contains(&id) {
            continue;
        }
        let scope = planner.scope(&rule.scope);
        rules[id] = PlannedRule {
            scope,
            premise: None,
            active: true,
            bare_after: bare_after(rule),
        };
        planner.rule(rule, scope);
    }
    for (number, id) in active.premises.iter().enumerate() {
        rules[*id].premise = Some(number);
    }
    let mut attributes = vec![PlannedAttribute::default(); program.attributes.len()];
    for (id, attribute) in planned.attributes.iter_mut().enumerate() {
        let class = &planner.facts.attributes[id];
        attributes[id] = PlannedAttribute {
            active: active.attributes.contains(&id),
            placed: class.history,
            kept: class.history || !class.live,
            shared: id >= written,
        };
        if attributes[id].active {
            planner.attribute(attribute);
        }
    }
    for id in &active.functions {
        planner.function(&mut planned.functions[*id]);
    }
    let events = walk::reads(&program, &active, &|_, attribute| attribute == Attribute::Events);
    let links = walk::reads(&program, &active, &|of, attribute| {
        *of == Type::Subject(Subject::Exchange)
            && matches!(attribute, Attribute::Messages | Attribute::Request)
    });
    let queries::Planner {
        scopes,
        queries,
        lists,
        open_late,
        ..
    } = planner;
    let order = walk::order(&program);
    let dispatch = dispatch(&planned, &rules, &attributes, &queries, &lists, &order);
    Plan {
        program: planned,
        rules,
        attributes,
        scopes,
        queries,
        lists,
        premises: active.premises.len(),
        order,
        dispatch,
        wanted,
        events,
        links,
        open_late,
    }
}

/// The last `for` of a rule that reports whatever comes there.
fn bare_after(rule: &Rule) -> Option<usize> {
    let bare = rule.verdicts.first()?.condition.is_none();
    let is_for = |clause: &Clause| matches!(clause, Clause::For { .. });
    rule.clauses.iter().rposition(is_for).filter(|_| bare)
}

fn dispatch(
    program: &Program,
    rules: &[PlannedRule],
    attributes: &[PlannedAttribute],
    queries: &[Query],
    lists: &BTreeSet<(ScopeId, Collection)>,
    order: &[usize],
) -> Dispatch {
    let mut out = Dispatch::default();
    for subject in Subject::ALL {
        let mut concerned: Vec<RuleId> = program
            .rules
            .iter()
            .enumerate()
            .filter(|(id, rule)| rules[*id].active && subject.is_a(rule.subject))
            .map(|(id, _)| id)
            .collect();
        concerned.sort_unstable_by_key(|id| order[*id]);
        if !concerned.is_empty() {
            out.rules.insert(subject, concerned);
        }
    }
    for (id, attribute) in program.attributes.iter().enumerate() {
        if attributes[id].active && attributes[id].placed {
            out.placed.entry(attribute.subject).or_default().push(id);
        }
    }
    for (id, query) in queries.iter().enumerate() {
        let subject = match query.collection {
            Collection::Of(subject) => subject,
            Collection::Open => Subject::Request,
        };
        out.queries.entry(subject).or_default().push(id);
    }
    for (_, collection) in lists {
        if let Collection::Of(subject) = collection {
            out.queries.entry(*subject).or_default();
        }
    }
    out
}

impl Plan {
    /// Whether a rule reports; others run only because somebody asks for their verdict.
    pub fn reports(&self, rule: RuleId) -> bool {
        self.program.rules[rule].level != Level::Off
    }

    /// Has everything decoded that a recording holds: what is looked at is not only what rules ask for.
    pub fn want_all(&mut self) {
        self.wanted.message = Demand::whole();
        self.wanted.entry = Demand::whole();
        self.wanted.headers = None;
    }

    /// The farthest that any rule looks.
    pub fn reach(&self) -> Reach {
        let running = self
            .program
            .rules
            .iter()
            .zip(&self.rules)
            .filter(|(_, planned)| planned.active);
        running
            .map(|(rule, _)| rule.needs.reach)
            .max()
            .unwrap_or_default()
    }
}

/// All expressions of a rule, with the slots that `for` and `let` bind to lists and values.
pub(crate) fn clause_expressions(clause: &Clause) -> Vec<&Expr> {
    match clause {
        Clause::For { list, guard, .. } => std::iter::once(list).chain(guard).collect(),
        Clause::Let { value, .. } | Clause::When(value) => vec![value],
        Clause::Undecided { condition, .. } => vec![condition],
    }
}

/// All expressions of a function.
pub(crate) fn function_expressions(function: &Function) -> impl Iterator<Item = &Expr> {
    function
        .lets
        .iter()
        .map(|(_, value)| value)
        .chain([&function.result])
}
