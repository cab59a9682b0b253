//! `schema_faults(schema)`

use super::common::schemas::{meta, problem, schema};
use super::common::walk;
use super::{Builtin, Parameter};
use crate::model::ops::{equal, hidden};
use crate::model::types::Type;
use crate::model::unknown::Reason;
use crate::model::value::{Truth, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "schema_faults",
    parameters: &[Parameter::json("schema")],
    result: |_| Type::list(Type::record(&[("message", Type::String), ("value", Type::Json)])),
    doc: "Where a JSON Schema is malformed, as `{message, value}`: what is wrong, and the part of it. \
          `$schema` chooses 2020-12, which is the default, or draft-07; unknown if it names another dialect.",
    examples: &[
        (r#"schema_faults({ type: "object" })"#, "[]"),
        (
            r#"schema_faults({ properties: { a: { type: "intege" } } })[0].value"#,
            r#""intege""#,
        ),
        (r#"schema_faults({ required: "a" }).length()"#, "1"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Some(reasons) = hidden(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    let written = walk::json_of(&arguments[0]);
    let Some(known) = schema(&written) else {
        return Value::Missing;
    };
    let Some(draft) = known.draft() else {
        return Value::unknown(Reason::Schema);
    };
    if known.is_faultless() {
        return Value::list([]);
    }
    let mut found: Vec<Value> = vec![];
    for error in meta(draft).iter_errors(&known.plain) {
        let problem = problem(&error, &written, ("meta", &Value::Missing));
        // Several rules of the dialect may say the same.
        if !found.iter().any(|other| equal(other, &problem) == Truth::True) {
            found.push(problem);
        }
    }
    Value::list(found)
}
