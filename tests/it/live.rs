//! `wirelint check - --format jsonl` while its input has no end yet.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use crate::cli::{root, wirelint};

fn follow(options: &[&str]) -> Child {
    let mut wirelint = wirelint();
    wirelint.args(["check", "-", "--format", "jsonl"]).args(options);
    let piped = wirelint
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    piped.spawn().unwrap()
}

fn recording(name: &str) -> Vec<u8> {
    std::fs::read(root().join("tests/recordings").join(name)).unwrap()
}

/// The findings of lines, in an order that does not depend on when each was certain.
fn sorted(lines: impl Iterator<Item = String>) -> Vec<serde_json::Value> {
    let mut findings: Vec<serde_json::Value> =
        lines.map(|line| serde_json::from_str(&line).unwrap()).collect();
    for finding in &mut findings {
        for location in finding["locations"].as_array_mut().unwrap() {
            location["file"] = "".into();
        }
    }
    findings.sort_by_key(ToString::to_string);
    findings
}

#[test]
fn a_finding_comes_before_the_input_ends() {
    let mut child = follow(&[]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let text = recording("weather.http.jsonl");
    let mut lines = text.split_inclusive(|b| *b == b'\n');
    for line in lines.by_ref().take(17) {
        input.write_all(line).unwrap();
    }
    let mut first = String::new();
    // This returns only if findings are not kept back until the end.
    output.read_line(&mut first).unwrap();
    assert!(first.contains("headers/mcp-method-mismatch"), "{first}");
    for line in lines {
        input.write_all(line).unwrap();
    }
    drop(input);
    let rest = output.lines().map(Result::unwrap);
    let came = sorted(std::iter::once(first).chain(rest));
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let of_file = wirelint()
        .args([
            "check",
            "--format",
            "jsonl",
            "tests/recordings/weather.http.jsonl",
        ])
        .output()
        .unwrap();
    let of_file = String::from_utf8(of_file.stdout).unwrap();
    assert_eq!(came, sorted(of_file.lines().map(str::to_owned)));
}

#[test]
fn every_recording_gives_the_same_however_it_comes() {
    let mut names: Vec<_> = std::fs::read_dir(root().join("tests/recordings"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for name in names {
        let text = recording(&name);
        let mut child = follow(&["--fail-on", "never"]);
        let mut input = child.stdin.take().unwrap();
        let teller = std::thread::spawn(move || {
            for piece in text.chunks(777) {
                // Whoever refuses a recording does not read all of it.
                let _ = input.write_all(piece);
            }
        });
        let live = child.wait_with_output().unwrap();
        teller.join().unwrap();
        let path = format!("tests/recordings/{name}");
        let whole = wirelint()
            .args(["check", "--format", "jsonl", "--fail-on", "never", &path])
            .output()
            .unwrap();
        let lines = |bytes: &[u8]| sorted(String::from_utf8_lossy(bytes).lines().map(str::to_owned));
        assert_eq!(lines(&live.stdout), lines(&whole.stdout), "{name}");
        assert_eq!(live.status, whole.status, "{name}");
    }
}

#[test]
fn whoever_has_seen_enough_may_go() {
    let mut child = follow(&[]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let text = recording("weather.http.jsonl");
    let _ = input.write_all(&text);
    // It ends though its input does not.
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(input);
}
