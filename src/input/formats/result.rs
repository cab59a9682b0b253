//! A single result, as `--method tools/call` of the MCP Inspector prints it: what a server answered, without its envelope
//! and without the request.

use super::super::event::{EventKind, Side};
use super::super::head::{Head, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp};
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;

pub(super) struct SingleResult;

impl Format for SingleResult {
    fn name(&self) -> &'static str {
        "result"
    }

    fn title(&self) -> &'static str {
        "a single result without its request"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Direction]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let first = head.bytes().get(head.start()..)?;
        let content = value(first, "content")?;
        let block = scan::elements(content, 0).next()?;
        let such = head.is_one_value() && value(first, "jsonrpc").is_none();
        (such && value(&content[block], "type").is_some()).then_some(Confidence::Possible)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        if let Err(fault) = json::decode(text, &Demand::shallow(), None) {
            let problem = sink.record_fault(record, &fault);
            return sink.lost(record, problem);
        }
        let stamp = Stamp {
            time: None,
            session: None,
        };
        let answer = format!(r#"{{"jsonrpc":"2.0","id":"","result":{}}}"#, text.trim());
        let Some(payload) = sink.put_together(record, &answer, &["jsonrpc", "id"]) else {
            return;
        };
        // Its request, and all else, is not here.
        sink.event(record, &stamp, EventKind::Gap);
        let message = EventKind::bare_message(Some(Side::Server), payload);
        sink.event(record, &stamp, message);
    }
}
