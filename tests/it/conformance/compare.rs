//! Whether rules and suite say the same of a recording, and what becomes of it if they do not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use wirelint::lang::ast::Party;
use wirelint::lang::check::name_matches;

use super::checks::{Asked, Check, check_of};
use super::seen::{Exchange, Fault, Seen};
use super::verdicts::Verdict;
use crate::cli::root;

/// One verdict of the suite on one recording, compared.
#[derive(Debug)]
pub struct Case {
    pub check: String,
    pub recording: String,
    /// The recording, the check and, where it has several, its name.
    pub key: String,
    /// The suite found a fault.
    pub bad: bool,
    /// One of the rules judged something in the recording.
    pub judged: bool,
    /// Why the rules disagree.
    pub wrong: Option<String>,
}

fn is_one_of(patterns: &[String], rule: &str) -> bool {
    patterns.iter().any(|pattern| name_matches(pattern, rule))
}

/// A recording with what one verdict asks of it.
struct Look<'a> {
    seen: &'a Seen,
    verdict: &'a Verdict,
    asked: Asked,
    side: Party,
}

impl Look<'_> {
    fn other(&self) -> Party {
        match self.side {
            Party::Client => Party::Server,
            _ => Party::Client,
        }
    }

    fn exchanges(&self, such: impl Fn(&Exchange) -> bool) -> BTreeSet<u64> {
        let found = self.seen.exchanges.iter();
        let found = found.filter(|(_, exchange)| such(exchange));
        found.map(|(number, _)| *number).collect()
    }

    /// The exchanges that the verdict is about, if it tells them.
    fn places(&self) -> Option<BTreeSet<u64>> {
        let of = match self.asked.of.as_deref() {
            Some("_") => {
                let named = self.verdict.name.split_once('_').map_or("", |(_, named)| named);
                Some(self.exchanges(|e| e.method.replace('/', "_") == named || e.target == named))
            }
            Some(method) => Some(self.exchanges(|e| e.method == method)),
            None => None,
        };
        if self.asked.at.is_empty() {
            return of;
        }
        let at = self.stimuli(&self.asked.at).filter_map(|fault| fault.exchange);
        Some(
            at.filter(|number| of.as_ref().is_none_or(|of| of.contains(number)))
                .collect(),
        )
    }

    /// What the other side did wrong on purpose.
    fn stimuli(&self, rules: &[String]) -> impl Iterator<Item = &Fault> {
        let by = Some(self.other());
        let faults = self.seen.faults.iter();
        faults.filter(move |fault| fault.by == by && is_one_of(rules, &fault.rule))
    }

    /// What the rules of the check find in some exchanges.
    fn faults(&self, places: Option<&BTreeSet<u64>>) -> impl Iterator<Item = &Fault> {
        self.seen.faults.iter().filter(move |fault| {
            fault.by == Some(self.side)
                && is_one_of(&self.asked.rules, &fault.rule)
                && places.is_none_or(|places| fault.exchange.is_some_and(|number| places.contains(&number)))
        })
    }

    /// Why the rules do not see that the other side broke what this is a reaction to.
    fn no_stimulus(&self, places: Option<&BTreeSet<u64>>) -> Option<String> {
        let Asked { at, beside, .. } = &self.asked;
        let missing = if !at.is_empty() && places.is_some_and(BTreeSet::is_empty) {
            at
        } else if !beside.is_empty() && self.stimuli(beside).next().is_none() {
            beside
        } else {
            return None;
        };
        let other = self.other().word();
        Some(format!("the {other} is not blamed for {missing:?}"))
    }

    fn wrongly_blamed(&self, places: Option<&BTreeSet<u64>>) -> Option<String> {
        let fault = self.faults(places).next()?;
        Some(format!(
            "it succeeded, but `{}` says in exchange {:?}: {}",
            fault.rule, fault.exchange, fault.text
        ))
    }

    fn not_blamed(&self, places: Option<&BTreeSet<u64>>) -> Option<String> {
        self.verdict.complaints().into_iter().find_map(|complaint| {
            let told = self.exchanges(|e| complaint.words.contains(&&*e.method));
            let places = places.or(Some(&told).filter(|told| !told.is_empty()));
            let faults: Vec<&Fault> = self.faults(places).collect();
            let missed = |member: &&&str| !faults.iter().any(|fault| fault.text.contains(**member));
            let member = complaint.members.iter().find(missed);
            match (faults.is_empty(), member) {
                (true, _) => Some(format!(
                    "it failed, but nothing is found of {:?} in {places:?}",
                    self.asked.rules
                )),
                (_, Some(member)) => Some(format!("it failed, but nothing found says `{member}`")),
                _ => None,
            }
        })
    }

    fn wrong(&self) -> Option<String> {
        let places = self.places();
        let places = places.as_ref();
        self.no_stimulus(places).or_else(|| match self.verdict.good {
            Some(true) => self.wrongly_blamed(places),
            _ => self.not_blamed(places),
        })
    }
}

/// Compares what the suite says of a recording with what is seen in it.
pub fn compare(checks: &[Check], recording: &str, seen: &Seen, verdicts: &[Verdict]) -> Vec<Case> {
    let of = |verdict: &Verdict| {
        check_of(checks, &verdict.id)
            .unwrap_or_else(|| panic!("tests/conformance/checks.txt does not know `{}`", verdict.id))
    };
    let tested = verdicts.iter().find_map(|verdict| of(verdict).side);
    let mut cases = vec![];
    for verdict in verdicts {
        let check = of(verdict);
        let (Some(good), Some(asked)) = (verdict.good, check.asked(&verdict.name)) else {
            continue;
        };
        let side = check.side.or(tested);
        let side = side.unwrap_or_else(|| panic!("{recording}: nobody knows who is tested"));
        let look = Look {
            seen,
            verdict,
            asked,
            side,
        };
        let same = || verdicts.iter().filter(|other| other.id == verdict.id);
        // That one case went well says nothing if another went wrong and neither tells where.
        if good && look.places().is_none() && same().any(|other| other.good == Some(false)) {
            continue;
        }
        let several = same().count() > 1;
        cases.push(Case {
            check: verdict.id.clone(),
            recording: recording.to_owned(),
            key: [recording, &verdict.id]
                .into_iter()
                .chain(several.then_some(&*verdict.name))
                .collect::<Vec<_>>()
                .join(" "),
            bad: !good,
            judged: seen.judged.iter().any(|rule| is_one_of(&look.asked.rules, rule)),
            wrong: look.wrong(),
        });
    }
    cases
}

/// The disagreements that are right, each with its reason.
fn departures() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("tests/conformance/departures.txt")).unwrap();
    let mut departures = BTreeMap::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (key, why) = line
            .split_once(" // ")
            .unwrap_or_else(|| panic!("no reason: {line}"));
        let before = departures.insert(key.trim().to_owned(), why.to_owned());
        assert!(before.is_none(), "listed twice: {line}");
    }
    departures
}

#[derive(Default)]
struct Row<'c> {
    recordings: BTreeSet<&'c str>,
    faults: usize,
    clean: usize,
    unjudged: usize,
    departures: usize,
    disagreements: usize,
}

impl<'c> Row<'c> {
    fn add(&mut self, case: &'c Case, departures: &BTreeMap<String, String>) {
        self.recordings.insert(&case.recording);
        match &case.wrong {
            Some(_) if departures.contains_key(&case.key) => self.departures += 1,
            Some(_) => self.disagreements += 1,
            None if case.bad => self.faults += 1,
            None if case.judged => self.clean += 1,
            None => self.unjudged += 1,
        }
    }

    fn cells(&self) -> [usize; 6] {
        [
            self.recordings.len(),
            self.faults,
            self.clean,
            self.unjudged,
            self.departures,
            self.disagreements,
        ]
    }
}

/// A table of what was compared: for each check the recordings, the faults and the successes on which both agree, the successes on which no
/// rule had anything to judge, the departures and the disagreements.
fn table(cases: &[Case], departures: &BTreeMap<String, String>) -> String {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut all = Row::default();
    for case in cases {
        rows.entry(&case.check).or_default().add(case, departures);
        all.add(case, departures);
    }
    let wide = rows.keys().map(|check| check.len()).max().unwrap_or_default();
    let heads = [
        "recordings",
        "faults",
        "clean",
        "unjudged",
        "departures",
        "disagreements",
    ];
    let mut out = format!("{:wide$}", "check");
    for head in heads {
        let _ = write!(out, " {head}");
    }
    for (check, row) in rows.into_iter().chain([("all", all)]) {
        let _ = write!(out, "\n{check:wide$}");
        for (head, cell) in heads.iter().zip(row.cells()) {
            let _ = write!(out, " {cell:>width$}", width = head.len());
        }
    }
    out
}

/// Prints the table, and fails if a disagreement is not listed as a departure, or a listed one is gone. Only the departures of recordings
/// whose names begin with `family:` count; those of files have none.
pub fn settle(cases: &[Case], family: &str) {
    let mut departures = departures();
    departures.retain(|key, _| key.split_once(':').map_or("", |(family, _)| family) == family);
    println!("{}", table(cases, &departures));
    let mut wrong: BTreeMap<&str, &str> = BTreeMap::new();
    for case in cases {
        if let Some(why) = &case.wrong {
            wrong.insert(&case.key, why);
        }
    }
    let gone: Vec<&String> = departures
        .keys()
        .filter(|key| !wrong.contains_key(key.as_str()))
        .collect();
    wrong.retain(|key, _| !departures.contains_key(*key));
    assert!(wrong.is_empty(), "rules and suite disagree: {wrong:#?}");
    assert!(
        gone.is_empty(),
        "these agree now, take them out of tests/conformance/departures.txt: {gone:#?}"
    );
}
