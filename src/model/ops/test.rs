//! `matches` and `is`

use super::logic::unknown;
use super::path::matches_path;
use crate::json::JsonKind;
use crate::lang::program::TypeTest;
use crate::model::value::{Truth, Value};

/// `x matches pattern`: a regular expression is found anywhere in a text, a pattern for paths is about the whole path.
/// False for everything else, missing included.
pub fn matches(x: &Value, pattern: &Value) -> Truth {
    if matches!(x, Value::Missing) || matches!(pattern, Value::Missing) {
        return Truth::False;
    }
    if let Some(reasons) = unknown([x, pattern]) {
        return Truth::Unknown(reasons);
    }
    match (x, pattern) {
        (Value::Path(path), Value::PathPattern(pattern)) => matches_path(path, pattern).into(),
        (_, Value::Pattern(pattern)) => x.as_str().is_some_and(|text| pattern.is_match(text)).into(),
        _ => Truth::False,
    }
}

/// `x is T`. False for missing; a record is what its JSON is.
pub fn is(x: &Value, test: TypeTest) -> Truth {
    let kind = match x {
        Value::Unknown(reasons) => return Truth::Unknown(reasons.clone()),
        Value::Record(record) => record.json().map(|json| json.kind()),
        _ => x.json_kind(),
    };
    match test {
        TypeTest::Null => kind == Some(JsonKind::Null),
        TypeTest::Boolean => kind == Some(JsonKind::Boolean),
        TypeTest::Integer => x.as_number().is_some_and(|n| n.is_integral()),
        TypeTest::Number => kind == Some(JsonKind::Number),
        TypeTest::Text => kind == Some(JsonKind::Text),
        TypeTest::List => kind == Some(JsonKind::List),
        TypeTest::Object => kind == Some(JsonKind::Object),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::testing::*;
    use super::*;

    fn pattern(text: &str) -> Value {
        Value::Pattern(Arc::new(regex::Regex::new(text).unwrap()))
    }

    #[test]
    fn a_regular_expression_is_found_anywhere() {
        yes(matches(&json(r#""xay""#), &pattern("a")));
        no(matches(&Value::text("xay"), &pattern("^a")));
        no(matches(&json("1"), &pattern("1")));
        no(matches(&Value::Missing, &pattern("")));
        unsure(matches(&dark(), &pattern("")));
    }

    #[test]
    fn is_asks_for_the_kind() {
        yes(is(&json("1.0"), TypeTest::Integer));
        no(is(&json("1.5"), TypeTest::Integer));
        yes(is(&json("1.5"), TypeTest::Number));
        yes(is(&Value::Null, TypeTest::Null));
        yes(is(&json("null"), TypeTest::Null));
        yes(is(&json("[]"), TypeTest::List));
        yes(is(&Value::fields([]), TypeTest::Object));
        no(is(&json("\"1\""), TypeTest::Number));
        no(is(&Value::Missing, TypeTest::Null));
        no(is(&Value::Time(0), TypeTest::Integer));
        unsure(is(&dark(), TypeTest::Null));
    }
}
