//! `+` and `-`

use super::logic::unknown;
use crate::json::Number;
use crate::model::value::Value;

/// `a + b`: numbers exactly, texts one after the other, a time and a duration, two durations. Else missing, also where
/// the result would leave the range (38 digits, 292 years).
pub fn add(a: &Value, b: &Value) -> Value {
    combine(a, b, |a, b| match (a, b) {
        (Value::Time(a), Value::Duration(b)) | (Value::Duration(a), Value::Time(b)) => {
            a.checked_add(*b).map(Value::Time)
        }
        (Value::Duration(a), Value::Duration(b)) => a.checked_add(*b).map(Value::Duration),
        _ => match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => Some(Value::text([a, b].concat())),
            _ => a.as_number()?.plus(&b.as_number()?).map(Value::Number),
        },
    })
}

/// `a - b`: numbers exactly, the duration between two times, a time less a duration, two durations. Else missing.
pub fn subtract(a: &Value, b: &Value) -> Value {
    combine(a, b, |a, b| match (a, b) {
        (Value::Time(a), Value::Duration(b)) => a.checked_sub(*b).map(Value::Time),
        (Value::Time(a), Value::Time(b)) | (Value::Duration(a), Value::Duration(b)) => {
            a.checked_sub(*b).map(Value::Duration)
        }
        _ => a.as_number()?.minus(&b.as_number()?).map(Value::Number),
    })
}

/// `-a` of a number or a duration; else missing.
pub fn negate(a: &Value) -> Value {
    match a {
        Value::Unknown(_) => a.clone(),
        Value::Duration(a) => Value::or_missing(a.checked_neg(), Value::Duration),
        _ => Value::or_missing(a.as_number().and_then(|n| opposite(&n)), Value::Number),
    }
}

fn opposite(n: &Number) -> Option<Number> {
    if *n == Number::from(0i64) {
        return Some(Number::from(0i64));
    }
    let written = n.written();
    match written.strip_prefix('-') {
        Some(positive) => Number::parse(positive),
        None => Number::parse(&format!("-{written}")),
    }
}

fn combine(a: &Value, b: &Value, op: impl Fn(&Value, &Value) -> Option<Value>) -> Value {
    if matches!(a, Value::Missing) || matches!(b, Value::Missing) {
        return Value::Missing;
    }
    match unknown([a, b]) {
        Some(reasons) => Value::Unknown(reasons),
        None => op(a, b).unwrap_or(Value::Missing),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn numbers_are_exact_and_texts_join() {
        same(&add(&json("0.1"), &json("0.2")), &json("0.3"));
        same(
            &subtract(&json("9007199254740993"), &json("1")),
            &json("9007199254740992"),
        );
        same(&add(&json(r#""a""#), &Value::text("b")), &Value::text("ab"));
        same(&negate(&json("-1.50")), &json("1.5"));
        same(&negate(&json("1e400")), &json("-1e400"));
        same(&negate(&json("0")), &json("0"));
    }

    #[test]
    fn times_and_durations() {
        let (t, d) = (Value::Time(100), Value::Duration(30));
        same(&add(&t, &d), &Value::Time(130));
        same(&add(&d, &t), &Value::Time(130));
        same(&subtract(&t, &d), &Value::Time(70));
        same(&subtract(&Value::Time(130), &t), &d);
        same(&negate(&d), &Value::Duration(-30));
        same(&add(&Value::Time(i64::MAX), &d), &Value::Missing);
        same(&subtract(&d, &t), &Value::Missing);
        same(&add(&t, &t), &Value::Missing);
    }

    #[test]
    fn other_kinds_are_missing() {
        for (a, b) in [
            (json("1"), json("\"1\"")),
            (json("null"), json("1")),
            (json("[]"), json("[]")),
        ] {
            same(&add(&a, &b), &Value::Missing);
            same(&subtract(&a, &b), &Value::Missing);
        }
        same(&subtract(&json("\"a\""), &json("\"a\"")), &Value::Missing);
        same(&negate(&json("\"a\"")), &Value::Missing);
        same(&add(&dark(), &Value::Missing), &Value::Missing);
        assert!(matches!(add(&dark(), &json("1")), Value::Unknown(_)));
        assert!(matches!(negate(&dark()), Value::Unknown(_)));
    }
}
