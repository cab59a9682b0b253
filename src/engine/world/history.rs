//! Lists of `earlier` and `later`, `since` and `until`.

use std::sync::Arc;

use super::World;
use super::instances::belongs;
use crate::engine::eval::Evaluator;
use crate::engine::judge::concerns;
use crate::lang::compile::Plan;
use crate::lang::program::Collection;
use crate::model::record::{END, Fact, Record, Seen, Session};
use crate::model::subject::Subject;
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Item, List, Truth, Value};

impl World {
    /// A record passes: the lists that are kept whole take it in.
    pub(crate) fn keep(&mut self, plan: &Plan, record: &Record) {
        if self.first_time.is_none()
            && let Some(Fact::Is(time)) = record.common().map(|common| &common.time)
        {
            self.first_time = Some(*time);
        }
        for (scope, collection) in &plan.lists {
            if !belongs(record, *collection) {
                continue;
            }
            let instance = self.instances.at(*scope, record);
            let before = instance.bytes;
            let list = instance.lists.entry(*collection).or_default();
            list.push(record.clone());
            let mut closed = vec![];
            // Requests that are answered are open for nobody any more, unless a rule that waits still asks.
            if *collection == Collection::Open && !plan.open_late && list.len().is_power_of_two() {
                let now = record.ordinal();
                closed.extend(list.extract_if(.., |record| !is_open(record, now)));
            }
            instance.hold(record);
            closed.iter().for_each(|record| instance.release(record));
            let after = instance.bytes;
            self.instances.weigh(before, after);
        }
    }

    /// A list of `earlier` or `later` of a record, in the asker's scope.
    pub(crate) fn history(
        &self,
        asker: &Evaluator,
        of: &Seen,
        later: bool,
        bounds: &[Value],
        collection: Collection,
    ) -> Value {
        let scope = asker.scope;
        let key = self.instances.key_of(scope, &of.record);
        let instance = self.instances.get(scope, &key);
        let here = of.ordinal();
        let as_of = if later { END } else { asker.now };
        let records = instance
            .and_then(|i| i.lists.get(&collection))
            .map_or(&[][..], |list| list);
        let shown = records.iter().filter(|record| {
            let there = record.ordinal();
            let side = if later { there > here } else { there < here };
            side && there < as_of.max(asker.now) && (collection != Collection::Open || is_open(record, here))
        });
        let items = shown.map(|record| Item {
            value: Value::Record(Seen {
                record: record.clone(),
                as_of,
            }),
            perhaps: None,
        });
        let mut list = List {
            items: items.collect(),
            inside: self.gap.clone(),
            ..List::default()
        };
        if later {
            let ended = instance.is_some_and(|i| i.ended.is_some());
            if !ended {
                list.back = Some(if self.over { Reason::End } else { Reason::Pending }.into());
            }
        } else {
            list.front = match instance {
                Some(instance) => instance.front.clone(),
                None => self.instances.front_of(scope, &key, &of.record),
            };
        }
        for bound in bounds {
            let cut = if later {
                self.until(list, bound, &of.record)
            } else {
                self.since(list, bound, &of.record)
            };
            match cut {
                Ok(shorter) => list = shorter,
                Err(reasons) => return Value::Unknown(reasons),
            }
        }
        Value::List(Arc::new(list))
    }

    /// All records of a kind in a session.
    pub(super) fn session_list(
        &self,
        _asker: &Evaluator,
        of: &Seen,
        session: &Arc<Session>,
        subject: Subject,
    ) -> List {
        let record = Record::Session(Arc::clone(session));
        let key = self.instances.key_of(0, &record);
        let instance = self.instances.get(0, &key);
        let records = instance
            .and_then(|i| i.lists.get(&Collection::Of(subject)))
            .map_or(&[][..], |l| l);
        let items = records
            .iter()
            .filter(|record| record.ordinal() < of.as_of)
            .map(|record| Item {
                value: Value::Record(Seen {
                    record: record.clone(),
                    as_of: of.as_of,
                }),
                perhaps: None,
            });
        let mut list = List {
            items: items.collect(),
            inside: self.gap.clone(),
            ..List::default()
        };
        list.front = match instance {
            Some(instance) => instance.front.clone(),
            None => self.instances.front_of(0, &key, &record),
        };
        if of.as_of == END && session.ended.get().is_none() {
            list.back = Some(if self.over { Reason::End } else { Reason::Pending }.into());
        }
        list
    }

    /// What comes after a record, or in a length of time before the subject.
    pub(super) fn since(&self, mut list: List, bound: &Value, subject: &Record) -> Result<List, Reasons> {
        match bound {
            Value::Unknown(reasons) => Err(reasons.clone()),
            Value::Record(start) => {
                let start = start.ordinal();
                list.items
                    .retain(|item| ordinal(item).is_some_and(|at| at > start));
                list.front = None;
                Ok(list)
            }
            Value::Duration(length) => {
                let now = time(subject)?;
                let from = now.saturating_sub(*length);
                let window = |at: i64| at >= from;
                list = within(list, &window);
                // What came before the recording is outside the window if the recording began before it.
                if self.first_time.is_some_and(|first| first < from) {
                    list.front = None;
                }
                Ok(list)
            }
            _ => Ok(list),
        }
    }

    /// What comes before a record, or in a length of time after the subject.
    fn until(&self, mut list: List, bound: &Value, subject: &Record) -> Result<List, Reasons> {
        match bound {
            Value::Unknown(reasons) => Err(reasons.clone()),
            Value::Record(end) => {
                let end = end.ordinal();
                list.items.retain(|item| ordinal(item).is_some_and(|at| at < end));
                list.back = None;
                Ok(list)
            }
            Value::Duration(length) => {
                let to = time(subject)?.saturating_add(*length);
                let beyond = list
                    .items
                    .iter()
                    .any(|item| item_time(item).is_some_and(|at| at > to));
                list = within(list, &|at| at <= to);
                if beyond {
                    list.back = None;
                }
                Ok(list)
            }
            _ => Ok(list),
        }
    }

    /// `x fails R`: whether one of the rules failed on a record.
    pub(crate) fn fails(&self, asker: &Evaluator, of: &Seen, rules: &[usize]) -> Truth {
        let mut unknown: Option<Reasons> = None;
        for rule in rules {
            let Some(number) = asker.plan.rules[*rule].premise else {
                continue;
            };
            let kept = of.derived().and_then(|d| d.verdict(number));
            match kept.as_ref().map(|verdict| &verdict.failed) {
                Some(Truth::True) => return Truth::True,
                Some(Truth::False) => {}
                Some(Truth::Unknown(reasons)) => {
                    unknown = Some(unknown.map_or(reasons.clone(), |u| u.and(reasons)));
                }
                None if !concerns(&asker.plan.program.rules[*rule], &of.record) => {}
                None => {
                    let reason = if self.over { Reason::End } else { Reason::Pending };
                    unknown = Some(unknown.map_or(reason.clone().into(), |u| u.and(&reason.into())));
                }
            }
        }
        unknown.map_or(Truth::False, Truth::Unknown)
    }
}

fn is_open(record: &Record, now: u64) -> bool {
    match record {
        Record::Message(m) => m.pair.as_ref().is_some_and(|pair| pair.is_open(now)),
        _ => false,
    }
}

fn ordinal(item: &Item) -> Option<u64> {
    match &item.value {
        Value::Record(seen) => Some(seen.ordinal()),
        _ => None,
    }
}

fn time(record: &Record) -> Result<i64, Reasons> {
    match record.common().map(|common| &common.time) {
        Some(Fact::Is(time)) => Ok(*time),
        _ => Err(Reason::Clock.into()),
    }
}

fn item_time(item: &Item) -> Option<i64> {
    match &item.value {
        Value::Record(seen) => time(&seen.record).ok(),
        _ => None,
    }
}

/// The elements whose time is in a window; of those without a time it is not known.
fn within(mut list: List, window: &dyn Fn(i64) -> bool) -> List {
    list.items.retain_mut(|item| match item_time(item) {
        Some(at) => window(at),
        None => {
            let clock: Reasons = Reason::Clock.into();
            item.perhaps = Some(item.perhaps.take().map_or(clock.clone(), |why| why.and(&clock)));
            true
        }
    });
    list
}
