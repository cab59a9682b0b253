//! Mistakes between items, between clauses and within verdicts.

use crate::diagnostic::Diagnostic;
use crate::lang::error::syntax as error;
use crate::lang::parse::grammar::Rule;
use crate::lang::parse::pieces::ITEM_WORDS;
use crate::lang::parse::scan::Kind;
use crate::lang::parse::stuck::{CLAUSE_WORDS, Stuck};
use crate::lang::suggest::suggest;

/// What people write for items, clauses and operators of ours.
const ITEM_SYNONYMS: [(&str, &str); 14] = [
    ("import", "use"),
    ("include", "use"),
    ("require", "use"),
    ("package", "pack"),
    ("module", "pack"),
    ("parameter", "param"),
    ("option", "param"),
    ("constant", "const"),
    ("function", "fn"),
    ("func", "fn"),
    ("def", "fn"),
    ("let", "const"),
    ("type", "shape"),
    ("struct", "shape"),
];
const CLAUSE_SYNONYMS: [(&str, &str); 17] = [
    ("assert", "require"),
    ("check", "require"),
    ("expect", "require"),
    ("must", "require"),
    ("deny", "forbid"),
    ("reject", "forbid"),
    ("message", "report"),
    ("say", "report"),
    ("error", "report"),
    ("if", "when"),
    ("where", "when"),
    ("unless", "when"),
    ("given", "when"),
    ("each", "for"),
    ("ok", "pass"),
    ("good", "pass"),
    ("bad", "fail"),
];

impl Stuck<'_> {
    /// Between items.
    pub(super) fn item(&self) -> Option<Diagnostic> {
        let between_items = self.wants_item() && (self.in_column_1() || !self.wants_operator());
        if !between_items {
            return None;
        }
        let Some(found) = self.found else {
            return Some(error::documentation_of_nothing(self.here()));
        };
        let word = self.text(found);
        if word == "}" {
            return Some(error::brace_too_many(self.here()));
        }
        if found.kind == Kind::Word {
            let near = synonym(&ITEM_SYNONYMS, word).or_else(|| suggest(word, ITEM_WORDS));
            return Some(error::unknown_item(self.here(), word, near));
        }
        if self.adjoins() && word == "." {
            return Some(error::dot_in_slug(self.here(), self.previous_text()));
        }
        None
    }

    /// Between a condition and what is said about it.
    pub(super) fn verdict(&self) -> Option<Diagnostic> {
        if !self.wants(Rule::kw_report) || self.wants_clause() {
            return None;
        }
        if self.is(Kind::Text) {
            return Some(error::report_word_missing(self.here()));
        }
        let word = self.word();
        let over = self.at_next_clause() || ITEM_WORDS.contains(&word);
        over.then(|| error::report_missing(self.here(), &self.found_phrase()))
    }

    /// Where the next clause is due.
    pub(super) fn clause(&self) -> Option<Diagnostic> {
        if !self.wants_clause() {
            return None;
        }
        let word = self.word();
        let open = self.open.map(|token| self.span(token));
        if self.found.is_none() {
            return Some(error::brace_missing(self.here(), open));
        }
        if self.is(Kind::Text) || self.is(Kind::Traffic) {
            let traffic = self.is(Kind::Traffic);
            return Some(error::text_between_clauses(self.here(), traffic));
        }
        if word == "+" && self.previous(0).is_some_and(|token| token.kind == Kind::Text) {
            return Some(error::joined_text(self.here()));
        }
        if !self.is(Kind::Word) {
            return None;
        }
        if ["rule", "const", "param", "fn", "shape", "profile", "attribute"].contains(&word) {
            return Some(error::item_in_rule(self.here(), word, open));
        }
        if ["at", "help"].contains(&word) {
            return Some(error::outside_verdict(self.here(), word));
        }
        if word == "return" {
            return Some(error::return_in_rule(self.here()));
        }
        if ["description", "title", "doc", "docs", "summary"].contains(&word) {
            return Some(error::description_clause(self.here(), word));
        }
        if [
            "wait", "session", "gap", "tool", "prompt", "resource", "template", "raw",
        ]
        .contains(&word)
        {
            return Some(error::step_in_rule(self.here(), word));
        }
        let near = synonym(&CLAUSE_SYNONYMS, word).or_else(|| {
            let parts = ["as", "from", "of", "over", "where"].into_iter();
            let parts = parts.filter(|_| self.wants(Rule::kw_over));
            suggest(word, CLAUSE_WORDS.into_iter().chain(parts))
        });
        Some(error::unknown_clause(self.here(), word, near))
    }

    /// Where a text is due.
    pub(super) fn text_missing(&self) -> Option<Diagnostic> {
        if self.wants(Rule::text) {
            let reason = self.wants_operator();
            // A word directly behind `report` was taken for a level.
            let level = self.previous(0).filter(|token| {
                let report = self.previous(1).is_some_and(|token| self.text(token) == "report");
                report && token.kind == Kind::Word && self.text(*token) != "against" && self.adjoins()
            });
            return Some(match level {
                Some(word) => error::text_missing(self.span(word), &format!("`{}`", self.text(word)), reason),
                None => error::text_missing(self.here(), &self.found_phrase(), reason),
            });
        }
        if self.expected != [Rule::string] {
            return None;
        }
        let found = self.found.filter(|token| token.kind == Kind::Word)?;
        let rest = self.piece.get(found.start..)?;
        let length = rest
            .find(|c: char| c.is_whitespace() || c == ',')
            .unwrap_or(rest.len());
        let place = self.place(found.start, found.start + length);
        Some(error::quotes_missing(place, rest.get(..length)?))
    }
}

fn synonym(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    table
        .iter()
        .find(|(theirs, _)| *theirs == lower)
        .map(|(_, ours)| *ours)
}
