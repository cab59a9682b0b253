//! `unique(list)`

use super::common::set::Set;
use super::common::types;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::ops::hidden;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "unique",
    parameters: &[Parameter::new("list", Accepts::List, Reads::Whole)],
    result: types::same_list,
    doc: "The elements of a list, of equal ones only the first. Unknown if the list is incomplete.",
    examples: &[
        (r#"[1, "1", 1.0, 2, 1].unique()"#, r#"[1, "1", 2]"#),
        ("[].unique()", "[]"),
        ("{}.unique()", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(list) = arguments[0].as_list() else {
        return Value::Missing;
    };
    if let Some(reasons) = hidden(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    let mut seen = Set::default();
    let values = list.items.iter().map(|item| &item.value);
    Value::list(values.filter(|value| seen.insert(value)).cloned())
}
