//! `strip_prefix(text, prefix)`

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "strip_prefix",
    parameters: &[Parameter::text("text"), Parameter::text("prefix")],
    result: |_| Type::String,
    doc: "The text behind a prefix; missing if it does not begin with it. The result stands where it stood \
          in the text.",
    examples: &[
        (r#""Bearer abc".strip_prefix("Bearer ")"#, r#""abc""#),
        (r#""abc".strip_prefix("b")"#, "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(prefix) = arguments[1].as_str() else {
        return Value::Missing;
    };
    text::slice(&arguments[0], |text| text.strip_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::value::Text;
    use crate::place::Place;

    #[test]
    fn what_is_left_knows_where_it_stands() {
        let text = Value::Text(Text::at("äöab", Place::default()));
        let left = call(&[text, Value::text("äö")]);
        assert_eq!(left.place().unwrap().range, Some((2, 4)));
    }
}
