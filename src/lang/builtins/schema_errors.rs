//! `schema_errors(value, schema)`: the only file that knows the validator, and serde_json's values.

use std::cell::RefCell;
use std::rc::Rc;

use jsonschema::{Draft, PatternOptions, ValidationError, Validator};

use super::common::walk;
use super::{Builtin, Parameter};
use crate::json::{Json, JsonKind, steps};
use crate::model::ops::{hidden, index, member};
use crate::model::types::Type;
use crate::model::unknown::Reason;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "schema_errors",
    parameters: &[Parameter::json("value"), Parameter::json("schema")],
    result: |_| {
        Type::list(Type::record(&[
            ("message", Type::String),
            ("value", Type::Json),
            ("schema", Type::Json),
        ]))
    },
    doc: "Where a value is not as a JSON Schema says, as `{message, value, schema}`: what is wrong, the part \
          of the value, and the part of the schema that says so. `$schema` chooses 2020-12, which is the \
          default, or draft-07. `format` does not count. Unknown if the dialect is another one, or a \
          reference leads out of the schema; missing if the schema is malformed (see `schema_faults`).",
    examples: &[
        (
            r#"schema_errors({ a: "x" }, { properties: { a: { type: "integer" } } })[0].value"#,
            r#""x""#,
        ),
        (r#"schema_errors({}, { required: ["a"] })[0].schema"#, r#"["a"]"#),
        (r#"schema_errors(1.0, { type: "integer" })"#, "[]"),
        (r#"schema_errors(1, { type: "intege" })"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let [value, schema] = arguments else {
        return Value::Missing;
    };
    if let Some(reasons) = hidden(value).or_else(|| hidden(schema)) {
        return Value::Unknown(reasons);
    }
    let (value, schema) = (walk::json_of(value), walk::json_of(schema));
    let Some(instance) = plain(&value) else {
        return Value::Missing;
    };
    let validator = match compiled(&schema) {
        Ok(validator) => validator,
        Err(Unusable::Malformed) => return Value::Missing,
        Err(Unusable::Unavailable) => return Value::unknown(Reason::Schema),
    };
    let mut found = vec![];
    for error in validator.iter_errors(&instance) {
        if matches!(
            error.kind(),
            jsonschema::error::ValidationErrorKind::BacktrackLimitExceeded { .. }
                | jsonschema::error::ValidationErrorKind::RegexEngineFailure { .. }
        ) {
            return Value::unknown(Reason::Schema);
        }
        found.push(problem(&error, &value, ("schema", &schema)));
    }
    Value::list(found)
}

/// Why a schema cannot be used.
enum Unusable {
    /// It is no schema.
    Malformed,
    /// It is of another dialect or leads elsewhere.
    Unavailable,
}

type Compiled = Result<Rc<Validator>, Unusable>;

/// How many schemas a thread keeps compiled. Answers of one tool follow one another.
const KEPT: usize = 16;

thread_local! {
    /// The schemas that were used last, by identity: compiling one costs more than many validations.
    static RECENT: RefCell<Vec<(Json, Rc<Validator>)>> = const { RefCell::new(Vec::new()) };
}

fn compiled(schema: &Value) -> Compiled {
    let Value::Json(json) = schema else {
        return compile(schema);
    };
    let kept = RECENT.with_borrow_mut(|recent| {
        let at = recent.iter().position(|(other, _)| other.is_same(json))?;
        recent[..=at].rotate_right(1);
        Some(Rc::clone(&recent[0].1))
    });
    if let Some(validator) = kept {
        return Ok(validator);
    }
    let validator = compile(schema)?;
    RECENT.with_borrow_mut(|recent| {
        recent.truncate(KEPT - 1);
        recent.insert(0, (json.clone(), Rc::clone(&validator)));
    });
    Ok(validator)
}

fn compile(schema: &Value) -> Compiled {
    let draft = dialect(schema).ok_or(Unusable::Unavailable)?;
    let schema = plain(schema).ok_or(Unusable::Malformed)?;
    if !meta(draft).is_valid(&schema) {
        return Err(Unusable::Malformed);
    }
    Validator::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(100_000))
        .build(&schema)
        .map(Rc::new)
        .map_err(|_| Unusable::Unavailable)
}

/// The validator of schemas of a dialect.
pub(super) fn meta(draft: Draft) -> jsonschema::meta::MetaValidator<'static> {
    match draft {
        Draft::Draft7 => jsonschema::draft7::meta::validator(),
        _ => jsonschema::draft202012::meta::validator(),
    }
}

/// The dialect that `$schema` names; `None` if it is not one of the two that are known.
pub(super) fn dialect(schema: &Value) -> Option<Draft> {
    match member(schema, "$schema") {
        Value::Missing => Some(Draft::Draft202012),
        named => {
            let name = named.as_str()?.trim_end_matches('#');
            match name.split_once("://")? {
                ("http" | "https", "json-schema.org/draft/2020-12/schema") => Some(Draft::Draft202012),
                ("http" | "https", "json-schema.org/draft-07/schema") => Some(Draft::Draft7),
                _ => None,
            }
        }
    }
}

/// `{message, value}`, and under another name the part of the schema, if one is given.
pub(super) fn problem(error: &ValidationError<'_>, value: &Value, schema: (&str, &Value)) -> Value {
    Value::object([
        ("message", Value::text(error.masked().to_string())),
        ("value", part(value, error.instance_path().as_str())),
        (schema.0, part(schema.1, error.schema_path().as_str())),
    ])
}

/// What stands at a pointer.
fn part(value: &Value, pointer: &str) -> Value {
    steps(pointer).fold(value.clone(), |value, step| match value.as_list() {
        Some(_) => step
            .parse::<i64>()
            .map_or(Value::Missing, |i| index(&value, &Value::integer(i))),
        None => member(&value, &step),
    })
}

/// The value as serde_json has it; `None` if it holds something that cannot stand in JSON.
pub(super) fn plain(value: &Value) -> Option<serde_json::Value> {
    use serde_json::Value as Plain;
    Some(match value.json_kind()? {
        JsonKind::Null => Plain::Null,
        JsonKind::Boolean => Plain::Bool(value.as_bool()?),
        JsonKind::Number => Plain::Number(value.as_number()?.written().parse().ok()?),
        JsonKind::Text => Plain::String(value.as_str()?.to_owned()),
        JsonKind::List => Plain::Array(
            value
                .as_list()?
                .items
                .iter()
                .map(|item| plain(&item.value))
                .collect::<Option<_>>()?,
        ),
        JsonKind::Object => Plain::Object(
            walk::members(value)?
                .iter()
                .map(|(name, value)| Some((name.to_string(), plain(value)?)))
                .collect::<Option<_>>()?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::json::{Origin, decode_all};
    use crate::model::ops::show_json;
    use crate::place::RecordId;

    fn json(text: &str) -> Value {
        let origin = Origin {
            record: RecordId::default(),
            outer: "".into(),
        };
        Value::Json(Arc::new(decode_all(text, Some(origin)).unwrap()).root().unwrap())
    }

    fn errors(value: &str, schema: &str) -> String {
        match call(&[json(value), json(schema)]) {
            Value::Missing => "missing".to_owned(),
            Value::Unknown(reasons) => reasons.first().unwrap().to_string(),
            found => show_json(&found),
        }
    }

    #[test]
    fn says_what_where_and_why() {
        assert_eq!(
            errors(
                r#"{"a":{"b/c":["x"]}}"#,
                r##"{"properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"properties":{"b/c":{"items":{"type":"integer"}}}}}}"##
            ),
            r#"[{"message":"value is not of type \"integer\"","value":"x","schema":"integer"}]"#
        );
        let found = call(&[
            json(r#"{"a":[1,"x"]}"#),
            json(r#"{"properties":{"a":{"items":{"type":"integer"}}}}"#),
        ]);
        let first = found.as_list().unwrap().items[0].value.clone();
        let place = |name| member(&first, name).place().unwrap().inner.unwrap();
        assert_eq!(&*place("value"), "/a/1");
        assert_eq!(&*place("schema"), "/properties/a/items/type");
    }

    #[test]
    fn both_dialects_and_no_other() {
        let tuple = |dialect: &str| {
            format!(
                r#"{{"$schema":"{dialect}","items":[{{"type":"integer"}}],"prefixItems":[{{"type":"null"}}]}}"#
            )
        };
        let seven = "http://json-schema.org/draft-07/schema#";
        assert!(errors("[1]", &tuple(seven)).starts_with("[]"));
        // In 2020-12 `items` is one schema.
        assert_eq!(
            errors("[1]", &tuple("https://json-schema.org/draft/2020-12/schema")),
            "missing"
        );
        for other in [
            "https://json-schema.org/draft/2019-09/schema",
            "http://json-schema.org/draft-04/schema#",
            "https://example.com/x",
            "",
        ] {
            assert!(
                errors("1", &format!(r#"{{"$schema":"{other}"}}"#)).contains("dialect"),
                "{other}"
            );
        }
    }

    #[test]
    fn references_stay_within_the_schema() {
        for schema in [
            r#"{"$ref":"https://example.com/x"}"#,
            r#"{"$ref":"file:///etc/passwd"}"#,
            r#"{"properties":{"a":{"$ref":"other.json"}}}"#,
            r##"{"$ref":"#/$defs/none"}"##,
        ] {
            assert!(errors("1", schema).contains("reference"), "{schema}");
        }
        assert_eq!(errors("1", r##"{"$ref":"#"}"##), "[]");
        assert_eq!(
            errors(
                "1",
                r#"{"$id":"https://example.com/x","$ref":"y","$defs":{"a":{"$id":"y","type":"integer"}}}"#
            ),
            "[]"
        );
    }

    #[test]
    fn numbers_are_exact_and_may_be_enormous() {
        assert_eq!(errors("9007199254740993", r#"{"const":9007199254740993}"#), "[]");
        assert_ne!(errors("9007199254740993", r#"{"const":9007199254740992}"#), "[]");
        assert_eq!(errors("0.3", r#"{"multipleOf":0.1}"#), "[]");
        assert_ne!(errors("1e999999999", r#"{"maximum":5,"multipleOf":2}"#), "[]");
    }

    #[test]
    fn formats_do_not_count() {
        for dialect in [
            "http://json-schema.org/draft-07/schema",
            "https://json-schema.org/draft/2020-12/schema",
        ] {
            assert_eq!(
                errors(
                    r#""x""#,
                    &format!(r#"{{"$schema":"{dialect}","format":"email"}}"#)
                ),
                "[]"
            );
        }
    }

    #[test]
    fn a_pattern_cannot_take_forever() {
        let text = format!(r#""{}!""#, "a".repeat(5000));
        assert!(errors(&text, r#"{"pattern":"^(?=a)(a|aa|b\\1)*$"}"#).contains("schema"));
    }

    #[test]
    fn schemas_are_compiled_once() {
        let schema = json(r#"{"type":"integer"}"#);
        for _ in 0..3 {
            assert_eq!(show_json(&call(&[json("1"), schema.clone()])), "[]");
        }
        for i in 0..40 {
            assert_ne!(
                errors("\"x\"", &format!(r#"{{"type":"integer","title":"{i}"}}"#)),
                "[]"
            );
        }
        let kept = RECENT.with_borrow(Vec::len);
        assert_eq!(kept, KEPT);
    }
}
