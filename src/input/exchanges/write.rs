//! Exchanges → events.

use super::super::event::{Blame, Ended, EventKind, Headers, Payload, Problem, Recorded, StreamFields};
use super::super::headers;
use super::super::sink::{Sink, Stamp, place, problem};
use super::endpoints::{Kind, endpoint, kinds};
use super::order::{Stream, What, parts, streams};
use super::{Body, Exchange, Lines, Text};
use crate::json::{self, Demand};
use crate::place::RecordId;

/// Writes what of these exchanges is MCP traffic. `whole`: what the recording should hold, for the case that there is none.
pub(in super::super) fn write(all: &[Exchange], record: RecordId, whole: &str, sink: &mut Sink) {
    let kinds = kinds(all);
    let streams = streams(all, &kinds);
    for part in parts(all, &kinds, &streams) {
        let exchange = &all[part.exchange];
        let own = match part.what {
            What::Request => exchange.request_record,
            _ => exchange.response_record.or(exchange.request_record),
        };
        let writer = Writer {
            exchange,
            stream: &streams[part.exchange],
            record: own.unwrap_or(record),
        };
        writer.part(part.what, sink);
    }
    others(all, &kinds, record, sink);
    if !kinds.contains(&Kind::Mcp) && !kinds.contains(&Kind::OtherRpc) {
        sink.problem(Problem {
            help: Some("what counts is JSON-RPC with methods of MCP, or headers of MCP".to_owned()),
            fault: Blame::Nobody,
            ..problem(record, "no-mcp", format!("there is no MCP traffic in {whole}"))
        });
    }
}

/// Says of each endpoint that speaks JSON-RPC, but not evidently MCP, that it was passed over.
fn others(all: &[Exchange], kinds: &[Kind], record: RecordId, sink: &mut Sink) {
    let mut told = std::collections::HashSet::new();
    for (exchange, _) in all.iter().zip(kinds).filter(|(_, kind)| **kind == Kind::OtherRpc) {
        let url = endpoint(&exchange.url);
        if told.insert(url) {
            let record = exchange.request_record.unwrap_or(record);
            let message = format!(
                "nothing shows that the JSON-RPC of `{}` is MCP",
                super::super::sink::short(url)
            );
            sink.problem(Problem {
                place: place(record, exchange.at.as_str().into()),
                help: Some("what was sent to it is not judged".to_owned()),
                fault: Blame::Nobody,
                ..problem(record, "other-protocol", message)
            });
        }
    }
}

struct Writer<'e, 'a> {
    exchange: &'e Exchange<'a>,
    stream: &'e Stream,
    record: RecordId,
}

impl Writer<'_, '_> {
    fn part(&self, what: What, sink: &mut Sink) {
        let exchange = self.exchange;
        match what {
            What::Request => self.request(sink),
            What::Head => {
                let head = EventKind::HttpResponse {
                    exchange: exchange.number,
                    status: exchange.status,
                    headers: self.headers(&exchange.response_headers, sink),
                };
                self.event(exchange.answered, head, sink);
            }
            What::Body => self.body(sink),
            What::Event(number) => self.stream_event(number, None, sink),
            What::Answer(number) => self.stream_event(number, exchange.ended, sink),
            What::End => self.end(sink),
            What::Gap => self.event(None, EventKind::Gap, sink),
        }
    }

    fn event(&self, time: Option<i64>, kind: EventKind, sink: &mut Sink) {
        let stamp = Stamp { time, session: None };
        sink.event(self.record, &stamp, kind);
    }

    fn request(&self, sink: &mut Sink) {
        let exchange = self.exchange;
        let payload = exchange
            .request_body
            .text()
            .and_then(|body| self.said(&body.outer, body, &body.text, sink).0);
        let request = EventKind::HttpRequest {
            exchange: exchange.number,
            method: sink.share(&exchange.method),
            url: Some(sink.share(&exchange.url)),
            headers: self.headers(&exchange.request_headers, sink),
            payload,
        };
        self.event(exchange.started, request, sink);
        if let Body::Lost(why) = exchange.request_body {
            self.lost(format!("the body of the request {why}"), "no-body", sink);
        }
    }

    fn body(&self, sink: &mut Sink) {
        let Some(body) = self.exchange.response_body.text() else {
            return;
        };
        let (payload, whole) = self.said(&body.outer, body, &body.text, sink);
        if let Some(payload) = payload {
            let kind = EventKind::HttpBody {
                exchange: self.exchange.number,
                payload,
            };
            self.event(self.exchange.ended, kind, sink);
        }
        if !whole {
            self.event(None, EventKind::Gap, sink);
        }
    }

    fn stream_event(&self, number: usize, time: Option<i64>, sink: &mut Sink) {
        let (Some(event), Some(body)) = (self.stream.events.get(number), self.exchange.response_body.text())
        else {
            return;
        };
        let data = event.data(&body.text);
        if !event.closed && !is_json(&data) {
            // What the text breaks off in. A client takes no notice of it either; whether more came is not known.
            return;
        }
        let mut field = |range: &Option<std::ops::Range<usize>>| {
            let text = range.clone().and_then(|range| body.text.get(range));
            text.map(|text| sink.share(text))
        };
        let fields = StreamFields {
            event: field(&event.event),
            retry: field(&event.retry),
            id: event
                .id
                .clone()
                .and_then(|range| body.text.get(range))
                .map(Into::into),
        };
        let outer = format!("{}/{number}", body.outer);
        let (payload, whole) = self.said(&outer, body, &data, sink);
        let kind = EventKind::StreamEvent {
            exchange: self.exchange.number,
            event: fields,
            payload,
        };
        self.event(time, kind, sink);
        if !whole {
            self.event(None, EventKind::Gap, sink);
        }
    }

    fn end(&self, sink: &mut Sink) {
        let exchange = self.exchange;
        if !exchange.is_stream() {
            match &exchange.response_body {
                // Nothing that is known to be missing came on it.
                Body::Lost(_) if exchange.method != "POST" => {}
                Body::Lost(why) => {
                    return self.lost(format!("the body of the response {why}"), "no-body", sink);
                }
                Body::Text(body) if is_cut(body, &body.text) => return,
                Body::Text(_) | Body::None => {}
            }
        } else if !self.stream.answered || self.broken().is_some() {
            return self.open(sink);
        }
        let end = EventKind::HttpEnd {
            exchange: exchange.number,
            how: Ended::Complete,
        };
        self.event(exchange.ended, end, sink);
    }

    /// A stream of which nothing shows that it came to its end.
    fn open(&self, sink: &mut Sink) {
        match self.exchange.response_body.text() {
            Some(body) if !body.text.is_empty() => {
                self.event(None, EventKind::Gap, sink);
                if let Some(number) = self.broken() {
                    sink.problem(Problem {
                        place: place(self.record, format!("{}/{number}", body.outer).into()),
                        help: Some("the stream was still open, or broke off; all before is read".to_owned()),
                        ..problem(self.record, "cut-off", "the event is cut off")
                    });
                }
            }
            _ => self.lost(
                "the stream of the response is not recorded".to_owned(),
                "no-stream",
                sink,
            ),
        }
    }

    /// The event in which the text breaks off, with data that are no message by themselves.
    fn broken(&self) -> Option<usize> {
        let last = self.stream.events.last().filter(|event| !event.closed)?;
        let body = self.exchange.response_body.text()?;
        let data = last.data(&body.text);
        (!data.is_empty() && !is_json(&data)).then(|| self.stream.events.len() - 1)
    }

    /// Something is missing in the recording: what comes after may depend on it.
    fn lost(&self, message: String, code: &'static str, sink: &mut Sink) {
        self.event(None, EventKind::Gap, sink);
        sink.problem(Problem {
            place: place(self.record, self.exchange.at.as_str().into()),
            help: Some("whatever depends on it is undecided".to_owned()),
            ..problem(self.record, code, message)
        });
    }

    /// A text of the exchange where a message may be, and whether all of it is there. That it is no JSON, like `Accepted`,
    /// is no fault of the recording.
    fn said(&self, outer: &str, body: &Text, text: &str, sink: &mut Sink) -> (Option<Payload>, bool) {
        if text.is_empty() {
            return (None, true);
        }
        let (mut payload, fault) = sink.payload(self.record, outer, text, body.exact);
        let Some(fault) = fault else {
            return (Some(payload), true);
        };
        if is_cut(body, text) {
            payload.truncated = true;
            sink.problem(Problem {
                place: place(self.record, outer.into()),
                help: Some(
                    "the recorder keeps only the beginning of long bodies; raise its limit".to_owned(),
                ),
                ..problem(self.record, "cut-off", "the body is cut off")
            });
            return (Some(payload), false);
        }
        if fault.too_deep {
            let problem = sink.text_fault(self.record, outer, text, None, &fault);
            sink.problem(problem);
        }
        (Some(payload), true)
    }

    fn headers(&self, lines: &Lines, sink: &mut Sink) -> Headers {
        if let Some(lines) = &lines.lines {
            return headers::sent(sink, lines);
        }
        let Some(raw) = lines.raw else {
            return Headers::default();
        };
        let mut read = headers::read(sink, self.record, &lines.outer, raw);
        // What HTTP/2 says in place of the first line, such as `:method`.
        read.list.retain(|header| !header.name.starts_with(':'));
        // Recorders lower the case of names, join lines and sort them; no HTTP message has no header at all.
        read.recorded = if headers::pairs(raw).next().is_none() {
            Recorded::Nothing
        } else if lines.partial {
            Recorded::Some
        } else {
            Recorded::Folded
        };
        read
    }
}

/// Whether a text of a body that is known to have been longer breaks off where a message is not complete.
fn is_cut(body: &Text, text: &str) -> bool {
    let fault = || json::decode(text, &Demand::shallow(), None).err();
    body.cut && fault().is_some_and(|fault| fault.cut_off)
}

fn is_json(text: &str) -> bool {
    json::decode(text, &Demand::shallow(), None).is_ok()
}
