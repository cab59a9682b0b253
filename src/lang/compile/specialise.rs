//! A rule for records of which some facts are known beforehand: what they decide is decided once for all of them.

use std::sync::Arc;

use super::bare_after;
use super::constants::reduce;
use crate::lang::program::{Clause, Expr, ExprKind, Rule};
use crate::model::subject::Attribute;
use crate::model::value::Value;

/// Facts of a subject.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Attributes with their values.
    pub values: Vec<(Attribute, Arc<str>)>,
}

/// A rule without what the facts decide.
#[derive(Debug)]
pub struct Special {
    /// The rule, with the same names in the same slots.
    pub rule: Rule,
    /// See [`PlannedRule::bare_after`](super::PlannedRule::bare_after).
    pub bare_after: Option<usize>,
}

/// Makes a rule for subjects with these facts; `None` if it is not applicable to any of them.
///
/// Labels, texts and `let`s stay as they are, since the values that they name stand in the recording.
pub fn specialise(rule: &Rule, known: &Known) -> Option<Special> {
    let mut rule = rule.clone();
    // What nobody reads while it is at work.
    (rule.docs, rule.sources, rule.tags, rule.examples) = Default::default();
    let settle = |expr: &mut Expr| {
        put(expr, known);
        reduce(expr);
    };
    if let Some(guard) = &mut rule.guard {
        settle(guard);
    }
    for clause in &mut rule.clauses {
        match clause {
            Clause::When(condition) | Clause::Undecided { condition, .. } => settle(condition),
            Clause::For {
                guard: Some(guard), ..
            } => settle(guard),
            Clause::For { .. } | Clause::Let { .. } => {}
        }
    }
    for verdict in &mut rule.verdicts {
        if let Some((_, condition)) = &mut verdict.condition {
            settle(condition);
        }
    }
    let is = |expr: &Expr, wanted: bool| matches!(&expr.kind, ExprKind::Constant(Value::Boolean(decided)) if *decided == wanted);
    if rule.guard.as_ref().is_some_and(|guard| is(guard, false)) {
        return None;
    }
    let before_lists = rule
        .clauses
        .iter()
        .take_while(|clause| !matches!(clause, Clause::For { .. }));
    for clause in before_lists {
        if let Clause::When(condition) = clause
            && is(condition, false)
        {
            return None;
        }
    }
    rule.guard.take_if(|guard| is(guard, true));
    rule.clauses.retain(|clause| match clause {
        Clause::When(condition) => !is(condition, true),
        Clause::Undecided { condition, .. } => !is(condition, false),
        Clause::For { .. } | Clause::Let { .. } => true,
    });
    let bare_after = bare_after(&rule);
    Some(Special { rule, bare_after })
}

/// Puts the facts in the place of the attributes of the subject.
fn put(expr: &mut Expr, known: &Known) {
    if let ExprKind::Attribute(of, attribute) = &expr.kind
        && matches!(of.kind, ExprKind::Local(0))
    {
        if let Some((_, value)) = known.values.iter().find(|(known, _)| known == attribute) {
            expr.kind = ExprKind::Constant(Value::text(Arc::clone(value)));
        }
        return;
    }
    for part in expr.parts_mut() {
        put(part, known);
    }
}
