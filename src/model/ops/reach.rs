//! `x.name` and `x[e]`

use std::sync::Arc;

use super::headers::header;
use super::logic::{meet, unknown};
use crate::json::Json;
use crate::model::unknown::Reason;
use crate::model::value::{List, Text, TextPlace, Value};

/// A member of an object, or of the JSON of a record. Of anything else it is missing, of unknown unknown.
pub fn member(x: &Value, name: &str) -> Value {
    match x {
        Value::Unknown(_) => x.clone(),
        Value::Json(json) => own(json, name),
        Value::Object(members) => members
            .iter()
            .find(|(member, _)| **member == *name)
            .map_or(Value::Missing, |(_, value)| value.clone()),
        Value::Record(record) => record.json().map_or(Value::Missing, |json| own(&json, name)),
        _ => Value::Missing,
    }
}

/// A member of a value in a document; unknown if it may have been there and was not recorded.
fn own(json: &Json, name: &str) -> Value {
    match json.member(name) {
        None if json.view().is_partial() => Value::unknown(Reason::Body),
        member => Value::or_missing(member, Value::json),
    }
}

/// `x[e]`: an element of a list by its number from 0, a member of an object by its name, a header by its name in any
/// case. Whatever is not there is missing; an element is unknown where the list may have others before it.
pub fn index(x: &Value, e: &Value) -> Value {
    if matches!(x, Value::Missing) || matches!(e, Value::Missing) {
        return Value::Missing;
    }
    if let Some(reasons) = unknown([x, e]) {
        return Value::Unknown(reasons);
    }
    if let Some(name) = e.as_str() {
        return match x {
            Value::Headers(headers) => header(headers, name),
            _ => member(x, name),
        };
    }
    let Some(position) = e.as_number().and_then(|n| n.as_i64()) else {
        return Value::Missing;
    };
    let Ok(position) = usize::try_from(position) else {
        return Value::Missing;
    };
    match x {
        Value::Json(json) => Value::or_missing(json.element(position), Value::json),
        Value::List(list) => element(list, position),
        _ => Value::Missing,
    }
}

fn element(list: &List, position: usize) -> Value {
    let beyond = position >= list.items.len();
    if beyond && list.gap().is_none() {
        return Value::Missing;
    }
    let mut met = None;
    for reasons in [&list.front, &list.inside, &list.unordered].into_iter().flatten() {
        meet(&mut met, reasons);
    }
    for item in list.items.iter().take(position.saturating_add(1)) {
        if let Some(reasons) = &item.perhaps {
            meet(&mut met, reasons);
        }
    }
    if beyond && let Some(reasons) = &list.back {
        meet(&mut met, reasons);
    }
    match met {
        Some(reasons) => Value::Unknown(reasons),
        None => list
            .items
            .get(position)
            .map_or(Value::Missing, |item| item.value.clone()),
    }
}

/// A part of a text, in bytes; it stands in the same place, at the characters that it takes up there.
pub fn cut(whole: &Arc<Text>, range: std::ops::Range<usize>) -> Text {
    let Some(part) = whole.text.get(range.clone()) else {
        return Text::new("");
    };
    if part.len() == whole.text.len() {
        return (**whole).clone();
    }
    Text {
        text: part.into(),
        place: whole.place.is_some().then(|| TextPlace::Part {
            whole: Arc::clone(whole),
            start: range.start,
            length: part.len(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::model::value::Item;
    use crate::place::Place;

    #[test]
    fn a_member_of_what_is_no_object_is_missing() {
        same(&member(&json(r#"{"a":1,"a":2}"#), "a"), &json("2"));
        same(&member(&Value::fields([("a", json("1"))]), "a"), &json("1"));
        for x in [
            json("null"),
            json("[1]"),
            json("\"a\""),
            json("{}"),
            Value::Missing,
        ] {
            same(&member(&x, "a"), &Value::Missing);
        }
        assert!(matches!(member(&dark(), "a"), Value::Unknown(_)));
    }

    #[test]
    fn an_index_outside_is_missing() {
        let list = json("[1,2]");
        same(&index(&list, &json("0")), &json("1"));
        same(&index(&list, &json("1.0")), &json("2"));
        for e in ["2", "-1", "0.5", "1e30", "\"0\"", "null"] {
            same(&index(&list, &json(e)), &Value::Missing);
        }
        same(&index(&json(r#"{"a":1}"#), &json("\"a\"")), &json("1"));
        same(&index(&json(r#"{"0":1}"#), &json("0")), &Value::Missing);
        same(
            &index(&Value::list([json("1"), json("2")]), &json("1")),
            &json("2"),
        );
        same(&index(&dark(), &Value::Missing), &Value::Missing);
        assert!(matches!(index(&list, &dark()), Value::Unknown(_)));
    }

    #[test]
    fn only_from_a_complete_front() {
        let at = |list: &List, i: i64| index(&Value::List(Arc::new(list.clone())), &Value::integer(i));
        let mut list = List::complete([json("1"), json("2")]);
        list.back = Some(gone());
        same(&at(&list, 1), &json("2"));
        assert!(matches!(at(&list, 2), Value::Unknown(_)));
        list.front = Some(gone());
        assert!(matches!(at(&list, 0), Value::Unknown(_)));
        let mut list = List::complete([json("1")]);
        list.items.push(Item {
            value: json("2"),
            perhaps: Some(gone()),
        });
        same(&at(&list, 0), &json("1"));
        assert!(matches!(at(&list, 1), Value::Unknown(_)));
        same(&at(&list, 2), &Value::Missing);
    }

    #[test]
    fn a_part_of_a_text_knows_its_place() {
        let whole = Arc::new(Text::at("äbcd", Place::default()));
        let part = Arc::new(cut(&whole, 2..4));
        assert_eq!(&*part.text, "bc");
        let range = |text: &Text| text.place.as_ref().unwrap().place().unwrap().range;
        assert_eq!(range(&part), Some((1, 3)));
        assert_eq!(range(&cut(&part, 1..2)), Some((2, 3)));
        assert_eq!(range(&cut(&whole, 0..5)), None);
    }
}
