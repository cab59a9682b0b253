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

use std::borrow::Cow;

use super::super::direction;
use super::super::event::{EventKind, Problem, Side, Transport};
use super::super::fields::{self, NoFields, fields};
use super::super::head::{Head, is_message, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp, place, problem};
use super::super::time;
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;

use Side::{Client, Server};

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
            Some(at) => {
                for (name, side) in [("initialize_request", Client), ("initialize_response", Server)] {
                    if let Some(message) = part(at, name) {
                        let outer = format!("/session/{name}");
                        tape.sent(&text[message], &outer, side, &Stamp::default());
                    }
                }
                // What the client notifies behind it is never there.
                tape.gap();
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
    /// A pair of mcp-recorder.
    fn recorder_pair(&mut self, pair: &str, outer: &str) {
        const NAMES: [&str; 6] = [
            "type",
            "request",
            "response",
            "response_is_sse",
            "response_status",
            "http_method",
        ];
        let [kind, request, response, is_stream, status, method] = match fields(pair, &NAMES) {
            Ok(found) => found,
            Err(fault) => return self.unreadable(outer, &fault),
        };
        if kind == Some("\"lifecycle\"") {
            // The stream that it opened was not recorded.
            if method.is_some_and(|method| method == "\"GET\"") {
                self.gap();
            }
            return;
        }
        let Some(request) = request else {
            let why = "the recorder keeps no request that is a batch or is no JSON";
            return self.lost(&format!("{outer}/request"), "no-message", why);
        };
        // What a process answers, the recorder dresses as HTTP.
        let status = status
            .filter(|_| self.transport == Some(Transport::Http))
            .and_then(|status| status.parse::<u16>().ok());
        let asks = asked(request);
        self.message(
            request,
            &format!("{outer}/request"),
            Client,
            None,
            &Stamp::default(),
        );
        let accepted = status.is_none_or(|status| (200..300).contains(&status));
        let answered = match response {
            Some(response) if has(response, "jsonrpc") || accepted && is_message(response.as_bytes()) => {
                let outer = format!("{outer}/response");
                self.message(response, &outer, Server, status, &Stamp::default());
                !has(response, "method")
            }
            _ => !accepted,
        };
        let why = match is_stream {
            _ if answered => "",
            Some("true") => {
                "the recorder kept only the first event of the stream, so what was answered is unknown"
            }
            _ if asks.is_some() => NO_ANSWER,
            _ => "",
        };
        if !why.is_empty() {
            self.lost(&format!("{outer}/response"), "no-answer", why);
        }
        // Whoever sends a notification need not wait: in a cassette it may come too late.
        if asks.as_deref() == Some("initialize") {
            self.gap();
        }
    }

    /// A pair of agent-vcr.
    fn vcr_pair(&mut self, pair: &str, outer: &str) {
        let names = &["direction", "timestamp", "request", "response", "notifications"];
        let [word, time, request, response, notifications] = match fields(pair, names) {
            Ok(found) => found,
            Err(fault) => return self.unreadable(outer, &fault),
        };
        let side = match word.and_then(fields::text) {
            Some(word) => direction::sender(&word).unwrap_or(Client),
            None => Client,
        };
        // When it was answered is not known, nor when what stands with it was said.
        let asked = Stamp {
            time: time.and_then(fields::text).and_then(|time| time::rfc3339(&time)),
            session: None,
        };
        match request {
            Some(request) => self.sent(request, &format!("{outer}/request"), side, &asked),
            None => self.lost(outer, "no-message", "the interaction has no `request`"),
        }
        let list = notifications.unwrap_or_default();
        for (index, range) in scan::elements(list.as_bytes(), 0).enumerate() {
            let outer = format!("{outer}/notifications/{index}");
            self.sent(&list[range], &outer, Server, &Stamp::default());
        }
        let outer = format!("{outer}/response");
        match response {
            Some(response) => self.sent(response, &outer, side.other(), &Stamp::default()),
            None => self.lost(&outer, "no-answer", NO_ANSWER),
        }
    }

    /// A message of agent-vcr: without what it wrote though nobody sent it.
    fn sent(&mut self, message: &str, outer: &str, side: Side, stamp: &Stamp) {
        if json::decode(message, &Demand::shallow(), None).is_err() {
            return self.gap();
        }
        let sent = without_nulls(message);
        if ["method", "result", "error"].iter().any(|name| has(&sent, name)) {
            return self.message(&sent, outer, side, None, stamp);
        }
        let why =
            "the recorder wrote `null` for both the result and the error, so what was answered is unknown";
        self.lost(outer, "no-answer", why);
    }

    fn message(&mut self, text: &str, outer: &str, side: Side, status: Option<u16>, stamp: &Stamp) {
        let (payload, fault) = self.sink.payload(self.record, outer, text, false);
        if fault.is_some() {
            // What is wrong with it is wrong with the cassette, of which it is said.
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

/// The method of a request that is to be answered.
fn asked(request: &str) -> Option<Cow<'_, str>> {
    let [method, id] = fields(request, &["method", "id"]).ok()?;
    id?;
    fields::text(method?)
}

/// A message without the members that are `null`, and without those of its error.
fn without_nulls(message: &str) -> Cow<'_, str> {
    let bytes = message.as_bytes();
    let mut kept = String::from("{");
    for member in scan::members(bytes, 0) {
        let text = &message[member.value.clone()];
        let inner;
        let text = match text {
            "null" => continue,
            text if scan::is_named(bytes, &member.name, "error") && text.starts_with('{') => {
                inner = without_nulls(text);
                &*inner
            }
            text => text,
        };
        if kept.len() > 1 {
            kept.push(',');
        }
        kept.push_str(&message[member.name.clone()]);
        kept.push(':');
        kept.push_str(text);
    }
    kept.push('}');
    if message.starts_with('{') {
        Cow::Owned(kept)
    } else {
        Cow::Borrowed(message)
    }
}

#[cfg(test)]
mod tests;
