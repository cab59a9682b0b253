//! The beginning of a file, by which its format is recognised.

use std::io::{self, Read};
use std::ops::Range;

use super::scan;

/// How much is looked at, unless the first lines are longer.
const SIZE: usize = 64 << 10;
/// How much is looked at however long the first lines are.
const LIMIT: usize = 8 << 20;
/// How many lines are looked at.
const LINES: usize = 50;

/// The beginning of a file.
pub(super) struct Head {
    bytes: Vec<u8>,
    /// The file is not longer.
    whole: bool,
    lines: Vec<Range<usize>>,
}

impl Head {
    /// Reads as much as is needed to see whole lines.
    pub(super) fn read(mut from: impl Read) -> io::Result<Head> {
        let mut bytes = Vec::new();
        let mut size = SIZE;
        let whole = loop {
            let missing = size - bytes.len();
            let got = (&mut from).take(missing as u64).read_to_end(&mut bytes)?;
            if got < missing {
                break true;
            }
            if size >= LIMIT || bytes.iter().filter(|b| **b == b'\n').nth(1).is_some() {
                break false;
            }
            size *= 4;
        };
        Ok(Head::of(bytes, whole))
    }

    /// A head that is already there.
    pub(super) fn of(bytes: Vec<u8>, whole: bool) -> Head {
        let mut lines = Vec::new();
        let mut at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        while at < bytes.len() && lines.len() < LINES {
            let rest = &bytes[at..];
            let end = rest.iter().position(|b| *b == b'\n');
            let line = at..at + end.unwrap_or(rest.len());
            // A last line that the head cuts says too little, unless it is the only one.
            let cut = end.is_none() && !whole && !lines.is_empty();
            if !cut && bytes[line.clone()].iter().any(|b| !b.is_ascii_whitespace()) {
                lines.push(line);
            }
            at += end.unwrap_or(rest.len()) + 1;
        }
        Head { bytes, whole, lines }
    }

    /// All of it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// There is nothing in the file but white space.
    pub(super) fn is_blank(&self) -> bool {
        self.whole && self.lines.is_empty()
    }

    /// The first lines that are not blank.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.lines
            .iter()
            .map(|line| &self.bytes[scan::skip_space(&self.bytes, line.start)..line.end])
    }

    /// How many of the first lines are such, and how many there are.
    pub(super) fn count(&self, such: impl Fn(&[u8]) -> bool) -> (usize, usize) {
        (self.lines().filter(|line| such(line)).count(), self.lines.len())
    }

    /// Where the first JSON value begins.
    pub(super) fn start(&self) -> usize {
        self.lines
            .first()
            .map_or(self.bytes.len(), |line| scan::skip_space(&self.bytes, line.start))
    }

    /// The file, as far as it is seen, is one JSON value that is an object or list.
    pub(super) fn is_one_value(&self) -> bool {
        let start = self.start();
        let (end, closed) = scan::skip_value(&self.bytes, start);
        matches!(self.bytes.get(start), Some(b'{' | b'['))
            && if closed {
                self.whole && scan::skip_space(&self.bytes, end) == self.bytes.len()
            } else {
                self.lines.len() > 1 || !self.whole
            }
    }

    /// The first JSON value does not end on its line: the file is no list of lines.
    pub(super) fn is_spread(&self) -> bool {
        let start = self.start();
        let line_end = self.lines.first().map_or(start, |line| line.end);
        let (end, _) = scan::skip_value(&self.bytes, start);
        matches!(self.bytes.get(start), Some(b'{' | b'[')) && end > line_end
    }
}

/// The text or bytes of a member's value.
pub(super) fn value<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    scan::member(object, 0, name).map(|member| &object[member.value])
}

/// Whether a value is the JSON string `text`.
pub(super) fn says(value: Option<&[u8]>, text: &str) -> bool {
    value.is_some_and(|value| value.starts_with(b"\"") && scan::is_named(value, &(0..value.len()), text))
}

/// Whether an object may be a JSON-RPC message. What is cut off gets the benefit of the doubt.
pub(super) fn is_message(object: &[u8]) -> bool {
    if object.first() != Some(&b'{') {
        return false;
    }
    let has = |name| value(object, name).is_some();
    let answers = has("result") || has("error");
    let cut = !scan::skip_value(object, 0).1;
    has("jsonrpc")
        || (has("id") || cut) && answers
        || value(object, "method").is_some_and(|method| method.starts_with(b"\""))
            && !has("dir")
            && !has("direction")
}

/// Whether a value is a message or a list of messages.
pub(super) fn is_messages(bytes: &[u8]) -> bool {
    match bytes.first() {
        Some(b'[') => scan::elements(bytes, 0)
            .take(20)
            .map(|element| is_message(&bytes[element]))
            .reduce(|all, is| all && is)
            .unwrap_or(false),
        _ => is_message(bytes),
    }
}
