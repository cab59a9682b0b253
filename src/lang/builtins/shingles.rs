//! `shingles(text, length)`

use std::collections::HashSet;

use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "shingles",
    parameters: &[Parameter::text("text"), Parameter::number("length")],
    result: |_| Type::list(Type::String),
    doc: "Every run of so many characters in a text, each once: two texts that share a longer piece share \
          one of them. None if the text is shorter; missing if the length is no positive integer.",
    examples: &[
        (r#""abcab".shingles(2)"#, r#"["ab", "bc", "ca"]"#),
        (r#""ab".shingles(3)"#, "[]"),
        (r#""ab".shingles(0)"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let (Some(text), Some(length)) = (arguments[0].as_str(), arguments[1].as_number()) else {
        return Value::Missing;
    };
    let length = length.as_i64().and_then(|n| usize::try_from(n).ok());
    let Some(length) = length.filter(|n| *n > 0) else {
        return Value::Missing;
    };
    let starts = text.char_indices().map(|(i, _)| i);
    let ends = text
        .char_indices()
        .map(|(i, _)| i)
        .chain([text.len()])
        .skip(length);
    let mut seen = HashSet::new();
    let runs = starts.zip(ends).map(|(start, end)| &text[start..end]);
    Value::list(runs.filter(|run| seen.insert(*run)).map(Value::text))
}
