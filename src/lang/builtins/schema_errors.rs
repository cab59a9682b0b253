//! `schema_errors(value, schema)`

use super::common::schemas::{Unusable, errors, plain, problem, schema};
use super::common::walk;
use super::{Builtin, Parameter};
use crate::model::ops::hidden;
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
    let [value, schema_of] = arguments else {
        return Value::Missing;
    };
    if let Some(reasons) = hidden(value).or_else(|| hidden(schema_of)) {
        return Value::Unknown(reasons);
    }
    let (value, written) = (walk::json_of(value), walk::json_of(schema_of));
    let Some(instance) = plain(&value) else {
        return Value::Missing;
    };
    let Some(known) = schema(&written) else {
        return Value::Missing;
    };
    let validator = match known.validator() {
        Ok(validator) => validator,
        Err(Unusable::Malformed) => return Value::Missing,
        Err(Unusable::Unavailable) => return Value::unknown(Reason::Schema),
    };
    match errors(validator, &instance) {
        Some(found) => Value::list(
            found
                .iter()
                .map(|error| problem(error, &value, ("schema", &written))),
        ),
        None => Value::unknown(Reason::Schema),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::json::{Origin, decode_all};
    use crate::model::ops::member;
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
}
