//! Whatever the bytes are, reading goes on.

use wirelint::input::event::{Blame, Side};
use wirelint::input::locate::{line_column, locate};
use wirelint::input::{Input, InputFormat, Limits, Recording};

use super::recordings;
use super::render::read;

/// A small generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap()
    }
}

#[test]
fn mutated_recordings_are_read_or_refused() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let limits = Limits {
        block: 700,
        line: 3000,
        document: 100_000,
        ..Limits::default()
    };
    for path in recordings() {
        let bytes = std::fs::read(&path).unwrap();
        for _ in 0..150 {
            let mut bytes = bytes.clone();
            for _ in 0..=random.below(8) {
                let at = random.below(bytes.len());
                match random.below(5) {
                    0 => bytes[at] = b"\"\\{}[],:\n\xff\x00u9-"[random.below(14)],
                    1 => {
                        bytes.remove(at);
                    }
                    2 => bytes.truncate(at),
                    3 => {
                        let end = (at + random.below(200)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                    _ => bytes.insert(at, b"\"{[\n"[random.below(4)]),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            let Ok(recording) = Recording::from_reader("mutated", &bytes[..], 0, limits) else {
                continue;
            };
            let store = recording.store();
            let (events, problems) = read(recording);
            for problem in problems {
                let record = store.read_record(problem.place.record).unwrap();
                if let Some(range) = locate(&record, &problem.place) {
                    assert!(range.end <= record.len());
                    line_column(&record, range);
                }
            }
            for event in events {
                let end = event.record.offset + u64::from(event.record.length);
                assert!(end <= bytes.len() as u64);
            }
        }
    }
}

/// Every value that was decoded is found again where it says that it stands.
#[test]
fn every_value_is_located() {
    for path in recordings() {
        let recording = super::open(&path, Limits::default());
        let store = recording.store();
        for event in read(recording).0 {
            let record = store.read_record(event.record).unwrap();
            for value in values(&event.kind) {
                let place = value.place().unwrap();
                // What was put together has the place of its record.
                if value.document().is_partial() {
                    assert_eq!((&*place.outer, &place.inner), ("", &None));
                    continue;
                }
                let record = match place.record == event.record {
                    true => record.clone(),
                    false => store.read_record(place.record).unwrap(),
                };
                let found = String::from_utf8(record[locate(&record, &place).unwrap()].to_vec()).unwrap();
                // In a text, quotes are written as `\"`; in Base64 nothing can be found.
                let encoded = place.outer.ends_with("/base64");
                let in_text = found.starts_with('{') && !place.outer.is_empty();
                let text = match encoded || in_text || found.contains("\\\"") {
                    true => continue,
                    false => found,
                };
                if let Ok(read) = wirelint::json::decode_all(&text, None) {
                    let read = std::sync::Arc::new(read).root().unwrap();
                    assert!(
                        read.equals(&value),
                        "{place:?}: {text} is not {}",
                        value.to_text()
                    );
                } else {
                    panic!("{place:?}: {text}");
                }
            }
        }
    }
}

fn values(kind: &wirelint::input::event::EventKind) -> Vec<wirelint::json::Json> {
    use wirelint::input::event::EventKind::*;
    let roots: Vec<_> = match kind {
        Line { payload, .. } | HttpBody { payload, .. } | Message { payload, .. } => {
            payload.json.iter().filter_map(|json| json.root()).collect()
        }
        HttpRequest { payload, .. } | StreamEvent { payload, .. } => payload
            .iter()
            .filter_map(|payload| payload.json.as_ref()?.root())
            .collect(),
        Catalogue { entries, .. } => entries.clone(),
        _ => vec![],
    };
    let mut all = vec![];
    let mut open = roots;
    while let Some(value) = open.pop() {
        open.extend(value.children());
        all.push(value);
    }
    all
}

#[test]
fn limits_are_diagnostics() {
    let deep = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}}\n{{\"jsonrpc\":\"2.0\",\"params\":{}{}}}\n",
        "[".repeat(200),
        "]".repeat(200)
    );
    let recording = Recording::from_reader("deep", deep.as_bytes(), 0, Limits::default()).unwrap();
    let (events, problems) = read(recording);
    assert_eq!((events.len(), problems[0].code), (2, "too-deep"));
    assert_eq!(problems[0].fault, Blame::Nobody);

    let bytes = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xe9\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\"}\n";
    let recording = Recording::from_reader("latin", &bytes[..], 0, Limits::default()).unwrap();
    let (events, problems) = read(recording);
    assert_eq!((events.len(), problems.len()), (2, 1));
    assert_eq!((problems[0].code, problems[0].offset), ("not-utf8", 34));
    assert_eq!(problems[0].fault, Blame::Nobody);

    // In an envelope it is the recorder's own text that is none.
    let log = b"{\"kind\":\"line\",\"dir\":\"s2c\",\"text\":\"hi\"}\n{\"kind\":\"line\",\"dir\":\"s2c\",\"text\":\"\xe9\"}\n";
    let recording = Recording::from_reader("log", &log[..], 0, Limits::default()).unwrap();
    let (_, problems) = read(recording);
    assert_eq!(
        problems.iter().map(|p| (p.code, p.fault)).collect::<Vec<_>>(),
        [
            ("not-json", Blame::Sender(Side::Server)),
            ("not-utf8", Blame::Recorder)
        ]
    );

    let limits = Limits {
        document: 20,
        ..Limits::default()
    };
    let dump = b"{\n\"tools\": [\n{\"name\":\"x\"}]}";
    let recording = Recording::from_reader("long", &dump[..], 0, limits).unwrap();
    assert_eq!(read(recording).1[0].code, "too-long");

    let recording = Recording::from_reader("empty", &b" \n"[..], 0, Limits::default()).unwrap();
    let (events, problems) = read(recording);
    assert_eq!((events.len(), problems[0].code), (0, "empty"));
}

/// What is nested too deeply in a document is told once, and the rest of the document is read.
#[test]
fn a_part_that_is_too_deep_is_told() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let ask = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"a":{deep}}}}}"#);
    let entry = r#"{"name":"b","inputSchema":{}}"#;
    for (text, place, events) in [
        (format!("[{ask},{answer},{ask}]"), "/1", 3),
        (
            format!(
                concat!(
                    r#"{{"version":"1.0","metadata":{{"transport_type":"stdio"}},"interactions":["#,
                    r#"{{"type":"jsonrpc_request","request":{},"response":{},"response_is_sse":false,"#,
                    r#""response_status":200,"http_method":null}}]}}"#
                ),
                ask, answer
            ),
            "/interactions/0/response",
            2,
        ),
        (
            format!(r#"{{"tools":[{entry},{{"name":"a","inputSchema":{deep}}},7,{entry}]}}"#),
            "/tools/1",
            1,
        ),
    ] {
        let recording = Recording::from_reader("deep", text.as_bytes(), 0, Limits::default()).unwrap();
        let (read, problems) = read(recording);
        let told: Vec<_> = problems.iter().map(|p| (p.code, &*p.place.outer)).collect();
        assert_eq!(told, [("too-deep", place)], "{read:?}");
        assert!(read.len() >= events, "{read:?}");
    }
}

/// Whatever a file is, it can be read as whatever format; who wants that is told what is odd.
#[test]
fn every_recording_can_be_read_as_every_format() {
    for path in recordings() {
        let input = Input::File(path.clone());
        let own = super::open(&path, Limits::default()).format();
        for format in InputFormat::all() {
            for block in [500, 1 << 20] {
                let limits = Limits {
                    block,
                    ..Limits::default()
                };
                let recording = Recording::open_as(&input, 0, limits, Some(format)).unwrap();
                assert_eq!(recording.format(), format.name());
                let (events, problems) = read(recording);
                let odd = problems.iter().filter(|problem| problem.code == "unfit-format");
                assert!(odd.count() <= 1);
                assert!(!events.is_empty() || !problems.is_empty() || format.name() == own);
                assert!(format.name() != own || problems.iter().all(|p| p.code != "unfit-format"));
            }
        }
    }
}
