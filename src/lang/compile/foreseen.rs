//! What can be foreseen of expressions before any recording is read.

use crate::lang::program::{Clause, Expr, ExprKind, Rule};
use crate::model::value::Value;

/// The texts that an expression can be, if they are known beforehand.
pub(super) fn texts(expr: &Expr) -> Option<Vec<String>> {
    match &expr.kind {
        ExprKind::Constant(value) => value.as_str().map(|text| vec![text.to_owned()]),
        // A table of texts, looked up: any of them.
        ExprKind::Index(table, _) => {
            let ExprKind::Constant(table) = &table.kind else {
                return None;
            };
            let members = table.as_object()?;
            members
                .iter()
                .map(|(_, v)| v.as_str().map(str::to_owned))
                .collect()
        }
        ExprKind::If(_, a, b) => {
            let mut out = texts(a)?;
            out.extend(texts(b)?);
            Some(out)
        }
        _ => None,
    }
}

/// Whether a constant list holds scalars only.
pub(super) fn only_scalars(expr: &Expr) -> bool {
    let ExprKind::Constant(value) = &expr.kind else {
        return false;
    };
    let scalar = |v: &Value| v.as_list().is_none() && v.as_object().is_none();
    value
        .as_list()
        .is_some_and(|list| list.items.iter().all(|item| scalar(&item.value)))
}

/// Whether an expression of a rule stands in a text.
pub(super) fn is_hole(rule: &Rule, expr: &Expr) -> bool {
    use crate::lang::program::{Piece, Template};
    let holds = |t: &Template| {
        t.pieces
            .iter()
            .any(|p| matches!(p, Piece::Hole(e) if std::ptr::eq(e, expr)))
    };
    rule.verdicts.iter().any(|v| {
        holds(&v.text)
            || v.help.as_ref().is_some_and(&holds)
            || v.labels.iter().any(|(_, text)| text.as_ref().is_some_and(&holds))
    }) || rule
        .clauses
        .iter()
        .any(|c| matches!(c, Clause::Undecided { reason, .. } if holds(reason)))
}
