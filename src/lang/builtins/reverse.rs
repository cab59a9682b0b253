//! `reverse(list)`

use std::sync::Arc;

use super::common::types;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::value::{List, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "reverse",
    parameters: &[Parameter::new("list", Accepts::List, Reads::Elements)],
    result: types::same_list,
    doc: "The elements of a list from the last to the first. Where the list is incomplete at one end, the \
          result is at the other.",
    examples: &[
        ("[1, 2, 3].reverse()", "[3, 2, 1]"),
        (r#""ab".reverse()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_list(), |list| {
        Value::List(Arc::new(List {
            items: list.items.iter().rev().cloned().collect(),
            front: list.back.clone(),
            back: list.front.clone(),
            inside: list.inside.clone(),
            holes: list.holes.clone(),
            unordered: list.unordered.clone(),
        }))
    })
}
