//! `at_pointer(value, pointer)`

use super::common::walk;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::{Step, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "at_pointer",
    parameters: &[Parameter::json("value"), Parameter::text("pointer")],
    result: |_| Type::Json,
    doc: "What a JSON Pointer (RFC 6901) leads to in a value; missing if nothing stands there or the text is no \
          pointer. `~1` is a slash, `~0` a tilde; the escapes of URIs are for `percent_decode`.",
    examples: &[
        (r#"{ a: [1, { b: 2 }] }.at_pointer("/a/1/b")"#, "2"),
        (r#"{ "x/y": 1 }.at_pointer("/x~1y")"#, "1"),
        (r#"{ a: 1 }.at_pointer("")"#, "{ a: 1 }"),
        (r#"{ a: 1 }.at_pointer("a")"#, "missing"),
        (r#"[1, 2].at_pointer("/01")"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let whole = walk::json_of(&arguments[0]);
    let Some(pointer) = arguments[1].as_str() else {
        return Value::Missing;
    };
    if pointer.is_empty() {
        return whole;
    }
    let Some(steps) = pointer.strip_prefix('/') else {
        return Value::Missing;
    };
    steps.split('/').fold(whole, |value, step| {
        let step = match value.as_list() {
            Some(_) => number(step).map(Step::Index),
            None => Some(Step::Member(step.replace("~1", "/").replace("~0", "~").into())),
        };
        step.map_or(Value::Missing, |step| walk::follow(&value, &[step]))
    })
}

/// The number of an element: digits without leading zeros.
fn number(step: &str) -> Option<u64> {
    let plain = step == "0" || !step.starts_with('0') && step.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| step.parse().ok())?
}
