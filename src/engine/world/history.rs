//! Lists of `earlier` and `later`, `since` and `until`.

use std::sync::Arc;

use super::World;
use super::instances::belongs;
use crate::engine::circumstances::concerns;
use crate::engine::eval::Evaluator;
use crate::lang::compile::Plan;
use crate::lang::program::Collection;
use crate::model::record::{END, Fact, Ordinal, Record, Seen, Session};
use crate::model::subject::Subject;
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Item, List, Truth, Value};

/// Records of a scope between two places.
pub(super) struct Stretch {
    pub(super) list: List,
    pub(super) from: Ordinal,
    pub(super) to: Ordinal,
    /// The end of a window in time, for what comes after a record.
    pub(super) window: Option<i64>,
}

/// What is looked for in a list: where one witness is enough, not all of it is made.
pub(crate) enum Seek<'a> {
    /// All of it.
    All,
    /// The first for which this is true.
    First(&'a mut dyn FnMut(&Value) -> Truth),
    /// The last.
    Last(&'a mut dyn FnMut(&Value) -> Truth),
}

impl Seek<'_> {
    /// The elements that can matter, in order: up to the first that is sure, and none for which it is false.
    pub(super) fn among(self, items: impl DoubleEndedIterator<Item = Item>) -> Vec<Item> {
        fn some(items: impl Iterator<Item = Item>, holds: &mut dyn FnMut(&Value) -> Truth) -> Vec<Item> {
            let mut out = vec![];
            for item in items {
                let truth = holds(&item.value);
                let decides = item.perhaps.is_none() && truth == Truth::True;
                if truth != Truth::False {
                    out.push(item);
                }
                if decides {
                    break;
                }
            }
            out
        }
        match self {
            Seek::All => items.collect(),
            Seek::First(holds) => some(items, holds),
            Seek::Last(holds) => {
                let mut out = some(items.rev(), holds);
                out.reverse();
                out
            }
        }
    }
}

impl World {
    /// A record passes: the lists that are kept whole take it in.
    pub(crate) fn keep(&mut self, plan: &Plan, record: &Record) {
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
        seek: Seek,
    ) -> Value {
        let scope = asker.scope;
        let key = self.instances.key_of(scope, &of.record);
        let instance = self.instances.get(scope, &key);
        let here = place(&of.record);
        // What comes behind the end of a scope is not in it, unless one stands there.
        let end = self
            .instances
            .end(scope, &of.record)
            .filter(|end| later && *end > here);
        let horizon = asker.horizon.min(end.unwrap_or(END));
        let records = instance
            .and_then(|i| i.lists.get(&collection))
            .map_or(&[][..], |list| list);
        // They stand in the order in which they passed.
        let before = |end: Ordinal| records.partition_point(|record| record.ordinal() < end);
        let shown = if later {
            before(here.saturating_add(1))..before(horizon)
        } else {
            0..before(here.min(horizon))
        };
        let shown = records.get(shown).unwrap_or_default();
        let shown = shown
            .iter()
            .filter(|record| collection != Collection::Open || is_open(record, here));
        let items = shown.map(|record| Item {
            value: Value::Record(asker.see(record.clone())),
            // The answer to a request that looks open may be among what is lost.
            perhaps: (collection == Collection::Open && self.loses(record.ordinal(), here))
                .then(|| Reason::Middle.into()),
        });
        let mut stretch = Stretch {
            window: None,
            list: List {
                items: seek.among(items),
                ..List::default()
            },
            from: if later {
                here
            } else {
                self.instances.beginning(scope, &of.record)
            },
            to: if later { asker.horizon } else { here },
        };
        if later {
            if asker.horizon != END {
                stretch.list.back = Some(Reason::End.into());
            } else if let Some(end) = end.filter(|end| self.has_reached(*end)) {
                stretch.to = end;
            } else {
                stretch.list.back = Some(self.not_yet());
            }
        } else {
            stretch.list.front = match instance {
                Some(instance) => instance.front_of_list(collection),
                None => self.instances.front_of(scope, &key, &of.record),
            };
            // A session stands at its end, which may not be shown, and an answer may still be to come.
            if !self.has_reached(here) {
                stretch.list.back = Some(self.not_yet());
            }
        }
        match self.cut(stretch, later, bounds, &of.record) {
            Ok(list) => Value::List(Arc::new(list)),
            Err(reasons) => Value::Unknown(reasons),
        }
    }

    /// Why what would come next is not known.
    pub(super) fn not_yet(&self) -> Reasons {
        if self.over { Reason::End } else { Reason::Pending }.into()
    }

    /// Cuts a stretch at its bounds and marks where records are lost.
    pub(super) fn cut(
        &self,
        mut stretch: Stretch,
        later: bool,
        bounds: &[Value],
        subject: &Record,
    ) -> Result<List, Reasons> {
        for bound in bounds {
            stretch = if later {
                self.until(stretch, bound, subject)?
            } else {
                self.since(stretch, bound, subject)?
            };
        }
        Ok(self.with_holes(stretch))
    }

    /// Where records are lost, something unknown perhaps stands.
    pub(super) fn with_holes(&self, stretch: Stretch) -> List {
        let Stretch {
            mut list,
            from,
            to,
            window,
        } = stretch;
        let mut gaps = self
            .gaps(from, to)
            .filter(|gap| !window.is_some_and(|end| self.is_behind(*gap, end)))
            .peekable();
        if gaps.peek().is_none() {
            return list;
        }
        let reasons: Reasons = Reason::Middle.into();
        let mut rest = std::mem::take(&mut list.items).into_iter().peekable();
        for gap in gaps {
            while let Some(item) = rest.next_if(|item| ordinal(item).is_none_or(|there| there <= gap)) {
                list.items.push(item);
            }
            list.items.push(Item {
                value: Value::Unknown(reasons.clone()),
                perhaps: Some(reasons.clone()),
            });
        }
        list.items.extend(rest);
        list.holes = Some(reasons);
        list
    }

    /// Whether a gap is behind the end of a window: something before it was.
    fn is_behind(&self, gap: Ordinal, end: i64) -> bool {
        let known = self.gaps.binary_search_by_key(&gap, |known| known.at);
        let known = known.ok().and_then(|at| self.gaps.get(at));
        known.is_some_and(|known| known.behind.is_some_and(|time| time > end))
    }

    /// All records of a kind in a session.
    pub(super) fn session_list(&self, of: &Seen, session: &Arc<Session>, subject: Subject) -> List {
        let record = Record::Session(Arc::clone(session));
        let key = self.instances.key_of(0, &record);
        let instance = self.instances.get(0, &key);
        let records = instance
            .and_then(|i| i.lists.get(&Collection::Of(subject)))
            .map_or(&[][..], |l| l);
        // What comes behind its end is not in it.
        let to = of.as_of.min(session.ended.get().copied().unwrap_or(END));
        let items = records
            .iter()
            .filter(|record| record.ordinal() < to)
            .map(|record| Item {
                value: Value::Record(Seen {
                    record: record.clone(),
                    as_of: of.as_of,
                }),
                perhaps: None,
            });
        let mut list = List {
            items: items.collect(),
            ..List::default()
        };
        list.front = match instance {
            Some(instance) => instance.front_of_list(Collection::Of(subject)),
            None => self.instances.front_of(0, &key, &record),
        };
        let ended = session.ended.get().is_some_and(|end| self.has_reached(*end));
        if of.as_of == END && !ended {
            list.back = Some(self.not_yet());
        }
        self.with_holes(Stretch {
            window: None,
            list,
            from: self.instances.beginning(0, &record),
            to,
        })
    }

    /// What comes after a record, or in a length of time before the subject.
    fn since(&self, mut stretch: Stretch, bound: &Value, subject: &Record) -> Result<Stretch, Reasons> {
        match bound {
            Value::Unknown(reasons) => return Err(reasons.clone()),
            Value::Record(start) => {
                let start = place(start);
                stretch
                    .list
                    .items
                    .retain(|item| ordinal(item).is_some_and(|at| at > start));
                stretch.list.front = None;
                stretch.from = stretch.from.max(start);
            }
            Value::Duration(length) => {
                let from = time(subject)?.saturating_sub(*length);
                within(&mut stretch.list, &|at| at >= from);
                // What came before the recording is outside the window if the recording began before it.
                if self.first_time.is_some_and(|first| first < from) {
                    stretch.list.front = None;
                }
            }
            _ => {}
        }
        Ok(stretch)
    }

    /// What comes before a record, or in a length of time after the subject.
    fn until(&self, mut stretch: Stretch, bound: &Value, subject: &Record) -> Result<Stretch, Reasons> {
        match bound {
            Value::Unknown(reasons) => return Err(reasons.clone()),
            Value::Record(end) => {
                let end = place(end);
                stretch
                    .list
                    .items
                    .retain(|item| ordinal(item).is_some_and(|at| at < end));
                // The end of a session may not be shown, and an answer may still be to come.
                if self.has_reached(end) {
                    stretch.list.back = None;
                }
                stretch.to = stretch.to.min(end);
            }
            Value::Duration(length) => {
                let to = time(subject)?.saturating_add(*length);
                within(&mut stretch.list, &|at| at <= to);
                // What comes after the recording is outside the window if the recording went on beyond it.
                if self.last_time.is_some_and(|last| last > to) {
                    stretch.list.back = None;
                }
                // What is lost behind the window was outside as well.
                stretch.window = Some(stretch.window.map_or(to, |end| end.min(to)));
            }
            _ => {}
        }
        Ok(stretch)
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

pub(super) fn time(record: &Record) -> Result<i64, Reasons> {
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

/// Keeps the elements whose time is in a window; of those without a time it is not known.
fn within(list: &mut List, window: &dyn Fn(i64) -> bool) {
    list.items.retain_mut(|item| match item_time(item) {
        Some(at) => window(at),
        None => {
            let clock: Reasons = Reason::Clock.into();
            item.perhaps = Some(item.perhaps.take().map_or(clock.clone(), |why| why.and(&clock)));
            true
        }
    });
}

/// Where a record stands: a session at its end.
pub(crate) fn place(record: &Record) -> Ordinal {
    match record {
        Record::Session(session) => session.ended.get().copied().unwrap_or(END),
        other => other.ordinal(),
    }
}
