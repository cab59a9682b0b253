//! `utf8(bytes)`

use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "utf8",
    parameters: &[Parameter::new("bytes", Accepts::Bytes, Reads::Shallow)],
    result: |_| Type::String,
    doc: "The text that bytes are in UTF-8; missing if they are no UTF-8.",
    examples: &[
        (r#""w6Q=".base64_decode().utf8()"#, r#""ä""#),
        (r#""gA==".base64_decode().utf8()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match &arguments[0] {
        Value::Bytes(bytes) => Value::or_missing(std::str::from_utf8(bytes).ok(), Value::text),
        _ => Value::Missing,
    }
}
