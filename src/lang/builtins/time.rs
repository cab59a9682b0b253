//! `time(text)`

use super::common::calendar;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "time",
    parameters: &[Parameter::text("text")],
    result: |_| Type::Time,
    doc: "The instant that a text says as RFC 3339 writes it: `2026-07-28T12:00:00Z`, or a day, which \
          begins at midnight UTC. Missing if it says none. The difference of two is a duration.",
    examples: &[
        (
            r#""2026-07-28T12:00:00+02:00".time() - "2026-07-28".time()"#,
            "10h",
        ),
        (r#""2026-07-28T24:00:00Z".time()"#, "missing"),
        (r#""yesterday".time()"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_str().and_then(calendar::instant), Value::Time)
}
