//! `number(text)`

use super::{Builtin, Parameter};
use crate::json::Number;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "number",
    parameters: &[Parameter::text("text")],
    result: |_| Type::Number,
    doc: "The number that a text says, exactly; missing if it says none. It is written as in JSON: no \
          plus, no leading zeros, no blanks, and perhaps a fraction and an exponent.",
    examples: &[
        (r#""42".number()"#, "42"),
        (r#""-1.50e1".number()"#, "-15"),
        (r#""007".number()"#, "missing"),
        (r#"" 1".number()"#, "missing"),
        (r#""9007199254740993".number() - 9007199254740992"#, "1"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_str().and_then(Number::parse), Value::Number)
}
