//! `pairs(list)`: neighbours

use std::sync::Arc;

use super::common::types;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::ops::doubt;
use crate::model::types::Type;
use crate::model::value::{List, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "pairs",
    parameters: &[Parameter::new("list", Accepts::List, Reads::Whole)],
    result: |arguments| {
        let element = types::element(arguments);
        Type::list(Type::record(&[("first", element.clone()), ("second", element)]))
    },
    doc: "The neighbours in a list as `{first, second}`: one pair fewer than elements. Where the list is \
          incomplete at an end, so are the pairs; unknown if elements may be missing inside or the order \
          is not known.",
    examples: &[
        (
            "[1, 2, 3].pairs()",
            "[{ first: 1, second: 2 }, { first: 2, second: 3 }]",
        ),
        ("[1].pairs()", "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(list) = arguments[0].as_list() else {
        return Value::Missing;
    };
    let between = List {
        front: None,
        back: None,
        ..(*list).clone()
    };
    if let Some(reasons) = doubt(&between) {
        return Value::Unknown(reasons);
    }
    let pairs = list.items.windows(2).map(|pair| {
        Value::fields([
            ("first", pair[0].value.clone()),
            ("second", pair[1].value.clone()),
        ])
    });
    Value::List(Arc::new(List {
        front: list.front.clone(),
        back: list.back.clone(),
        ..List::complete(pairs)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unknown::Reason;

    #[test]
    fn gaps_at_the_ends_stay_there_and_one_inside_hides_neighbours() {
        let list = |front: bool, inside: bool| {
            Value::List(Arc::new(List {
                front: front.then(|| Reason::Start.into()),
                inside: inside.then(|| Reason::Middle.into()),
                ..List::complete([Value::Null, Value::Null])
            }))
        };
        let pairs = call(&[list(true, false)]).as_list().unwrap();
        assert!(pairs.items.len() == 1 && pairs.front.is_some());
        assert!(matches!(call(&[list(false, true)]), Value::Unknown(_)));
    }
}
