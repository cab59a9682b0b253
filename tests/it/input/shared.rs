//! Real traffic, kept outside the repository.

#![expect(clippy::print_stdout, reason = "a test that is skipped says why")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wirelint::input::{Input, Limits, Recording, discover};

use super::render::{open, read};

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
            ("conformance" | "http", _) => "http-log",
            ("stdio", _) => "stdio-log",
            _ if name.starts_with("tp-tshark-T-ek") => "tshark-ek",
            _ if name.ends_with(".har") => "har",
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
        } else {
            assert_eq!(problems, [], "{name}");
        }
    }
    println!("{formats:?}");
    assert_eq!(formats.len(), 6);
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
    let told: Vec<String> = found
        .passed_over
        .iter()
        .map(|file| format!("{}: {}", file.path.file_name().unwrap().display(), file.why))
        .collect();
    assert_eq!(
        told,
        [
            "tp-inspector-cli-tools-call.json: it is a single result without its request",
            "tp-mcp-recorder-http-tsv2.json: it is a cassette of mcp-recorder or agent-vcr",
        ]
    );
    assert!(Recording::open(&Input::File(folder.join("nothing")), 0, Limits::default()).is_err());
}
