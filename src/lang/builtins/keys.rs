//! `keys(object)`

use super::common::walk;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::json::JsonKind;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "keys",
    parameters: &[Parameter::new("object", Accepts::Object, Reads::Elements)],
    result: |_| Type::list(Type::String),
    doc: "The names of the members of an object, in the order written. A name that is repeated counts \
          once. Names stand where they are written.",
    examples: &[
        ("{ b: 1, a: 2 }.keys()", r#"["b", "a"]"#),
        ("{}.keys()", "[]"),
        ("[1].keys()", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Value::Json(json) = &arguments[0] {
        return Value::or_missing((json.kind() == JsonKind::Object).then_some(json), |json| {
            let mut names = vec![];
            json.view()
                .each_member(|_| true, |member| names.push(Value::Text(walk::own_name(member))));
            Value::list(names)
        });
    }
    Value::or_missing(walk::members(&arguments[0]), |members| {
        Value::list(
            members
                .iter()
                .map(|(name, value)| Value::Text(walk::name(&arguments[0], name, value))),
        )
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::json::{Origin, decode_all};
    use crate::place::RecordId;

    #[test]
    fn names_stand_where_they_are_written_and_count_once() {
        let origin = Origin {
            record: RecordId::default(),
            outer: "".into(),
        };
        let document = Arc::new(decode_all(r#"{"b":1,"a":2,"b":3}"#, Some(origin)).unwrap());
        let keys = call(&[Value::Json(document.root().unwrap())]).as_list().unwrap();
        let names: Vec<_> = keys.items.iter().map(|k| k.value.as_str().unwrap()).collect();
        assert_eq!(names, ["a", "b"]);
        let place = keys.items[0].value.place().unwrap();
        assert_eq!((place.inner.as_deref(), place.on_name), (Some("/a"), true));
    }
}
