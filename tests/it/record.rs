//! `wirelint record`: a client and a server notice nothing, and nothing is lost. Unix only: the servers are shell scripts.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{root, wirelint};

/// A place for a recording that goes away with it.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn file(&self) -> PathBuf {
        self.0.path().join("session.jsonl")
    }

    /// The records of the recording.
    pub fn records(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(self.file()).unwrap();
        assert!(text.ends_with('\n'), "half a line: {text}");
        let records: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let schema = std::fs::read_to_string(root().join("docs/schema/recording.schema.json")).unwrap();
        let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
        for record in &records {
            assert!(schema.is_valid(record), "{record}");
        }
        records
    }

    /// The texts of the lines of a stream.
    fn lines(&self, dir: &str) -> Vec<String> {
        let records = self.records();
        let such = records
            .iter()
            .filter(|record| record["kind"] == "line" && record["dir"] == dir);
        such.map(|record| record["text"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn record(file: &Path, options: &[&str], command: &[&str]) -> Command {
    let mut wirelint = wirelint();
    wirelint
        .arg("record")
        .arg("-o")
        .arg(file)
        .args(options)
        .arg("--")
        .args(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    wirelint
}

/// Runs a shell script as a server that is told something.
fn run(place: &Place, script: &str, told: &[u8]) -> Output {
    let mut child = record(&place.file(), &[], &["sh", "-c", script]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let told = told.to_vec();
    let teller = std::thread::spawn(move || {
        // The server may have gone away.
        let _ = input.write_all(&told);
    });
    let output = child.wait_with_output().unwrap();
    teller.join().unwrap();
    output
}

/// Waits until something is so.
pub fn wait(what: &str, mut so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn bytes_pass_as_they_are() {
    let place = Place::new();
    // Every byte, in lines short and long, without an end.
    let mut bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    bytes.extend(std::iter::repeat_n(b'x', 200_000));
    let output = run(&place, "cat; echo done >&2; exit 3", &bytes);
    assert!(output.stdout == bytes);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "done\n");
    assert_eq!(output.status.code(), Some(3));
    let records = place.records();
    assert_eq!(records[0]["format"], "wirelint-recording");
    assert_eq!(records[1]["command"][0], "sh");
    assert_eq!(place.lines("stderr"), ["done"]);
    let last = records.last().unwrap();
    assert_eq!((&last["kind"], &last["code"]), (&"exit".into(), &3.into()));
    let unended = records.iter().filter(|record| record["eol"] == false);
    assert_eq!(unended.count(), 2);
    // What is no UTF-8 is kept too.
    let kept = records
        .iter()
        .filter(|record| record["dir"] == "c2s" && record["base64"].is_string());
    assert!(kept.count() > 1000);
}

#[test]
fn each_line_passes_at_once_and_is_in_the_file_before() {
    let place = Place::new();
    let mut child = record(&place.file(), &[], &["cat"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for number in 0..50 {
        let line = format!("{{\"id\":{number}}}\n");
        input.write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, line);
        // It went there and came back: both are written.
        assert_eq!(place.lines("s2c").len(), number + 1);
    }
    // Nothing of it is lost however it ends.
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(place.lines("c2s").len(), 50);
    assert_eq!(place.lines("s2c").len(), 50);
}

#[test]
fn the_server_may_end_first() {
    let place = Place::new();
    let mut child = record(&place.file(), &[], &["sh", "-c", "echo here; exit 4"])
        .spawn()
        .unwrap();
    // The client still holds its end.
    let input = child.stdin.take().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
    drop(input);
    assert_eq!(place.lines("s2c"), ["here"]);
}

#[test]
fn the_server_may_close_its_output_and_go_on() {
    let place = Place::new();
    let script = "echo last; exec >&-; read line; exit 5";
    let mut child = record(&place.file(), &[], &["sh", "-c", script]).spawn().unwrap();
    let mut said = String::new();
    // This ends only if the end of the output passes.
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "last\n");
    assert!(child.try_wait().unwrap().is_none());
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(5));
}

#[test]
fn the_client_may_close_either_end() {
    let place = Place::new();
    let mut child = record(&place.file(), &[], &["sh", "-c", "cat; echo end >&2; exit 6"])
        .spawn()
        .unwrap();
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(6));
    let kinds: Vec<String> = place
        .records()
        .iter()
        .map(|r| r["kind"].to_string() + &r["dir"].to_string())
        .collect();
    assert!(kinds.contains(&"\"eof\"\"c2s\"".to_owned()), "{kinds:?}");

    // Nobody reads what the server writes any more: it is told so.
    let mut child = record(
        &place.file(),
        &[],
        &["sh", "-c", "while :; do echo line || exit 7; done"],
    )
    .spawn()
    .unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap().code();
    // A shell that ignores the signal sees the error of its `echo`, any other is ended by the signal.
    assert!(matches!(status, Some(7 | 141)), "{status:?}");
}

#[test]
fn signals_and_their_status_pass() {
    let place = Place::new();
    let script = "trap 'echo bye; exit 9' TERM; echo ready; while :; do sleep 0.05; done";
    let mut child = record(&place.file(), &[], &["sh", "-c", script]).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    signal(&child, "-TERM");
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\nbye\n");
    assert_eq!(child.wait().unwrap().code(), Some(9));

    let output = run(&place, "kill -KILL $$", b"");
    assert_eq!(output.status.code(), Some(128 + 9));
    let last = place.records().pop().unwrap();
    assert_eq!(
        (&last["code"], &last["signal"]),
        (&serde_json::Value::Null, &9.into())
    );
}

#[test]
fn a_file_that_takes_nothing_stops_no_traffic() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: the system has no /dev/full");
        return;
    }
    let mut child = record(Path::new("/dev/full"), &[], &["cat"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"a\nb\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a\nb\n");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("does not take what passes").count(), 1, "{said}");
    assert!(output.status.success());
}

#[test]
fn a_file_keeps_what_it_holds() {
    let place = Place::new();
    for _ in 0..2 {
        assert!(
            run(
                &place,
                "cat",
                b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
            )
            .status
            .success()
        );
    }
    let checked = wirelint()
        .args(["query", "request.id"])
        .arg(place.file())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&checked.stdout).lines().count(), 4);
    let shown = wirelint().arg("show").arg(place.file()).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("s1 ") && shown.contains("s2 "), "{shown}");
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(place.file()).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_file_that_ends_within_a_line_gets_its_end() {
    let place = Place::new();
    std::fs::write(place.file(), "{\"seq\":0,\"kind\":\"li").unwrap();
    assert!(run(&place, "cat", b"{}\n").status.success());
    let text = std::fs::read_to_string(place.file()).unwrap();
    assert!(
        text.starts_with("{\"seq\":0,\"kind\":\"li\n{\"format\""),
        "{text}"
    );
}

#[test]
fn nothing_is_written_behind_what_is_compressed() {
    let place = Place::new();
    std::fs::write(place.file(), b"\x1f\x8b\x08\0").unwrap();
    let output = run(&place, "cat", b"{}\n");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("it is compressed"), "{said}");
    assert_eq!(std::fs::read(place.file()).unwrap(), b"\x1f\x8b\x08\0");
}

#[test]
fn secrets_are_left_out_of_the_file_alone() {
    let place = Place::new();
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"auth":{"Token":"s3cret"},"n":1.50}}"#;
    let mut child = record(&place.file(), &["--redact", "token,key"], &["cat", "--", "-"])
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{line}\n").as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), line);
    assert_eq!(place.lines("c2s"), [line.replace("s3cret", "REDACTED")]);
    assert!(!std::fs::read_to_string(place.file()).unwrap().contains("s3cret"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let place = Place::new();
    let output = record(&place.file(), &[], &["no-such-program"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`no-such-program` cannot be started"));
    let output = record(Path::new("/nowhere/x.jsonl"), &[], &["cat"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`/nowhere/x.jsonl` cannot be written"));
}

/// Whoever starts the recorder and goes away leaves no server behind.
#[test]
fn the_server_ends_with_its_client() {
    let place = Place::new();
    let mut child = record(&place.file(), &[], &["sh", "-c", "echo $$; cat; exit 0"])
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    drop(child.stdin.take());
    child.kill().unwrap();
    child.wait().unwrap();
    let server = format!("/proc/{}", line.trim());
    wait("the server goes on", || {
        !Path::new(&server).exists() || is_ended(&server)
    });
}

/// Whether a process is only waiting for somebody to take note of its end.
fn is_ended(server: &str) -> bool {
    std::fs::read_to_string(format!("{server}/stat")).is_ok_and(|stat| stat.contains(") Z"))
}
