//! Recordings → events. `BLESS=1` rewrites the expected ones in `tests/input`.

use std::path::{Path, PathBuf};

use wirelint::input::{Limits, Recording};

mod discover;
mod hostile;
pub mod packed;
mod render;
pub mod shared;

use render::{open, read, render};
pub use shared::shared as shared_folder;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

pub fn recordings() -> Vec<PathBuf> {
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
            "! 2 too-long+0, Recorder: the line is longer than 100 bytes and was not read (raise the limit with `--max-line`)"
        );
    }
}
