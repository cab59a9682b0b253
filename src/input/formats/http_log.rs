//! wirelint's own log of HTTP exchanges: the only form that keeps how headers were spelt, when each event came, and who
//! broke off.
//!
//! | `kind` | other members | meaning |
//! |---|---|---|
//! | `request` | `method`, `url`, `headers`, `body` | a request; the body is a text, or empty |
//! | `response` | `status`, `headers` | the head of its response |
//! | `body` | `body` | the body of a response that is no event stream |
//! | `sse` | `event`, `id`, `retry`, `data` | an event of one that is; no data: a priming event |
//! | `end` | | the response was sent to its end |
//! | `abort` | `side`: `client` or `server` | who went away before |
//! | `gap` | | what passed here was not recorded |
//!
//! Every record has `ts` and the number of its exchange, `ex`. Headers are pairs of name and value in wire order. Where a
//! body or the data of an event is `truncated`, or has `base64` beside it, it is not what passed.

use super::super::event::{Ended, EventKind, Headers, Payload, Problem, StreamFields};
use super::super::fields::{self, fields};
use super::super::head::{Head, says, value};
use super::super::headers;
use super::super::sink::{Sink, problem, short};
use super::stdio_log::{header, is_header, stamp, unknown_kind, unreadable};
use super::{Confidence, Evidence, Format};
use crate::place::RecordId;

pub(super) struct HttpLog;

const KINDS: [&str; 6] = ["request", "response", "body", "sse", "end", "abort"];

const NAMES: [&str; 17] = [
    "kind",
    "ex",
    "ts",
    "session",
    "method",
    "url",
    "headers",
    "body",
    "status",
    "event",
    "id",
    "retry",
    "data",
    "side",
    "version",
    "truncated",
    "base64",
];

impl Format for HttpLog {
    fn name(&self) -> &'static str {
        "http-log"
    }

    fn title(&self) -> &'static str {
        "a log of HTTP exchanges"
    }

    fn evidence(&self) -> &'static [Evidence] {
        use Evidence::*;
        &[
            Direction,
            Order,
            Clock,
            RawText,
            RequestHeaders,
            ResponseHeaders,
            HeaderSpelling,
            Status,
            Framing,
        ]
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let (such, all) = head.count(|line| {
            let kind = value(line, "kind");
            is_header(line, "http")
                || value(line, "ex").is_some() && KINDS.iter().any(|known| says(kind, known))
        });
        (such > 0 && such * 2 >= all).then_some(Confidence::Certain)
    }

    fn read(&self, line: &str, record: RecordId, sink: &mut Sink) {
        let [
            kind,
            ex,
            ts,
            session,
            method,
            url,
            headers,
            body,
            status,
            event,
            id,
            retry,
            data,
            side,
            version,
            truncated,
            base64,
        ] = match fields(line, &NAMES) {
            Ok(found) => found,
            Err(fault) => return unreadable(fault, record, sink),
        };
        if kind.is_none() && version.is_some() {
            return header(version, record, sink);
        }
        let kind = kind.and_then(fields::text).unwrap_or_default();
        if kind == "gap" {
            let stamp = stamp(ts, session, sink);
            return sink.event(record, &stamp, EventKind::Gap);
        }
        if !KINDS.contains(&&*kind) {
            return unknown_kind(
                &kind,
                "`request`, `response`, `body`, `sse`, `end`, `abort` and `gap`",
                record,
                sink,
            );
        }
        let Some(exchange) = ex.and_then(|ex| ex.parse::<u64>().ok()) else {
            return sink.lost(record, bad(record, "`ex` is not the number of an exchange"));
        };
        let stamp = stamp(ts, session, sink);
        let is_partial = truncated == Some("true") || base64.is_some();
        if is_partial {
            // A message may have passed that is not seen.
            sink.event(record, &stamp, EventKind::Gap);
        }
        let text = |sink: &mut Sink, outer: &str, raw: &str| text(sink, record, outer, raw, is_partial);
        let head = |sink: &mut Sink| -> Headers {
            headers.map_or_else(Headers::default, |raw| {
                headers::read(sink, record, "/headers", raw)
            })
        };
        let event = match &*kind {
            "request" => {
                let Some(method) = method.and_then(fields::text) else {
                    return sink.lost(record, bad(record, "the request has no `method`"));
                };
                EventKind::HttpRequest {
                    exchange,
                    method: sink.share(&method),
                    url: url.and_then(fields::text).map(|url| sink.share(&url)),
                    headers: head(sink),
                    payload: body.and_then(|body| text(sink, "/body", body)),
                }
            }
            "response" => EventKind::HttpResponse {
                exchange,
                status: status.and_then(fields::status),
                headers: head(sink),
            },
            "body" => match body.and_then(|body| text(sink, "/body", body)) {
                Some(payload) => EventKind::HttpBody { exchange, payload },
                None => return,
            },
            "sse" => {
                let mut field = |raw: Option<&str>| raw.and_then(fields::word).map(|text| sink.share(&text));
                let fields = StreamFields {
                    event: field(event),
                    id: id.and_then(fields::word).map(|id| (*id).into()),
                    retry: field(retry),
                };
                EventKind::StreamEvent {
                    exchange,
                    event: fields,
                    payload: data.and_then(|data| text(sink, "/data", data)),
                }
            }
            "end" => ended(exchange, Ended::Complete),
            _ => match &*side.and_then(fields::text).unwrap_or_default() {
                "client" => ended(exchange, Ended::Aborted),
                "server" => ended(exchange, Ended::Closed),
                other => {
                    let message = format!("`side` is `{}`, neither `client` nor `server`", short(other));
                    return sink.lost(record, bad(record, &message));
                }
            },
        };
        sink.event(record, &stamp, event);
    }
}

fn ended(exchange: u64, how: Ended) -> EventKind {
    EventKind::HttpEnd { exchange, how }
}

fn bad(record: RecordId, message: &str) -> Problem {
    problem(record, "bad-record", message)
}

/// A body or the data of an event. That it is no JSON, like `Accepted` or a page of HTML, is no fault of the recording.
fn text(sink: &mut Sink, record: RecordId, outer: &str, raw: &str, is_partial: bool) -> Option<Payload> {
    let Some(text) = fields::text(raw) else {
        // A recorder that parses bodies: what it wrote is JSON for sure, but no longer the text that was sent.
        return Some(sink.payload(record, outer, raw, false).0);
    };
    if text.is_empty() {
        return None;
    }
    let (mut payload, fault) = sink.payload(record, outer, &text, true);
    if is_partial {
        // What it seems to say is not what was said.
        payload.json = None;
        payload.truncated = true;
    }
    if let Some(fault) = fault.filter(|fault| fault.too_deep) {
        let problem = sink.text_fault(record, outer, &text, None, &fault);
        sink.problem(problem);
    }
    Some(payload)
}
