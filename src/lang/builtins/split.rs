//! `split(text, separator)`

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "split",
    parameters: &[Parameter::text("text"), Parameter::text("separator")],
    result: |_| Type::list(Type::String),
    doc: "The parts of a text between separators, empty ones included. Missing if the separator is empty. \
          The parts stand where they stood in the text.",
    examples: &[
        (r#""a,b,".split(",")"#, r#"["a", "b", ""]"#),
        (r#""".split(",")"#, r#"[""]"#),
        (r#""a".split("")"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match (text::located(&arguments[0]), arguments[1].as_str()) {
        (Some(whole), Some(separator)) if !separator.is_empty() => {
            text::parts(&whole, whole.text.split(separator))
        }
        _ => Value::Missing,
    }
}
