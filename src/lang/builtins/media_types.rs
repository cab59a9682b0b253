//! `media_types(text)`

use std::sync::Arc;

use super::common::{fields, text};
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "media_types",
    parameters: &[Parameter::text("text")],
    result: |_| {
        Type::list(Type::record(&[
            ("type", Type::String),
            ("parameters", Type::Object(Arc::new(Type::String))),
        ]))
    },
    doc: "The media types that a header such as `Accept` or `Content-Type` lists, as `{type, parameters}`. \
          Commas and semicolons in quoted strings do not separate; names of parameters are in lower case, \
          their values without quotes. Types keep their case.",
    examples: &[
        (
            r#""application/json, text/Event-Stream;q=0.9".media_types()"#,
            r#"[{ type: "application/json", parameters: {} }, { type: "text/Event-Stream", parameters: { q: "0.9" } }]"#,
        ),
        (
            r#""text/plain; Charset=\"a,b\"".media_types()[0].parameters.charset"#,
            r#""a,b""#,
        ),
        (r#""".media_types()"#, "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(text) = text::located(&arguments[0]) else {
        return Value::Missing;
    };
    Value::list(fields::split(&text.text, ',').into_iter().map(|element| {
        let mut pieces = fields::split(element, ';').into_iter();
        let ty = pieces.next().unwrap_or("");
        let parameters: Vec<(String, String)> = pieces.map(fields::parameter).collect();
        Value::fields([
            ("type", Value::Text(text::part(&text, ty))),
            ("parameters", fields::object(&parameters)),
        ])
    }))
}
