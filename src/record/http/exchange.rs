//! One exchange, as it is written down while it goes on.

use std::mem;
use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE};

use super::KEPT;
use super::events::Events;
use super::heads::{Lines, value};
use super::ledger::Ledger;
use crate::record::log::{Body, Side};

/// An exchange that goes on. If it is let go before its end, its client has gone away.
pub(super) struct Exchange {
    ledger: Arc<Ledger>,
    number: u64,
    /// The head of the request, until it is written.
    request: Option<RequestHead>,
    body: Kept,
    /// The response is an event stream.
    events: Option<Events>,
    is_over: bool,
}

/// The head of a request.
pub(super) struct RequestHead {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) lines: Lines,
    pub(super) is_form: bool,
}

/// A body, as far as it is kept.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    is_form: bool,
    cut: bool,
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.bytes.len());
        self.cut |= bytes.len() > room;
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn said(&self) -> Body<'_> {
        Body {
            bytes: &self.bytes,
            is_form: self.is_form,
            cut: self.cut,
        }
    }
}

/// Whether a body is a form.
pub(super) fn is_form(headers: &HeaderMap) -> bool {
    media_type(headers) == "application/x-www-form-urlencoded"
}

fn media_type(headers: &HeaderMap) -> String {
    let said = value(headers, &CONTENT_TYPE);
    let bare = said.split(';').next().unwrap_or("");
    bare.trim().to_ascii_lowercase()
}

impl Exchange {
    /// The head of a request has come.
    pub(super) fn begin(ledger: &Arc<Ledger>, request: RequestHead) -> Exchange {
        Exchange {
            number: ledger.begin(),
            ledger: Arc::clone(ledger),
            body: Kept {
                is_form: request.is_form,
                ..Kept::default()
            },
            request: Some(request),
            events: None,
            is_over: false,
        }
    }

    /// More of the body of the request has come. Gives whether there is room for more.
    pub(super) fn told(&mut self, bytes: &[u8]) -> bool {
        self.body.push(bytes);
        !self.body.cut
    }

    /// The request is about to go on.
    pub(super) fn asks(&mut self) {
        let body = mem::take(&mut self.body);
        if let Some(head) = self.request.take() {
            let number = self.number;
            self.ledger.write(|log| {
                log.request(number, &head.method, &head.target, &head.lines, body.said());
            });
        }
    }

    /// The head of the response is about to go on.
    pub(super) fn is_answered(&mut self, status: u16, headers: &HeaderMap, lines: &Lines) {
        let is_plain = matches!(value(headers, &CONTENT_ENCODING), "" | "identity");
        self.events = (is_plain && media_type(headers) == "text/event-stream").then(Events::default);
        let number = self.number;
        self.ledger.write(|log| log.response(number, status, lines));
    }

    /// More of the body of the response is about to go on.
    pub(super) fn is_told(&mut self, bytes: &[u8]) {
        let number = self.number;
        match &mut self.events {
            None => self.body.push(bytes),
            Some(events) => self.ledger.write(|log| {
                events.push(bytes, |event| log.event(number, event));
            }),
        }
    }

    /// The last of the response is about to go on.
    pub(super) fn ends(&mut self) {
        self.is_over_with(None);
    }

    /// The server has gone away before.
    pub(super) fn breaks(&mut self) {
        self.is_over_with(Some(Side::Server));
    }

    fn is_over_with(&mut self, gone: Option<Side>) {
        if mem::replace(&mut self.is_over, true) {
            return;
        }
        self.body.cut |= gone.is_some();
        if self.request.is_some() {
            // Its end never came: what came is told.
            self.asks();
        }
        let (number, body) = (self.number, mem::take(&mut self.body));
        self.ledger.write(|log| {
            if !body.bytes.is_empty() {
                log.body(number, body.said());
            }
            match gone {
                None => log.end_of(number),
                Some(side) => log.abort(number, side),
            }
        });
        self.ledger.end();
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.is_over_with(Some(Side::Client));
    }
}
