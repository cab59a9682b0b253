//! Where a label stands, in the terms of files: lines and columns, computed only for what is reported.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::rc::Rc;

use crate::engine::finding::Mark;
use crate::place::RecordId;
use crate::report::{Record, Records};

/// So many bytes are kept for the findings that follow. Findings come in the order of the records, but many also have
/// a label in some record far before, such as a catalogue.
const KEPT: usize = 32 * 1024 * 1024;

/// A label with its record and its place in the file.
#[derive(Clone)]
pub struct Located<'a> {
    /// The label.
    pub mark: &'a Mark,
    /// The record; `None` if it cannot be read.
    pub record: Option<Rc<Known>>,
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

/// Finds the labels of findings; a record that many of them name is read and looked through once.
pub struct Locator<'r> {
    records: &'r dyn Records,
    known: HashMap<RecordId, Recent>,
    /// The records that are known, the oldest first.
    order: VecDeque<RecordId>,
    /// Their bytes.
    kept: usize,
}

struct Recent {
    record: Option<Rc<Known>>,
    /// It was named again since it was read or spared.
    again: bool,
}

impl<'r> Locator<'r> {
    /// Knows no record yet.
    pub fn new(records: &'r dyn Records) -> Self {
        Locator {
            records,
            known: HashMap::new(),
            order: VecDeque::new(),
            kept: 0,
        }
    }

    /// The name of a recording.
    pub fn name(&self, file: u32) -> String {
        self.records.name(file)
    }

    /// Finds the labels of one finding.
    pub fn locate<'a>(&mut self, marks: &'a [Mark]) -> Vec<Located<'a>> {
        marks.iter().map(|mark| self.find(mark)).collect()
    }

    fn find<'a>(&mut self, mark: &'a Mark) -> Located<'a> {
        let record = self.record(mark.place.record);
        let first = Position {
            line: u64::from(mark.place.record.line),
            column: 1,
        };
        let length = record.as_ref().map_or(0, |known| known.bytes().len());
        let found = record.as_ref().and_then(|known| known.record.locate(&mark.place));
        let found = found.filter(|r| r.start <= r.end && r.end <= length);
        let position = |offset| record.as_ref().map_or(first, |known| known.position(offset));
        let range = found.clone().unwrap_or(0..length);
        Located {
            start: position(range.start),
            end: found.map(|r| position(r.end)),
            mark,
            range,
            record,
        }
    }

    fn record(&mut self, id: RecordId) -> Option<Rc<Known>> {
        if let Some(recent) = self.known.get_mut(&id) {
            recent.again = true;
            return recent.record.clone();
        }
        let read = self.records.read(id);
        let record = read.map(|record| Rc::new(Known::new(id, record)));
        self.kept += size(&record);
        self.forget();
        let recent = Recent {
            record: record.clone(),
            again: false,
        };
        self.known.insert(id, recent);
        self.order.push_back(id);
        record
    }

    /// Makes room: the oldest go, but what was named again is spared once.
    fn forget(&mut self) {
        while self.kept > KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            let recent = self.known.get_mut(&oldest);
            if recent.is_some_and(|recent| std::mem::take(&mut recent.again)) {
                self.order.push_back(oldest);
            } else {
                let gone = self.known.remove(&oldest);
                self.kept -= gone.map_or(0, |recent| size(&recent.record));
            }
        }
    }
}

/// What is counted for a record: its bytes, and about as much for what was found out about them.
fn size(record: &Option<Rc<Known>>) -> usize {
    256 + record.as_ref().map_or(0, |known| 2 * known.bytes().len())
}

/// A record that was read, and how far its lines and characters are counted.
pub struct Known {
    record: Box<dyn Record>,
    /// Places that are about [`STEP`] bytes apart, from the beginning on.
    counted: RefCell<Vec<(usize, Position)>>,
}

/// So many bytes are counted at most to find the position of a byte.
const STEP: usize = 1024;

impl Known {
    fn new(id: RecordId, record: Box<dyn Record>) -> Known {
        let first = Position {
            line: u64::from(id.line),
            column: 1,
        };
        Known {
            record,
            counted: RefCell::new(vec![(0, first)]),
        }
    }

    /// The bytes of the record.
    pub fn bytes(&self) -> &[u8] {
        self.record.bytes()
    }

    /// The place of a byte of the record.
    fn position(&self, offset: usize) -> Position {
        let bytes = self.record.bytes();
        let offset = offset.min(bytes.len());
        let mut counted = self.counted.borrow_mut();
        while let Some((at, position)) = counted.last().copied() {
            let next = (at + STEP..=offset).find(|at| bytes.get(*at).is_none_or(begins_character));
            let Some(next) = next else { break };
            let position = position.after(bytes.get(at..next).unwrap_or(&[]));
            counted.push((next, position));
        }
        let before = counted.partition_point(|(at, _)| *at <= offset) - 1;
        let (at, position) = counted[before];
        position.after(bytes.get(at..offset).unwrap_or(&[]))
    }
}

/// Whether a character begins with a byte, whatever stands before it.
fn begins_character(byte: &u8) -> bool {
    byte & 0xC0 != 0x80
}

impl Position {
    /// The place behind a text that begins here.
    fn after(self, text: &[u8]) -> Position {
        let lines = text.iter().filter(|b| **b == b'\n').count();
        let last = match lines {
            0 => text,
            _ => text.rsplit(|b| *b == b'\n').next().unwrap_or(text),
        };
        let characters: usize = last.utf8_chunks().map(characters).sum();
        Position {
            line: self.line + lines as u64,
            column: characters as u64 + if lines == 0 { self.column } else { 1 },
        }
    }
}

fn characters(chunk: std::str::Utf8Chunk<'_>) -> usize {
    chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::place::Place;

    struct Bytes(Vec<u8>);

    impl Record for Bytes {
        fn bytes(&self) -> &[u8] {
            &self.0
        }

        fn locate(&self, _: &Place) -> Option<Range<usize>> {
            None
        }
    }

    fn known(line: u32, bytes: &[u8]) -> Known {
        let id = RecordId {
            line,
            ..RecordId::default()
        };
        Known::new(id, Box::new(Bytes(bytes.to_vec())))
    }

    fn place(known: &Known, offset: usize) -> (u64, u64) {
        let position = known.position(offset);
        (position.line, position.column)
    }

    #[test]
    fn columns_count_characters_and_lines_those_of_the_file() {
        let record = "{\n  \"näme\": \"世界\"}".as_bytes();
        let long = known(7, record);
        let at = |offset| place(&long, offset);
        assert_eq!(at(0), (7, 1));
        assert_eq!(at(4), (8, 3));
        assert_eq!(at(13), (8, 11));
        assert_eq!(at(record.len()), (8, 16));
        assert_eq!(at(1000), (8, 16));
        assert_eq!(place(&known(1, b"\xff\xfe{"), 2), (1, 3));
    }

    #[test]
    fn counting_goes_on_where_it_ended() {
        let pieces: [&[u8]; 7] = [
            b"plain ",
            "世界".as_bytes(),
            b"\n",
            b"\xff\x80",
            b"\xe4\xb8",
            b"\x80",
            b"\"",
        ];
        let bytes: Vec<u8> = (0..9000).flat_map(|i| pieces[i * i % 11 % 7]).copied().collect();
        let long = known(1, &bytes);
        let first = Position { line: 1, column: 1 };
        for offset in [
            0,
            17,
            9000,
            4095,
            4097,
            20_000,
            8192,
            bytes.len(),
            12_289,
            12_290,
            12_291,
            1,
        ] {
            assert_eq!(long.position(offset), first.after(&bytes[..offset]), "{offset}");
        }
    }

    /// Counts how often records are read.
    struct Counting(Cell<usize>);

    impl Records for Counting {
        fn name(&self, _: u32) -> String {
            String::new()
        }

        fn read(&self, id: RecordId) -> Option<Box<dyn Record>> {
            self.0.set(self.0.get() + 1);
            Some(Box::new(Bytes(vec![b' '; id.length as usize])))
        }
    }

    #[test]
    fn what_is_named_often_is_read_once_and_the_rest_is_forgotten() {
        let records = Counting(Cell::new(0));
        let mut locator = Locator::new(&records);
        let mark = |line| Mark {
            place: Place {
                record: RecordId {
                    line,
                    length: 1 << 20,
                    ..RecordId::default()
                },
                ..Place::default()
            },
            text: None,
        };
        for line in 2..40 {
            locator.locate(&[mark(1), mark(line)]);
            assert!(locator.kept <= KEPT && locator.known.len() == locator.order.len());
        }
        assert_eq!(records.0.get(), 39);
        locator.locate(&[mark(2)]);
        assert_eq!(records.0.get(), 40);
    }
}
