//! The records of one recording, in order: attributes, then verdicts, then what history keeps.

mod verdicts;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::answer::{Answer, Answers};
use super::circumstances::{Admission, Circumstances, admits};
use super::eval::{Evaluator, live};
use super::finding::{Finding, Summary, Tally};
use super::judge::{Failure, Judgement, judge};
use super::regroup::Regroup;
use super::run::Settings;
use super::sight::{Sights, Watch};
use super::turns::{ALIKE, Turn, Turns};
use super::world::{World, entry};
use crate::input::event::Event;
use crate::lang::ast::Outcome;
use crate::lang::compile::Plan;
use crate::lang::program::RuleId;
use crate::model::build::{Builder, Occurrence};
use crate::model::record::{Exchange, Fact, Listing, MessageRef, Ordinal, Record, Seen, Session};
use crate::model::subject::Subject;
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::Value;

/// Where a finding belongs in the output: its subject, the entry of a listing, the rule, and its own number.
type Position = (Ordinal, usize, RuleId, usize);

/// What a fold found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
    pub(crate) summary: Summary,
    /// Every pair of rule and subject that a rule's `on` lets in, if they were asked for.
    pub(crate) outcomes: Vec<Judged>,
    /// What was asked of every record, if it was asked.
    pub(crate) answers: Vec<Answer>,
    /// What passed, if it was asked for.
    pub(crate) sights: Sights,
}

/// How a rule judged a subject: for tests and examples.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Judged {
    /// Position of the subject in the recording.
    pub ordinal: Ordinal,
    /// Index of an entry in its listing, else 0.
    pub index: usize,
    /// The rule.
    pub rule: Arc<str>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it is undecided: the first reason.
    pub reason: Option<String>,
}

/// A rule that waits for what its subject does not know yet.
struct Job {
    rule: RuleId,
    record: Record,
}

/// Runs a plan over one recording.
pub(crate) struct Fold<'p> {
    plan: &'p Plan,
    /// Gives events their sessions, if the run says what makes them.
    regroup: Option<Regroup<'p>>,
    builder: Builder,
    world: World,
    turns: Turns,
    happened: Vec<Occurrence>,
    jobs: BTreeMap<Position, Job>,
    /// Jobs by the ordinal of the request or exchange that they wait for.
    waiting: HashMap<Ordinal, Vec<Position>>,
    findings: BTreeMap<Position, Finding>,
    per_rule: Vec<usize>,
    /// How the subjects of each rule ended.
    tallies: Vec<Tally>,
    undecided: BTreeMap<(Reason, RuleId), u64>,
    once: HashMap<(RuleId, String, u64), Vec<(Value, Position)>>,
    totals: BTreeMap<Subject, u64>,
    sessions: BTreeMap<Ordinal, Arc<Session>>,
    keep_sessions: bool,
    record_outcomes: bool,
    /// If they are asked for.
    answers: Option<Answers<Position>>,
    /// If what passes is asked for.
    watch: Option<Watch>,
    found: Found,
}

impl<'p> Fold<'p> {
    pub(crate) fn new(plan: &'p Plan, name: &str, settings: &Settings) -> Self {
        let (limits, record_outcomes) = (settings.limits, settings.outcomes);
        let mut assumptions = settings.assumptions.clone();
        assumptions.frames = plan.wanted.frames;
        assumptions.events = plan.events;
        let world = World::new(plan, assumptions.begins, limits);
        let keep_sessions = plan.dispatch.rules.contains_key(&Subject::Session);
        Fold {
            plan,
            regroup: Regroup::new(plan, name, &assumptions),
            builder: Builder::new(name, assumptions),
            world,
            turns: Turns::new(record_outcomes, settings.alike.unwrap_or(ALIKE)),
            happened: vec![],
            jobs: BTreeMap::new(),
            waiting: HashMap::new(),
            findings: BTreeMap::new(),
            per_rule: vec![0; plan.program.rules.len()],
            tallies: vec![Tally::default(); plan.program.rules.len()],
            undecided: BTreeMap::new(),
            once: HashMap::new(),
            totals: BTreeMap::new(),
            sessions: BTreeMap::new(),
            keep_sessions,
            record_outcomes,
            answers: settings.answers.then(Answers::new),
            watch: settings.sights.then(Watch::default),
            found: Found::default(),
        }
    }

    /// Takes the next event.
    pub(crate) fn push(&mut self, mut event: Event) {
        if let Some(regroup) = &mut self.regroup {
            regroup.event(&mut event);
        }
        let mut happened = std::mem::take(&mut self.happened);
        self.builder.push(event, &mut happened);
        for occurrence in happened.drain(..) {
            self.occur(occurrence);
        }
        self.happened = happened;
    }

    /// What was found since this was asked last.
    pub(crate) fn take_findings(&mut self) -> impl Iterator<Item = Finding> + use<> {
        std::mem::take(&mut self.findings).into_values()
    }

    /// The recording is over.
    pub(crate) fn finish(mut self) -> Found {
        let mut happened = vec![];
        self.builder.finish(&mut happened);
        for occurrence in happened {
            self.occur(occurrence);
        }
        self.world.over = true;
        let mut jobs: Vec<(Position, Job)> = std::mem::take(&mut self.jobs).into_iter().collect();
        for session in std::mem::take(&mut self.sessions).into_values() {
            let record = Record::Session(session);
            let turns = self.turns.of(self.plan, &record, &Circumstances::of(&record));
            jobs.extend(turns.iter().map(|turn| {
                let (rule, record) = (turn.rule, record.clone());
                ((record.ordinal(), 0, rule, 0), Job { rule, record })
            }));
        }
        // A premise is judged before those who ask for it, also on other records.
        jobs.sort_by_key(|(position, job)| (self.plan.order[job.rule], *position));
        for (position, job) in jobs {
            self.again(position, job);
            self.world.memo.clear();
        }
        self.summary();
        let findings = std::mem::take(&mut self.findings);
        self.found.findings = findings.into_values().collect();
        self.found.sights = self.watch.take().map(Watch::finish).unwrap_or_default();
        self.found.answers = self.answers.take().map(Answers::finish).unwrap_or_default();
        self.found.outcomes.sort();
        self.found
    }

    fn summary(&mut self) {
        let summary = &mut self.found.summary;
        let total = |subject: Subject| self.totals.get(&subject).copied().unwrap_or(0);
        summary.recordings = 1;
        summary.messages = total(Subject::Message);
        summary.exchanges = total(Subject::Exchange);
        summary.sessions = self.builder.sessions();
        summary.tools = total(Subject::Tool);
        summary.catalogues = total(Subject::Listing);
        for (id, rule) in self.plan.program.rules.iter().enumerate() {
            if !self.plan.reports(id) {
                continue;
            }
            let subjects = if rule.subject == Subject::Session {
                summary.sessions
            } else {
                total(rule.subject)
            };
            let mut tally = self.tallies[id];
            tally.not_applicable = subjects.saturating_sub(tally.passed + tally.failed + tally.undecided);
            summary.rules.insert(Arc::clone(&rule.id), tally);
        }
        for ((reason, rule), count) in &self.undecided {
            let rule = &self.plan.program.rules[*rule].id;
            summary.undecide(rule, reason.to_string(), *count);
        }
        if self.world.forgotten > 0 {
            summary.limits.insert(
                "history of a recording (`--history-limit`)".to_owned(),
                self.world.forgotten,
            );
        }
        let cut: usize = self
            .per_rule
            .iter()
            .map(|n| n.saturating_sub(self.world.limits.findings))
            .sum();
        if cut > 0 {
            let cut = u64::try_from(cut).unwrap_or(u64::MAX);
            summary.limits.insert(
                "findings of one rule in a recording (`--max-findings`)".to_owned(),
                cut,
            );
        }
    }

    fn occur(&mut self, occurrence: Occurrence) {
        if let Some(at) = occurrence.place() {
            self.world.reach(at);
        }
        match occurrence {
            Occurrence::Frame(frame) => self.pass(&Record::Frame(frame)),
            Occurrence::Exchange(exchange) => self.pass(&Record::Exchange(exchange)),
            Occurrence::Message(message) => self.message(message),
            Occurrence::Listing(listing) => self.listing(&listing),
            Occurrence::Answered(exchange) => self.wake(exchange.common.ordinal),
            Occurrence::Ended(exchange) => self.wake(exchange.common.ordinal),
            Occurrence::Unanswered(pair) => self.wake(pair.request.common.ordinal),
            Occurrence::Gap(at) => self.world.lose(at),
            Occurrence::SessionEnded(session) => {
                let waiting: Vec<Position> = self
                    .jobs
                    .iter()
                    .filter(|(_, job)| {
                        job.record
                            .common()
                            .is_some_and(|c| Arc::ptr_eq(&c.session, &session))
                    })
                    .map(|(position, _)| *position)
                    .collect();
                self.retry(waiting);
            }
        }
    }

    fn message(&mut self, message: MessageRef) {
        if let Fact::Is(exchange) = &message.message.exchange {
            let exchange: &Arc<Exchange> = exchange;
            self.world.link(exchange, &message);
        }
        let answers = message.pair.as_ref().map(|pair| pair.request.common.ordinal);
        let own = message.ordinal();
        self.pass(&Record::Message(message));
        if let Some(request) = answers.filter(|request| *request != own) {
            self.wake(request);
        }
    }

    fn listing(&mut self, listing: &Arc<Listing>) {
        self.pass(&Record::Listing(Arc::clone(listing)));
        for index in 0..listing.entries.len() {
            self.pass(&Record::Entry(entry(listing, index)));
        }
    }

    /// A record passes.
    fn pass(&mut self, record: &Record) {
        let subject = record.subject();
        *self.totals.entry(subject).or_default() += 1;
        if subject.is_message() && subject != Subject::Message {
            *self.totals.entry(Subject::Message).or_default() += 1;
        }
        if self.keep_sessions
            && let Some(common) = record.common()
        {
            self.sessions
                .entry(common.session.ordinal)
                .or_insert_with(|| Arc::clone(&common.session));
        }
        if let Some(answers) = &mut self.answers {
            answers.pass(record);
        }
        if let Some(watch) = &mut self.watch {
            watch.pass(record);
        }
        self.world.clock(record);
        self.world.rest();
        self.place_attributes(record, subject);
        self.judge_all(record);
        self.world.rest();
        self.take_in(record, subject);
        self.world.memo.clear();
        self.world.bound(record.ordinal());
    }

    /// The subjects that a record is: its own, and `message` for every message.
    fn kinds(subject: Subject) -> impl Iterator<Item = Subject> {
        let wider = (subject.is_message() && subject != Subject::Message).then_some(Subject::Message);
        std::iter::once(subject).chain(wider)
    }

    fn place_attributes(&self, record: &Record, subject: Subject) {
        for kind in Self::kinds(subject) {
            for id in self.plan.dispatch.placed.get(&kind).into_iter().flatten() {
                let evaluator = Evaluator::new(self.plan, &self.world, 0, record.ordinal());
                let seen = live(record.clone());
                evaluator.derived(&seen, *id);
            }
        }
    }

    fn take_in(&mut self, record: &Record, subject: Subject) {
        let plan = self.plan;
        let mut listed = false;
        for kind in Self::kinds(subject) {
            let Some(queries) = plan.dispatch.queries.get(&kind) else {
                continue;
            };
            listed = true;
            for id in queries {
                self.world.take_in(plan, *id, record);
            }
        }
        if listed || !plan.lists.is_empty() {
            self.world.keep(plan, record);
        }
    }

    /// Judges a record by all rules that concern it.
    fn judge_all(&mut self, record: &Record) {
        let of = Circumstances::of(record);
        let turns = self.turns.of(self.plan, record, &of);
        let subject = Value::Record(live(record.clone()));
        for turn in turns.iter() {
            let position = (record.ordinal(), record.entry_index(), turn.rule, 0);
            self.settle(position, turn, &subject, &of);
        }
    }

    /// Judges a subject, or waits.
    fn settle(&mut self, position: Position, turn: &Turn, subject: &Value, of: &Circumstances) {
        let Turn { rule, admission, .. } = *turn;
        let Value::Record(Seen { record, .. }) = subject else {
            return;
        };
        let judgement = match admission {
            Admission::Outside => return,
            Admission::OtherRevision => Judgement::default(),
            Admission::Inside | Admission::Perhaps => {
                let of = (admission == Admission::Perhaps).then_some(of);
                let special = turn.special.as_ref();
                judge(
                    self.plan,
                    &self.world,
                    rule,
                    subject,
                    of,
                    special,
                    self.wanted(rule),
                )
            }
        };
        let waits = judgement.undecided.as_ref().is_some_and(Reasons::is_pending);
        let waits = waits || self.answers.is_some() && judgement.failed.iter().any(Failure::is_pending);
        if waits && !self.world.over {
            let record = record.clone();
            self.wait(position, Job { rule, record });
            return;
        }
        self.conclude(position, rule, record, judgement);
    }

    /// How many more findings of a rule are wanted in full.
    fn wanted(&self, rule: RuleId) -> usize {
        if self.plan.program.rules[rule].once.is_some() {
            return usize::MAX;
        }
        let found = self.per_rule[rule];
        let left = if self.plan.reports(rule) {
            self.world.limits.findings.saturating_sub(found)
        } else {
            0
        };
        // Whoever asks for a verdict also shows its place.
        left.max(usize::from(self.plan.rules[rule].premise.is_some()))
    }

    fn wait(&mut self, position: Position, job: Job) {
        let mut for_what = vec![];
        match &job.record {
            Record::Message(m) => {
                for_what.push(m.ordinal());
                if let Some(pair) = &m.pair {
                    for_what.push(pair.request.common.ordinal);
                }
                if let Fact::Is(exchange) = &m.message.exchange {
                    for_what.push(exchange.common.ordinal);
                }
            }
            Record::Exchange(e) => for_what.push(e.common.ordinal),
            _ => {}
        }
        for_what.dedup();
        for what in for_what {
            let list = self.waiting.entry(what).or_default();
            if !list.contains(&position) {
                list.push(position);
            }
        }
        self.jobs.insert(position, job);
    }

    fn wake(&mut self, what: Ordinal) {
        if let Some(positions) = self.waiting.remove(&what) {
            self.retry(positions);
        }
    }

    fn retry(&mut self, mut positions: Vec<Position>) {
        positions.sort_unstable_by_key(|p| (p.0, p.1, self.plan.order[p.2]));
        for position in positions {
            if let Some(job) = self.jobs.remove(&position) {
                self.again(position, job);
            }
        }
        self.world.memo.clear();
    }

    /// Judges a subject that waited, or that is judged when all is over.
    fn again(&mut self, position: Position, job: Job) {
        let of = Circumstances::of(&job.record);
        let admission = admits(&self.plan.program.rules[job.rule], &of);
        let subject = Value::Record(live(job.record));
        let turn = Turn {
            rule: job.rule,
            admission,
            special: None,
        };
        self.settle(position, &turn, &subject, &of);
    }

    fn conclude(&mut self, position: Position, id: RuleId, record: &Record, judgement: Judgement) {
        let outcome = judgement.outcome();
        self.keep_verdict(id, record, &judgement, outcome);
        if !self.plan.reports(id) {
            return;
        }
        let rule = &self.plan.program.rules[id];
        // What does not apply is counted at the end, as the rest.
        if outcome != Outcome::NotApplicable {
            self.tallies[id].count(outcome);
        }
        let first = judgement
            .undecided
            .as_ref()
            .filter(|_| outcome == Outcome::Undecided)
            .and_then(Reasons::first);
        if let Some(reason) = first {
            *self.undecided.entry((reason.clone(), id)).or_default() += 1;
        }
        if self.record_outcomes {
            self.found.outcomes.push(Judged {
                ordinal: position.0,
                index: position.1,
                rule: Arc::clone(&rule.id),
                outcome,
                reason: first.map(ToString::to_string),
            });
        }
        for (number, failure) in judgement.failed.into_iter().enumerate() {
            self.report((position.0, position.1, position.2, number), record, failure);
        }
    }
}
