//! What a query keeps: elements by key, no more of them than can still matter.

use std::borrow::Cow;
use std::collections::HashMap;

use super::World;
use super::history::{Seek, Stretch, place, time};
use crate::engine::env::Env;
use crate::engine::eval::Evaluator;
use crate::lang::ast::Quantifier;
use crate::lang::compile::{Keep, Query, QueryId};
use crate::model::ops::{self, Count};
use crate::model::record::{Ordinal, Record, Seen};
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Item, List, Truth, Value};

/// The elements of one query and scope.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// By the hash of their key.
    buckets: HashMap<u64, Vec<Bucket>>,
    /// Elements whose key is not known: they may be under any.
    unkeyed: Vec<Kept>,
    /// Something was forgotten.
    lost: bool,
    /// How many keys were met that are not forgotten.
    buckets_made: usize,
}

#[derive(Debug)]
struct Bucket {
    key: Box<[Value]>,
    kept: Vec<Kept>,
    /// For [`Keep::Count`]: how many surely, and how many perhaps and why.
    sure: u64,
    perhaps: u64,
    why: Option<Reasons>,
    /// Where the last element stands.
    last: (Ordinal, usize),
}

/// About how many bytes a key with what is counted under it takes.
const BUCKET: usize = 250;

#[derive(Debug, Clone)]
struct Kept {
    record: Record,
    doubt: Option<Reasons>,
}

impl Cell {
    /// Takes in an element; gives whether it was kept and which ones were dropped for it.
    fn insert(&mut self, key: Result<Box<[Value]>, Reasons>, kept: Kept, keep: Keep) -> (bool, Vec<Record>) {
        let key = match key {
            Ok(key) => key,
            Err(reasons) => {
                let doubt = Some(kept.doubt.map_or(reasons.clone(), |doubt| doubt.and(&reasons)));
                self.unkeyed.push(Kept {
                    record: kept.record,
                    doubt,
                });
                return (true, vec![]);
            }
        };
        let buckets = self.buckets.entry(hash(&key)).or_default();
        let at = buckets
            .iter()
            .position(|bucket| same(&bucket.key, &key))
            .unwrap_or_else(|| {
                buckets.push(Bucket {
                    key,
                    kept: vec![],
                    sure: 0,
                    perhaps: 0,
                    why: None,
                    last: (0, 0),
                });
                self.buckets_made += 1;
                buckets.len() - 1
            });
        let bucket = &mut buckets[at];
        bucket.last = position(&kept.record);
        match keep {
            Keep::Count => {
                match kept.doubt {
                    None => bucket.sure += 1,
                    Some(doubt) => {
                        bucket.perhaps += 1;
                        bucket.why = Some(bucket.why.take().map_or(doubt.clone(), |why| why.and(&doubt)));
                    }
                }
                return (false, vec![]);
            }
            Keep::First => {
                let settled = bucket.kept.iter().any(|k| k.doubt.is_none());
                let again = kept.doubt.is_some() && !bucket.kept.is_empty();
                if settled || again {
                    return (false, vec![]);
                }
                bucket.kept.push(kept);
            }
            Keep::Last => {
                let dropped = if kept.doubt.is_none() {
                    bucket.kept.drain(..).map(|k| k.record).collect()
                } else {
                    let before = bucket.kept.iter().position(|k| k.doubt.is_some());
                    before
                        .map(|at| bucket.kept.remove(at).record)
                        .into_iter()
                        .collect()
                };
                bucket.kept.push(kept);
                return (true, dropped);
            }
            Keep::All => bucket.kept.push(kept),
        }
        (true, vec![])
    }

    /// Forgets the older half of what it keeps, if that is more than `few`; gives what that was.
    pub(super) fn halve(&mut self, few: usize) -> Vec<Record> {
        let counted = |bucket: &&Bucket| bucket.kept.is_empty();
        let counts = self
            .buckets
            .values()
            .flatten()
            .filter(counted)
            .map(|bucket| bucket.last);
        let kept = self
            .buckets
            .values()
            .flatten()
            .flat_map(|bucket| &bucket.kept)
            .chain(&self.unkeyed);
        let mut places: Vec<_> = kept.map(|kept| position(&kept.record)).chain(counts).collect();
        if places.len() <= few {
            return vec![];
        }
        places.sort_unstable();
        let middle = places[places.len().div_ceil(2) - 1];
        let old = |kept: &mut Kept| position(&kept.record) <= middle;
        let mut dropped = vec![];
        for bucket in self.buckets.values_mut().flatten() {
            dropped.extend(bucket.kept.extract_if(.., old).map(|kept| kept.record));
        }
        dropped.extend(self.unkeyed.extract_if(.., old).map(|kept| kept.record));
        for buckets in self.buckets.values_mut() {
            buckets.retain(|bucket| !bucket.kept.is_empty() || bucket.last > middle);
        }
        self.buckets.retain(|_, buckets| !buckets.is_empty());
        self.buckets_made = self.buckets.values().map(Vec::len).sum();
        self.lost = true;
        dropped
    }

    /// About how many bytes its keys take.
    pub(super) fn weight(&self) -> usize {
        self.buckets_made * BUCKET
    }

    /// Whether something was forgotten.
    pub(super) fn has_lost(&self) -> bool {
        self.lost
    }

    /// The elements that may be under a key, in order; all perhaps if the key is not known.
    fn under(&self, key: &Result<Box<[Value]>, Reasons>) -> Cow<'_, [Kept]> {
        let mut out: Vec<Kept> = match key {
            Ok(key) => {
                let buckets = self.buckets.get(&hash(key));
                let bucket = buckets.and_then(|all| all.iter().find(|bucket| same(&bucket.key, key)));
                let kept = bucket.map_or(&[][..], |bucket| &bucket.kept);
                if self.unkeyed.is_empty() {
                    return Cow::Borrowed(kept);
                }
                kept.to_vec()
            }
            Err(reasons) => {
                let doubted = |k: &Kept| Kept {
                    record: k.record.clone(),
                    doubt: Some(
                        k.doubt
                            .as_ref()
                            .map_or(reasons.clone(), |doubt| doubt.and(reasons)),
                    ),
                };
                self.buckets
                    .values()
                    .flatten()
                    .flat_map(|bucket| bucket.kept.iter().map(doubted))
                    .collect()
            }
        };
        if !self.unkeyed.is_empty() || key.is_err() {
            out.extend(self.unkeyed.iter().cloned());
            out.sort_by_key(|kept| position(&kept.record));
        }
        Cow::Owned(out)
    }

    /// How many are under a key.
    fn count(&self, key: &Result<Box<[Value]>, Reasons>) -> Count {
        let of = |sure: u64, perhaps: u64, why: Option<Reasons>| Count {
            lo: sure,
            hi: Some(sure + perhaps),
            reasons: why,
        };
        match key {
            Ok(key) => {
                let buckets = self.buckets.get(&hash(key));
                let bucket = buckets.and_then(|all| all.iter().find(|bucket| same(&bucket.key, key)));
                bucket.map_or(Count::exactly(0), |b| of(b.sure, b.perhaps, b.why.clone()))
            }
            Err(reasons) => {
                let total = self.buckets.values().flatten().map(|b| b.sure + b.perhaps).sum();
                of(0, total, (total > 0).then(|| reasons.clone()))
            }
        }
    }
}

fn hash(key: &[Value]) -> u64 {
    key.iter()
        .fold(0u64, |sum, value| sum.rotate_left(7) ^ ops::hash(value))
}

fn same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| ops::equal(a, b) == Truth::True)
}

fn position(record: &Record) -> (Ordinal, usize) {
    let index = if let Record::Entry(entry) = record {
        entry.index
    } else {
        0
    };
    (record.ordinal(), index)
}

/// The values of a key, or why one of them is unknown. Scalars are taken out of their documents, which are not kept for them.
fn key(values: Vec<Value>) -> Result<Box<[Value]>, Reasons> {
    match ops::unknown(&values) {
        Some(reasons) => Err(reasons),
        None => Ok(values.into_iter().map(Value::detached).collect()),
    }
}

impl World {
    /// A record passes: queries that are over its kind take it in.
    pub(crate) fn take_in(&mut self, plan: &crate::lang::compile::Plan, id: QueryId, record: &Record) {
        let query = &plan.queries[id];
        let (key, doubt) = {
            let evaluator = Evaluator::new(plan, self, query.scope, record.ordinal());
            let element = Value::Record(Seen {
                record: record.clone(),
                as_of: record.ordinal(),
            });
            let none = Value::Missing;
            let outer = Env::of(&none);
            let env = outer.with(query.slot, &element);
            let doubt = match query.alone.as_ref().map(|alone| evaluator.truth(alone, &env)) {
                Some(Truth::False) => return,
                Some(Truth::Unknown(reasons)) => Some(reasons),
                Some(Truth::True) | None => None,
            };
            let values = query
                .keys
                .iter()
                .map(|(element, _)| evaluator.value(element, &env))
                .collect();
            (key(values), doubt)
        };
        let instance = self.instances.at(query.scope, record);
        let cell = instance.cells.entry(id).or_default();
        let weight = cell.weight();
        let (kept, dropped) = cell.insert(
            key,
            Kept {
                record: record.clone(),
                doubt,
            },
            query.keep,
        );
        let more = cell.weight() - weight;
        let before = instance.bytes;
        instance.bytes += more;
        if kept {
            instance.hold(record);
        }
        dropped.iter().for_each(|record| instance.release(record));
        let after = instance.bytes;
        self.instances.weigh(before, after);
    }

    fn subject_key<'p>(
        &self,
        asker: &Evaluator<'_, 'p>,
        query: &'p Query,
        env: &Env<'_, 'p>,
    ) -> Result<Box<[Value]>, Reasons> {
        key(query
            .keys
            .iter()
            .map(|(_, subject)| asker.value(subject, env))
            .collect())
    }

    /// The elements that may answer a query, with the marks of the history they come from.
    fn candidates<'p>(
        &self,
        asker: &Evaluator<'_, 'p>,
        query: &'p Query,
        id: QueryId,
        subject: &Record,
        env: &Env<'_, 'p>,
    ) -> Result<List, Reasons> {
        let bounds: Vec<Value> = query.bounds.iter().map(|bound| asker.value(bound, env)).collect();
        let wanted = self.subject_key(asker, query, env);
        let instance_key = self.instances.key_of(query.scope, subject);
        let instance = self.instances.get(query.scope, &instance_key);
        let front = match instance {
            Some(instance) => instance.front_of_cell(id),
            None => self.instances.front_of(query.scope, &instance_key, subject),
        };
        let kept = instance
            .and_then(|i| i.cells.get(&id))
            .map_or(Cow::Borrowed(&[][..]), |cell| cell.under(&wanted));
        let kept = self.window(&kept, asker.now, &bounds, subject);
        let items = decisive(asker, query, env, kept);
        let here = place(subject);
        let stretch = Stretch {
            list: List {
                items,
                front,
                // A session stands at its end, which is not shown.
                back: (!self.has_reached(here)).then(|| self.not_yet()),
                ..List::default()
            },
            from: self.instances.beginning(query.scope, subject),
            window: None,
            to: here,
        };
        match self.cut(stretch, false, &bounds, subject) {
            Ok(list) if query.known => Ok(List {
                items: list.recorded(),
                ..List::default()
            }),
            // Of a list of which nothing is known, nothing was recorded.
            Err(reasons) if query.known && !reasons.is_pending() => Ok(List::default()),
            other => other,
        }
    }

    /// The elements before a place and behind the bounds, as far as that is a matter of searching: the bounds are judged
    /// once more where they cut.
    fn window<'k>(&self, kept: &'k [Kept], now: Ordinal, bounds: &[Value], subject: &Record) -> &'k [Kept] {
        let end = kept.partition_point(|kept| kept.record.ordinal() < now);
        let mut kept = &kept[..end];
        for bound in bounds {
            let from = match bound {
                Value::Record(start) => {
                    let start = place(start);
                    kept.partition_point(|kept| kept.record.ordinal() <= start)
                }
                Value::Duration(length) if self.is_steady() => match time(subject) {
                    Ok(now) => {
                        let from = now.saturating_sub(*length);
                        kept.partition_point(|kept| time(&kept.record).is_ok_and(|at| at < from))
                    }
                    Err(_) => 0,
                },
                _ => 0,
            };
            kept = &kept[from..];
        }
        kept
    }

    fn asked<'p>(
        &self,
        asker: &Evaluator<'_, 'p>,
        id: QueryId,
        env: &Env<'_, 'p>,
    ) -> (&'p Query, Result<List, Reasons>) {
        let query = &asker.plan.queries[id];
        let Some(subject) = env.subject() else {
            return (query, Ok(List::default()));
        };
        let list = self.candidates(asker, query, id, subject, env);
        (query, list)
    }

    /// The answer to a query.
    pub(crate) fn query<'p>(&self, asker: &Evaluator<'_, 'p>, id: QueryId, env: &Env<'_, 'p>) -> Value {
        let quantifier = asker.plan.queries[id].quantifier;
        match quantifier {
            Quantifier::Count => return self.count(asker, id, env).into_value(),
            Quantifier::Any => return self.any(asker, id, env).into(),
            _ => {}
        }
        let (query, list) = self.asked(asker, id, env);
        let list = match list {
            Ok(list) => list,
            Err(reasons) => return Value::Unknown(reasons),
        };
        let mut rest = rest_of(asker, query, env);
        match quantifier {
            Quantifier::First => ops::first(&list, &mut rest),
            Quantifier::Last => ops::last(&list, &mut rest),
            _ => Value::List(std::sync::Arc::new(ops::those(&list, &mut rest))),
        }
    }

    /// Whether there is an element that answers a query.
    pub(crate) fn any<'p>(&self, asker: &Evaluator<'_, 'p>, id: QueryId, env: &Env<'_, 'p>) -> Truth {
        if asker.plan.queries[id].keep == Keep::Count {
            return self.count(asker, id, env).is_some();
        }
        let (query, list) = self.asked(asker, id, env);
        match list {
            Ok(list) => ops::any(&list, &mut rest_of(asker, query, env)),
            Err(reasons) => Truth::Unknown(reasons),
        }
    }

    /// How many elements answer a query.
    pub(crate) fn count<'p>(&self, asker: &Evaluator<'_, 'p>, id: QueryId, env: &Env<'_, 'p>) -> Count {
        let query = &asker.plan.queries[id];
        if query.keep != Keep::Count {
            let (query, list) = self.asked(asker, id, env);
            return match list {
                Ok(list) => ops::count(&list, &mut rest_of(asker, query, env)),
                Err(reasons) => Count::unknown(reasons),
            };
        }
        let Some(subject) = env.subject() else {
            return Count::exactly(0);
        };
        let wanted = self.subject_key(asker, query, env);
        let instance_key = self.instances.key_of(query.scope, subject);
        let instance = self.instances.get(query.scope, &instance_key);
        let front = match instance {
            Some(instance) => instance.front_of_cell(id),
            None => self.instances.front_of(query.scope, &instance_key, subject),
        };
        let cell = instance.and_then(|i| i.cells.get(&id));
        let mut sum = cell.map_or(Count::exactly(0), |cell| cell.count(&wanted));
        if let Some(cell) = cell {
            for kept in &cell.unkeyed {
                let doubt = kept.doubt.clone();
                sum = sum.plus(&Count {
                    lo: 0,
                    hi: Some(1),
                    reasons: doubt,
                });
            }
        }
        if !query.known {
            let from = self.instances.beginning(query.scope, subject);
            let lost = self.gaps(from, place(subject)).next();
            let lost = lost.map(|_| Reasons::from(Reason::Middle));
            for gap in front.into_iter().chain(lost) {
                sum = sum.plus(&Count::unknown(gap));
            }
        }
        sum
    }
}

/// The elements that a query has to look at.
fn decisive<'p>(asker: &Evaluator<'_, 'p>, query: &'p Query, env: &Env<'_, 'p>, kept: &[Kept]) -> Vec<Item> {
    let items = kept.iter().map(|kept| Item {
        value: Value::Record(Seen {
            record: kept.record.clone(),
            as_of: asker.now,
        }),
        perhaps: kept.doubt.clone(),
    });
    let mut rest = rest_of(asker, query, env);
    match query.quantifier {
        Quantifier::First => Seek::First(&mut rest),
        Quantifier::Last | Quantifier::Any => Seek::Last(&mut rest),
        _ => Seek::All,
    }
    .among(items)
}

/// What is left of the condition of a query.
fn rest_of<'a, 'w, 'p>(
    asker: &'a Evaluator<'w, 'p>,
    query: &'p Query,
    env: &'a Env<'a, 'p>,
) -> impl FnMut(&Value) -> Truth + use<'a, 'w, 'p> {
    move |value| match &query.rest {
        None => Truth::True,
        Some(rest) => asker.truth(rest, &env.with(query.slot, value)),
    }
}
