//! What is known of a recording so far: the records that rules look back at, by scope.

mod attributes;
mod cells;
mod history;
mod instances;
mod words;

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

pub(crate) use self::attributes::entry;
pub(crate) use self::history::{Seek, place};
use self::instances::Instances;
pub(crate) use self::words::{side, transport};
use super::memo::Memo;
use crate::lang::compile::Plan;
use crate::model::record::{Exchange, Fact, MessageRef, Ordinal, Record};
use crate::model::unknown::{Reason, Reasons};

/// How much history is kept.
#[derive(Debug, Clone, Copy)]
pub struct HistoryLimits {
    /// Bytes of records that rules look back at, of one recording (`--history-limit`).
    pub bytes: usize,
    /// Findings that are kept of one rule and recording; the rest is counted.
    pub findings: usize,
    /// Elements and calls that one rule looks at on one subject (`--max-steps`).
    pub steps: u64,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        HistoryLimits {
            bytes: 64 << 20,
            findings: 10_000,
            steps: 10_000_000,
        }
    }
}

/// The records of one recording that rules may still ask for.
pub(crate) struct World {
    /// What was found out of the records that are looked at right now.
    pub(crate) memo: Memo,
    instances: Instances,
    /// Messages by the exchange that carried them, if a rule asks for them.
    links: Option<Links>,
    /// The recording is over: what is not known will not be known.
    pub(crate) over: bool,
    /// The place up to which everything has passed. The model may be ahead: it tells several things at once.
    reached: Ordinal,
    /// Where records are known to be lost, in order.
    gaps: Vec<Gap>,
    /// The time of the first record that has one.
    first_time: Option<i64>,
    /// The latest time so far.
    last_time: Option<i64>,
    /// A record had no time, or one before that of an earlier record.
    unsteady: bool,
    pub(crate) limits: HistoryLimits,
    /// Elements and calls since the last [`rest`](World::rest).
    steps: Cell<u64>,
    /// How often scopes were forgotten because of the limit.
    pub(crate) forgotten: u64,
}

/// A place where records are lost.
struct Gap {
    at: Ordinal,
    /// The latest time before it.
    behind: Option<i64>,
}

/// Messages by exchange. Exchanges do not hold their messages themselves, since messages hold their exchange.
#[derive(Default)]
struct Links {
    messages: HashMap<Ordinal, Vec<MessageRef>>,
    order: VecDeque<Ordinal>,
    /// About how many bytes the messages occupy.
    bytes: usize,
    /// Up to this exchange messages were forgotten.
    forgotten: Option<Ordinal>,
}

/// How many bytes of messages are kept by their exchanges: rules ask for those of exchanges that have just ended.
const LINKED: usize = 16 << 20;

impl World {
    pub(crate) fn new(plan: &Plan, begins: bool, limits: HistoryLimits) -> Self {
        World {
            memo: Memo::new(plan.program.attributes.len()),
            instances: Instances::new(plan, begins),
            links: plan.links.then(Links::default),
            over: false,
            reached: 0,
            gaps: vec![],
            first_time: None,
            last_time: None,
            unsteady: false,
            limits,
            steps: Cell::new(0),
            forgotten: 0,
        }
    }

    /// Something new is looked at.
    pub(crate) fn rest(&self) {
        self.steps.set(0);
    }

    /// Finds out something that is remembered for whoever asks: it has as many steps as a rule has.
    pub(crate) fn apart<T>(&self, find: impl FnOnce() -> T) -> T {
        let before = self.steps.replace(0);
        let found = find();
        self.steps.set(before);
        found
    }

    /// Looks at one more element, or calls one more function; why not, if there were too many of them.
    pub(crate) fn step(&self) -> Result<(), Reasons> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > self.limits.steps {
            return Err(Reason::Limit("max-steps").into());
        }
        Ok(())
    }

    /// Something happens at a place.
    pub(crate) fn reach(&mut self, at: Ordinal) {
        self.reached = self.reached.max(at);
    }

    /// Whether all before a place has passed.
    pub(crate) fn has_reached(&self, at: Ordinal) -> bool {
        at <= self.reached
    }

    /// Whether something has happened behind a place.
    pub(crate) fn has_passed(&self, at: Ordinal) -> bool {
        at < self.reached
    }

    /// Records are lost at a place.
    pub(crate) fn lose(&mut self, at: Ordinal) {
        self.gaps.push(Gap {
            at,
            behind: self.last_time,
        });
    }

    /// The places between two others at which records are lost.
    fn gaps(&self, from: Ordinal, to: Ordinal) -> impl Iterator<Item = Ordinal> + '_ {
        // They were noted in order.
        let first = self.gaps.partition_point(|gap| gap.at < from);
        let behind = self.gaps[first..].iter().map(|gap| gap.at);
        behind.take_while(move |gap| *gap < to)
    }

    /// Whether records are lost between two places.
    fn loses(&self, from: Ordinal, to: Ordinal) -> bool {
        self.gaps(from, to).next().is_some()
    }

    /// Notes when a record passed.
    pub(crate) fn clock(&mut self, record: &Record) {
        if let Some(Fact::Is(time)) = record.common().map(|common| &common.time) {
            self.first_time.get_or_insert(*time);
            self.unsteady |= self.last_time > Some(*time);
            self.last_time = self.last_time.max(Some(*time));
        } else {
            // Sessions have no time of their own, and no history holds them.
            self.unsteady |= !matches!(record, Record::Session(_));
        }
    }

    /// Whether later records have later times, or the same.
    pub(crate) fn is_steady(&self) -> bool {
        !self.unsteady
    }

    /// Notes the message of an exchange.
    pub(crate) fn link(&mut self, exchange: &Arc<Exchange>, message: &MessageRef) {
        let Some(links) = &mut self.links else { return };
        let key = exchange.common.ordinal;
        let messages = links.messages.entry(key).or_insert_with(|| {
            links.order.push_back(key);
            Vec::new()
        });
        messages.push(message.clone());
        links.bytes += weight(message);
        while links.bytes > LINKED && links.order.len() > 1 {
            let Some(oldest) = links.order.pop_front() else {
                break;
            };
            for message in links.messages.remove(&oldest).unwrap_or_default() {
                links.bytes = links.bytes.saturating_sub(weight(&message));
            }
            links.forgotten = links.forgotten.max(Some(oldest));
        }
    }

    /// The scope that a record is in, in words: a key for `once per`.
    pub(crate) fn scope_name(&self, scope: crate::lang::compile::ScopeId, record: &Record) -> String {
        format!("{:?}", self.instances.key_of(scope, record))
    }
}

/// About how many bytes a message occupies.
fn weight(message: &MessageRef) -> usize {
    message.message.json.document().size() + 500
}
