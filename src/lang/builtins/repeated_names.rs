//! `repeated_names(value)`

use std::collections::HashMap;
use std::sync::Arc;

use super::common::walk::{self, Children};
use super::{Builtin, Parameter};
use crate::model::ops::hidden;
use crate::model::types::Type;
use crate::model::value::{Step, Value};

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "repeated_names",
    parameters: &[Parameter::json("value")],
    result: |_| Type::list(Type::record(&[("path", Type::Path), ("name", Type::String)])),
    doc: "The names that occur more than once in one object, at any depth of a value, as `{path, name}`; \
          `path` leads to the member. Two parsers may disagree on which occurrence counts. Each name is \
          given once for each object that repeats it.",
    examples: &[
        (
            r#"each n in "{\"a\":{\"b\":1,\"c\":2,\"b\":3}}".parse_json().repeated_names(): n.path.text()"#,
            r#"["$.a.b"]"#,
        ),
        ("{ a: 1 }.repeated_names()", "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    if let Some(reasons) = hidden(&arguments[0]) {
        return Value::Unknown(reasons);
    }
    let mut found = vec![];
    let value = walk::json_of(&arguments[0]);
    visit(&value, &mut vec![], &mut found);
    Value::list(found)
}

/// Unlike other walks this one enters every occurrence of a repeated name.
fn visit(value: &Value, path: &mut Vec<Step>, found: &mut Vec<Value>) {
    let Value::Json(json) = value else {
        if let Children::List(elements) = walk::children(value) {
            for (i, element) in (0..).zip(&elements) {
                path.push(Step::Index(i));
                visit(element, path, found);
                path.pop();
            }
        } else if let Children::Object(members) = walk::children(value) {
            for (name, member) in &members {
                path.push(Step::Member(Arc::clone(name)));
                visit(member, path, found);
                path.pop();
            }
        }
        return;
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (i, child) in (0..).zip(json.children()) {
        let Some(name) = child.name() else {
            path.push(Step::Index(i));
            visit(&Value::Json(child), path, found);
            path.pop();
            continue;
        };
        path.push(Step::Member(name.into()));
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == 2 {
            found.push(Value::fields([
                ("path", walk::path_value(path)),
                ("name", Value::Text(walk::own_name(child.view()))),
            ]));
        }
        visit(&Value::Json(child), path, found);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::decode_all;
    use crate::model::ops::{member, show};

    #[test]
    fn once_for_each_object_that_repeats_it() {
        let text = r#"{"a":1,"a":{"b":1,"b":2,"b":3},"a":[{"c":1,"c":1},{"c":1}]}"#;
        let value = Value::Json(Arc::new(decode_all(text, None).unwrap()).root().unwrap());
        let found = call(&[value]).as_list().unwrap();
        let paths: Vec<_> = found
            .items
            .iter()
            .map(|item| show(&member(&item.value, "path")))
            .collect();
        assert_eq!(paths, ["$.a", "$.a.b", "$.a[0].c"]);
    }
}
