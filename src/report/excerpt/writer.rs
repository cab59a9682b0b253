//! The line that an excerpt becomes, and where each focus stands in it.

use std::ops::Range;

use crate::report::visible::{Pen, width};

/// A place in focus in the bytes that are being written.
type Focus = Option<Range<usize>>;

/// Collects a line up to a number of columns.
#[derive(Debug)]
pub struct Writer {
    text: String,
    taken: usize,
    limit: usize,
    full: bool,
    pen: Pen,
    marks: Vec<Focus>,
}

impl Writer {
    pub fn new(limit: usize, foci: usize) -> Self {
        Writer {
            text: String::new(),
            taken: 0,
            limit,
            full: false,
            pen: Pen::default(),
            marks: vec![None; foci],
        }
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// More was written than fits; the rest is dropped.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The line with its marks, if it fits and shows something of each focus.
    pub fn finish(self) -> Option<(String, Vec<Range<usize>>)> {
        if self.full {
            return None;
        }
        let marks = self.marks.into_iter().collect::<Option<Vec<_>>>()?;
        Some((self.text, marks))
    }

    /// The line with `…` behind it, which stands for what is not shown.
    pub fn rest(mut self) -> (String, Vec<Range<usize>>) {
        let start = self.text.len();
        self.text.push('…');
        let end = self.text.len();
        let marks = self.marks.into_iter().map(|m| m.unwrap_or(start..end));
        (self.text, marks.collect())
    }

    /// Writes what is not in the source.
    pub fn literal(&mut self, text: &str) {
        self.taken += width(text);
        self.full |= self.taken > self.limit;
        if !self.full {
            self.text.push_str(text);
        }
    }

    /// Writes a range of the source, made visible.
    pub fn source(&mut self, bytes: &[u8], foci: &[Focus], range: Range<usize>) {
        self.write(bytes, foci, range, false);
    }

    /// Writes as much of a range as fits, without being full.
    pub fn prefix(&mut self, bytes: &[u8], foci: &[Focus], range: Range<usize>) {
        self.write(bytes, foci, range, true);
    }

    fn write(&mut self, bytes: &[u8], foci: &[Focus], range: Range<usize>, stop: bool) {
        let mut at = range.start;
        for chunk in bytes.get(range).unwrap_or(&[]).utf8_chunks() {
            let invalid = chunk.invalid();
            let broken = (!invalid.is_empty()).then_some(('\u{fffd}', invalid.len()));
            let valid = chunk.valid().chars().map(|c| (c, c.len_utf8()));
            for (c, length) in valid.chain(broken) {
                let before = self.text.len();
                self.pen.push(&mut self.text, c);
                let columns = width(self.text.get(before..).unwrap_or(""));
                if self.taken + columns > self.limit || self.full {
                    self.text.truncate(before);
                    self.full |= !stop;
                    return;
                }
                self.taken += columns;
                self.mark(foci, &(at..at + length), before);
                at += length;
            }
        }
    }

    /// Extends the marks of all foci that touch a range of the source, which was just written.
    fn mark(&mut self, foci: &[Focus], source: &Range<usize>, before: usize) {
        let after = self.text.len();
        for (mark, focus) in self.marks.iter_mut().zip(foci) {
            if focus
                .as_ref()
                .is_some_and(|f| f.start < source.end && source.start < f.end)
            {
                let start = mark.as_ref().map_or(before, |m| m.start);
                *mark = Some(start..after);
            }
        }
    }

    /// Writes a range of which only what lies near a focus is shown, with so many characters on both sides; of a focus
    /// longer than `text` characters, its beginning and its end. Without a focus inside, the range itself is cut so.
    pub fn cut(
        &mut self,
        bytes: &[u8],
        foci: &[Focus],
        range: Range<usize>,
        side: usize,
        text: usize,
        json: bool,
    ) {
        let pieces = Cut {
            bytes,
            range: range.clone(),
            json,
        }
        .pieces(foci, side, text);
        let mut end = range.start;
        for piece in pieces {
            if piece.start > end {
                self.literal("…");
            }
            if self.full {
                return;
            }
            end = piece.end;
            self.source(bytes, foci, piece);
        }
        if end < range.end {
            self.literal("…");
        }
    }
}

/// A text of which pieces are to be shown.
struct Cut<'a> {
    bytes: &'a [u8],
    range: Range<usize>,
    /// It is the inside of a JSON string, whose escapes are not taken apart.
    json: bool,
}

impl Cut<'_> {
    /// What is shown, in order, without overlaps.
    fn pieces(&self, foci: &[Focus], side: usize, text: usize) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let inside = foci.iter().flatten().filter_map(|f| {
            let clipped = f.start.max(self.range.start)..f.end.min(self.range.end);
            (clipped.start < clipped.end).then_some(clipped)
        });
        for focus in inside {
            self.around(&focus, side, text, &mut pieces);
        }
        if pieces.is_empty() {
            self.around(&self.range, side, text, &mut pieces);
        }
        pieces.sort_unstable_by_key(|p| p.start);
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(pieces.len());
        for mut piece in pieces {
            if piece.start <= self.forward(self.range.start, 2) {
                piece.start = self.range.start;
            }
            if self.forward(piece.end, 2) >= self.range.end {
                piece.end = self.range.end;
            }
            match merged.last_mut() {
                Some(last) if piece.start <= self.forward(last.end, 2) => last.end = last.end.max(piece.end),
                _ => merged.push(piece),
            }
        }
        merged
    }

    fn around(&self, focus: &Range<usize>, side: usize, text: usize, pieces: &mut Vec<Range<usize>>) {
        let start = self.back(focus.start, side);
        let end = self.forward(focus.end, side);
        let head = text - text / 3;
        if self.forward(focus.start, text) >= focus.end {
            pieces.push(start..end);
            return;
        }
        pieces.push(start..self.forward(focus.start, head));
        if text / 3 > 0 {
            pieces.push(self.back(focus.end, text / 3)..end);
        }
    }

    fn forward(&self, from: usize, characters: usize) -> usize {
        let mut at = from;
        for _ in 0..characters {
            let limit = (at + 4).min(self.range.end);
            at += 1;
            while at < limit && self.continues(at) {
                at += 1;
            }
            if at >= self.range.end {
                return self.range.end;
            }
        }
        self.whole(at)
    }

    fn back(&self, from: usize, characters: usize) -> usize {
        let mut at = from;
        for _ in 0..characters {
            if at <= self.range.start {
                return self.range.start;
            }
            let limit = at.saturating_sub(4).max(self.range.start);
            at -= 1;
            while at > limit && self.continues(at) {
                at -= 1;
            }
        }
        self.whole(at)
    }

    /// Whether the byte belongs to the character before it.
    fn continues(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(|b| b & 0xc0 == 0x80)
    }

    /// The offset, moved before the escape that it would take apart.
    fn whole(&self, at: usize) -> usize {
        if !self.json || at >= self.range.end {
            return at;
        }
        let escapes = |at: usize| {
            let before = self.bytes.get(self.range.start..at).unwrap_or(&[]);
            before.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1
        };
        if escapes(at) {
            return at - 1;
        }
        let unicode = (2..6).map_while(|back| at.checked_sub(back)).find(|slash| {
            *slash >= self.range.start
                && self.bytes.get(*slash..slash + 2) == Some(br"\u")
                && !escapes(*slash)
        });
        unicode.unwrap_or(at)
    }
}
