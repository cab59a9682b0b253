//! `wirelint record --listen`: an HTTP client and its server notice nothing, and nothing is lost. Unix only: signals end it.
#![cfg(unix)]

mod tls;
mod wire;

use std::path::Path;

use serde_json::json;

use self::wire::{Proxy, command};
use crate::cli::wirelint;
use crate::record::{Place, wait};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

fn post(headers: &str, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: proxy\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn ok(headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

const STREAM: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

#[test]
fn requests_and_responses_pass_as_they_are() {
    let proxy = Proxy::start(&[]);
    let request = post("", PING).replace(
        "Content-Length",
        "accept: a/b\r\nX-one: 1\r\nACCEPT: c/d\r\nX-Two: a, \"b\" \r\ncontent-length",
    );
    let request = request.replace("/mcp ", "/mcp/%7Ea?b=c%20d&e=%22 ");
    let response = ok("x-b: 2\r\nX-A: 1\r\nSet-cookie: a=b\r\nX-a: 3\r\n", PONG);
    let [asked, answered] = proxy.exchange(&request, &response);
    let host = proxy.server.local_addr().unwrap().to_string();
    // Repeated headers come together, all else stays where and how it was.
    assert_eq!(
        asked.0,
        format!(
            "POST /mcp/%7Ea?b=c%20d&e=%22 HTTP/1.1\r\nHost: {host}\r\naccept: a/b\r\nACCEPT: c/d\r\nX-one: 1\r\n\
             X-Two: a, \"b\"\r\ncontent-length: 40\r\n\r\n"
        )
    );
    assert_eq!(asked.1, PING.as_bytes());
    assert_eq!(
        answered.0,
        "HTTP/1.1 200 OK\r\nx-b: 2\r\nX-A: 1\r\nX-a: 3\r\nSet-cookie: a=b\r\nContent-Length: 36\r\n\r\n"
    );
    assert_eq!(answered.1, PONG.as_bytes());
    assert_eq!(
        proxy.records(),
        [
            json!({
                "kind": "request", "ex": 1, "method": "POST", "url": "/mcp/%7Ea?b=c%20d&e=%22", "body": PING,
                "headers": [
                    ["Host", "proxy"], ["accept", "a/b"], ["X-one", "1"], ["ACCEPT", "c/d"], ["X-Two", "a, \"b\""],
                    ["content-length", "40"],
                ],
            }),
            json!({
                "kind": "response", "ex": 1, "status": 200,
                "headers": [
                    ["x-b", "2"], ["X-A", "1"], ["Set-cookie", "REDACTED"], ["X-a", "3"], ["Content-Length", "36"],
                ],
            }),
            json!({ "kind": "body", "ex": 1, "body": PONG }),
            json!({ "kind": "end", "ex": 1 }),
        ]
    );
    let (status, said, place) = proxy.stop("-TERM");
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
    // Nothing was open.
    assert_eq!(place.records().len(), 5);
}

#[test]
fn what_is_of_a_connection_stays_there() {
    let proxy = Proxy::start(&[]);
    let request = post(
        "Connection: keep-alive, X-Own\r\nX-Own: 1\r\nKeep-Alive: 5\r\nAccept-Encoding: gzip\r\nTE: trailers\r\n",
        "",
    );
    let response = ok("Connection: close\r\nKeep-Alive: timeout=5\r\n", "");
    let [asked, answered] = proxy.exchange(&request, &response);
    let host = proxy.server.local_addr().unwrap().to_string();
    assert_eq!(
        asked.0,
        format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n")
    );
    assert_eq!(answered.0, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let records = proxy.records();
    let names: Vec<&str> = records[0]["headers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|h| h[0].as_str().unwrap())
        .collect();
    let all = [
        "Host",
        "Connection",
        "X-Own",
        "Keep-Alive",
        "Accept-Encoding",
        "TE",
        "Content-Length",
    ];
    assert_eq!(names, all);
    assert_eq!(records[1]["headers"][0], json!(["Connection", "close"]));
}

#[test]
fn each_event_passes_at_once_and_is_in_the_file_before() {
    let proxy = Proxy::start(&[]);
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    server.send(STREAM);
    assert!(
        client
            .head()
            .to_ascii_lowercase()
            .contains("\r\ntransfer-encoding: chunked\r\n")
    );
    for (number, text) in [
        "id: 1\r\ndata:\r\n\r\n",
        "event: message\rdata: {\rdata: }\r\r",
        ": ping\n\ndata: é\n\n",
    ]
    .iter()
    .enumerate()
    {
        server.send(chunk(text));
        assert_eq!(client.chunk(), text.as_bytes());
        assert_eq!(proxy.records().len(), 3 + number);
    }
    // Half an event passes too.
    server.send(chunk("retry: 9\ndata: hal"));
    client.chunk();
    assert_eq!(proxy.records().len(), 5);
    server.send(chunk("f\n\n"));
    client.chunk();
    server.send("0\r\n\r\n");
    assert_eq!(client.chunk(), b"");
    assert_eq!(
        proxy.records()[2..],
        [
            json!({ "kind": "sse", "ex": 1, "id": "1", "data": "" }),
            json!({ "kind": "sse", "ex": 1, "event": "message", "data": "{\n}" }),
            json!({ "kind": "sse", "ex": 1, "data": "é" }),
            json!({ "kind": "sse", "ex": 1, "retry": "9", "data": "half" }),
            json!({ "kind": "end", "ex": 1 }),
        ]
    );
}

#[test]
fn a_stream_is_open_beside_other_exchanges() {
    let proxy = Proxy::start(&[]);
    let mut listening = proxy.client();
    listening.send("GET /mcp HTTP/1.1\r\nHost: proxy\r\nAccept: text/event-stream\r\n\r\n");
    let mut stream = proxy.accept();
    assert!(stream.head().starts_with("GET /mcp HTTP/1.1\r\n"));
    stream.send(STREAM);
    listening.head();
    for _ in 0..2 {
        proxy.exchange(&post("", PING), &ok("", PONG));
        stream.send(chunk("data: {}\n\n"));
        assert_eq!(listening.chunk(), b"data: {}\n\n");
    }
    let records = proxy.records();
    let numbers: Vec<u64> = records.iter().map(|r| r["ex"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 1, 2, 2, 2, 2, 1, 3, 3, 3, 3, 1]);
    // It is still open: that it ends is no doing of either side.
    let (status, _, place) = proxy.stop("-INT");
    assert_eq!(status.code(), Some(0));
    let records = place.records();
    assert_eq!((records.len(), &records[13]["kind"]), (14, &json!("gap")));
}

#[test]
fn a_connection_is_used_again() {
    let proxy = Proxy::start(&[]);
    let mut client = proxy.client();
    for number in 1..=3 {
        client.send(post(&format!("X-Number: {number}\r\n"), PING));
        let mut server = proxy.accept();
        server.message();
        server.send(ok("", PONG));
        assert_eq!(client.message().1, PONG.as_bytes());
        let records = proxy.records();
        let request = &records[(number - 1) * 4];
        assert_eq!(request["ex"], number);
        assert_eq!(request["headers"][1], json!(["X-Number", number.to_string()]));
    }
    // Whoever does not wait for answers gets them in order.
    client.send(post("A: 1\r\n", PING) + &post("B: 2\r\n", PING));
    for _ in 0..2 {
        let mut server = proxy.accept();
        server.message();
        server.send(ok("", PONG));
        client.message();
    }
    let records = proxy.records();
    assert_eq!(records[12]["headers"][1], json!(["A", "1"]));
    assert!(
        records[16]["headers"]
            .to_string()
            .to_ascii_lowercase()
            .contains(r#"["b","2"]"#)
    );
}

#[test]
fn long_bodies_pass_both_ways() {
    let proxy = Proxy::start(&[]);
    let long = format!("{{\"text\":\"{}\"}}", "0123456789é".repeat(28_000));
    let [asked, answered] = proxy.exchange(&post("", &long), &ok("", &long));
    assert!(asked.1 == long.as_bytes() && answered.1 == long.as_bytes());
    // In chunks, which stay chunks, and to the end of the connection.
    let chunks: Vec<String> = long
        .split_inclusive('é')
        .collect::<Vec<_>>()
        .chunks(999)
        .map(|texts| chunk(&texts.concat()))
        .collect();
    let mut client = proxy.client();
    client.send("POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    for chunk in &chunks {
        client.send(chunk);
    }
    client.send("0\r\n\r\n");
    let mut server = proxy.accept();
    let (head, body) = server.message();
    assert!(head.contains("\r\nTransfer-Encoding: chunked\r\n") && body == long.as_bytes());
    server.send("HTTP/1.0 200 Fine\r\n\r\n");
    server.send(&long);
    drop(server);
    let (head, body) = client.message();
    assert!(head.starts_with("HTTP/1.1 200 Fine\r\n"), "{head}");
    assert!(body == long.as_bytes());
    let records = proxy.records();
    assert_eq!(records.len(), 8);
    for record in [&records[0], &records[2], &records[4], &records[6]] {
        assert!(record["body"] == long, "{}", record["kind"]);
    }
}

#[test]
fn of_a_body_that_is_too_long_the_beginning_is_recorded() {
    let proxy = Proxy::start(&[]);
    let long = "é".repeat(9 << 20);
    let mut client = proxy.client();
    let request = post("", &long);
    let sender = std::thread::spawn(move || {
        client.send(request);
        client
    });
    let mut server = proxy.accept();
    assert!(server.message().1 == long.as_bytes());
    let mut client = sender.join().unwrap();
    let receiver = std::thread::spawn(move || client.message().1);
    server.send(ok("", &long));
    assert!(receiver.join().unwrap() == long.as_bytes());
    for record in [&proxy.records()[0], &proxy.records()[2]] {
        assert_eq!(
            (record["body"].as_str().unwrap().len(), &record["truncated"]),
            (16 << 20, &json!(true))
        );
        assert!(record.get("base64").is_none());
    }
}

#[test]
fn any_method_and_status_pass() {
    let proxy = Proxy::start(&[]);
    let [_, answered] = proxy.exchange(
        &post("", PING),
        "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
    );
    assert!(answered.0.starts_with("HTTP/1.1 202 Accepted\r\n"));
    let page = "<html>none</html>";
    let missing = ok("Content-Type: text/html\r\n", page).replace("200 OK", "404 Not Here");
    let [_, answered] = proxy.exchange(
        "DELETE /mcp HTTP/1.1\r\nHost: a\r\nMcp-Session-Id: s\r\n\r\n",
        &missing,
    );
    assert!(answered.0.starts_with("HTTP/1.1 404 Not Here\r\n") && answered.1 == page.as_bytes());
    // A response to HEAD says how long a body would be.
    let mut client = proxy.client();
    client.send("HEAD /mcp HTTP/1.1\r\nHost: a\r\n\r\n");
    let mut server = proxy.accept();
    assert!(server.head().starts_with("HEAD /mcp "));
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n");
    assert!(client.head().contains("\r\nContent-Length: 99\r\n"));
    client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
    let mut server = proxy.accept();
    assert!(server.head().starts_with("OPTIONS * HTTP/1.1\r\n"));
    server.send("HTTP/1.1 204 No Content\r\n\r\n");
    client.head();
    let kinds: Vec<String> = proxy
        .records()
        .iter()
        .map(|r| r["kind"].as_str().unwrap().to_owned())
        .collect();
    let without = ["request", "response", "end"];
    let with = ["request", "response", "body", "end"];
    assert_eq!(kinds, [&without[..], &with, &without, &without].concat());
    assert_eq!(proxy.records()[5]["body"], page);
}

#[test]
fn a_client_that_goes_away_is_gone_for_the_server_too() {
    let proxy = Proxy::start(&[]);
    // While an event stream is silent.
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    server.send(STREAM.to_owned() + &chunk("data: 1\n\ndata: 2"));
    client.head();
    client.chunk();
    drop(client);
    assert!(server.is_broken_off());
    let records = proxy.recorded(4);
    assert_eq!(records[3], json!({ "kind": "abort", "ex": 1, "side": "client" }));
    // While the server thinks.
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    drop(client);
    assert!(server.is_broken_off());
    assert_eq!(
        proxy.recorded(6)[5],
        json!({ "kind": "abort", "ex": 2, "side": "client" })
    );
    // In the middle of its request, which goes nowhere.
    let mut client = proxy.client();
    client.send(&post("", PING)[..90]);
    drop(client);
    let records = proxy.recorded(8);
    assert_eq!(
        (&records[6]["truncated"], &records[6]["ex"]),
        (&json!(true), &json!(3))
    );
    assert!(PING.starts_with(records[6]["body"].as_str().unwrap()));
    assert_eq!(records[7], json!({ "kind": "abort", "ex": 3, "side": "client" }));
}

#[test]
fn a_server_that_breaks_off_is_seen_to_do_so() {
    let proxy = Proxy::start(&[]);
    // In an event stream.
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    server.send(STREAM.to_owned() + &chunk("data: 1\n\n"));
    client.head();
    client.chunk();
    drop(server);
    assert!(client.is_broken_off());
    assert_eq!(
        proxy.recorded(4)[3],
        json!({ "kind": "abort", "ex": 1, "side": "server" })
    );
    // In a body.
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    server.send(&ok("", PONG)[..60]);
    drop(server);
    client.head();
    let records = proxy.recorded(8);
    assert_eq!(records[6]["truncated"], true);
    assert!(PONG.starts_with(records[6]["body"].as_str().unwrap()));
    assert_eq!(records[7], json!({ "kind": "abort", "ex": 2, "side": "server" }));
    // Before it has said anything.
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    drop(server);
    assert!(client.is_broken_off());
    assert_eq!(
        proxy.recorded(10)[9],
        json!({ "kind": "abort", "ex": 3, "side": "server" })
    );
}

#[test]
fn a_server_that_is_not_there_has_not_answered() {
    let mut proxy = Proxy::start(&[]);
    let gone = std::mem::replace(
        &mut proxy.server,
        std::net::TcpListener::bind("127.0.0.1:0").unwrap(),
    );
    let address = gone.local_addr().unwrap();
    drop(gone);
    let mut client = proxy.client();
    client.send(post("", PING));
    let (head, body) = client.message();
    assert!(
        head.starts_with("HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/plain"),
        "{head}"
    );
    let said = String::from_utf8(body).unwrap();
    assert!(
        said.starts_with(&format!(
            "wirelint, which records here, cannot reach http://{address}: "
        )),
        "{said}"
    );
    let records = proxy.records();
    assert_eq!(records.len(), 2);
    assert_eq!(records[1], json!({ "kind": "abort", "ex": 1, "side": "server" }));
}

#[test]
fn what_is_no_http_is_not_passed_on() {
    let proxy = Proxy::start(&[]);
    let mut client = proxy.client();
    client.send("\x16\x03\x01 hello\r\n\r\n");
    assert!(client.head().starts_with("HTTP/1.1 400 "));
    let mut client = proxy.client();
    client.send("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n");
    assert!(client.head().starts_with("HTTP/1.1 501 "));
    // A server that speaks something else.
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    server.send("220 mail.example\r\n\r\n");
    assert!(client.head().starts_with("HTTP/1.1 502 "));
    assert_eq!(proxy.records().len(), 2);
    let (_, said, _) = proxy.stop("-TERM");
    assert_eq!(said.matches("what is no HTTP request").count(), 1, "{said}");
}

#[test]
fn secrets_are_left_out_of_the_file_alone() {
    let proxy = Proxy::start(&["--redact", "token,x-key"]);
    let told = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"Token":"s3cret"}}"#;
    let request = post(
        "Authorization: Bearer s3cret\r\nX-Key: s3cret\r\nMcp-Session-Id: s\r\n",
        told,
    )
    .replace("/mcp ", "/mcp?token=s3cret&a=b ");
    let response = STREAM.replace("\r\n\r\n", "\r\nSet-Cookie: s3cret\r\n\r\n")
        + &chunk("data: {\"token\":\ndata: \"s3cret\"}\n\n")
        + "0\r\n\r\n";
    let [asked, answered] = proxy.exchange(&request, &response);
    assert_eq!(asked.0.matches("s3cret").count(), 3);
    assert_eq!(asked.1, told.as_bytes());
    assert!(answered.0.contains("s3cret") && String::from_utf8_lossy(&answered.1).contains("s3cret"));
    let form = "grant=x&token=s3cret";
    proxy.exchange(
        &post("Content-Type: application/x-www-form-urlencoded\r\n", form),
        &ok("Cookie: s3cret\r\n", r#"{"token":"s3cret"}"#),
    );
    let records = proxy.records();
    assert!(
        !std::fs::read_to_string(proxy.place.file())
            .unwrap()
            .contains("s3cret")
    );
    assert_eq!(records[0]["url"], "/mcp?token=REDACTED&a=b");
    assert_eq!(records[0]["body"], told.replace("s3cret", "REDACTED"));
    assert_eq!(records[0]["headers"][3], json!(["Mcp-Session-Id", "s"]));
    assert_eq!(records[2]["data"], "{\"token\":\n\"REDACTED\"}");
    assert_eq!(records[4]["body"], "grant=x&token=REDACTED");
}

#[test]
fn what_is_no_text_is_kept_as_it_is() {
    let proxy = Proxy::start(&[]);
    let mut client = proxy.client();
    client.send(post("", PING));
    let mut server = proxy.accept();
    server.message();
    server.send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Type: text/event-stream\r\nContent-Length: 4\r\n\r\n");
    server.send(b"\xff\x00\n\n");
    assert_eq!(client.message().1, b"\xff\x00\n\n");
    let body = &proxy.records()[2];
    assert_eq!(
        (&body["body"], &body["base64"]),
        (&json!("\u{fffd}\0\n\n"), &json!("/wAKCg=="))
    );
    // Whether the answer was in it is not known.
    assert_eq!(query(&proxy.place, "request.response"), [json!("unknown")]);
}

/// What an expression gives, without where: a value, or `missing`, or `unknown`.
fn query(place: &Place, expr: &str) -> Vec<serde_json::Value> {
    let output = wirelint()
        .args(["query", expr])
        .arg(place.file())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let word = |line: &str| -> serde_json::Value {
        let answer: serde_json::Value = serde_json::from_str(line).unwrap();
        match (answer.get("value"), answer.get("missing")) {
            (Some(value), _) => value.clone(),
            (_, Some(_)) => "missing".into(),
            _ => "unknown".into(),
        }
    };
    said.lines().map(word).collect()
}

#[test]
fn recordings_are_read_and_may_be_continued() {
    let mut place = Place::new();
    for session in ["harbour-5f2a90", "island-c41d77"] {
        let file = place.file();
        let proxy = Proxy::start_on(place, &file, &[]);
        let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
        let initialized = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;
        let header = format!("Content-Type: application/json\r\nMcp-Session-Id: {session}\r\n");
        let accept = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
        proxy.exchange(&post(accept, initialize), &ok(&header, initialized));
        let headers = format!("{accept}{header}MCP-Protocol-Version: 2025-11-25\r\n").replacen(
            "Content-Type: application/json\r\n",
            "",
            1,
        );
        proxy.exchange(
            &post(
                &headers,
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            ),
            "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
        );
        let answer = format!("id: 1\ndata:\n\nevent: message\ndata: {PONG}\n\n");
        proxy.exchange(
            &post(&headers, PING),
            &ok("Content-Type: text/event-stream\r\n", &answer),
        );
        place = proxy.stop("-TERM").2;
    }
    let checked = wirelint()
        .args(["check", "--format", "json"])
        .arg(place.file())
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(report["findings"], json!([]));
    assert_eq!(
        (&report["summary"]["sessions"], &report["summary"]["exchanges"]),
        (&json!(2), &json!(6))
    );
    assert_eq!(query(&place, "request.response missing"), vec![json!(false); 4]);
    assert_eq!(query(&place, "exchange.status").len(), 6);
    let shown = wirelint().arg("show").arg(place.file()).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("initialize") && shown.contains("ping"), "{shown}");
}

#[test]
fn a_file_that_takes_nothing_stops_no_traffic() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        println!("skipped: the system has no /dev/full");
        return;
    }
    let proxy = Proxy::start_on(Place::new(), full, &[]);
    for _ in 0..2 {
        let [_, answered] = proxy.exchange(&post("", PING), &ok("", PONG));
        assert_eq!(answered.1, PONG.as_bytes());
    }
    let (status, said, _) = proxy.stop("-TERM");
    assert_eq!(said.matches("does not take what passes").count(), 1, "{said}");
    assert!(status.success());
}

#[test]
fn what_cannot_be_done_is_said() {
    let place = Place::new();
    let proxy = Proxy::start(&[]);
    let taken = proxy.address.to_string();
    let output = command(&place.file(), &taken, "http://127.0.0.1:1")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains(&format!(
            "`{taken}` cannot be listened at: something else listens there"
        )),
        "{said}"
    );
    assert!(!place.file().exists());
    let output = command(Path::new("/nowhere/x.jsonl"), "127.0.0.1:0", "http://127.0.0.1:1")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    wait("it goes on listening", || {
        std::net::TcpStream::connect(proxy.address).is_ok()
    });
}
