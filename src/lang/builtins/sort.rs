//! `sort(list)`

use super::common::{order, types};
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "sort",
    parameters: &[Parameter::new("list", Accepts::List, Reads::Whole)],
    result: types::same_list,
    doc: "The elements of a list in ascending order. Kinds come in the order `null`, booleans, numbers, \
          texts by code points, lists, objects, times, durations; equal elements keep their order. Unknown \
          if the list is incomplete.",
    examples: &[
        ("[2, 10, 1.5].sort()", "[1.5, 2, 10]"),
        (
            r#"["b", null, "a", 1, false].sort()"#,
            r#"[null, false, 1, "a", "b"]"#,
        ),
        ("[[2], [1, 3], [1]].sort()", "[[1], [1, 3], [2]]"),
        (r#""ba".sort()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(list) = arguments[0].as_list() else {
        return Value::Missing;
    };
    if let Some(reasons) = order::hidden_elements(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    let mut values: Vec<Value> = list.items.iter().map(|item| item.value.clone()).collect();
    values.sort_by(order::total);
    Value::list(values)
}
