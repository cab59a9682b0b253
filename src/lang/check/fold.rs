//! Values that are known before any recording is read.

use std::sync::Arc;

use crate::lang::ast::BinaryOp;
use crate::lang::program::{Expr, ExprKind};
use crate::model::value::{Truth, Value};

/// The value of an expression that reads nothing of a recording.
pub fn value(e: &Expr) -> Option<Value> {
    Some(match &e.kind {
        ExprKind::Constant(value) => value.clone(),
        ExprKind::List(elements) => Value::list(all(elements)?),
        ExprKind::Object(members) => {
            let values: Option<Vec<Value>> = members.iter().map(|(_, e)| value(e)).collect();
            Value::object(members.iter().map(|(name, _)| &**name).zip(values?))
        }
        ExprKind::Binary(BinaryOp::Add, a, b) => match (value(a)?, value(b)?) {
            (Value::Text(a), Value::Text(b)) => Value::text(format!("{}{}", a.text, b.text)),
            (Value::Number(a), Value::Number(b)) => Value::or_missing(a.plus(&b), Value::Number),
            (Value::Duration(a), Value::Duration(b)) => Value::Duration(a.saturating_add(b)),
            _ => return None,
        },
        ExprKind::Binary(BinaryOp::Subtract, a, b) => match (value(a)?, value(b)?) {
            (Value::Number(a), Value::Number(b)) => Value::or_missing(a.minus(&b), Value::Number),
            (Value::Duration(a), Value::Duration(b)) => Value::Duration(a.saturating_sub(b)),
            _ => return None,
        },
        ExprKind::If(condition, then, otherwise) => match value(condition)?.truth() {
            Truth::True => value(then)?,
            Truth::False => value(otherwise)?,
            Truth::Unknown(_) => return None,
        },
        ExprKind::Member(of, name) => member(&value(of)?, name),
        ExprKind::Index(of, index) => match (value(of)?, value(index)?) {
            (of @ Value::Object(_), Value::Text(name)) => member(&of, &name.text),
            (Value::List(list), Value::Number(n)) => {
                let at = n.as_i64().and_then(|n| usize::try_from(n).ok());
                let item = at.and_then(|at| list.items.get(at));
                item.map_or(Value::Missing, |item| item.value.clone())
            }
            _ => Value::Missing,
        },
        ExprKind::Call(builtin, arguments) => {
            let arguments = all(arguments)?;
            if !builtin.total && arguments.iter().any(|a| matches!(a, Value::Missing)) {
                return Some(Value::Missing);
            }
            (builtin.call)(&arguments)
        }
        _ => return None,
    })
}

fn all(elements: &[Expr]) -> Option<Vec<Value>> {
    elements.iter().map(value).collect()
}

fn member(of: &Value, name: &Arc<str>) -> Value {
    let Value::Object(members) = of else {
        return Value::Missing;
    };
    let found = members.iter().find(|(n, _)| n == name);
    found.map_or(Value::Missing, |(_, value)| value.clone())
}
