//! Values for tests.

use std::sync::Arc;

use super::equal;
use crate::json::decode_all;
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Truth, Value};

/// A JSON value.
pub fn json(text: &str) -> Value {
    Value::Json(Arc::new(decode_all(text, None).unwrap()).root().unwrap())
}

/// Something unknown.
pub fn dark() -> Value {
    Value::unknown(Reason::Redacted)
}

/// Why a list is incomplete.
pub fn gone() -> Reasons {
    Reason::Start.into()
}

#[track_caller]
pub fn yes(truth: Truth) {
    assert_eq!(truth, Truth::True);
}

#[track_caller]
pub fn no(truth: Truth) {
    assert_eq!(truth, Truth::False);
}

#[track_caller]
pub fn unsure(truth: Truth) {
    assert!(matches!(truth, Truth::Unknown(_)), "{truth:?}");
}

#[track_caller]
pub fn same(a: &Value, b: &Value) {
    assert_eq!(equal(a, b), Truth::True, "{a:?} against {b:?}");
}
