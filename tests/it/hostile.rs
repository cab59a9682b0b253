//! The parser against what nobody would write: it always answers, and with few words.

use wirelint::lang::ast::ExprKind;
use wirelint::lang::parse::{parse, parse_expression};
use wirelint::source::SourceId;

/// Forms that stand in themselves: what comes before, within and behind.
const FORMS: [(&str, &str, &str); 18] = [
    ("(", "a", ")"),
    ("(a + ", "a", ")"),
    ("[", "a", "]"),
    ("{ k: ", "a", " }"),
    ("a[", "a", "]"),
    ("f(", "a", ")"),
    ("a.f(1, ", "a", ")"),
    ("not ", "a", ""),
    ("- ", "a", ""),
    ("! ", "a", ""),
    ("if ", "a", " then a else a"),
    ("if a then ", "a", " else a"),
    ("if a then a else ", "a", ""),
    ("any x in xs: ", "a", ""),
    ("any x in ", "a", ": a"),
    ("", "a", ".b"),
    ("", "a", " + a"),
    ("", "a", " and a == b"),
];

fn nested(form: (&str, &str, &str), depth: usize) -> String {
    let (before, within, behind) = form;
    format!("{}{within}{}", before.repeat(depth), behind.repeat(depth))
}

fn codes(text: &str) -> Vec<&'static str> {
    let (_, diagnostics) = parse_expression(SourceId::default(), text);
    diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn deep_nesting_is_read() {
    for form in FORMS {
        let said = codes(&nested(form, 120));
        assert!(
            said.iter().all(|code| *code == "foreign-operator"),
            "{form:?}: {said:?}"
        );
    }
}

/// Neither pest nor lowering nor the end of the tree may run out of stack: tests run on threads of 2 MiB.
#[test]
fn deeper_nesting_is_refused() {
    for form in FORMS {
        // What only goes on, and does not nest, costs pest no stack.
        let flat = form.0.is_empty() || ["not ", "- ", "! "].contains(&form.0);
        for depth in [300, if flat { 1_500 } else { 20_000 }] {
            let said = codes(&nested(form, depth));
            let refused = |code: &&str| ["nested-too-deeply", "too-many-operators"].contains(code);
            assert!(said.iter().any(refused), "{form:?} {depth}");
        }
    }
}

#[test]
fn other_nesting_is_refused_as_well() {
    for depth in [100, 200, 20_000] {
        let text = format!(
            "rule a {{\n  on tool\n  require true report \"{}x{}\"\n}}\n",
            "{f(\"".repeat(depth),
            "\")}".repeat(depth)
        );
        parse(SourceId::default(), &text);
    }
    let refused = [
        format!("param a: {}json = 1", "object of ".repeat(20_000)),
        format!("param a: {}json{} = 1", "[".repeat(200), "]".repeat(200)),
        format!("const a = ${}.b{}", "(".repeat(200), ")".repeat(200)),
        format!(
            "rule a {{\n  on tool\n  require true report \"\"\n  pass {{\n    tool {}",
            "{\"a\":".repeat(20_000)
        ),
    ];
    for text in refused {
        let (_, said) = parse(SourceId::default(), &text);
        assert_eq!(said[0].code, "nested-too-deeply");
    }
    let read = [
        format!("param a: {}json{} = 1", "[".repeat(120), "]".repeat(120)),
        format!("const a = $.a{}.b{}", "(.c".repeat(120), ")".repeat(120)),
    ];
    for text in read {
        let (_, said) = parse(SourceId::default(), &text);
        assert!(said.is_empty(), "{said:?}");
    }
}

#[test]
fn a_long_list_is_no_deep_one() {
    let text = format!("a in [{}1]", "1, ".repeat(5_000));
    let (expr, said) = parse_expression(SourceId::default(), &text);
    assert!(said.is_empty());
    assert!(matches!(expr.unwrap().kind, ExprKind::Binary(..)));
}

#[test]
fn files_have_limits() {
    let (file, said) = parse(SourceId::default(), &" ".repeat(5 * 1024 * 1024));
    assert_eq!((file.items.len(), said[0].code), (0, "file-too-large"));
    let (_, said) = parse(SourceId::default(), &"const A = 1\n".repeat(500));
    assert_eq!((said.len(), said[100].code), (101, "too-many-errors"));
}

#[test]
fn marks_of_editors_do_not_matter() {
    let text =
        "pack a\n/// Why.\nrule b {\n  on tool\n  require true report \"x\"\n  pass {\n    > {}\n  }\n}\n";
    for text in [
        format!("\u{FEFF}{text}"),
        text.replace('\n', "\r\n"),
        format!("\u{FEFF}{}", text.replace('\n', "\r\n")),
    ] {
        let (file, said) = parse(SourceId::default(), &text);
        assert!(said.is_empty(), "{said:?}");
        assert_eq!(file.items[0].docs, "Why.");
    }
}

/// Good files with a byte removed, doubled or replaced: parsing must come to an end, and say something that fits the
/// text.
#[test]
fn damaged_files_never_panic() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lang/good");
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % below
    };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "wire") {
            continue;
        }
        let good = std::fs::read(&path).unwrap();
        for _ in 0..40 {
            let mut text = good.clone();
            for _ in 0..=next(3) {
                let at = next(text.len());
                match next(4) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, b"{}()[]\"\\/$.:;=<>\n\r'-!&#@\0"[next(25)]),
                    2 => text.truncate(at.max(1)),
                    _ => {
                        let end = (at + next(40)).min(text.len());
                        drop(text.drain(at..end));
                        text.push(b'\n');
                    }
                }
            }
            let text = String::from_utf8_lossy(&text);
            let (_, said) = parse(SourceId::default(), &text);
            for label in said.iter().flat_map(|diagnostic| &diagnostic.labels) {
                let range = label.span.start as usize..label.span.end as usize;
                assert!(text.get(range.clone()).is_some(), "{range:?} of {text}");
            }
        }
    }
}
