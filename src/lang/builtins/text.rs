//! `text(value)`: the text of a scalar

use super::common::walk;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::ops::show_path;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "text",
    parameters: &[Parameter::new("value", Accepts::Any, Reads::Shallow)],
    result: |_| Type::String,
    doc: "A scalar as a text: a text as it is, `true` or `false`, a number in plain decimal digits, a path \
          as the language writes it. Missing for `null`, lists, objects and everything else. Numbers lose \
          superfluous zeros and exponents: `1.0` is `1`, `12e2` is `1200`; `written` keeps them.",
    examples: &[
        ("text(42.0)", r#""42""#),
        ("text(1e-3)", r#""0.001""#),
        ("true.text()", r#""true""#),
        (r#""a".text()"#, r#""a""#),
        ("null.text()", "missing"),
        ("[1].text()", "missing"),
        (r#"text($.a[0]["x-y"])"#, r#""$.a[0][\"x-y\"]""#),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let value = &arguments[0];
    if value.as_str().is_some() {
        return value.clone();
    }
    if let Some(steps) = walk::steps(value) {
        return Value::text(show_path(&steps));
    }
    let text = match value.as_bool() {
        Some(b) => Some(b.to_string()),
        None => value.as_number().map(|n| n.canonical()),
    };
    Value::or_missing(text, Value::text)
}
