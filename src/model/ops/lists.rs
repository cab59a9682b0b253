//! The forms for lists: `any all count first last those each duplicates`.
//!
//! A form asks its body about every element. What the answers and the marks of the list leave open is open; nothing
//! else is. Forms with several bindings are one inside the other: `any x in xs, y in ys: e` is
//! `any(xs, |x| any(ys, |y| e))`, `count` is [`count_sum`] of counts, `each` is [`each_in`] of lists, and
//! `first x in xs, y in ys: e` is `first(xs, |x| any(ys, |y| e))`.

use std::collections::HashMap;
use std::sync::Arc;

use super::count::Count;
use super::equality::{equal, hidden};
use super::hash::hash;
use super::logic::meet;
use crate::model::unknown::Reasons;
use crate::model::value::{Item, List, Truth, Value};

/// The list that a form runs over: nothing over missing, `null` and whatever is no list.
///
/// # Errors
///
/// The reasons, if it is not known what the list is; then the form is unknown.
pub fn elements(value: &Value) -> Result<Arc<List>, Reasons> {
    match value {
        Value::Unknown(reasons) => Err(reasons.clone()),
        _ => Ok(value.as_list().unwrap_or_default()),
    }
}

/// What an element contributes.
enum Vote {
    No,
    Sure,
    Perhaps(Reasons),
}

fn vote(item: &Item, truth: Truth) -> Vote {
    match (&item.perhaps, truth) {
        (_, Truth::False) => Vote::No,
        (None, Truth::True) => Vote::Sure,
        (None, Truth::Unknown(reasons)) => Vote::Perhaps(reasons),
        (Some(perhaps), Truth::True) => Vote::Perhaps(perhaps.clone()),
        (Some(perhaps), Truth::Unknown(reasons)) => Vote::Perhaps(perhaps.and(&reasons)),
    }
}

/// True by one witness; false if the list is complete and no element can be one.
pub fn any(list: &List, body: &mut dyn FnMut(&Value) -> Truth) -> Truth {
    let mut met = None;
    for item in &list.items {
        match vote(item, body(&item.value)) {
            Vote::Sure => return Truth::True,
            Vote::Perhaps(reasons) => meet(&mut met, &reasons),
            Vote::No => {}
        }
    }
    if let Some(gap) = list.gap() {
        meet(&mut met, &gap);
    }
    met.map_or(Truth::False, Truth::Unknown)
}

/// The same over values that are surely there and all there are.
pub fn any_of(values: impl Iterator<Item = Value>, body: &mut dyn FnMut(&Value) -> Truth) -> Truth {
    let mut met = None;
    for value in values {
        match body(&value) {
            Truth::True => return Truth::True,
            Truth::Unknown(reasons) => meet(&mut met, &reasons),
            Truth::False => {}
        }
    }
    met.map_or(Truth::False, Truth::Unknown)
}

/// False by one counterexample; true if the list is complete and no element can be one.
pub fn all(list: &List, body: &mut dyn FnMut(&Value) -> Truth) -> Truth {
    !any(list, &mut |value| !body(value))
}

/// How many elements there are of which the body is true.
pub fn count(list: &List, body: &mut dyn FnMut(&Value) -> Truth) -> Count {
    count_sum(list, &mut |value| Count::from(body(value)))
}

/// The sum of what the body counts for each element: `count` with several bindings.
pub fn count_sum(list: &List, body: &mut dyn FnMut(&Value) -> Count) -> Count {
    let mut sum = Count::exactly(0);
    for item in &list.items {
        let mut part = body(&item.value);
        if let Some(perhaps) = &item.perhaps
            && part.hi != Some(0)
        {
            part.lo = 0;
            let mut reasons = Some(perhaps.clone());
            if let Some(more) = &part.reasons {
                meet(&mut reasons, more);
            }
            part.reasons = reasons;
        }
        sum = sum.plus(&part);
    }
    match list.gap() {
        Some(gap) => sum.plus(&Count::unknown(gap)),
        None => sum,
    }
}

/// The first element of which the body is true; missing only from a complete list without one.
pub fn first(list: &List, body: &mut dyn FnMut(&Value) -> Truth) -> Value {
    seek(list, list.items.iter(), &list.front, &list.back, body)
}

/// The last element of which the body is true; missing only from a complete list without one.
pub fn last(list: &List, body: &mut dyn FnMut(&Value) -> Truth) -> Value {
    seek(list, list.items.iter().rev(), &list.back, &list.front, body)
}

fn seek<'l>(
    list: &List,
    items: impl Iterator<Item = &'l Item>,
    near: &Option<Reasons>,
    far: &Option<Reasons>,
    body: &mut dyn FnMut(&Value) -> Truth,
) -> Value {
    let mut met = None;
    for reasons in [near, &list.inside].into_iter().flatten() {
        meet(&mut met, reasons);
    }
    if let Some(reasons) = met {
        return Value::Unknown(reasons);
    }
    let mut found = None;
    for item in items {
        match vote(item, body(&item.value)) {
            Vote::Sure => {
                found = Some(item.value.clone());
                break;
            }
            Vote::Perhaps(reasons) => meet(&mut met, &reasons),
            Vote::No => {}
        }
    }
    if found.is_none()
        && let Some(reasons) = far
    {
        meet(&mut met, reasons);
    }
    // Without order one that is there is still not known to be the first.
    if (found.is_some() || met.is_some())
        && let Some(reasons) = &list.unordered
    {
        meet(&mut met, reasons);
    }
    match met {
        Some(reasons) => Value::Unknown(reasons),
        None => found.unwrap_or(Value::Missing),
    }
}

/// The elements of which the body is true; those of which it is unknown are *perhaps* among them.
pub fn those(list: &List, body: &mut dyn FnMut(&Value) -> Truth) -> List {
    let items = list.items.iter().filter_map(|item| {
        let perhaps = match vote(item, body(&item.value)) {
            Vote::No => return None,
            Vote::Sure => None,
            Vote::Perhaps(reasons) => Some(reasons),
        };
        Some(Item {
            value: item.value.clone(),
            perhaps,
        })
    });
    with_marks(list, items.collect())
}

/// The value of the body for each element.
pub fn each(list: &List, body: &mut dyn FnMut(&Value) -> Value) -> List {
    let items = list.items.iter().map(|item| Item {
        value: body(&item.value),
        perhaps: item.perhaps.clone(),
    });
    with_marks(list, items.collect())
}

/// The elements of the lists that the body gives, one after the other: `each` with several bindings.
pub fn each_in(list: &List, body: &mut dyn FnMut(&Value) -> List) -> List {
    let mut joined = with_marks(list, vec![]);
    for (i, item) in list.items.iter().enumerate() {
        let part = body(&item.value);
        let (first, last) = (i == 0, i + 1 == list.items.len());
        // What is missing between the parts is missing inside.
        if let Some(reasons) = &part.front {
            meet(
                if first {
                    &mut joined.front
                } else {
                    &mut joined.inside
                },
                reasons,
            );
        }
        if let Some(reasons) = &part.inside {
            meet(&mut joined.inside, reasons);
        }
        if let Some(reasons) = &part.back {
            meet(
                if last {
                    &mut joined.back
                } else {
                    &mut joined.inside
                },
                reasons,
            );
        }
        if let Some(reasons) = &part.holes {
            meet(&mut joined.holes, reasons);
        }
        if let Some(reasons) = &part.unordered {
            meet(&mut joined.unordered, reasons);
        }
        joined.items.extend(part.items.into_iter().map(|inner| {
            let mut perhaps = item.perhaps.clone();
            if let Some(reasons) = &inner.perhaps {
                meet(&mut perhaps, reasons);
            }
            Item { perhaps, ..inner }
        }));
    }
    joined
}

/// Pairs `{first, again, key}`: one for each element whose key an earlier one has, together with the first that has
/// it. Only elements that are surely there and whose keys are known and not missing are looked at; where others could
/// make more pairs, the result is incomplete.
pub fn duplicates(list: &List, key: &mut dyn FnMut(&Value) -> Value) -> List {
    let mut seen: HashMap<u64, Vec<(Value, Value)>> = HashMap::new();
    let mut pairs = vec![];
    let mut skipped = None;
    let mut candidates = 0usize;
    for item in &list.items {
        let key = key(&item.value);
        if matches!(key, Value::Missing) {
            continue;
        }
        candidates += 1;
        if let Some(reasons) = item.perhaps.clone().or_else(|| hidden(&key)) {
            meet(&mut skipped, &reasons);
            continue;
        }
        let bucket = seen.entry(hash(&key)).or_default();
        match bucket.iter().find(|(other, _)| equal(other, &key) == Truth::True) {
            Some((_, first)) => pairs.push(Value::fields([
                ("first", first.clone()),
                ("again", item.value.clone()),
                ("key", key),
            ])),
            None => bucket.push((key, item.value.clone())),
        }
    }
    let mut found = with_marks(list, List::complete(pairs).items);
    if candidates > 1
        && let Some(reasons) = skipped
    {
        meet(&mut found.inside, &reasons);
    }
    found
}

fn with_marks(list: &List, items: Vec<Item>) -> List {
    List {
        items,
        front: list.front.clone(),
        back: list.back.clone(),
        inside: list.inside.clone(),
        holes: list.holes.clone(),
        unordered: list.unordered.clone(),
    }
}

#[cfg(test)]
#[path = "lists_tests.rs"]
mod tests;
