//! HAR 1.2, as the developer tools of browsers, mitmproxy, Playwright, Charles and Proxyman write it: one record for each
//! HTTP exchange.
//!
//! Which of them are MCP traffic, `exchanges/endpoints.rs` says, and in which order things happened,
//! `exchanges/order.rs`. What a HAR does not show is unknown:
//!
//! - how headers were spelt: HTTP/2 and some recorders write their names in lower case;
//! - what came on a stream that was still open, or whose text was cleared, and when its events came;
//! - the body of a `POST` without `postData`, and that of a response without a text that was not empty;
//! - the answer to a request with the status 0, which was aborted or blocked, or is still under way; such a request may
//!   have been sent with more headers.
//!
//! A HAR that was made of messages and not of HTTP (`mcp://` in place of a URL) is refused.

use std::borrow::Cow;

use base64::Engine as _;

use super::super::event::{EventKind, Problem};
use super::super::exchanges::{self, Body, Exchange, Lines, Text};
use super::super::fields::{self, fields};
use super::super::head::{Head, says, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp, place, problem};
use super::super::time::{self, Unit as Clock};
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand};
use crate::place::RecordId;

pub(in super::super) struct Har;

impl Format for Har {
    fn name(&self) -> &'static str {
        "har"
    }

    fn title(&self) -> &'static str {
        "a HAR file"
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
            Status,
            Framing,
        ]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let log = log(head)?;
        (!is_synthetic(log)).then_some(Confidence::Certain)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let fault = json::decode(text, &Demand::shallow(), None).err();
        if let Some(fault) = &fault {
            let problem = sink.record_fault(record, fault);
            sink.problem(problem);
        }
        let bytes = text.as_bytes();
        let log = scan::member(bytes, scan::skip_space(bytes, 0), "log");
        let list = log.and_then(|log| scan::member(bytes, log.value.start, "entries"));
        let mut all = Vec::new();
        // The first entry that is none, and the first that is no HTTP.
        let (mut bad, mut made_up) = (None, None);
        for (index, range) in
            scan::elements(bytes, list.map_or(bytes.len(), |list| list.value.start)).enumerate()
        {
            let entry = &text[range];
            match exchange(entry, index) {
                Some(exchange) if is_http(&exchange.url) => all.push(exchange),
                Some(exchange) if is_made_up(&exchange.url) => made_up = made_up.or(Some(index)),
                Some(_) => {}
                // What is wrong with the document is said once.
                None => bad = bad.or(Some(index)),
            }
        }
        exchanges::write(&all, record, "this HAR", sink);
        let at = |index: usize, code, message| Problem {
            place: place(record, format!("/log/entries/{index}").into()),
            ..problem(record, code, message)
        };
        if let Some(index) = made_up {
            sink.lost(
                record,
                at(index, "made-up", "the entry was made of messages, not of HTTP"),
            );
        }
        match (&fault, bad) {
            (Some(_), _) => sink.event(record, &Stamp::default(), EventKind::Gap),
            (None, Some(index)) => {
                sink.lost(record, at(index, "bad-record", "the entry is no HTTP exchange"))
            }
            (None, None) => {}
        }
    }
}

/// The log in a file that is a HAR.
fn log(head: &Head) -> Option<&[u8]> {
    let log = value(head.bytes().get(head.start()..)?, "log")?;
    let is = ["entries", "creator", "pages"]
        .iter()
        .any(|name| value(log, name).is_some());
    is.then_some(log)
}

/// Whether a file is a HAR that was made of messages.
pub(super) fn is_made_of_messages(head: &Head) -> bool {
    log(head).is_some_and(is_synthetic)
}

fn is_synthetic(log: &[u8]) -> bool {
    let by = value(log, "creator").and_then(|creator| value(creator, "name"));
    let by = by.map(|name| String::from_utf8_lossy(name).to_ascii_lowercase());
    let first = value(log, "entries").and_then(|list| {
        let element = scan::elements(list, 0).next()?;
        value(&list[element], "request")
    });
    by.is_some_and(|by| by.contains("mcpsnoop") || by.contains("reticle"))
        || first.is_some_and(|request| {
            let url = value(request, "url")
                .map(String::from_utf8_lossy)
                .unwrap_or_default();
            says(value(request, "httpVersion"), "JSON-RPC/2.0") || is_made_up(url.trim_matches('"'))
        })
}

fn is_http(url: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        let start = url.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// Whether it names a method or a tool in place of an address.
fn is_made_up(url: &str) -> bool {
    ["mcp://", "stdio://", "jsonrpc://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}

/// An entry; `None` if it is none.
fn exchange(entry: &str, index: usize) -> Option<Exchange<'_>> {
    let [started, time, timings, request, response] = fields(
        entry,
        &["startedDateTime", "time", "timings", "request", "response"],
    )
    .ok()?;
    let at = format!("/log/entries/{index}");
    let [method, url, headers, post] = fields(request?, &["method", "url", "headers", "postData"]).ok()?;
    let method = method.and_then(fields::http_method)?;
    let mut exchange = Exchange {
        number: index as u64 + 1,
        started: started
            .and_then(fields::text)
            .and_then(|text| time::rfc3339(&text)),
        request_body: post_data(post, &method, &at),
        method,
        url: url.and_then(fields::text)?,
        request_headers: Lines {
            outer: format!("{at}/request/headers"),
            raw: headers,
            partial: false,
            ..Lines::default()
        },
        ..Exchange::default()
    };
    let clock = |from: Option<i64>, long: Option<i64>| from?.checked_add(long?);
    exchange.ended = clock(exchange.started, time.and_then(millis).filter(|long| *long > 0));
    exchange.answered = clock(exchange.started, timings.and_then(waited));
    let response = response.and_then(|raw| fields(raw, &["status", "headers", "content"]).ok());
    let [status, headers, content] = response.unwrap_or_default();
    exchange.status = status.and_then(fields::status).filter(|status| *status != 0);
    exchange.request_headers.partial = exchange.status.is_none();
    exchange.response_headers = Lines {
        outer: format!("{at}/response/headers"),
        raw: headers,
        partial: false,
        ..Lines::default()
    };
    let [mime, size, text, encoding] = content
        .and_then(|raw| fields(raw, &["mimeType", "size", "text", "encoding"]).ok())
        .unwrap_or_default();
    exchange.mime = mime.and_then(fields::text);
    let size = size.and_then(|size| size.parse::<i64>().ok());
    let said = text.and_then(fields::text).filter(|text| !text.is_empty());
    exchange.response_body = match said {
        Some(text) => body(text, encoding, size, format!("{at}/response/content/text")),
        None => exchange.unsaid(size),
    };
    exchange.at = at;
    Some(exchange)
}

/// How long it took until the head of the response came.
fn waited(timings: &str) -> Option<i64> {
    let [wait, others @ ..] = fields(timings, &["wait", "blocked", "dns", "connect", "send"]).ok()?;
    let wait = wait.and_then(millis).filter(|long| *long >= 0)?;
    let others = others.into_iter().flatten().filter_map(millis);
    others.filter(|long| *long > 0).try_fold(wait, i64::checked_add)
}

fn millis(raw: &str) -> Option<i64> {
    time::number(raw, Clock::Milli)
}

fn post_data<'a>(post: Option<&'a str>, method: &str, at: &str) -> Body<'a> {
    let [text, encoding] = post
        .and_then(|raw| fields(raw, &["text", "encoding"]).ok())
        .unwrap_or_default();
    match text.and_then(fields::text).filter(|text| !text.is_empty()) {
        Some(text) => body(text, encoding, None, format!("{at}/request/postData/text")),
        None if method == "POST" => Body::Lost("is not recorded"),
        None => Body::None,
    }
}

fn body<'a>(text: Cow<'a, str>, encoding: Option<&str>, size: Option<i64>, mut outer: String) -> Body<'a> {
    let encoded = encoding.and_then(fields::text).is_some_and(|how| how == "base64");
    let text = if encoded {
        // A place in what was encoded is none in the file.
        outer.push_str("/base64");
        let plain: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        match base64::engine::general_purpose::STANDARD.decode(plain) {
            Ok(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
            Err(_) => return Body::Lost("is not Base64, as it is said to be"),
        }
    } else {
        text
    };
    let cut = size
        .and_then(|size| usize::try_from(size).ok())
        .is_some_and(|size| size > text.len());
    Body::Text(Text {
        outer,
        text,
        exact: true,
        cut,
    })
}
