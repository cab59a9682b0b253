//! `in` and `has`

use std::sync::Arc;

use super::equality::equal;
use super::headers;
use super::lists::any;
use super::logic::{meet, unknown};
use crate::model::unknown::Reason;
use crate::model::value::{Truth, Value};

/// `x in xs`: an element equals `x`. Decided like `any`; false for a missing `x` and in what is no list.
pub fn is_in(x: &Value, xs: &Value) -> Truth {
    if matches!(x, Value::Missing) {
        return Truth::False;
    }
    if matches!(xs, Value::Unknown(_)) {
        return unknown([x, xs]).map_or(Truth::False, Truth::Unknown);
    }
    let Some(list) = xs.as_list() else {
        return Truth::False;
    };
    match any(&list, &mut |element| equal(x, element)) {
        // Also where only a gap leaves it open: `x` was looked at first.
        Truth::Unknown(reasons) => {
            let mut met = unknown([x]);
            meet(&mut met, &reasons);
            met.map_or(Truth::False, Truth::Unknown)
        }
        decided => decided,
    }
}

/// `x has name`: the object has a member of that name; the headers have one, in any case; the list has an element that
/// equals it. False for a missing `x`.
pub fn has(x: &Value, name: &Value) -> Truth {
    if matches!(x, Value::Missing) || matches!(name, Value::Missing) {
        return Truth::False;
    }
    if matches!(x, Value::List(_)) || x.as_list().is_some() {
        return is_in(name, x);
    }
    if let Value::Record(record) = x
        && let Some(json) = record.json()
    {
        return match has(&Value::Json(json), name) {
            // A member that is not there may have been left out by whoever wrote the recording.
            Truth::False if record.is_partial() => Truth::Unknown(Reason::Catalogue.into()),
            answer => answer,
        };
    }
    let candidates: Vec<(Arc<str>, Value)> = match x {
        Value::Headers(headers) => {
            return match name {
                Value::Unknown(reasons) => Truth::Unknown(reasons.clone()),
                _ => name
                    .as_str()
                    .map_or(Truth::False, |name| headers::has(headers, name)),
            };
        }
        Value::Unknown(_) => return unknown([x, name]).map_or(Truth::False, Truth::Unknown),
        Value::Json(json) => {
            // Without making a list of all members.
            if let Some(name) = name.as_str() {
                return match json.member(name) {
                    None if json.view().is_partial() => Truth::Unknown(Reason::Body.into()),
                    member => member.is_some().into(),
                };
            }
            x.as_object().unwrap_or_default()
        }
        Value::Object(members) => members.to_vec(),
        _ => return Truth::False,
    };
    match name {
        Value::Unknown(_) if candidates.is_empty() => Truth::False,
        Value::Unknown(reasons) => Truth::Unknown(reasons.clone()),
        _ => {
            match name.as_str() {
                // A member whose value is unknown may be missing.
                Some(name) => candidates.iter().find(|(member, _)| **member == *name).map_or(
                    Truth::False,
                    |(_, value)| match value {
                        Value::Unknown(reasons) => Truth::Unknown(reasons.clone()),
                        _ => Truth::True,
                    },
                ),
                None => Truth::False,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::model::value::List;

    fn open(values: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(List {
            front: Some(gone()),
            ..List::complete(values)
        }))
    }

    #[test]
    fn in_is_true_if_an_element_equals() {
        yes(is_in(&Value::text("a"), &json(r#"["b","a"]"#)));
        yes(is_in(&json("1.0"), &json("[1]")));
        no(is_in(&json("1"), &json(r#"["1"]"#)));
        no(is_in(&json("1"), &json(r#"{"1":1}"#)));
        no(is_in(&json("1"), &Value::Missing));
        no(is_in(&Value::text("a"), &Value::text("abc")));
    }

    #[test]
    fn with_missing_on_the_left_in_and_has_are_false() {
        no(is_in(&Value::Missing, &Value::list([Value::Missing])));
        no(is_in(&Value::Missing, &dark()));
        no(has(&Value::Missing, &dark()));
    }

    #[test]
    fn on_an_incomplete_list_both_are_decided_like_any() {
        yes(is_in(&json("1"), &open([json("1")])));
        unsure(is_in(&json("2"), &open([json("1")])));
        yes(has(&open([json("1")]), &json("1")));
        unsure(has(&open([]), &json("1")));
        no(has(&json("[1]"), &json("2")));
    }

    #[test]
    fn unknown_in_nothing_is_false() {
        no(is_in(&dark(), &json("[]")));
        no(is_in(&dark(), &Value::Missing));
        unsure(is_in(&dark(), &json("[1]")));
        unsure(is_in(&json("1"), &dark()));
        unsure(is_in(&json("1"), &Value::list([json("2"), dark()])));
        yes(is_in(&json("1"), &Value::list([dark(), json("1")])));
    }

    #[test]
    fn has_asks_for_members_also_null_ones() {
        yes(has(&json(r#"{"a":null}"#), &Value::text("a")));
        no(has(&json(r#"{"a":null}"#), &Value::text("b")));
        no(has(&json("\"a\""), &Value::text("a")));
        no(has(&json(r#"{"1":0}"#), &json("1")));
        no(has(&json("{}"), &dark()));
        unsure(has(&json(r#"{"a":0}"#), &dark()));
        unsure(has(&Value::fields([("a", dark())]), &Value::text("a")));
    }
}
