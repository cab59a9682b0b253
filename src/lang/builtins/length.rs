//! `length(value)`: how long

use super::common::walk;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::json::JsonKind;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "length",
    parameters: &[Parameter::new("value", Accepts::Any, Reads::Elements)],
    result: |_| Type::Integer,
    doc: "How long a value is: the characters of a text, the elements of a list, the members of an object, \
          the bytes of bytes, the steps of a path. Characters are Unicode scalar values. Of an incomplete list it \
          is unknown, of other values missing.",
    examples: &[
        (r#""äb".length()"#, "2"),
        ("[1, [2, 3]].length()", "2"),
        ("{ a: 1 }.length()", "1"),
        ("length($.a[0].b)", "3"),
        ("length(5)", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let value = &arguments[0];
    if let Value::Bytes(bytes) = value {
        return Value::integer(bytes.len());
    }
    if let Some(steps) = walk::steps(value) {
        return Value::integer(steps.len());
    }
    if let Some(text) = value.as_str() {
        return Value::integer(text.chars().count());
    }
    if let Some(members) = walk::members(value) {
        return Value::integer(members.len());
    }
    match value {
        Value::Json(json) if json.kind() == JsonKind::List => Value::integer(json.len()),
        Value::List(list) => {
            let perhaps = list.items.iter().find_map(|item| item.perhaps.clone());
            match list.gap().or(perhaps) {
                Some(reasons) => Value::Unknown(reasons),
                None => Value::integer(list.items.len()),
            }
        }
        _ => Value::Missing,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::unknown::Reason;
    use crate::model::value::List;

    #[test]
    fn of_an_incomplete_list_it_is_unknown() {
        let list = List {
            back: Some(Reason::End.into()),
            ..List::complete([Value::Null])
        };
        assert!(matches!(call(&[Value::List(Arc::new(list))]), Value::Unknown(_)));
    }
}
