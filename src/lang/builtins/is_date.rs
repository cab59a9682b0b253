//! `is_date(text)`

use super::common::calendar;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "is_date",
    parameters: &[Parameter::text("text")],
    result: |_| Type::Boolean,
    doc: "Whether a text is a day of the calendar in the form `2026-07-28`.",
    examples: &[
        (r#""2024-02-29".is_date()"#, "true"),
        (r#""2025-02-29".is_date()"#, "false"),
        (r#""2026-7-28".is_date()"#, "false"),
        ("is_date(20260728)", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(arguments[0].as_str(), |text| {
        Value::Boolean(calendar::days(text).is_some())
    })
}
