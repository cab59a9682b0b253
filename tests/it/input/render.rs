//! Events as compact texts.

use std::fmt::Write as _;
use std::path::Path;

use wirelint::input::event::{Event, EventKind, Headers, Payload, Problem, Side, Wanted};
use wirelint::input::{Input, Limits, Recording};
use wirelint::json::Demand;
use wirelint::place::Place;

pub fn everything() -> Wanted {
    Wanted {
        redactions: vec![],
        message: Demand::whole(),
        entry: Demand::whole(),
        headers: None,
        frames: false,
        text_limit: 200,
    }
}

/// All events and problems, read in blocks of that size.
pub fn read(mut recording: Recording) -> (Vec<Event>, Vec<Problem>) {
    let (mut events, mut problems) = (vec![], vec![]);
    let decoder = recording.decoder();
    while let Some(block) = recording.next_block().unwrap() {
        let decoded = decoder.decode(&block, &everything());
        events.extend(decoded.events);
        problems.extend(decoded.problems);
    }
    (events, problems)
}

pub fn open(path: &Path, limits: Limits) -> Recording {
    Recording::open(&Input::File(path.to_owned()), 0, limits).unwrap()
}

/// One event a line, then the problems.
pub fn render(recording: Recording) -> String {
    let mut out = format!("{} {:?}\n", recording.format(), recording.evidence());
    let (events, problems) = read(recording);
    for event in events {
        let _ = write!(out, "{}", event.record.line);
        if let Some(time) = event.time {
            let _ = write!(out, " @{}.{:03}", time / 1_000_000_000, time / 1_000_000 % 1000);
        }
        if let Some(session) = &event.session {
            let _ = write!(out, " [{session}]");
        }
        out.push(' ');
        kind(&mut out, &event.kind);
        out.push('\n');
    }
    for problem in problems {
        let _ = writeln!(
            out,
            "! {}{} {}+{}, {:?}: {}{}",
            problem.place.record.line,
            place(&problem.place),
            problem.code,
            problem.offset,
            problem.fault,
            problem.message,
            problem.help.map_or(String::new(), |help| format!(" ({help})"))
        );
    }
    out
}

fn place(place: &Place) -> String {
    let range = place.range.map_or(String::new(), |(a, b)| format!("[{a}..{b}]"));
    let inner = place
        .inner
        .as_ref()
        .map_or(String::new(), |inner| format!("#{inner}"));
    format!("{}{inner}{range}", place.outer)
}

fn side(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::Client) => "client",
        Some(Side::Server) => "server",
        None => "?",
    }
}

fn kind(out: &mut String, kind: &EventKind) {
    let _ = match kind {
        EventKind::Line {
            sender,
            transport,
            payload,
        } => write!(out, "line {} {transport:?} {}", side(*sender), said(payload)),
        EventKind::HttpRequest {
            exchange,
            method,
            url,
            headers,
            payload,
        } => write!(
            out,
            "request {exchange} {method} {}{}{}",
            url.as_deref().unwrap_or("?"),
            heads(headers),
            body(payload.as_ref())
        ),
        EventKind::HttpResponse {
            exchange,
            status,
            headers,
        } => write!(out, "response {exchange} {status:?}{}", heads(headers)),
        EventKind::HttpBody { exchange, payload } => write!(out, "body {exchange} {}", said(payload)),
        EventKind::StreamEvent {
            exchange,
            event,
            payload,
        } => write!(
            out,
            "event {exchange} {:?} {:?} {:?}{}",
            event.event,
            event.id,
            event.retry,
            body(payload.as_ref())
        ),
        EventKind::Message {
            sender,
            transport,
            method,
            headers,
            status,
            payload,
        } => write!(
            out,
            "message {} {transport:?} {} {status:?}{}{}",
            side(*sender),
            method.as_deref().unwrap_or("-"),
            headers.as_ref().map_or(String::new(), heads),
            body(Some(payload))
        ),
        EventKind::Catalogue {
            server,
            kind,
            entries,
            complete,
            partial,
        } => {
            let _ = write!(
                out,
                "catalogue {server:?} {kind:?} complete={complete} partial={partial}"
            );
            for entry in entries {
                let _ = write!(
                    out,
                    "\n    {}: {} {}",
                    entry.place().map_or(0, |p| p.record.line),
                    entry.place().map_or(String::new(), |p| place(&p)),
                    short(&entry.to_text())
                );
            }
            Ok(())
        }
        other => write!(out, "{other:?}"),
    };
}

fn heads(headers: &Headers) -> String {
    let mut out = format!("\n    headers {:?}", headers.recorded);
    for header in &headers.list {
        let redacted = if header.redacted { " (redacted)" } else { "" };
        let _ = write!(
            out,
            "\n    {} {}: {}{redacted}",
            place(&header.place),
            header.name,
            header.raw
        );
    }
    out
}

fn body(payload: Option<&Payload>) -> String {
    payload.map_or(String::new(), |payload| format!("\n    {}", said(payload)))
}

fn said(payload: &Payload) -> String {
    let text = match (&payload.json, &payload.text) {
        (Some(json), _) => short(&json.root().unwrap().to_text()),
        (None, text) => format!("no JSON {text:?}"),
    };
    let exact = if payload.exact { "" } else { " re-encoded" };
    let cut = if payload.truncated { " cut" } else { "" };
    format!("{} {}B{exact}{cut} {text}", place(&payload.place), payload.bytes)
}

fn short(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
