//! What a recording does not show, and what shows where it begins.

use wirelint::lang::ast::Outcome::{Failed, Passed, Undecided};

use super::faults::{EXIT, START, answer, ask, exchange, line, on_request, outcomes};

/// A line that cannot be read: something is lost there.
const LOST: &str = "{\"kind\":\"li";

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn the_answer_to_a_request_may_be_lost() {
    let (one, two) = (ask(1), ask(2));
    let ended = on_request("request.response missing");
    assert_eq!(outcomes(&ended, &lines(&[START, &one, EXIT])), [Passed]);
    assert_eq!(outcomes(&ended, &lines(&[START, &one, LOST, EXIT])), [Undecided]);
    // What is lost before it was asked, or behind the end, is no answer to it.
    assert_eq!(outcomes(&ended, &lines(&[START, LOST, &one, EXIT])), [Passed]);
    assert_eq!(outcomes(&ended, &lines(&[START, &one, EXIT, LOST])), [Passed]);
    // The past is what was before the subject: also what was lost before it.
    let past = on_request("request.id == 1 or (all r in earlier.requests: r.response missing)");
    assert_eq!(
        outcomes(&past, &lines(&[START, &one, LOST, &two])),
        [Passed, Undecided]
    );
    assert_eq!(
        outcomes(&past, &lines(&[START, LOST, &one, &two, LOST])),
        [Passed, Undecided]
    );
    assert_eq!(
        outcomes(&past, &lines(&[START, &one, &two, LOST])),
        [Passed, Passed]
    );
}

#[test]
fn a_request_is_perhaps_not_open_if_its_answer_may_be_lost() {
    let (one, two) = (ask(1), ask(2));
    let rule = on_request("request.id == 1 or (any r in earlier.open: r.id == 1)");
    assert_eq!(outcomes(&rule, &lines(&[START, &one, &two])), [Passed, Passed]);
    assert_eq!(
        outcomes(&rule, &lines(&[START, &one, LOST, &two])),
        [Passed, Undecided]
    );
}

#[test]
fn answers_may_be_lost_beside_one_that_is_recorded() {
    let (one, reply) = (ask(1), answer(1));
    let rule =
        |n: u32| on_request(&format!("(count r in request.responses: true) {n}").replace(") ", ") == "));
    let whole = lines(&[START, &one, &reply, EXIT]);
    let cut = lines(&[START, &one, &reply, LOST, EXIT]);
    assert_eq!(outcomes(&rule(1), &whole), [Passed]);
    assert_eq!(outcomes(&rule(1), &cut), [Undecided]);
    assert_eq!(outcomes(&rule(0), &cut), [Failed]);
    assert_eq!(outcomes(&on_request("request.response exists"), &cut), [Passed]);
}

#[test]
fn of_an_exchange_that_is_shown_whole_nothing_is_lost() {
    let asked = exchange(1, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let head = r#"{"kind":"response","ex":1,"status":200,"headers":[]}"#;
    let end = r#"{"kind":"end","ex":1}"#;
    let rule = on_request("request.response missing");
    assert_eq!(outcomes(&rule, &lines(&[&asked, head, end, LOST])), [Passed]);
    assert_eq!(outcomes(&rule, &lines(&[&asked, head, LOST, end])), [Undecided]);
    let on_exchange =
        |condition| format!("rule r {{\n  on exchange\n  require {condition}\n    report \"x\"\n}}\n");
    let status = on_exchange("exchange.status missing");
    assert_eq!(outcomes(&status, &lines(&[&asked, end, LOST])), [Passed]);
    assert_eq!(outcomes(&status, &lines(&[&asked, LOST, end])), [Undecided]);
    let headers = on_exchange("exchange.response_headers missing");
    assert_eq!(outcomes(&headers, &lines(&[&asked, end])), [Passed]);
    assert_eq!(outcomes(&headers, &lines(&[&asked, LOST, end])), [Undecided]);
    let messages = on_exchange("(count m in exchange.messages: true) == 1");
    assert_eq!(outcomes(&messages, &lines(&[&asked, head, end, LOST])), [Passed]);
    assert_eq!(
        outcomes(&messages, &lines(&[&asked, head, LOST, end])),
        [Undecided]
    );
    let events = on_exchange("(count e in exchange.events: true) == 0");
    assert_eq!(outcomes(&events, &lines(&[&asked, head, end])), [Passed]);
    assert_eq!(outcomes(&events, &lines(&[&asked, head, LOST, end])), [Undecided]);
}

#[test]
fn what_was_lost_is_known_before_an_end_is_believed() {
    // The exchange is held back until its response shows which session it opens, and so is what comes behind it.
    let asked = exchange(1, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let head = r#"{"kind":"response","ex":1,"status":200,"headers":[["Mcp-Session-Id","s"]]}"#;
    let end = r#"{"kind":"end","ex":1}"#;
    let rule = on_request("request.response missing");
    assert_eq!(outcomes(&rule, &lines(&[&asked, LOST, head, end])), [Undecided]);
}

/// No request came before this one.
fn first() -> String {
    on_request("not (any r in earlier.requests: true)")
}

#[test]
fn a_session_that_begins_with_initialize_has_begun() {
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    let other = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let written = |text: &str| vec![line("c2s", text)];
    assert_eq!(outcomes(&first(), &written(hello)), [Passed]);
    assert_eq!(outcomes(&first(), &written(other)), [Undecided]);
    // A request that opens a batch is the first message; a notification of that name opens nothing.
    assert_eq!(outcomes(&first(), &written(&format!("[{hello}]"))), [Passed]);
    let note = r#"[{"jsonrpc":"2.0","method":"initialize"},{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    assert_eq!(outcomes(&first(), &written(note)), [Undecided]);
    // Bare lines do not even say who sent them.
    assert_eq!(outcomes(&first(), &lines(&[hello, other])), [Passed, Failed]);
    assert_eq!(outcomes(&first(), &lines(&[other, hello])), [Undecided, Failed]);
    // Each session of an envelope by itself.
    let envelope =
        |session: &str, text: &str| format!(r#"{{"session":"{session}","dir":"c2s","msg":{text}}}"#);
    let mixed = [envelope("a", other), envelope("b", hello)];
    assert_eq!(outcomes(&first(), &mixed), [Undecided, Passed]);
    // After the end of a process, the next one.
    let again = [line("c2s", other), EXIT.to_owned(), line("c2s", hello)];
    assert_eq!(outcomes(&first(), &again), [Undecided, Passed]);
}

#[test]
fn over_http_initialize_begins_a_session_unless_it_names_one() {
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    let head = r#"{"kind":"response","ex":1,"status":200,"headers":[]}"#;
    let unnamed = exchange(1, hello);
    let named = unnamed.replace(r#""headers":[]"#, r#""headers":[["Mcp-Session-Id","s"]]"#);
    assert_eq!(outcomes(&first(), &lines(&[&unnamed, head])), [Passed]);
    assert_eq!(outcomes(&first(), &lines(&[&named, head])), [Undecided]);
    let other = exchange(1, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    assert_eq!(outcomes(&first(), &lines(&[&other, head])), [Undecided]);
}

#[test]
fn a_process_that_is_started_again_begins_a_session_of_its_name() {
    let log = |name: &str, text: &str| {
        format!("2026-03-10T15:18:27.783Z [{name}] [info] {text} {{ metadata: undefined }}")
    };
    let start = |name: &str| log(name, "Initializing server...");
    let asks = |name: &str, id: u32| {
        log(
            name,
            &format!(r#"Message from client: {{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#),
        )
    };
    // The beginning of one is seen; that of the other is not, whatever begins beside it.
    let two = [start("a"), asks("a", 1), asks("b", 1)];
    assert_eq!(outcomes(&first(), &two), [Passed, Undecided]);
    // One is started again, and the other goes on.
    let again = [
        start("a"),
        start("b"),
        asks("a", 1),
        asks("b", 1),
        start("a"),
        asks("a", 1),
        asks("b", 1),
    ];
    assert_eq!(outcomes(&first(), &again), [Passed, Passed, Passed, Failed]);
    // What was asked before it was started again stays without an answer; the answer of another one is not its own.
    let ended = on_request("request.response missing");
    assert_eq!(
        outcomes(&ended, &again),
        [Passed, Undecided, Undecided, Undecided]
    );
    let cut = [
        start("a"),
        asks("a", 1),
        log("a", r#"Message from server: {"jsonrpc":"2.0","id":1,"res...""#),
        start("a"),
    ];
    assert_eq!(outcomes(&ended, &cut), [Undecided]);
}

#[test]
fn an_editor_may_have_written_nothing_of_what_came_first() {
    let start = "2026-10-05 06:48:26.991 [info] Connection state: Starting";
    let asks =
        r#"2026-10-05 06:48:27.123 [trace] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(outcomes(&first(), &lines(&[start, asks])), [Undecided]);
    // It is another session nevertheless.
    assert_eq!(
        outcomes(&first(), &lines(&[start, asks, start, asks])),
        [Undecided, Undecided]
    );
}

#[test]
fn of_a_stream_in_a_cassette_only_the_first_event_is_kept() {
    let cassette = |response: &str| {
        String::from(
            r#"{"version":"1.0","metadata":{"transport_type":"http"},"interactions":[{"type":"jsonrpc_request","request":{"jsonrpc":"2.0","id":1,"method":"ping"},"response":RESPONSE,"response_is_sse":true,"response_status":200}]}"#
        )
        .replace("RESPONSE", response)
    };
    let rule = on_request("request.response exists");
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    assert_eq!(outcomes(&rule, &[cassette(progress)]), [Undecided]);
    assert_eq!(
        outcomes(&rule, &[cassette(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)]),
        [Passed]
    );
}

#[test]
fn a_member_that_a_partial_dump_leaves_out_may_be_there() {
    // The form in which a model provider takes functions keeps three members of a tool.
    let dump =
        r#"[{"type":"function","function":{"name":"a","description":"x","parameters":{"type":"object"}}}]"#;
    let rule =
        |condition: &str| format!("rule r {{\n  on tool\n  require {condition}\n    report \"x\"\n}}\n");
    let dump = [dump.to_owned()];
    assert_eq!(outcomes(&rule("tool has \"name\""), &dump), [Passed]);
    assert_eq!(outcomes(&rule("tool has \"annotations\""), &dump), [Undecided]);
    assert_eq!(outcomes(&rule("tool.annotations exists"), &dump), [Undecided]);
    assert_eq!(outcomes(&rule("tool has missing"), &dump), [Failed]);
}
