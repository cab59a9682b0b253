//! What is recognised but not read, and what to do instead.

use super::super::head::{Head, value};
use super::super::scan;
use super::super::unpack::Packing;
use super::har;

/// Why a file is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refusal {
    /// What it is, to be put behind "is".
    pub(super) what: &'static str,
    /// What to do.
    pub(super) help: &'static str,
}

struct Known {
    such: fn(&Head) -> bool,
    refusal: Refusal,
}

macro_rules! known {
    ($($what:literal, $help:expr, $such:expr;)*) => {
        &[$(Known { such: $such, refusal: Refusal { what: $what, help: $help } }),*]
    };
}

const LOST_IDS: &str = "the ids of its messages are lost, so that no answer can be told from another; record the session \
    with something that keeps the messages as they are";

/// Recognised by their first bytes, before any format is tried.
static BINARY: &[Known] = known! {
    "a database of mcphawk",
        "give its messages: `sqlite3 FILE \"SELECT json_object('ts', ts, 'direction', direction, 'session_id', session_id, \
         'body', body, 'headers', headers) FROM messages ORDER BY id\" | wirelint check -`",
        |head| is_database(head, &["CREATE TABLE", "messages", "rpc_id", "exchange_id"]);
    "a database of mcp-shark",
        "give its packets: `sqlite3 FILE \"SELECT json_object('ts', timestamp_iso, 'session_id', session_id, 'transport', \
         'http', 'dir', CASE direction WHEN 'request' THEN 'c2s' ELSE 's2c' END, 'status', status_code, 'headers', \
         headers_json, 'body', body_raw) FROM packets ORDER BY frame_number\" | wirelint check -`",
        |head| is_database(head, &["CREATE TABLE", "packets", "frame_number", "headers_json", "body_raw"]);
    "a database of mcp-debugger",
        LOST_IDS,
        |head| is_database(head, &["CREATE TABLE", "messages", "latency_ms", "message_type"]);
    "an SQLite database",
        "if it holds messages, export them as JSON, one a line, with the members `ts`, `direction` (`c2s`, `s2c`), \
         `session_id`, `body` and `headers`",
        |head| is_database(head, &[]);
    "a packet capture",
        "let tshark take it apart: `tshark -r FILE -Y http -T ek | wirelint check -`",
        |head| begins(head, &[
            b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\xc3\xd4", b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d", b"\x0a\x0d\x0d\x0a",
        ]);
    "a file that is compressed twice",
        "unpack it once, as in `gunzip -c FILE | wirelint check -`",
        |head| Packing::of(head.bytes()).is_some();
    "a file compressed in a way that is not read",
        "unpack it and give it on standard input, as in `xz -dc FILE | wirelint check -`; gzip and Zstandard are read",
        |head| begins(head, &[b"\xfd7zXZ\0", b"BZh"]);
    "an archive of files",
        "unpack it and give the folder",
        |head| begins(head, &[b"PK\x03\x04", b"7z\xbc\xaf\x27\x1c"]) || head.bytes().get(257..262) == Some(b"ustar");
    "a text in UTF-16",
        "convert it to UTF-8, as in `iconv -f utf-16 -t utf-8 FILE`",
        |head| begins(head, &[b"\xff\xfe", b"\xfe\xff"]);
    "a file of mitmproxy flows",
        "convert them to HAR with `mitmdump -nr FILE --set hardump=OUT.har`",
        is_flows;
    "a binary file",
        "recordings are texts, most of them with a JSON value on each line",
        |head| head.bytes().contains(&0);
};

/// Recognised by what they say, after all formats were tried.
static TEXT: &[Known] = known! {
    "a HAR that was made of messages, not of HTTP",
        "it holds parameters and results of calls without their messages and headers; give the log from which it was made, \
         one message a line, or record HTTP with a proxy",
        har::is_made_of_messages;
    "a session of mcp-reticle",
        "such sessions are not read yet; its log of entries, one a line, is",
        |head| first(head, "messages").is_some() && first(head, "started_at").is_some();
    "an export of mcp-debugger",
        LOST_IDS,
        |head| first(head, "session").is_some() && first(head, "messages").is_some_and(|messages| {
            scan::elements(messages, 0).next().is_some_and(|message| value(&messages[message], "message_type").is_some())
        });
    "a ledger of foreguard",
        "it tells which tools were called, without the messages; record the traffic itself",
        |head| {
            let (such, all) = head.count(|line| value(line, "_fg").is_some() && value(line, "tool").is_some());
            such > 0 && such * 2 >= all
        };
    "an OpenTelemetry export",
        "it holds traces, logs or metrics, not the messages; record the traffic itself",
        |head| ["resourceSpans", "resourceLogs", "resourceMetrics"].iter().any(|name| first(head, name).is_some());
    "the verdict of a conformance run",
        "it tells what the suite found, not what was sent; record the traffic of the run",
        |head| element(head).is_some_and(|check| {
            value(check, "status").is_some()
                && ["specReferences", "errorMessage"].iter().any(|name| value(check, name).is_some())
        });
    "an entry of the server registry",
        "it names packages and endpoints, not tools; dump what the server answers to `tools/list`",
        |head| {
            let start = head.bytes().get(head.start()..).unwrap_or_default();
            is_registered(start) || first(head, "server").is_some_and(is_registered)
                || first(head, "servers").and_then(|servers| {
                    let first = scan::elements(servers, 0).next()?;
                    value(&servers[first], "server")
                }).is_some_and(is_registered)
        };
    "the configuration of a client",
        "it names servers and holds no traffic; record one with `wirelint record -- COMMAND`",
        |head| {
            let nested = first(head, "mcp").and_then(|mcp| value(mcp, "servers"));
            let servers = [first(head, "servers"), first(head, "context_servers"), nested];
            first(head, "mcpServers").is_some() || servers.into_iter().flatten().any(starts_servers)
        };
};

/// What a file is that begins like this, by its first bytes.
pub(super) fn binary(head: &Head) -> Option<Refusal> {
    find(BINARY, head)
}

/// What a file is that begins like this and is of no format.
pub(super) fn text(head: &Head) -> Option<Refusal> {
    find(TEXT, head)
}

fn find(table: &[Known], head: &Head) -> Option<Refusal> {
    table
        .iter()
        .find(|known| (known.such)(head))
        .map(|known| known.refusal)
}

fn begins(head: &Head, marks: &[&[u8]]) -> bool {
    marks.iter().any(|mark| head.bytes().starts_with(mark))
}

/// An SQLite database in whose first pages, which hold the statements that made its tables, all these words stand.
fn is_database(head: &Head, words: &[&str]) -> bool {
    let bytes = head.bytes();
    let has = |word: &&str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
    bytes.starts_with(b"SQLite format 3\0") && words.iter().all(has)
}

/// Whether an object tells where a server is to be had.
fn is_registered(object: &[u8]) -> bool {
    value(object, "name").is_some()
        && ["packages", "remotes"]
            .iter()
            .any(|name| value(object, name).is_some_and(|list| list.starts_with(b"[")))
}

/// Whether an object tells how servers are started or reached.
fn starts_servers(servers: &[u8]) -> bool {
    scan::members(servers, 0).any(|server| {
        let server = &servers[server.value];
        value(server, "command").or(value(server, "url")).is_some()
    })
}

/// A netstring that begins with a netstring: `1234:9:websocket;…`.
fn is_flows(head: &Head) -> bool {
    let number = |bytes: &[u8]| {
        let digits = bytes.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
        (digits > 0 && bytes.get(digits) == Some(&b':')).then_some(digits + 1)
    };
    let bytes = head.bytes();
    number(bytes).and_then(|at| number(&bytes[at..])).is_some()
}

/// A member of the first value.
fn first<'a>(head: &'a Head, name: &str) -> Option<&'a [u8]> {
    head.bytes()
        .get(head.start()..)
        .and_then(|object| value(object, name))
}

/// The first element of a file that is one list.
fn element(head: &Head) -> Option<&[u8]> {
    let bytes = head.bytes();
    scan::elements(bytes, head.start())
        .next()
        .map(|element| &bytes[element])
}
