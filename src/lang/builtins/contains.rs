//! `contains(text, part)`

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "contains",
    parameters: &[Parameter::text("text"), Parameter::text("part")],
    result: |_| Type::Boolean,
    doc: "Whether the text holds another one. Whether a list holds a value is asked with `in`.",
    examples: &[
        (r#""a, b".contains(", ")"#, "true"),
        (r#""abc".contains("B")"#, "false"),
        (r#""abc".contains("")"#, "true"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(text::two(arguments), |(text, part)| {
        Value::Boolean(text.contains(part))
    })
}
