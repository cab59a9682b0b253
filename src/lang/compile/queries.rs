//! Forms over `earlier` → queries.

use std::collections::BTreeSet;

use super::walk::{Facts, each};
use super::{Keep, Query, ScopeId};
use crate::lang::ast::{BinaryOp, Quantifier};
use crate::lang::program::{
    Clause, Collection, DerivedAttribute, Expr, ExprKind, Function, Piece, Program, Rule, Scope, Slot,
    Template,
};
use crate::model::subject::{Attribute, Subject};
use crate::model::types::Type;

/// Plans expressions and collects what the engine must keep.
pub(super) struct Planner {
    pub(super) facts: Facts,
    pub(super) scopes: Vec<Scope>,
    pub(super) queries: Vec<Query>,
    pub(super) lists: BTreeSet<(ScopeId, Collection)>,
    pub(super) open_late: bool,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Site {
    scope: ScopeId,
    slots: usize,
    /// It may be evaluated again after its subject has passed: what it asks for must still be there.
    late: bool,
}

impl Planner {
    pub(super) fn new(program: &Program) -> Self {
        Planner {
            facts: Facts::new(program),
            scopes: vec![Scope::default()],
            queries: vec![],
            lists: BTreeSet::new(),
            open_late: false,
        }
    }

    /// The number of a scope.
    pub(super) fn scope(&mut self, scope: &Scope) -> ScopeId {
        if let Some(id) = self.scopes.iter().position(|s| s == scope) {
            return id;
        }
        self.scopes.push(scope.clone());
        self.scopes.len() - 1
    }

    pub(super) fn rule(&mut self, rule: &mut Rule, scope: ScopeId) {
        // A session is judged when all is over.
        let late = rule.subject == Subject::Session
            || super::walk::rule_expressions(rule)
                .into_iter()
                .any(|e| self.facts.of(e).live);
        let site = Site {
            scope,
            slots: rule.slots,
            late,
        };
        if let Some(guard) = &mut rule.guard {
            self.expr(guard, site);
        }
        for clause in &mut rule.clauses {
            match clause {
                Clause::For { list, guard, .. } => {
                    self.expr(list, site);
                    if let Some(guard) = guard {
                        self.expr(guard, site);
                    }
                }
                Clause::Let { value, .. } | Clause::When(value) => self.expr(value, site),
                Clause::Undecided { condition, reason } => {
                    self.expr(condition, site);
                    self.template(reason, site);
                }
            }
        }
        for verdict in &mut rule.verdicts {
            if let Some((_, condition)) = &mut verdict.condition {
                self.expr(condition, site);
            }
            self.template(&mut verdict.text, site);
            for (place, text) in &mut verdict.labels {
                self.expr(place, site);
                if let Some(text) = text {
                    self.template(text, site);
                }
            }
            if let Some(help) = &mut verdict.help {
                self.template(help, site);
            }
        }
        if let Some(once) = &mut rule.once {
            self.expr(once, site);
        }
    }

    pub(super) fn attribute(&mut self, attribute: &mut DerivedAttribute) {
        let site = Site {
            scope: 0,
            slots: attribute.slots,
            late: attribute.subject == Subject::Session,
        };
        for (_, value) in &mut attribute.lets {
            self.expr(value, site);
        }
        self.expr(&mut attribute.result, site);
    }

    /// Functions are evaluated in the scope of whoever calls them, so their histories are lists of every scope.
    pub(super) fn function(&mut self, function: &mut Function) {
        let mut collections = BTreeSet::new();
        for expr in super::function_expressions(function) {
            each(expr, &mut |e| {
                if let ExprKind::History { collection, .. } = &e.kind {
                    collections.insert(*collection);
                }
            });
            each(expr, &mut |e| self.session_lists(e));
        }
        for scope in 0..self.scopes.len() {
            self.lists
                .extend(collections.iter().map(|collection| (scope, *collection)));
        }
        self.open_late |= collections.contains(&Collection::Open);
    }

    fn template(&mut self, template: &mut Template, site: Site) {
        for piece in &mut template.pieces {
            if let Piece::Hole(expr) = piece {
                self.expr(expr, site);
            }
        }
    }

    fn expr(&mut self, expr: &mut Expr, site: Site) {
        nest_bindings(expr);
        turn_all(expr);
        if let Some(query) = self.query(expr, site) {
            self.queries.push(query);
            expr.kind = ExprKind::Query(self.queries.len() - 1);
            let id = self.queries.len() - 1;
            self.inside(id, site);
            return;
        }
        if let ExprKind::History { of, collection, .. } = &expr.kind {
            self.lists.insert((site.scope, *collection));
            // What was open at another record may be closed by now.
            let elsewhere = site.late || !matches!(of.kind, ExprKind::Local(0));
            self.open_late |= elsewhere && *collection == Collection::Open;
        }
        self.session_lists(expr);
        for part in expr.parts_mut() {
            self.expr(part, site);
        }
    }

    /// The lists of a session are those of the scope `session`.
    fn session_lists(&mut self, expr: &Expr) {
        use Attribute as A;
        let ExprKind::Attribute(of, attribute) = &expr.kind else {
            return;
        };
        if of.ty != Type::Subject(Subject::Session) {
            return;
        }
        let subject = match attribute {
            A::Requests => Subject::Request,
            A::Responses => Subject::Response,
            A::Notifications => Subject::Notification,
            A::Exchanges => Subject::Exchange,
            A::Listings => Subject::Listing,
            A::Tools => Subject::Tool,
            A::Ended | A::Revision | A::Session | A::Transport => return,
            _ => Subject::Message,
        };
        self.lists.insert((0, Collection::Of(subject)));
    }

    /// Plans what is inside a query.
    fn inside(&mut self, id: usize, site: Site) {
        let mut query = self.queries[id].clone();
        for bound in &mut query.bounds {
            self.expr(bound, site);
        }
        for (_, subject) in &mut query.keys {
            self.expr(subject, site);
        }
        if let Some(rest) = &mut query.rest {
            self.expr(rest, site);
        }
        self.queries[id] = query;
    }

    fn query(&self, expr: &Expr, site: Site) -> Option<Query> {
        let ExprKind::Quantified {
            quantifier,
            bindings,
            body,
        } = &expr.kind
        else {
            return None;
        };
        let keep = match quantifier {
            Quantifier::First => Keep::First,
            Quantifier::Last => Keep::Last,
            // Whether there is one is told by how many there are, and that takes no records to be kept.
            Quantifier::Any if bindings.iter().all(|(_, list)| bounds_of(list) == 0) => Keep::Count,
            Quantifier::Any => Keep::Last,
            Quantifier::Count => Keep::Count,
            Quantifier::Those => Keep::All,
            Quantifier::All | Quantifier::Each | Quantifier::Duplicates => return None,
        };
        let [(slot, list)] = bindings.as_slice() else {
            return None;
        };
        let (list, known) = match &list.kind {
            ExprKind::Call(builtin, arguments) if builtin.name == "known" => (arguments.first()?, true),
            _ => (list, false),
        };
        let ExprKind::History {
            of,
            later: false,
            bounds,
            collection: collection @ Collection::Of(_),
        } = &list.kind
        else {
            return None;
        };
        if !matches!(of.kind, ExprKind::Local(0)) {
            return None;
        }
        let mut alone: Option<Expr> = None;
        let mut rest: Option<Expr> = None;
        let mut keys = vec![];
        for part in conjuncts(body) {
            if self.is_stable(part) && locals(part).iter().all(|local| local == slot) {
                join(&mut alone, part);
            } else if let Some(key) = self.equation(part, *slot) {
                keys.push(key);
            } else {
                join(&mut rest, part);
            }
        }
        let keep = if rest.is_some() || site.late || !bounds.is_empty() && keep != Keep::Last {
            Keep::All
        } else {
            keep
        };
        Some(Query {
            scope: site.scope,
            collection: *collection,
            quantifier: *quantifier,
            slot: *slot,
            slots: site.slots,
            known,
            bounds: bounds.clone(),
            alone,
            keys,
            rest,
            keep,
        })
    }

    /// `f(element) == g(subject)`, either way round.
    fn equation(&self, expr: &Expr, slot: Slot) -> Option<(Expr, Expr)> {
        let ExprKind::Binary(BinaryOp::Equal, a, b) = &expr.kind else {
            return None;
        };
        let of_element = |e: &Expr| {
            let locals = locals(e);
            locals.contains(&slot) && locals.len() == 1 && self.is_stable(e) && is_key(&e.ty)
        };
        let of_subject = |e: &Expr| !locals(e).contains(&slot);
        if of_element(a) && of_subject(b) {
            Some(((**a).clone(), (**b).clone()))
        } else if of_element(b) && of_subject(a) {
            Some(((**b).clone(), (**a).clone()))
        } else {
            None
        }
    }

    /// Whether an expression has the same value whenever it is asked of the same records.
    fn is_stable(&self, expr: &Expr) -> bool {
        let class = self.facts.of(expr);
        !class.live && !class.history
    }
}

/// How often a history is cut.
fn bounds_of(list: &Expr) -> usize {
    match &list.kind {
        ExprKind::Call(builtin, arguments) if builtin.name == "known" => {
            arguments.first().map_or(0, bounds_of)
        }
        ExprKind::History { bounds, .. } => bounds.len(),
        _ => 0,
    }
}

/// Whether values of a type can be keys of an index.
fn is_key(ty: &Type) -> bool {
    !matches!(ty, Type::History | Type::Headers | Type::Pattern | Type::Shape)
}

/// `all x in xs: e` over one history is `not (any x in xs: not e)`, which needs one witness only.
fn turn_all(expr: &mut Expr) {
    let ExprKind::Quantified {
        quantifier: quantifier @ Quantifier::All,
        bindings,
        body,
    } = &mut expr.kind
    else {
        return;
    };
    let is_history = |e: &Expr| match &e.kind {
        ExprKind::History { .. } => true,
        ExprKind::Call(builtin, arguments) if builtin.name == "known" => arguments
            .first()
            .is_some_and(|a| matches!(a.kind, ExprKind::History { .. })),
        _ => false,
    };
    if bindings.len() != 1 || !is_history(&bindings[0].1) {
        return;
    }
    *quantifier = Quantifier::Any;
    let inner = (**body).clone();
    **body = Expr {
        span: inner.span,
        ty: Type::Boolean,
        kind: ExprKind::Not(Box::new(inner)),
    };
    let any = expr.clone();
    expr.kind = ExprKind::Not(Box::new(any));
}

/// Of several bindings the first becomes a form of its own where that means the same: `any first last those all`.
fn nest_bindings(expr: &mut Expr) {
    let span = expr.span;
    let ExprKind::Quantified {
        quantifier,
        bindings,
        body,
    } = &mut expr.kind
    else {
        return;
    };
    let inner = match quantifier {
        Quantifier::Any | Quantifier::First | Quantifier::Last | Quantifier::Those => Quantifier::Any,
        Quantifier::All => Quantifier::All,
        Quantifier::Count | Quantifier::Each | Quantifier::Duplicates => return,
    };
    if bindings.len() < 2 {
        return;
    }
    let rest = bindings.split_off(1);
    let all = (**body).clone();
    **body = Expr {
        span,
        ty: Type::Boolean,
        kind: ExprKind::Quantified {
            quantifier: inner,
            bindings: rest,
            body: Box::new(all),
        },
    };
}

/// The parts that `and` joins.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            let mut out = conjuncts(a);
            out.extend(conjuncts(b));
            out
        }
        _ => vec![expr],
    }
}

fn join(into: &mut Option<Expr>, part: &Expr) {
    *into = Some(match into.take() {
        None => part.clone(),
        Some(before) => Expr {
            span: part.span,
            ty: Type::Boolean,
            kind: ExprKind::Binary(BinaryOp::And, Box::new(before), Box::new(part.clone())),
        },
    });
}

/// The local names that an expression reads from outside itself.
fn locals(expr: &Expr) -> BTreeSet<Slot> {
    let mut read = BTreeSet::new();
    let mut bound = BTreeSet::new();
    each(expr, &mut |e| match &e.kind {
        ExprKind::Local(slot) => {
            read.insert(*slot);
        }
        ExprKind::Quantified { bindings, .. } => bound.extend(bindings.iter().map(|(slot, _)| *slot)),
        ExprKind::Let { slot, .. } => drop(bound.insert(*slot)),
        _ => {}
    });
    &read - &bound
}
