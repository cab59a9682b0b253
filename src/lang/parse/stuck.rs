//! The place where pest gave up, and what stands around it.

use super::grammar::{Failure, Rule};
use super::phrases::{Phrase, phrase};
use super::scan::{Kind, Token, innermost_open, tokens};
use crate::source::{SourceId, Span};

/// Words that go on with a value.
pub const OPERATOR_WORDS: [&str; 11] = [
    "and", "or", "not", "in", "has", "matches", "fits", "is", "exists", "missing", "fails",
];

/// Words that clauses begin with.
pub const CLAUSE_WORDS: [&str; 20] = [
    "severity",
    "fault",
    "source",
    "revision",
    "tags",
    "scope",
    "on",
    "for",
    "let",
    "when",
    "undecided",
    "require",
    "forbid",
    "report",
    "at",
    "help",
    "once",
    "pass",
    "fail",
    "skip",
];

/// Where a piece could not be read.
pub struct Stuck<'t> {
    source: SourceId,
    offset: usize,
    /// The piece.
    pub piece: &'t str,
    /// What pest would have taken.
    pub expected: Vec<Rule>,
    /// Whether a limit of pest was met rather than a text that it cannot read.
    pub limited: bool,
    /// What stands there; nothing at the end of the piece.
    pub found: Option<Token>,
    /// The tokens before it.
    pub before: Vec<Token>,
    /// The innermost bracket that is open there.
    pub open: Option<Token>,
}

impl<'t> Stuck<'t> {
    /// Where `failure` happened in a piece that begins at `offset` of a source.
    pub fn new(source: SourceId, offset: usize, piece: &'t str, failure: &Failure) -> Self {
        use pest::error::{ErrorVariant, InputLocation};
        let at = match failure.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let (expected, limited) = match &failure.variant {
            ErrorVariant::ParsingError { positives, .. } => (positives.clone(), false),
            ErrorVariant::CustomError { .. } => (Vec::new(), true),
        };
        let mut before = tokens(piece);
        let open = innermost_open(&before, at);
        let first = before
            .iter()
            .position(|token| token.end > at)
            .unwrap_or(before.len());
        let found = before.get(first).copied().map(|token| Token {
            start: token.start.max(at),
            ..token
        });
        before.truncate(first);
        Stuck {
            source,
            offset,
            piece,
            expected,
            limited,
            found,
            before,
            open,
        }
    }

    /// The text of a token.
    pub fn text(&self, token: Token) -> &'t str {
        self.piece.get(token.start..token.end).unwrap_or_default()
    }

    /// Where a token stands.
    pub fn span(&self, token: Token) -> Span {
        self.place(token.start, token.end)
    }

    /// Bytes of the piece.
    pub fn place(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.offset + start, self.offset + end)
    }

    /// Where to point: at what was found, or at the last token.
    pub fn here(&self) -> Span {
        match self.found.or(self.before.last().copied()) {
            Some(token) => self.span(token),
            None => {
                let last = self.piece.trim_end();
                let line = last.rfind('\n').map_or(0, |at| at + 1);
                self.place(line, last.len())
            }
        }
    }

    /// The text of what was found; empty at the end.
    pub fn word(&self) -> &'t str {
        self.found.map_or("", |token| self.text(token))
    }

    /// What was found, for a message.
    pub fn found_phrase(&self) -> String {
        match self.found {
            None => "the end".to_owned(),
            Some(token) if token.kind == Kind::Text => "a text".to_owned(),
            Some(token) if token.kind == Kind::Traffic => "a line of traffic".to_owned(),
            Some(token) => format!("`{}`", self.text(token)),
        }
    }

    /// The token before what was found, counted from 0.
    pub fn previous(&self, back: usize) -> Option<Token> {
        let index = self.before.len().checked_sub(back + 1)?;
        self.before.get(index).copied()
    }

    /// The text of the token before what was found.
    pub fn previous_text(&self) -> &'t str {
        self.previous(0).map_or("", |token| self.text(token))
    }

    /// Whether what was found is of a kind.
    pub fn is(&self, kind: Kind) -> bool {
        self.found.is_some_and(|token| token.kind == kind)
    }

    /// Whether what was found follows the token before it without a blank.
    pub fn adjoins(&self) -> bool {
        match (self.previous(0), self.found) {
            (Some(before), Some(found)) => before.end == found.start,
            _ => false,
        }
    }

    /// Whether what was found is the first on its line.
    pub fn begins_line(&self) -> bool {
        let before = self.found.and_then(|token| self.piece.get(..token.start));
        before.is_some_and(|text| text.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']))
    }

    /// Whether what was found begins in column 1.
    pub fn in_column_1(&self) -> bool {
        let before = self.found.and_then(|token| self.piece.get(..token.start));
        before.is_some_and(|text| text.is_empty() || text.ends_with(['\n', '\r']))
    }

    /// Whether a grammar rule would have been taken.
    pub fn wants(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    fn wants_phrase(&self, wanted: Phrase) -> bool {
        self.expected.iter().any(|rule| phrase(*rule) == wanted)
    }

    /// Whether an operator would have been taken.
    pub fn wants_operator(&self) -> bool {
        self.wants(Rule::op_eq)
    }

    /// Whether a value would have been taken.
    pub fn wants_value(&self) -> bool {
        self.wants_phrase(Phrase::Value)
    }

    /// Whether any clause would have been taken.
    pub fn wants_clause(&self) -> bool {
        self.wants(Rule::kw_on) && self.wants(Rule::kw_severity)
    }

    /// Whether an item would have been taken.
    pub fn wants_item(&self) -> bool {
        self.wants_phrase(Phrase::Item)
    }

    /// Whether what was found, or the end, shows that what stood before it is over.
    pub fn at_next_clause(&self) -> bool {
        match self.found {
            None => true,
            Some(token) if token.kind == Kind::Word => CLAUSE_WORDS.contains(&self.text(token)),
            Some(token) => matches!(token.kind, Kind::Text | Kind::Traffic) || self.text(token) == "}",
        }
    }

    /// What could have stood here, at most three things.
    pub fn expected_phrase(&self) -> String {
        let clause = self.wants_clause();
        let operator = self.wants_operator();
        let mut phrases: Vec<Phrase> = self
            .expected
            .iter()
            .map(|rule| phrase(*rule))
            .filter(|phrase| match phrase {
                Phrase::Silent => false,
                Phrase::Word(word) | Phrase::Begins(word) if clause => !CLAUSE_WORDS.contains(word),
                Phrase::Word(word) if operator => !OPERATOR_WORDS.contains(word),
                Phrase::Mark("[" | "(") if operator => false,
                Phrase::Word("of" | "or") if self.wants(Rule::equals) => false,
                Phrase::Word(_) | Phrase::Mark(_) => !self.wants_value(),
                _ => true,
            })
            .chain(clause.then_some(Phrase::Clause))
            .collect();
        phrases.sort_unstable();
        phrases.dedup();
        // What goes on is worth a word only where nothing else is due.
        if phrases.len() > 3 {
            phrases.retain(|phrase| !matches!(phrase, Phrase::Begins(_) | Phrase::Word(_)));
        }
        phrases.truncate(3);
        let mut words: Vec<String> = phrases.into_iter().map(spelt).collect();
        match words.pop() {
            None => "something else".to_owned(),
            Some(last) if words.is_empty() => last,
            Some(last) => format!("{} or {last}", words.join(", ")),
        }
    }
}

/// A phrase in words.
fn spelt(phrase: Phrase) -> String {
    match phrase {
        Phrase::Thing(name) => name.to_owned(),
        Phrase::Word(text) | Phrase::Mark(text) | Phrase::Begins(text) => format!("`{text}`"),
        Phrase::Value => "a value".to_owned(),
        Phrase::Operator => "an operator".to_owned(),
        Phrase::Clause => "the next clause".to_owned(),
        Phrase::Item => "an item".to_owned(),
        Phrase::Line => "a line of traffic".to_owned(),
        Phrase::End => "the end".to_owned(),
        Phrase::Silent => String::new(),
    }
}
