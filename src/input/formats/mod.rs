//! The formats of recordings: one file each, and one line each in [`ALL`].

use super::event::Problem;
use super::head::Head;
use super::sink::{Sink, problem};
use crate::diagnostic::Diagnostic;
use crate::place::RecordId;

mod agent;
mod bare;
mod cassette;
mod dump;
mod envelope;
mod har;
mod http_log;
mod inspector;
mod named;
mod refused;
mod result;
mod stdio_log;
mod text_log;
mod tshark;

pub use self::named::InputFormat;
pub(super) use self::named::{Unfit, forced};
use self::refused::Refusal;

#[cfg(test)]
pub(super) use har::Har;

/// The formats that are read. If a file could be of several, the one that is surer of it is taken, then the first.
static ALL: &[&dyn Format] = &[
    &http_log::HttpLog,
    &stdio_log::StdioLog,
    &tshark::Ek,
    &tshark::Json,
    &har::Har,
    &inspector::Network,
    &inspector::Protocol,
    &dump::Dump,
    &cassette::Cassette,
    &agent::Agent,
    &result::SingleResult,
    &envelope::Envelope,
    &text_log::TextLog,
    &bare::Lines,
    &bare::Document,
];

/// What a recording can show. Of what its format lacks, nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Who sent a message.
    Direction,
    /// What came before what.
    Order,
    /// When.
    Clock,
    /// Messages as they came over the wire: spelling of numbers, order and repetition of members.
    RawText,
    /// Headers of HTTP requests.
    RequestHeaders,
    /// Headers of HTTP responses.
    ResponseHeaders,
    /// Headers as they were spelt, in their order, each line of its own.
    HeaderSpelling,
    /// The status of HTTP responses.
    Status,
    /// Which bodies were event streams, and the fields of their events.
    Framing,
    /// A recording holds its sessions from beginning to end.
    WholeSession,
    /// The command that started a server.
    Command,
}

impl Evidence {
    /// In a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Evidence::Direction => "direction",
            Evidence::Order => "order",
            Evidence::Clock => "clock",
            Evidence::RawText => "raw text",
            Evidence::RequestHeaders => "request headers",
            Evidence::ResponseHeaders => "response headers",
            Evidence::HeaderSpelling => "header spelling",
            Evidence::Status => "status",
            Evidence::Framing => "framing",
            Evidence::WholeSession => "whole session",
            Evidence::Command => "command",
        }
    }
}

/// How sure a format is of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Confidence {
    /// It could be.
    Possible,
    /// It looks like it.
    Likely,
    /// It says so.
    Certain,
}

/// What a format takes as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Every line is a record.
    Lines,
    /// The file is read as a whole.
    Document,
}

/// A format of recordings. It has no state: blocks of one recording are read side by side.
pub(super) trait Format: Sync {
    /// A short kebab-case name.
    fn name(&self) -> &'static str;
    /// What a file of this format is called in a sentence, with its article.
    fn title(&self) -> &'static str;
    /// What it can show at most; single records may show less.
    fn evidence(&self) -> &'static [Evidence];
    /// What is read at a time.
    fn unit(&self) -> Unit {
        Unit::Lines
    }
    /// Whether a file that begins like this is of this format.
    fn recognise(&self, head: &Head) -> Option<Confidence>;
    /// Reads a line without its end, or the whole document.
    fn read(&self, text: &str, record: RecordId, sink: &mut Sink);
    /// A record that is no UTF-8; `text` is it with replacement characters.
    fn unreadable(&self, _text: &str, record: RecordId, problem: Problem, sink: &mut Sink) {
        sink.lost(record, problem);
    }
}

/// A file without any record.
pub(super) struct Empty;

impl Format for Empty {
    fn name(&self) -> &'static str {
        "empty"
    }

    fn title(&self) -> &'static str {
        "an empty file"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        head.is_blank().then_some(Confidence::Certain)
    }

    fn read(&self, _text: &str, record: RecordId, sink: &mut Sink) {
        sink.problem(problem(record, "empty", "the recording is empty"));
    }
}

/// The format of a file that begins like this, or why it is not read.
pub(super) fn recognise(name: &str, head: &Head) -> Result<&'static dyn Format, Diagnostic> {
    if head.is_blank() {
        return Ok(&Empty);
    }
    let mut best: Option<(Confidence, &'static dyn Format)> = None;
    let binary = refused::binary(head);
    for format in ALL.iter().filter(|_| binary.is_none()) {
        if let Some(confidence) = format.recognise(head)
            && best.is_none_or(|(found, _)| confidence > found)
        {
            best = Some((confidence, *format));
        }
    }
    match (best, binary.or_else(|| refused::text(head))) {
        (Some((_, format)), _) => Ok(format),
        (None, Some(refusal)) => Err(refuse(name, refusal)),
        (None, None) => {
            let message = format!("`{name}` is no recording that is understood");
            let error = Diagnostic::error("unknown-format", message);
            Err(error.help("`wirelint rules --inputs` lists what can be read"))
        }
    }
}

fn refuse(name: &str, refusal: Refusal) -> Diagnostic {
    let message = format!("`{name}` is {}", refusal.what);
    Diagnostic::error("refused-format", message).help(refusal.help)
}
