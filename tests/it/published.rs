//! Published servers and clients, through `wirelint record`. `.ci/run` installs them and says where in
//! `WIRELINT_PUBLISHED`; without it these tests are skipped.

#![expect(clippy::print_stdout, reason = "a test that is skipped says why")]

#[cfg(unix)]
mod http;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::cli::{root, wirelint};

/// Where published programs are installed.
fn published() -> Option<PathBuf> {
    let folder = std::env::var_os("WIRELINT_PUBLISHED").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: `WIRELINT_PUBLISHED` does not say where published servers are");
    }
    folder
}

fn talk(python: &PathBuf, server: &[&str]) -> Output {
    Command::new(python)
        .arg(root().join("tests/published/client.py"))
        .args(server)
        .output()
        .unwrap()
}

#[test]
fn a_client_and_a_server_notice_nothing_and_their_recording_is_clean() {
    let Some(folder) = published() else { return };
    let python = folder.join("bin/python");
    let server = folder.join("bin/mcp-server-time");
    let server = server.to_str().unwrap();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("time.jsonl");
    let through = [
        env!("CARGO_BIN_EXE_wirelint"),
        "record",
        "-o",
        file.to_str().unwrap(),
        "--",
        server,
    ];
    let (alone, recorded) = (talk(&python, &[server]), talk(&python, &through));
    assert!(
        alone.status.success(),
        "{}",
        String::from_utf8_lossy(&alone.stderr)
    );
    assert_eq!(alone.stdout, recorded.stdout);
    assert_eq!(alone.status, recorded.status);

    clean(&file);
    let expected = ["initialize", "tools/list", "tools/call", "tools/call"]
        .map(|method| serde_json::json!([method, true]));
    assert_eq!(answers(&file), expected);
}

/// There are no findings in a recording.
fn clean(file: &Path) {
    let checked = wirelint()
        .args(["check", "--format", "json", "--fail-on", "note"])
        .arg(file)
        .output()
        .unwrap();
    let said: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(said["findings"], serde_json::json!([]));
    assert_eq!(checked.status.code(), Some(0));
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
