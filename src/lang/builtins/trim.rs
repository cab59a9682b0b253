//! `trim(text)`

use super::common::{fields, text};
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "trim",
    parameters: &[Parameter::text("text")],
    result: |_| Type::String,
    doc: "The text without the blanks and tabs around it. Other white space stays, as in HTTP.",
    examples: &[(r#"" a b\t".trim()"#, r#""a b""#), (r#""\n".trim()"#, r#""\n""#)],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    text::slice(&arguments[0], |text| Some(fields::trim(text)))
}
