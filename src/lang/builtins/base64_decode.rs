//! `base64_decode(text)`: strictly

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "base64_decode",
    parameters: &[Parameter::text("text")],
    result: |_| Type::Bytes,
    doc: "The bytes that a Base64 text stands for; missing if it is malformed. As RFC 4648 section 4 says: \
          its alphabet only, no blanks, padding required. Bits of the last letter that stand for nothing \
          may be set (see `base64_canonical`).",
    examples: &[
        (r#""SGVsbG8=".base64_decode().utf8()"#, r#""Hello""#),
        (r#""SGVsbG8".base64_decode()"#, "missing"),
        (r#""SGVs bG8=".base64_decode()"#, "missing"),
        (r#""SGVsbG9=".base64_decode().utf8()"#, r#""Hello""#),
        (r#""".base64_decode().length()"#, "0"),
    ],
    total: false,
    call,
};

const STRICT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

fn call(arguments: &[Value]) -> Value {
    let bytes = arguments[0].as_str().and_then(|text| STRICT.decode(text).ok());
    Value::or_missing(bytes, |bytes| Value::Bytes(bytes.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_alphabets_and_superfluous_padding_are_malformed() {
        for text in [
            "-_8=",
            "SGVsbG8==",
            "====",
            "A",
            "SG=VsbG8=",
            "SGVs!!!bG8=",
            "SGVsbG8=\n",
        ] {
            assert!(matches!(call(&[Value::text(text)]), Value::Missing), "{text}");
        }
    }
}
