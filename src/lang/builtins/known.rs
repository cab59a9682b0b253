//! `known(value)`

use std::sync::Arc;

use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::types::Type;
use crate::model::unknown::Reasons;
use crate::model::value::{List, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "known",
    parameters: &[Parameter::new("value", Accepts::Any, Reads::Passes)],
    result: |arguments| arguments.first().cloned().unwrap_or(Type::Any),
    doc: "What was recorded, taken for all there is: unknown becomes missing, and a list loses the mark \
          that it is incomplete. It is the statement of the author of a rule that the gap does not matter.",
    examples: &[
        ("known(1)", "1"),
        ("known(missing)", "missing"),
        ("known([1, 2])", "[1, 2]"),
    ],
    total: true,
    call,
};

fn call(arguments: &[Value]) -> Value {
    // What is yet to come will have been recorded, too: who asks waits for it.
    let awaited = |gap: &Option<Reasons>| gap.clone().filter(Reasons::is_pending);
    match &arguments[0] {
        Value::Unknown(reasons) if !reasons.is_pending() => Value::Missing,
        Value::List(list) if list.gap().is_some() => Value::List(Arc::new(List {
            front: awaited(&list.front),
            back: awaited(&list.back),
            inside: awaited(&list.inside),
            holes: None,
            items: list.recorded(),
            ..(**list).clone()
        })),
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unknown::Reason;

    #[test]
    fn gaps_do_not_matter() {
        assert!(matches!(
            BUILTIN.apply(&[Value::unknown(Reason::Clock)]),
            Value::Missing
        ));
        let list = Value::List(Arc::new(List {
            front: Some(Reason::Start.into()),
            inside: Some(Reason::Middle.into()),
            ..List::complete([Value::Null])
        }));
        let known = BUILTIN.apply(&[list]).as_list().unwrap();
        assert!(known.gap().is_none() && known.items.len() == 1);
    }

    #[test]
    fn what_is_yet_to_come_is_awaited() {
        let list = Value::List(Arc::new(List {
            front: Some(Reason::Start.into()),
            back: Some(Reason::Pending.into()),
            ..List::default()
        }));
        let known = BUILTIN.apply(&[list]).as_list().unwrap();
        assert!(known.front.is_none() && known.back.is_some());
    }
}
