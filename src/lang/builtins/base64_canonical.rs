//! `base64_canonical(text)`

use base64::engine::general_purpose::STANDARD;
use base64::{DecodeError, Engine as _};

use super::base64_decode;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "base64_canonical",
    parameters: &[Parameter::text("text")],
    result: |_| Type::Boolean,
    doc: "Whether a Base64 text is the one that an encoder writes: the bits of its last letter that stand \
          for nothing are zero. Missing if the text is malformed.",
    examples: &[
        (r#""SGVsbG8=".base64_canonical()"#, "true"),
        (r#""SGVsbG9=".base64_canonical()"#, "false"),
        (r#""SGVsbG8".base64_canonical()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(text) = arguments[0].as_str() else {
        return Value::Missing;
    };
    match STANDARD.decode(text) {
        Ok(_) => Value::Boolean(true),
        Err(DecodeError::InvalidLastSymbol { .. }) => match base64_decode::BUILTIN.apply(arguments) {
            Value::Bytes(_) => Value::Boolean(false),
            malformed => malformed,
        },
        Err(_) => Value::Missing,
    }
}
