//! `same_set(a, b)`

use super::common::order;
use super::common::set::Set;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::types::Type;
use crate::model::value::{List, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "same_set",
    parameters: &[
        Parameter::new("a", Accepts::List, Reads::Whole),
        Parameter::new("b", Accepts::List, Reads::Whole),
    ],
    result: |_| Type::Boolean,
    doc: "Whether two lists hold the same elements, in any order and however often. Unknown if one is \
          incomplete.",
    examples: &[
        ("same_set([1, 2], [2.0, 1, 2])", "true"),
        (r#"same_set(["a"], ["a", "b"])"#, "false"),
        ("same_set([], [])", "true"),
        ("same_set([], {})", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let (Some(a), Some(b)) = (arguments[0].as_list(), arguments[1].as_list()) else {
        return Value::Missing;
    };
    if let Some(reasons) = arguments.iter().find_map(order::hidden_elements) {
        return Value::Unknown(reasons);
    }
    let set = |list: &List| list.items.iter().map(|item| &item.value).collect::<Set>();
    let (in_a, in_b) = (set(&a), set(&b));
    let all_in = |list: &List, set: &Set| list.items.iter().all(|item| set.contains(&item.value));
    Value::Boolean(all_in(&a, &in_b) && all_in(&b, &in_a))
}
