use super::*;
use crate::report::visible::width as columns;

/// The range of a needle in a line.
fn at(line: &[u8], needle: &str) -> Range<usize> {
    let start = line.windows(needle.len()).position(|w| w == needle.as_bytes());
    let start = start.unwrap_or_else(|| panic!("`{needle}` is not in the line"));
    start..start + needle.len()
}

/// The excerpt with one focus.
fn one(line: impl AsRef<[u8]>, focus: Range<usize>, width: usize) -> Excerpt {
    excerpt(line.as_ref(), std::slice::from_ref(&focus), width)
}

/// The excerpt of a line, then what is marked in it.
fn show(line: &str, needles: &[&str], width: usize) -> Vec<String> {
    let foci: Vec<_> = needles.iter().map(|n| at(line.as_bytes(), n)).collect();
    let short = excerpt(line.as_bytes(), &foci, width);
    assert!(
        columns(&short.text) <= width,
        "{} columns: {}",
        columns(&short.text),
        short.text
    );
    let marked = short.focus.iter().map(|f| short.text[f.clone()].to_owned());
    std::iter::once(short.text.clone()).chain(marked).collect()
}

const CALL: &str = concat!(
    r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"#,
    r#""2026-07-28"},"name":"wipe","arguments":{"path":"/etc/passwd","mode":"recursive","dry":false}}}"#
);

fn http() -> String {
    let body = serde_json::to_string(CALL).unwrap();
    format!(
        concat!(
            r#"{{"kind":"request","ex":1,"ts":"2026-11-30T22:04:56.238Z","method":"POST","url":"/mcp","headers":["#,
            r#"["host","127.0.0.1:4131"],["mcp-method","tools/list"],["accept","application/json"]],"body":{}}}"#
        ),
        body
    )
}

#[test]
fn what_fits_stays_as_it_is() {
    let line = r#"{"id":1, "name":"a\u001bb"}"#;
    let short = one(line, at(line.as_bytes(), "1"), 80);
    assert_eq!((short.text.as_str(), short.elided), (line, false));
    assert_eq!(short.focus.first(), Some(&(6..7)));
}

#[test]
fn the_less_room_the_less_is_shown() {
    let path = |width| show(CALL, &[r#""/etc/passwd""#], width).remove(0);
    let expected = [
        (
            120,
            r#"{ …, "id": 7, "method": "tools/call", "params": { …, "name": "wipe", "arguments": { "path": "/etc/passwd", … } } }"#,
        ),
        (
            100,
            r#"{ …, "params": { …, "name": "wipe", "arguments": { "path": "/etc/passwd", … } } }"#,
        ),
        (
            60,
            r#"… "arguments": { "path": "/etc/passwd", …, "dry": false } …"#,
        ),
        (45, r#"… "arguments": { "path": "/etc/passwd", … } …"#),
        (30, r#"… "path": "/etc/passwd" …"#),
        (16, r#"…"/etc/passwd"…"#),
    ];
    for (width, expected) in expected {
        assert_eq!(path(width), expected, "{width}");
    }
}

#[test]
fn two_places_are_shown_together_and_the_message_unescaped() {
    let both = |width| show(&http(), &[r#""tools/list""#, r#"\"tools/call\""#], width);
    let expected = [
        (
            120,
            r#"{ …, "headers": [ …, ["mcp-method","tools/list"], … ], "body": { …, "id": 7, "method": "tools/call", … } }"#,
        ),
        (
            80,
            r#"… ["mcp-method","tools/list"] … "body": { …, "method": "tools/call", … } …"#,
        ),
        (50, r#"… "tools/list" … "method": "tools/call" …"#),
    ];
    for (width, expected) in expected {
        assert_eq!(
            both(width),
            [expected, "\"tools/list\"", "\"tools/call\""],
            "{width}"
        );
    }
    let [text, first, second] = <[String; 3]>::try_from(both(20)).unwrap();
    assert_eq!(
        (first.as_str(), second.as_str()),
        ("\"too…\"", "\\\"to…\""),
        "{text}"
    );
}

#[test]
fn a_range_in_a_long_text_keeps_24_characters_on_both_sides() {
    let text = format!(
        "{} AKIA1234567890EXAMPLE {}",
        "log line ok.".repeat(9000),
        "more text ".repeat(9000)
    );
    let line = format!(r#"{{"id":4,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#);
    assert_eq!(
        show(&line, &["AKIA1234567890EXAMPLE"], 120),
        [
            r#"… { "type": "text", "text": "…og line ok.log line ok. AKIA1234567890EXAMPLE more text more text mor…" } …"#,
            "AKIA1234567890EXAMPLE"
        ]
    );
}

#[test]
fn escapes_are_not_cut_apart() {
    let line = format!(
        r#"{{"text":"{}needle{}"}}"#,
        r"\u0041\n".repeat(40),
        r#"\"\\"#.repeat(40)
    );
    for width in 30..100 {
        let text = show(&line, &["needle"], width).remove(0);
        let (before, _) = text.split_once("needle").unwrap();
        if let Some((_, shown)) = before.split_once("\"…") {
            assert!(shown.starts_with(r"\n") || shown.starts_with(r"\u0041"), "{text}");
        }
    }
}

#[test]
fn focus_on_names_and_on_whole_containers() {
    let long = format!(
        r#"{{"id":1,"params":{{"secret_name":"{}","list":[{}1]}}}}"#,
        "x".repeat(300),
        "1,".repeat(500)
    );
    assert_eq!(
        show(&long, &["\"secret_name\""], 70),
        [
            r#"{ "id": 1, "params": { "secret_name": "xxxxxxx…xxx", … } }"#,
            "\"secret_name\""
        ]
    );
    let list = at(long.as_bytes(), "[1").start..long.len() - 2;
    let short = excerpt(long.as_bytes(), &[list, 0..long.len()], 60);
    assert_eq!(
        short.text,
        r#"{ "id": 1, "params": { …, "list": [ …, 1, 1, 1, 1, … ] } }"#
    );
    assert_eq!(&short.text[short.focus[0].clone()], "[ …, 1, 1, 1, 1, … ]");
    assert_eq!(short.focus[1], 0..short.text.len());
}

#[test]
fn what_is_no_json_gets_a_window() {
    let line = format!(
        "{} \u{1b}[31mneedle\u{202e} {}",
        "before ".repeat(50),
        "after ".repeat(50)
    );
    assert_eq!(
        show(&line, &["needle"], 60),
        [
            r"…e before before  ␛[31mneedle\u{202e} after after after af…",
            "needle"
        ]
    );
    let short = window(br#"{"a":1, "b":"needle"}"#, std::slice::from_ref(&(13..19)), 14);
    assert_eq!(short.text, r#"…"b":"needle"}"#);
    assert_eq!(&short.text[short.focus[0].clone()], "needle");
}

#[test]
fn nothing_in_focus_is_something() {
    assert_eq!(excerpt(b"", &[0..0, 5..9], 20).focus, [0..1, 0..1]);
    assert_eq!(one(b"{}\r\n", 4..4, 20).focus.first(), Some(&(1..2)));
    let end = one("aé", 3..3, 20);
    assert_eq!(&end.text[end.focus[0].clone()], "é");
    assert!(excerpt(b"{}", &[], 1).focus.is_empty());
}

#[test]
fn a_megabyte_with_the_label_beyond_column_65536() {
    let tools: String = (0..9000)
        .map(|i| format!(r#"{{"name":"tool_{i}","description":"{}"}},"#, "d".repeat(80)))
        .collect();
    let line = format!(r#"{{"jsonrpc":"2.0","id":3,"result":{{"tools":[{tools}{{"name":"last"}}]}}}}"#);
    assert!(line.len() > 1_000_000);
    for needle in ["\"tool_5000\"", "\"last\"", "\"jsonrpc\""] {
        for width in [20, 80, 200] {
            assert_eq!(show(&line, &[needle], width)[1], needle);
        }
    }
    let ends = excerpt(
        line.as_bytes(),
        &[at(line.as_bytes(), "\"tool_0\""), line.len()..line.len()],
        80,
    );
    assert_eq!(&ends.text[ends.focus[0].clone()], "\"tool_0\"");
    assert_eq!(ends.focus[1].end, ends.text.len());
}

#[test]
fn deep_nesting_is_no_recursion() {
    let depth = 300_000;
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), ("[", "")] {
        let line = format!("{}\"needle\"{}", open.repeat(depth), close.repeat(depth));
        assert_eq!(show(&line, &["\"needle\""], 40)[1], "\"needle\"");
    }
    let mut nested = "{\"a\":\"needle\"}".to_owned();
    for _ in 0..12 {
        nested = format!("{{\"body\":{}}}", serde_json::to_string(&nested).unwrap());
    }
    assert_eq!(show(&nested, &["needle"], 60)[1], "needle");
}

/// A small generator of numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % limit.max(1)
    }

    /// JSON, mostly.
    fn json(&mut self, depth: usize) -> String {
        let texts = [
            "",
            "id",
            "name",
            "x\u{202e}y",
            "世界世界",
            "\u{1b}[2J",
            "a\u{301}\u{301}",
            "{\"a\":[1]}",
            "long ",
        ];
        let text = texts[self.below(texts.len())].repeat(self.below(12));
        let parts = if depth == 0 { 0 } else { self.below(5) };
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => serde_json::to_string(&text).unwrap(),
            1 => format!("{}", self.below(100_000)),
            2 => ["null", "true", "[", "}", "\"", "\\", ",", " "][self.below(8)].to_owned(),
            3 => serde_json::to_string(&self.json(depth - 1)).unwrap(),
            4 => format!(
                "[{}]",
                (0..parts)
                    .map(|_| self.json(depth - 1))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
            _ => {
                let mut member = || {
                    format!(
                        "{}:{}",
                        serde_json::to_string(texts[self.below(9)]).unwrap(),
                        self.json(depth - 1)
                    )
                };
                format!(
                    "{{{}}}",
                    (0..parts).map(|_| member()).collect::<Vec<_>>().join(", ")
                )
            }
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        let common = b"{}[]\",:\\u0 \xff\x80\xc3\xe2\x1b\n";
        let length = self.below(400);
        (0..length)
            .map(|_| {
                if self.below(2) == 0 {
                    common[self.below(common.len())]
                } else {
                    self.below(256) as u8
                }
            })
            .collect()
    }
}

#[test]
fn any_bytes_any_width_any_ranges() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..4000 {
        let line = if round % 3 == 0 {
            random.bytes()
        } else {
            random.json(5).into_bytes()
        };
        let foci: Vec<_> = (0..random.below(5))
            .map(|_| {
                let start = random.below(line.len() + 3);
                let limit = if random.below(2) == 0 { 8 } else { line.len() + 3 };
                start..start + random.below(limit)
            })
            .collect();
        let width = random.below(200) + 1;
        for short in [excerpt(&line, &foci, width), window(&line, &foci, width)] {
            let said = || {
                format!(
                    "round {round}, width {width}, {foci:?}: {short:?}\n{}",
                    String::from_utf8_lossy(&line)
                )
            };
            assert!(columns(&short.text) <= width, "{}", said());
            assert_eq!(short.focus.len(), foci.len());
            for focus in &short.focus {
                let marked = short.text.get(focus.clone());
                assert!(marked.is_some_and(|m| !m.is_empty()), "{}", said());
            }
            assert!(
                !short.text.chars().any(|c| c.is_control() || c == '\u{202e}'),
                "{}",
                said()
            );
        }
        for part in lines(&line, &foci) {
            let ranges: Vec<_> = part.foci.iter().map(|(_, r)| r.clone()).collect();
            excerpt(&part.bytes, &ranges, width);
        }
    }
}

#[test]
fn whatever_is_marked_is_what_was_asked_for() {
    let mut random = Random(42);
    for _ in 0..2000 {
        let line = random.json(5).replace("needle", "").replace("long ", "x");
        let letters: Vec<_> = line
            .match_indices('"')
            .map(|(at, _)| at + 1)
            .filter(|at| line.is_char_boundary(*at))
            .collect();
        if letters.is_empty() {
            continue;
        }
        let at = letters[random.below(letters.len())];
        let line = format!("{}needle{}", &line[..at], &line[at..]);
        let width = random.below(180) + 20;
        let short = one(&line, at..at + 6, width);
        assert_eq!(&short.text[short.focus[0].clone()], "needle", "{line}");
    }
}
