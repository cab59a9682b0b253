//! `changes(before, after)`

use std::collections::HashMap;
use std::sync::Arc;

use super::common::walk::{self, Children};
use super::{Builtin, Parameter};
use crate::model::ops::{equal, hidden};
use crate::model::types::Type;
use crate::model::value::{Step, Truth, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "changes",
    parameters: &[Parameter::json("before"), Parameter::json("after")],
    result: |_| {
        Type::list(Type::record(&[
            ("path", Type::Path),
            ("kind", Type::String),
            ("before", Type::Json),
            ("after", Type::Json),
        ]))
    },
    doc: "What differs between two values, as `{path, kind, before, after}`. The kind is `added`, \
          `removed` or `changed`; objects are compared member by member, lists element by element at the \
          same number. `before` is missing for what was added, `after` for what was removed.",
    examples: &[
        (
            r#"each c in changes({ a: 1, b: 2 }, { b: 3, c: 4 }): c.path.text() + " " + c.kind"#,
            r#"["$.a removed", "$.b changed", "$.c added"]"#,
        ),
        ("changes({ a: [1, 2] }, { a: [1] })[0].before", "2"),
        ("changes({ a: 1, b: [true] }, { b: [true], a: 1.0 })", "[]"),
        (r#"changes(1, "1")[0].path.text()"#, r#""$""#),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Some(reasons) = hidden(&arguments[0]).or_else(|| hidden(&arguments[1])) {
        return Value::Unknown(reasons);
    }
    let mut found = vec![];
    let (before, after) = (walk::json_of(&arguments[0]), walk::json_of(&arguments[1]));
    compare(&before, &after, &mut vec![], &mut found);
    Value::list(found)
}

fn compare(before: &Value, after: &Value, path: &mut Vec<Step>, found: &mut Vec<Value>) {
    let kind = match (before, after) {
        (Value::Missing, Value::Missing) => return,
        (Value::Missing, _) => "added",
        (_, Value::Missing) => "removed",
        _ => match (walk::children(before), walk::children(after)) {
            (Children::Object(b), Children::Object(a)) => return objects(&b, &a, path, found),
            (Children::List(b), Children::List(a)) => return lists(&b, &a, path, found),
            _ if equal(before, after) == Truth::True => return,
            _ => "changed",
        },
    };
    found.push(Value::fields([
        ("path", walk::path_value(path)),
        ("kind", Value::text(kind)),
        ("before", before.clone()),
        ("after", after.clone()),
    ]));
}

/// Those of `before` in the order written, then those that were added.
fn objects(before: &Members, after: &Members, path: &mut Vec<Step>, found: &mut Vec<Value>) {
    let by_name = |members: &Members| -> HashMap<Arc<str>, Value> { members.iter().cloned().collect() };
    let (old, new) = (by_name(before), by_name(after));
    let added = after.iter().filter(|(name, _)| !old.contains_key(name));
    for (name, _) in before.iter().chain(added) {
        path.push(Step::Member(Arc::clone(name)));
        let of = |members: &HashMap<Arc<str>, Value>| members.get(name).cloned().unwrap_or(Value::Missing);
        compare(&of(&old), &of(&new), path, found);
        path.pop();
    }
}

fn lists(before: &[Value], after: &[Value], path: &mut Vec<Step>, found: &mut Vec<Value>) {
    for i in 0..before.len().max(after.len()) {
        path.push(Step::Index(i as u64));
        let of = |list: &[Value]| list.get(i).cloned().unwrap_or(Value::Missing);
        compare(&of(before), &of(after), path, found);
        path.pop();
    }
}

type Members = [(Arc<str>, Value)];
