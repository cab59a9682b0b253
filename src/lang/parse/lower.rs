//! What lowering shares: places, names, depth, and the list of what is wrong.
//!
//! Each function of this folder that takes a [`Pair`] turns one grammar rule into its part of the syntax tree. It gives
//! `None` only where the grammar promises a part that is not there, so never for what a person wrote.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::grammar::Pair;
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::lang::error::syntax as error;
use crate::source::{SourceId, Span, Spanned};

/// How deep parentheses, lists, forms, texts in holes and types may stand in each other.
pub const MAX_NESTING: usize = 128;
/// How high the tree of an expression may be: nesting and operators in a row together.
pub const MAX_HEIGHT: usize = 256;

/// A piece of a file on its way into the syntax tree.
pub struct Lowering<'t> {
    /// The file.
    pub source: SourceId,
    /// All its text.
    pub text: &'t str,
    /// Where the piece begins.
    pub offset: usize,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    depth: usize,
    limited: bool,
}

impl<'t> Lowering<'t> {
    /// Of the piece of `text` that begins at `offset`.
    pub fn new(source: SourceId, text: &'t str, offset: usize) -> Self {
        Lowering {
            source,
            text,
            offset,
            diagnostics: Vec::new(),
            depth: 0,
            limited: false,
        }
    }

    /// Takes note of something wrong.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Bytes `start..end` of the piece.
    pub fn place(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.offset + start, self.offset + end)
    }

    /// Where a pair stands that ends in a token of its own.
    pub fn closed_span(&self, pair: &Pair<'t>) -> Span {
        self.place(pair.as_span().start(), pair.as_span().end())
    }

    /// Where a pair stands, from its first token to its last: the span that pest gives takes blanks and comments behind
    /// a part along if the part may go on.
    pub fn span(&self, pair: &Pair<'t>) -> Span {
        let mut last = pair.clone();
        while let Some(inner) = last.clone().into_inner().next_back() {
            last = inner;
        }
        let end = last.as_span().end().max(pair.as_span().start());
        self.place(pair.as_span().start(), end)
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &'t str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// A token as it was written.
    pub fn name(&self, pair: &Pair<'t>) -> Name {
        Spanned::new(pair.as_str().to_owned(), self.span(pair))
    }

    /// A name that must be snake_case.
    pub fn snake(&mut self, pair: &Pair<'t>, what: &str) -> Name {
        let name = self.name(pair);
        if name.node.contains(|c: char| c.is_ascii_uppercase()) {
            self.report(error::not_snake_case(what, &name));
        }
        name
    }

    /// A name that must be CamelCase.
    pub fn camel(&mut self, pair: &Pair<'t>) -> Name {
        let name = self.name(pair);
        if !name.node.starts_with(|c: char| c.is_ascii_uppercase()) || name.node.contains('_') {
            self.report(error::not_camel_case(&name));
        }
        name
    }

    /// A name that must be kebab-case; `folders` allows parts with slashes between.
    pub fn kebab(&mut self, pair: &Pair<'t>, what: &str, folders: bool) -> Name {
        let name = self.name(pair);
        let kebab =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || (folders && c == '/');
        if !name.node.chars().all(kebab) || !name.node.starts_with(|c: char| c.is_ascii_lowercase()) {
            self.report(error::not_kebab_case(what, &name));
        }
        name
    }

    /// Reports every name that stands a second time.
    pub fn once_each<'n>(&mut self, names: impl Iterator<Item = &'n Name>, what: &str) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in names {
            match seen.entry(&name.node) {
                Entry::Occupied(first) => self.report(error::repeated_name(what, name, *first.get())),
                Entry::Vacant(free) => {
                    free.insert(name.span);
                }
            }
        }
    }

    /// Goes one level down and says whether that is allowed; [`leave`](Self::leave) comes back up.
    pub fn enter(&mut self, span: Span) -> bool {
        if self.depth >= MAX_NESTING {
            self.too_deep(error::nested_too_deeply(span, MAX_NESTING));
            return false;
        }
        self.depth += 1;
        true
    }

    /// Goes one level up.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Does something one level down, or gives `None` where that is too deep.
    pub fn deeper<T>(&mut self, span: Span, down: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if !self.enter(span) {
            return None;
        }
        let result = down(self);
        self.leave();
        result
    }

    /// Reports a limit, once per piece: whatever stands around it would meet it again.
    pub fn too_deep(&mut self, diagnostic: Diagnostic) {
        if !self.limited {
            self.limited = true;
            self.report(diagnostic);
        }
    }
}
