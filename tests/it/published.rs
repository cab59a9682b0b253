//! Published servers and clients, through `wirelint record`. `.ci/run` installs them and says where in
//! `WIRELINT_PUBLISHED`; without it these tests are skipped.

#![expect(clippy::print_stdout, reason = "a test that is skipped says why")]

#[cfg(unix)]
mod http;
#[cfg(unix)]
mod suite;

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

use crate::cli::{root, wirelint};

/// A process that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that nobody listens at.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// Where published programs are installed.
fn published() -> Option<PathBuf> {
    let folder = std::env::var_os("WIRELINT_PUBLISHED").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: `WIRELINT_PUBLISHED` does not say where published servers are");
    }
    folder
}

/// Waits until somebody listens at a port.
#[cfg(unix)]
fn listens(port: u16) {
    crate::record::wait("nobody listens", || {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
}

fn talk(folder: &Path, calls: &str, server: &[&str]) -> Output {
    Command::new(folder.join("bin/python"))
        .arg(root().join("tests/published/client.py"))
        .arg(calls)
        .args(server)
        .output()
        .unwrap()
}

/// A client calls some tools of a server, alone and through the recorder: it is told the same, and the recording is
/// complete and clean.
fn is_the_same_through_the_recorder(server: &str, arguments: &[&str], calls: &[(&str, serde_json::Value)]) {
    let Some(folder) = published() else { return };
    let server = folder.join(server);
    if !server.exists() {
        println!("skipped: `{}` is not installed", server.display());
        return;
    }
    let mut alone = vec![server.to_str().unwrap()];
    alone.extend(arguments);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("session.jsonl");
    let mut through = vec![
        env!("CARGO_BIN_EXE_wirelint"),
        "record",
        "-o",
        file.to_str().unwrap(),
        "--",
    ];
    through.extend(&alone);
    let said = serde_json::to_string(calls).unwrap();
    let (alone, recorded) = (talk(&folder, &said, &alone), talk(&folder, &said, &through));
    assert!(
        alone.status.success(),
        "{}",
        String::from_utf8_lossy(&alone.stderr)
    );
    assert_eq!(
        String::from_utf8_lossy(&alone.stdout),
        String::from_utf8_lossy(&recorded.stdout)
    );
    assert_eq!(alone.status, recorded.status);

    clean(&file);
    // Each request was answered, and all of it was seen.
    let methods = ["initialize", "tools/list"]
        .into_iter()
        .chain(calls.iter().map(|_| "tools/call"));
    let expected: Vec<serde_json::Value> = methods.map(|method| serde_json::json!([method, true])).collect();
    assert_eq!(answers(&file), expected);
}

/// Warnings that are true of this software, `docs/reference/known-findings.md`: a tool is called that there is not, and some
/// servers answer with a result; schemas are of draft-07; texts say less than structured content; streams cannot be resumed.
const TRUE: [&str; 5] = [
    "tools/tool-call-unlisted",
    "tools/tool-schema-dialect",
    "tools/tool-structured-text",
    "tools/tool-unknown-code",
    "transport/sse-priming-event",
];

/// There is nothing else to find in a recording, and no error at all.
fn clean(file: &Path) {
    let checked = wirelint()
        .args(["check", "--format", "json"])
        .arg(file)
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let other: Vec<_> = findings
        .filter(|finding| finding["level"] == "error" || !TRUE.contains(&finding["rule"].as_str().unwrap()))
        .collect();
    assert!(other.is_empty(), "{other:#?}");
}

/// The method of each request of a recording, and whether it was answered.
fn answers(file: &Path) -> Vec<serde_json::Value> {
    let asked = wirelint()
        .args(["query", "[request.method, request.response exists]"])
        .arg(file)
        .output()
        .unwrap();
    String::from_utf8_lossy(&asked.stdout)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["value"].clone())
        .collect()
}

#[test]
fn the_time_server_and_its_client_notice_nothing() {
    let noon = serde_json::json!({"source_timezone": "UTC", "time": "12:00", "target_timezone": "UTC"});
    is_the_same_through_the_recorder(
        "bin/mcp-server-time",
        &[],
        &[("convert_time", noon), ("no_such_tool", serde_json::json!({}))],
    );
}

#[test]
fn the_server_of_everything_and_its_client_notice_nothing() {
    is_the_same_through_the_recorder(
        "node_modules/.bin/mcp-server-everything",
        &["stdio"],
        &[
            ("echo", serde_json::json!({"message": "zurück"})),
            ("get-sum", serde_json::json!({"a": 1, "b": 2.5})),
            ("no_such_tool", serde_json::json!({})),
        ],
    );
}
