//! `matches` and `is`

use super::logic::unknown;
use crate::json::{JsonKind, JsonView};
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
        (Value::Path(path), Value::PathPattern(pattern)) => pattern.matches(path).into(),
        (_, Value::Pattern(pattern)) => x.as_str().is_some_and(|text| pattern.is_match(text)).into(),
        _ => Truth::False,
    }
}

/// `x is T`. False for missing; a record is what its JSON is.
pub fn is(x: &Value, test: TypeTest) -> Truth {
    let kind = match x {
        Value::Unknown(reasons) => return Truth::Unknown(reasons.clone()),
        Value::Record(record) => record.view().map(JsonView::kind),
        Value::Json(json) => return is_json(json.view(), test).into(),
        _ => x.json_kind(),
    };
    match test {
        TypeTest::Integer => x.as_number().is_some_and(|n| n.is_integral()),
        _ => kind.is_some_and(|kind| is_kind(kind, test)),
    }
    .into()
}

/// The same of what stands in a document.
pub fn is_json(x: JsonView, test: TypeTest) -> bool {
    match test {
        TypeTest::Integer => x.as_number().is_some_and(|n| n.is_integral()),
        _ => is_kind(x.kind(), test),
    }
}

fn is_kind(kind: JsonKind, test: TypeTest) -> bool {
    match test {
        TypeTest::Null => kind == JsonKind::Null,
        TypeTest::Boolean => kind == JsonKind::Boolean,
        TypeTest::Integer | TypeTest::Number => kind == JsonKind::Number,
        TypeTest::Text => kind == JsonKind::Text,
        TypeTest::List => kind == JsonKind::List,
        TypeTest::Object => kind == JsonKind::Object,
    }
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
