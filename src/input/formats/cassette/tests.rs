use super::super::super::event::Wanted;
use super::super::super::sink::Decoded;
use super::*;

fn read(text: &str) -> Decoded {
    let wanted = Wanted {
        message: Demand::whole(),
        ..Wanted::default()
    };
    let mut sink = Sink::new(&wanted);
    sink.unfinished = true;
    Cassette.read(text, RecordId::default(), &mut sink);
    sink.finish()
}

fn recorder(transport: &str, interactions: &str) -> String {
    format!(
        r#"{{"version":"1.0","metadata":{{"transport_type":"{transport}"}},"interactions":[{interactions}]}}"#
    )
}

/// What is said, in short: who sent what with which status, where records are lost, and the codes of problems.
fn said(text: &str) -> Vec<String> {
    let decoded = read(text);
    let event = |event: &super::super::super::event::Event| match &event.kind {
        EventKind::Message {
            sender,
            status,
            payload,
            ..
        } => {
            assert!(!payload.exact);
            let text = payload.json.as_ref().unwrap().root().unwrap().to_text();
            format!("{:?} {status:?} {} {text}", sender.unwrap(), payload.place.outer)
        }
        other => format!("{other:?}"),
    };
    let mut all: Vec<String> = decoded.events.iter().map(event).collect();
    all.extend(
        decoded
            .problems
            .iter()
            .map(|p| format!("! {} {}", p.code, p.place.outer)),
    );
    all
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#;
const DONE: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;

fn pair(request: &str, response: &str, is_stream: bool, status: u16) -> String {
    format!(
        r#"{{"type":"jsonrpc_request","request":{request},"response":{response},"response_is_sse":{is_stream},"response_status":{status},"http_method":null}}"#
    )
}

#[test]
fn a_pair_of_mcp_recorder() {
    let asked = format!("Client None /interactions/0/request {CALL}");
    let done = |status| format!("Server {status} /interactions/0/response {DONE}");
    for is_stream in [false, true] {
        let one = pair(CALL, DONE, is_stream, 200);
        assert_eq!(said(&recorder("http", &one)), [asked.clone(), done("Some(200)")]);
        // What a process answers has no status.
        assert_eq!(said(&recorder("stdio", &one)), [asked.clone(), done("None")]);
    }
}

#[test]
fn a_notification_may_stand_where_the_answer_should() {
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    for (response, is_stream) in [
        (progress, true),
        ("null", true),
        ("null", false),
        (r#"{"a":1}"#, false),
    ] {
        let told = said(&recorder("http", &pair(CALL, response, is_stream, 200)));
        let told: Vec<_> = told.iter().map(|said| said.split(" {").next().unwrap()).collect();
        let mut expected = vec!["Client None /interactions/0/request"];
        if response == progress {
            expected.push("Server Some(200) /interactions/0/response");
        }
        expected.extend(["Gap", "! no-answer /interactions/0/response"]);
        assert_eq!(told, expected, "{response}");
    }
}

#[test]
fn an_http_error_is_an_answer_without_a_message() {
    for response in ["null", r#"{"error":"invalid_token"}"#] {
        let told = said(&recorder("http", &pair(CALL, response, false, 401)));
        assert_eq!(told.len(), 1, "{told:?}");
    }
    let refused = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}"#;
    let told = said(&recorder("http", &pair(CALL, refused, false, 400)));
    assert_eq!(
        told[1],
        format!("Server Some(400) /interactions/0/response {refused}")
    );
}

#[test]
fn what_needs_no_answer_has_none() {
    let notified = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    for request in [notified, DONE] {
        assert_eq!(
            said(&recorder("http", &pair(request, "null", false, 202))).len(),
            1
        );
    }
    let ended =
        r#"{"type":"lifecycle","request":null,"response":null,"http_method":"DELETE","http_path":"/mcp"}"#;
    assert_eq!(said(&recorder("http", ended)), [""; 0]);
    // What came on the stream was not kept.
    assert_eq!(said(&recorder("http", &ended.replace("DELETE", "GET"))), ["Gap"]);
}

#[test]
fn a_request_that_is_not_kept() {
    let told = said(&recorder("http", &pair("null", "null", false, 200)));
    assert_eq!(told, ["Gap", "! no-message /interactions/0/request"]);
    assert_eq!(
        said(&recorder("http", "7")),
        ["Gap", "! bad-record /interactions/0"]
    );
}

#[test]
fn what_comes_behind_the_handshake_may_be_out_of_order() {
    let asked = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#;
    let told = said(&recorder(
        "http",
        &pair(asked, &DONE.replace('1', "0"), false, 200),
    ));
    assert_eq!(told[2..], ["Gap"]);
}

fn vcr(interactions: &str) -> String {
    format!(
        r#"{{"format_version":"1.0.0","metadata":{{"transport":"stdio"}},"session":{{
        "initialize_request":{{"jsonrpc":"2.0","id":0,"method":"initialize","params":null}},
        "initialize_response":{{"jsonrpc":"2.0","id":0,"result":{{"a":null}},"error":null}},
        "capabilities":{{}},"interactions":[{interactions}]}}}}"#
    )
}

#[test]
fn a_session_of_agent_vcr() {
    let notified = r#"{"jsonrpc":"2.0","method":"notifications/message","params":null}"#;
    let failed = r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-1,"message":"x","data":null}}"#;
    let told = said(&vcr(&format!(
        r#"{{"sequence":0,"timestamp":"2026-05-05T10:00:00","direction":"client_to_server","request":{CALL},"response":{failed},"notifications":[{notified}],"latency_ms":1.5}},
        {{"direction":"server_to_client","request":{CALL},"response":{DONE},"notifications":[]}}"#
    )));
    assert_eq!(
        told,
        [
            r#"Client None /session/initialize_request {"jsonrpc":"2.0","id":0,"method":"initialize"}"#,
            r#"Server None /session/initialize_response {"jsonrpc":"2.0","id":0,"result":{"a":null}}"#,
            "Gap",
            &format!("Client None /session/interactions/0/request {CALL}"),
            r#"Server None /session/interactions/0/notifications/0 {"jsonrpc":"2.0","method":"notifications/message"}"#,
            r#"Server None /session/interactions/0/response {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}"#,
            &format!("Server None /session/interactions/1/request {CALL}"),
            &format!("Client None /session/interactions/1/response {DONE}"),
        ]
    );
}

#[test]
fn an_answer_of_which_only_null_is_left() {
    let null = r#"{"jsonrpc":"2.0","id":1,"result":null,"error":null}"#;
    for response in [null, "null"] {
        let told = said(&vcr(&format!(r#"{{"request":{CALL},"response":{response}}}"#)));
        assert_eq!(told[4..], ["Gap", "! no-answer /session/interactions/0/response"]);
    }
}

#[test]
fn what_is_cut_off_is_not_made_whole() {
    for whole in [
        recorder("http", &pair(CALL, DONE, false, 200)),
        vcr(&format!(r#"{{"request":{CALL},"response":{DONE}}}"#)),
    ] {
        let all = said(&whole);
        for end in 1..whole.len() {
            let decoded = read(&whole[..end]);
            let codes: Vec<_> = decoded.problems.iter().map(|problem| problem.code).collect();
            assert_eq!(codes, ["cut-off"], "{}", &whole[..end]);
            let told = said(&whole[..end]);
            for said in told
                .iter()
                .filter(|said| !said.starts_with('!') && *said != "Gap")
            {
                assert!(all.contains(said), "{said}");
            }
        }
    }
}

#[test]
fn recognised_by_content() {
    let such = |text: &str| {
        Cassette
            .recognise(&Head::of(text.as_bytes().to_vec(), true))
            .is_some()
    };
    assert!(such(&recorder("http", "")));
    assert!(such(&recorder("http", &pair(CALL, DONE, false, 200))));
    assert!(such(&format!(
        r#"{{"interactions":[{}]}}"#,
        pair(CALL, DONE, false, 200)
    )));
    assert!(such(&vcr("")));
    for text in [
        r#"{"interactions":[{"description":"a pact"}]}"#,
        r#"{"interactions":[]}"#,
        r#"{"format_version":"1","session":{"id":1}}"#,
        r#"{"session":{"initialize_request":{}}}"#,
        r#"[{"interactions":[]}]"#,
    ] {
        assert!(!such(text), "{text}");
    }
    let lines = format!("{}\n{}\n", recorder("http", ""), recorder("http", ""));
    assert!(!such(&lines));
}
