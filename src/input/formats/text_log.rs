//! Logs of clients and wrappers: texts for people, with a message in some of their lines.
//!
//! | line | written by |
//! |---|---|
//! | `TIME [name] [info] Message from client: {…} { metadata: undefined }` | Claude Desktop, `mcp-server-NAME.log` |
//! | `TIME [trace] [editor -> server] {…}`, before `[Client Says] {…}` | VS Code, at the level `trace` |
//! | `TIME [STDIN] {…}`, `[STDOUT]`, `[STDERR]` | wrappers of a process |
//! | `TIME → {…}`, `← {…}`, `>>> {…}`, `<<< {…}` | wrappers |
//!
//! All other lines tell what the client did or are errors of the server, and are passed over. A message that these logs
//! cut short is lost, and nobody who sent it is to blame: they are written from values and shortened for people.

mod line;

use self::line::Meaning::{Noise, Sent, Start};
use self::line::{Line, Writer, is_shaped};
use super::super::event::{Blame, EventKind, Payload, Problem, Side};
use super::super::head::{Head, is_messages};
use super::super::scan;
use super::super::sink::{Sink, Stamp, looks_like_json, problem};
use super::super::time;
use super::{Confidence, Evidence, Format};
use crate::place::RecordId;

pub(super) struct TextLog;

impl Format for TextLog {
    fn name(&self) -> &'static str {
        "text-log"
    }

    fn title(&self) -> &'static str {
        "a text log with a message in a line"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Direction, Evidence::Order, Evidence::Clock]
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let is_line = |bytes: &[u8], such: &dyn Fn(&Line) -> bool| {
            let line = str::from_utf8(bytes).ok().and_then(Line::of);
            line.is_some_and(|line| such(&line))
        };
        // Servers may write much before their first message.
        let any = |such: &dyn Fn(&Line) -> bool| {
            let mut lines = head.bytes().split(|byte| *byte == b'\n');
            lines.any(|line| is_line(line, such))
        };
        let (marked, all) = head.count(|line| is_line(line, &|line| line.says() || line.meaning == Noise));
        let (shaped, _) = head.count(is_shaped);
        let told = if marked * 2 >= all {
            any(&|line| line.says())
        } else if shaped * 3 >= all || head.lines().next().is_some_and(is_shaped) {
            any(&|line| line.says() && matches!(line.writer, Writer::Desktop | Writer::Editor))
        } else {
            false
        };
        told.then_some(Confidence::Likely)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let Some(line) = Line::of(text) else {
            return;
        };
        let stamp = Stamp {
            time: line.time.and_then(time::rfc3339),
            session: line.name.map(|name| sink.share(name)),
        };
        match line.meaning {
            Noise => {}
            Start => start(line.writer, record, &stamp, sink),
            Sent(sender) => message(text, &line, sender, record, &stamp, sink),
        }
    }

    fn unreadable(&self, text: &str, record: RecordId, problem: Problem, sink: &mut Sink) {
        // Output of a server may be anything; only what would have been a message is lost.
        let meant = Line::of(text).is_some_and(|line| matches!(line.meaning, Sent(_)));
        if meant {
            sink.lost(record, problem);
        }
    }
}

/// A process is started. An editor writes messages only at some levels: of what it wrote before and of what comes at
/// once, nobody knows whether that is all.
fn start(writer: Writer, record: RecordId, stamp: &Stamp, sink: &mut Sink) {
    let process = EventKind::ProcessStart { command: Vec::new() };
    if writer == Writer::Editor {
        sink.event(record, stamp, EventKind::Gap);
        sink.event(record, stamp, process);
        sink.event(record, stamp, EventKind::Gap);
    } else {
        sink.event(record, stamp, process);
    }
}

fn message(text: &str, line: &Line, sender: Side, record: RecordId, stamp: &Stamp, sink: &mut Sink) {
    let said = line.text;
    if !looks_like_json(said) {
        match line.writer {
            // A wrapper says in the same way what it does, unless it names a stream.
            Writer::Desktop | Writer::Editor => sink.lost(record, truncated(record)),
            Writer::Arrows => {}
            Writer::Streams if said.trim().is_empty() => {}
            Writer::Streams => {
                let part = within(text, said, record);
                sink.problem(Problem {
                    fault: Blame::Nobody,
                    ..problem(part, "not-json", "what should be a message is not JSON")
                });
                let payload = sink.stray(part, "", said);
                sink.event(part, stamp, line_of(sender, payload));
            }
        }
        return;
    }
    // Behind the message, Claude Desktop says what else it knows; others say nothing.
    let (json, rest) = match line.writer {
        Writer::Desktop => said.split_at(scan::skip_value(said.as_bytes(), 0).0),
        _ => (said, ""),
    };
    if line.writer == Writer::Arrows && !is_messages(json.as_bytes()) {
        return;
    }
    let part = within(text, json, record);
    let (payload, fault) = sink.payload(part, "", json, false);
    let shortened = line.writer == Writer::Desktop
        && (is_shortened(json) || !rest.trim().is_empty() && !rest.trim_start().starts_with("{ metadata:"));
    match fault {
        None if !shortened => sink.event(part, stamp, line_of(sender, payload)),
        Some(fault) if fault.too_deep || fault.cut_off && sink.unfinished => {
            let problem = sink.record_fault(part, &fault);
            sink.lost(part, problem);
        }
        // What a wrapper of a process shows may have been sent like this, and may have been cut.
        Some(fault) if matches!(line.writer, Writer::Streams | Writer::Arrows) => {
            let problem = sink.text_fault(part, "", json, None, &fault);
            sink.lost(part, problem);
        }
        _ => sink.lost(part, truncated(part)),
    }
}

/// Clients write the same of whatever transport, and wrappers go on in the same file with the next process without a
/// mark: that all of it is the stdio of one process is not to be believed.
fn line_of(sender: Side, payload: Payload) -> EventKind {
    EventKind::Line {
        sender: Some(sender),
        transport: None,
        payload,
    }
}

/// A message of which not all is there.
fn truncated(record: RecordId) -> Problem {
    Problem {
        help: Some("such logs shorten what is long; record the traffic itself to check it".to_owned()),
        ..problem(
            record,
            "truncated",
            "the log does not hold the whole message, so what it says is unknown",
        )
    }
}

/// Whether a note says that characters are left out here. It may stand in a text, where it leaves valid JSON.
fn is_shortened(json: &str) -> bool {
    json.match_indices(" truncated]").any(|(at, _)| {
        let before = &json[..at];
        let before = before.strip_suffix("characters").or(before.strip_suffix("chars"));
        before.is_some_and(|before| before.trim_end().ends_with(|c: char| c.is_ascii_digit()))
    })
}

/// The part of a line that is a message: a record by itself, so that places in it are those in its JSON.
fn within(line: &str, part: &str, record: RecordId) -> RecordId {
    let start = (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    RecordId {
        offset: record.offset + start as u64,
        length: u32::try_from(part.len()).unwrap_or(u32::MAX),
        ..record
    }
}

#[cfg(test)]
mod tests;
