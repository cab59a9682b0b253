//! `lines(text)`

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "lines",
    parameters: &[Parameter::text("text")],
    result: |_| Type::list(Type::String),
    doc: "The lines of a text without their ends. Lines end in LF or CRLF; one at the very end opens no \
          further line. They stand where they stood in the text.",
    examples: &[
        (r#""a\r\nb\n".lines()"#, r#"["a", "b"]"#),
        (r#""".lines()"#, "[]"),
        (r#""a\n\nb".lines()"#, r#"["a", "", "b"]"#),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match text::located(&arguments[0]) {
        Some(whole) => text::parts(&whole, whole.text.lines()),
        None => Value::Missing,
    }
}
