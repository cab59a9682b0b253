use super::super::super::event::Wanted;
use super::super::super::sink::Decoded;
use super::*;
use Side::{Client, Server};

fn read(line: &str) -> Decoded {
    let wanted = Wanted {
        message: crate::json::Demand::whole(),
        ..Wanted::default()
    };
    let mut sink = Sink::new(&wanted);
    let record = RecordId {
        length: u32::try_from(line.len()).unwrap(),
        ..RecordId::default()
    };
    TextLog.read(line, record, &mut sink);
    sink.finish()
}

/// The session, the sender and the part of the line that is the message.
fn said(line: &str) -> (Option<String>, Option<Side>, String) {
    let decoded = read(line);
    assert_eq!(decoded.problems, [], "{line}");
    let [event] = &decoded.events[..] else {
        panic!("{line}: {:?}", decoded.events);
    };
    let EventKind::Line { sender, payload, .. } = &event.kind else {
        panic!("{line}: {event:?}");
    };
    assert!(payload.json.is_some() && !payload.exact, "{line}");
    let start = usize::try_from(event.record.offset).unwrap();
    let part = &line[start..start + event.record.length as usize];
    (
        event.session.as_deref().map(str::to_owned),
        *sender,
        part.to_owned(),
    )
}

const PING: &str = r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#;

#[test]
fn every_shape_of_line() {
    for (before, after, name, sender) in [
        (
            "2026-03-10T15:18:27.783Z [notes] [info] Message from client: ",
            " { metadata: undefined }",
            Some("notes"),
            Client,
        ),
        (
            "2026-03-10T15:18:27.783Z [My Notes (beta) [2]] [info] Message from server: ",
            " { metadata: undefined }  ",
            Some("My Notes (beta) [2]"),
            Server,
        ),
        (
            "2024-11-28T09:27:43.719Z [info] [notes] Message from client: ",
            "",
            Some("notes"),
            Client,
        ),
        (
            "2024-11-28T09:27:43.719Z [info] Message from client: ",
            "",
            None,
            Client,
        ),
        (
            "2026-10-05 06:48:27.123 [trace] [editor -> server] ",
            "",
            None,
            Client,
        ),
        (
            "2026-10-05 06:48:27.123 [debug] [server -> editor] ",
            "\t",
            None,
            Server,
        ),
        ("2026-10-05 06:48:27.123 [info] [Client Says] ", "", None, Client),
        (
            "10/5/2026, 6:48:27 AM [trace] [server -> editor] ",
            "",
            None,
            Server,
        ),
        (
            "2026-10-05 06:48:27.123 [trace] [notes] [server -> editor] ",
            "",
            Some("notes"),
            Server,
        ),
        ("[server -> editor] ", "", None, Server),
        ("2026-10-05T06:48:27Z [STDIN] ", "", None, Client),
        ("[2026-10-05T06:48:27Z] [STDOUT] ", "", None, Server),
        ("→ ", "", None, Client),
        ("12:30:01 ← ", "", None, Server),
        (">>> ", "", None, Client),
        ("<<< ", "", None, Server),
    ] {
        let line = format!("{before}{PING}{after}");
        assert_eq!(
            said(&line),
            (name.map(str::to_owned), Some(sender), PING.to_owned()),
            "{line}"
        );
    }
}

#[test]
fn times_with_and_without_brackets() {
    for (line, time) in [
        (
            "2026-10-05 06:48:27.123 [trace] [editor -> server] ",
            Some(1_791_182_907_123_000_000),
        ),
        ("[2026-10-05T06:48:27Z] [STDIN] ", Some(1_791_182_907_000_000_000)),
        ("12:30:01 → ", None),
    ] {
        let decoded = read(&format!("{line}{PING}"));
        assert_eq!(decoded.events[0].time, time, "{line}");
    }
}

#[test]
fn what_is_no_message_is_passed_over() {
    for line in [
        "2026-03-10T15:18:27.783Z [notes] [info] Server started and connected successfully { metadata: undefined }",
        "2026-03-10T15:18:27.783Z [notes] [info] Using MCP server command: /usr/bin/env with args and path: {",
        "  metadata: {",
        "2026-10-05 06:48:27.123 [info] Connection state: Running",
        "2026-10-05 06:48:27.123 [info] Discovered 3 tools",
        r#"2026-10-05 06:48:27.123 [warning] [server stderr] INFO [editor -> server] {"jsonrpc":"2.0"}"#,
        r#"2026-10-05T06:48:27Z [STDERR] → {"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"the client wrote [editor -> server] {"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"Message from client: {"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        "→ initialize",
        r#"→ {"status":"connecting"}"#,
        "[STDOUT] ",
        "",
    ] {
        let decoded = read(line);
        assert!(
            decoded.events.is_empty() && decoded.problems.is_empty(),
            "{line}: {decoded:?}"
        );
    }
}

#[test]
fn what_is_cut_is_nobodys_fault() {
    let desktop = "2026-03-10T15:18:27.783Z [notes] [info] Message from server: ";
    for line in [
        format!(
            r#"{desktop}{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"ty...[2048 chars truncated]...true}} {{ metadata: undefined }}"#
        ),
        format!(
            r#"{desktop}{{"jsonrpc":"2.0","id":1,"result":{{"text":"abc... [2048 characters truncated] ...xyz"}}}} {{ metadata: undefined }}"#
        ),
        format!(
            r#"{desktop}{{"jsonrpc":"2.0","id":1,"result":{{}}}}...[12 more]..."x"}} {{ metadata: undefined }}"#
        ),
        format!(r#"{desktop}{{"jsonrpc":"2.0","id":1,"result":{{"text":"abc"#),
        format!("{desktop}undefined"),
        r#"2026-10-05 06:48:27.123 [trace] [server -> editor] {"jsonrpc":"2.0","id":1,"res…"#.to_owned(),
    ] {
        let decoded = read(&line);
        let [problem] = &decoded.problems[..] else {
            panic!("{line}: {:?}", decoded.problems);
        };
        assert_eq!(
            (problem.code, problem.fault),
            ("truncated", Blame::Recorder),
            "{line}"
        );
        assert!(
            matches!(decoded.events[..], [ref event] if matches!(event.kind, EventKind::Gap)),
            "{line}"
        );
    }
}

#[test]
fn a_wrapper_shows_what_is_no_json() {
    let decoded = read("2026-10-05T06:48:27Z [STDOUT] ready");
    assert_eq!(
        (decoded.problems[0].code, decoded.problems[0].fault),
        ("not-json", Blame::Nobody)
    );
    assert!(matches!(&decoded.events[0].kind, EventKind::Line { payload, .. } if payload.json.is_none()));
    let decoded = read(r#"← {"jsonrpc":"2.0","id":1,"result":{}"#);
    assert_eq!(
        (decoded.problems[0].code, decoded.problems[0].fault),
        ("not-json", Blame::Nobody)
    );
    assert!(matches!(decoded.events[0].kind, EventKind::Gap));
}

#[test]
fn a_process_that_is_started_again() {
    let kinds = |line: &str| -> Vec<String> {
        let events = read(line).events;
        events
            .iter()
            .map(|event| format!("{:?} {:?}", event.session, event.kind))
            .collect()
    };
    assert_eq!(
        kinds("2026-03-10T15:18:27.783Z [notes] [info] Initializing server... { metadata: undefined }"),
        [r#"Some("notes") ProcessStart { command: [] }"#]
    );
    // Whether all was written from here on depends on the level.
    assert_eq!(
        kinds("2026-10-05 06:48:27.123 [info] Connection state: Starting"),
        ["None Gap", "None ProcessStart { command: [] }", "None Gap"]
    );
}

#[test]
fn recognised_by_content() {
    let such = |text: &str| {
        TextLog
            .recognise(&Head::of(text.as_bytes().to_vec(), true))
            .is_some()
    };
    let desktop = format!(
        "2026-03-10T15:18:27.783Z [notes] [info] Message from client: {PING} {{ metadata: undefined }}\n"
    );
    assert!(such(&desktop));
    assert!(such(
        "2026-03-10T15:18:27.783Z [notes] [info] Initializing server... { metadata: undefined }\n"
    ));
    // A server that writes much.
    assert!(such(&[desktop.as_str(), &"INFO  it runs\n".repeat(60)].concat()));
    let stderr = "2026-10-05 06:48:27.123 [warning] [server stderr] hello\n".repeat(60);
    assert!(such(&format!(
        "{stderr}2026-10-05 06:48:27.123 [trace] [editor -> server] {PING}\n"
    )));
    assert!(such(&format!("→ {PING}\nconnected\n")));
    assert!(such(&format!("[STDERR] hi\n[STDIN] {PING}\n")));
    for text in [
        "# Notes\n\nThe log says\n\n",
        "2026-10-05 06:48:27.123 [info] Connection state: Starting\n",
        "2026-10-05 06:48:27.123 [info] ready\n",
        ">>> {\"a\": 1}\n{'a': 1}\n",
    ] {
        assert!(!such(text), "{text}");
        let quoted = format!("{text}\nSome words.\n\nMore words.\n\n    → {PING}\n");
        assert!(!such(&quoted), "{quoted}");
    }
    assert!(!such(&format!("# Notes\n\nwords\n\nwords\n\nwords\n\n{desktop}")));
}
