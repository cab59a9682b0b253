//! `as_list(value)`

use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "as_list",
    parameters: &[Parameter::new("value", Accepts::Any, Reads::Whole)],
    result: |arguments| match arguments {
        [list @ Type::List(_)] => list.clone(),
        [Type::Json | Type::Any] | [] => Type::list(Type::Json),
        [other, ..] => Type::list(other.clone()),
    },
    doc: "A list as it is, and any other value as a list of one: for members that may hold one value or \
          several.",
    examples: &[
        (r#""a".as_list()"#, r#"["a"]"#),
        (r#"["a", "b"].as_list()"#, r#"["a", "b"]"#),
        ("null.as_list()", "[null]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match arguments[0].as_list() {
        Some(_) => arguments[0].clone(),
        None => Value::list([arguments[0].clone()]),
    }
}
