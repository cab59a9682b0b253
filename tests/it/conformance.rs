//! The official conformance suite and the rules see the same in a recording. `tests/conformance/checks.txt` says which rules
//! stand for which check; `tests/conformance/departures.txt` lists where both differ with reason.

#![expect(
    clippy::print_stdout,
    reason = "what was compared is shown, and why a test is skipped"
)]

mod checks;
mod compare;
mod seen;
mod verdicts;

use std::path::{Path, PathBuf};

pub use checks::checks;
pub use compare::{Case, settle};
pub use verdicts::{Verdict, verdicts};

use crate::cli::root;
use checks::Check;
use compare::compare;
use seen::{Seen, rules};
use verdicts::verdicts_of;

/// A recording of the suite, with what the suite said.
#[derive(Debug)]
pub struct Tested {
    pub name: String,
    pub path: PathBuf,
    pub verdicts: Vec<Verdict>,
}

/// The recordings of a folder of which a file has verdicts.
fn tested(folder: &Path, verdicts: &Path) -> Vec<Tested> {
    let one = |(name, verdicts)| Tested {
        path: folder.join(&name),
        name,
        verdicts,
    };
    verdicts_of(verdicts).into_iter().map(one).collect()
}

fn seen(checks: &[Check], tested: &[Tested]) -> Vec<Seen> {
    let paths: Vec<&Path> = tested.iter().map(|one| &*one.path).collect();
    rules(checks).see(&paths)
}

/// Lints recordings and compares.
pub fn compared(tested: &[Tested]) -> Vec<Case> {
    let checks = checks();
    let pairs = tested.iter().zip(seen(&checks, tested));
    pairs
        .flat_map(|(one, seen)| compare(&checks, &one.name, &seen, &one.verdicts))
        .collect()
}

fn ours() -> Vec<Tested> {
    let folder = root().join("tests/conformance");
    tested(&folder, &folder.join("verdicts.json"))
}

#[test]
fn checks_name_rules_that_exist() {
    let checks = checks();
    let lacking = rules(&checks).lack(&checks);
    assert!(lacking.is_empty(), "no such rules: {lacking:?}");
}

#[test]
fn rules_and_suite_agree_on_small_recordings() {
    let cases = compared(&ours());
    println!("{cases:#?}");
    assert!(cases.iter().all(|case| case.wrong.is_none()), "{cases:#?}");
}

/// What is compared is not compared in vain: a verdict that is turned around is noticed.
#[test]
fn a_wrong_verdict_is_a_disagreement() {
    let (checks, tested) = (checks(), ours());
    let mut turned = 0;
    for (one, seen) in tested.iter().zip(seen(&checks, &tested)) {
        for (number, verdict) in one.verdicts.iter().enumerate() {
            let Some(good) = verdict.good else { continue };
            let mut verdicts = one.verdicts.clone();
            verdicts[number].good = Some(!good);
            let cases = compare(&checks, &one.name, &seen, &verdicts);
            let noticed = cases.iter().any(|case| case.wrong.is_some());
            assert!(noticed, "{}: {verdict:?}", one.name);
            turned += 1;
        }
    }
    assert!(turned > 20, "only {turned} verdicts");
}

#[test]
fn rules_and_suite_agree_on_real_recordings() {
    let Some(folder) = crate::input::shared_folder("recordings") else {
        return;
    };
    let tested = tested(&folder.join("conformance"), &folder.join("verdicts.json"));
    assert!(!tested.is_empty());
    settle(&compared(&tested), "");
}
