//! One order for all values that stand in JSON, so that any list can be sorted.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::json::JsonKind;
use crate::model::ops::hidden;
use crate::model::unknown::Reasons;
use crate::model::value::{List, Value};

/// Why it is not known which elements a list has. That their order is not known is no reason.
pub fn hidden_elements(list: &Value) -> Option<Reasons> {
    match list {
        Value::List(list) if list.unordered.is_some() => {
            let ordered = List {
                unordered: None,
                ..(**list).clone()
            };
            hidden(&Value::List(Arc::new(ordered)))
        }
        other => hidden(other),
    }
}

/// `null`, `false`, `true`, numbers, texts by code points, lists, objects, times, durations; what has no order is equal.
pub fn total(a: &Value, b: &Value) -> Ordering {
    rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
        (Value::Time(a), Value::Time(b)) | (Value::Duration(a), Value::Duration(b)) => a.cmp(b),
        _ => match a.json_kind() {
            Some(JsonKind::Boolean) => a.as_bool().cmp(&b.as_bool()),
            Some(JsonKind::Number) => a.as_number().cmp(&b.as_number()),
            Some(JsonKind::Text) => a.as_str().cmp(&b.as_str()),
            Some(JsonKind::List) => {
                let (a, b) = (a.as_list().unwrap_or_default(), b.as_list().unwrap_or_default());
                let unequal = a
                    .items
                    .iter()
                    .zip(&b.items)
                    .map(|(a, b)| total(&a.value, &b.value))
                    .find(|order| order.is_ne());
                unequal.unwrap_or_else(|| a.items.len().cmp(&b.items.len()))
            }
            Some(JsonKind::Object) => objects(a, b),
            _ => Ordering::Equal,
        },
    })
}

fn objects(a: &Value, b: &Value) -> Ordering {
    let sorted = |value: &Value| {
        let mut members = value.as_object().unwrap_or_default();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        members
    };
    let (a, b) = (sorted(a), sorted(b));
    let unequal = a
        .iter()
        .zip(&b)
        .map(|(a, b)| a.0.cmp(&b.0).then_with(|| total(&a.1, &b.1)))
        .find(|order| order.is_ne());
    unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
}

fn rank(value: &Value) -> u8 {
    match value.json_kind() {
        Some(JsonKind::Null) => 0,
        Some(JsonKind::Boolean) => 1,
        Some(JsonKind::Number) => 2,
        Some(JsonKind::Text) => 3,
        Some(JsonKind::List) => 4,
        Some(JsonKind::Object) => 5,
        None => match value {
            Value::Time(_) => 6,
            Value::Duration(_) => 7,
            _ => 8,
        },
    }
}
