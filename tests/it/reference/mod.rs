//! The meaning of rules, evaluated plainly, and the engine held to it.
//!
//! The evaluator follows the numbered sentences of the semantics (S1 to S11) one by one, over the whole recording,
//! without waiting, planning or indexes. It shares with the engine the facts (what the model builder makes of events)
//! and the code of the builtins, which have tests of their own; nothing else.

mod attributes;
mod choices;
mod compare;
mod eval;
mod evidence;
mod expressions;
mod facts;
mod faults;
mod forms;
mod generated;
mod histories;
mod judge;
mod lists;
mod operators;
mod rules;
mod traffic;
mod value;

use std::path::{Path, PathBuf};

use wirelint::bundled;
use wirelint::input::{Input, Limits, Recording, discover};
use wirelint::lang::ast::Level;
use wirelint::lang::check::{Settings, check};
use wirelint::lang::parse::parse;
use wirelint::lang::program::Program;
use wirelint::source::SourceMap;

use compare::{Compared, FEW};

/// The program of some files, every rule on; or what is wrong with them.
fn program(files: &[(&str, &str)]) -> Result<Program, String> {
    let mut sources = SourceMap::default();
    let mut parsed = vec![];
    let mut said = vec![];
    for (name, text) in files {
        let id = sources.add(*name, *text);
        let (file, mut diagnostics) = parse(id, text);
        parsed.push(file);
        said.append(&mut diagnostics);
    }
    let settings = Settings {
        levels: vec![("*".to_owned(), Level::Warning)],
        ..Settings::default()
    };
    let (program, diagnostics) = check(&parsed, &sources, &settings);
    said.extend(diagnostics);
    said.retain(|d| d.severity == wirelint::diagnostic::Severity::Error);
    if said.is_empty() {
        Ok(program)
    } else {
        Err(crate::syntax::rendered(&sources, &said))
    }
}

fn recordings(folder: &Path) -> Vec<PathBuf> {
    let found = discover(&[folder.to_owned()]).unwrap();
    let files = found.inputs.into_iter().filter_map(|input| match input {
        Input::File(path) => Some(path),
        Input::Stdin => None,
    });
    files.collect()
}

/// Every bundled rule on every recording of a folder.
fn bundled_over(folder: &Path) {
    let program = program(bundled::FILES).unwrap_or_else(|said| panic!("{said}"));
    let compared = Compared::new(program);
    let mut pairs = 0;
    for path in recordings(folder) {
        let open = |block| {
            let limits = Limits {
                block,
                ..Limits::default()
            };
            Recording::open(&Input::File(path.clone()), 0, limits).unwrap()
        };
        match compared.hold(FEW, &open) {
            Ok(judged) => pairs += judged,
            Err(wrong) => panic!("{}: {wrong}", path.display()),
        }
    }
    assert!(pairs > 0, "no rule was applicable");
}

#[test]
fn bundled_rules_mean_the_same_over_the_recordings_of_the_tests() {
    bundled_over(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings"));
}

#[test]
fn bundled_rules_mean_the_same_over_real_recordings() {
    if let Some(folder) = crate::input::shared_folder("recordings") {
        bundled_over(&folder);
    }
}

#[test]
fn bundled_rules_mean_the_same_over_real_dumps() {
    if let Some(folder) = crate::input::shared_folder("dumps") {
        bundled_over(&folder);
    }
}
