//! The traps of recorders that write an exchange as one record, by way of HAR files.

use serde_json::{Value, json};

use super::super::event::{EventKind, Recorded, Wanted};
use super::super::formats::{Format as _, Har};
use super::super::sink::{Decoded, Sink};
use crate::place::RecordId;

const URL: &str = "http://h/mcp";

fn decode(entries: &[Value]) -> Decoded {
    let wanted = Wanted {
        message: crate::json::Demand::whole(),
        ..Wanted::default()
    };
    let mut sink = Sink::new(&wanted);
    let text = json!({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": entries}}).to_string();
    Har.read(&text, RecordId::default(), &mut sink);
    sink.finish()
}

/// What happens, in short; then the codes of problems.
fn said(entries: &[Value]) -> String {
    let decoded = decode(entries);
    let events = decoded.events.iter().map(|event| match &event.kind {
        EventKind::HttpRequest {
            exchange, payload, ..
        } => {
            format!("request{exchange}{}", if payload.is_some() { "" } else { "-" })
        }
        EventKind::HttpResponse { exchange, status, .. } => format!("{}@{exchange}", status.unwrap_or(0)),
        EventKind::HttpBody { exchange, payload } => {
            format!("body{exchange}{}", if payload.truncated { "…" } else { "" })
        }
        EventKind::StreamEvent {
            exchange, payload, ..
        } => {
            format!("event{exchange}{}", if payload.is_some() { "" } else { "-" })
        }
        EventKind::HttpEnd { exchange, .. } => format!("end{exchange}"),
        EventKind::Gap => "gap".to_owned(),
        other => panic!("{other:?}"),
    });
    let problems = decoded
        .problems
        .iter()
        .map(|problem| format!("!{}", problem.code));
    events.chain(problems).collect::<Vec<_>>().join(" ")
}

/// A call that is answered at once with a JSON body; times in milliseconds.
fn call(id: u32, start: u32, long: u32) -> Value {
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string();
    let mut entry = post(id, start, long);
    entry["response"] = json!({"status": 200, "headers": [{"name": "content-type", "value": "application/json"}],
        "content": {"size": answer.len(), "mimeType": "application/json", "text": answer}});
    entry
}

fn post(id: u32, start: u32, long: u32) -> Value {
    let ask = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}).to_string();
    json!({
        "startedDateTime": format!("2026-09-01T00:00:{:02}.{:03}Z", start / 1000, start % 1000),
        "time": long, "timings": {"send": 0, "wait": long / 2, "receive": long - long / 2},
        "request": {"method": "POST", "url": URL, "headers": [{"name": "host", "value": "h"}],
            "postData": {"mimeType": "application/json", "text": ask}},
    })
}

fn stream(mut entry: Value, text: &str) -> Value {
    entry["response"] = json!({"status": 200, "headers": [{"name": "Content-Type", "value": "text/event-stream"}],
        "content": {"size": text.len(), "mimeType": "text/event-stream", "text": text}});
    entry
}

fn get(start: u32, long: u32, text: &str) -> Value {
    let mut entry = stream(post(0, start, long), text);
    entry["timings"] = json!({"blocked": -1, "send": 0, "wait": 1, "receive": long - 1});
    entry["request"] = json!({"method": "GET", "url": URL, "headers": []});
    entry
}

fn data(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}

fn note() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/message"})
}

fn answer(id: u32) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {}})
}

const ONE: &str = "request1 200@1 body1 end1";

#[test]
fn entries_are_put_in_order() {
    assert_eq!(
        said(&[call(1, 500, 10), call(2, 100, 10)]),
        "request2 200@2 body2 end2 request1 200@1 body1 end1"
    );
    assert_eq!(
        said(&[call(1, 0, 100), call(2, 20, 10)]),
        "request1 request2 200@2 body2 end2 200@1 body1 end1"
    );
    // What overlaps by no more than clocks are rounded.
    assert_eq!(
        said(&[call(1, 0, 11), call(2, 10, 10)]),
        "request1 200@1 body1 end1 request2 200@2 body2 end2"
    );
    let mut timeless = call(2, 0, 10);
    timeless["startedDateTime"] = json!("yesterday");
    assert_eq!(
        said(&[call(1, 500, 0), timeless, call(3, 600, 9)]),
        "request1 200@1 body1 end1 request2 200@2 body2 end2 request3 200@3 body3 end3"
    );
}

#[test]
fn the_order_of_a_stream_is_marked_as_a_guess_only_where_it_matters() {
    let text = [data(&note()), data(&answer(1))].concat();
    assert_eq!(
        said(&[stream(post(1, 0, 100), &text), call(2, 200, 9)]),
        "request1 200@1 event1 event1 end1 request2 200@2 body2 end2"
    );
    assert_eq!(
        said(&[stream(post(1, 0, 100), &text), call(2, 60, 9)]),
        "request1 200@1 gap event1 gap request2 200@2 body2 end2 event1 end1"
    );
    // An answer on another stream comes behind what it answers.
    let mut accepted = post(2, 60, 9);
    accepted["response"] = json!({"status": 202, "headers": [], "content": {"size": 0}});
    assert_eq!(
        said(&[get(0, 100, &[data(&note()), data(&answer(2))].concat()), accepted]),
        "request1- 200@1 gap event1 gap request2 gap event1 gap 202@2 end2 gap"
    );
}

#[test]
fn a_stream_that_is_not_known_to_have_ended_does_not_end() {
    for text in [data(&note()), "id: 1\ndata:\n\n".to_owned()] {
        let said = said(&[stream(post(1, 0, 9), &text)]);
        assert!(!said.contains("end1") && said.ends_with("gap"), "{said}");
    }
    // One that is open, or was cleared.
    assert_eq!(
        said(&[stream(post(1, 0, 9), "")]),
        "request1 200@1 gap !no-stream"
    );
    // An event that is cut off was not received; one of which only the blank line is missing is taken.
    let cut = data(&answer(1));
    assert_eq!(
        said(&[stream(post(1, 0, 9), &cut[..cut.len() - 9])]),
        "request1 200@1 gap !cut-off"
    );
    assert_eq!(
        said(&[stream(post(1, 0, 9), cut.trim_end())]),
        "request1 200@1 event1 end1"
    );
    assert_eq!(
        said(&[stream(post(1, 0, 9), &format!("{cut}id: 7\n"))]),
        "request1 200@1 event1 end1"
    );
}

#[test]
fn what_is_not_recorded_is_unknown() {
    let mut aborted = post(1, 0, 9);
    aborted["response"] = json!({"status": 0, "headers": [], "content": {}, "_error": "net::ERR_ABORTED"});
    assert_eq!(said(&[aborted.clone()]), "request1 gap");
    match &decode(&[aborted]).events[0].kind {
        EventKind::HttpRequest { headers, .. } => assert_eq!(headers.recorded, Recorded::Some),
        other => panic!("{other:?}"),
    }
    let mut silent = call(1, 0, 9);
    silent["request"].as_object_mut().unwrap().remove("postData");
    silent["request"]["headers"] = json!([{"name": "mcp-method", "value": "tools/list"}]);
    assert_eq!(said(&[silent]), "request1- gap 200@1 body1 end1 !no-body");
    for (content, length, expected) in [
        (json!({"size": 70}), None, "request1 200@1 gap !no-body"),
        (
            json!({"size": 0, "text": ""}),
            None,
            "request1 200@1 gap !no-body",
        ),
        (json!({}), Some("70"), "request1 200@1 gap !no-body"),
        (json!({"size": 0, "text": ""}), Some("0"), "request1 200@1 end1"),
    ] {
        let mut entry = call(1, 0, 9);
        entry["response"]["content"] = content;
        if let Some(length) = length {
            entry["response"]["headers"] = json!([{"name": "Content-Length", "value": length}]);
        }
        assert_eq!(said(&[entry.clone()]), expected, "{entry}");
    }
    let mut cut = call(1, 0, 9);
    cut["response"]["content"]["text"] = json!("{\"jsonrpc\":\"2.0\",\"id\":1,");
    assert_eq!(said(&[cut.clone()]), "request1 200@1 body1… gap !cut-off");
    // A size that is that of a compressed body says nothing of a whole one.
    let mut zipped = call(1, 0, 9);
    zipped["response"]["content"]["size"] = json!(900);
    assert_eq!(said(&[zipped]), ONE);
    // What the server sent like this is the server's.
    cut["response"]["content"]["size"] = json!(24);
    assert_eq!(said(&[cut]), ONE);
}

#[test]
fn bodies_in_base64_are_read() {
    let mut entry = call(1, 0, 9);
    entry["response"]["content"]["text"] = json!("eyJqc29ucnBjIjoiMi4wIiwiaWQiOjEsInJlc3VsdCI6e319");
    entry["response"]["content"]["encoding"] = json!("base64");
    let decoded = decode(&[entry.clone()]);
    match &decoded.events[2].kind {
        EventKind::HttpBody { payload, .. } => {
            assert_eq!(
                &*payload.place.outer,
                "/log/entries/0/response/content/text/base64"
            );
            assert!(payload.json.is_some() && payload.exact);
        }
        other => panic!("{other:?}"),
    }
    entry["response"]["content"]["text"] = json!("no!");
    assert_eq!(said(&[entry]), "request1 200@1 gap !no-body");
}

#[test]
fn headers_keep_their_order_and_lose_what_http2_adds() {
    let mut entry = call(1, 0, 9);
    entry["request"]["headers"] = json!([{"name": ":method", "value": "POST"}, {"name": "mcp-method", "value": "x"},
        {"name": "accept", "value": "a"}]);
    match &decode(&[entry]).events[0].kind {
        EventKind::HttpRequest { headers, .. } => {
            assert_eq!(headers.recorded, Recorded::Folded);
            let list: Vec<_> = headers.list.iter().map(|h| (&*h.name, &*h.place.outer)).collect();
            let at = |index| format!("/log/entries/0/request/headers/{index}/value");
            assert_eq!(list, [("mcp-method", &*at(1)), ("accept", &*at(2))]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_mcp_is_passed_over() {
    let with = |method: &str, url: &str, sent: Value, text: &str| {
        let mut entry = call(9, 900, 9);
        entry["request"] = json!({"method": method, "url": url, "headers": sent,
            "postData": {"text": text}});
        entry["response"]["content"] = json!({"size": 2, "text": "{}"});
        entry
    };
    let header = |name: &str, value: &str| json!([{"name": name, "value": value}]);
    for other in [
        with("GET", "http://h/", header("accept", "text/html"), ""),
        with("GET", URL, header("accept", "text/html"), ""),
        with(
            "OPTIONS",
            URL,
            header("access-control-request-method", "POST"),
            "",
        ),
        with(
            "POST",
            URL,
            header("content-type", "application/x-www-form-urlencoded"),
            "a=b",
        ),
        with("POST", "http://h/token", json!([]), "{\"grant_type\":\"x\"}"),
        with(
            "GET",
            "http://h/.well-known/x",
            header("mcp-protocol-version", "2025-11-25"),
            "",
        ),
        with(
            "POST",
            "http://h/.well-known/x",
            header("mcp-protocol-version", "2025-11-25"),
            "{}",
        ),
        with("GET", "wss://h/mcp", header("mcp-method", "x"), ""),
    ] {
        assert_eq!(said(&[call(1, 0, 9), other.clone()]), ONE, "{other}");
        assert_eq!(
            said(std::slice::from_ref(&other)).split(' ').next_back(),
            Some("!no-mcp"),
            "{other}"
        );
    }
    let rpc = with(
        "POST",
        "http://c/",
        json!([]),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_call\"}",
    );
    assert_eq!(
        said(&[call(1, 0, 9), rpc.clone(), rpc.clone()]),
        format!("{ONE} !other-protocol")
    );
    // Headers make it MCP, and so does another exchange on the endpoint.
    for sent in [header("Mcp-Method", "x"), json!([])] {
        let odd = with(
            "POST",
            URL,
            sent,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"odd\"}",
        );
        assert_eq!(
            said(&[call(1, 0, 9), odd]),
            format!("{ONE} request2 200@2 body2 end2")
        );
    }
    // A stream of the same host that is not recorded may have carried answers.
    let mut hidden = get(0, 9, "");
    hidden["request"]["url"] = json!("http://h/sse");
    assert_eq!(
        said(&[hidden.clone(), call(2, 100, 9)]),
        "gap request2 200@2 body2 end2"
    );
    hidden["request"]["headers"] = header("Accept", "text/event-stream");
    hidden["response"]["status"] = json!(0);
    hidden["response"]["headers"] = json!([]);
    hidden["response"]["content"] = json!({});
    assert_eq!(said(&[hidden, call(2, 100, 9)]), "gap request2 200@2 body2 end2");
}

#[test]
fn the_transport_of_2024_is_recognised_by_its_stream() {
    let text = format!("event: endpoint\ndata: /message?id=1\n\n{}", data(&answer(1)));
    let mut sse = get(0, 900, &text);
    sse["request"]["url"] = json!("http://h/sse");
    let mut accepted = post(1, 100, 9);
    accepted["request"]["url"] = json!("http://h/message?id=1");
    accepted["response"] = json!({"status": 202, "headers": [], "content": {"size": 8, "text": "Accepted"}});
    assert_eq!(
        said(&[sse, accepted]),
        "request1- 200@1 gap event1 gap request2 gap event1 gap 202@2 body2 end2 gap"
    );
}

#[test]
fn what_is_no_entry_is_told_once() {
    let mut nameless = call(2, 100, 9);
    nameless["request"].as_object_mut().unwrap().remove("url");
    assert_eq!(
        said(&[call(1, 0, 9), json!(7), nameless]),
        format!("{ONE} gap !bad-record")
    );
    let mut made_up = call(2, 100, 9);
    made_up["request"]["url"] = json!("mcp://shelf/tools/call/find");
    assert_eq!(said(&[call(1, 0, 9), made_up]), format!("{ONE} gap !made-up"));
    assert_eq!(said(&[]), "!no-mcp");
}
