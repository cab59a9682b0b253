//! Exports of `tshark`: packets with what its dissectors found in them, as `-T ek` (one a line, behind a line for
//! Elasticsearch) and `-T json` (one list) write them.
//!
//! Requests and responses of HTTP/1 become exchanges: a response belongs to the request that tshark names, else to the
//! first of its TCP stream that has none. Which of them are MCP traffic, `exchanges/endpoints.rs` says. `tshark` writes an
//! event stream when it has ended: when its events came is unknown, see `exchanges/order.rs`. Header lines stand as they
//! were sent; in `-T json` each has the same name, and all of them count.

mod packet;

use std::collections::{HashMap, VecDeque};

use super::super::event::Problem;
use super::super::exchanges::{self, Body, Exchange};
use super::super::fields::{NoFields, fields};
use super::super::head::{Head, value};
use super::super::scan;
use super::super::sink::{Sink, problem};
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;
use packet::{Packet, Said};

/// What both forms show.
static EVIDENCE: &[Evidence] = &[
    Evidence::Direction,
    Evidence::Order,
    Evidence::Clock,
    Evidence::RawText,
    Evidence::RequestHeaders,
    Evidence::ResponseHeaders,
    Evidence::HeaderSpelling,
    Evidence::Status,
    Evidence::Framing,
];

/// `-T ek`
pub(super) struct Ek;

impl Format for Ek {
    fn name(&self) -> &'static str {
        "tshark-ek"
    }

    fn title(&self) -> &'static str {
        "packets as `tshark -T ek` writes them"
    }

    fn evidence(&self) -> &'static [Evidence] {
        EVIDENCE
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let (such, all) = head.count(|line| {
            let index = value(line, "index").is_some_and(|index| value(index, "_index").is_some());
            index || value(line, "layers").is_some_and(is_layers)
        });
        (such > 0 && such * 2 >= all).then_some(Confidence::Certain)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let mut capture = Capture::default();
        let mut rest = 0;
        let mut line = record.line;
        while rest < text.len() {
            let end = text[rest..].find('\n').map_or(text.len(), |end| rest + end);
            let packet = text[rest..end].trim_end_matches('\r');
            sink.unfinished = end == text.len();
            if !packet.trim().is_empty() {
                let own = part(record, rest, packet.len(), line);
                match fields(packet, &["layers", "timestamp"]) {
                    Ok([Some(layers), time]) => {
                        capture.add(Packet::new(packet, layers, time, "/layers", own))
                    }
                    // The line for Elasticsearch.
                    Ok([None, _]) => {}
                    Err(fault) => capture.unreadable(fault, own, sink),
                }
            }
            rest = end + 1;
            line = line.saturating_add(1);
        }
        capture.write(record, sink);
    }
}

/// `-T json`
pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "tshark-json"
    }

    fn title(&self) -> &'static str {
        "packets as `tshark -T json` writes them"
    }

    fn evidence(&self) -> &'static [Evidence] {
        EVIDENCE
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let bytes = head.bytes();
        let first = scan::elements(bytes, head.start()).next()?;
        let source = value(&bytes[first], "_source")?;
        value(source, "layers").map(|_| Confidence::Certain)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let fault = json::decode(text, &Demand::shallow(), None).err();
        if let Some(fault) = &fault {
            let problem = sink.record_fault(record, fault);
            sink.problem(problem);
        }
        let bytes = text.as_bytes();
        let (mut line, mut counted) = (record.line, 0);
        let mut capture = Capture::default();
        for range in scan::elements(bytes, scan::skip_space(bytes, 0)) {
            line = line.saturating_add(breaks(&bytes[counted..range.start]));
            counted = range.start;
            let own = part(record, range.start, range.len(), line);
            let packet = &text[range];
            let layers =
                fields(packet, &["_source"]).and_then(|[source]| fields(source.unwrap_or("{}"), &["layers"]));
            match layers {
                Ok([Some(layers)]) => {
                    capture.add(Packet::new(packet, layers, None, "/_source/layers", own));
                }
                // What is wrong with the document is said once.
                Err(_) if fault.is_some() => {}
                Ok([None]) => capture.unreadable(NoFields::NotObject, own, sink),
                Err(fault) => capture.unreadable(fault, own, sink),
            }
        }
        if fault.is_some() {
            capture.gap(None);
        }
        capture.write(record, sink);
    }
}

fn is_layers(layers: &[u8]) -> bool {
    ["frame", "http", "tcp"]
        .iter()
        .any(|name| value(layers, name).is_some())
}

/// A part of a record that is one by itself.
fn part(whole: RecordId, start: usize, length: usize, line: u32) -> RecordId {
    RecordId {
        offset: whole.offset + start as u64,
        length: u32::try_from(length).unwrap_or(u32::MAX),
        line,
        ..whole
    }
}

fn breaks(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|b| **b == b'\n').count()).unwrap_or(u32::MAX)
}

/// The exchanges of the packets so far.
#[derive(Default)]
struct Capture<'a> {
    exchanges: Vec<Exchange<'a>>,
    /// Which exchange began in a frame.
    frames: HashMap<u64, usize>,
    /// Of each TCP stream, the exchanges without a response.
    open: HashMap<String, VecDeque<usize>>,
    /// Responses to requests that are not there.
    alone: Vec<RecordId>,
    /// HTTP in a form that is not read: where it was met first, how often, and why.
    unread: Vec<(RecordId, usize, &'static str)>,
    /// When the last packet came.
    time: Option<i64>,
}

impl<'a> Capture<'a> {
    fn add(&mut self, packet: Packet<'a>) {
        if let Some(why) = packet.unread {
            match self.unread.iter_mut().find(|(.., known)| *known == why) {
                Some((_, times, _)) => *times += 1,
                None => self.unread.push((packet.record, 1, why)),
            }
            self.gap(packet.time);
        }
        self.time = packet.time.or(self.time);
        for said in packet.said {
            match said {
                Said::Request(mut exchange) => {
                    let index = self.exchanges.len();
                    exchange.number = index as u64 + 1;
                    exchange.started = packet.time;
                    exchange.exact_times = packet.exact_time;
                    self.exchanges.push(exchange);
                    // Of several requests in a frame, responses are taken in turn.
                    if let Some(frame) = packet.frame {
                        self.frames.entry(frame).or_insert(index);
                    }
                    if let Some(stream) = &packet.stream {
                        self.open.entry(stream.clone()).or_default().push_back(index);
                    }
                }
                Said::Response { request_in, response } => {
                    // What only says that more is to come.
                    if response.status.is_some_and(|status| status < 200) {
                        continue;
                    }
                    match self.request(&packet.stream, request_in) {
                        Some(index) => answer(&mut self.exchanges[index], response, packet.time),
                        // Of what else went over the wire, nobody misses the request.
                        None if !response.may_be_mcp() => {}
                        None => {
                            self.alone.push(packet.record);
                            self.gap(packet.time);
                        }
                    }
                }
            }
        }
    }

    /// Something is missing here.
    fn gap(&mut self, time: Option<i64>) {
        self.exchanges.push(Exchange {
            number: self.exchanges.len() as u64 + 1,
            lost: true,
            started: time.or(self.time),
            ..Exchange::default()
        });
    }

    /// A packet that cannot be read.
    fn unreadable(&mut self, fault: NoFields, record: RecordId, sink: &mut Sink) {
        let problem = match fault {
            NoFields::NotJson(fault) => sink.record_fault(record, &fault),
            NoFields::NotObject => problem(record, "bad-record", "this is no packet of tshark"),
        };
        sink.problem(problem);
        self.gap(None);
    }

    /// The exchange that a response on a stream ends.
    fn request(&mut self, stream: &Option<String>, request_in: Option<u64>) -> Option<usize> {
        let named = request_in.and_then(|frame| self.frames.get(&frame)).copied();
        let open = stream.as_ref().and_then(|stream| self.open.get_mut(stream));
        let named = named.filter(|index| self.exchanges[*index].status.is_none());
        match (named, open) {
            (Some(index), Some(open)) => {
                open.retain(|known| *known != index);
                Some(index)
            }
            (Some(index), None) => Some(index),
            // The request that tshark names is not in the file: it is none of those.
            (None, Some(_)) if request_in.is_some_and(|frame| !self.frames.contains_key(&frame)) => None,
            (None, Some(open)) => open.pop_front(),
            (None, None) => None,
        }
    }

    fn write(self, record: RecordId, sink: &mut Sink) {
        for (first, times, why) in &self.unread {
            let packets = match times {
                1 => "a packet is".to_owned(),
                n => format!("{n} packets are"),
            };
            sink.problem(Problem {
                help: Some("whatever they carried is not judged".to_owned()),
                ..problem(*first, "not-read", format!("{packets} {why}"))
            });
        }
        for response in &self.alone {
            sink.problem(Problem {
                help: Some(
                    "the capture began later, or the packets of the request were filtered out".to_owned(),
                ),
                ..problem(
                    *response,
                    "no-request",
                    "the request of this response is not recorded",
                )
            });
        }
        exchanges::write(&self.exchanges, record, "this export", sink);
    }
}

/// Adds the response to an exchange.
fn answer<'a>(exchange: &mut Exchange<'a>, response: Exchange<'a>, time: Option<i64>) {
    exchange.status = response.status;
    exchange.response_headers = response.response_headers;
    exchange.response_record = response.response_record;
    exchange.response_body = match response.response_body {
        Body::None => exchange.unsaid(None),
        body => body,
    };
    exchange.ended = time;
    // When a stream began is not known.
    exchange.answered = time.filter(|_| !exchange.is_stream());
}

#[cfg(test)]
mod tests;
