//! The front end of the rule language.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wirelint::bundled;
use wirelint::diagnostic::{Diagnostic, Severity};
use wirelint::lang::ast::{Item, ItemKind, Rule};
use wirelint::lang::parse::{parse, parse_expression, parse_without_examples};
use wirelint::source::{SourceId, SourceMap};

use crate::tree;

/// The rule files of a folder below `tests/lang`, by name.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/lang")
        .join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wire"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no rule files in {}", folder.display());
    files
}

/// Diagnostics as plain text: message, then each place with the text that it underlines, then help.
pub fn rendered(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        writeln!(out, "{severity}[{}]: {}", diagnostic.code, diagnostic.message).unwrap();
        for label in &diagnostic.labels {
            let source = sources.get(label.span.source).unwrap();
            let (line, column) = source.line_column(label.span.start as usize);
            let underlined = sources.slice(label.span);
            let underlined = match underlined.chars().count() {
                0..=60 => format!("{underlined:?}"),
                _ => format!("{:?}…", underlined.chars().take(59).collect::<String>()),
            };
            let text = label
                .text
                .as_deref()
                .map_or(String::new(), |text| format!("  {text}"));
            writeln!(out, "  --> {}:{line}:{column}  {underlined}{text}", source.name).unwrap();
        }
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
        out.push('\n');
    }
    out
}

/// What parsing a text says, rendered.
fn said(name: &str, text: &str) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add(name, text);
    rendered(&sources, &parse(id, text).1)
}

/// Compares with a golden file, or writes it when `BLESS` is set.
pub fn golden(path: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, actual).unwrap();
        return Ok(());
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    Err(format!(
        "{}\n--- expected\n{expected}--- actual\n{actual}",
        path.display()
    ))
}

/// Each file shows one mistake, or a few that belong together; what is said about it stands beside it in a file of the
/// same name with the ending `.stderr`. `BLESS=1 cargo test` rewrites those.
#[test]
fn mistakes_are_explained() {
    let wrong: Vec<String> = files("syntax")
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy();
            let said = said(&name, &text);
            if said.is_empty() {
                return Some(format!("nothing is wrong with {name}"));
            }
            golden(&path.with_extension("stderr"), &said).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each good file parses without a word, and its tree is the one that stands beside it.
#[test]
fn good_files_parse() {
    let wrong: Vec<String> = files("good")
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.display().to_string();
            assert_eq!(said(&name, &text), "");
            let (file, _) = parse(SourceId::default(), &text);
            golden(&path.with_extension("tree"), &tree::file(&file)).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is passed over in the bundled files is examples and nothing else.
#[test]
fn bundled_files_without_examples() {
    for (name, text) in bundled::FILES {
        let (mut whole, _) = parse(SourceId::default(), text);
        for item in &mut whole.items {
            let Some(rule) = rule_of(item) else { continue };
            let first = rule.examples.first().map(|example| example.span.start);
            rule.examples.clear();
            item.span.end = first.map_or(item.span.end, |first| {
                let line = text[..first as usize].rfind('\n').unwrap();
                u32::try_from(line).unwrap() + 2
            });
        }
        let (short, said) = parse_without_examples(SourceId::default(), text);
        assert!(said.is_empty(), "{name}");
        assert!(format!("{short:?}") == format!("{whole:?}"), "{name}");
    }
}

fn rule_of(item: &mut Item) -> Option<&mut Rule> {
    match &mut item.kind {
        ItemKind::Rule(rule) => Some(rule),
        _ => None,
    }
}

/// What the command line takes is read and explained like the expressions of a file.
#[test]
fn single_expressions() {
    let read = |text: &str| {
        let mut sources = SourceMap::default();
        let id = sources.add("expr", text);
        let (expr, diagnostics) = parse_expression(id, text);
        expr.map(|expr| tree::expr(&expr))
            .ok_or_else(|| rendered(&sources, &diagnostics))
    };
    assert_eq!(read(" a.b // c\n == 1 "), Ok("(Equal a.b 1)".to_owned()));
    for (text, said) in [
        ("", "expected a value, found the end"),
        ("a b", "expected an operator or the end, found `b`"),
        ("a ==", "expected a value behind `==`, found the end"),
        ("[1 2]", "expected `,`, `]` or an operator, found `2`"),
        ("a.0", "expected a word behind `.`, found `0`"),
        ("a is", "expected a type or `not`, found the end"),
    ] {
        let explained = read(text).unwrap_err();
        let message = explained.lines().next().unwrap().split_once("]: ").unwrap().1;
        assert_eq!(message, said, "{text:?}");
    }
}
