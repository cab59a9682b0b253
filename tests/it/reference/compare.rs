//! The engine's outcomes against those of the plain evaluator.

use std::collections::{BTreeMap, BTreeSet};

use wirelint::engine::run::{self, Settings, on_threads};
use wirelint::input::Recording;
use wirelint::lang::ast::Outcome;
use wirelint::lang::compile::{Plan, compile};
use wirelint::lang::program::Program;
use wirelint::model::build::Assumptions;
use wirelint::model::record::Record;

use super::eval::Reference;
use super::facts::Facts;

/// How large blocks are, from so small that a recording has many to so large that it has one, and how many threads run.
pub type Ways = &'static [(usize, usize)];

/// All of them.
pub const ALL: Ways = &[
    (64, 1),
    (64, 2),
    (64, 4),
    (1 << 10, 1),
    (1 << 10, 2),
    (1 << 10, 4),
    (1 << 20, 1),
    (1 << 20, 2),
    (1 << 20, 4),
];

/// Each size and number once, for many rules on long recordings.
pub const FEW: Ways = &[(64, 4), (1 << 10, 2), (1 << 20, 1)];

/// A program, as the plain evaluator and as the engine take it.
pub struct Compared {
    program: Program,
    plan: Plan,
    assumptions: Assumptions,
}

/// How a rule judged a subject: by the place of the subject, its index in a listing, and the rule.
pub type Outcomes = BTreeMap<(u64, usize, String), Outcome>;

impl Compared {
    pub fn new(program: Program) -> Self {
        Compared {
            plan: compile(&program),
            program,
            assumptions: Assumptions::default(),
        }
    }

    /// Holds the engine to the plain evaluator; gives how many pairs of rule and subject were applicable.
    pub fn hold(&self, ways: Ways, open: &dyn Fn(usize) -> Recording) -> Result<usize, String> {
        let facts = self.facts(open);
        let meant = self.meant(&facts);
        for (block, threads) in ways {
            let said = self.said(open(*block), *threads);
            if said != meant {
                let wrong = differences(&facts, &meant, &said);
                return Err(format!("in blocks of {block}, on {threads} threads:\n{wrong}"));
            }
        }
        Ok(meant.len())
    }

    /// The facts of a recording.
    pub fn facts(&self, open: &dyn Fn(usize) -> Recording) -> Facts {
        Facts::read(open(1 << 20), self.assumptions.clone(), self.plan.wanted.frames)
    }

    /// How every rule judges every subject that it applies to.
    pub fn meant(&self, facts: &Facts) -> Outcomes {
        let reference = Reference::new(&self.program, facts);
        let mut outcomes = Outcomes::new();
        for record in facts.subjects() {
            for (number, rule) in self.program.rules.iter().enumerate() {
                let outcome = reference.judge(number, &record);
                if outcome != Outcome::NotApplicable {
                    let index = if let Record::Entry(entry) = &record {
                        entry.index
                    } else {
                        0
                    };
                    outcomes.insert((record.ordinal(), index, rule.id.to_string()), outcome);
                }
            }
        }
        outcomes
    }

    fn said(&self, recording: Recording, threads: usize) -> Outcomes {
        let settings = Settings {
            assumptions: self.assumptions.clone(),
            outcomes: true,
            // Rules that are made for the second of its kind already, and as ever.
            alike: (threads == 1).then_some(1),
            ..Settings::default()
        };
        let report = on_threads(Some(threads), || run::one(&self.plan, recording, &settings)).unwrap();
        assert!(report.broken.is_none());
        let judged = report.outcomes.into_iter();
        let applicable = judged.filter(|judged| judged.outcome != Outcome::NotApplicable);
        applicable
            .map(|judged| {
                (
                    (judged.ordinal, judged.index, judged.rule.to_string()),
                    judged.outcome,
                )
            })
            .collect()
    }
}

/// Each pair that was judged otherwise than meant, on a line.
fn differences(facts: &Facts, meant: &Outcomes, said: &Outcomes) -> String {
    let keys: BTreeSet<_> = meant.keys().chain(said.keys()).collect();
    let wrong = keys.into_iter().filter(|key| meant.get(key) != said.get(key));
    let lines = wrong.map(|key| {
        let record = facts.subjects().find(|record| record.ordinal() == key.0);
        let what = record.map_or_else(String::new, |record| describe(&record));
        let (meant, said) = (meant.get(key), said.get(key));
        format!(
            "{} at {}.{}, {what}: meant {meant:?}, said {said:?}\n",
            key.2, key.0, key.1
        )
    });
    lines.collect()
}

/// A record in a few words.
fn describe(record: &Record) -> String {
    let json = record.json().map_or_else(String::new, |json| json.to_text());
    format!(
        "{} {}",
        record.subject().word(),
        json.chars().take(120).collect::<String>()
    )
}
