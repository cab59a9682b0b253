//! `otherwise(value, default)`

use super::common::types;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "otherwise",
    parameters: &[
        Parameter::new("value", Accepts::Any, Reads::Passes),
        Parameter::new("default", Accepts::Any, Reads::Passes),
    ],
    result: types::either,
    doc: "The value, or the default if it is missing. `null` is a value; unknown stays unknown.",
    examples: &[
        ("missing.otherwise(1)", "1"),
        ("null.otherwise(1)", "null"),
        (r#"{}["a"].otherwise(missing)"#, "missing"),
    ],
    total: true,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match &arguments[0] {
        Value::Missing => arguments[1].clone(),
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unknown::Reason;

    #[test]
    fn unknown_stays_unknown() {
        let unknown = Value::unknown(Reason::Clock);
        assert!(matches!(
            BUILTIN.apply(&[unknown.clone(), Value::Null]),
            Value::Unknown(_)
        ));
        assert!(matches!(
            BUILTIN.apply(&[Value::Missing, unknown]),
            Value::Unknown(_)
        ));
    }
}
