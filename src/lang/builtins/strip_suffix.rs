//! `strip_suffix(text, suffix)`

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "strip_suffix",
    parameters: &[Parameter::text("text"), Parameter::text("suffix")],
    result: |_| Type::String,
    doc: "The text before a suffix; missing if it does not end with it. The result stands where it stood \
          in the text.",
    examples: &[
        (r#""a.json".strip_suffix(".json")"#, r#""a""#),
        (
            r#""=?base64?=".strip_prefix("=?base64?").strip_suffix("?=")"#,
            "missing",
        ),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(suffix) = arguments[1].as_str() else {
        return Value::Missing;
    };
    text::slice(&arguments[0], |text| text.strip_suffix(suffix))
}
