//! wirelint's own log of a process's standard input and output: one line of JSON for each line that passed.
//!
//! | `kind` | other members | meaning |
//! |---|---|---|
//! | `meta` | `command`: list of texts | a process was started |
//! | `line` | `dir`: `c2s`, `s2c` or `stderr`; `text` | a line passed |
//! | `eof` | `dir` | that stream ended |
//! | `exit` | `code` | the process ended |
//!
//! Every record has `ts`. Lines of `stderr` are never messages.

use super::super::event::{EventKind, Side, Transport};
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
            (says(kind, "line") && value(line, "dir").is_some())
                || (says(kind, "meta") && value(line, "command").is_some())
                || (says(kind, "eof") && value(line, "dir").is_some())
                || (says(kind, "exit") && value(line, "ex").is_none())
        });
        (such > 0 && such * 2 >= all).then_some(Confidence::Certain)
    }

    fn read(&self, line: &str, record: RecordId, sink: &mut Sink) {
        let [kind, dir, text, ts, session, command] =
            match fields(line, &["kind", "dir", "text", "ts", "session", "command"]) {
                Ok(found) => found,
                Err(fault) => return unreadable(fault, record, sink),
            };
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
            ("exit", _) => sink.event(record, &stamp, EventKind::ProcessExit),
            ("eof", Some(sender)) => sink.event(record, &stamp, EventKind::StreamEnd { sender }),
            ("line", Some(_)) => {
                let Some(text) = text.and_then(fields::text) else {
                    return sink.lost(record, problem(record, "no-message", "the record has no `text`"));
                };
                let (payload, fault) = sink.payload(record, "/text", &text, true);
                if let Some(fault) = fault {
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
            (kind, _) => unknown_kind(kind, "`meta`, `line`, `eof` and `exit`", record, sink),
        }
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
