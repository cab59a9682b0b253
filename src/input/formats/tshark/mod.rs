//! Exports of `tshark`: packets with what its dissectors found in them, as `-T ek` (one a line, behind a line for
//! Elasticsearch) and `-T json` (one list) write them.
//!
//! Requests and responses of HTTP/1 become exchanges: a response belongs to the request that tshark names, else to the
//! first of its TCP stream that has none. Which of them are MCP traffic, `exchanges/endpoints.rs` says. `tshark` writes an
//! event stream when it has ended: when its events came is unknown, see `exchanges/order.rs`. Header lines stand as they
//! were sent; in `-T json` each has the same name, and all of them count.

mod capture;
mod layer;
mod packet;

use super::super::fields::{NoFields, fields};
use super::super::head::{Head, value};
use super::super::scan;
use super::super::sink::Sink;
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;
use capture::Capture;
use packet::Packet;

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

#[cfg(test)]
mod tests;
