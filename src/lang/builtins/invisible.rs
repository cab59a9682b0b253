//! `invisible(text)`

use super::common::characters;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "invisible",
    parameters: &[Parameter::text("text")],
    result: |_| Type::list(Type::String),
    doc: "The characters in a text that people do not see, one by one: of no width, fillers, tags and \
          variation selectors, marks of direction. A joiner or a variation selector directly behind a \
          character that it belongs to, as in emoji, does not count; blanks and control characters are \
          none. They stand where they stood in the text.",
    examples: &[
        (
            r#""a\u{200b}b\u{e0041}".invisible()"#,
            r#"["\u{200b}", "\u{e0041}"]"#,
        ),
        (r#""👩\u{200d}🔬 ❤\u{fe0f} 1\u{fe0f}\u{20e3}".invisible()"#, "[]"),
        (r#""❤\u{fe0f}\u{fe0f}".invisible().length()"#, "1"),
        (r#""a b\n".invisible()"#, "[]"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    characters::offending(&arguments[0], |before, c| {
        characters::is_invisible(c) && !characters::is_attached(before, c)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::value::Text;
    use crate::place::Place;

    #[test]
    fn they_know_where_they_stand() {
        let text = Value::Text(Text::at("ä\u{200b}", Place::default()));
        let found = call(&[text]).as_list().unwrap();
        assert_eq!(found.items[0].value.place().unwrap().range, Some((1, 2)));
        let flag = Value::text("🏳\u{fe0f}\u{200d}🌈 a\u{200d}b");
        assert_eq!(call(&[flag]).as_list().unwrap().items.len(), 1);
    }
}
