//! Values that are known before any recording is read.

use crate::lang::ast::BinaryOp;
use crate::lang::program::{Expr, ExprKind};
use crate::model::ops;
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
        ExprKind::Negate(of) => ops::negate(&value(of)?),
        ExprKind::Binary(BinaryOp::Add, a, b) => ops::add(&value(a)?, &value(b)?),
        ExprKind::Binary(BinaryOp::Subtract, a, b) => ops::subtract(&value(a)?, &value(b)?),
        ExprKind::If(condition, then, otherwise) => match value(condition)?.truth() {
            Truth::True => value(then)?,
            Truth::False => value(otherwise)?,
            Truth::Unknown(_) => return None,
        },
        ExprKind::Member(of, name) => ops::member(&value(of)?, name),
        ExprKind::Index(of, index) => ops::index(&value(of)?, &value(index)?),
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
