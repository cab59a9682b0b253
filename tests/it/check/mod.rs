//! The checker of the rule language.

mod program;

use wirelint::diagnostic::Diagnostic;
use wirelint::lang::ast::File;
use wirelint::lang::check::{Settings, check};
use wirelint::lang::parse::parse;
use wirelint::lang::program::Program;
use wirelint::source::SourceMap;

use crate::syntax::{files, golden, rendered};

/// What a line of a test begins with that goes on in another file: `//---- NAME`.
const NEXT_FILE: &str = "//---- ";

/// The files of one test, parsed without a word.
fn parsed(name: &str, text: &str) -> (SourceMap, Vec<File>) {
    let mut sources = SourceMap::default();
    let mut files = Vec::new();
    let mut rest = Some((name, text));
    while let Some((name, text)) = rest {
        let end = text
            .find(&format!("\n{NEXT_FILE}"))
            .map_or(text.len(), |at| at + 1);
        rest = text[end..]
            .strip_prefix(NEXT_FILE)
            .and_then(|more| more.split_once('\n'));
        let id = sources.add(name, &text[..end]);
        let (file, diagnostics) = parse(id, &text[..end]);
        assert_eq!(rendered(&sources, &diagnostics), "", "{name} does not parse");
        files.push(file);
    }
    (sources, files)
}

/// The program of a text, and what is said about it.
fn checked(name: &str, text: &str, settings: &Settings) -> (Program, SourceMap, Vec<Diagnostic>) {
    let (sources, files) = parsed(name, text);
    let (program, diagnostics) = check(&files, &sources, settings);
    (program, sources, diagnostics)
}

/// As for the parser: each file shows one mistake, what is said about it stands beside it.
#[test]
fn mistakes_are_explained() {
    let wrong: Vec<String> = files("check")
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy();
            let (_, sources, diagnostics) = checked(&name, &text, &Settings::default());
            if diagnostics.is_empty() {
                return Some(format!("nothing is wrong with {name}"));
            }
            golden(&path.with_extension("stderr"), &rendered(&sources, &diagnostics)).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files with a line left out still get an answer, whatever it is.
#[test]
fn damaged_files_never_panic() {
    for path in files("check").into_iter().chain(files("good")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for gone in 0..lines.len() {
            let mut rest = lines.clone();
            rest.remove(gone);
            let text = rest.join("\n");
            let mut sources = SourceMap::default();
            let id = sources.add("damaged.wire", text.as_str());
            let (file, _) = parse(id, &text);
            check(&[file], &sources, &Settings::default());
        }
    }
}
