//! Messages and nothing else: one a line, or JSON values one after the other over as many lines as they like.
//!
//! A list on a line is a batch. A file that is one list is a list of messages.

use super::super::event::{Blame, EventKind, Payload, Problem};
use super::super::head::{Head, is_messages};
use super::super::scan;
use super::super::sink::{Sink, Stamp};
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;

/// One message a line.
pub(super) struct Lines;

impl Format for Lines {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn title(&self) -> &'static str {
        "messages, one a line"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Order, Evidence::RawText]
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let (such, all) = head.count(is_messages);
        (such > 0 && such * 2 >= all).then_some(Confidence::Possible)
    }

    fn read(&self, line: &str, record: RecordId, sink: &mut Sink) {
        message(line, record, true, sink);
    }

    fn unreadable(&self, text: &str, record: RecordId, problem: Problem, sink: &mut Sink) {
        sink.problem(unsigned(problem));
        let payload = sink.stray(record, "", text);
        sink.event(record, &Stamp::default(), line_of(payload));
    }
}

/// JSON values over several lines.
pub(super) struct Document;

impl Format for Document {
    fn name(&self) -> &'static str {
        "message-list"
    }

    fn title(&self) -> &'static str {
        "a list of messages"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Order]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let first = head.bytes().get(head.start()..)?;
        let one_list = first.first() == Some(&b'[') && head.is_one_value();
        ((one_list || head.is_spread()) && is_messages(first)).then_some(Confidence::Likely)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        for (value, record) in values(text, record) {
            if !value.starts_with('[') {
                message(value, record, false, sink);
                continue;
            }
            // What is wrong with the list as a whole is said once; its good elements are messages nevertheless.
            let whole = json::decode(value, &Demand::shallow(), None).err();
            if let Some(fault) = &whole {
                let problem = sink.record_fault(record, fault);
                sink.problem(problem);
            }
            for (index, element) in scan::elements(value.as_bytes(), 0).enumerate() {
                let (outer, element) = (format!("/{index}"), &value[element]);
                let (payload, fault) = sink.payload(record, &outer, element, false);
                match fault {
                    None => sink.event(record, &Stamp::default(), line_of(payload)),
                    Some(fault) if whole.is_none() => {
                        let problem = sink.text_fault(record, &outer, element, None, &fault);
                        sink.lost(record, problem);
                    }
                    Some(_) => sink.event(record, &Stamp::default(), EventKind::Gap),
                }
            }
        }
    }
}

fn message(text: &str, record: RecordId, exact: bool, sink: &mut Sink) {
    let (mut payload, fault) = sink.payload(record, "", text, exact);
    if let Some(fault) = fault {
        let problem = sink.record_fault(record, &fault);
        payload.truncated = problem.code == "cut-off";
        sink.problem(if payload.truncated {
            problem
        } else {
            unsigned(problem)
        });
    }
    sink.event(record, &Stamp::default(), line_of(payload));
}

/// A problem with a text that a side sent: nothing shows which.
fn unsigned(problem: Problem) -> Problem {
    Problem {
        fault: Blame::Nobody,
        ..problem
    }
}

fn line_of(payload: Payload) -> EventKind {
    EventKind::Line {
        sender: None,
        transport: None,
        payload,
    }
}

/// The JSON values of a text one after the other, each a record.
pub(super) fn values(text: &str, whole: RecordId) -> impl Iterator<Item = (&str, RecordId)> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut counted) = (0, whole.line, 0);
    std::iter::from_fn(move || {
        let start = scan::skip_space(bytes, at);
        if start >= bytes.len() {
            return None;
        }
        at = scan::skip_value(bytes, start).0;
        let breaks = bytes[counted..start].iter().filter(|b| **b == b'\n').count();
        line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        counted = start;
        let record = RecordId {
            file: whole.file,
            offset: whole.offset + start as u64,
            length: u32::try_from(at - start).unwrap_or(u32::MAX),
            line,
        };
        Some((&text[start..at], record))
    })
}
