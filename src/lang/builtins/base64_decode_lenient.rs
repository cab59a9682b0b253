//! `base64_decode_lenient(text)`

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "base64_decode_lenient",
    parameters: &[Parameter::text("text")],
    result: |_| Type::Bytes,
    doc: "The bytes that a Base64 text stands for, whatever its padding. Padding may be missing or \
          superfluous, stray bits and a lone last letter are ignored; missing only if there is anything \
          but the standard alphabet and `=` at the end.",
    examples: &[
        (r#""SGVsbG8".base64_decode_lenient().utf8()"#, r#""Hello""#),
        (r#""SGVsbG8====".base64_decode_lenient().utf8()"#, r#""Hello""#),
        (r#""A".base64_decode_lenient().utf8()"#, r#""""#),
        (r#""SG=VsbG8=".base64_decode_lenient()"#, "missing"),
    ],
    total: false,
    call,
};

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_str().and_then(decode), |bytes| {
        Value::Bytes(bytes.into())
    })
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=').as_bytes();
    let is_letter = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    if !letters.iter().all(is_letter) {
        return None;
    }
    // One letter alone is less than a byte.
    let whole = letters.len() - usize::from(letters.len() % 4 == 1);
    LENIENT.decode(&letters[..whole]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_implementations_accept() {
        for (text, bytes) in [
            ("SGVsbG8=", "Hello"),
            ("SGVsbG8==", "Hello"),
            ("SGVsbG9", "Hello"),
            ("====", ""),
            ("", ""),
            ("SGVsA", "Hel"),
        ] {
            assert_eq!(decode(text).unwrap(), bytes.as_bytes(), "{text}");
        }
        for text in ["SGVs!!!bG8=", "SGVs bG8=", "-_8", "=A", "ä"] {
            assert!(decode(text).is_none(), "{text}");
        }
    }
}
