//! `seconds(number)`

use super::milliseconds::scaled;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "seconds",
    parameters: &[Parameter::number("number")],
    result: |_| Type::Duration,
    doc: "The duration of so many seconds. Fractions count, down to the nanosecond.",
    examples: &[
        ("seconds(90)", "1.5m"),
        ("seconds(0.25)", "250ms"),
        (r#"seconds("1")"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(
        arguments[0].as_number().and_then(|n| scaled(&n, 9)),
        Value::Duration,
    )
}
