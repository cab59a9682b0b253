//! `subschemas(schema)`

use std::sync::Arc;

use super::common::walk::{self, Children};
use super::{Builtin, Parameter};
use crate::json::{JsonKind, JsonView};
use crate::model::ops::{Path, hidden};
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
        Value::Json(json) => visit_json(json.view(), json.view().number(), &mut found),
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
fn visit_json(schema: JsonView, root: u32, found: &mut Vec<Value>) {
    if schema.kind() != JsonKind::Object {
        return;
    }
    let here = schema.to_json();
    let path = Path::Way {
        from: root,
        to: here.clone(),
    };
    found.push(Value::fields([
        ("path", Value::Path(path)),
        ("value", Value::Json(here)),
    ]));
    let holds = |member: JsonView| {
        let kind = member.kind();
        matches!(kind, JsonKind::Object | JsonKind::List)
            && holds(member.name().unwrap_or("")).is_some_and(|held| held.stands_in(kind))
    };
    schema.each_member(holds, |member| match member.kind() {
        JsonKind::List => member
            .children()
            .for_each(|schema| visit_json(schema, root, found)),
        _ if MAPS.contains(&member.name().unwrap_or("")) => {
            member.each_member(|_| true, |schema| visit_json(schema, root, found));
        }
        _ => visit_json(member, root, found),
    });
}

/// How a keyword holds schemas.
#[derive(Clone, Copy)]
enum Held {
    One,
    List,
    OneOrList,
    Map,
}

impl Held {
    fn stands_in(self, kind: JsonKind) -> bool {
        match self {
            Held::One | Held::Map => kind == JsonKind::Object,
            Held::List => kind == JsonKind::List,
            Held::OneOrList => true,
        }
    }
}

/// How the keyword `word` holds schemas, if it does: what the tables above say, by length first.
fn holds(word: &str) -> Option<Held> {
    let among = |words: &[&str], held| words.contains(&word).then_some(held);
    match word.len() {
        2 => among(&["if"], Held::One),
        3 => among(&["not"], Held::One),
        4 => among(&["else", "then"], Held::One),
        5 if word == "items" => Some(Held::OneOrList),
        5 if matches!(word, "allOf" | "anyOf" | "oneOf") => Some(Held::List),
        5 => among(&["$defs"], Held::Map),
        8 => among(&["contains"], Held::One),
        10 if word == "properties" => Some(Held::Map),
        11 => among(&["prefixItems"], Held::List).or_else(|| among(&["definitions"], Held::Map)),
        12 => among(&["dependencies"], Held::Map),
        13 => among(&["contentSchema", "propertyNames"], Held::One),
        15 => among(&["additionalItems"], Held::One),
        16 => among(&["unevaluatedItems"], Held::One).or_else(|| among(&["dependentSchemas"], Held::Map)),
        17 => among(&["patternProperties"], Held::Map),
        20 => among(&["additionalProperties"], Held::One),
        21 => among(&["unevaluatedProperties"], Held::One),
        _ => None,
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
        for word in ONE.iter().chain(&LISTS).chain(&MAPS) {
            let found = |kind| holds(word).is_some_and(|held| held.stands_in(kind));
            let object = ONE.contains(word) || MAPS.contains(word);
            assert_eq!(
                (found(JsonKind::Object), found(JsonKind::List)),
                (object, LISTS.contains(word)),
                "{word}"
            );
        }
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
