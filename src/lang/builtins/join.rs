//! `join(list, separator)`

use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::ops::hidden;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "join",
    parameters: &[
        Parameter::new("list", Accepts::Texts, Reads::Elements),
        Parameter::text("separator"),
    ],
    result: |_| Type::String,
    doc: "The texts of a list, one after the other, with a separator between. Missing if an element is no \
          text, unknown if the list is incomplete.",
    examples: &[
        (r#"["a", "b"].join(", ")"#, r#""a, b""#),
        (r#"[].join("-")"#, r#""""#),
        (r#"["a", 1].join("")"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let (Some(list), Some(separator)) = (arguments[0].as_list(), arguments[1].as_str()) else {
        return Value::Missing;
    };
    if let Some(reasons) = hidden(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    let texts: Option<Vec<&str>> = list.items.iter().map(|item| item.value.as_str()).collect();
    Value::or_missing(texts, |texts| Value::text(texts.join(separator)))
}
