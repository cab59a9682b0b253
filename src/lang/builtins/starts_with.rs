//! `starts_with(text, start)`

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "starts_with",
    parameters: &[Parameter::text("text"), Parameter::text("start")],
    result: |_| Type::Boolean,
    doc: "Whether the text begins with another. Case counts.",
    examples: &[
        (r#""a/b.json".starts_with("a/")"#, "true"),
        (r#""Abc".starts_with("abc")"#, "false"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(text::two(arguments), |(text, start)| {
        Value::Boolean(text.starts_with(start))
    })
}
