//! Compressed recordings say what they say unpacked.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;
use wirelint::input::event::EventKind;
use wirelint::input::{Input, Limits, Recording, discover};

use super::recordings;
use super::render::{open, read, render};

pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

fn file(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

const MESSAGE: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

/// Why a file is refused: when it is looked for, and when it is opened.
fn refused(path: &Path, limits: Limits) -> String {
    let opened = Recording::open(&Input::File(path.to_owned()), 0, limits);
    let error = opened.err().unwrap();
    format!(
        "{}: {} | {}",
        error.code,
        error.message,
        error.help.unwrap_or_default()
    )
    .replace(&path.display().to_string(), "FILE")
}

#[test]
fn compressed_recordings_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for path in recordings() {
        let text = fs::read(&path).unwrap();
        let whole = render(open(&path, Limits::default()));
        let (first, second) = text.split_at(text.len() / 2);
        let members = [gzip(first), gzip(second)].concat();
        let frames = [zstd(first), zstd(second)].concat();
        for packed in [gzip(&text), zstd(&text), members, frames] {
            let path = file(&folder, "x", &packed);
            let recording = open(&path, Limits::default());
            assert!(recording.is_unpacked());
            let store = recording.store();
            for event in read(recording).0 {
                let record = event.record;
                let (start, length) = (usize::try_from(record.offset).unwrap(), record.length as usize);
                assert_eq!(store.read_record(record).unwrap(), &text[start..start + length]);
            }
            assert_eq!(
                render(open(&path, Limits::default())),
                whole,
                "{}",
                path.display()
            );
            let piped = Recording::from_reader("x", &packed[..], 0, Limits::default()).unwrap();
            assert_eq!(render(piped), whole, "{}", path.display());
        }
    }
}

#[test]
fn they_are_found_in_folders() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "a.jsonl.gz", &gzip(MESSAGE.as_bytes()));
    file(&folder, "b.zst", &zstd(MESSAGE.as_bytes()));
    file(&folder, "notes.md.gz", &gzip(b"# Notes\n\nNothing.\n"));
    file(&folder, "broken.gz", b"\x1f\x8b\x08\0");
    file(&folder, "base.db.gz", &gzip(b"SQLite format 3\0...."));
    let found = discover(&[folder.path().to_owned()]).unwrap();
    assert_eq!(found.inputs.len(), 2);
    let why: Vec<_> = found.passed_over.iter().map(|file| file.why.as_str()).collect();
    assert_eq!(
        why,
        [
            "it is an SQLite database",
            "it cannot be read: the compressed file is cut off",
            "it is no recording that is understood",
        ]
    );
}

#[test]
fn what_is_inside_is_refused_as_if_it_were_outside() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits::default();
    for (packed, said) in [
        (
            gzip(b"SQLite format 3\0...."),
            "refused-format: `FILE` is an SQLite database |",
        ),
        (
            zstd(b"# Notes\n"),
            "unknown-format: `FILE` is no recording that is understood |",
        ),
        (
            gzip(&zstd(MESSAGE.as_bytes())),
            "refused-format: `FILE` is a file that is compressed twice | unpack it once",
        ),
        (
            b"\x1f\x8b\x08\0".to_vec(),
            "unreadable: `FILE` cannot be read: the compressed file is cut off | it was not written",
        ),
    ] {
        let path = file(&folder, "x", &packed);
        let found = refused(&path, limits);
        assert!(found.starts_with(said), "{found}");
        let errors = discover(std::slice::from_ref(&path)).unwrap_err();
        let found = format!("{}: {}", errors[0].code, errors[0].message);
        assert!(
            said.replace("FILE", &path.display().to_string())
                .starts_with(&found),
            "{found}"
        );
    }
}

#[test]
fn a_bomb_goes_off_outside() {
    let folder = tempfile::tempdir().unwrap();
    let text = MESSAGE.repeat(100_000);
    let limits = Limits {
        unpacked: text.len() as u64 - 1,
        ..Limits::default()
    };
    for packed in [gzip(text.as_bytes()), zstd(text.as_bytes())] {
        let path = file(&folder, "x", &packed);
        assert_eq!(
            refused(&path, limits),
            format!(
                "too-long: `FILE` cannot be read: unpacked it is longer than {} bytes | raise the limit with \
                 `--max-unpacked`",
                limits.unpacked
            )
        );
        let limits = Limits {
            unpacked: text.len() as u64,
            ..limits
        };
        assert_eq!(read(open(&path, limits)).0.len(), 100_000);
    }
}

#[test]
fn of_a_file_that_is_cut_off_the_beginning_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: usize| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
    let text: String = (0..20_000).map(line).collect();
    for packed in [gzip(text.as_bytes()), zstd(text.as_bytes())] {
        for (end, block) in [
            (packed.len() / 2, 1 << 20),
            (packed.len() - 1, 500),
            (packed.len() / 3, 1000),
        ] {
            let path = file(&folder, "x", &packed[..end]);
            let limits = Limits {
                block,
                ..Limits::default()
            };
            let recording = open(&path, limits);
            let store = recording.store();
            let (events, problems) = read(recording);
            let [problem] = &problems[..] else {
                panic!("{problems:?}");
            };
            assert_eq!(
                (problem.code, problem.message.as_str()),
                ("cut-off", "the compressed file is cut off")
            );
            assert!(
                problem
                    .help
                    .as_deref()
                    .unwrap()
                    .contains("what could be unpacked is read")
            );
            assert!(events.len() > end / 40);
            let last = events.last().unwrap();
            assert_eq!(last.record, problem.place.record);
            assert_eq!(last.record.line as usize, events.len(), "{:?}", last.kind);
            assert!(store.read_record(last.record).is_ok());
            assert_eq!(matches!(last.kind, EventKind::Gap), end + 1 == packed.len());
        }
    }
}

#[test]
fn a_dump_that_is_cut_off_costs_one_problem() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read(super::folder("recordings").join("tools.json")).unwrap();
    let tail = [&text[..], &b" ".repeat(1000)].concat();
    for (text, cut) in [(&text[..text.len() - 30], 0), (&tail, 8)] {
        let packed = gzip(text);
        // Without its checksum, or its text ends in the middle and is then followed by what is no archive.
        let packed = match cut {
            0 => [&packed[..], b"and something else"].concat(),
            cut => packed[..packed.len() - cut].to_vec(),
        };
        let (_, problems) = read(open(&file(&folder, "x", &packed), Limits::default()));
        let said: Vec<_> = problems.iter().map(|p| (p.code, p.message.as_str())).collect();
        let what = if cut == 0 {
            "the compressed file is damaged"
        } else {
            "the compressed file is cut off"
        };
        assert_eq!(said, [("cut-off", what)]);
    }
    // Even if the document is not read at all.
    let limits = Limits {
        document: 20,
        ..Limits::default()
    };
    let packed = gzip(&text);
    let path = file(&folder, "x", &packed[..packed.len() - 8]);
    let codes: Vec<_> = read(open(&path, limits)).1.iter().map(|p| p.code).collect();
    assert_eq!(codes, ["too-long", "cut-off"]);
}
