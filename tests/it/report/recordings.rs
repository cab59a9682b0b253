//! Recordings in memory, and findings in them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use wirelint::engine::finding::{Finding, Mark, Summary};
use wirelint::lang::ast::{Level, Party};
use wirelint::place::{Place, RecordId};
use wirelint::report::{Options, Record, Records, Run, format};

/// A record, and the two pointers of a place.
type Key = (RecordId, Arc<str>, Option<Arc<str>>);

/// Recordings in memory. A place is found by the text that stands there, whatever its pointers say.
#[derive(Default)]
pub struct Recordings {
    files: Vec<(String, BTreeMap<u32, Vec<u8>>)>,
    texts: BTreeMap<Key, String>,
}

impl Records for Recordings {
    fn name(&self, file: u32) -> String {
        self.files[file as usize].0.clone()
    }

    fn read(&self, record: RecordId) -> Option<Box<dyn Record>> {
        let bytes = self.files[record.file as usize].1.get(&record.line)?.clone();
        let of_record = self.texts.iter().filter(|(key, _)| key.0 == record);
        let texts = of_record.map(|(key, text)| (key.clone(), text.clone())).collect();
        Some(Box::new(Read { bytes, texts }))
    }
}

/// A record with the texts that are labelled in it.
struct Read {
    bytes: Vec<u8>,
    texts: BTreeMap<Key, String>,
}

impl Record for Read {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn locate(&self, place: &Place) -> Option<Range<usize>> {
        let key = (place.record, place.outer.clone(), place.inner.clone());
        let text = self.texts.get(&key)?;
        let at = self
            .bytes
            .windows(text.len())
            .position(|w| w == text.as_bytes())?;
        Some(at..at + text.len())
    }
}

impl Recordings {
    pub fn file(&mut self, name: &str) -> u32 {
        self.files.push((name.to_owned(), BTreeMap::new()));
        u32::try_from(self.files.len() - 1).unwrap()
    }

    pub fn record(&mut self, file: u32, line: u32, text: impl Into<Vec<u8>>) -> RecordId {
        let text = text.into();
        let record = RecordId {
            file,
            offset: u64::from(line) * 1000,
            length: u32::try_from(text.len()).unwrap(),
            line,
        };
        self.files[file as usize].1.insert(line, text);
        record
    }

    /// A label at a text of a record.
    pub fn mark(&mut self, record: RecordId, pointers: (&str, Option<&str>), at: &str, text: &str) -> Mark {
        let (outer, inner): (Arc<str>, Option<Arc<str>>) = (pointers.0.into(), pointers.1.map(Into::into));
        self.texts
            .insert((record, outer.clone(), inner.clone()), at.to_owned());
        Mark {
            place: Place {
                record,
                outer,
                inner,
                on_name: false,
                range: None,
            },
            text: (!text.is_empty()).then(|| text.to_owned()),
        }
    }
}

/// A finding of which the client is at fault.
pub fn finding(rule: &str, level: Level, message: &str, labels: Vec<Mark>) -> Finding {
    Finding {
        rule: rule.into(),
        level,
        fault: Some(Party::Client),
        message: message.to_owned(),
        help: None,
        labels,
        repeats: 0,
    }
}

/// What a reporter writes.
pub fn report(
    name: &str,
    options: &Options,
    findings: &[Finding],
    summary: &Summary,
    records: &Recordings,
) -> String {
    let run = Run {
        findings,
        summary,
        records,
        inputs: &[],
        passed_over: &[],
    };
    let mut out = Vec::new();
    let reporter = (format(name).unwrap().reporter)(options);
    reporter.report(&run, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
