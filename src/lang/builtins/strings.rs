//! `strings(value)`

use super::common::walk;
use super::{Builtin, Parameter};
use crate::model::ops::hidden;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "strings",
    parameters: &[Parameter::json("value")],
    result: |_| Type::list(Type::record(&[("path", Type::Path), ("value", Type::String)])),
    doc: "Every text in a value, itself included, as `{path, value}` in the order written. Names of \
          members do not count. Texts stand where they are written.",
    examples: &[
        (
            r#"each s in ["a", { b: "c", d: 1 }].strings(): s.value"#,
            r#"["a", "c"]"#,
        ),
        (r#""a".strings()[0].path.text()"#, r#""$""#),
        ("5.strings()", "[]"),
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
        if value.as_str().is_some() {
            found.push(Value::fields([
                ("path", walk::path_value(path)),
                ("value", value.clone()),
            ]));
        }
    });
    Value::list(found)
}
