//! `ends_with(text, end)`

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "ends_with",
    parameters: &[Parameter::text("text"), Parameter::text("end")],
    result: |_| Type::Boolean,
    doc: "Whether the text ends with another. Case counts.",
    examples: &[
        (r#""a.json".ends_with(".json")"#, "true"),
        (r#""".ends_with("a")"#, "false"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(text::two(arguments), |(text, end)| {
        Value::Boolean(text.ends_with(end))
    })
}
