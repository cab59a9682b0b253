//! `integer(number)`

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "integer",
    parameters: &[Parameter::number("number")],
    result: |_| Type::Integer,
    doc: "The number if it has no fraction, else missing. `1.0` and `1e3` have none.",
    examples: &[
        ("integer(1.0)", "1"),
        ("integer(1.5)", "missing"),
        (r#"integer("1")"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match arguments[0].as_number() {
        Some(n) if n.is_integral() => arguments[0].clone(),
        _ => Value::Missing,
    }
}
