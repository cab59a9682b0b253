//! What pest could not read, in words: the known mistakes first, then what is expected in general.

use super::grammar::Rule;
use super::lower::MAX_NESTING;
use super::pieces::ITEM_WORDS;
use super::scan::Kind;
use super::stuck::{CLAUSE_WORDS, OPERATOR_WORDS, Stuck};
use crate::diagnostic::Diagnostic;
use crate::lang::error::syntax as error;
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
    /// What is wrong here.
    pub fn explain(&self) -> Diagnostic {
        let known = [
            Self::limit,
            Self::character,
            Self::example,
            Self::item,
            Self::form,
            Self::hole,
            Self::bracket,
            Self::verdict,
            Self::clause,
            Self::operator,
            Self::value,
            Self::text_missing,
            Self::name,
            Self::type_,
            Self::punctuation,
        ];
        let explained = known.iter().find_map(|mistake| mistake(self));
        explained
            .unwrap_or_else(|| error::unexpected(self.here(), &self.expected_phrase(), &self.found_phrase()))
    }

    fn limit(&self) -> Option<Diagnostic> {
        self.limited
            .then(|| error::nested_too_deeply(self.here(), MAX_NESTING))
    }

    /// Characters that stand for nothing here.
    fn character(&self) -> Option<Diagnostic> {
        let found = self.found?;
        let before = self.previous(0);
        let rest = self.piece.get(found.start..)?;
        if rest.starts_with("/*") {
            return Some(error::comment(self.place(found.start, found.start + 2), "/*"));
        }
        if let Some(regex) = before.filter(|token| self.text(*token).starts_with("/*")) {
            return Some(error::comment(self.place(regex.start, regex.start + 2), "/*"));
        }
        let c = rest.chars().next()?;
        if c == '#' && !self.wants(Rule::word) {
            return Some(error::comment(self.here(), "#"));
        }
        if c.is_alphabetic() && !c.is_ascii() {
            let letters = |c: char| c.is_alphanumeric() || c == '_';
            let word = self.piece.get(..found.start)?.trim_end_matches(letters);
            return Some(error::foreign_letter(self.place(word.len(), found.end), c));
        }
        // The scanner takes blanks of any script for blanks, pest does not.
        let skipped = before.map_or(0, |token| token.end);
        let gap = self.piece.get(skipped..found.start)?;
        let odd = |c: char| (c.is_whitespace() || c.is_control()) && !" \t\r\n".contains(c);
        let hidden = gap.char_indices().find(|(_, c)| odd(*c));
        if let Some((at, c)) = hidden
            && !gap.contains("//")
        {
            let place = self.place(skipped + at, skipped + at + c.len_utf8());
            return Some(error::invisible_character(place, c));
        }
        let invisible = matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}');
        (invisible || c.is_control()).then(|| error::invisible_character(self.here(), c))
    }

    /// Inside an example.
    fn example(&self) -> Option<Diagnostic> {
        if self.wants(Rule::unmarked) {
            let open = self.open.map(|token| self.span(token));
            return Some(error::example_unclosed(self.here(), open));
        }
        if self.wants(Rule::one_line) {
            return Some(error::example_without_brace(self.here(), &self.found_phrase()));
        }
        None
    }

    /// Between items.
    fn item(&self) -> Option<Diagnostic> {
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

    /// Forms that are not at their end: `if`, a quantifier, a block of a function.
    fn form(&self) -> Option<Diagnostic> {
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

    /// Inside a hole of a text.
    fn hole(&self) -> Option<Diagnostic> {
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
    fn bracket(&self) -> Option<Diagnostic> {
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

    /// Between a condition and what is said about it.
    fn verdict(&self) -> Option<Diagnostic> {
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
    fn clause(&self) -> Option<Diagnostic> {
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
        let near = synonym(&CLAUSE_SYNONYMS, word).or_else(|| {
            let parts = ["as", "from", "of", "over", "where"].into_iter();
            let parts = parts.filter(|_| self.wants(Rule::kw_over));
            suggest(word, CLAUSE_WORDS.into_iter().chain(parts))
        });
        Some(error::unknown_clause(self.here(), word, near))
    }

    /// Behind a value.
    fn operator(&self) -> Option<Diagnostic> {
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
    fn value(&self) -> Option<Diagnostic> {
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
        // Any other word would have been taken for a name.
        let before = self.previous(0).map(|token| self.span(token));
        Some(error::value_missing(
            before,
            self.previous_text(),
            self.here(),
            &self.found_phrase(),
        ))
    }

    /// Where a text is due.
    fn text_missing(&self) -> Option<Diagnostic> {
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

    /// Where a name is due.
    fn name(&self) -> Option<Diagnostic> {
        let word = self.word();
        if self.wants(Rule::name) && self.is(Kind::Word) {
            return Some(error::reserved_word(self.here(), word));
        }
        if self.expected == [Rule::word] && self.previous_text() == "." {
            return Some(error::member_is_no_word(self.here(), word));
        }
        if self.wants(Rule::slug) && self.is(Kind::Text) {
            return Some(error::quoted_name(self.here(), word));
        }
        (self.wants(Rule::slug) || self.wants(Rule::name) || self.wants(Rule::premise))
            .then(|| error::name_missing(self.here(), self.previous_text(), &self.found_phrase()))
    }

    /// Where a type goes on or ends.
    fn type_(&self) -> Option<Diagnostic> {
        if !self.wants(Rule::kw_or) || self.wants_operator() {
            return None;
        }
        match self.word() {
            "<" => Some(error::angle_brackets(self.here(), self.previous_text())),
            "|" => Some(error::types_joined_with_bar(self.here())),
            _ => None,
        }
    }

    /// Where one mark is due.
    fn punctuation(&self) -> Option<Diagnostic> {
        let word = self.word();
        if self.wants(Rule::subject) {
            return Some(error::subject_missing(
                self.here(),
                self.previous_text(),
                &self.found_phrase(),
            ));
        }
        if self.expected == [Rule::dot] {
            return Some(error::attribute_without_subject(
                self.here(),
                self.previous_text(),
            ));
        }
        if self.expected == [Rule::arrow] {
            return Some(error::result_missing(self.here(), &self.found_phrase()));
        }
        if self.wants(Rule::bound) {
            return Some(error::bound_missing(self.here(), &self.found_phrase()));
        }
        if self.wants(Rule::colon) {
            let in_braces = self.open.is_some_and(|token| self.text(token) == "{");
            if word == "=" && in_braces {
                return Some(error::member_with_equals(self.here()));
            }
            if !in_braces {
                return Some(error::type_missing(self.here(), self.previous_text()));
            }
        }
        if self.wants(Rule::equals) && word == ":" {
            return Some(error::colon_for_equals(self.here()));
        }
        None
    }
}

fn synonym(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    table
        .iter()
        .find(|(theirs, _)| *theirs == lower)
        .map(|(_, ours)| *ours)
}
