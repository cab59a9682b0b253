//! wirelint's own log of a process's standard input and output: one line of JSON for each line that passed.
//!
//! | `kind` | other members | meaning |
//! |---|---|---|
//! | `meta` | `command`: list of texts | a process was started |
//! | `line` | `dir`: `c2s`, `s2c` or `stderr`; `text` | a line passed |
//! | `eof` | `dir` | that stream ended |
//! | `exit` | `code` | the process ended |
//! | `gap` | | what passed here was not recorded |
//!
//! Every record has `ts`. Lines of `stderr` are never messages. A first line says which format it is and its version; see
//! `docs/recording-format.md`.

use super::super::event::{Blame, EventKind, Side, Transport};
use super::super::fields::{self, NoFields, fields};
use super::super::head::{Head, says, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp, problem, short};
use super::super::time;
use super::{Confidence, Evidence, Format};
use crate::place::RecordId;

pub(super) struct StdioLog;

impl Format for StdioLog {
    fn name(&self) -> &'static str {
        "stdio-log"
    }

    fn title(&self) -> &'static str {
        "a log of standard input and output"
    }

    fn evidence(&self) -> &'static [Evidence] {
        use Evidence::*;
        &[Direction, Order, Clock, RawText, Command]
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let (such, all) = head.count(|line| {
            let kind = value(line, "kind");
            is_header(line, "stdio")
                || (says(kind, "line") && value(line, "dir").is_some())
                || (says(kind, "meta") && value(line, "command").is_some())
                || (says(kind, "eof") && value(line, "dir").is_some())
                || (says(kind, "exit") && value(line, "ex").is_none())
        });
        (such > 0 && such * 2 >= all).then_some(Confidence::Certain)
    }

    fn read(&self, line: &str, record: RecordId, sink: &mut Sink) {
        let [kind, dir, text, ts, session, command, base64, truncated, version] = match fields(line, &NAMES) {
            Ok(found) => found,
            Err(fault) => return unreadable(fault, record, sink),
        };
        if kind.is_none() && version.is_some() {
            return header(version, record, sink);
        }
        let stamp = stamp(ts, session, sink);
        let dir = dir.and_then(fields::text).unwrap_or_default();
        let sender = match &*dir {
            "c2s" => Some(Side::Client),
            "s2c" => Some(Side::Server),
            _ => None,
        };
        let kind = kind.and_then(fields::text).unwrap_or_default();
        match (&*kind, sender) {
            ("meta", _) => {
                let command = command.map(words).unwrap_or_default();
                sink.event(record, &stamp, EventKind::ProcessStart { command });
            }
            ("gap", _) => sink.event(record, &stamp, EventKind::Gap),
            ("exit", _) => sink.event(record, &stamp, EventKind::ProcessExit),
            ("eof", Some(sender)) => sink.event(record, &stamp, EventKind::StreamEnd { sender }),
            ("line", Some(_)) => {
                let Some(text) = text.and_then(fields::text) else {
                    return sink.lost(record, problem(record, "no-message", "the record has no `text`"));
                };
                if text.trim().is_empty() && base64.is_none() {
                    // A blank line between messages says nothing.
                    return;
                }
                let (mut payload, fault) = sink.payload(record, "/text", &text, true);
                payload.truncated = truncated == Some("true");
                if base64.is_some() {
                    // What it holds is not what it says: the rest of it is no text.
                    payload.json = None;
                    let mut problem = problem(record, "not-utf8", "the line is not UTF-8");
                    problem.fault = sender.map_or(Blame::Nobody, Blame::Sender);
                    sink.problem(problem);
                } else if let Some(fault) = fault.filter(|fault| !payload.truncated || fault.too_deep) {
                    let problem = sink.text_fault(record, "/text", &text, sender, &fault);
                    sink.problem(problem);
                }
                let kind = EventKind::Line {
                    sender,
                    transport: Some(Transport::Stdio),
                    payload,
                };
                sink.event(record, &stamp, kind);
            }
            ("line" | "eof", None) if dir == "stderr" => {}
            ("line" | "eof", None) => {
                let message = format!("`dir` is `{}`, neither `c2s`, `s2c` nor `stderr`", short(&dir));
                sink.lost(record, problem(record, "bad-record", message));
            }
            (kind, _) => unknown_kind(kind, "`meta`, `line`, `eof`, `exit` and `gap`", record, sink),
        }
    }
}

/// The members of a record.
const NAMES: [&str; 9] = [
    "kind",
    "dir",
    "text",
    "ts",
    "session",
    "command",
    "base64",
    "truncated",
    "version",
];

/// The version of the format that is understood.
const VERSION: &str = "1";

/// Whether a line is the first of a recording of a transport.
pub(super) fn is_header(line: &[u8], transport: &str) -> bool {
    says(value(line, "format"), "wirelint-recording") && says(value(line, "transport"), transport)
}

/// The first line of a recording, or of a part that was written behind another.
pub(super) fn header(version: Option<&str>, record: RecordId, sink: &mut Sink) {
    if version != Some(VERSION) {
        let version = short(version.unwrap_or(""));
        let message = format!("the recording is of version {version}, and version {VERSION} is understood");
        let mut problem = problem(record, "bad-version", message);
        problem.help = Some("what is new in it is not seen: use a newer wirelint".to_owned());
        sink.problem(problem);
    }
}

/// A record whose `kind` is none of a log's.
pub(super) fn unknown_kind(kind: &str, known: &str, record: RecordId, sink: &mut Sink) {
    let message = format!("no record of this log is of the kind `{}`", short(kind));
    let mut problem = problem(record, "bad-record", message);
    problem.help = Some(format!("the kinds are {known}"));
    sink.lost(record, problem);
}

/// A line that is no JSON object.
pub(super) fn unreadable(fault: NoFields, record: RecordId, sink: &mut Sink) {
    let problem = match fault {
        NoFields::NotJson(fault) => sink.record_fault(record, &fault),
        NoFields::NotObject => problem(record, "bad-record", "the line is JSON, but no object"),
    };
    sink.lost(record, problem);
}

/// When and in which session, of the members `ts` and `session`.
pub(super) fn stamp(ts: Option<&str>, session: Option<&str>, sink: &mut Sink) -> Stamp {
    let time = ts.and_then(|ts| match fields::text(ts) {
        Some(text) => time::rfc3339(&text),
        None => time::number(ts, time::Unit::Guess),
    });
    let session = session.and_then(fields::word).map(|id| sink.share(&id));
    Stamp { time, session }
}

/// The texts of a list.
pub(super) fn words(raw: &str) -> Vec<String> {
    scan::elements(raw.as_bytes(), 0)
        .filter_map(|word| fields::text(&raw[word]).map(|word| word.into_owned()))
        .collect()
}
