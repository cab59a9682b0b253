//! What the MCP Inspector exports: its list of messages ("protocol") and its list of fetches ("network").

mod network;
mod protocol;

pub(super) use network::Network;
pub(super) use protocol::Protocol;

use super::super::event::Problem;
use super::super::head::Head;
use super::super::scan;
use super::super::sink::{Sink, place, problem};
use super::Confidence;
use crate::json::{self, Demand};
use crate::place::RecordId;

/// Whether the file is a list whose first elements are all such.
fn every(head: &Head, such: impl Fn(&[u8]) -> bool) -> Option<Confidence> {
    let bytes = head.bytes();
    let first = scan::elements(bytes, head.start())
        .take(5)
        .map(|element| &bytes[element]);
    // An element that the head cuts says too little, unless it is the only one.
    let mut whole = first.filter(|element| scan::skip_value(element, 0).1).peekable();
    whole.peek()?;
    whole.all(such).then_some(Confidence::Certain)
}

/// The elements of the list that a file is.
fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    scan::elements(bytes, scan::skip_space(bytes, 0))
        .map(|element| &text[element])
        .enumerate()
}

/// Says what is wrong with a document: with all of it, else with entries.
fn finish(text: &str, record: RecordId, bad: Option<usize>, sink: &mut Sink) {
    if let Err(fault) = json::decode(text, &Demand::shallow(), None) {
        let problem = sink.record_fault(record, &fault);
        sink.lost(record, problem);
    } else if let Some(index) = bad {
        let problem = Problem {
            place: place(record, format!("/{index}").into()),
            ..problem(record, "bad-record", "the entry holds no message")
        };
        sink.lost(record, problem);
    }
}

#[cfg(test)]
mod testing {
    use super::super::super::event::{EventKind, Wanted};
    use super::super::super::sink::Decoded;
    use super::super::Format;
    use super::*;

    pub(super) fn decode(format: &dyn Format, text: &str) -> Decoded {
        let wanted = Wanted {
            message: Demand::whole(),
            ..Wanted::default()
        };
        let mut sink = Sink::new(&wanted);
        format.read(text, RecordId::default(), &mut sink);
        sink.finish()
    }

    pub(super) fn said(format: &dyn Format, entries: &[&str]) -> Vec<String> {
        let decoded = decode(format, &format!("[{}]", entries.join(",")));
        let events = decoded.events.iter().map(|event| match &event.kind {
            EventKind::Message { sender, payload, .. } => format!("{sender:?} {}", payload.place.outer),
            EventKind::HttpRequest { payload, .. } => format!("request {}", payload.is_some()),
            EventKind::HttpResponse { status, .. } => format!("response {status:?}"),
            EventKind::HttpBody { payload, .. } => format!("body {}", payload.exact),
            EventKind::StreamEvent { payload, .. } => {
                format!("event {:?}", payload.as_ref().map(|payload| payload.exact))
            }
            EventKind::HttpEnd { .. } => "end".to_owned(),
            EventKind::Gap => "gap".to_owned(),
            other => panic!("{other:?}"),
        });
        let problems = decoded
            .problems
            .iter()
            .map(|problem| format!("!{}", problem.code));
        events.chain(problems).collect()
    }
}
