//! Recordings → events. `BLESS=1` rewrites the expected ones in `tests/input`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wirelint::input::event::{Event, EventKind, Headers, Payload, Problem, Side, Wanted};
use wirelint::input::{Input, Limits, Recording};
use wirelint::json::Demand;
use wirelint::place::Place;

fn everything() -> Wanted {
    Wanted {
        message: Demand::whole(),
        entry: Demand::whole(),
        headers: None,
        frames: false,
        text_limit: 200,
    }
}

/// All events and problems, read in blocks of that size.
fn read(mut recording: Recording) -> (Vec<Event>, Vec<Problem>) {
    let (mut events, mut problems) = (vec![], vec![]);
    let decoder = recording.decoder();
    while let Some(block) = recording.next_block().unwrap() {
        let decoded = decoder.decode(&block, &everything());
        events.extend(decoded.events);
        problems.extend(decoded.problems);
    }
    (events, problems)
}

fn open(path: &Path, limits: Limits) -> Recording {
    Recording::open(&Input::File(path.to_owned()), 0, limits).unwrap()
}

/// One event a line, then the problems.
fn render(recording: Recording) -> String {
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
            "! {}{} {}+{}: {}{}",
            problem.place.record.line,
            place(&problem.place),
            problem.code,
            problem.offset,
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
            ..
        } => {
            let _ = write!(out, "catalogue {server:?} {kind:?} complete={complete}");
            for entry in entries {
                let _ = write!(
                    out,
                    "\n    {} {}",
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

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn recordings() -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder("recordings"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

#[test]
fn recordings_become_the_expected_events() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = vec![];
    for path in recordings() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let golden = folder("input").join(format!("{name}.events"));
        let found = render(open(&path, Limits::default()));
        if bless {
            std::fs::write(golden, found).unwrap();
        } else if std::fs::read_to_string(golden).unwrap_or_default() != found {
            wrong.push(name);
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong:?} differ; BLESS=1 writes what they are now"
    );
}

#[test]
fn the_size_of_blocks_changes_nothing() {
    for path in recordings() {
        let whole = render(open(&path, Limits::default()));
        for block in [1, 100, 1000] {
            let limits = Limits {
                block,
                ..Limits::default()
            };
            assert_eq!(
                render(open(&path, limits)),
                whole,
                "{} in {block}",
                path.display()
            );
        }
        let bytes = std::fs::read(&path).unwrap();
        let spooled = Recording::from_reader("x", &bytes[..], 0, Limits::default()).unwrap();
        assert_eq!(render(spooled), whole);
    }
}

#[test]
fn records_can_be_read_again() {
    for path in recordings() {
        let bytes = std::fs::read(&path).unwrap();
        for from_file in [true, false] {
            let recording = match from_file {
                true => open(&path, Limits::default()),
                false => Recording::from_reader("x", &bytes[..], 0, Limits::default()).unwrap(),
            };
            let store = recording.store();
            for event in read(recording).0 {
                let record = store.read_record(event.record).unwrap();
                assert_eq!(record.len(), event.record.length as usize);
                let before = &bytes[..usize::try_from(event.record.offset).unwrap()];
                let line = before.iter().filter(|b| **b == b'\n').count() + 1;
                assert_eq!(line, event.record.line as usize);
            }
        }
    }
}

#[test]
fn a_line_over_the_limit_is_passed_over() {
    let line = |id: usize| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
    let text = [line(1), format!("[{}]\n", "1,".repeat(500)), line(2)].concat();
    for block in [1, 64, 4096] {
        let limits = Limits {
            block,
            line: 100,
            ..Limits::default()
        };
        let out = render(Recording::from_reader("x", text.as_bytes(), 0, limits).unwrap());
        let lines: Vec<_> = out.lines().skip(1).collect();
        assert_eq!(lines.len(), 4, "{out}");
        assert!(lines[0].starts_with("1 line"), "{out}");
        assert_eq!(lines[1], "2 Gap");
        assert!(lines[2].starts_with("3 line"), "{out}");
        assert_eq!(
            lines[3],
            "! 2 too-long+0: the line is longer than 100 bytes and was not read (raise the limit with `--max-line`)"
        );
    }
}
