//! `parts(value, shape, part)`

use super::common::shapes::{self, Asked};
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "parts",
    parameters: &[
        Parameter::shaped("value"),
        Parameter::shape("shape"),
        Parameter::shape("part"),
        Parameter::revision(),
    ],
    result: |_| Type::list(Type::record(&[("path", Type::Path), ("value", Type::Json)])),
    doc: "Every place in a value that is of the shape `part` where the whole is of the shape `shape`, as \
          `{path, value}` in the order of the shapes: what the shapes declare, whatever stands there, and never \
          what they leave open. A shape that extends another is of that other shape as well; of a choice the \
          forms are taken whose literal members are there. Here `Line` is `{ from: Point to: Point }`.",
    examples: &[
        (
            r#"each p in { from: { x: 1 }, to: { x: 2 }, note: { x: 3 } }.parts(Line, Point): p.path.text()"#,
            r#"["$.from", "$.to"]"#,
        ),
        (r#"{ to: { x: 2 } }.parts(Line, Point)[0].value.x"#, "2"),
        (r#"5.parts(Line, Point)"#, "[]"),
    ],
    total: true,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Value::Shape(part) = &arguments[2] else {
        return arguments[2].clone();
    };
    match shapes::asked(arguments) {
        Asked::Of(question) => question.parts(&arguments[0], part.id),
        Asked::Missing => Value::Missing,
        Asked::Unknown(reasons) => Value::Unknown(reasons),
    }
}
