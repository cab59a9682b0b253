//! What a run found, ready to be reported: no engine types, no offsets, everything sendable.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::lang::ast::{Level, Outcome, Party};
use crate::place::Place;

/// A rule failed on a subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// `pack/name`, or `recording/CODE` for a fault of the recording itself.
    pub rule: Arc<str>,
    /// How much it weighs.
    pub level: Level,
    /// Who is at fault; `None` if the recording does not show who sent what.
    pub fault: Option<Party>,
    /// What is wrong, holes filled in.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// Where; the first is primary. Empty only if nothing of it stands anywhere.
    pub labels: Vec<Mark>,
    /// How many further findings `once per` merged into this one.
    pub repeats: u32,
}

/// A place with what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub place: Place,
    /// What.
    pub text: Option<String>,
}

/// What was checked, of one recording or of a whole run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Recordings read.
    pub recordings: u64,
    /// Messages, malformed ones included.
    pub messages: u64,
    /// HTTP exchanges.
    pub exchanges: u64,
    /// Sessions.
    pub sessions: u64,
    /// Entries of tool catalogues, each time they were listed.
    pub tools: u64,
    /// Catalogues of tools, prompts or resources.
    pub catalogues: u64,
    /// Per rule, how its subjects ended.
    pub rules: BTreeMap<Arc<str>, Tally>,
    /// Why something was undecided: reason → how often it was the first one.
    pub undecided: BTreeMap<String, u64>,
    /// The same for each rule that it befell.
    pub reasons: BTreeMap<Arc<str>, BTreeMap<String, u64>>,
    /// Limits that were met, in words.
    pub limits: BTreeMap<String, u64>,
}

/// How the subjects of a rule ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Judged and right.
    pub passed: u64,
    /// Judged and wrong.
    pub failed: u64,
    /// The recording cannot show it.
    pub undecided: u64,
    /// Not concerned. Subjects that the rule's `on` excludes by kind, method, side or transport are not counted one by one.
    pub not_applicable: u64,
}

impl Tally {
    /// Counts one subject.
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Undecided => self.undecided += 1,
            Outcome::NotApplicable => self.not_applicable += 1,
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.undecided += other.undecided;
        self.not_applicable += other.not_applicable;
    }
}

/// Why a run checked nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unchecked {
    /// There was neither a message nor a catalogue.
    Empty,
    /// No rule is in use.
    NoRules,
    /// No rule applied to anything.
    Inapplicable,
    /// No rule could be decided.
    Undecided,
}

impl Summary {
    /// Why nothing was checked, if so: such a run must not pass for one that found nothing.
    pub fn unchecked(&self) -> Option<Unchecked> {
        let all = || self.rules.values();
        let applied = all().any(|tally| tally.passed + tally.failed + tally.undecided > 0);
        // Lines that are no messages make a session as well.
        if !applied && self.messages + self.exchanges + self.catalogues == 0 {
            Some(Unchecked::Empty)
        } else if self.rules.is_empty() {
            Some(Unchecked::NoRules)
        } else if !applied {
            Some(Unchecked::Inapplicable)
        } else if !all().any(|tally| tally.passed + tally.failed > 0) {
            Some(Unchecked::Undecided)
        } else {
            None
        }
    }

    /// A rule was undecided, for a reason.
    pub fn undecide(&mut self, rule: &Arc<str>, reason: String, count: u64) {
        let of_rule = self.reasons.entry(Arc::clone(rule)).or_default();
        *of_rule.entry(reason.clone()).or_default() += count;
        *self.undecided.entry(reason).or_default() += count;
    }

    /// The rules that were undecided for a reason, those most often first.
    pub fn undecided_for(&self, reason: &str) -> Vec<&str> {
        let mut rules: Vec<(u64, &Arc<str>)> = vec![];
        for (rule, reasons) in &self.reasons {
            rules.extend(reasons.get(reason).map(|n| (*n, rule)));
        }
        rules.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
        rules.into_iter().map(|(_, rule)| &**rule).collect()
    }

    /// Adds what was checked elsewhere.
    pub fn add(&mut self, other: &Summary) {
        self.recordings += other.recordings;
        self.messages += other.messages;
        self.exchanges += other.exchanges;
        self.sessions += other.sessions;
        self.tools += other.tools;
        self.catalogues += other.catalogues;
        for (rule, tally) in &other.rules {
            self.rules.entry(Arc::clone(rule)).or_default().add(*tally);
        }
        for (reason, count) in &other.undecided {
            *self.undecided.entry(reason.clone()).or_default() += count;
        }
        for (rule, reasons) in &other.reasons {
            let own = self.reasons.entry(Arc::clone(rule)).or_default();
            for (reason, count) in reasons {
                *own.entry(reason.clone()).or_default() += count;
            }
        }
        for (limit, count) in &other.limits {
            *self.limits.entry(limit.clone()).or_default() += count;
        }
    }
}
