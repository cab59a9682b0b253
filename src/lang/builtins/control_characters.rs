//! `control_characters(text)`

use super::common::characters;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "control_characters",
    parameters: &[Parameter::text("text")],
    result: |_| Type::list(Type::String),
    doc: "The control characters in a text, one by one, line ends and tabs included. They stand where they \
          stood in the text.",
    examples: &[
        (r#""a\u{1b}[31m\n".control_characters()"#, r#"["\u{1b}", "\n"]"#),
        (r#""ä".control_characters()"#, "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    characters::offending(&arguments[0], |_, c| c.is_control())
}
