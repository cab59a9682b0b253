//! `member_names(value)`

use super::common::walk;
use super::{Builtin, Parameter};
use crate::model::ops::hidden;
use crate::model::types::Type;
use crate::model::value::{Step, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "member_names",
    parameters: &[Parameter::json("value")],
    result: |_| Type::list(Type::record(&[("path", Type::Path), ("name", Type::String)])),
    doc: "The name of every member at any depth of a value, as `{path, name}` in the order written; `path` \
          leads to the member. A name that is repeated in one object counts once. Names stand where they \
          are written.",
    examples: &[
        (
            "each n in { a: [{ b: 1 }] }.member_names(): n.name",
            r#"["a", "b"]"#,
        ),
        ("{ a: [{ b: 1 }] }.member_names()[1].path.text()", r#""$.a[0].b""#),
        ("[1].member_names()", "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Some(reasons) = hidden(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    let mut found = vec![];
    let value = walk::json_of(&arguments[0]);
    walk::every(&value, &mut |path, parent, value| {
        if let Some(Step::Member(name)) = path.last() {
            let name = walk::name(parent, name, value);
            found.push(Value::fields([
                ("path", walk::path_value(path)),
                ("name", Value::Text(name)),
            ]));
        }
    });
    Value::list(found)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::json::{Origin, decode_all};
    use crate::model::ops::member;
    use crate::place::RecordId;

    #[test]
    fn names_stand_where_they_are_written_if_they_are() {
        let origin = Origin {
            record: RecordId::default(),
            outer: "".into(),
        };
        let document = Arc::new(decode_all(r#"{"a":{"b":1}}"#, Some(origin)).unwrap());
        let a = member(&Value::Json(document.root().unwrap()), "a");
        let names = call(&[Value::fields([("mine", a)])]).as_list().unwrap();
        let name = |i: usize| member(&names.items[i].value, "name");
        assert_eq!(name(0).as_str(), Some("mine"));
        assert!(name(0).place().is_none());
        let place = name(1).place().unwrap();
        assert_eq!((place.inner.as_deref(), place.on_name), (Some("/a/b"), true));
    }
}
