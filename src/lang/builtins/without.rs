//! `without(path, word)`

use super::common::walk;
use super::{Accepts, Builtin, Parameter, Reads};
use crate::model::types::Type;
use crate::model::value::{Step, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "without",
    parameters: &[
        Parameter::new("path", Accepts::Path, Reads::Shallow),
        Parameter::text("word"),
    ],
    result: |_| Type::Path,
    doc: "A path without the keywords in front of its names. From the front, steps are taken in pairs of a \
          keyword and a name: as long as the keyword is `word` it is dropped and the name kept; from the \
          first pair that begins otherwise on, all is kept. So a property's place in a schema becomes the \
          place of its value, also if a property has the name of the keyword.",
    examples: &[
        (
            r#"without($.properties.a.properties.b, "properties").text()"#,
            r#""$.a.b""#,
        ),
        (
            r#"without($.properties.a.properties.properties, "properties").text()"#,
            r#""$.a.properties""#,
        ),
        (
            r#"without($.properties.a.items.properties.b, "properties").text()"#,
            r#""$.a.items.properties.b""#,
        ),
        (r#"without($.properties, "properties").text()"#, r#""$""#),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    match (walk::steps(&arguments[0]), arguments[1].as_str()) {
        (Some(path), Some(word)) => walk::path_value(&strip(&path, word)),
        _ => Value::Missing,
    }
}

fn strip(path: &[Step], word: &str) -> Vec<Step> {
    let mut kept = vec![];
    let mut rest = path;
    while let [Step::Member(keyword), after @ ..] = rest
        && **keyword == *word
    {
        kept.extend(after.first().cloned());
        rest = after.get(1..).unwrap_or_default();
    }
    kept.extend_from_slice(rest);
    kept
}
