//! Paths → recordings.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wirelint::diagnostic::Diagnostic;
use wirelint::input::{Discovery, Input, InputFormat, discover, discover_as};

const MESSAGE: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

fn tree() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("b.jsonl", MESSAGE),
        ("a/x.log", MESSAGE),
        ("a/deep/y.jsonl", MESSAGE),
        ("a/notes.md", "# Notes\n\nNothing.\n"),
        ("a/empty.jsonl", ""),
        ("a/.hidden.jsonl", MESSAGE),
        ("none/verdict.json", "{\"a\":{\"exit\":1}}"),
        ("none/base.db", "SQLite format 3\0...."),
    ] {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn find(root: &TempDir, paths: &[&str]) -> Result<Discovery, Vec<Diagnostic>> {
    let paths: Vec<PathBuf> = paths
        .iter()
        .map(|path| match *path {
            "-" => PathBuf::from("-"),
            path => root.path().join(path),
        })
        .collect();
    discover(&paths)
}

fn names(root: &TempDir, found: &Discovery) -> Vec<String> {
    let short = |path: &Path| path.strip_prefix(root.path()).unwrap().display().to_string();
    found
        .inputs
        .iter()
        .map(|input| match input {
            Input::Stdin => "-".to_owned(),
            Input::File(path) => short(path),
        })
        .chain(
            found
                .passed_over
                .iter()
                .map(|file| format!("({}: {})", short(&file.path), file.why)),
        )
        .collect()
}

#[test]
fn files_folders_patterns_and_stdin() {
    let root = tree();
    let all = find(&root, &["b.jsonl", "a", "a/x.log", "-"]).unwrap();
    assert_eq!(
        names(&root, &all),
        [
            "-",
            "a/deep/y.jsonl",
            "a/x.log",
            "b.jsonl",
            "(a/empty.jsonl: it is empty)",
            "(a/notes.md: it is no recording that is understood)",
        ]
    );
    let met = find(&root, &["**/*.jsonl"]).unwrap();
    assert_eq!(
        names(&root, &met),
        ["a/deep/y.jsonl", "b.jsonl", "(a/empty.jsonl: it is empty)"]
    );
    let met = find(&root, &["a/{x,z}.*"]).unwrap();
    assert_eq!(names(&root, &met), ["a/x.log"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_are_passed_over() {
    let root = tree();
    std::os::unix::fs::symlink(root.path().join("a"), root.path().join("a/again")).unwrap();
    std::os::unix::fs::symlink(root.path().join("nothing"), root.path().join("a/dangling")).unwrap();
    let found = find(&root, &["a"]).unwrap();
    assert_eq!(
        names(&root, &found),
        [
            "a/deep/y.jsonl",
            "a/x.log",
            "(a/again: it is a link to a folder in which it lies)",
            "(a/dangling: it cannot be read)",
            "(a/empty.jsonl: it is empty)",
            "(a/notes.md: it is no recording that is understood)",
        ]
    );
}

#[test]
fn errors_are_told_all_at_once() {
    let root = tree();
    let errors = find(
        &root,
        &[
            "zzz.jsonl",
            "a/notes.md",
            "none",
            "none/base.db",
            "-",
            "-",
            "zz/*.x",
            "*.q",
            "a/[.x",
            "b.jsonl",
        ],
    )
    .unwrap_err();
    let at = format!("{}/", root.path().display());
    let told: Vec<String> = errors
        .iter()
        .map(|e| format!("{}: {} | {}", e.code, e.message, e.help.as_deref().unwrap_or("")).replace(&at, ""))
        .collect();
    assert_eq!(
        told,
        [
            "missing-file: there is no file or folder `zzz.jsonl` | ",
            "unknown-format: `a/notes.md` is no recording that is understood | `wirelint rules --inputs` lists what can be \
             read",
            "no-recordings: the folder `none` holds no recording | `none/base.db` was passed over: it is an SQLite \
             database; so were 1 other files",
            "refused-format: `none/base.db` is an SQLite database | if it holds messages, export them as JSON, one a \
             line, with the members `ts`, `direction` (`c2s`, `s2c`), `session_id`, `body` and `headers`",
            "stdin-twice: standard input is given twice | `-` can stand only once, since standard input can be read \
             only once",
            "missing-file: there is no file or folder `zz` | ",
            "no-recordings: the pattern `*.q` holds no recording | ",
            "bad-pattern: `a/[.x` is no pattern: unclosed character class; missing ']' | ",
        ]
    );
}

#[test]
fn what_is_recognised_is_refused_with_advice() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("file");
    for (text, what) in [
        (&b"\xd4\xc3\xb2\xa1\x02\0\x04\0"[..], "a packet capture"),
        (b"BZh91AY", "a file compressed in a way that is not read"),
        (b"PK\x03\x04", "an archive of files"),
        (b"\xff\xfe{\0\"\0", "a text in UTF-16"),
        (b"\x0a\x0d\x0d\x0a\x1c\0\0\0", "a packet capture"),
        (b"5021:9:websocket;0:~", "a file of mitmproxy flows"),
        (
            b"SQLite format 3\0\x10\0CREATE TABLE messages(id, exchange_id, ts, rpc_id, body)",
            "a database of mcphawk",
        ),
        (
            b"SQLite format 3\0\x10\0CREATE TABLE packets (frame_number, headers_json, body_raw)",
            "a database of mcp-shark",
        ),
        (
            b"SQLite format 3\0\x10\0CREATE TABLE messages (method, latency_ms, message_type)",
            "a database of mcp-debugger",
        ),
        (
            b"{\"session\":{\"id\":1},\"messages\":[{\"id\":7,\"direction\":\"client_to_server\",\"method\":\"ping\",\
              \"latency_ms\":null,\"params\":null,\"result\":null,\"message_type\":\"request\"}]}",
            "an export of mcp-debugger",
        ),
        (
            b"{\"ts\":1,\"tool\":\"add\",\"kind\":\"read-only\",\"decision\":\"forwarded\",\"arguments\":{},\
              \"_fg\":{\"seq\":1,\"prev\":\"\",\"hash\":\"ab\"}}\n",
            "a ledger of foreguard",
        ),
        (
            b"{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[]}]}]}\n{\"resourceSpans\":[]}\n",
            "an OpenTelemetry export",
        ),
        (
            b"{\n \"resourceLogs\": []\n}",
            "an OpenTelemetry export",
        ),
        (
            b"[\n {\n  \"id\": \"tools-list\",\n  \"name\": \"x\",\n  \"status\": \"FAILURE\",\n  \"errorMessage\": \"y\"\n }\n]",
            "the verdict of a conformance run",
        ),
        (
            b"{\"servers\":[{\"server\":{\"name\":\"io.x/y\",\"remotes\":[]},\"_meta\":{}}]}",
            "an entry of the server registry",
        ),
        (
            b"{\"server\":{\"name\":\"io.x/y\",\"packages\":[]}}",
            "an entry of the server registry",
        ),
        (
            b"{\n\"mcp\": {\"servers\": {\"x\": {\"command\": \"y\"}}}}",
            "the configuration of a client",
        ),
        (
            b"{\"context_servers\":{\"x\":{\"command\":\"y\"}}}",
            "the configuration of a client",
        ),
        (
            b"{\"log\": {\"version\": \"1.2\", \"creator\": {\"name\": \"mcpsnoop\"},\n\"entries\": []}}",
            "a HAR that was made of messages, not of HTTP",
        ),
        (
            b"{\"log\":{\"entries\":[{\"request\":{\"method\":\"POST\",\"url\":\"mcp://shelf/tools/call\"}}]}}",
            "a HAR that was made of messages, not of HTTP",
        ),
        (
            b"{\"log\":{\"entries\":[{\"request\":{\"url\":\"http://x/\",\"httpVersion\":\"JSON-RPC/2.0\"}}]}}",
            "a HAR that was made of messages, not of HTTP",
        ),
        (
            b"[{\"id\":\"x\",\"status\":\"SUCCESS\",\"specReferences\":[]}]",
            "the verdict of a conformance run",
        ),
        (
            b"{\"$schema\":\"https://example.com/server.schema.json\",\"name\":\"io.x/y\",\"packages\":[]}",
            "an entry of the server registry",
        ),
        (
            b"{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}",
            "the configuration of a client",
        ),
        (
            b"{\"servers\":{\"x\":{\"url\":\"y\"}}}",
            "the configuration of a client",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let errors = discover(std::slice::from_ref(&path)).unwrap_err();
        assert_eq!(errors[0].message, format!("`{}` is {what}", path.display()));
        let help = errors[0].help.as_deref().unwrap();
        assert!(!help.contains("  ") && !help.contains("not read yet"), "{help}");
    }
}

#[test]
fn a_format_that_is_asked_for_is_not_recognised() {
    let root = tree();
    let messages = InputFormat::of_name("messages");
    let paths = ["a", "none/base.db"].map(|path| root.path().join(path));
    let found = discover_as(&paths[..1], messages).unwrap();
    assert_eq!(
        names(&root, &found),
        [
            "a/deep/y.jsonl",
            "a/notes.md",
            "a/x.log",
            "(a/empty.jsonl: it is empty)"
        ]
    );
    // What is no text is none of that format either.
    let errors = discover_as(&paths[1..], messages).unwrap_err();
    assert_eq!(errors[0].code, "refused-format");
}
