//! Classes of characters that people do not see.

use super::text::{located, parts};
use crate::model::value::Value;

/// The characters of a text of which `test` holds, given the one before; each knows where it stands.
pub fn offending(value: &Value, test: impl Fn(Option<char>, char) -> bool) -> Value {
    let Some(text) = located(value) else {
        return Value::Missing;
    };
    let mut before = None;
    let found = text.text.char_indices().filter_map(|(start, c)| {
        let slice = test(before, c).then(|| &text.text[start..start + c.len_utf8()]);
        before = Some(c);
        slice
    });
    parts(&text, found.collect::<Vec<_>>())
}

/// Marks that change the direction in which text runs.
pub fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters without a glyph or width of their own (`Default_Ignorable_Code_Point` of Unicode 16).
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Joiners and variation selectors, which have their place behind a visible character that they belong to.
pub fn is_attached(before: Option<char>, c: char) -> bool {
    let takes_one = |before: char| {
        !is_invisible(before)
            && (!before.is_ascii() || before.is_ascii_digit() || matches!(before, '#' | '*'))
    };
    match c {
        '\u{fe00}'..='\u{fe0f}' | '\u{200c}' => before.is_some_and(takes_one),
        // Also behind the selector of an emoji, as in a flag: 🏳️‍🌈.
        '\u{200d}' => before.is_some_and(|before| before == '\u{fe0f}' || takes_one(before)),
        _ => false,
    }
}
