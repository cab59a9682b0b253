//! Parts of a recording that are decoded side by side.

use super::event::{Problem, Wanted};
use super::formats::{Format, Unit};
use super::sink::{Decoded, Sink, problem};
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
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            block: 1 << 20,
            line: 64 << 20,
            document: 256 << 20,
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
        if let Some(record) = block.too_long {
            let problem = self.too_long(record);
            sink.lost(record, problem);
        } else {
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
        sink.finish()
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
