//! `at(value, path)`

use super::common::walk;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "at",
    parameters: &[
        Parameter::json("value"),
        Parameter::new("path", Accepts::Path, Reads::Shallow),
    ],
    result: |_| Type::Json,
    doc: "What stands at a path in a value; missing if nothing does. A pattern for paths will do if it \
          stands for one path only.",
    examples: &[
        ("{ a: [1, { b: 2 }] }.at($.a[1].b)", "2"),
        ("{ a: 1 }.at($)", "{ a: 1 }"),
        ("{ a: 1 }.at($.b)", "missing"),
        ("{ a: 1 }.at($.*)", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(walk::steps(&arguments[1]), |path| {
        walk::follow(&arguments[0], &path)
    })
}
