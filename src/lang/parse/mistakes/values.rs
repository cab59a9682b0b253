//! Mistakes within expressions.

use crate::diagnostic::Diagnostic;
use crate::lang::error::syntax as error;
use crate::lang::parse::grammar::Rule;
use crate::lang::parse::scan::Kind;
use crate::lang::parse::stuck::{CLAUSE_WORDS, OPERATOR_WORDS, Stuck};
use crate::lang::suggest::suggest;

impl Stuck<'_> {
    /// Forms that are not at their end: `if`, a quantifier, a block of a function.
    pub(super) fn form(&self) -> Option<Diagnostic> {
        let word = self.word();
        let braces = word == "{" && self.wants_operator();
        if (self.wants(Rule::kw_then) || self.wants(Rule::kw_else)) && braces {
            return Some(error::braces_around_branch(self.here()));
        }
        if self.wants(Rule::kw_then) && (self.at_next_clause() || word == "else") {
            return Some(error::if_without(self.here(), "then", &self.found_phrase()));
        }
        if self.wants(Rule::kw_else) && self.at_next_clause() {
            return Some(error::if_without(self.here(), "else", &self.found_phrase()));
        }
        if self.wants(Rule::kw_return) && (self.begins_line() || word == "}" || self.found.is_none()) {
            return Some(error::return_missing(self.here(), &self.found_phrase()));
        }
        if self.wants_operator() && self.wants(Rule::colon) && word != "of" {
            return Some(error::colon_missing(self.here(), &self.found_phrase()));
        }
        if self.expected == [Rule::kw_in] {
            return Some(error::in_missing(self.here(), &self.found_phrase()));
        }
        if self.wants_operator() && word == ":" {
            let quantifier = self.before.iter().rev().take(3).any(|token| {
                matches!(
                    self.text(*token),
                    "any" | "all" | "count" | "first" | "last" | "those" | "each" | "duplicates"
                )
            });
            let before_in = self
                .before
                .iter()
                .rev()
                .take(3)
                .any(|token| self.text(*token) == "in");
            if quantifier && before_in {
                return Some(error::quantifier_without_name(self.here()));
            }
        }
        None
    }

    /// A text inside a hole that goes on beyond it, so that everything behind it is read wrongly.
    pub(super) fn text_in_hole(&self) -> Option<Diagnostic> {
        let text = self.previous(0).filter(|token| token.kind == Kind::Text)?;
        let words = self.text(text);
        let line = self.piece.get(..text.start)?.rfind('\n').map_or(0, |at| at + 1);
        let of_line = self.before.iter().filter(|token| token.start >= line);
        let inside = of_line.fold(false, |inside, token| match token.kind {
            Kind::Hole => true,
            Kind::Close => inside && self.text(*token) != "}",
            _ => inside,
        });
        let beyond = words.len() > 1 && words.starts_with('"') && words.contains('}');
        let over = self.found.is_none() || self.begins_line() || self.is(Kind::Word);
        (inside && beyond && over)
            .then(|| error::unclosed_text_in_hole(self.place(text.start, text.start + 1)))
    }

    /// Inside a hole of a text.
    pub(super) fn hole(&self) -> Option<Diagnostic> {
        let hole = self.open.filter(|token| token.kind == Kind::Hole)?;
        let place = self.span(hole);
        if self.wants_value() && self.word() == "}" {
            return Some(error::hole_empty(place));
        }
        if self.wants_value() && self.previous(0) == Some(hole) {
            return Some(error::hole_without_value(self.here(), &self.found_phrase()));
        }
        if !self.wants(Rule::close_brace) {
            return None;
        }
        if self.word() == ":" {
            return Some(error::hole_with_format(self.here()));
        }
        (self.is(Kind::Text) || self.begins_line() || self.found.is_none())
            .then(|| error::hole_unclosed(place))
    }

    /// Brackets without their partner.
    pub(super) fn bracket(&self) -> Option<Diagnostic> {
        let word = self.word();
        if self.wants_operator() && word == ":" && self.wants(Rule::close_bracket) {
            return Some(error::slice(self.here()));
        }
        let due = [
            (Rule::close_paren, ")"),
            (Rule::close_bracket, "]"),
            (Rule::close_brace, "}"),
        ];
        let due = due.into_iter().find(|(rule, _)| self.wants(*rule));
        if let Some((_, due)) = due
            && (self.wants_operator() || self.wants(Rule::comma))
            && !self.wants_clause()
            && (self.at_next_clause() || self.is(Kind::Close))
        {
            let open = self.open.map(|token| self.span(token));
            return Some(error::bracket_missing(
                self.here(),
                due,
                &self.found_phrase(),
                open,
            ));
        }
        if due.is_some_and(|(_, due)| due == "}") && self.found.is_none() {
            let open = self.open.map(|token| self.span(token));
            return Some(error::brace_missing(self.here(), open));
        }
        if self.is(Kind::Close) && self.wants_operator() && word != "}" {
            return Some(error::bracket_too_many(self.here(), word));
        }
        None
    }

    /// Behind a value.
    pub(super) fn operator(&self) -> Option<Diagnostic> {
        if !self.wants_operator() {
            return None;
        }
        let found = self.found?;
        let word = self.text(found);
        let before = self.previous(0)?;
        if word == "?" {
            return Some(error::ternary(self.here()));
        }
        if before.kind == Kind::Regex && self.adjoins() {
            return Some(error::slash_in_regex(self.span(before)));
        }
        let goes_on = OPERATOR_WORDS.contains(&word) || CLAUSE_WORDS.contains(&word);
        if self.text(before) == "missing" && found.kind == Kind::Word && !goes_on {
            return Some(error::test_in_front(self.span(before), "missing"));
        }
        if before.kind == Kind::Number && error::unit(word).is_some() {
            let place = self.place(before.start, found.end);
            return Some(error::unit_apart(place, self.text(before), word));
        }
        if word == "{" {
            return Some(error::no_blocks(self.here()));
        }
        if found.kind != Kind::Word {
            return None;
        }
        let lower = word.to_ascii_lowercase();
        let ours = match lower.as_str() {
            "contains" | "includes" => "has` or `in",
            "equals" | "eq" => "==",
            "like" | "match" => "matches",
            "does" | "doesnt" | "isnt" => "not … matches`, `not … has",
            "absent" | "undefined" => "missing",
            "present" => "exists",
            _ => OPERATOR_WORDS
                .into_iter()
                .find(|ours| *ours == lower && *ours != word)
                .unwrap_or(""),
        };
        if !ours.is_empty() {
            return Some(error::foreign_operator(self.here(), word, ours));
        }
        if CLAUSE_WORDS.contains(&word) {
            return None;
        }
        let mut words: Vec<&str> = OPERATOR_WORDS.to_vec();
        let forms = [
            (Rule::kw_then, "then"),
            (Rule::kw_else, "else"),
            (Rule::kw_report, "report"),
        ];
        words.extend(
            forms
                .iter()
                .filter(|(rule, _)| self.wants(*rule))
                .map(|(_, word)| *word),
        );
        match suggest(word, words) {
            Some(near) => Some(error::unknown_word(self.here(), word, near)),
            None if self.wants(Rule::kw_then) => {
                Some(error::if_without(self.here(), "then", &self.found_phrase()))
            }
            None => None,
        }
    }

    /// Where a value is due.
    pub(super) fn value(&self) -> Option<Diagnostic> {
        if !self.wants_value() {
            return None;
        }
        let word = self.word();
        if ["exists", "missing"].contains(&word) {
            return Some(error::test_in_front(self.here(), word));
        }
        if word == "let" {
            return Some(error::let_in_expression(self.here()));
        }
        if let (".", Some(found)) = (word, self.found) {
            let rest = self.piece.get(found.start + 1..)?;
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits > 0 {
                let end = found.start + 1 + digits;
                return Some(error::no_digit_before_point(
                    self.place(found.start, end),
                    self.piece.get(found.start..end)?,
                ));
            }
        }
        if word.starts_with('/') {
            return Some(error::regex_unclosed(self.here()));
        }
        let operator = self.is(Kind::Word) && OPERATOR_WORDS.contains(&word) || self.is(Kind::Mark);
        let behind_operator = self
            .previous(0)
            .is_some_and(|token| token.kind == Kind::Mark || OPERATOR_WORDS.contains(&self.text(token)));
        if operator && !behind_operator {
            return Some(error::operand_missing(self.here(), word));
        }
        if self.before.is_empty() {
            return Some(error::unexpected(self.here(), "a value", &self.found_phrase()));
        }
        // Any other word would have been taken for a name.
        let before = self.previous(0).map(|token| self.span(token));
        Some(error::value_missing(
            before,
            self.previous_text(),
            self.here(),
            &self.found_phrase(),
        ))
    }
}
