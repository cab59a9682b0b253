//! `==`

use std::collections::BTreeMap;
use std::sync::Arc;

use super::headers::header_list;
use super::logic::{and, meet, unknown};
use crate::json::JsonKind;
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{List, Truth, Value};

/// Deep equality, whether values stand in JSON or were computed: numbers by exact value, texts by code points, objects
/// without order, records by identity. Kinds never mix; missing equals missing only. With an incomplete list it is
/// unknown.
pub fn equal(a: &Value, b: &Value) -> Truth {
    if let (Value::Json(a), Value::Json(b)) = (a, b)
        && !a.document().hides()
        && !b.document().hides()
    {
        return a.equals(b).into();
    }
    if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
        return (a == b).into();
    }
    let mut met = unknown([a, b]);
    for operand in [a, b] {
        if let Value::Json(json) = operand
            && json.view().is_partial()
        {
            meet(&mut met, &Reason::Body.into());
        }
        if let Value::List(list) = operand
            && let Some(reasons) = doubt(list)
        {
            meet(&mut met, &reasons);
        }
    }
    match met {
        Some(reasons) => Truth::Unknown(reasons),
        None => equal_known(a, b),
    }
}

/// Why it is not certain which elements a list has, in which order; `None` if it is.
pub fn doubt(list: &List) -> Option<Reasons> {
    let mut met = list.gap();
    for reasons in list.items.iter().filter_map(|item| item.perhaps.as_ref()) {
        meet(&mut met, reasons);
    }
    if let Some(reasons) = &list.unordered {
        meet(&mut met, reasons);
    }
    met
}

/// Why a value is not known in all its parts: it, or something in it, is unknown, or a list in it is in doubt.
pub fn hidden(value: &Value) -> Option<Reasons> {
    let mut met = None;
    find_hidden(value, &mut met);
    met
}

fn find_hidden(value: &Value, met: &mut Option<Reasons>) {
    match value {
        Value::Unknown(reasons) => meet(met, reasons),
        Value::Json(json) if json.view().hides() => {
            let partial = json.document().is_partial();
            let reason = if partial { Reason::Body } else { Reason::Redacted };
            meet(met, &reason.into());
        }
        Value::List(list) => {
            if let Some(reasons) = doubt(list) {
                meet(met, &reasons);
            }
            for item in &list.items {
                find_hidden(&item.value, met);
            }
        }
        Value::Object(members) => {
            for (_, value) in members.iter() {
                find_hidden(value, met);
            }
        }
        _ => {}
    }
}

fn equal_known(a: &Value, b: &Value) -> Truth {
    use Value as V;
    match (a, b) {
        (V::Missing, V::Missing) => Truth::True,
        (V::Bytes(a), V::Bytes(b)) => (a == b).into(),
        (V::Time(a), V::Time(b)) | (V::Duration(a), V::Duration(b)) => (a == b).into(),
        (V::Pattern(a), V::Pattern(b)) => (a.as_str() == b.as_str()).into(),
        (V::PathPattern(a), V::PathPattern(b)) => (a.pattern.steps == b.pattern.steps).into(),
        (V::Path(a), V::Path(b)) => (a == b).into(),
        (V::Shape(a), V::Shape(b)) => (a == b).into(),
        (V::Record(a), V::Record(b)) => a.is_same(b).into(),
        (V::Headers(x), V::Headers(y)) => {
            if Arc::ptr_eq(&x.headers, &y.headers) {
                Truth::True
            } else {
                equal(&header_list(x), &header_list(y))
            }
        }
        _ => match (a.json_kind(), b.json_kind()) {
            (Some(kind), Some(other)) if kind == other => equal_json(kind, a, b),
            _ => Truth::False,
        },
    }
}

fn equal_json(kind: JsonKind, a: &Value, b: &Value) -> Truth {
    match kind {
        JsonKind::Null => Truth::True,
        JsonKind::Boolean => (a.as_bool() == b.as_bool()).into(),
        JsonKind::Number => (a.as_number() == b.as_number()).into(),
        JsonKind::Text => (a.as_str() == b.as_str()).into(),
        JsonKind::List => match (a.as_list(), b.as_list()) {
            (Some(a), Some(b)) if a.items.len() == b.items.len() => conjunction(
                a.items
                    .iter()
                    .zip(&b.items)
                    .map(|(a, b)| equal(&a.value, &b.value)),
            ),
            _ => Truth::False,
        },
        JsonKind::Object => {
            // A member that is not there counts as missing: it differs from every value, and from an unknown one
            // nobody can tell, since that may be missing too.
            let mut members: BTreeMap<Arc<str>, [Value; 2]> = BTreeMap::new();
            for (side, object) in [a, b].into_iter().enumerate() {
                for (name, value) in object.as_object().unwrap_or_default() {
                    members.entry(name).or_insert([Value::Missing, Value::Missing])[side] = value;
                }
            }
            conjunction(members.values().map(|[a, b]| equal(a, b)))
        }
    }
}

fn conjunction(parts: impl Iterator<Item = Truth>) -> Truth {
    let mut whole = Truth::True;
    for part in parts {
        if part == Truth::False {
            return Truth::False;
        }
        whole = and(whole, part);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn json_compares_deeply() {
        yes(equal(&json("1"), &json("1.0")));
        yes(equal(
            &json(r#"{"a":[1],"b":null}"#),
            &json(r#"{"b":null,"a":[1.0]}"#),
        ));
        no(equal(&json("1"), &json(r#""1""#)));
        no(equal(&json("9007199254740993"), &json("9007199254740992")));
        no(equal(&json("null"), &json("false")));
        no(equal(&json("\"\u{e9}\""), &json("\"e\u{301}\"")));
        yes(equal(&json(r#"{"a":1,"a":2}"#), &json(r#"{"a":2}"#)));
    }

    #[test]
    fn computed_values_equal_those_in_json() {
        yes(equal(&Value::text("a"), &json(r#""a""#)));
        yes(equal(&Value::Null, &json("null")));
        yes(equal(&Value::Boolean(true), &json("true")));
        yes(equal(&Value::integer(2i64), &json("2.0")));
        yes(equal(&Value::list([Value::Null, json("1")]), &json("[null,1]")));
        yes(equal(
            &json(r#"{"a":1,"b":2}"#),
            &Value::fields([("b", json("2")), ("a", json("1")), ("c", Value::Missing)]),
        ));
        no(equal(&Value::list([json("1")]), &json("[1,2]")));
        no(equal(&Value::Time(1), &Value::Duration(1)));
        yes(equal(&Value::Time(1), &Value::Time(1)));
    }

    #[test]
    fn missing_equals_missing_only() {
        yes(equal(&Value::Missing, &Value::Missing));
        no(equal(&Value::Missing, &Value::Null));
        no(equal(&json("null"), &Value::Missing));
        yes(equal(
            &Value::list([Value::Missing]),
            &Value::list([Value::Missing]),
        ));
    }

    #[test]
    fn unknown_equals_nobody_knows_what() {
        unsure(equal(&dark(), &dark()));
        unsure(equal(&dark(), &Value::Missing));
        unsure(equal(&Value::list([dark()]), &json("[1]")));
        no(equal(&Value::list([dark(), json("1")]), &json("[1,2]")));
        no(equal(&Value::list([dark()]), &json("[1,2]")));
        unsure(equal(&Value::fields([("a", dark())]), &json("{}")));
        no(equal(
            &Value::fields([("a", dark()), ("b", json("1"))]),
            &json("{}"),
        ));
    }

    #[test]
    fn of_an_incomplete_list_it_is_unknown() {
        let list = List {
            back: Some(gone()),
            ..List::complete([json("1")])
        };
        unsure(equal(&Value::List(Arc::new(list)), &json("[2]")));
        let list = List {
            unordered: Some(gone()),
            ..List::complete([json("1")])
        };
        unsure(equal(&Value::List(Arc::new(list)), &json("[1]")));
    }
}
