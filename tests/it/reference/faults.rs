//! Faults that the comparison found, each as small as it could be made.

use wirelint::input::{Limits, Recording};
use wirelint::lang::ast::Outcome::{self, Failed, Passed, Undecided};

use super::compare::{ALL, Compared};
use super::program;

/// A line that a client or server wrote.
pub fn line(dir: &str, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!("{{\"kind\":\"line\",\"dir\":\"{dir}\",\"text\":{text}}}")
}

pub fn ask(id: u32) -> String {
    line(
        "c2s",
        &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{}}}}"#),
    )
}

pub fn answer(id: u32) -> String {
    line("s2c", &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))
}

pub const START: &str = r#"{"kind":"meta","command":["server"]}"#;
pub const EXIT: &str = r#"{"kind":"exit","code":0}"#;

/// How the last rule of a text judges what it applies to, in order; both evaluators say the same.
pub fn outcomes(rules: &str, lines: &[String]) -> Vec<Outcome> {
    let program = program(&[("fault.wire", &format!("pack fault\n{rules}"))]).unwrap();
    let last = program.rules.last().unwrap().id.to_string();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let open = |block| {
        let limits = Limits {
            block,
            ..Limits::default()
        };
        Recording::from_reader("fault", text.as_bytes(), 0, limits).unwrap()
    };
    let compared = Compared::new(program);
    compared.hold(ALL, &open).unwrap();
    let meant = compared.meant(&compared.facts(&open));
    let of_last = meant.into_iter().filter(|((_, _, rule), _)| *rule == last);
    of_last.map(|(_, outcome)| outcome).collect()
}

/// A rule on requests.
pub fn on_request(condition: &str) -> String {
    format!("rule r {{\n  on request\n  require {condition}\n    report \"x\"\n}}\n")
}

#[test]
fn a_gap_concerns_only_what_it_may_hide() {
    let broken = "{\"kind\":\"li".to_owned();
    let lines = [START.to_owned(), ask(1), broken, ask(2), ask(3)];
    let found = outcomes(
        &on_request("(last r in earlier.requests: r.id == 2) exists"),
        &lines,
    );
    assert_eq!(found, [Failed, Undecided, Passed]);
    let found = outcomes(
        &on_request("(last r in earlier.requests: true).id exists"),
        &lines,
    );
    assert_eq!(found, [Failed, Undecided, Passed]);
    let found = outcomes(&on_request("(first r in earlier.requests: true).id == 1"), &lines);
    assert_eq!(found, [Failed, Passed, Passed]);
    let found = outcomes(&on_request("(count r in earlier.requests: true) < 9"), &lines);
    assert_eq!(found, [Passed, Undecided, Undecided]);
}

#[test]
fn a_gap_behind_a_window_is_not_in_it() {
    let timed = |second: u32, id: u32| {
        ask(id).replacen('{', &format!("{{\"ts\":\"2026-01-01T00:00:{second:02}Z\","), 1)
    };
    let broken = "{\"kind\":\"li".to_owned();
    let rule = on_request("not (any r in later.until(10s).requests: r.id == 3)");
    let lines = [
        START.to_owned(),
        timed(1, 1),
        timed(30, 2),
        broken.clone(),
        timed(50, 4),
    ];
    assert_eq!(outcomes(&rule, &lines), [Passed, Undecided, Undecided]);
    let lines = [START.to_owned(), timed(1, 1), broken, timed(30, 2), timed(50, 4)];
    assert_eq!(outcomes(&rule, &lines), [Undecided, Passed, Undecided]);
}

#[test]
fn what_is_asked_behind_the_end_of_a_session_may_be_answered() {
    let http = |kind: &str, ex: u32, more: &str| format!("{{\"kind\":\"{kind}\",\"ex\":{ex},{more}}}");
    let headers = r#""headers":[["mcp-session-id","s"],["content-type","text/event-stream"]]"#;
    let ask = http(
        "request",
        2,
        &format!(
            r#""method":"POST","url":"/mcp",{headers},"body":"{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}""#
        ),
    );
    let lines = [
        http(
            "request",
            1,
            &format!(r#""method":"DELETE","url":"/mcp",{headers},"body":"""#),
        ),
        http("response", 1, &format!(r#""status":202,{headers}"#)),
        http("end", 1, r#""ts":"2026-01-01T00:00:01Z""#),
        ask,
        http("response", 2, &format!(r#""status":200,{headers}"#)),
        http(
            "sse",
            2,
            r#""data":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}""#,
        ),
    ];
    assert_eq!(outcomes(&on_request("request.response exists"), &lines), [Passed]);
}

#[test]
fn a_session_of_unknown_key_shares_no_scope_with_its_first_message() {
    let rule = "rule r {\n  scope principal\n  on session\n  for r in earlier.requests\n  report \"x\"\n}\n";
    assert_eq!(outcomes(rule, &[ask(1), ask(2)]), [Undecided]);
}

#[test]
fn a_gap_behind_the_end_of_a_scope_is_not_in_it() {
    let broken = "{\"kind\":\"li".to_owned();
    let lines = [START.to_owned(), ask(1), START.to_owned(), broken];
    let rule =
        on_request("(any r in later.requests: true) or (count r in request.session.requests: true) > 1");
    assert_eq!(outcomes(&rule, &lines), [Failed]);
}

#[test]
fn a_scope_ends_also_if_nothing_of_a_kind_was_in_it() {
    let lines = [START.to_owned(), ask(1), EXIT.to_owned()];
    let found = outcomes(
        &on_request("(any n in request.later.notifications: true)"),
        &lines,
    );
    assert_eq!(found, [Failed]);
}

#[test]
fn the_end_of_a_process_ends_its_scope() {
    let lines = [START.to_owned(), ask(1), EXIT.to_owned()];
    let rule = on_request("(any n in request.later.notifications: true)");
    let found = outcomes(&rule.replace("on request", "scope process\n  on request"), &lines);
    assert_eq!(found, [Failed]);
}

#[test]
fn http_traffic_is_no_process_whose_beginning_is_known() {
    let request = |ex: u32| {
        format!(
            r#"{{"kind":"request","ex":{ex},"method":"POST","url":"/mcp","headers":[],"body":"{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}}"}}"#
        )
    };
    let lines = [
        request(1),
        r#"{"kind":"response","ex":1,"status":200,"headers":[["Mcp-Session-Id","s"]]}"#.to_owned(),
    ];
    let rule =
        on_request("(any r in earlier.requests: true)").replace("on request", "scope process\n  on request");
    assert_eq!(outcomes(&rule, &lines), [Undecided]);
}

#[test]
fn a_session_stands_at_its_end() {
    let lines = [START.to_owned(), ask(1), answer(1), EXIT.to_owned()];
    let rule = "rule r {\n  on session\n  require (count r in session.earlier.requests: true) == 1\n    report \"x\"\n}\n";
    assert_eq!(outcomes(rule, &lines), [Passed]);
    assert_eq!(outcomes(rule, &lines[..3]), [Undecided]);
}

#[test]
fn between_a_record_and_the_subject_things_are_seen_as_they_were() {
    let lines = [
        START.to_owned(),
        ask(1),
        ask(2),
        ask(3),
        answer(2),
        EXIT.to_owned(),
    ];
    let rule = on_request(
        "request.id != 3 or (any f in earlier.requests, r in f.later.requests: r.id == 2 and r.response missing)",
    );
    assert_eq!(outcomes(&rule, &lines), [Passed, Passed, Passed]);
    // The requests around a later one are those before it, also where they come after the subject.
    let rule = on_request(
        "request.id != 1 or (any l in later.requests, r in l.earlier.requests: l.id == 3 and r.id == 2)",
    );
    assert_eq!(outcomes(&rule, &lines), [Passed, Passed, Passed]);
}

#[test]
fn requests_that_were_open_at_another_record_are_kept() {
    let lines = [
        START.to_owned(),
        ask(1),
        ask(2),
        answer(1),
        answer(2),
        ask(3),
        ask(4),
        ask(5),
    ];
    let rule = on_request(
        "request.id != 5 or (any r in earlier.responses, o in r.earlier.open: r.id == 1 and o.id == 1)",
    );
    assert_eq!(outcomes(&rule, &lines), [Passed; 5]);
}

#[test]
fn a_window_is_recorded_if_the_recording_is() {
    let at = |second: u32, line: String| {
        line.replacen('{', &format!("{{\"ts\":\"2026-01-01T00:00:{second:02}Z\","), 1)
    };
    let note = line("c2s", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    // The first record is none of those that are looked for, and so is the last.
    let lines = [at(0, note.clone()), at(30, ask(1)), at(59, note)];
    let found = outcomes(
        &on_request("(any r in earlier.since(10s).requests: true)"),
        &lines,
    );
    assert_eq!(found, [Failed]);
    let found = outcomes(&on_request("(any r in later.until(10s).requests: true)"), &lines);
    assert_eq!(found, [Failed]);
    let found = outcomes(&on_request("(any r in later.until(40s).requests: true)"), &lines);
    assert_eq!(found, [Undecided]);
}

#[test]
fn a_let_that_was_used_still_knows_its_bounds() {
    // Without a start nobody knows how many came before.
    let lines = [ask(1), ask(2), ask(3)];
    let rule = |verdict: &str| {
        format!(
            "rule r {{\n  on request\n  let n = count r in earlier.requests: true\n  let f = first r in earlier.requests: true\n  {verdict}\n    report \"x\"\n}}\n"
        )
    };
    let found = outcomes(
        &rule("require f.id == 7 or n in [7] or f exists and n > 1"),
        &lines,
    );
    assert_eq!(found, [Undecided, Undecided, Passed]);
}

#[test]
fn a_function_of_missing_is_missing_whatever_else_is_unknown() {
    let rule = on_request("request.params.a.starts_with(request.session.revision) missing");
    assert_eq!(outcomes(&rule, &[ask(1)]), [Passed]);
}

#[test]
fn the_revision_of_a_session_is_what_it_was_at_the_subject() {
    let hello = line(
        "c2s",
        r#"[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
    );
    let agreed = line(
        "s2c",
        r#"[{"jsonrpc":"2.0","method":"notifications/message"},{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}]"#,
    );
    let rule =
        "rule r {\n  on message\n  require message.session.revision == \"2025-06-18\"\n    report \"x\"\n}\n";
    let found = outcomes(rule, &[START.to_owned(), hello, agreed, ask(3)]);
    assert_eq!(found, [Undecided, Undecided, Undecided, Passed, Passed]);
}

pub fn exchange(ex: u32, body: &str) -> String {
    let body = serde_json::to_string(body).unwrap();
    format!(r#"{{"kind":"request","ex":{ex},"method":"POST","url":"/mcp","headers":[],"body":{body}}}"#)
}

#[test]
fn an_exchange_waits_for_the_request_that_it_carries() {
    let rule = |condition| format!("rule r {{\n  on exchange\n  require {condition}\n    report \"x\"\n}}\n");
    let lines = [
        exchange(1, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
        exchange(2, "x"),
    ];
    assert_eq!(
        outcomes(&rule("exchange.request.method == \"ping\""), &lines),
        [Passed, Failed]
    );
    assert_eq!(
        outcomes(&rule("exchange.session.index == 0"), &lines),
        [Passed, Passed]
    );
}

#[test]
fn a_response_has_no_answers() {
    let rule = "rule r {\n  on message where message.kind == \"response\"\n  forbid (any r in message.responses: true)\n    report \"x\"\n}\n";
    assert_eq!(outcomes(rule, &[START.to_owned(), ask(1), answer(1)]), [Passed]);
}

#[test]
fn the_verdict_on_a_session_is_known_to_those_who_ask() {
    let rules = "rule premise {\n  on session\n  require session.ended\n    report \"x\"\n}\n".to_owned()
        + &on_request("request.session fails premise");
    assert_eq!(outcomes(&rules, &[START.to_owned(), ask(1)]), [Passed]);
}

#[test]
fn premises_are_judged_first_also_at_the_end() {
    // The rule that asks is written first, and its subject comes first.
    let rules = "rule z {\n  on request\n  require request.response fails premise\n    report \"x\"\n}\n"
        .to_owned()
        + "rule premise {\n  on response\n  forbid (all r in response.later.requests: r.id == 9)\n    report \"x\"\n}\n";
    let lines = [START.to_owned(), ask(1), answer(1), ask(2), EXIT.to_owned()];
    let swapped = rules.replace("rule z", "rule a");
    assert_eq!(outcomes(&swapped, &lines), outcomes(&rules, &lines));
}

#[test]
fn the_elements_of_a_batch_are_decoded() {
    let rule = "rule r {\n  on request\n  require request.params.a == [1]\n    report \"x\"\n}\n";
    let batch = line("c2s", r#"[{"id":1,"method":"ping","params":{"a":[1],"b":2}}]"#);
    assert_eq!(outcomes(rule, &[batch]), [Passed]);
}

#[test]
fn a_rule_that_may_decline_waits_until_that_is_known() {
    let rule = "rule r {\n  on request\n  undecided when request.response.error exists \"because\"\n  require request.id == 1\n    report \"x\"\n}\n";
    assert_eq!(outcomes(rule, &[START.to_owned(), ask(1), answer(1)]), [Passed]);
}

#[test]
fn until_the_end_of_a_session_is_known_when_the_end_is() {
    let rule = on_request("(any r in later.until(request.session).responses: true)");
    let lines = [START.to_owned(), ask(1), answer(1), EXIT.to_owned()];
    assert_eq!(outcomes(&rule, &lines), [Passed]);
    assert_eq!(outcomes(&rule, &lines[..2]), [Undecided]);
}

#[test]
fn what_was_recorded_of_an_unknown_history_is_nothing() {
    // Without times, nobody knows what was a second ago.
    let rule = on_request("(all r in known(earlier.since(1s).requests): r.id == 9)");
    assert_eq!(
        outcomes(&rule, &[START.to_owned(), ask(1), ask(2)]),
        [Passed, Passed]
    );
}

#[test]
fn a_gate_that_is_not_known_yet_is_waited_for_also_before_a_list() {
    let rule = "rule r {\n  on request\n  when request.response.error exists\n  for r in earlier.requests\n  require r.id == 1\n    report \"x\"\n}\n";
    // Nobody knows what came before, but it does not matter.
    assert_eq!(outcomes(rule, &[ask(1), answer(1)]), []);
}

#[test]
fn what_the_model_knows_beforehand_has_not_yet_passed() {
    // The first request is held back until its response shows which session it opens.
    let lines = [
        exchange(1, r#"[{"id":1,"method":"ping"},{"id":2,"method":"ping"}]"#),
        r#"{"kind":"response","ex":1,"status":200,"headers":[["Mcp-Session-Id","s"]]}"#.to_owned(),
        r#"{"kind":"end","ex":1}"#.to_owned(),
        r#"{"kind":"request","ex":2,"method":"DELETE","url":"/mcp","headers":[["Mcp-Session-Id","s"]],"body":""}"#
            .to_owned(),
        r#"{"kind":"response","ex":2,"status":200,"headers":[]}"#.to_owned(),
        r#"{"kind":"end","ex":2}"#.to_owned(),
    ];
    let rule =
        "rule r {\n  on exchange of \"POST\"\n  require exchange.request.id == 1\n    report \"x\"\n}\n";
    let rule = rule.replace(" of \"POST\"", " where exchange.method == \"POST\"");
    assert_eq!(outcomes(&rule, &lines), [Passed]);
    let rule = rule.replace(
        "exchange.request.id == 1",
        "(count m in exchange.messages: true) == 2",
    );
    assert_eq!(outcomes(&rule, &lines), [Passed]);
    let rule = on_request("(count r in request.session.requests: true) == 2");
    assert_eq!(outcomes(&rule, &lines), [Passed, Passed]);
    let rule = on_request("request.id == 2 or (any r in later.requests: true)");
    assert_eq!(outcomes(&rule, &lines), [Passed, Passed]);
}

#[test]
fn what_comes_behind_an_end_is_not_before_it() {
    let lines = [START.to_owned(), ask(1), EXIT.to_owned(), ask(2), ask(3)];
    let rule = on_request("(any r in later.requests: true)");
    assert_eq!(outcomes(&rule, &lines), [Failed, Passed, Undecided]);
    let rule = on_request("(any r in earlier.requests: true)");
    assert_eq!(outcomes(&rule, &lines), [Failed, Undecided, Passed]);
    let request = |ex: u32, method: &str| {
        format!(
            r#"{{"kind":"request","ex":{ex},"method":"{method}","url":"/mcp","headers":[["Mcp-Session-Id","s"]],"body":""}}"#
        )
    };
    let accepted = r#"{"kind":"response","ex":1,"status":200,"headers":[]}"#.to_owned();
    let lines = [
        request(1, "DELETE"),
        accepted,
        r#"{"kind":"end","ex":1}"#.to_owned(),
        request(2, "GET"),
        request(3, "GET"),
    ];
    let rule =
        "rule r {\n  on exchange\n  require (any e in exchange.later.exchanges: true)\n    report \"x\"\n}\n";
    assert_eq!(outcomes(rule, &lines), [Failed, Passed, Undecided]);
}

#[test]
fn both_streams_of_a_process_end_it() {
    let end = |dir: &str| format!(r#"{{"kind":"eof","dir":"{dir}"}}"#);
    let rule = on_request("request.response exists");
    assert_eq!(
        outcomes(&rule, &[START.to_owned(), ask(1), end("c2s")]),
        [Undecided]
    );
    assert_eq!(
        outcomes(&rule, &[START.to_owned(), ask(1), end("c2s"), end("s2c")]),
        [Failed]
    );
}

#[test]
fn a_header_that_is_only_asked_for_is_read() {
    let lines = [
        r#"{"kind":"request","ex":1,"method":"GET","url":"/mcp","headers":[["X-A","1"]],"body":""}"#
            .to_owned(),
        r#"{"kind":"response","ex":1,"status":200,"headers":[]}"#.to_owned(),
    ];
    let rule =
        "rule r {\n  on exchange\n  require exchange.request_headers has \"x-a\"\n    report \"x\"\n}\n";
    assert_eq!(outcomes(rule, &lines), [Passed]);
    let rule = rule.replace(
        "exchange.request_headers has \"x-a\"",
        "(any e in earlier.exchanges: true)",
    );
    let rule = rule.replace("on exchange", "scope identity\n  on exchange");
    // Who sent it is not known, so neither is what they sent before.
    assert_eq!(
        outcomes(&rule, &[lines[0].clone(), lines[0].replace(":1,", ":2,")]),
        [Undecided, Undecided]
    );
}

#[test]
fn an_answer_behind_the_end_of_its_exchange_does_not_count() {
    let head = |ex: u32| format!(r#"{{"kind":"response","ex":{ex},"status":200,"headers":[]}}"#);
    let end = |ex: u32| format!(r#"{{"kind":"end","ex":{ex}}}"#);
    let late = r#"{"kind":"body","ex":2,"body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}"#.to_owned();
    let lines = [
        exchange(1, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
        head(1),
        end(1),
        exchange(2, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        head(2),
        late,
        end(2),
    ];
    assert_eq!(outcomes(&on_request("request.response exists"), &lines), [Failed]);
    let rule = "rule r {\n  on response\n  require response.request.id == 1\n    report \"x\"\n}\n";
    assert_eq!(outcomes(rule, &lines), [Passed]);
}

#[test]
fn the_request_of_an_answer_may_be_lost() {
    let rule = "rule r {\n  on response\n  require response.request exists\n    report \"x\"\n}\n";
    let broken = "{\"kind\":\"li".to_owned();
    assert_eq!(outcomes(rule, &[START.to_owned(), answer(1)]), [Failed]);
    assert_eq!(
        outcomes(rule, &[START.to_owned(), broken, answer(1)]),
        [Undecided]
    );
}

#[test]
fn what_two_rules_ask_of_a_name_is_asked_of_nothing_too() {
    let rule = |name: &str| {
        format!(
            "rule {name} {{\n  on request\n  let before = last r in earlier.requests: r.method == \"ping\"\n  \
             require known(before.params) missing and before.params.otherwise(5) == 5\n    report \"x\"\n}}\n"
        )
    };
    let lines = [
        START.to_owned(),
        line("c2s", r#"{"jsonrpc":"2.0","id":1,"method":"a/b"}"#),
        ask(2),
        ask(3),
    ];
    assert_eq!(
        outcomes(&format!("{}{}", rule("a"), rule("b")), &lines),
        [Passed, Passed, Failed]
    );
}
