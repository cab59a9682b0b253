//! Where a label stands, in the terms of files: lines and columns, computed only for what is reported.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::engine::finding::Mark;
use crate::place::RecordId;
use crate::report::Records;

/// A label with its record and its place in the file.
#[derive(Debug, Clone)]
pub struct Located<'a> {
    /// The label.
    pub mark: &'a Mark,
    /// The record; `None` if it cannot be read.
    pub record: Option<Rc<[u8]>>,
    /// The bytes in the record; all of them if the place was not found.
    pub range: Range<usize>,
    /// Where it begins.
    pub start: Position,
    /// Where it ends: one past the last character. `None` if the place was not found.
    pub end: Option<Position>,
}

/// A line and a column, both from 1. Columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line in the file.
    pub line: u64,
    /// The character in the line.
    pub column: u64,
}

/// Finds labels; reads each record once.
#[derive(Default)]
pub struct Locator {
    read: HashMap<RecordId, Option<Rc<[u8]>>>,
}

impl Locator {
    /// Finds the labels of one finding.
    pub fn locate<'a>(records: &dyn Records, marks: &'a [Mark]) -> Vec<Located<'a>> {
        let mut locator = Locator::default();
        marks.iter().map(|m| locator.find(records, m)).collect()
    }

    fn find<'a>(&mut self, records: &dyn Records, mark: &'a Mark) -> Located<'a> {
        let id = mark.place.record;
        let read = || records.read(id).map(Rc::from);
        let record: Option<Rc<[u8]>> = self.read.entry(id).or_insert_with(read).clone();
        let bytes = record.as_deref().unwrap_or(&[]);
        let found = record.as_ref().and_then(|r| records.locate(r, &mark.place));
        let found = found.filter(|r| r.start <= r.end && r.end <= bytes.len());
        let range = found.clone().unwrap_or(0..bytes.len());
        Located {
            start: position(id, bytes, range.start),
            end: found.map(|r| position(id, bytes, r.end)),
            mark,
            range,
            record,
        }
    }
}

/// The place of a byte of a record.
pub fn position(id: RecordId, record: &[u8], offset: usize) -> Position {
    let before = record.get(..offset).unwrap_or(record);
    let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let lines = before.iter().filter(|b| **b == b'\n').count();
    let characters: usize = before
        .get(line_start..)
        .unwrap_or(&[])
        .utf8_chunks()
        .map(characters)
        .sum();
    Position {
        line: u64::from(id.line) + lines as u64,
        column: characters as u64 + 1,
    }
}

fn characters(chunk: std::str::Utf8Chunk<'_>) -> usize {
    chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_those_of_the_file() {
        let id = RecordId {
            line: 7,
            ..RecordId::default()
        };
        let record = "{\n  \"näme\": \"世界\"}".as_bytes();
        let at = |offset| {
            let p = position(id, record, offset);
            (p.line, p.column)
        };
        assert_eq!(at(0), (7, 1));
        assert_eq!(at(4), (8, 3));
        assert_eq!(at(13), (8, 11));
        assert_eq!(at(record.len()), (8, 16));
        assert_eq!(at(1000), (8, 16));
        assert_eq!(position(id, b"\xff\xfe{", 2).column, 3);
    }
}
