//! `abs(number)`

use super::{Builtin, Parameter};
use crate::json::Number;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "abs",
    parameters: &[Parameter::number("number")],
    result: |arguments| match arguments {
        [Type::Integer] => Type::Integer,
        _ => Type::Number,
    },
    doc: "The number without its sign, exactly.",
    examples: &[("abs(-1.5)", "1.5"), ("abs(0)", "0"), (r#"abs("-1")"#, "missing")],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let positive = arguments[0]
        .as_number()
        .and_then(|n| match n.written().strip_prefix('-') {
            Some(digits) => Number::parse(digits),
            None => Some(n),
        });
    Value::or_missing(positive, Value::Number)
}
