//! `base64_encode(text)`

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "base64_encode",
    parameters: &[Parameter::text("text")],
    result: |_| Type::String,
    doc: "The Base64 of a text in UTF-8, with padding (RFC 4648 section 4).",
    examples: &[
        (r#""Hello, 世界".base64_encode()"#, r#""SGVsbG8sIOS4lueVjA==""#),
        (r#""".base64_encode()"#, r#""""#),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_str(), |text| Value::text(STANDARD.encode(text)))
}
