//! Bundled rules over the traffic of a row.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use wirelint::bundled;
use wirelint::diagnostic::{Diagnostic, Severity};
use wirelint::engine::finding::Finding;
use wirelint::engine::run::{Settings as RunSettings, run_events};
use wirelint::input::transcript;
use wirelint::lang::ast::{File, ItemKind, Level, Outcome, Step};
use wirelint::lang::check::{Checker, Settings};
use wirelint::lang::compile::{Plan, compile};
use wirelint::lang::parse::parse;
use wirelint::model::build::Assumptions;
use wirelint::source::SourceMap;

use super::read::{Cell, DEFAULT};
use crate::syntax::rendered;

/// The bundled rules.
pub struct Bundle {
    sources: SourceMap,
    files: Vec<File>,
    /// By profile.
    plans: Mutex<BTreeMap<String, &'static Plan>>,
}

/// What became of a rule.
#[derive(Debug)]
pub enum Got {
    Off,
    /// The strongest of its outcomes; what failed: number of the message, text.
    Judged(Outcome, Vec<(usize, String)>),
}

impl Got {
    pub fn failed(findings: Vec<(usize, String)>) -> Got {
        Got::Judged(Outcome::Failed, findings)
    }

    /// Whether that is what a cell says.
    pub fn is_as(&self, cell: &Cell) -> bool {
        match (self, cell) {
            (Got::Off, Cell::Off)
            | (Got::Judged(Outcome::Passed, _), Cell::Passed)
            | (Got::Judged(Outcome::NotApplicable, _), Cell::NotApplicable)
            | (Got::Judged(Outcome::Undecided, _), Cell::Undecided) => true,
            (Got::Judged(Outcome::Failed, findings), Cell::Failed { at, says }) => {
                let numbers = findings.iter().map(|(number, _)| number);
                at.as_ref().is_none_or(|at| numbers.eq(at))
                    && says
                        .as_ref()
                        .is_none_or(|says| findings.iter().all(|(_, text)| text.contains(says)))
            }
            _ => false,
        }
    }
}

impl fmt::Display for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Got::Off => f.write_str("off"),
            Got::Judged(outcome, findings) => {
                let word = match outcome {
                    Outcome::Passed => "passed",
                    Outcome::Failed => "failed",
                    Outcome::NotApplicable => "not applicable",
                    Outcome::Undecided => "undecided",
                };
                f.write_str(word)?;
                for (number, text) in findings {
                    write!(f, " at {number}: {text:?}")?;
                }
                Ok(())
            }
        }
    }
}

impl Bundle {
    pub fn read() -> Bundle {
        let mut sources = SourceMap::default();
        let files = bundled::FILES.iter().map(|(name, text)| {
            let source = sources.add(*name, *text);
            parse(source, text).0
        });
        let files = files.collect();
        Bundle {
            sources,
            files,
            plans: Mutex::default(),
        }
    }

    /// What rules say that they rest on.
    pub fn sources(&self, rule: &str) -> Vec<&'static str> {
        let plan = self.plan(DEFAULT);
        let rules = plan.program.rules.iter().filter(|known| &*known.name == rule);
        rules
            .flat_map(|rule| rule.sources.iter().map(|source| &**source))
            .collect()
    }

    fn plan(&self, profile: &str) -> &'static Plan {
        let mut plans = self.plans.lock().unwrap();
        if let Some(plan) = plans.get(profile) {
            return plan;
        }
        let mut settings = Settings::default();
        if profile != DEFAULT {
            settings.profiles.push(profile.to_owned());
        }
        let (program, said) = Checker::new(&self.files, &self.sources).check(&settings);
        self.refuse_errors(profile, &said);
        let plan: &'static Plan = Box::leak(Box::new(compile(&program)));
        plans.insert(profile.to_owned(), plan);
        plan
    }

    fn refuse_errors(&self, what: &str, said: &[Diagnostic]) {
        let errors: Vec<Diagnostic> = said
            .iter()
            .filter(|said| said.severity == Severity::Error)
            .cloned()
            .collect();
        assert!(errors.is_empty(), "{what}: {}", rendered(&self.sources, &errors));
    }

    /// Runs all rules of a profile over traffic; says what became of some of them.
    pub fn judge(&self, id: &str, traffic: &str, profile: &str, rules: &[String]) -> Vec<Got> {
        let plan = self.plan(profile);
        let lines = traffic.replace('\n', "\n    ");
        let text = format!(
            "pack golden\n\nrule row {{\n  severity note\n\n  on message\n\n  require message.index >= 0\n    report \"\"\n    at message\n\n  pass {{\n    {}\n  }}\n}}\n",
            lines.trim_end()
        );
        let mut sources = SourceMap::default();
        let source = sources.add(id, &*text);
        let (file, said) = parse(source, &text);
        assert!(said.is_empty(), "{id}: {}", rendered(&sources, &said));
        let example = file
            .items
            .iter()
            .find_map(|item| match &item.kind {
                ItemKind::Rule(rule) => rule.examples.first(),
                _ => None,
            })
            .unwrap();
        // Steps are counted from 1 in the places of findings, messages and entries in the cells.
        let mut message = 0;
        let numbers: Vec<usize> = example
            .steps
            .iter()
            .map(|step| {
                message += usize::from(matches!(step, Step::Message(_) | Step::Entry { .. }));
                message
            })
            .collect();
        let settings = RunSettings {
            assumptions: Assumptions {
                begins: transcript::begins(example),
                joined: true,
                ..Assumptions::default()
            },
            outcomes: true,
            ..RunSettings::default()
        };
        let report = run_events(plan, id, transcript::events(example, &plan.wanted), &settings);
        let got = |name: &String| {
            let rule = plan.program.rules.iter().find(|rule| *rule.name == **name);
            let rule = rule.unwrap_or_else(|| panic!("{id}: there is no rule `{name}`"));
            if rule.level == Level::Off {
                return Got::Off;
            }
            let of_rule = report.outcomes.iter().filter(|judged| judged.rule == rule.id);
            let outcomes: Vec<Outcome> = of_rule.map(|judged| judged.outcome).collect();
            let strongest = [Outcome::Failed, Outcome::Undecided, Outcome::Passed];
            let outcome = strongest.into_iter().find(|outcome| outcomes.contains(outcome));
            let of_rule = report.findings.iter().filter(|finding| finding.rule == rule.id);
            let findings = of_rule.map(|finding| (number(finding, &numbers), words(finding)));
            Got::Judged(outcome.unwrap_or(Outcome::NotApplicable), findings.collect())
        };
        rules.iter().map(got).collect()
    }
}

/// The number of the message at which a finding points; 0 if it points at none.
fn number(finding: &Finding, numbers: &[usize]) -> usize {
    let mark = finding.labels.first();
    let step = mark.map_or(0, |mark| mark.place.record.line as usize);
    step.checked_sub(1)
        .and_then(|step| numbers.get(step))
        .copied()
        .unwrap_or(0)
}

/// What a finding says: its message, then what it says of places.
fn words(finding: &Finding) -> String {
    let labels = finding.labels.iter().filter_map(|mark| mark.text.as_deref());
    let words: Vec<&str> = std::iter::once(finding.message.as_str()).chain(labels).collect();
    words.join("; ")
}
