//! `written(number)`: the digits of a number

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "written",
    parameters: &[Parameter::number("number")],
    result: |_| Type::String,
    doc: "A number as it was written: with the zeros and the exponent that it had.",
    examples: &[
        ("written(1.50)", r#""1.50""#),
        ("written(1e3)", r#""1e3""#),
        (r#"written("1")"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_number(), |n| Value::text(n.written()))
}
