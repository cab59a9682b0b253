//! `min(list)`: the smallest

use super::common::{order, types};
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::ops::{Comparison, compare};
use crate::model::value::{Truth, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "min",
    parameters: &[Parameter::new("list", Accepts::List, Reads::Elements)],
    result: types::element,
    doc: "The smallest element of a list of numbers, texts, times or durations. Missing if the list is \
          empty or holds anything else or several of these kinds; unknown if it is incomplete. Of equal \
          elements it is the first.",
    examples: &[
        ("[3, 1, 2].min()", "1"),
        (r#"["b", "a"].min()"#, r#""a""#),
        ("[].min()", "missing"),
        (r#"[1, "a"].min()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Some(reasons) = order::hidden_elements(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    extreme(&arguments[0], Comparison::Less)
}

/// The element that compares so with all others.
pub(super) fn extreme(list: &Value, op: Comparison) -> Value {
    let Some(list) = list.as_list() else {
        return Value::Missing;
    };
    let mut best: Option<&Value> = None;
    for item in &list.items {
        let before = best.unwrap_or(&item.value);
        // What compares neither way with itself or another has no order.
        if compare(Comparison::LessEqual, before, &item.value) != Truth::True
            && compare(Comparison::GreaterEqual, before, &item.value) != Truth::True
        {
            return Value::Missing;
        }
        if best.is_none() || compare(op, &item.value, before) == Truth::True {
            best = Some(&item.value);
        }
    }
    best.map_or(Value::Missing, Value::clone)
}
