//! Transcripts of coding agents, as Claude Code and Codex keep them. Of MCP they hold the calls of tools alone.
//!
//! | written by | a call | its answer |
//! |---|---|---|
//! | Claude Code | `message.content[]` of `type` `tool_use`, with `id`, `name` `mcp__SERVER__TOOL`, `input` | a later line: `tool_result` with `tool_use_id`, `is_error` |
//! | Codex | `payload` (of older ones `msg`) of `type` `mcp_tool_call_end`, with `call_id`, `invocation` | in the same line: `result.Ok` |
//!
//! What was sent is put together from them, so that ids, metadata and every other member are unknown; between calls
//! anything may have passed. A call that the user or the client refused never reached a server, and looks like one that
//! the server answered with an error: only calls that surely succeeded are taken. What Claude Code keeps of a result is
//! what the model saw, so that its content is unknown as well.

use std::collections::HashMap;

use super::super::event::{EventKind, Side};
use super::super::fields::{self, fields};
use super::super::head::{Head, says, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp};
use super::super::time;
use super::stdio_log::unreadable;
use super::{Confidence, Evidence, Format, Unit};
use crate::json::quote;
use crate::place::RecordId;

pub(super) struct Agent;

/// The kinds of lines of Codex.
const CODEX: [&str; 4] = ["event_msg", "session_meta", "response_item", "turn_context"];

impl Format for Agent {
    fn name(&self) -> &'static str {
        "agent"
    }

    fn title(&self) -> &'static str {
        "a transcript of a coding agent"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Direction, Evidence::Clock]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let (such, all) = head.count(|line| {
            value(line, "sessionId").is_some() && value(line, "uuid").is_some()
                || CODEX.iter().any(|kind| says(value(line, "type"), kind))
                || value(line, "id").is_some()
                    && value(line, "msg").is_some_and(|msg| value(msg, "type").is_some())
        });
        (such > 0 && such * 3 >= all).then_some(Confidence::Certain)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let mut calls: Vec<Call> = vec![];
        let mut asked: HashMap<String, usize> = HashMap::new();
        let mut session = String::new();
        let mut at = 0;
        for (number, line) in (0..).zip(text.split_inclusive('\n')) {
            let part = RecordId {
                offset: record.offset + at as u64,
                length: u32::try_from(line.trim_end_matches(['\n', '\r']).len()).unwrap_or(u32::MAX),
                line: record.line.saturating_add(number),
                ..record
            };
            at += line.len();
            let line = line.trim_matches(['\n', '\r', '\u{feff}']);
            if line.trim().is_empty() {
                continue;
            }
            let [message, payload, msg, id, timestamp] =
                match fields(line, &["message", "payload", "msg", "sessionId", "timestamp"]) {
                    Ok(found) => found,
                    Err(fault) => {
                        unreadable(fault, part, sink);
                        continue;
                    }
                };
            if let Some(id) = id.and_then(fields::text) {
                session = id.into_owned();
            }
            let time = timestamp
                .and_then(fields::text)
                .and_then(|text| time::rfc3339(&text));
            let place = (part, time);
            if let Some(event) = payload.or(msg) {
                calls.extend(codex(event, place));
            } else if let Some(message) = message {
                claude(message, &session, place, &mut calls, &mut asked);
            }
        }
        tell(calls, sink);
    }
}

/// Where and when something was written.
type Written = (RecordId, Option<i64>);

/// A call of a tool.
struct Call {
    session: String,
    id: String,
    tool: String,
    /// As JSON.
    arguments: String,
    asked: Written,
    /// As JSON; `None` if it is not sure that there was one.
    result: Option<(String, Written)>,
}

/// The calls and results in a message of Claude Code.
fn claude(
    message: &str,
    session: &str,
    written: Written,
    calls: &mut Vec<Call>,
    asked: &mut HashMap<String, usize>,
) {
    let Ok([Some(content)]) = fields(message, &["content"]) else {
        return;
    };
    for block in scan::elements(content.as_bytes(), 0) {
        let block = &content[block];
        let Ok([kind, id, name, input, of, is_error]) =
            fields(block, &["type", "id", "name", "input", "tool_use_id", "is_error"])
        else {
            continue;
        };
        let text = |raw: Option<&str>| raw.and_then(fields::text).map(|text| text.into_owned());
        match (kind, text(id), text(name), text(of)) {
            (Some("\"tool_use\""), Some(id), Some(name), _) => {
                let named = name.strip_prefix("mcp__").and_then(|name| name.split_once("__"));
                if let Some((server, tool)) = named {
                    asked.insert(id.clone(), calls.len());
                    calls.push(Call {
                        session: format!("{session} {server}"),
                        id,
                        tool: tool.to_owned(),
                        arguments: input.unwrap_or("{}").to_owned(),
                        asked: written,
                        result: None,
                    });
                }
            }
            (Some("\"tool_result\""), _, _, Some(of)) if is_error != Some("true") => {
                if let Some(call) = asked.get(&of).and_then(|number| calls.get_mut(*number)) {
                    call.result = Some(("{}".to_owned(), written));
                }
            }
            _ => {}
        }
    }
}

/// The call in an event of Codex, if it is one that has ended well.
fn codex(event: &str, written: Written) -> Option<Call> {
    let [kind, id, invocation, result] = fields(event, &["type", "call_id", "invocation", "result"]).ok()?;
    if kind != Some("\"mcp_tool_call_end\"") {
        return None;
    }
    let [server, tool, arguments] = fields(invocation?, &["server", "tool", "arguments"]).ok()?;
    let [ok] = fields(result?, &["Ok"]).ok()?;
    Some(Call {
        session: fields::text(server?)?.into_owned(),
        id: id.and_then(fields::text).unwrap_or_default().into_owned(),
        tool: fields::text(tool?)?.into_owned(),
        arguments: arguments.unwrap_or("{}").to_owned(),
        asked: written,
        result: Some((ok?.to_owned(), written)),
    })
}

/// What surely passed, in the order of the lines.
fn tell(calls: Vec<Call>, sink: &mut Sink) {
    let mut messages = vec![];
    for call in calls {
        let Some((result, answered)) = call.result else {
            continue;
        };
        let mut head = String::from(r#"{"jsonrpc":"2.0","id":"#);
        quote(&call.id, &mut head);
        let mut request = format!(r#"{head},"method":"tools/call","params":{{"name":"#);
        quote(&call.tool, &mut request);
        request.push_str(&format!(r#","arguments":{}}}}}"#, call.arguments));
        let response = format!(r#"{head},"result":{result}}}"#);
        messages.push((call.asked, 0, Side::Client, call.session.clone(), request));
        messages.push((answered, 1, Side::Server, call.session, response));
    }
    messages.sort_by_key(|((record, _), turn, ..)| (record.offset, *turn));
    for ((record, time), _, sender, session, text) in messages {
        let stamp = Stamp {
            time,
            session: Some(sink.share(&session)),
        };
        let Some(payload) = sink.put_together(record, &text, &["jsonrpc", "id"]) else {
            continue;
        };
        // What else passed is not in a transcript.
        sink.event(record, &stamp, EventKind::Gap);
        let message = EventKind::bare_message(Some(sender), payload);
        sink.event(record, &stamp, message);
    }
}
