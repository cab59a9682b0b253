//! `lower(text)`

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
    Value::or_missing(arguments[0].as_str(), |text| Value::text(text.to_lowercase()))
}
