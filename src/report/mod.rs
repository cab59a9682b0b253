//! Findings and diagnostics → output.
//!
//! Nothing here opens files or prints: a [`Reporter`] writes a whole [`Run`] into what it is handed. A format is one
//! file and one line in [`FORMATS`]. What a record says is asked of [`Records`], and only for what is shown.

use std::io;
use std::ops::Range;

use crate::engine::finding::{Finding, Summary};
use crate::place::{Place, RecordId};

pub mod excerpt;
mod human;
mod human_diagnostic;
mod human_labels;
mod human_snippet;
mod human_summary;
mod json;
mod json_answers;
mod json_inputs;
mod json_rules;
mod jsonl;
pub mod location;
mod sequence;
mod sheet;
pub mod visible;

pub use human_diagnostic::render_diagnostic;
pub use json_answers::write_answers;
pub use json_inputs::{FormatEntry, write_inputs};
pub use json_rules::write_rules;
pub use jsonl::{FindingLines, JSONL};
pub use sequence::{Sequence, write_sequence};
pub use sheet::{ExampleText, RuleText, Sheet, revisions, write_pack_page, write_sheet};

/// The recordings of a run, as far as reporters need them.
pub trait Records {
    /// The name of a recording, as the user knows it.
    fn name(&self, file: u32) -> String;

    /// A record; `None` if it cannot be read (any more).
    fn read(&self, record: RecordId) -> Option<Box<dyn Record>>;
}

/// A record that was read.
pub trait Record {
    /// Its bytes, without its line end.
    fn bytes(&self) -> &[u8];

    /// The bytes of a place in it.
    fn locate(&self, place: &Place) -> Option<Range<usize>>;
}

/// What a run found.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// In the order in which they are to be reported.
    pub findings: &'a [Finding],
    /// What was checked.
    pub summary: &'a Summary,
    /// The recordings.
    pub records: &'a dyn Records,
    /// As what each was read.
    pub inputs: &'a [InputFile],
    /// Files that are no recordings.
    pub passed_over: &'a [PassedOver],
}

/// As what a recording was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// Its name, as the user knows it.
    pub name: String,
    /// The short name of its format.
    pub format: &'static str,
    /// What its format is called, with the article.
    pub title: &'static str,
}

/// A file that nobody named and that is no recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedOver {
    /// Its name, as the user knows it.
    pub name: String,
    /// Why, as a sentence.
    pub why: String,
}

/// How text for people looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Colours and other escape sequences are understood.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Pictures are drawn with more than ASCII. What is quoted keeps its characters, and `…` for what is left out.
    pub unicode: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            color: false,
            width: 100,
            unicode: true,
        }
    }
}

/// What reporters can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How text for people looks.
    pub style: Style,
    /// So many findings of each rule are shown to people, the others are counted.
    pub per_rule: usize,
    /// People are also told what was checked.
    pub summary: bool,
    /// With it, as what each recording was read, and which files were passed over.
    pub inputs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            style: Style::default(),
            per_rule: 5,
            summary: true,
            inputs: false,
        }
    }
}

/// Writes what a run found in one format.
pub trait Reporter {
    /// Writes the whole of it.
    ///
    /// # Errors
    ///
    /// Whatever `out` says.
    fn report(&self, run: &Run<'_>, out: &mut dyn io::Write) -> io::Result<()>;
}

/// An output format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// As it is called on the command line.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Makes its reporter.
    pub reporter: fn(&Options) -> Box<dyn Reporter>,
}

/// All output formats; the first is the default.
pub const FORMATS: &[Format] = &[human::FORMAT, json::FORMAT, jsonl::FORMAT];

/// The format of a name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.name == name)
}
