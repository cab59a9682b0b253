//! `misfits(value, shape)`

use super::common::shapes::{self, Asked};
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "misfits",
    parameters: &[
        Parameter::shaped("value"),
        Parameter::shape("shape"),
        Parameter::revision(),
    ],
    result: |_| Type::list(Type::record(&[("path", Type::Path), ("problem", Type::String)])),
    doc: "Where a value is not as a shape says, as `{path, problem}`: the way to the part, and what is wrong \
          with it in words that go on behind its name: \"is a number, not a string\", \"lacks `name`\". The \
          problem stands where that part stands. None if the value fits; of a choice the form that is meant is \
          judged, by its literal members, else the one that comes nearest. Here `Point` is `{ x: number y?: \
          number }`.",
    examples: &[
        (
            r#"{ x: "1" }.misfits(Point)[0].problem"#,
            r#""is a string, not a number""#,
        ),
        (r#"misfits({ x: "1" }, Point)[0].path.text()"#, r#""$.x""#),
        (
            r#"each m in { y: true }.misfits(Point): m.problem"#,
            r#"["lacks `x`", "is a boolean, not a number"]"#,
        ),
        (r#"{ x: 1, name: "a" }.misfits(Point)"#, "[]"),
    ],
    total: true,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match shapes::asked(arguments) {
        Asked::Of(question) => question.misfits(&arguments[0]),
        Asked::Missing => Value::Missing,
        Asked::Unknown(reasons) => Value::Unknown(reasons),
    }
}
