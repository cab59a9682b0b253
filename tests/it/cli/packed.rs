//! Compressed recordings are reported as if they were not.

use std::path::Path;

use super::wirelint;
use crate::input::packed::gzip;

fn check(options: &[&str], path: &Path) -> (String, String, Option<i32>) {
    let output = wirelint().arg("check").args(options).arg(path).output().unwrap();
    let text = |bytes| {
        String::from_utf8(bytes)
            .unwrap()
            .replace(path.to_str().unwrap(), "FILE")
    };
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn places_are_those_of_the_text_inside() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["weather.http.jsonl", "tools.json"] {
        let plain = crate::input::recordings()
            .into_iter()
            .find(|path| path.ends_with(name))
            .unwrap();
        let packed = folder.path().join("x.gz");
        std::fs::write(&packed, gzip(&std::fs::read(&plain).unwrap())).unwrap();
        for format in ["human", "json", "jsonl"] {
            let options = ["--format", format, "--per-rule", "0"];
            let found = check(&options, &packed);
            assert_eq!(found, check(&options, &plain));
            assert!(format != "jsonl" || name == "tools.json" || found.0.lines().count() > 1);
        }
    }
}

#[test]
fn a_bomb_is_a_file_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gz");
    let line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    std::fs::write(&path, gzip(line.repeat(10_000).as_bytes())).unwrap();
    let (out, err, status) = check(&["--max-unpacked", "100K"], &path);
    assert_eq!((out.as_str(), status), ("", Some(2)));
    assert!(
        err.contains("`FILE` cannot be read: unpacked it is longer than 102400 bytes"),
        "{err}"
    );
    assert!(err.contains("raise the limit with `--max-unpacked`"), "{err}");
}
