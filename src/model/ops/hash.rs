//! Hashes that agree with `==`.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::json::{JsonKind, Number};
use crate::model::value::Value;

/// A number that is the same for values that are [equal](super::equal), however they are represented.
pub fn hash(value: &Value) -> u64 {
    let mut state = DefaultHasher::new();
    feed(value, &mut state);
    state.finish()
}

fn feed(value: &Value, state: &mut DefaultHasher) {
    if let Some(kind) = value.json_kind() {
        kind.hash(state);
        return match kind {
            JsonKind::Null => {}
            JsonKind::Boolean => value.as_bool().hash(state),
            JsonKind::Text => value.as_str().hash(state),
            JsonKind::Number => {
                if let Some(n) = value.as_number() {
                    feed_number(&n, state);
                }
            }
            JsonKind::List => {
                for item in &value.as_list().unwrap_or_default().items {
                    feed(&item.value, state);
                }
            }
            JsonKind::Object => {
                let mut members = value.as_object().unwrap_or_default();
                members.sort_by(|a, b| a.0.cmp(&b.0));
                for (name, value) in members {
                    name.hash(state);
                    feed(&value, state);
                }
            }
        };
    }
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Bytes(bytes) => bytes.hash(state),
        Value::Time(n) | Value::Duration(n) => n.hash(state),
        Value::Pattern(pattern) => pattern.as_str().hash(state),
        Value::Path(path) => path.steps().hash(state),
        Value::Shape(shape) => shape.id.hash(state),
        Value::Record(record) => record.ordinal().hash(state),
        // What remains is compared and not hashed.
        _ => {}
    }
}

fn feed_number(n: &Number, state: &mut DefaultHasher) {
    if let Some(n) = n.as_i64() {
        n.hash(state);
        return;
    }
    let plain = n.canonical();
    // Numbers of extreme size keep their spelling, of which there are many: they all share one hash.
    if plain.len() <= 300 && !plain.contains(['e', 'E']) {
        plain.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn equal_values_have_equal_hashes() {
        let groups: &[&[Value]] = &[
            &[json("1"), json("1.0"), json("10e-1"), Value::integer(1i64)],
            &[json("1.5"), json("15e-1")],
            &[json("\"a\""), Value::text("a")],
            &[json("null"), Value::Null],
            &[
                json(r#"{"a":1,"b":[2]}"#),
                json(r#"{"b":[2.0],"a":0,"a":1}"#),
                Value::fields([("b", Value::list([json("2")])), ("a", json("1"))]),
            ],
            &[
                json("1e500"),
                json("10e499"),
                json(&format!("1{}", "0".repeat(500))),
            ],
            &[json("12345678901234567890.0"), json("12345678901234567890")],
        ];
        for group in groups {
            for value in *group {
                same(value, &group[0]);
                assert_eq!(hash(value), hash(&group[0]), "{value:?}");
            }
        }
        assert_ne!(hash(&json("1")), hash(&json("\"1\"")));
        assert_ne!(hash(&json("[1]")), hash(&json("[2]")));
    }
}
