//! Parts of a recording that are decoded side by side.

use super::event::{Event, EventKind, Problem, Wanted};
use super::formats::{Format, Unfit, Unit};
use super::sink::{Decoded, Sink, problem};
use super::unpack::Damage;
use crate::place::RecordId;

/// Some whole lines of a recording, or all of a document.
#[derive(Debug)]
pub struct Block {
    pub(super) file: u32,
    /// Where it begins in the file.
    pub(super) offset: u64,
    /// The line on which it begins, from 1.
    pub(super) line: u32,
    pub(super) bytes: Vec<u8>,
    /// Nothing comes after it.
    pub(super) last: bool,
    /// Instead of bytes: a record that is longer than the limit.
    pub(super) too_long: Option<RecordId>,
    /// Why nothing comes after it, if there was more.
    pub(super) damage: Option<Damage>,
    /// What is odd about the format as which the file is read.
    pub(super) unfit: Option<Unfit>,
}

impl Block {
    /// How many bytes are to be decoded.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// How much is read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// About how many bytes a block has.
    pub block: usize,
    /// The longest line that is read, in bytes: the option `--max-line`.
    pub line: usize,
    /// The longest document that is read as a whole, in bytes: the option `--max-document`.
    pub document: usize,
    /// The longest text that a compressed file may hold, in bytes: the option `--max-unpacked`.
    pub unpacked: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            block: 1 << 20,
            line: 64 << 20,
            document: 256 << 20,
            unpacked: 16 << 30,
        }
    }
}

/// Decodes the blocks of one recording, in any order and on any thread.
#[derive(Clone, Copy)]
pub struct Decoder {
    pub(super) format: &'static dyn Format,
    pub(super) limits: Limits,
}

impl Decoder {
    /// What the block says.
    pub fn decode(&self, block: &Block, wanted: &Wanted) -> Decoded {
        let mut sink = Sink::new(wanted);
        if let Some(unfit) = block.unfit {
            let end = block.bytes.iter().position(|b| *b == b'\n');
            let first = block.record(0, end.unwrap_or(block.bytes.len()), block.line);
            sink.problem(unfit.problem(first));
        }
        if let Some(record) = block.too_long {
            let problem = self.too_long(record);
            sink.lost(record, problem);
        } else if block.damage.is_none() || !block.bytes.is_empty() {
            match self.format.unit() {
                Unit::Lines => self.lines(block, &mut sink),
                Unit::Document => {
                    let bytes = &block.bytes;
                    let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
                    sink.unfinished = true;
                    self.record(
                        &bytes[start..],
                        block.record(start, bytes.len(), block.line),
                        &mut sink,
                    );
                }
            }
        }
        let mut decoded = sink.finish();
        if let Some(damage) = block.damage {
            damaged(block, damage, &mut decoded);
        }
        decoded
    }

    fn lines(&self, block: &Block, sink: &mut Sink) {
        let bytes = &block.bytes[..];
        // Searching in a text is much faster than in bytes.
        let text = str::from_utf8(bytes).ok();
        let (mut at, mut line) = (0, block.line);
        while at < bytes.len() {
            let found = match text {
                Some(text) => text[at..].find('\n'),
                None => bytes[at..].iter().position(|b| *b == b'\n'),
            };
            let end = found.map_or(bytes.len(), |found| at + found);
            let next = end + 1;
            let end = end - usize::from(found.is_some() && end > at && bytes[end - 1] == b'\r');
            if block.offset == 0 && at == 0 && bytes.starts_with(BOM) {
                at = BOM.len();
            }
            let record = block.record(at, end, line);
            sink.unfinished = found.is_none() && block.last;
            if end - at > self.limits.line {
                let problem = self.too_long(record);
                sink.lost(record, problem);
            } else if let Some(text) = text {
                let text = &text[at..end];
                if !is_blank(text.as_bytes()) {
                    self.format.read(text, record, sink);
                }
            } else if !is_blank(&bytes[at..end]) {
                self.record(&bytes[at..end], record, sink);
            }
            at = next;
            line = line.saturating_add(1);
        }
    }

    fn record(&self, bytes: &[u8], record: RecordId, sink: &mut Sink) {
        match str::from_utf8(bytes) {
            Ok(text) => self.format.read(text, record, sink),
            Err(error) => {
                let at = error.valid_up_to();
                let message = format!(
                    "the record is not UTF-8: byte 0x{:02x} cannot stand there",
                    bytes[at]
                );
                let problem = Problem {
                    offset: u32::try_from(at).unwrap_or(u32::MAX),
                    ..problem(record, "not-utf8", message)
                };
                let text = String::from_utf8_lossy(bytes);
                self.format.unreadable(&text, record, problem, sink);
            }
        }
    }

    fn too_long(&self, record: RecordId) -> Problem {
        let (what, limit, option) = match self.format.unit() {
            Unit::Lines => ("line", self.limits.line, "--max-line"),
            Unit::Document => ("document", self.limits.document, "--max-document"),
        };
        Problem {
            help: Some(format!("raise the limit with `{option}`")),
            ..problem(
                record,
                "too-long",
                format!("the {what} is longer than {limit} bytes and was not read"),
            )
        }
    }
}

/// Says that the text ends too early: of the record that is cut off for that reason, or else of the end.
fn damaged(block: &Block, damage: Damage, decoded: &mut Decoded) {
    let said = |problem: Problem| Problem {
        code: "cut-off",
        message: damage.what.to_owned(),
        help: Some(damage.help.to_owned()),
        ..problem
    };
    let end = block.offset + block.bytes.len() as u64;
    let is_cut = |last: &mut Problem| {
        let record = last.place.record;
        let at_end = record.offset + u64::from(record.length) == end;
        at_end && matches!(last.code, "cut-off" | "not-utf8")
    };
    match decoded.problems.pop_if(is_cut) {
        Some(last) => decoded.problems.push(said(last)),
        None => {
            let lines = block.bytes.iter().filter(|b| **b == b'\n').count();
            let line = block
                .line
                .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            let record = block.record(block.bytes.len(), block.bytes.len(), line);
            decoded.problems.push(said(problem(record, "cut-off", "")));
            decoded.events.push(Event {
                record,
                time: None,
                session: None,
                kind: EventKind::Gap,
            });
        }
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

impl Block {
    fn record(&self, start: usize, end: usize, line: u32) -> RecordId {
        RecordId {
            file: self.file,
            offset: self.offset + start as u64,
            length: u32::try_from(end.saturating_sub(start)).unwrap_or(u32::MAX),
            line,
        }
    }
}
