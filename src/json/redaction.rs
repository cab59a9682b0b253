//! Marks that recorders leave where a value stood.

/// Whether a text is a mark and no value: `REDACTED` in any case, or stars; both also in brackets.
pub fn is_redaction(text: &str) -> bool {
    // Most texts are too long, or too short.
    if !(3..=64).contains(&text.len()) {
        return false;
    }
    let word = text.trim_matches(['[', ']', '<', '>', '(', ')', '{', '}']);
    word.eq_ignore_ascii_case("redacted") || (word.len() >= 3 && word.bytes().all(|b| b == b'*'))
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
        ] {
            assert!(is_redaction(mark), "{mark}");
        }
        for text in [
            "",
            "*",
            "**",
            "redacted-server",
            "it was redacted",
            "a****",
            "***a",
        ] {
            assert!(!is_redaction(text), "{text}");
        }
    }
}
