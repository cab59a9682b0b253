//! `subschemas(schema)`

use std::sync::Arc;

use super::common::walk::{self, Children};
use super::{Builtin, Parameter};
use crate::json::{Json, JsonKind};
use crate::model::ops::hidden;
use crate::model::types::Type;
use crate::model::value::{Step, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "subschemas",
    parameters: &[Parameter::json("schema")],
    result: |_| Type::list(Type::record(&[("path", Type::Path), ("value", Type::Json)])),
    doc: "Every schema object in a JSON Schema, itself included, as `{path, value}` in the order written. \
          It goes where the keywords of 2020-12 and draft-07 hold schemas, and never into `default`, \
          `const`, `enum`, `examples` or unknown keywords. Schemas that are `true` or `false` are left \
          out.",
    examples: &[
        (
            "each s in { properties: { a: { items: {} } } }.subschemas(): s.path.text()",
            r#"["$", "$.properties.a", "$.properties.a.items"]"#,
        ),
        (
            "{ default: { properties: { a: {} } } }.subschemas().length()",
            "1",
        ),
        (
            r#"each s in { allOf: [true, { type: "string" }] }.subschemas(): s.path.text()"#,
            r#"["$", "$.allOf[1]"]"#,
        ),
        ("true.subschemas()", "[]"),
    ],
    total: false,
    call,
};

/// Keywords that hold one schema.
const ONE: [&str; 12] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords that hold a list of schemas.
const LISTS: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords that hold schemas by name.
const MAPS: [&str; 6] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

fn call(arguments: &[Value]) -> Value {
    if let Some(reasons) = hidden(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    let mut found = vec![];
    match walk::json_of(&arguments[0]) {
        Value::Json(json) => visit_json(&json, &mut vec![], &mut found),
        computed => visit(&computed, &mut vec![], &mut found),
    }
    Value::list(found)
}

fn visit(schema: &Value, path: &mut Vec<Step>, found: &mut Vec<Value>) {
    let Some(members) = walk::members(schema) else {
        return;
    };
    found.push(Value::fields([
        ("path", walk::path_value(path)),
        ("value", schema.clone()),
    ]));
    for (keyword, value) in members {
        let word = &*keyword;
        path.push(Step::Member(Arc::clone(&keyword)));
        match walk::children(&value) {
            Children::Object(_) if ONE.contains(&word) => visit(&value, path, found),
            Children::Object(schemas) if MAPS.contains(&word) => {
                for (name, schema) in &schemas {
                    path.push(Step::Member(Arc::clone(name)));
                    visit(schema, path, found);
                    path.pop();
                }
            }
            Children::List(schemas) if LISTS.contains(&word) => {
                for (i, schema) in (0..).zip(&schemas) {
                    path.push(Step::Index(i));
                    visit(schema, path, found);
                    path.pop();
                }
            }
            _ => {}
        }
        path.pop();
    }
}

/// The same for what stands in a document, without looking at members that hold no schema.
fn visit_json(schema: &Json, path: &mut Vec<Step>, found: &mut Vec<Value>) {
    if schema.kind() != JsonKind::Object {
        return;
    }
    found.push(Value::fields([
        ("path", walk::path_value(path)),
        ("value", Value::Json(schema.clone())),
    ]));
    let children: Vec<Json> = schema.children().collect();
    for member in walk::last_of_each(&children) {
        let word = member.name().unwrap_or("");
        let (one, list, map) = match member.kind() {
            JsonKind::Object => (ONE.contains(&word), false, MAPS.contains(&word)),
            JsonKind::List => (false, LISTS.contains(&word), false),
            _ => continue,
        };
        if !(one || list || map) {
            continue;
        }
        path.push(Step::Member(word.into()));
        if one {
            visit_json(member, path, found);
        } else {
            let inner: Vec<Json> = member.children().collect();
            let counted: Vec<&Json> = if map {
                walk::last_of_each(&inner)
            } else {
                inner.iter().collect()
            };
            for (i, schema) in (0..).zip(counted) {
                path.push(if map {
                    Step::Member(schema.name().unwrap_or("").into())
                } else {
                    Step::Index(i)
                });
                visit_json(schema, path, found);
                path.pop();
            }
        }
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::decode_all;
    use crate::model::ops::{member, show};

    fn paths(text: &str) -> Vec<String> {
        let schema = Value::Json(Arc::new(decode_all(text, None).unwrap()).root().unwrap());
        let found = call(&[schema]).as_list().unwrap();
        let paths = found.items.iter().map(|item| show(&member(&item.value, "path")));
        paths.collect()
    }

    #[test]
    fn every_keyword_that_holds_schemas_and_no_other() {
        for keyword in ONE {
            assert_eq!(
                paths(&format!(r#"{{"{keyword}":{{}}}}"#)),
                ["$".to_owned(), format!("$.{keyword}")]
            );
        }
        for keyword in LISTS {
            assert_eq!(
                paths(&format!(r#"{{"{keyword}":[{{}},false]}}"#)),
                ["$".to_owned(), format!("$.{keyword}[0]")]
            );
        }
        for keyword in MAPS {
            assert_eq!(paths(&format!(r#"{{"{keyword}":{{"x":{{}},"y":[]}}}}"#)).len(), 2);
        }
        for keyword in ["default", "const", "enum", "examples", "x-mine", "type", "$ref"] {
            assert_eq!(
                paths(&format!(r#"{{"{keyword}":{{"properties":{{"a":{{}}}}}}}}"#)),
                ["$"]
            );
        }
    }

    #[test]
    fn properties_may_have_the_names_of_keywords() {
        assert_eq!(
            paths(r#"{"properties":{"default":{"items":{}},"properties":{"type":"string"}}}"#),
            [
                "$",
                "$.properties.default",
                "$.properties.default.items",
                "$.properties.properties"
            ]
        );
    }

    #[test]
    fn in_the_order_written() {
        assert_eq!(
            paths(r#"{"not":{},"allOf":[{"if":{}}],"$defs":{"b":{},"a":{}}}"#),
            [
                "$",
                "$.not",
                "$.allOf[0]",
                "$.allOf[0].if",
                "$[\"$defs\"].b",
                "$[\"$defs\"].a"
            ]
        );
    }
}
