//! One message a line in an envelope of JSON, as most recorders write it.
//!
//! | what | under the name |
//! |---|---|
//! | the message, an object or a text | `msg message raw frame line text body content data payload json` |
//! | who sent it | `dir direction from origin sender` |
//! | when | `ts time timestamp at atMs timestamp_micros` |
//! | the session | `session session_id sessionId` |
//! | how it travelled | `transport transport_type` |
//! | HTTP | `http` with `method`, `status`, `headers`; or `status`, `headers` |
//!
//! This covers mcp-rec, mcpdump, mcpsnoop, glassport, reticle's log, MCPSpy and rows of mcphawk. Lines that hold no
//! message, such as a header or a footer, are passed over.

use std::borrow::Cow;

use super::super::direction;
use super::super::event::{EventKind, Header, Headers, Recorded, Transport};
use super::super::fields::{self, Read, fields, read_fields};
use super::super::head::{Head, is_messages, value};
use super::super::headers;
use super::super::sink::{Sink, Stamp, looks_like_json, place, problem};
use super::super::time::{self, Unit};
use super::stdio_log::{unreadable, words};
use super::{Confidence, Evidence, Format};
use crate::json::Builder;
use crate::place::RecordId;

pub(super) struct Envelope;

const MESSAGE: [&str; 11] = [
    "msg", "message", "raw", "frame", "line", "text", "body", "content", "data", "payload", "json",
];
const SENDER: [&str; 5] = ["dir", "direction", "from", "origin", "sender"];
const TIME: [(&str, Unit); 6] = [
    ("ts", Unit::Guess),
    ("time", Unit::Guess),
    ("timestamp", Unit::Guess),
    ("at", Unit::Guess),
    ("atMs", Unit::Milli),
    ("timestamp_micros", Unit::Micro),
];

/// The names above and those of single members, in the order in which `read` takes them apart.
const NAMES: [&str; 38] = {
    let mut names = [""; 38];
    let mut at = 0;
    while at < 11 {
        names[at] = MESSAGE[at];
        at += 1;
    }
    while at < 16 {
        names[at] = SENDER[at - 11];
        at += 1;
    }
    while at < 22 {
        names[at] = TIME[at - 16].0;
        at += 1;
    }
    let others = [
        "session",
        "session_id",
        "sessionId",
        "transport",
        "transport_type",
        "http",
        "method",
        "status",
        "headers",
        "truncated",
        "type",
        "message_type",
        "mcp_method",
        "mcp_name",
        "mcp_protocol_version",
        "mcp_param_headers",
    ];
    while at < 38 {
        names[at] = others[at - 22];
        at += 1;
    }
    names
};

impl Format for Envelope {
    fn name(&self) -> &'static str {
        "envelopes"
    }

    fn title(&self) -> &'static str {
        "messages in envelopes, one a line"
    }

    fn evidence(&self) -> &'static [Evidence] {
        use Evidence::*;
        &[Direction, Order, Clock, RequestHeaders, ResponseHeaders, Status]
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let (such, all) = head.count(|line| {
            MESSAGE.iter().any(|name| match value(line, name) {
                Some(text) if text.starts_with(b"\"") => {
                    text.starts_with(b"\"{") || text.starts_with(b"\"[{")
                }
                Some(message) => is_messages(message),
                None => false,
            })
        });
        // A header and a footer may stand around few messages.
        (such > 0 && such * 3 >= all).then_some(Confidence::Likely)
    }

    fn read(&self, line: &str, record: RecordId, sink: &mut Sink) {
        // One pass in the usual case; another one finds out what is wrong with the line, or with the message in it.
        match read_fields(line, &NAMES, MESSAGE.len(), &sink.wanted.message) {
            Some(Read { found, tree }) => read(line, &found, tree, record, sink),
            None => match fields(line, &NAMES) {
                Ok(found) => read(line, &found, None, record, sink),
                Err(fault) => unreadable(fault, record, sink),
            },
        }
    }
}

fn read(
    line: &str,
    found: &[Option<&str>; 38],
    tree: Option<(usize, Builder)>,
    record: RecordId,
    sink: &mut Sink,
) {
    let (senders, times) = (&found[11..16], &found[16..22]);
    let [
        a,
        b,
        c,
        transport,
        transport_type,
        http,
        method,
        status,
        flat_headers,
        truncated,
        kind,
        message_type,
        routing @ ..,
    ] = &found[22..]
    else {
        return;
    };
    let stamp = stamp(times, a.or(*b).or(*c), sink);
    let said: Vec<Cow<str>> = senders
        .iter()
        .flatten()
        .filter_map(|raw| fields::text(raw))
        .collect();
    let sender = said.iter().find_map(|word| direction::sender(word));
    if message_type.is_some_and(|kind| kind == "\"stderr\"")
        || sender.is_none() && said.iter().any(|word| word == "stderr")
    {
        return;
    }
    let http = http.and_then(|raw| fields(raw, &["method", "status", "headers"]).ok());
    let [method, status, nested_headers] = http.unwrap_or([*method, *status, None]);
    let transport = transport
        .or(*transport_type)
        .and_then(fields::text)
        .and_then(|word| direction::transport(&word))
        .or((http.is_some() || status.is_some() || flat_headers.is_some()).then_some(Transport::Http));

    let Some(message) = message(found) else {
        let count = |name| fields(line, name).ok().and_then(|[count]| count);
        if kind.is_some_and(|kind| kind == "\"glassport.metrics\"") && count(&["write_failures"]) == Some("0")
        {
            sink.event(record, &stamp, EventKind::Complete);
        } else if sender.is_some() && status.is_none() {
            sink.lost(
                record,
                problem(record, "no-message", "the record holds no message"),
            );
        }
        return;
    };
    if sender.is_none() {
        let is_message = match &message {
            Message::Json(_, raw) => is_messages(raw.as_bytes()),
            Message::Text(_, text) => is_messages(text.trim().as_bytes()),
            Message::Stray(..) => false,
        };
        if !is_message {
            if let (Message::Json(_, raw), true) = (&message, said.iter().any(|word| word == "meta")) {
                let command = fields(raw, &["command"]).ok().and_then(|[command]| command);
                let command = command.map(words).unwrap_or_default();
                sink.event(record, &stamp, EventKind::ProcessStart { command });
            }
            return;
        }
    }
    let (mut payload, fault, outer, text) = match &message {
        Message::Json(name, raw) => {
            let outer = format!("/{name}");
            let (payload, fault) = match tree {
                Some((slot, tree)) if MESSAGE[slot] == *name => {
                    (sink.read_payload(record, &outer, raw, tree), None)
                }
                _ => sink.payload(record, &outer, raw, false),
            };
            (payload, fault, outer, Cow::Borrowed(*raw))
        }
        Message::Text(name, text) => {
            let outer = format!("/{name}");
            let exact = matches!(*name, "line" | "raw" | "text" | "frame");
            let (payload, fault) = sink.payload(record, &outer, text, exact);
            (payload, fault, outer, Cow::Borrowed(&**text))
        }
        Message::Stray(outer, text) => {
            let (payload, fault) = sink.payload(record, outer, text, true);
            (payload, fault, outer.clone(), Cow::Borrowed(&**text))
        }
    };
    payload.truncated = truncated.is_some_and(|truncated| truncated == "true");
    if let Some(fault) = fault
        && !payload.truncated
        && (transport != Some(Transport::Http) || fault.too_deep)
    {
        let problem = sink.text_fault(record, &outer, &text, sender, &fault);
        sink.problem(problem);
    }
    let headers = match (nested_headers, flat_headers) {
        (Some(raw), _) => Some(headers::read(sink, record, "/http/headers", raw)),
        (None, Some(raw)) => Some(headers::read(sink, record, "/headers", raw)),
        (None, None) => routing_headers(routing, record, sink),
    };
    let event = EventKind::Message {
        sender,
        transport,
        // Outside `http`, `method` is that of the message.
        method: method
            .filter(|_| http.is_some())
            .and_then(fields::text)
            .map(|method| sink.share(&method)),
        headers,
        status: status.and_then(fields::status),
        payload,
    };
    sink.event(record, &stamp, event);
}

fn stamp(times: &[Option<&str>], session: Option<&str>, sink: &mut Sink) -> Stamp {
    let time = times.iter().zip(&TIME).find_map(|(raw, (_, unit))| {
        let raw = fields::word((*raw)?)?;
        time::rfc3339(&raw).or_else(|| time::number(&raw, *unit))
    });
    let session = session.and_then(fields::word).map(|id| sink.share(&id));
    Stamp { time, session }
}

/// The message of a record, with the name under which it stands.
enum Message<'a> {
    /// An object, a list or another value.
    Json(&'static str, &'a str),
    /// A text that looks like JSON.
    Text(&'static str, Cow<'a, str>),
    /// A text that does not, with its pointer.
    Stray(String, Cow<'a, str>),
}

fn message<'a>(found: &[Option<&'a str>; 38]) -> Option<Message<'a>> {
    let mut best = None;
    let mut stray = None;
    for (name, raw) in MESSAGE.iter().zip(found) {
        let Some(raw) = raw else {
            continue;
        };
        let message = match raw.as_bytes().first() {
            Some(b'{') if raw[1..].trim_start().starts_with("\"_raw\"") => {
                // How mcp-rec keeps a line that is no JSON.
                let text = fields(raw, &["_raw"])
                    .ok()
                    .and_then(|[text]| text)
                    .and_then(fields::text);
                stray = text.map(|text| (format!("/{name}/_raw"), text)).or(stray);
                continue;
            }
            Some(b'{' | b'[') => Message::Json(name, raw),
            Some(b'"') => match fields::text(raw) {
                Some(text) if looks_like_json(&text) => Message::Text(name, text),
                text => {
                    stray = stray.or(text.map(|text| (format!("/{name}"), text)));
                    continue;
                }
            },
            _ => continue,
        };
        match &best {
            None => best = Some(message),
            // Of several, the first that is a message.
            Some(Message::Json(_, first)) if !is_messages(first.as_bytes()) => best = Some(message),
            Some(_) => {}
        }
    }
    best.or(stray.map(|(outer, text)| Message::Stray(outer, text)))
}

/// The headers that mcpsnoop keeps: those by which a request is routed, under names of its own.
fn routing_headers(routing: &[Option<&str>], record: RecordId, sink: &mut Sink) -> Option<Headers> {
    let [method, name, version, params] = routing else {
        return None;
    };
    if routing.iter().all(Option::is_none) {
        return None;
    }
    let mut list = Vec::new();
    for (raw, outer, header) in [
        (version, "/mcp_protocol_version", "MCP-Protocol-Version"),
        (method, "/mcp_method", "Mcp-Method"),
        (name, "/mcp_name", "Mcp-Name"),
    ] {
        let wanted = sink.wanted.headers.as_ref();
        if let Some(value) = raw.and_then(fields::text)
            && wanted.is_none_or(|wanted| wanted.contains(&header.to_ascii_lowercase()))
        {
            list.push(Header {
                name: sink.share(header),
                raw: sink.share(&value),
                redacted: false,
                place: place(record, sink.share(outer)),
            });
        }
    }
    if let Some(raw) = params {
        list.extend(headers::read(sink, record, "/mcp_param_headers", raw).list);
    }
    let recorded = Recorded::Some;
    Some(Headers { list, recorded })
}

#[cfg(test)]
mod tests {
    use super::super::super::event::{Blame, Side, Wanted};
    use super::*;

    fn read_line(line: &str) -> super::super::super::sink::Decoded {
        let wanted = Wanted {
            message: crate::json::Demand::whole(),
            frames: true,
            ..Wanted::default()
        };
        let mut sink = Sink::new(&wanted);
        Envelope.read(line, RecordId::default(), &mut sink);
        sink.finish()
    }

    fn sender_of(line: &str) -> Option<Side> {
        match &read_line(line).events[..] {
            [event] => match &event.kind {
                EventKind::Message { sender, .. } => *sender,
                other => panic!("{other:?}"),
            },
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_kind_of_a_message_is_no_direction() {
        assert_eq!(
            sender_of(r#"{"direction":"request","message":{"jsonrpc":"2.0","method":"ping","id":1}}"#),
            None
        );
        assert_eq!(
            sender_of(
                r#"{"direction":"request","origin":"server","message":{"jsonrpc":"2.0","method":"ping","id":1}}"#
            ),
            Some(Side::Server)
        );
    }

    /// Unusual lines are read in another way; what they say is the same.
    #[test]
    fn one_pass_and_two_say_the_same() {
        let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[1,{"b":"x"}],"c":1.50}}"#;
        let said = |line: &str| {
            let decoded = read_line(line);
            assert!(decoded.problems.is_empty(), "{line}");
            match &decoded.events[..] {
                [event] => match &event.kind {
                    EventKind::Message { payload, .. } => {
                        let json = payload.json.as_ref().and_then(|json| json.root()).unwrap();
                        (payload.bytes, payload.text.clone().unwrap(), json.to_text())
                    }
                    other => panic!("{other:?}"),
                },
                other => panic!("{line}: {other:?}"),
            }
        };
        let plain = said(&format!(r#"{{"dir":"c2s","msg":{message}}}"#));
        assert_eq!(plain.1.as_ref(), message);
        assert_eq!(plain.0 as usize, message.len());
        for line in [
            r#"{"msg":MESSAGE,"dir":"c2s"}"#,
            r#" { "dir" : "c2s" , "msg" : MESSAGE , "x" : 1 } "#,
            r#"{"msg":1,"msg":MESSAGE,"dir":"c2s"}"#,
            r#"{"msg":{"a":1},"msg": MESSAGE }"#,
            r#"{"\u006dsg":MESSAGE,"dir":"c2s"}"#,
            r#"{"dir":"c2s","msg":MESSAGE,"note":"\ud800"}"#,
            r#"{"dir":"c2s","data":{"level":"x"},"message":MESSAGE}"#,
            r#"{"dir":"c2s","message":{"level":"x"},"data":MESSAGE}"#,
        ] {
            let line = line.replace("MESSAGE", message);
            assert_eq!(said(&line), plain, "{line}");
        }
    }

    #[test]
    fn lines_without_a_message_are_passed_over() {
        for line in [
            r#"{"format":"x","version":1,"data":{"a":1}}"#,
            r#"{"dir":"stderr","text":"{\"jsonrpc\":\"2.0\"}"}"#,
            r#"{"type":"log","message":"started"}"#,
            r#"{"direction":"in","message_type":"stderr","raw":"{\"jsonrpc\":\"2.0\"}"}"#,
            r#"{"dir":"s2c","status":202}"#,
        ] {
            let decoded = read_line(line);
            assert!(
                decoded.events.is_empty() && decoded.problems.is_empty(),
                "{line}: {decoded:?}"
            );
        }
        assert_eq!(
            read_line(r#"{"dir":"s2c","msg":null}"#).problems[0].code,
            "no-message"
        );
    }

    #[test]
    fn a_text_that_is_no_json_is_kept() {
        for line in [
            r#"{"dir":"s2c","msg":{"_raw":"debug: on","_unparsed":true}}"#,
            r#"{"dir":"s2c","frame":null,"raw":"debug: on"}"#,
        ] {
            let decoded = read_line(line);
            assert_eq!(decoded.problems[0].code, "not-json", "{line}");
            assert_eq!(decoded.problems[0].fault, Blame::Sender(Side::Server), "{line}");
            assert!(
                matches!(&decoded.events[0].kind, EventKind::Message { payload, .. } if payload.json.is_none())
            );
        }
    }
}
