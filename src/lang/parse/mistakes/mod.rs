//! What pest could not read, in words: the known mistakes first, then what is expected in general.

mod structure;
mod values;

use crate::diagnostic::Diagnostic;
use crate::lang::error::syntax as error;
use crate::lang::parse::grammar::Rule;
use crate::lang::parse::lower::MAX_NESTING;
use crate::lang::parse::scan::Kind;
use crate::lang::parse::stuck::Stuck;

impl Stuck<'_> {
    /// What is wrong here.
    pub fn explain(&self) -> Diagnostic {
        let known = [
            Self::limit,
            Self::character,
            Self::example,
            Self::item,
            Self::text_in_hole,
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

    /// Where a name is due.
    fn name(&self) -> Option<Diagnostic> {
        let word = self.word();
        if self.wants(Rule::name) && self.is(Kind::Word) {
            return Some(error::reserved_word(self.here(), word));
        }
        if self.expected == [Rule::word] && self.previous_text() == "." {
            if self.found.is_none() || self.begins_line() {
                let dot = self.previous(0).map_or(self.here(), |dot| self.span(dot));
                return Some(error::member_missing(dot));
            }
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
