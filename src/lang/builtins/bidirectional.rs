//! `bidirectional(text)`

use super::common::characters;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "bidirectional",
    parameters: &[Parameter::text("text")],
    result: |_| Type::list(Type::String),
    doc: "The marks in a text that change its direction, one by one: text behind them may be shown in \
          another order than it is read. They stand where they stood in the text.",
    examples: &[
        (
            r#""a\u{202e}b\u{2066}".bidirectional()"#,
            r#"["\u{202e}", "\u{2066}"]"#,
        ),
        (r#""שלום".bidirectional()"#, "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    characters::offending(&arguments[0], |_, c| characters::is_bidirectional(c))
}
