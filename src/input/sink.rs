//! Where the readers of formats put what they find.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::event::{Blame, Event, EventKind, Payload, Problem, Side, Wanted};
use crate::json::{self, Builder, Document, Fault, Origin};
use crate::place::{Place, RecordId};

/// What a block says.
#[derive(Debug, Default)]
pub struct Decoded {
    /// In recording order.
    pub events: Vec<Event>,
    /// In recording order.
    pub problems: Vec<Problem>,
}

/// Collects events and problems of one block; knows what is wanted.
pub(super) struct Sink<'w> {
    /// What is wanted.
    pub(super) wanted: &'w Wanted,
    /// The line that is read is the last one and has no line end.
    pub(super) unfinished: bool,
    names: HashSet<Arc<str>>,
    out: Decoded,
}

impl<'w> Sink<'w> {
    pub(super) fn new(wanted: &'w Wanted) -> Self {
        Sink {
            wanted,
            unfinished: false,
            names: HashSet::new(),
            out: Decoded::default(),
        }
    }

    pub(super) fn finish(self) -> Decoded {
        self.out
    }

    /// One shared copy of a text that occurs often.
    pub(super) fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.names.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.names.insert(Arc::clone(&new));
        new
    }

    /// Adds an event.
    pub(super) fn event(&mut self, record: RecordId, stamp: &Stamp, kind: EventKind) {
        self.out.events.push(Event {
            record,
            time: stamp.time,
            session: stamp.session.clone(),
            kind,
        });
    }

    /// A record that cannot be read: what it said is lost.
    pub(super) fn lost(&mut self, record: RecordId, problem: Problem) {
        self.out.problems.push(problem);
        self.event(record, &Stamp::default(), EventKind::Gap);
    }

    /// Adds a problem.
    pub(super) fn problem(&mut self, problem: Problem) {
        self.out.problems.push(problem);
    }

    /// Reads a text where a message is due. `exact`: it is as it came over the wire.
    pub(super) fn payload(
        &mut self,
        record: RecordId,
        outer: &str,
        text: &str,
        exact: bool,
    ) -> (Payload, Option<Fault>) {
        let place = place(record, self.share(outer));
        match json::decode(text, &self.wanted.message, Some(origin(&place))) {
            Ok(json) => (self.message(place, text, Some(json), exact), None),
            Err(fault) => (self.message(place, text, None, exact), Some(fault)),
        }
    }

    /// A text where a message is due that has been read already.
    pub(super) fn read_payload(
        &mut self,
        record: RecordId,
        outer: &str,
        text: &str,
        tree: Builder,
    ) -> Payload {
        let place = place(record, self.share(outer));
        let json = tree.finish(Some(origin(&place)));
        self.message(place, text, Some(json), false)
    }

    /// A message that was put together from what a record says; members of these names stand for what it does not say.
    /// `None` if it cannot be read.
    pub(super) fn put_together(&mut self, record: RecordId, text: &str, made_up: &[&str]) -> Option<Payload> {
        let place = place(record, self.share(""));
        let mut document = json::decode(text, &self.wanted.message, Some(origin(&place))).ok()?;
        document.hide(&self.wanted.redactions);
        document.put_together(made_up);
        Some(Payload {
            place,
            bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
            text: None,
            json: Some(Arc::new(document)),
            exact: false,
            truncated: false,
        })
    }

    /// A text where a message is due that is known not to be JSON.
    pub(super) fn stray(&mut self, record: RecordId, outer: &str, text: &str) -> Payload {
        let place = place(record, self.share(outer));
        self.message(place, text, None, true)
    }

    /// A document in which it is marked what a recorder left out.
    pub(super) fn marked(&self, mut document: Document) -> Arc<Document> {
        if !self.wanted.redactions.is_empty() {
            document.hide(&self.wanted.redactions);
        }
        Arc::new(document)
    }

    fn message(&self, place: Place, text: &str, json: Option<Document>, exact: bool) -> Payload {
        Payload {
            place,
            bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
            text: self.kept(text, json.is_some()),
            json: json.map(|json| self.marked(json)),
            exact,
            truncated: false,
        }
    }

    fn kept(&self, text: &str, is_json: bool) -> Option<Arc<str>> {
        if self.wanted.frames {
            Some(text.into())
        } else if is_json {
            None
        } else {
            Some(text[..text.floor_char_boundary(self.wanted.text_limit)].into())
        }
    }

    /// The problem with a record that should be JSON.
    pub(super) fn record_fault(&self, record: RecordId, fault: &Fault) -> Problem {
        let cut = fault.cut_off && self.unfinished;
        Problem {
            place: place(record, "".into()),
            offset: u32::try_from(fault.offset).unwrap_or(0),
            code: code(fault, cut),
            message: sentence("the record", fault, cut),
            help: cut.then(|| "the recorder was stopped while it wrote; all before is read".to_owned()),
            fault: Blame::Recorder,
        }
    }

    /// The problem with a text of `sender`, at `outer` of a record, that should be JSON.
    pub(super) fn text_fault(
        &self,
        record: RecordId,
        outer: &str,
        text: &str,
        sender: Option<Side>,
        fault: &Fault,
    ) -> Problem {
        let chars = |end: usize| {
            let end = text.floor_char_boundary(end);
            u32::try_from(text[..end].chars().count()).unwrap_or(u32::MAX)
        };
        // In stray output no single character is to blame.
        let range = looks_like_json(text).then(|| {
            let at = chars(fault.offset);
            (at, at.saturating_add(1).min(chars(text.len())))
        });
        Problem {
            place: Place {
                range,
                ..place(record, outer.into())
            },
            offset: 0,
            code: code(fault, false),
            message: sentence("what should be a message", fault, false),
            help: None,
            fault: match sender {
                // How deep a text may be is a limit of the reader.
                Some(sender) if !fault.too_deep => Blame::Sender(sender),
                _ => Blame::Nobody,
            },
        }
    }
}

/// When and in which session something happened.
#[derive(Debug, Clone, Default)]
pub(super) struct Stamp {
    pub(super) time: Option<i64>,
    pub(super) session: Option<Arc<str>>,
}

fn origin(place: &Place) -> Origin {
    Origin {
        record: place.record,
        outer: Arc::clone(&place.outer),
    }
}

/// A place in a record, without a way into a message.
pub(super) fn place(record: RecordId, outer: Arc<str>) -> Place {
    Place {
        record,
        outer,
        ..Place::default()
    }
}

/// A problem with a whole record, of which the recorder is at fault.
pub(super) fn problem(record: RecordId, code: &'static str, message: impl Into<String>) -> Problem {
    Problem {
        place: place(record, "".into()),
        offset: 0,
        code,
        message: message.into(),
        help: None,
        fault: Blame::Recorder,
    }
}

fn code(fault: &Fault, cut: bool) -> &'static str {
    if fault.too_deep {
        "too-deep"
    } else if cut {
        "cut-off"
    } else {
        "not-json"
    }
}

fn sentence(what: &str, fault: &Fault, cut: bool) -> String {
    let why = match fault.message.as_str() {
        said if said.starts_with("EOF") => "it ends too early",
        "expected value" | "expected ident" => "no JSON value begins like this",
        said => said,
    };
    if fault.too_deep {
        format!("{what} is nested deeper than 127 levels, the limit of the reader")
    } else if cut {
        format!("{what} is cut off")
    } else {
        format!("{what} is not JSON: {why}")
    }
}

/// Whether a text is meant as JSON that holds a message.
pub(super) fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// A text, shortened for a message.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    if text.chars().nth(40).is_none() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().take(39).chain(['…']).collect())
    }
}
