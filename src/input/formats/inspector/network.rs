//! The fetches of the MCP Inspector.
//!
//! Headers are those that the client gave to `fetch`, with names in lower case; bodies of JSON were parsed and written
//! again, with what looks like a secret replaced; a body is missing for streams that stay open. `duration` ends with the
//! head of the response. Fetches of the category `auth` are no MCP traffic.

use super::super::super::exchanges::{self, Body, Exchange, Lines, Text};
use super::super::super::fields::{self, fields};
use super::super::super::head::{Head, says, value};
use super::super::super::sink::Sink;
use super::super::super::time::{self, Unit as Clock};
use super::super::{Confidence, Evidence, Format, Unit};
use super::{entries, every, finish};
use crate::place::RecordId;

pub(in super::super) struct Network;

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
        let mut bad = None;
        for (index, entry) in entries(text) {
            if says(value(entry.as_bytes(), "category"), "auth") {
                continue;
            }
            match exchange(entry, index) {
                Some(exchange) => all.push(exchange),
                None => bad = bad.or(Some(index)),
            }
        }
        exchanges::write(&all, record, "these fetches", sink);
        finish(text, record, bad, sink);
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
        method: method.and_then(fields::http_method)?,
        url: url.and_then(fields::text)?,
        request_headers: lines("requestHeaders", sent),
        status: status.and_then(fields::status).filter(|status| *status != 0),
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

#[cfg(test)]
mod tests {
    use super::super::super::super::event::{EventKind, Recorded};
    use super::super::testing::{decode, said};
    use super::*;

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
    fn is_recognised_by_its_entries() {
        let is = |text: &str| {
            Network
                .recognise(&Head::of(text.as_bytes().to_vec(), true))
                .is_some()
        };
        let entry = fetch("\"x\":1");
        assert!(is(&format!("[{entry}]")));
        for text in [
            "[]",
            "{}",
            "[1]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#,
            &entry,
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
