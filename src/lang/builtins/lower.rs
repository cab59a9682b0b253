//! `lower(text)`

use std::sync::Arc;

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "lower",
    parameters: &[Parameter::text("text")],
    result: |_| Type::String,
    doc: "The text in lower case. All letters of Unicode count; how long the text is may change.",
    examples: &[(r#""ÄB-c".lower()"#, r#""äb-c""#), ("lower(5)", "missing")],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Value::Text(text) = &arguments[0]
        && !text.text.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii())
    {
        return Value::text(Arc::clone(&text.text));
    }
    Value::or_missing(arguments[0].as_str(), |text| {
        // Of ASCII nothing else changes.
        Value::text(if text.is_ascii() {
            text.to_ascii_lowercase()
        } else {
            text.to_lowercase()
        })
    })
}
