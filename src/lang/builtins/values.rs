//! `values(object)`

use super::common::{types, walk};
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "values",
    parameters: &[Parameter::new("object", Accepts::Object, Reads::Elements)],
    result: |arguments| Type::list(types::member(arguments)),
    doc: "The values of the members of an object, in the order written. Of a repeated name the last \
          counts.",
    examples: &[
        ("{ b: 1, a: [2] }.values()", "[1, [2]]"),
        (r#""a".values()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(walk::members(&arguments[0]), |members| {
        Value::list(members.into_iter().map(|(_, value)| value))
    })
}
