//! Real traffic, kept outside the repository.

#![expect(clippy::print_stdout, reason = "a test that is skipped says why")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wirelint::input::event::{EventKind, Payload, Recorded};
use wirelint::input::{Input, Limits, Recording, discover};

use super::render::{open, read};

/// The cassette of mcp-recorder.
const CASSETTE: &str = "tp-mcp-recorder-http-tsv2.json";

pub fn shared(name: &str) -> Option<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = ["..", "../..", "../../.."]
        .iter()
        .map(|up| manifest.join(up).join("shared").join(name))
        .find(|folder| folder.is_dir());
    if found.is_none() {
        println!("skipped: there is no folder shared/{name} beside the repository");
    }
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let found = discover(&[folder.to_owned()]).unwrap();
    for file in &found.passed_over {
        println!("{}: {}", file.path.display(), file.why);
    }
    found
        .inputs
        .into_iter()
        .filter_map(|input| match input {
            Input::File(path) => Some(path),
            Input::Stdin => None,
        })
        .collect()
}

#[test]
fn real_recordings_are_taken_without_problems() {
    let Some(folder) = shared("recordings") else {
        return;
    };
    let mut formats: BTreeMap<String, usize> = BTreeMap::new();
    for path in files(&folder) {
        let recording = open(&path, Limits::default());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let within = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let expected = match (within.as_str(), name.ends_with(".log")) {
            (_, true) => "messages",
            _ if name.ends_with(".har") => "har",
            ("conformance" | "http", _) => "http-log",
            ("stdio", _) => "stdio-log",
            _ if name.starts_with("tp-inspector-cli") => "result",
            _ if name == CASSETTE => "cassette",
            _ if name.starts_with("tp-tshark-T-ek") => "tshark-ek",
            _ => "envelopes",
        };
        assert_eq!(recording.format(), expected, "{name}");
        *formats.entry(recording.format().to_owned()).or_default() += 1;
        let (events, problems) = read(recording);
        assert!(!events.is_empty(), "{name}");
        let problems: Vec<_> = problems.iter().map(|p| (p.code, p.place.record.line)).collect();
        // A server that writes to standard output what is no message.
        if name.starts_with("stdio-mini-tsv2-2026") && !name.contains("c2s") {
            assert!(matches!(problems[..], [("not-json", _)]), "{name}: {problems:?}");
        } else if name == CASSETTE {
            // Of one stream, its recorder kept the first event, which is no answer.
            assert!(matches!(problems[..], [("no-answer", _)]), "{name}: {problems:?}");
        } else {
            assert_eq!(problems, [], "{name}");
        }
    }
    println!("{formats:?}");
    assert_eq!(formats.len(), 8);
}

/// The same steps were recorded by a proxy as HAR and by our own recorder.
#[test]
fn a_har_shows_what_a_log_of_the_same_traffic_shows() {
    let Some(folder) = shared("recordings") else {
        return;
    };
    let said = |name: &str| {
        let (events, problems) = read(open(&folder.join(name), Limits::default()));
        assert_eq!(problems, [], "{name}");
        events.iter().map(|event| kind(&event.kind)).collect::<Vec<_>>()
    };
    let (har, log) = (
        said("recorders/tp-mitmproxy-http-tsv2.har"),
        said("http/http-tsv2-tsv2-2026.jsonl"),
    );
    assert_eq!(har.len(), log.len());
    for (har, log) in har.iter().zip(&log) {
        assert_eq!(har, log);
    }
}

#[test]
fn a_capture_shows_exchanges_with_their_headers_as_they_were_sent() {
    let Some(folder) = shared("recordings") else {
        return;
    };
    let path = folder.join("recorders/tp-tshark-T-ek-http-tsv2.jsonl");
    let (events, problems) = read(open(&path, Limits::default()));
    assert_eq!(problems, []);
    let (mut requests, mut streamed) = (0, 0);
    for event in &events {
        match &event.kind {
            EventKind::HttpRequest { headers, payload, .. } => {
                requests += 1;
                assert_eq!(headers.recorded, Recorded::Exact);
                assert_eq!(headers.list[3].name.as_ref(), "mcp-method");
                assert!(payload.as_ref().is_some_and(|p| p.exact && p.json.is_some()));
            }
            EventKind::StreamEvent { payload, .. } => {
                streamed += 1;
                assert!(payload.as_ref().is_some_and(|p| p.json.is_some()));
            }
            _ => {}
        }
    }
    assert_eq!((requests, streamed), (5, 4));
}

/// What an event says, without what differs from run to run.
fn kind(kind: &EventKind) -> String {
    let text = |payload: &Payload| {
        let root = payload.json.as_ref().and_then(|json| json.root());
        root.map_or_else(|| format!("{:?}", payload.text), |root| root.to_text())
    };
    match kind {
        EventKind::HttpRequest {
            exchange,
            method,
            headers,
            payload,
            ..
        } => {
            let mirrored = headers
                .list
                .iter()
                .filter(|h| h.name.to_lowercase().starts_with("mcp-"));
            let mirrored: Vec<_> = mirrored
                .map(|h| (h.name.to_lowercase(), h.raw.to_string()))
                .collect();
            format!(
                "{exchange} {method} {mirrored:?} {:?}",
                payload.as_ref().map(text)
            )
        }
        EventKind::HttpResponse { exchange, status, .. } => format!("{exchange} {status:?}"),
        EventKind::HttpBody { exchange, payload } => format!("{exchange} body {}", text(payload)),
        EventKind::StreamEvent {
            exchange,
            event,
            payload,
        } => format!("{exchange} {event:?} {:?}", payload.as_ref().map(text)),
        other => format!("{other:?}"),
    }
}

#[test]
fn real_dumps_are_taken_without_problems() {
    let Some(folder) = shared("dumps") else {
        return;
    };
    let index = std::fs::read_to_string(folder.join("INDEX.md")).unwrap();
    for path in files(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let row = index
            .lines()
            .find(|row| row.starts_with(&format!("| {name} ")))
            .unwrap();
        let tools: usize = row.split('|').nth(5).unwrap().trim().parse().unwrap();
        let recording = open(&path, Limits::default());
        assert_eq!(recording.format(), "dump", "{name}");
        let (events, problems) = read(recording);
        assert_eq!(problems, [], "{name}");
        let [event] = &events[..] else {
            panic!("{name}: {events:?}");
        };
        let wirelint::input::event::EventKind::Catalogue {
            entries, complete, ..
        } = &event.kind
        else {
            panic!("{name}: {event:?}");
        };
        assert_eq!((entries.len(), *complete), (tools, true), "{name}");
    }
}

#[test]
fn refused_files_say_why() {
    let Some(folder) = shared("recordings/recorders") else {
        return;
    };
    let found = discover(std::slice::from_ref(&folder)).unwrap();
    // None is: each is read as what it is.
    assert_eq!(found.passed_over.len(), 0, "{:?}", found.passed_over);
    assert!(Recording::open(&Input::File(folder.join("nothing")), 0, Limits::default()).is_err());
}
