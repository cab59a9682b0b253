//! Recordings and rule files that try to break the output.

use super::recordings::{Recordings, finding, report};
use super::sample_summary;
use wirelint::diagnostic::Diagnostic;
use wirelint::lang::ast::Level;
use wirelint::place::RecordId;
use wirelint::report::{Options, Style, render_diagnostic};
use wirelint::source::{SourceMap, Span};

#[test]
fn a_megabyte_is_reported_on_short_lines_with_its_true_place() {
    let mut r = Recordings::default();
    let file = r.file("long.jsonl");
    let line = format!(
        r#"{{"id":4,"params":{{"a":"{}","path":"/etc/passwd","b":"{}"}}}}"#,
        "ä".repeat(300_000),
        "b".repeat(500_000)
    );
    let mut labels = Vec::new();
    for number in [3, 4003, 8003] {
        let record = r.record(file, number, line.as_str());
        labels.push(r.mark(
            record,
            ("", Some("/params/path")),
            "\"/etc/passwd\"",
            "outside of the workspace",
        ));
    }
    let findings = [finding("org/path", Level::Error, "three paths", labels)];
    let got = report("human", &Options::default(), &findings, &sample_summary(), &r);
    assert!(got.contains("[long.jsonl:3:300033]"), "{got}");
    for number in [" 3 │ {", " 4003 │ {", " 8003 │ {"] {
        assert!(got.contains(number), "{got}");
    }
    assert!(got.lines().all(|l| l.chars().count() <= 100), "{got}");
    let json = report("json", &Options::default(), &findings, &sample_summary(), &r);
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["findings"][0]["locations"][2]["column"], 300_033);
    assert_eq!(read["findings"][0]["locations"][2]["end_column"], 300_046);
}

#[test]
fn records_and_places_that_are_gone_are_reported_all_the_same() {
    let mut r = Recordings::default();
    let file = r.file("a.jsonl");
    let here = r.record(file, 1, r#"{"id":1}"#);
    let gone = RecordId { line: 99, ..here };
    let labels = vec![
        r.mark(gone, ("/x", None), "?", "was here"),
        r.mark(here, ("/y", None), "not there", "and here"),
    ];
    let findings = [finding("a/b", Level::Warning, "gone", labels)];
    let got = report("human", &Options::default(), &findings, &sample_summary(), &r);
    assert!(
        got.contains("99 │ (this record cannot be read)") && got.contains("was here"),
        "{got}"
    );
    assert!(
        got.contains(r#"1 │ {"id":1}"#) && got.contains("and here"),
        "{got}"
    );
    let json = report("jsonl", &Options::default(), &findings, &sample_summary(), &r);
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["locations"][0]["line"], 99);
    assert!(read["locations"][1].get("end_column").is_none());
}

#[test]
fn hostile_text_gives_valid_json_and_harmless_output() {
    let evil: String = (0..0x3000)
        .chain(0xe_0000..0xe_0100)
        .filter_map(char::from_u32)
        .collect();
    let mut r = Recordings::default();
    let file = r.file("a.jsonl");
    let record = r.record(file, 1, evil.clone());
    let mark = r.mark(record, ("", None), "abc", &evil);
    let mut all = finding("a/b", Level::Error, &evil, vec![mark]);
    all.help = Some(evil.clone());
    let mut summary = sample_summary();
    summary.undecided.insert(evil.clone(), 3);
    let findings = [all];
    let json = report("json", &Options::default(), &findings, &summary, &r);
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["findings"][0]["message"], evil);
    let human = report("human", &Options::default(), &findings, &summary, &r);
    let harmful =
        |c: char| c != '\n' && c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{feff}';
    assert!(!json.contains(harmful) && !human.contains(harmful));
}

#[test]
fn any_span_of_a_rule_file_is_drawn() {
    let text = "\u{feff}pack é\r\n\r\n\trule 世界 {\n\n  a\u{301}\r\n}\n\n  ";
    let mut sources = SourceMap::default();
    let id = sources.add("a.wire", text);
    for start in 0..text.len() + 3 {
        for end in (start..text.len() + 3).chain([0, 9999]) {
            let diagnostic = Diagnostic::error("x", "y")
                .label(Span::new(id, start, end), "here")
                .label(Span::new(id, 3, 12), "there");
            let got = render_diagnostic(&diagnostic, &sources, &Style::default());
            assert!(
                got.contains("[a.wire:") && got.contains("here") && got.contains("there"),
                "{start}..{end}\n{got}"
            );
        }
    }
    let empty = sources.add("empty.wire", "");
    let got = render_diagnostic(
        &Diagnostic::error("x", "y").label(Span::new(empty, 0, 0), "here"),
        &sources,
        &Style::default(),
    );
    assert!(got.contains("[empty.wire:1:1]") && got.contains("here"), "{got}");
}
