//! Examples of rules: run, and compared with what they say.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::load::Loaded;
use crate::diagnostic::Diagnostic;
use crate::engine::run::{Report, Settings as RunSettings, run_events};
use crate::input::transcript;
use crate::lang::ast::{Example, Outcome, Setting};
use crate::lang::check::{Checker, Settings};
use crate::lang::compile::{Plan, compile_alone};
use crate::lang::program::{Program, Rule, RuleId};
use crate::model::build::Assumptions;

/// An example that was run.
pub(super) struct Trial<'p> {
    /// Its rule.
    pub(super) rule: &'p Rule,
    /// The example.
    pub(super) example: &'p Example,
    /// What came.
    pub(super) report: Report,
}

impl Trial<'_> {
    /// How many subjects ended so.
    pub(super) fn count(&self, outcome: Outcome) -> usize {
        let such = self
            .report
            .outcomes
            .iter()
            .filter(|judged| judged.outcome == outcome);
        such.count()
    }

    /// What it shows: that something fails, else that something is undecided, else that something passes.
    pub(super) fn outcome(&self) -> Outcome {
        [Outcome::Failed, Outcome::Undecided, Outcome::Passed]
            .into_iter()
            .find(|outcome| self.count(*outcome) > 0)
            .unwrap_or(Outcome::NotApplicable)
    }

    /// Whether it shows what it says.
    pub(super) fn holds(&self) -> bool {
        self.outcome() == self.example.outcome
    }

    /// Why subjects are undecided, each reason once.
    pub(super) fn reasons(&self) -> Vec<&str> {
        let reasons = self.report.outcomes.iter().filter_map(|j| j.reason.as_deref());
        let mut reasons: Vec<&str> = reasons.collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }
}

/// Runs the examples of some rules, each with nothing but its rule and what that rests on, so that an example also
/// shows that the rule asks for all it needs. `each` is told what came.
pub(super) fn run<'p>(
    loaded: &Loaded,
    program: &'p Program,
    rules: &[RuleId],
    mut each: impl FnMut(Trial<'p>),
) -> Result<(), Vec<Diagnostic>> {
    let checker = Checker::new(&loaded.files, &loaded.sources);
    let mut programs: BTreeMap<String, Program> = BTreeMap::new();
    for id in rules {
        let rule = &program.rules[*id];
        let mut plans: BTreeMap<String, Plan> = BTreeMap::new();
        for example in &rule.examples {
            let key = key(loaded, &example.with);
            let plan = match plans.entry(key.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let program = match programs.entry(key) {
                        Entry::Vacant(new) if example.with.is_empty() => new.insert(program.clone()),
                        Entry::Vacant(new) => new.insert(with(&checker, &example.with)?),
                        Entry::Occupied(known) => known.into_mut(),
                    };
                    new.insert(compile_alone(program, *id))
                }
            };
            let settings = RunSettings {
                assumptions: Assumptions {
                    begins: transcript::begins(example),
                    joined: true,
                    ..Assumptions::default()
                },
                outcomes: true,
                ..RunSettings::default()
            };
            let events = transcript::events(example, &plan.wanted);
            let report = run_events(plan, "example", events, &settings);
            each(Trial {
                rule,
                example,
                report,
            });
        }
    }
    Ok(())
}

/// Parameters as they are written, so that equal ones are read once.
fn key(loaded: &Loaded, with: &[Setting]) -> String {
    let said = with.iter().map(|setting| {
        format!(
            "{} = {}",
            setting.name.node,
            loaded.sources.slice(setting.value.span)
        )
    });
    said.collect::<Vec<_>>().join(", ")
}

fn with(checker: &Checker<'_>, with: &[Setting]) -> Result<Program, Vec<Diagnostic>> {
    let parameters = with
        .iter()
        .map(|setting| (setting.name.node.clone(), setting.value.clone()));
    let settings = Settings {
        parameters: parameters.collect(),
        ..Settings::default()
    };
    let (program, faults) = checker.check(&settings);
    let faults: Vec<Diagnostic> = faults.into_iter().filter(super::load::is_error).collect();
    if faults.is_empty() {
        Ok(program)
    } else {
        Err(faults)
    }
}
