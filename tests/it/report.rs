//! Output of the reporters, kept in `tests/report/`. `BLESS=1 cargo test` rewrites it.

mod hostile;
mod recordings;

use std::collections::BTreeMap;
use std::path::Path;

use recordings::{Recordings, finding, report};
use wirelint::diagnostic::Diagnostic;
use wirelint::engine::finding::{Finding, Summary, Tally};
use wirelint::lang::ast::{Level, Party};
use wirelint::report::{Options, Style, render_diagnostic};
use wirelint::source::{SourceMap, Span};

/// Compares with a golden file, or writes it.
fn golden(name: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/report")
        .join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, got).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == got,
        "{} differs; BLESS=1 rewrites it. Got:\n{got}",
        path.display()
    );
}

fn http_request(body: &str, method: &str) -> String {
    format!(
        concat!(
            r#"{{"kind":"request","ex":1,"ts":"2026-11-30T22:04:56.238Z","method":"POST","url":"/mcp","headers":["#,
            r#"["host","127.0.0.1:4131"],["connection","keep-alive"],["mcp-method","{}"],"#,
            r#"["accept","application/json, text/event-stream"]],"body":{}}}"#
        ),
        method,
        serde_json::to_string(body).unwrap()
    )
}

/// Findings of all kinds of places.
fn sample() -> (Vec<Finding>, Recordings) {
    let mut r = Recordings::default();
    let calls = r.file("recordings/calls.jsonl");
    let other = r.file("recordings/other.jsonl");
    let dump = r.file("dumps/tools.json");
    let body = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wipe","arguments":{"path":"/etc/passwd"}}}"#;

    let request = r.record(calls, 12, http_request(body, "tools/list"));
    let mut both = finding(
        "headers/mcp-method-mismatch",
        Level::Error,
        "`Mcp-Method` says `tools/list`, the body says `tools/call`",
        vec![
            r.mark(
                request,
                ("/headers/2/1", None),
                "\"tools/list\"",
                "a gateway routes on this",
            ),
            r.mark(
                request,
                ("/body", Some("/method")),
                r#"\"tools/call\""#,
                "the server executes this",
            ),
        ],
    );
    both.help = Some("derive the header from the body that is sent".into());

    let first = r.record(
        calls,
        3,
        http_request(&body.replace("wipe", "alpha"), "tools/call"),
    );
    let last = r.record(
        calls,
        4711,
        http_request(&body.replace("wipe", "omega"), "tools/call"),
    );
    let mut far = finding(
        "identity/client-changed",
        Level::Warning,
        "this session began as `alpha` and now claims to be `omega`",
        vec![
            r.mark(
                last,
                ("/body", Some("/params/name")),
                r#"\"omega\""#,
                "changed here",
            ),
            r.mark(
                first,
                ("/body", Some("/params/name")),
                r#"\"alpha\""#,
                "established here",
            ),
        ],
    );
    far.repeats = 1234;

    let answer = r.record(
        calls,
        13,
        r#"{"kind":"response","ex":1,"status":202,"headers":[]}"#,
    );
    let near = finding(
        "http/accepted-request",
        Level::Error,
        "a request was answered with 202, which is for notifications",
        vec![
            r.mark(answer, ("/status", None), "202", "no answer can follow"),
            r.mark(
                request,
                ("/body", Some("/id")),
                r#"\"id\":7"#,
                "this is a request",
            ),
        ],
    );

    let elsewhere = r.record(
        other,
        4,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"wipe"}]}}"#,
    );
    let mut across = finding(
        "tools/changed-between-recordings",
        Level::Note,
        "`wipe` is described in two ways",
        vec![
            r.mark(
                elsewhere,
                ("", Some("/result/tools/0/name")),
                "\"wipe\"",
                "described here",
            ),
            r.mark(
                request,
                ("/body", Some("/params/name")),
                r#"\"wipe\""#,
                "and called here, with other words that are so many that they have to be broken into lines",
            ),
        ],
    );
    across.fault = Some(Party::Server);

    let schema = "{\n  \"tools\": [\n    {\n      \"name\": \"wipe\",\n      \"inputSchema\": {\n        \"type\": \"object\",\n        \"properties\": {\n          \"path\": { \"x-mcp-header\": \"Path\" },\n          \"Päth\": { \"x-mcp-header\": \"path\" }\n        }\n      }\n    }\n  ]\n}\n";
    let whole = r.record(dump, 1, schema);
    let twins = finding(
        "tools/xmcp-name-duplicate",
        Level::Error,
        "two properties ask for the header `Mcp-Param-Path`",
        vec![
            r.mark(
                whole,
                ("/tools/0", Some("/inputSchema/properties/Päth/x-mcp-header")),
                "\"path\" }",
                "and again here",
            ),
            r.mark(
                whole,
                ("/tools/0", Some("/inputSchema/properties/path/x-mcp-header")),
                "\"Path\"",
                "first asked for here",
            ),
            r.mark(whole, ("/tools/0", Some("/name")), "\"wipe\"", "in this tool"),
        ],
    );

    let stray = r.record(calls, 20, &b"debug: \x1b[31mnoisy\xff called"[..]);
    let mut bare = finding(
        "recording/not-json",
        Level::Error,
        "this line is no JSON: `\u{1b}[31m\u{202e}evil`",
        vec![r.mark(stray, ("", None), "noisy", "")],
    );
    bare.fault = None;
    let nowhere = finding(
        "session/never-ended",
        Level::Note,
        "the session was never ended",
        Vec::new(),
    );
    (vec![both, far, near, across, twins, bare, nowhere], r)
}

fn sample_summary() -> Summary {
    let tally = |passed, failed, undecided, not_applicable| Tally {
        passed,
        failed,
        undecided,
        not_applicable,
    };
    Summary {
        recordings: 3,
        messages: 12345,
        exchanges: 1,
        sessions: 2,
        tools: 0,
        catalogues: 1,
        rules: BTreeMap::from([
            ("headers/mcp-method-mismatch".into(), tally(1199, 1, 0, 4)),
            ("identity/client-changed".into(), tally(3, 1, 17, 0)),
            ("tools/never".into(), tally(0, 0, 0, 9)),
        ]),
        undecided: BTreeMap::from([
            ("the capture began in mid-session".into(), 5),
            ("no HTTP headers in this recording".into(), 12),
        ]),
        reasons: BTreeMap::from([
            (
                "identity/client-changed".into(),
                BTreeMap::from([("no HTTP headers in this recording".into(), 11)]),
            ),
            (
                "headers/mcp-method-mismatch".into(),
                BTreeMap::from([
                    ("no HTTP headers in this recording".into(), 1),
                    ("the capture began in mid-session".into(), 5),
                ]),
            ),
        ]),
        limits: BTreeMap::from([("history of 10,000 records per session (`--history`)".into(), 2)]),
    }
}

#[test]
fn human() {
    let (findings, records) = sample();
    let got = report(
        "human",
        &Options::default(),
        &findings,
        &sample_summary(),
        &records,
    );
    golden("human.txt", &got);
}

#[test]
fn human_narrow_ascii_and_color() {
    let (findings, records) = sample();
    for (name, color, unicode, width) in [
        ("narrow.txt", false, true, 60),
        ("ascii.txt", false, false, 80),
        ("color.txt", true, true, 80),
    ] {
        let options = Options {
            style: Style {
                color,
                width,
                unicode,
            },
            ..Options::default()
        };
        golden(
            name,
            &report("human", &options, &findings, &sample_summary(), &records),
        );
    }
}

#[test]
fn json() {
    let (findings, records) = sample();
    let got = report(
        "json",
        &Options::default(),
        &findings,
        &sample_summary(),
        &records,
    );
    let read: serde_json::Value = serde_json::from_str(&got).unwrap();
    assert_eq!(read["findings"].as_array().map(Vec::len), Some(findings.len()));
    golden("json.txt", &got);
    let lines = report(
        "jsonl",
        &Options::default(),
        &findings,
        &sample_summary(),
        &records,
    );
    assert_eq!(lines.lines().count(), findings.len());
    golden("jsonl.txt", &lines);
}

#[test]
fn diagnostics() {
    let mut sources = SourceMap::default();
    let text = "pack demo\r\n\r\nrule a {\r\n\ton request\twhere request.headrs exists\r\n  require 世界 == \"ü\"\r\n}\r\n";
    let id = sources.add("rules/demo.wire", text);
    let other = sources.add("wirelint.toml", "[levels]\n\"demo/a\" = \"of\"");
    let span = |needle: &str| {
        let at = text.find(needle).unwrap();
        Span::new(id, at, at + needle.len())
    };
    let end = Span::new(id, text.len(), text.len());
    let all = [
        Diagnostic::error("unknown-name", "`request` has no `headrs`")
            .label(span("headrs"), "not an attribute of a request")
            .label(
                span("request\twhere request.headrs"),
                "a whole, with the part above inside",
            )
            .label(span("headrs"), "the same place again")
            .label(span("世界"), "wide characters")
            .help("did you mean `headers`?"),
        Diagnostic::error("unexpected-end", "the file ends in the middle of a rule")
            .label(end, "a `}` is missing"),
        Diagnostic::warning("empty-line", "nothing stands here").at(Span::new(id, 11, 11)),
        Diagnostic::error("unknown-level", "`of` is no level")
            .label(Span::new(other, 20, 24), "`off`, `note`, `warning` or `error`")
            .label(span("rule a"), "for this rule")
            .at(Span::new(other, 999, 9999)),
        Diagnostic::error("no-place", "no rule file was found"),
    ];
    let got: Vec<_> = all
        .iter()
        .map(|d| render_diagnostic(d, &sources, &Style::default()))
        .collect();
    golden("diagnostics.txt", &got.join("\n"));
}

#[test]
fn findings_of_one_rule_are_counted_after_the_first() {
    let mut r = Recordings::default();
    let file = r.file("a.jsonl");
    let mut many = Vec::new();
    for line in 1..=42 {
        let record = r.record(file, line, r#"{"id":1}"#);
        let mark = r.mark(record, ("", Some("/id")), "1", "here");
        many.push(finding(
            "jsonrpc/id-reused",
            Level::Error,
            "this id was used before",
            vec![mark],
        ));
    }
    let summary = sample_summary();
    let got = report("human", &Options::default(), &many, &summary, &r);
    assert_eq!(got.matches("error[jsonrpc/id-reused]").count(), 5);
    assert!(got.contains("\n… and 37 more of jsonrpc/id-reused\n"), "{got}");
    assert!(got.contains("found 42 errors"), "{got}");
}

#[test]
fn what_checked_nothing_says_so() {
    let records = Recordings::default();
    let last = |summary: &Summary| {
        let got = report("human", &Options::default(), &[], summary, &records);
        got.lines().last().unwrap().to_owned()
    };
    let mut summary = Summary::default();
    assert_eq!(
        last(&summary),
        "nothing was checked: no message and no catalogue in 0 recordings"
    );
    summary.messages = 3;
    summary.rules.insert(
        "a/b".into(),
        Tally {
            not_applicable: 3,
            ..Tally::default()
        },
    );
    assert_eq!(
        last(&summary),
        "nothing was checked: no rule applied to anything (1 rule in use)"
    );
    summary.rules.insert(
        "a/b".into(),
        Tally {
            undecided: 3,
            ..Tally::default()
        },
    );
    assert_eq!(
        last(&summary),
        "nothing was checked: no rule could be decided, see the reasons above"
    );
    summary.rules.insert(
        "a/b".into(),
        Tally {
            passed: 3,
            ..Tally::default()
        },
    );
    assert_eq!(last(&summary), "no findings");
}
