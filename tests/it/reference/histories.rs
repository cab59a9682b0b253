//! `earlier` and `later` (S4, S9, S10).

use wirelint::lang::program::{Collection, Scope};
use wirelint::model::record::{END, Fact, Ordinal, Record, Seen};
use wirelint::model::subject::{Key, Subject};

use super::eval::Asker;
use super::facts::{Facts, id, key, place, session_of, time};
use super::value::{Item, List, V};

/// Records of a scope between two places.
struct Stretch {
    items: Vec<(Record, bool)>,
    from: Ordinal,
    to: Ordinal,
    front: bool,
    back: bool,
}

/// The keys of a record; `None` if one of them is unknown: then it is in a scope of its own (S10).
fn keys(scope: &Scope, record: &Record) -> Option<Vec<Option<String>>> {
    let one = |k: &Key| match key(record, *k) {
        Fact::Is(key) => Some(Some(key)),
        Fact::Missing => Some(None),
        Fact::Unknown(_) => None,
    };
    scope.keys.iter().map(one).collect()
}

fn share_scope(scope: &Scope, a: &Record, b: &Record) -> bool {
    match (keys(scope, a), keys(scope, b)) {
        (Some(a), Some(b)) => a == b,
        _ => id(a) == id(b),
    }
}

/// The front is incomplete unless the recording shows how the scope began (S4).
fn shows_beginning(facts: &Facts, scope: &Scope, record: &Record) -> bool {
    keys(scope, record).is_some()
        && (facts.begins
            || scope.keys.contains(&Key::Session) && session_of(record).begun.is_some()
            || scope.keys.contains(&Key::Process) && key(record, Key::Process).known().is_some())
}

/// A scope ends when its end is shown: that of its session, that of its process (S9).
fn end(scope: &Scope, record: &Record) -> Option<Ordinal> {
    keys(scope, record)?;
    let process = scope.keys.contains(&Key::Process) && key(record, Key::Process).known().is_some();
    let ends = scope.keys.contains(&Key::Session) || process;
    session_of(record).ended.get().copied().filter(|_| ends)
}

fn belongs(record: &Record, collection: Collection, at: Ordinal) -> bool {
    match collection {
        Collection::Of(subject) => record.subject().is_a(subject),
        // Requests without an answer, cancellation or end of their stream so far (S4).
        Collection::Open => match record {
            Record::Message(message) if record.subject() == Subject::Request => {
                message.pair.as_ref().is_some_and(|pair| pair.is_open(at))
            }
            _ => false,
        },
    }
}

/// A list of `earlier` or `later` of `of`.
pub fn history(
    facts: &Facts,
    asker: &Asker,
    of: &Record,
    later: bool,
    bounds: &[V],
    collection: Collection,
) -> V {
    let here = place(of);
    // What comes behind the end of a scope is not in it, unless one stands there.
    let end = end(asker.scope, of).filter(|end| *end > here);
    let last = if later {
        end.unwrap_or(END).min(asker.horizon)
    } else {
        asker.horizon
    };
    let on_side = |there: Ordinal| if later { there > here } else { there < here };
    let records = facts.records.iter().filter(|record| {
        on_side(record.ordinal())
            && record.ordinal() < last
            && share_scope(asker.scope, record, of)
            && belongs(record, collection, here)
    });
    let begun = shows_beginning(facts, asker.scope, of);
    let by_session = asker.scope.keys.contains(&Key::Session);
    let beginning = session_of(of).begun.filter(|_| by_session).unwrap_or(0);
    let unfinished = matches!(of, Record::Session(_)) && here == END;
    let mut stretch = Stretch {
        // The answer to a request that looks open may be among what is lost.
        items: records
            .map(|record| {
                let perhaps = collection == Collection::Open && lost(facts, record.ordinal(), here);
                (record.clone(), perhaps)
            })
            .collect(),
        from: if later { here } else { beginning },
        to: if later {
            end.unwrap_or(END).min(asker.horizon)
        } else {
            here
        },
        front: !later && !begun,
        back: if later {
            end.is_none() || asker.horizon != END
        } else {
            unfinished
        },
    };
    for bound in bounds {
        let cut = if later {
            until(facts, &mut stretch, bound, of)
        } else {
            since(facts, &mut stretch, bound, of)
        };
        if cut.is_none() {
            return V::Unknown;
        }
    }
    let items = stretch.items.into_iter().map(|(record, perhaps)| {
        let value = V::Record(asker.see(record.clone()));
        (record.ordinal(), Item { value, perhaps })
    });
    let (items, holes) = with_holes(facts, items.collect(), stretch.from, stretch.to);
    V::List(List {
        items,
        front: stretch.front,
        back: stretch.back,
        holes,
        ..List::default()
    })
}

/// Whether records are lost between two places.
pub fn lost(facts: &Facts, from: Ordinal, to: Ordinal) -> bool {
    facts.gaps.iter().any(|gap| from <= *gap && *gap < to)
}

/// Where records are lost, something unknown perhaps stands, so that `first` is known if it comes before.
pub fn with_holes(
    facts: &Facts,
    items: Vec<(Ordinal, Item)>,
    from: Ordinal,
    to: Ordinal,
) -> (Vec<Item>, bool) {
    let gaps = facts.gaps.iter().filter(|gap| from <= **gap && **gap < to);
    let lost = gaps.map(|gap| {
        let value = V::Unknown;
        let perhaps = true;
        (*gap, Item { value, perhaps })
    });
    let lost: Vec<(Ordinal, Item)> = lost.collect();
    let holes = !lost.is_empty();
    let mut all: Vec<(Ordinal, Item)> = items.into_iter().chain(lost).collect();
    all.sort_by_key(|(at, _)| *at);
    (all.into_iter().map(|(_, item)| item).collect(), holes)
}

/// `since(r)` begins after record `r` (missing: the whole), `since(1m)` one minute before, that instant included (S4).
fn since(facts: &Facts, stretch: &mut Stretch, bound: &V, of: &Record) -> Option<()> {
    match bound {
        V::Unknown => return None,
        V::Record(start) => {
            let start = place(start);
            stretch.items.retain(|(record, _)| record.ordinal() > start);
            stretch.from = stretch.from.max(start);
            stretch.front = false;
        }
        V::Duration(length) => {
            let from = time(of)?.saturating_sub(*length);
            window(stretch, |at| at >= from);
            // The window is recorded if the recording began before it.
            stretch.front &= facts.first_time().is_none_or(|first| first >= from);
        }
        _ => {}
    }
    Some(())
}

/// `until(…)` mirrors `since(…)` (S4).
fn until(facts: &Facts, stretch: &mut Stretch, bound: &V, of: &Record) -> Option<()> {
    match bound {
        V::Unknown => return None,
        V::Record(end) => {
            let end = place(end);
            stretch.items.retain(|(record, _)| record.ordinal() < end);
            stretch.to = stretch.to.min(end);
            // The end of a session may not be shown.
            stretch.back &= end == END;
        }
        V::Duration(length) => {
            let to = time(of)?.saturating_add(*length);
            window(stretch, |at| at <= to);
            stretch.back &= facts.last_time().is_none_or(|last| last <= to);
            // What is lost behind something that is behind the window was outside as well.
            let behind = facts
                .records
                .iter()
                .filter(|record| time(record).is_some_and(|at| at > to));
            let first = behind.map(Record::ordinal).min();
            let hides = facts
                .gaps
                .iter()
                .find(|gap| first.is_some_and(|first| first < **gap));
            stretch.to = stretch.to.min(hides.copied().unwrap_or(END));
        }
        _ => {}
    }
    Some(())
}

/// Of a record without a time it is not known whether it is in a window.
fn window(stretch: &mut Stretch, holds: impl Fn(i64) -> bool) {
    stretch.items.retain_mut(|(record, perhaps)| match time(record) {
        Some(at) => holds(at),
        None => {
            *perhaps = true;
            true
        }
    });
}

/// The records of a session that somebody sees.
pub fn session_list(facts: &Facts, of: &Seen, subject: Subject) -> List {
    let session = session_of(of);
    // What comes behind its end is not in it.
    let end = session.ended.get().copied().unwrap_or(END);
    let records = facts.records.iter().filter(|record| {
        session_of(record).ordinal == session.ordinal
            && record.ordinal() < of.as_of.min(end)
            && record.subject().is_a(subject)
    });
    let items = records.map(|record| {
        let seen = Seen {
            record: record.clone(),
            as_of: of.as_of,
        };
        (record.ordinal(), Item::sure(V::Record(seen)))
    });
    let (items, holes) = with_holes(
        facts,
        items.collect(),
        session.begun.unwrap_or(0),
        of.as_of.min(end),
    );
    List {
        items,
        front: !facts.begins && session.begun.is_none(),
        back: of.as_of == END && session.ended.get().is_none(),
        holes,
        ..List::default()
    }
}
