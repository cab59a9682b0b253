//! What stands somewhere and belongs nowhere.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Nothing more is known than what could have stood there.
pub fn unexpected(span: Span, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::error("unexpected", format!("expected {expected}, found {found}")).at(span)
}

/// `#`, `/*`
pub fn comment(span: Span, mark: &str) -> Diagnostic {
    Diagnostic::error("comment", format!("`{mark}` begins no comment"))
        .at(span)
        .help("write `//`; a comment goes to the end of its line")
}

/// A letter outside ASCII in a name.
pub fn foreign_letter(span: Span, letter: char) -> Diagnostic {
    Diagnostic::error("foreign-letter", format!("`{letter}` cannot stand in a name"))
        .at(span)
        .help("names consist of the letters a to z, digits and `_`; texts may hold any character")
}

/// A character that nobody sees.
pub fn invisible_character(span: Span, c: char) -> Diagnostic {
    let message = format!("an invisible character stands here, U+{:04X}", u32::from(c));
    Diagnostic::error("invisible-character", message)
        .at(span)
        .help("delete it; in a text it can be written as an escape, `\\u{…}`")
}
