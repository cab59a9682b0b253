//! What the MCP Inspector exports: its list of messages ("protocol") and its list of fetches ("network").
//!
//! Of a message, `direction` is the kind and `origin` the sender, which may be missing. The response stands in the entry of
//! its request. Both were parsed and written again. Some versions keep no notifications and answers of the client: unless
//! one of them is there, they may be missing anywhere.
//!
//! Of a fetch, the headers are those that the client gave to `fetch`, with names in lower case; bodies of JSON were parsed
//! and written again, with what looks like a secret replaced; a body is missing for streams that stay open. `duration` ends
//! with the head of the response. Fetches of the category `auth` are no MCP traffic.

use super::super::direction;
use super::super::event::{EventKind, Side};
use super::super::exchanges::{self, Body, Exchange, Lines, Text};
use super::super::fields::{self, fields};
use super::super::head::{Head, says, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp, problem};
use super::super::time::{self, Unit as Clock};
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;

pub(super) struct Protocol;

impl Format for Protocol {
    fn name(&self) -> &'static str {
        "inspector-protocol"
    }

    fn title(&self) -> &'static str {
        "messages of the MCP Inspector"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Direction, Evidence::Order, Evidence::Clock]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let kinds = ["request", "response", "notification"];
        every(head, |entry| {
            let kind = value(entry, "direction");
            value(entry, "timestamp").is_some()
                && kinds.iter().any(|known| says(kind, known))
                && value(entry, "message").is_some_and(|message| message.starts_with(b"{"))
        })
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let mut said: Vec<Said> = Vec::new();
        let mut lost = false;
        for (index, entry) in entries(text) {
            let added = messages(entry, index, &mut said);
            lost |= added.is_none();
        }
        let keeps = said.iter().any(Said::is_often_missing);
        // What is equal stays in the order of the file.
        said.sort_by_key(|said| said.key);
        for said in said {
            let (payload, fault) = sink.payload(record, &said.outer, said.raw, false);
            if fault.is_some() {
                lost = true;
                continue;
            }
            let kind = EventKind::Message {
                sender: said.sender,
                transport: None,
                method: None,
                headers: None,
                status: None,
                payload,
            };
            let stamp = Stamp {
                time: said.time,
                session: None,
            };
            sink.event(record, &stamp, kind);
            if !keeps {
                sink.event(record, &Stamp::default(), EventKind::Gap);
            }
        }
        finish(text, record, lost, sink);
    }
}

/// A message of an entry.
struct Said<'a> {
    key: i64,
    time: Option<i64>,
    sender: Option<Side>,
    outer: String,
    raw: &'a str,
}

impl Said<'_> {
    /// A message of the client that is no request.
    fn is_often_missing(&self) -> bool {
        let message = self.raw.as_bytes();
        let asks = value(message, "method").is_some() && value(message, "id").is_some();
        self.sender == Some(Side::Client) && !asks
    }
}

/// Adds the messages of an entry; `None` if it is none.
fn messages<'a>(entry: &'a str, index: usize, said: &mut Vec<Said<'a>>) -> Option<()> {
    let [timestamp, origin, message, response, duration] =
        fields(entry, &["timestamp", "origin", "message", "response", "duration"]).ok()?;
    let time = timestamp
        .and_then(fields::text)
        .and_then(|text| time::rfc3339(&text));
    let last = said.last().map_or(i64::MIN, |said| said.key);
    let key = time.unwrap_or(last);
    let sender = origin
        .and_then(fields::text)
        .and_then(|word| direction::sender(&word));
    said.push(Said {
        key,
        time,
        sender,
        outer: format!("/{index}/message"),
        raw: message.filter(|raw| raw.starts_with('{'))?,
    });
    if let Some(raw) = response.filter(|raw| raw.starts_with('{')) {
        let long = duration
            .and_then(|raw| time::number(raw, Clock::Milli))
            .filter(|long| *long >= 0);
        let time = time.zip(long).and_then(|(time, long)| time.checked_add(long));
        said.push(Said {
            key: time.unwrap_or(key),
            time,
            sender: sender.map(Side::other),
            outer: format!("/{index}/response"),
            raw,
        });
    }
    Some(())
}

pub(super) struct Network;

impl Format for Network {
    fn name(&self) -> &'static str {
        "inspector-network"
    }

    fn title(&self) -> &'static str {
        "fetches of the MCP Inspector"
    }

    fn evidence(&self) -> &'static [Evidence] {
        use Evidence::*;
        &[
            Direction,
            Order,
            Clock,
            RequestHeaders,
            ResponseHeaders,
            Status,
            Framing,
        ]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        every(head, |entry| {
            let all = ["timestamp", "method", "url", "requestHeaders"];
            all.iter().all(|name| value(entry, name).is_some())
        })
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let mut all = Vec::new();
        let mut lost = false;
        for (index, entry) in entries(text) {
            if says(value(entry.as_bytes(), "category"), "auth") {
                continue;
            }
            match exchange(entry, index) {
                Some(exchange) => all.push(exchange),
                None => lost = true,
            }
        }
        exchanges::write(&all, record, "these fetches", sink);
        finish(text, record, lost, sink);
    }
}

fn exchange(entry: &str, index: usize) -> Option<Exchange<'_>> {
    let [
        timestamp,
        method,
        url,
        sent,
        request,
        status,
        got,
        response,
        duration,
        category,
    ] = fields(
        entry,
        &[
            "timestamp",
            "method",
            "url",
            "requestHeaders",
            "requestBody",
            "responseStatus",
            "responseHeaders",
            "responseBody",
            "duration",
            "category",
        ],
    )
    .ok()?;
    let lines = |name: &str, raw| Lines {
        outer: format!("/{index}/{name}"),
        raw,
        partial: false,
        ..Lines::default()
    };
    let started = timestamp
        .and_then(fields::text)
        .and_then(|text| time::rfc3339(&text));
    let long = duration
        .and_then(|raw| time::number(raw, Clock::Milli))
        .filter(|long| *long >= 0);
    let mut exchange = Exchange {
        number: index as u64 + 1,
        at: format!("/{index}"),
        declared: says(category.map(str::as_bytes), "transport"),
        started,
        answered: started
            .zip(long)
            .and_then(|(started, long)| started.checked_add(long)),
        method: method.and_then(fields::text)?,
        url: url.and_then(fields::text)?,
        request_headers: lines("requestHeaders", sent),
        status: status
            .and_then(|status| status.parse().ok())
            .filter(|status| *status != 0),
        response_headers: lines("responseHeaders", got),
        ..Exchange::default()
    };
    exchange.request_body = match body(request, format!("/{index}/requestBody"), false) {
        Some(body) => body,
        None if exchange.method == "POST" => Body::Lost("is not recorded"),
        None => Body::None,
    };
    let outer = format!("/{index}/responseBody");
    exchange.response_body =
        body(response, outer, exchange.is_stream()).unwrap_or_else(|| exchange.unsaid(None));
    Some(exchange)
}

/// A body that says something. `exact`: it was not parsed.
fn body(raw: Option<&str>, outer: String, exact: bool) -> Option<Body<'_>> {
    let text = raw.and_then(fields::text).filter(|text| !text.is_empty())?;
    if !exact && text.contains("\"[REDACTED]\"") {
        return Some(Body::Lost("is redacted"));
    }
    Some(Body::Text(Text {
        outer,
        text,
        exact,
        cut: false,
    }))
}

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
fn finish(text: &str, record: RecordId, lost: bool, sink: &mut Sink) {
    if let Err(fault) = json::decode(text, &Demand::shallow(), None) {
        let problem = sink.record_fault(record, &fault);
        sink.lost(record, problem);
    } else if lost {
        let problem = problem(record, "bad-record", "an entry holds no message");
        sink.lost(record, problem);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::event::{Recorded, Wanted};
    use super::super::super::sink::Decoded;
    use super::*;

    fn decode(format: &dyn Format, text: &str) -> Decoded {
        let wanted = Wanted {
            message: Demand::whole(),
            ..Wanted::default()
        };
        let mut sink = Sink::new(&wanted);
        format.read(text, RecordId::default(), &mut sink);
        sink.finish()
    }

    fn said(format: &dyn Format, entries: &[&str]) -> Vec<String> {
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

    const ASK: &str = r#"{"timestamp":"2026-09-01T00:00:01.000Z","direction":"request","origin":"client","duration":500,
        "message":{"jsonrpc":"2.0","id":1,"method":"ping"},"response":{"jsonrpc":"2.0","id":1,"result":{}}}"#;
    const TOLD: &str = r#"{"timestamp":"2026-09-01T00:00:01.200Z","direction":"notification","origin":"server",
        "message":{"jsonrpc":"2.0","method":"notifications/message"}}"#;
    const TELLS: &str = r#"{"timestamp":"2026-09-01T00:00:00.500Z","direction":"notification","origin":"client",
        "message":{"jsonrpc":"2.0","method":"notifications/initialized"}}"#;

    #[test]
    fn a_response_is_taken_out_of_the_entry_of_its_request() {
        assert_eq!(
            said(&Protocol, &[ASK, TOLD, TELLS]),
            [
                "Some(Client) /2/message",
                "Some(Client) /0/message",
                "Some(Server) /1/message",
                "Some(Server) /0/response",
            ]
        );
        // A server asks as well; without an origin nobody knows.
        let asked = ASK.replace("client", "server");
        assert_eq!(
            said(&Protocol, &[&asked]),
            ["Some(Server) /0/message", "Some(Client) /0/response"]
        );
        let unsigned = TELLS.replace("origin", "of");
        assert_eq!(said(&Protocol, &[&unsigned]), ["None /0/message", "gap"]);
    }

    #[test]
    fn what_the_client_may_have_sent_beside_requests_is_unknown() {
        assert_eq!(
            said(&Protocol, &[ASK]),
            [
                "Some(Client) /0/message",
                "gap",
                "Some(Server) /0/response",
                "gap"
            ]
        );
        let failed = r#"{"timestamp":"2026-09-01T00:00:01Z","direction":"request","origin":"client",
            "message":{"jsonrpc":"2.0","id":1,"method":"ping"},"clientError":"timed out"}"#;
        assert_eq!(
            said(&Protocol, &[TELLS, failed]),
            ["Some(Client) /0/message", "Some(Client) /1/message"]
        );
    }

    #[test]
    fn what_is_no_message_is_told_once() {
        let events = said(
            &Protocol,
            &[TELLS, "7", r#"{"timestamp":"x","direction":"request"}"#],
        );
        assert_eq!(events, ["Some(Client) /0/message", "gap", "!bad-record"]);
        let decoded = decode(&Protocol, &format!("[{TELLS},{}", &ASK[..99]));
        assert_eq!((decoded.events.len(), decoded.problems[0].code), (2, "not-json"));
    }

    fn fetch(more: &str) -> String {
        format!(
            r#"{{"timestamp":"2026-09-01T00:00:01Z","method":"POST","url":"http://h/mcp","duration":3,
            "requestHeaders":{{"mcp-method":"x"}},"category":"transport",
            "requestBody":"{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}",{more}}}"#
        )
    }

    #[test]
    fn fetches_are_exchanges() {
        let json = r#""responseStatus":200,"responseHeaders":{"content-type":"application/json"},
            "responseBody":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}""#;
        let all = fetch(json);
        assert_eq!(
            said(&Network, &[&all]),
            ["request true", "response Some(200)", "body false", "end"]
        );
        match &decode(&Network, &format!("[{all}]")).events[0].kind {
            EventKind::HttpRequest { headers, .. } => {
                assert_eq!(headers.recorded, Recorded::Folded);
                assert_eq!(&*headers.list[0].place.outer, "/0/requestHeaders/mcp-method");
            }
            other => panic!("{other:?}"),
        }
        let stream = r#""responseStatus":200,"responseHeaders":{"content-type":"text/event-stream"}"#;
        let text = r#","responseBody":"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n""#;
        assert_eq!(
            said(&Network, &[&fetch(&[stream, text].concat())]),
            ["request true", "response Some(200)", "event Some(true)", "end"]
        );
        assert_eq!(
            said(&Network, &[&fetch(stream)]),
            ["request true", "response Some(200)", "gap", "!no-stream"]
        );
        assert_eq!(
            said(&Network, &[&fetch(r#""error":"failed""#)]),
            ["request true", "gap"]
        );
        let auth = all.replace("transport", "auth");
        assert_eq!(said(&Network, &[&auth]), ["!no-mcp"]);
    }

    #[test]
    fn what_was_redacted_in_a_body_is_not_judged() {
        let json = r#""responseStatus":200,"responseHeaders":{},
            "responseBody":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"code\":\"[REDACTED]\"}}""#;
        assert_eq!(
            said(&Network, &[&fetch(json)]),
            ["request true", "response Some(200)", "gap", "!no-body"]
        );
    }

    #[test]
    fn lists_of_entries_are_recognised() {
        let head = |text: &str| Head::of(text.as_bytes().to_vec(), true);
        let messages = format!("[{ASK},{TOLD}]");
        let fetches = format!("[{}]", fetch("\"x\":1"));
        assert!(Protocol.recognise(&head(&messages)).is_some());
        assert!(Protocol.recognise(&head(&fetches)).is_none());
        assert!(Network.recognise(&head(&fetches)).is_some());
        assert!(Network.recognise(&head(&messages)).is_none());
        for text in [
            "[]",
            "{}",
            "[1]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#,
            ASK,
        ] {
            assert!(Protocol.recognise(&head(text)).is_none(), "{text}");
            assert!(Network.recognise(&head(text)).is_none(), "{text}");
        }
    }
}
