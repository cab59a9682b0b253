//! `entries(object)`

use super::common::{types, walk};
use super::{Accepts, Builtin, Parameter, Reads};
use crate::json::JsonKind;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "entries",
    parameters: &[Parameter::new("object", Accepts::Object, Reads::Whole)],
    result: |arguments| {
        Type::list(Type::record(&[
            ("key", Type::String),
            ("value", types::member(arguments)),
        ]))
    },
    doc: "The members of an object as `{key, value}`, in the order written. Of a repeated name the last \
          counts. Keys stand where they are written.",
    examples: &[
        (
            "{ b: 1, a: 2 }.entries()",
            r#"[{ key: "b", value: 1 }, { key: "a", value: 2 }]"#,
        ),
        ("{}.entries()", "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Value::Json(json) = &arguments[0] {
        return Value::or_missing((json.kind() == JsonKind::Object).then_some(json), |json| {
            let mut entries = vec![];
            json.view().each_member(
                |_| true,
                |member| {
                    let key = Value::Text(walk::own_name(member));
                    entries.push(Value::fields([
                        ("key", key),
                        ("value", Value::json(member.to_json())),
                    ]));
                },
            );
            Value::list(entries)
        });
    }
    Value::or_missing(walk::members(&arguments[0]), |members| {
        Value::list(members.into_iter().map(|(name, value)| {
            let key = Value::Text(walk::name(&arguments[0], &name, &value));
            Value::fields([("key", key), ("value", value)])
        }))
    })
}
