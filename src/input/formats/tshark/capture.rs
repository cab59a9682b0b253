//! The packets of a capture → exchanges: which response belongs to which request.

use std::collections::{HashMap, VecDeque};

use super::super::super::event::Problem;
use super::super::super::exchanges::{self, Body, Exchange};
use super::super::super::fields::NoFields;
use super::super::super::sink::{Sink, problem};
use super::packet::{Packet, Said};
use crate::place::RecordId;

/// The exchanges of the packets so far.
#[derive(Default)]
pub(super) struct Capture<'a> {
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
    pub(super) fn add(&mut self, packet: Packet<'a>) {
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
    pub(super) fn gap(&mut self, time: Option<i64>) {
        self.exchanges.push(Exchange {
            number: self.exchanges.len() as u64 + 1,
            lost: true,
            started: time.or(self.time),
            ..Exchange::default()
        });
    }

    /// A packet that cannot be read.
    pub(super) fn unreadable(&mut self, fault: NoFields, record: RecordId, sink: &mut Sink) {
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
        if let Some(index) = named.filter(|index| !self.is_answered(*index)) {
            return Some(index);
        }
        if request_in.is_some() && named.is_none() {
            // The request that tshark names is not in the file: it is none of those.
            return None;
        }
        let mut open = self.open.remove(stream.as_deref()?)?;
        let mut next = open.pop_front();
        while next.is_some_and(|index| self.is_answered(index)) {
            next = open.pop_front();
        }
        self.open.insert(stream.clone()?, open);
        next
    }

    fn is_answered(&self, index: usize) -> bool {
        self.exchanges[index].response_record.is_some()
    }

    pub(super) fn write(self, record: RecordId, sink: &mut Sink) {
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
