//! Texts that know where they stand.

use std::sync::Arc;

use crate::model::ops::cut;
use crate::model::value::{Text, TextPlace, Value};

/// A text with its place, from wherever.
pub fn located(value: &Value) -> Option<Arc<Text>> {
    Some(Arc::new(match value {
        Value::Text(text) => text.clone(),
        Value::Json(json) => Text {
            text: json.as_str()?.into(),
            place: Some(TextPlace::Value(json.clone())),
        },
        _ => return None,
    }))
}

/// A part of a text; `part` must be a slice of it.
pub fn part(whole: &Arc<Text>, part: &str) -> Text {
    let start = (part.as_ptr() as usize).saturating_sub(whole.text.as_ptr() as usize);
    cut(whole, start..start + part.len())
}

/// Parts of a text, one by one.
pub fn parts<'t>(whole: &'t Arc<Text>, parts: impl IntoIterator<Item = &'t str>) -> Value {
    Value::list(parts.into_iter().map(|slice| Value::Text(part(whole, slice))))
}

/// What `cut_out` leaves of a text; missing if it is none or nothing is left.
pub fn slice(value: &Value, cut_out: impl FnOnce(&str) -> Option<&str>) -> Value {
    let Some(whole) = located(value) else {
        return Value::Missing;
    };
    match cut_out(&whole.text) {
        Some(left) => Value::Text(part(&whole, left)),
        None => Value::Missing,
    }
}

/// Two texts.
pub fn two(arguments: &[Value]) -> Option<(&str, &str)> {
    match arguments {
        [a, b] => Some((a.as_str()?, b.as_str()?)),
        _ => None,
    }
}
