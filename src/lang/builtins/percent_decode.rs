//! `percent_decode(text)`

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "percent_decode",
    parameters: &[Parameter::text("text")],
    result: |_| Type::String,
    doc: "The text with every `%41` turned into the byte that it stands for; missing if an escape is \
          malformed or the bytes are no UTF-8. A plus stays a plus.",
    examples: &[
        (r#""a%20b%C3%A4".percent_decode()"#, r#""a bä""#),
        (r#""100%".percent_decode()"#, "missing"),
        (r#""%FF".percent_decode()"#, "missing"),
        (r#""a+b".percent_decode()"#, r#""a+b""#),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_str().and_then(decode), Value::text)
}

fn decode(text: &str) -> Option<String> {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        let digits = piece.get(..2)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&piece.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}
