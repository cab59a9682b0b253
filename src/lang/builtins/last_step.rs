//! `last_step(path)`

use super::common::walk;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::ops::Path;
use crate::model::types::Type;
use crate::model::value::{Step, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "last_step",
    parameters: &[Parameter::new("path", Accepts::Path, Reads::Shallow)],
    result: |_| Type::Json,
    doc: "The last step of a path: the name of a member as a text, or the number of an element. Missing \
          for `$`. A name stands where it is written, if the path leads through a document.",
    examples: &[
        (r#"last_step($.a["x-y"])"#, r#""x-y""#),
        ("last_step($.a[3])", "3"),
        ("last_step($)", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Value::Path(Path::Way { from, to }) = &arguments[0]
        && to.view().number() != *from
        && to.name().is_some()
    {
        return Value::Text(walk::own_name(to.view()));
    }
    match walk::steps(&arguments[0]).and_then(|path| path.last().cloned()) {
        Some(Step::Member(name)) => Value::text(name),
        Some(Step::Index(index)) => Value::or_missing(i64::try_from(index).ok(), Value::integer),
        None => Value::Missing,
    }
}
