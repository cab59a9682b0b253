//! A text together with where each byte of it is written in a record.

use std::ops::Range;

use super::scan;

/// What the inside of a JSON string says, and where each byte of it is written.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
    /// After each escape: where the text and what is written stand. Between, both go on in step.
    escapes: Vec<(usize, usize)>,
}

impl Text {
    pub(super) fn plain(bytes: &[u8]) -> Text {
        Text {
            bytes: bytes.to_vec(),
            escapes: Vec::new(),
        }
    }

    pub(super) fn unescape(raw: &[u8]) -> Text {
        let (mut bytes, mut escapes) = (Vec::with_capacity(raw.len()), Vec::new());
        scan::unescape_into(raw, &mut bytes, |text, raw| escapes.push((text, raw)));
        Text { bytes, escapes }
    }

    /// Parts of this text, joined by line feeds.
    pub(super) fn joined(&self, parts: &[Range<usize>]) -> Text {
        let (mut bytes, mut escapes) = (Vec::new(), Vec::new());
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                bytes.push(b'\n');
            }
            let moved = |at: usize| bytes.len() + (at - part.start);
            escapes.push((bytes.len(), self.raw(part.start)));
            let first = self.escapes.partition_point(|(text, _)| *text <= part.start);
            let inside = self.escapes[first..]
                .iter()
                .take_while(|(text, _)| *text <= part.end);
            escapes.extend(inside.map(|(text, raw)| (moved(*text), *raw)));
            bytes.extend_from_slice(&self.bytes[part.clone()]);
        }
        Text { bytes, escapes }
    }

    /// Where a byte of the text is written.
    pub(super) fn raw(&self, at: usize) -> usize {
        match self.escapes.partition_point(|(text, _)| *text <= at) {
            0 => at,
            after => {
                let (text, raw) = self.escapes[after - 1];
                raw + (at - text)
            }
        }
    }

    /// The bytes of some of its characters. What is no UTF-8 counts one character for each byte that begins none.
    pub(super) fn chars(&self, from: u32, to: u32) -> Range<usize> {
        let starts = |b: &u8| (*b & 0xC0) != 0x80;
        let mut chars = self
            .bytes
            .iter()
            .enumerate()
            .filter(|(_, b)| starts(b))
            .map(|(at, _)| at);
        let start = chars.nth(from as usize).unwrap_or(self.bytes.len());
        let end = match to.saturating_sub(from) {
            0 => start,
            length => chars.nth(length as usize - 1).unwrap_or(self.bytes.len()),
        };
        start..end
    }
}
