//! Marks that recorders leave where a value stood.

/// What stands in brackets where a value was taken out.
const WORDS: [&str; 7] = [
    "redacted",
    "filtered",
    "masked",
    "hidden",
    "removed",
    "scrubbed",
    "sanitized",
];

/// Whether a text is a mark and no value: `REDACTED` in any case, or stars; both also in brackets. In brackets also other
/// words for it, such as `[FILTERED]`.
pub fn is_redaction(text: &str) -> bool {
    // Most texts are too long, or too short.
    if !(3..=64).contains(&text.len()) {
        return false;
    }
    let word = text.trim_matches(['[', ']', '<', '>', '(', ')', '{', '}']);
    let is_bracketed = word.len() + 2 <= text.len() && text.starts_with(['[', '<', '(', '{']);
    word.eq_ignore_ascii_case(WORDS[0])
        || (is_bracketed && WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
        || (word.len() >= 3 && word.bytes().all(|b| b == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stands_alone() {
        for mark in [
            "REDACTED",
            "[redacted]",
            "<Redacted>",
            "***",
            "(****)",
            "********",
            "[FILTERED]",
            "<masked>",
            "(hidden)",
        ] {
            assert!(is_redaction(mark), "{mark}");
        }
        for text in [
            "",
            "*",
            "**",
            "redacted-server",
            "hidden",
            "filtered]",
            "it was redacted",
            "a****",
            "***a",
        ] {
            assert!(!is_redaction(text), "{text}");
        }
    }
}
