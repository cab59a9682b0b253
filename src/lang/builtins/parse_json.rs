//! `parse_json(text)`

use std::sync::Arc;

use super::{Builtin, Parameter};
use crate::json::{Origin, decode_all};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "parse_json",
    parameters: &[Parameter::text("text")],
    result: |_| Type::Json,
    doc: "The JSON value that a text says; missing if it is malformed. It may be any value, with blanks \
          around it, nested at most 127 deep.",
    examples: &[
        (r#""{\"a\":[1]}".parse_json()"#, "{ a: [1] }"),
        (r#"" null ".parse_json()"#, "null"),
        (r#""{} x".parse_json()"#, "missing"),
        (r#""01".parse_json()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(text) = arguments[0].as_str() else {
        return Value::Missing;
    };
    let document = decode_all(text, origin(&arguments[0])).ok();
    let root = document.and_then(|document| Arc::new(document).root());
    Value::or_missing(root, Value::Json)
}

/// Places can be told within a text that is not itself within JSON: a line, a body, the data of an event.
fn origin(value: &Value) -> Option<Origin> {
    let place = value.place()?;
    let whole = place.inner.is_none() && place.range.is_none() && !place.on_name;
    whole.then(|| Origin {
        record: place.record,
        outer: Arc::clone(&place.outer),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ops::member;
    use crate::model::value::Text;
    use crate::place::Place;

    #[test]
    fn values_in_a_body_know_where_they_stand() {
        let place = Place {
            outer: "/body".into(),
            ..Place::default()
        };
        let body = Value::Text(Text::at(r#"{"a":{"b":1}}"#, place));
        let b = member(&member(&call(&[body]), "a"), "b");
        let place = b.place().unwrap();
        assert_eq!((&*place.outer, place.inner.as_deref()), ("/body", Some("/a/b")));
        assert!(call(&[Value::text("{}")]).place().is_none());
    }
}
