//! The operator `fits`.

use super::common::shapes::{self, Asked};
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// `value fits SHAPE`; it has no name to call it by.
pub const BUILTIN: Builtin = Builtin {
    name: "fits",
    parameters: &[
        Parameter::shaped("value"),
        Parameter::shape("shape"),
        Parameter::revision(),
    ],
    result: |_| Type::Boolean,
    doc: "Whether a value is as a shape says.",
    examples: &[],
    total: true,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match shapes::asked(arguments) {
        Asked::Of(question) => question.fits(&arguments[0]).into(),
        Asked::Missing => Value::Boolean(false),
        Asked::Unknown(reasons) => Value::Unknown(reasons),
    }
}
