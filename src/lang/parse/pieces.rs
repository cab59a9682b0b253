//! A rule file in pieces: one item each, with its documentation.
//!
//! Items begin in column 1 and nothing inside an item looks like one there, so the cuts need no grammar. Each piece is
//! parsed by itself: a fault in one cannot hide the next.

use std::ops::Range;

/// The words that items begin with.
pub const ITEM_WORDS: [&str; 10] = [
    "pack",
    "use",
    "param",
    "const",
    "fn",
    "attribute",
    "closed",
    "shape",
    "profile",
    "rule",
];

/// The byte ranges of the pieces of a text; together they are the whole text.
pub fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut begun = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let doc = is_doc(line);
        if begun && (doc || begins_item(line)) {
            pieces.push(start..at);
            start = at;
            begun = false;
        }
        begun |= !doc && !is_empty(line);
        at += line.len();
    }
    pieces.push(start..text.len());
    pieces
}

/// A rule without its examples, which stand at its end; `None` if it has none.
pub fn without_examples(piece: &str) -> Option<String> {
    let mut at = 0;
    let first = piece.split_inclusive('\n').find_map(|line| {
        let start = at;
        at += line.len();
        begins_example(line.trim_start()).then_some(start)
    })?;
    Some(format!("{}}}", piece.get(..first)?))
}

/// Whether a line of a rule begins with the word of an example; `undecided when` is a clause.
fn begins_example(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("pass" | "fail" | "skip") => true,
        Some("undecided") => words.next() != Some("when"),
        _ => false,
    }
}

/// Whether the line is documentation in column 1.
fn is_doc(line: &str) -> bool {
    line.starts_with("///") && !line.starts_with("////")
}

/// Whether the line holds nothing but a comment.
fn is_empty(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("//")
}

/// Whether the line has the first word of an item in column 1.
fn begins_item(line: &str) -> bool {
    let word = line
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .map_or(line, |end| &line[..end]);
    ITEM_WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).into_iter().map(|piece| &text[piece]).collect()
    }

    #[test]
    fn cuts_before_items_and_their_documentation() {
        assert_eq!(
            cut("// c\npack a\n/// d\n// e\n\nrule b {\n}\nrule c {\n  rule d {\n"),
            [
                "// c\npack a\n",
                "/// d\n// e\n\nrule b {\n}\n",
                "rule c {\n  rule d {\n"
            ]
        );
    }

    #[test]
    fn longer_words_are_no_items() {
        assert_eq!(cut("rule a {\nruleset\nuse_x\n}").len(), 1);
    }

    #[test]
    fn a_rule_without_its_examples() {
        let rule = "rule a {\n  // fail\n  undecided when b \"c\"\n  report \"d\"\n\n  undecided {\n  > {}\n  }\n}\n";
        let short = "rule a {\n  // fail\n  undecided when b \"c\"\n  report \"d\"\n\n}";
        assert_eq!(without_examples(rule).as_deref(), Some(short));
        assert_eq!(without_examples("const A = 1\n"), None);
    }

    #[test]
    fn nothing_is_one_piece() {
        assert_eq!(cut(""), [""]);
    }
}
