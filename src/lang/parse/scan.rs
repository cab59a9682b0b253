//! A rough look at the tokens of a piece.
//!
//! It serves two ends: nesting is measured before anything recurses, and a message about what pest could not read needs
//! the tokens around that place. It knows no grammar, so where a text is broken it guesses, line by line.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Word,
    Number,
    /// A text; one with holes is cut at them.
    Text,
    Regex,
    /// `(`, `[`, `{`
    Open,
    /// The `{` of a hole in a text.
    Hole,
    /// `)`, `]`, `}`
    Close,
    /// A line of traffic.
    Traffic,
    /// Anything else.
    Mark,
}

/// Words behind which a value is due. Behind any other word, a text is one with holes and a slash divides.
const BEFORE_VALUES: [&str; 29] = [
    "and",
    "at",
    "else",
    "fail",
    "fits",
    "forbid",
    "has",
    "if",
    "in",
    "is",
    "matches",
    "not",
    "of",
    "or",
    "pass",
    "per",
    "require",
    "return",
    "session",
    "skip",
    "source",
    "tag",
    "tags",
    "then",
    "undecided",
    "when",
    "where",
    "from",
    "over",
];

/// The tokens of a text, comments left out.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner {
        text,
        at: 0,
        open: Vec::new(),
        tokens: Vec::new(),
        line_start: true,
    };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.tokens
}

/// The first bracket that is opened within `limit` others.
pub fn too_deep(tokens: &[Token], limit: usize) -> Option<Token> {
    let mut depth = 0_usize;
    for token in tokens {
        match token.kind {
            Kind::Open | Kind::Hole if depth == limit => return Some(*token),
            Kind::Open | Kind::Hole => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The innermost bracket that is open before a place.
pub fn innermost_open(tokens: &[Token], at: usize) -> Option<Token> {
    let mut open = Vec::new();
    for token in tokens.iter().take_while(|token| token.end <= at) {
        match token.kind {
            Kind::Open | Kind::Hole => open.push(*token),
            Kind::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The open brackets; a hole goes back into its text when it is closed.
    open: Vec<Kind>,
    tokens: Vec<Token>,
    line_start: bool,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, length: usize, kind: Kind) {
        let start = self.at;
        self.at += length;
        self.tokens.push(Token {
            start,
            end: self.at,
            kind,
        });
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else {
            return;
        };
        if c == '\n' {
            self.at += 1;
            self.line_start = true;
            // A hole ends with its line: one that is not closed must not shift all that follows.
            if let Some(hole) = self.open.iter().position(|kind| *kind == Kind::Hole) {
                self.open.truncate(hole);
            }
            return;
        }
        if c.is_whitespace() {
            self.at += c.len_utf8();
            return;
        }
        let line = || rest.find(['\n', '\r']).unwrap_or(rest.len());
        let at_line_start = std::mem::take(&mut self.line_start);
        if rest.starts_with("//") {
            self.at += line();
        } else if at_line_start && (c == '>' || c == '<') {
            self.push(line(), Kind::Traffic);
        } else if c.is_ascii_digit() {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            self.push(rest.find(|c| !word(c)).unwrap_or(rest.len()), Kind::Number);
        } else if c.is_alphabetic() || c == '_' {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            self.push(rest.find(|c| !word(c)).unwrap_or(rest.len()), Kind::Word);
        } else if c == '"' {
            self.text_from(1, !self.value_is_due());
        } else if c == '/' && self.value_is_due() {
            self.push(regex_length(&rest[..line()]), Kind::Regex);
        } else if "([{".contains(c) {
            self.open.push(Kind::Open);
            self.push(1, Kind::Open);
        } else if ")]}".contains(c) {
            let closed = self.open.pop();
            self.push(1, Kind::Close);
            if closed == Some(Kind::Hole) && c == '}' {
                self.text_from(0, true);
            }
        } else {
            let double = ["==", "!=", "<=", ">=", "->", "..", "&&", "||"]
                .iter()
                .any(|mark| rest.starts_with(mark));
            self.push(if double { 2 } else { c.len_utf8() }, Kind::Mark);
        }
    }

    /// A text or the rest of one, up to its quote, its next hole, or the end of the line.
    fn text_from(&mut self, quote: usize, holes: bool) {
        let mut escaped = false;
        let mut length = quote;
        for c in self.rest()[quote..].chars() {
            match c {
                '\n' | '\r' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    self.push(length + 1, Kind::Text);
                    return;
                }
                '{' if holes => {
                    self.push(length, Kind::Text);
                    self.open.push(Kind::Hole);
                    self.push(1, Kind::Hole);
                    return;
                }
                _ => {}
            }
            length += c.len_utf8();
        }
        self.push(length, Kind::Text);
    }

    /// Whether the next token should be a value rather than something that goes on with one.
    fn value_is_due(&self) -> bool {
        let Some(last) = self.tokens.last() else {
            return true;
        };
        match last.kind {
            Kind::Open | Kind::Hole | Kind::Mark | Kind::Traffic => true,
            Kind::Word => {
                let word = self.text.get(last.start..last.end).unwrap_or_default();
                BEFORE_VALUES.contains(&word)
            }
            Kind::Number | Kind::Text | Kind::Regex | Kind::Close => false,
        }
    }
}

/// How far a regular expression at the beginning of a line goes; to its end if nothing closes it.
fn regex_length(line: &str) -> usize {
    let mut in_class = false;
    let mut escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return at + 1,
            _ => {}
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|t| &text[t.start..t.end]).collect()
    }

    #[test]
    fn cuts_texts_at_their_holes() {
        assert_eq!(
            shown(r#"report "a {f("x{")[1]} b" at c"#),
            [
                "report", "\"a ", "{", "f", "(", "\"x{\"", ")", "[", "1", "]", "}", " b\"", "at", "c"
            ]
        );
        assert_eq!(shown(r#"a == "x{" b"#), ["a", "==", "\"x{\"", "b"]);
    }

    #[test]
    fn knows_a_regex_from_a_slash() {
        assert_eq!(shown("a matches /[/(]/ b"), ["a", "matches", "/[/(]/", "b"]);
        assert_eq!(shown("a / (b)"), ["a", "/", "(", "b", ")"]);
    }

    #[test]
    fn finds_what_is_open() {
        let text = "rule a {\n  f([1], {\n";
        let tokens = tokens(text);
        assert_eq!(
            innermost_open(&tokens, text.len()).unwrap().start,
            text.rfind('{').unwrap()
        );
        assert_eq!(too_deep(&tokens, 2).unwrap().start, text.find('[').unwrap());
        assert_eq!(too_deep(&tokens, 3), None);
    }

    #[test]
    fn an_open_hole_ends_with_its_line() {
        let text = "rule a {\n  report \"{(a\"\n  (\n";
        let tokens = tokens(text);
        assert_eq!(
            innermost_open(&tokens, text.len()).unwrap().start,
            text.rfind('(').unwrap()
        );
    }
}
