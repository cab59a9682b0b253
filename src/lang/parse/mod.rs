//! Rule text → syntax tree.
//!
//! A file is cut into pieces, one per item (`pieces`). pest reads each piece with the grammar (`grammar`); what it reads
//! is *lowered* into the [syntax tree](crate::lang::ast) by one function per grammar rule (`items`, `clauses`, `examples`
//! with `traffic`, `expressions`, `literals`), which also find what the grammar lets pass on purpose. What it cannot read
//! is explained by `mistakes`: `stuck` and `scan` tell what stands around the place, `phrases` what could have stood
//! there. No other folder knows pest.

mod clauses;
mod examples;
mod expressions;
mod grammar;
mod items;
mod literals;
mod lower;
mod mistakes;
mod phrases;
mod pieces;
mod scan;
mod stuck;
mod traffic;

use grammar::{Pair, Parts, Rule};
use items::Lowered;
use lower::{Lowering, MAX_NESTING};
use pieces::ITEM_WORDS;
use stuck::Stuck;

use crate::diagnostic::{Diagnostic, Severity};
use crate::lang::ast::{Expr, File, Name};
use crate::lang::error::syntax as error;
use crate::source::{SourceId, Span};

/// The largest rule file that is read, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// After so many errors, the rest of a file is not read.
const MAX_ERRORS: usize = 100;

/// Reads a rule file. What could be read is in the tree, what could not is in the diagnostics.
pub fn parse(source: SourceId, text: &str) -> (File, Vec<Diagnostic>) {
    read_file(source, text, |_| None)
}

/// Reads a rule file without its examples, which are most of it: for one that is known to be right, where nobody tests
/// or explains it. The rest of the tree is the same, but that rules end where their examples begin.
pub fn parse_without_examples(source: SourceId, text: &str) -> (File, Vec<Diagnostic>) {
    read_file(source, text, pieces::without_examples)
}

fn read_file(
    source: SourceId,
    text: &str,
    shorten: impl Fn(&str) -> Option<String>,
) -> (File, Vec<Diagnostic>) {
    let mut file = File {
        source,
        pack: None,
        docs: String::new(),
        uses: Vec::new(),
        items: Vec::new(),
        broken: Vec::new(),
    };
    if text.len() > MAX_BYTES {
        return (
            file,
            vec![error::file_too_large(Span::new(source, 0, 0), MAX_BYTES)],
        );
    }
    let mut diagnostics = Vec::new();
    // A byte order mark is an editor's habit, not a mistake worth a message.
    let start = if text.starts_with('\u{FEFF}') {
        '\u{FEFF}'.len_utf8()
    } else {
        0
    };
    for piece in pieces::pieces(&text[start..]) {
        let written = &text[start + piece.start..start + piece.end];
        let shortened = shorten(written);
        let mut lowering = Lowering::new(source, text, start + piece.start);
        lowering.piece(shortened.as_deref().unwrap_or(written), &mut file);
        // A message is whole only where the next one begins.
        lowering
            .diagnostics
            .sort_by_key(|d| d.labels.first().map(|label| label.span.start));
        diagnostics.append(&mut lowering.diagnostics);
        let errors = diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .count();
        if errors > MAX_ERRORS {
            diagnostics.truncate(MAX_ERRORS);
            let last = diagnostics
                .last()
                .and_then(|d| d.labels.first())
                .map(|label| label.span);
            diagnostics.extend(last.map(|last| error::too_many_errors(last, MAX_ERRORS)));
            break;
        }
    }
    (file, diagnostics)
}

/// Reads one expression, such as the command line gives.
pub fn parse_expression(source: SourceId, text: &str) -> (Option<Expr>, Vec<Diagnostic>) {
    if text.len() > MAX_BYTES {
        return (
            None,
            vec![error::file_too_large(Span::new(source, 0, 0), MAX_BYTES)],
        );
    }
    let mut lowering = Lowering::new(source, text, 0);
    let expr = lowering
        .read(Rule::query, text)
        .and_then(|query| Parts::of(query).next())
        .map(|expr| lowering.expr(expr));
    (expr, lowering.diagnostics)
}

impl<'t> Lowering<'t> {
    /// Reads a piece of a file as a grammar rule; what pest cannot read is explained.
    fn read(&mut self, rule: Rule, piece: &'t str) -> Option<Pair<'t>> {
        // What has no more brackets than that is not looked at more closely.
        let brackets = piece.bytes().filter(|b| b"([{".contains(b)).count();
        if brackets > MAX_NESTING
            && let Some(deep) = scan::too_deep(&scan::tokens(piece), MAX_NESTING)
        {
            let place = self.place(deep.start, deep.end);
            self.report(error::nested_too_deeply(place, MAX_NESTING));
            return None;
        }
        match grammar::read(rule, piece) {
            Ok(pair) => pair,
            Err(failure) => {
                let stuck = Stuck::new(self.source, self.offset, piece, &failure);
                self.report(stuck.explain());
                None
            }
        }
    }

    /// Reads one piece into the file.
    fn piece(&mut self, piece: &'t str, file: &mut File) {
        let Some(pair) = self.read(Rule::file, piece) else {
            let start = self.offset;
            file.broken.extend(self.broken_name(piece, start));
            return;
        };
        for item in Parts::of(pair) {
            let span = self.span(&item);
            let before = self.diagnostics.len();
            match self.item(item) {
                Some(item) => self.place_item(item, file),
                None => {
                    if self.diagnostics.len() == before {
                        self.report(error::lost(span));
                    }
                    file.broken
                        .extend(self.broken_name(self.slice(span), span.start as usize));
                }
            }
        }
    }

    /// The name of an item that could not be read, if it comes that far.
    fn broken_name(&self, text: &str, start: usize) -> Option<Name> {
        let mut tokens = scan::tokens(text).into_iter();
        let mut word = tokens.next()?;
        while ITEM_WORDS.contains(&text.get(word.start..word.end)?) {
            word = tokens.next()?;
        }
        let rest = text.get(word.start..)?;
        let part = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let name = rest.get(..rest.find(|c| !part(c)).unwrap_or(rest.len()))?;
        let start = start + word.start;
        let span = Span::new(self.source, start, start + name.len());
        (!name.is_empty()).then(|| Name::new(name.to_owned(), span))
    }

    /// Puts an item where it belongs in the file.
    fn place_item(&mut self, item: Lowered, file: &mut File) {
        let begun = !file.items.is_empty();
        match item {
            Lowered::Pack(name, docs) => {
                if let Some(first) = &file.pack {
                    self.report(error::pack_twice(&name, first.span));
                    return;
                }
                if begun || !file.uses.is_empty() {
                    self.report(error::pack_not_first(&name));
                }
                file.pack = Some(name);
                file.docs = docs;
            }
            Lowered::Use(name) => {
                if begun {
                    self.report(error::use_too_late(&name));
                }
                file.uses.push(name);
            }
            Lowered::Item(item) => file.items.push(*item),
        }
    }
}
