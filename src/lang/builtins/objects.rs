//! `objects(value)`

use super::common::walk;
use super::{Builtin, Parameter};
use crate::json::JsonKind;
use crate::model::ops::hidden;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "objects",
    parameters: &[Parameter::json("value")],
    result: |_| Type::list(Type::record(&[("path", Type::Path), ("value", Type::Json)])),
    doc: "Every object in a value, itself included, as `{path, value}` in the order written, whatever the \
          value is: unlike `subschemas` it knows no keywords.",
    examples: &[
        (
            r#"each o in { a: { b: [{}] }, c: 1 }.objects(): o.path.text()"#,
            r#"["$", "$.a", "$.a.b[0]"]"#,
        ),
        (r#"[{ a: 1 }].objects()[0].value.a"#, "1"),
        ("5.objects()", "[]"),
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
    walk::every(&value, &mut |path, _, value| {
        if value.json_kind() == Some(JsonKind::Object) {
            found.push(Value::fields([
                ("path", walk::path_value(path)),
                ("value", value.clone()),
            ]));
        }
    });
    Value::list(found)
}
