use super::super::super::event::{Event, EventKind, Recorded, Wanted};
use super::super::super::locate::locate;
use super::super::super::sink::Decoded;
use super::*;

fn read(format: &dyn Format, text: &str) -> Decoded {
    let wanted = Wanted {
        message: Demand::whole(),
        frames: true,
        ..Wanted::default()
    };
    let record = RecordId {
        length: u32::try_from(text.len()).unwrap(),
        line: 1,
        ..RecordId::default()
    };
    let mut sink = Sink::new(&wanted);
    sink.unfinished = true;
    format.read(text, record, &mut sink);
    sink.finish()
}

/// Events in a word or two, and the codes of the problems.
fn said(decoded: &Decoded) -> Vec<String> {
    let short = |event: &Event| match &event.kind {
        EventKind::HttpRequest { exchange, url, .. } => {
            format!("{exchange} {}", url.as_deref().unwrap_or("-"))
        }
        EventKind::HttpResponse { exchange, status, .. } => format!("{exchange} {}", status.unwrap_or(0)),
        EventKind::HttpBody { exchange, payload } => {
            format!("{exchange} {}", payload.text.as_deref().unwrap_or("-"))
        }
        EventKind::StreamEvent { exchange, .. } => format!("{exchange} event"),
        EventKind::HttpEnd { exchange, .. } => format!("{exchange} end"),
        EventKind::Gap => "gap".to_owned(),
        other => format!("{other:?}"),
    };
    let problems = decoded
        .problems
        .iter()
        .map(|problem| format!("! {}", problem.code));
    decoded.events.iter().map(short).chain(problems).collect()
}

/// A line of `-T ek` with layers `tcp` and `http`.
fn ek(frame: u32, stream: u32, http: &str) -> String {
    format!(
        concat!(
            r#"{{"timestamp":"{}","layers":{{"frame":{{"frame_frame_number":"{}"}},"#,
            r#""tcp":{{"tcp_tcp_stream":"{}"}},"http":{}}}}}"#
        ),
        1_798_790_400_000_u64 + u64::from(frame),
        frame,
        stream,
        http
    )
}

fn call(id: u32) -> String {
    let body = format!(r#"{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}"#);
    format!(
        r#"{{"http_http_request_method":"POST","http_http_request_full_uri":"http://a/mcp","http_http_request_line":["Mcp-Method: tools/list\r\n"],"http_http_file_data":"{body}"}}"#
    )
}

fn result(id: u32, more: &str) -> String {
    let body = format!(r#"{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":0}}"#);
    format!(
        r#"{{"http_http_response_code":"200",{more}"http_http_response_line":"content-type: application/json\r\n","http_http_file_data":"{body}"}}"#
    )
}

#[test]
fn responses_find_their_requests() {
    let lines = [
        ek(1, 7, &call(1)),
        ek(2, 8, &call(2)),
        ek(3, 7, r#"{"http_http_response_code":"100"}"#),
        ek(4, 8, &result(2, "")),
        ek(6, 7, &call(3)),
        ek(7, 7, &result(3, r#""http_http_request_in":"6","#)),
        ek(8, 7, &result(1, "")),
        ek(9, 7, &result(9, r#""http_http_request_in":"0","#)),
    ];
    let decoded = read(&Ek, &lines.join("\n"));
    let result = |id| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":0}}"#);
    let answer = |exchange, id| {
        [
            format!("{exchange} 200"),
            format!("{exchange} {}", result(id)),
            format!("{exchange} end"),
        ]
    };
    let expected: Vec<String> = [
        vec!["1 http://a/mcp".to_owned(), "2 http://a/mcp".to_owned()],
        answer(2, 2).to_vec(),
        vec!["3 http://a/mcp".to_owned()],
        answer(3, 3).to_vec(),
        answer(1, 1).to_vec(),
        vec!["gap".to_owned(), "! no-request".to_owned()],
    ]
    .concat();
    let mut sorted = said(&decoded);
    // In the milliseconds of `timestamp` times are rounded, and ends come a little early.
    let mut wanted = expected;
    sorted.sort();
    wanted.sort();
    assert_eq!(sorted, wanted);
}

#[test]
fn names_are_spelt_in_several_ways_and_bodies_too() {
    let hex = |text: &str, between: &str| {
        let pairs: Vec<String> = text.bytes().map(|b| format!("{b:02x}")).collect();
        pairs.join(between)
    };
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let text = serde_json::to_string(message).unwrap();
    for (body, outer) in [
        (text.clone(), ""),
        (format!("\"{}\"", hex(message, ":")), "/hex"),
        (format!("\"{}\"", hex(message, "")), "/hex"),
        (format!("[{text}]"), ""),
    ] {
        for prefix in ["http_http_", "http_"] {
            let http = format!(
                r#"{{"{prefix}request_method":"POST","{prefix}request_uri":"/mcp","{prefix}request_line":["Host: a:1\\r\\n","Accept: b\\r\\n"],"{prefix}file_data":{body}}}"#
            );
            let decoded = read(&Ek, &ek(1, 1, &http));
            let EventKind::HttpRequest {
                url,
                headers,
                payload,
                ..
            } = &decoded.events[0].kind
            else {
                panic!("{decoded:?}");
            };
            assert_eq!(url.as_deref(), Some("http://a:1/mcp"));
            assert_eq!((&*headers.list[0].name, &*headers.list[0].raw), ("Host", "a:1"));
            assert_eq!(headers.recorded, Recorded::Exact);
            // Others may have stood where one is left: members of one name are easily lost.
            let one = http.replace(r#","Accept: b\\r\\n""#, "");
            match &read(&Ek, &ek(1, 1, &one)).events[0].kind {
                EventKind::HttpRequest { headers, .. } => assert_eq!(headers.recorded, Recorded::Some),
                other => panic!("{other:?}"),
            }
            let payload = payload.as_ref().unwrap();
            assert_eq!(payload.text.as_deref(), Some(message));
            assert!(payload.exact && payload.json.is_some());
            assert_eq!(
                &*payload.place.outer,
                format!("/layers/http/{prefix}file_data{outer}")
            );
        }
    }
}

#[test]
fn header_lines_of_one_name_all_count() {
    let text = r#"[
  {"_source": {"layers": {"frame": {"frame.number": "1"}, "tcp": {"tcp.stream": "0"}, "http": {
    "POST /mcp HTTP/1.1\\r\\n": {"http.request.method": "POST", "http.request.uri": "/mcp"},
    "http.request.line": "Mcp-Method:tools/list\r\n",
    "http.request.line": "mcp-name:  x\t\r\n",
    "http.request.line": "X: \"q\"\r\n",
    "http.file_data": "{}"
  }}}}
]"#;
    let decoded = read(&Json, text);
    let EventKind::HttpRequest { method, headers, .. } = &decoded.events[0].kind else {
        panic!("{decoded:?}");
    };
    assert_eq!(&**method, "POST");
    let found: Vec<_> = headers
        .list
        .iter()
        .map(|header| {
            let record = header.place.record;
            let start = usize::try_from(record.offset).unwrap();
            let bytes = &text.as_bytes()[start..start + record.length as usize];
            let value = &bytes[locate(bytes, &header.place).unwrap()];
            (
                &*header.name,
                &*header.raw,
                record.line,
                String::from_utf8_lossy(value).into_owned(),
            )
        })
        .collect();
    assert_eq!(
        found[..2],
        [
            ("Mcp-Method", "tools/list", 4, "tools/list".to_owned()),
            ("mcp-name", "x", 5, "x".to_owned()),
        ]
    );
    assert_eq!(found[2].1, "\"q\"");
}

#[test]
fn several_layers_in_one_packet() {
    let both = format!("[{},{}]", call(1), call(2));
    let decoded = read(&Ek, &ek(1, 1, &both));
    assert_eq!(said(&decoded), ["1 http://a/mcp", "gap", "2 http://a/mcp", "gap"]);
    let twice = ek(1, 1, &call(1)).replace("\"http\":", &format!("\"http\":{},\"http\":", call(7)));
    let decoded = read(&Ek, &twice);
    let places: Vec<_> = decoded
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::HttpRequest { payload, .. } => payload.as_ref().map(|p| p.place.clone()),
            _ => None,
        })
        .collect();
    for (place, id) in places.iter().zip(["7", "1"]) {
        let start = usize::try_from(place.record.offset).unwrap();
        let bytes = &twice.as_bytes()[start..start + place.record.length as usize];
        let inner = crate::place::Place {
            inner: Some("/id".into()),
            ..place.clone()
        };
        assert_eq!(&bytes[locate(bytes, &inner).unwrap()], id.as_bytes());
    }
    assert_eq!(places.len(), 2);
}

#[test]
fn what_is_not_read_is_said_once() {
    let http2 = ek(1, 1, "{}").replace("\"http\"", "\"http2\"");
    let fields =
        r#"{"timestamp":"1798790400000","layers":{"http_request_line":["a: b"],"frame_number":["1"]}}"#;
    let index = r#"{"index":{"_index":"packets-x"}}"#;
    let other = r#"{"timestamp":"1798790400000","layers":{"tcp":{"tcp_tcp_stream":"1"}}}"#;
    let lines = [index, &http2, other, &http2, fields, index, other];
    let decoded = read(&Ek, &lines.join("\n"));
    assert_eq!(
        said(&decoded),
        ["gap", "gap", "gap", "! not-read", "! not-read", "! no-mcp"]
    );
    assert_eq!(
        decoded.problems[0].message,
        "2 packets are of HTTP/2, which is not read"
    );
}

#[test]
fn what_is_cut_off_costs_one_problem() {
    let whole = [ek(1, 1, &call(1)), ek(2, 1, &result(1, ""))].join("\n");
    let decoded = read(&Ek, &whole[..whole.len() - 40]);
    assert_eq!(said(&decoded), ["1 http://a/mcp", "gap", "gap", "! cut-off"]);
    assert_eq!(decoded.problems[0].place.record.line, 2);
    let packet = |http: &str| {
        format!(
            r#"{{"_source":{{"layers":{{"frame":{{"frame.number":"1"}},"tcp":{{"tcp.stream":"0"}},"http":{http}}}}}}}"#
        )
    };
    let whole = format!("[{},\n{}]", packet(&call(1)), packet(&result(1, "")));
    let decoded = read(&Json, &whole[..whole.len() - 40]);
    assert_eq!(said(&decoded), ["1 http://a/mcp", "gap", "gap", "! cut-off"]);
    let decoded = read(&Json, "[1,{\"_source\":2},{}]");
    assert_eq!(said(&decoded)[..3], ["gap", "gap", "gap"]);
    assert!(
        decoded.problems[..3]
            .iter()
            .all(|problem| problem.code == "bad-record"),
        "{decoded:?}"
    );
}

#[test]
fn bodies_that_cannot_be_read_are_lost() {
    let packed = result(1, r#""http_http_request_in":"1","#)
        .replace(
            "\"content-type: application/json\\r\\n\"",
            "[\"content-encoding: br\\r\\n\"]",
        )
        .replace(
            r#""{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":0}""#,
            "\"1f:8b:08:00:ff\"",
        );
    let short = result(
        1,
        r#""http_http_request_in":"1","http_http_content_length":"400","#,
    )
    .replace(",\\\"result\\\":0}", "");
    let empty = r#"{"http_http_response_code":"202","http_http_request_in":"1"}"#;
    for (response, problem) in [
        (packed.as_str(), Some("no-body")),
        (&short, Some("cut-off")),
        (empty, None),
    ] {
        let lines = [ek(1, 1, &call(1)), ek(2, 1, response)];
        let decoded = read(&Ek, &lines.join("\n"));
        let codes: Vec<_> = decoded.problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, problem.into_iter().collect::<Vec<_>>(), "{response}");
    }
}
