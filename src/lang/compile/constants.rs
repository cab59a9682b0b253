//! What parameters and constants decide is decided once: conditions that are always true or false disappear, and with
//! them the attributes and histories that only they needed.

use super::walk::{Active, rule_expressions_mut};
use crate::lang::ast::BinaryOp;
use crate::lang::program::{Clause, Expr, ExprKind, Program, Rule, Slot};
use crate::model::ops::{self, Comparison};
use crate::model::types::Type;
use crate::model::value::{Truth, Value};

/// Folds constants in everything that runs.
pub(super) fn fold(program: &mut Program, active: &Active) {
    for id in &active.rules {
        let rule = &mut program.rules[*id];
        for expr in rule_expressions_mut(rule) {
            reduce(expr);
        }
        // A `let` that came out constant is one wherever it is used.
        while let Some((slot, value)) = settled(rule) {
            for expr in rule_expressions_mut(rule) {
                insert(expr, slot, &value);
                reduce(expr);
            }
        }
        rule.clauses
            .retain(|clause| !matches!(clause, Clause::When(e) if boolean(e) == Some(true)));
    }
    for id in &active.attributes {
        let attribute = &mut program.attributes[*id];
        for expr in attribute
            .lets
            .iter_mut()
            .map(|(_, value)| value)
            .chain([&mut attribute.result])
        {
            reduce(expr);
        }
    }
    for id in &active.functions {
        let function = &mut program.functions[*id];
        for expr in function
            .lets
            .iter_mut()
            .map(|(_, value)| value)
            .chain([&mut function.result])
        {
            reduce(expr);
        }
    }
}

/// Takes out a `let` whose value is a scalar constant.
fn settled(rule: &mut Rule) -> Option<(Slot, Value)> {
    let at = rule.clauses.iter().position(|clause| match clause {
        Clause::Let { value, .. } => {
            matches!(&value.kind, ExprKind::Constant(v) if v.as_list().is_none() && v.as_object().is_none())
        }
        _ => false,
    })?;
    match rule.clauses.remove(at) {
        Clause::Let {
            slot,
            value: Expr {
                kind: ExprKind::Constant(value),
                ..
            },
        } => Some((slot, value)),
        other => {
            rule.clauses.insert(at, other);
            None
        }
    }
}

fn insert(expr: &mut Expr, slot: Slot, value: &Value) {
    if matches!(expr.kind, ExprKind::Local(of) if of == slot) {
        expr.kind = ExprKind::Constant(value.clone());
        return;
    }
    for part in expr.parts_mut() {
        insert(part, slot, value);
    }
}

fn constant(expr: &Expr) -> Option<&Value> {
    match &expr.kind {
        ExprKind::Constant(value) => Some(value),
        _ => None,
    }
}

/// The constant truth of a condition.
fn boolean(expr: &Expr) -> Option<bool> {
    match constant(expr)?.truth() {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown(_) => None,
    }
}

fn set(expr: &mut Expr, truth: &Truth) {
    let known = match truth {
        Truth::True => true,
        Truth::False => false,
        Truth::Unknown(_) => return,
    };
    expr.ty = Type::Boolean;
    expr.kind = ExprKind::Constant(Value::Boolean(known));
}

/// An expression that is a condition and nothing more may stand for `x and true`.
fn is_condition(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Not(_)
            | ExprKind::Exists(_)
            | ExprKind::IsMissing(_)
            | ExprKind::Is(..)
            | ExprKind::Fails(..)
            | ExprKind::Constant(Value::Boolean(_))
    ) || matches!(expr.kind, ExprKind::Binary(op, ..) if !matches!(op, BinaryOp::Add | BinaryOp::Subtract))
}

/// Folds what is constant in an expression.
pub(super) fn reduce(expr: &mut Expr) {
    for part in expr.parts_mut() {
        reduce(part);
    }
    match &mut expr.kind {
        ExprKind::Not(of) => {
            if let Some(known) = boolean(of) {
                set(expr, &Truth::from(!known));
            }
        }
        ExprKind::If(condition, yes, no) => {
            if let Some(known) = boolean(condition) {
                let chosen = if known { yes } else { no };
                let chosen = std::mem::replace(&mut **chosen, nothing(expr.span));
                *expr = chosen;
            }
        }
        ExprKind::Exists(of) => {
            if let Some(value) = constant(of) {
                let there = !matches!(value, Value::Missing);
                set(expr, &there.into());
            }
        }
        ExprKind::IsMissing(of) => {
            if let Some(value) = constant(of) {
                let gone = matches!(value, Value::Missing);
                set(expr, &gone.into());
            }
        }
        ExprKind::Is(of, test) => {
            if let Some(value) = constant(of) {
                let truth = ops::is(value, *test);
                set(expr, &truth);
            }
        }
        ExprKind::Member(of, name) => {
            if let Some(value) = constant(of) {
                let member = ops::member(value, name);
                keep(expr, member);
            }
        }
        ExprKind::Index(of, index) => {
            if let (Some(of), Some(index)) = (constant(of), constant(index)) {
                let element = ops::index(of, index);
                keep(expr, element);
            }
        }
        ExprKind::Call(builtin, arguments) => {
            let values: Option<Vec<Value>> = arguments.iter().map(|a| constant(a).cloned()).collect();
            if let Some(values) = values {
                let value = builtin.apply(&values);
                keep(expr, value);
            }
        }
        ExprKind::Let {
            slot, value, body, ..
        } => {
            if let Some(value) = constant(value).cloned() {
                insert(body, *slot, &value);
                let mut body = std::mem::replace(&mut **body, nothing(expr.span));
                reduce(&mut body);
                *expr = body;
            } else if constant(body).is_some() {
                *expr = std::mem::replace(&mut **body, nothing(expr.span));
            }
        }
        ExprKind::Binary(op, a, b) => binary(*op, a, b, expr.span)
            .into_iter()
            .for_each(|new| *expr = new),
        _ => {}
    }
}

/// An expression came to this value.
fn keep(expr: &mut Expr, value: Value) {
    if !matches!(value, Value::Unknown(_)) {
        expr.kind = ExprKind::Constant(value);
    }
}

fn nothing(span: crate::source::Span) -> Expr {
    Expr {
        span,
        ty: Type::Any,
        kind: ExprKind::Constant(Value::Missing),
    }
}

/// What an operator comes to, if that is simpler than what was written.
fn binary(op: BinaryOp, a: &mut Expr, b: &mut Expr, span: crate::source::Span) -> Option<Expr> {
    let whole = |truth: Truth| {
        let mut out = nothing(span);
        set(&mut out, &truth);
        matches!(truth, Truth::True | Truth::False).then_some(out)
    };
    match op {
        BinaryOp::And | BinaryOp::Or => {
            let decides = op == BinaryOp::Or;
            match (boolean(a), boolean(b)) {
                (Some(known), _) | (_, Some(known)) if known == decides => whole(known.into()),
                (Some(_), _) if is_condition(b) => Some(std::mem::replace(b, nothing(span))),
                (_, Some(_)) if is_condition(a) => Some(std::mem::replace(a, nothing(span))),
                _ => None,
            }
        }
        BinaryOp::In => whole(ops::is_in(constant(a)?, constant(b)?)),
        BinaryOp::NotIn => whole(!ops::is_in(constant(a)?, constant(b)?)),
        BinaryOp::Equal => whole(ops::equal(constant(a)?, constant(b)?)),
        BinaryOp::NotEqual => whole(!ops::equal(constant(a)?, constant(b)?)),
        BinaryOp::Has => whole(ops::has(constant(a)?, constant(b)?)),
        BinaryOp::Matches => whole(ops::matches(constant(a)?, constant(b)?)),
        _ => whole(ops::compare(Comparison::of(op)?, constant(a)?, constant(b)?)),
    }
}
