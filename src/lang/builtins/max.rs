//! `max(list)`: the largest

use super::common::{order, types};
use super::min::extreme;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::ops::Comparison;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "max",
    parameters: &[Parameter::new("list", Accepts::List, Reads::Elements)],
    result: types::element,
    doc: "The largest element of a list of numbers, texts, times or durations. Missing if the list is \
          empty or holds anything else or several of these kinds; unknown if it is incomplete. Of equal \
          elements it is the first.",
    examples: &[
        ("[3, 1.5, 2].max()", "3"),
        ("[250ms, 1s].max()", "1s"),
        ("[1, null].max()", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Some(reasons) = order::hidden_elements(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    extreme(&arguments[0], Comparison::Greater)
}
