//! Cassettes: requests, each with its answer, kept so that a test can play them again.
//!
//! | written by | members |
//! |---|---|
//! | mcp-recorder | `version`, `metadata`, `interactions` of `type`, `request`, `response`, `response_is_sse`, `response_status` |
//! | agent-vcr | `format_version`, `session` with `initialize_request`, `initialize_response`, `interactions` of `direction`, `timestamp`, `request`, `response`, `notifications` |
//!
//! A pair is written when its answer is there, so the order of pairs is that of their ends. Of an event stream,
//! mcp-recorder keeps the first event, whatever it is, in the place of the answer. agent-vcr keeps no notification of
//! the client, and writes members that were not sent as `null`.

mod recorder;
mod vcr;

use super::super::direction;
use super::super::event::{EventKind, Problem, Side, Transport};
use super::super::fields::{self, NoFields, fields};
use super::super::head::{Head, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp, place, problem};
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;

pub(super) struct Cassette;

const NO_ANSWER: &str = "the cassette holds no answer to this request, so what was answered is unknown";

impl Format for Cassette {
    fn name(&self) -> &'static str {
        "cassette"
    }

    fn title(&self) -> &'static str {
        "a cassette of requests and answers"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Direction, Evidence::Clock, Evidence::Status]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let first = head.bytes().get(head.start()..)?;
        let of_recorder = || {
            let list = value(first, "interactions")?;
            let about = value(first, "version").is_some() && value(first, "metadata").is_some();
            let known = |pair: &[u8]| value(pair, "type").is_some() && value(pair, "request").is_some();
            let one = scan::elements(list, 0).next().map(|pair| &list[pair]);
            one.map_or(about, |pair| about || known(pair)).then_some(())
        };
        let of_vcr = || {
            let session = value(first, "session")?;
            value(first, "format_version")?;
            value(session, "initialize_request")
                .or(value(session, "interactions"))
                .map(|_| ())
        };
        let such = head.is_one_value() && of_recorder().or_else(of_vcr).is_some();
        such.then_some(Confidence::Certain)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let fault = json::decode(text, &Demand::shallow(), None).err();
        let bytes = text.as_bytes();
        let part = |at: usize, name| scan::member(bytes, at, name).map(|member| member.value);
        let start = scan::skip_space(bytes, 0);
        let about = part(start, "metadata").map_or("", |about| &text[about]);
        let session = part(start, "session").map(|session| session.start);
        let mut tape = Tape {
            record,
            transport: transport(about),
            sink,
        };
        let outer = match session {
            Some(session) => {
                tape.handshake(text, session);
                "/session/interactions"
            }
            None => "/interactions",
        };
        let list = part(session.unwrap_or(start), "interactions").map_or(text.len(), |list| list.start);
        for (index, pair) in scan::elements(bytes, list).enumerate() {
            let outer = format!("{outer}/{index}");
            match session {
                Some(_) => tape.vcr_pair(&text[pair], &outer),
                None => tape.recorder_pair(&text[pair], &outer),
            }
        }
        if let Some(fault) = fault {
            let problem = sink.record_fault(record, &fault);
            sink.lost(record, problem);
        }
    }
}

/// How the messages travelled, of the metadata.
fn transport(about: &str) -> Option<Transport> {
    let [recorder, vcr] = fields(about, &["transport_type", "transport"]).ok()?;
    recorder
        .or(vcr)
        .and_then(fields::text)
        .and_then(|word| direction::transport(&word))
}

/// A cassette that is read.
struct Tape<'t, 'w> {
    record: RecordId,
    transport: Option<Transport>,
    sink: &'t mut Sink<'w>,
}

impl Tape<'_, '_> {
    fn message(&mut self, text: &str, outer: &str, side: Side, status: Option<u16>, stamp: &Stamp) {
        let (payload, fault) = self.sink.payload(self.record, outer, text, false);
        if let Some(fault) = fault {
            if fault.too_deep {
                let problem = self.sink.text_fault(self.record, outer, text, Some(side), &fault);
                self.sink.problem(problem);
            }
            // What else is wrong with it is wrong with the cassette, of which it is said.
            return self.gap();
        }
        let event = EventKind::Message {
            sender: Some(side),
            transport: self.transport,
            method: None,
            headers: None,
            status,
            payload,
        };
        self.sink.event(self.record, stamp, event);
    }

    /// A pair that is no object; if it is no JSON, that is said of the whole cassette.
    fn unreadable(&mut self, outer: &str, fault: &NoFields) {
        match fault {
            NoFields::NotJson(_) => self.gap(),
            NoFields::NotObject => self.lost(outer, "bad-record", "the interaction is no object"),
        }
    }

    fn gap(&mut self) {
        self.sink.event(self.record, &Stamp::default(), EventKind::Gap);
    }

    fn lost(&mut self, outer: &str, code: &'static str, message: &str) {
        let problem = Problem {
            place: place(self.record, outer.into()),
            ..problem(self.record, code, message)
        };
        self.sink.lost(self.record, problem);
    }
}

fn has(object: &str, name: &str) -> bool {
    value(object.as_bytes(), name).is_some()
}

#[cfg(test)]
mod tests;
