//! The forms for lists (S3). *lo* are elements that surely satisfy, *hi* those that may.

use super::operators::{equal, not};
use super::value::{Item, List, Truth, V};

/// Whether an element is surely one of those asked for, surely not, or perhaps.
fn vote(item: &Item, truth: Truth) -> Truth {
    if item.perhaps && truth == Some(true) {
        None
    } else {
        truth
    }
}

/// True if lo > 0, false if hi = 0, else unknown.
pub fn any(list: &List, body: &mut dyn FnMut(&V) -> Truth) -> Truth {
    let votes: Vec<Truth> = list
        .items
        .iter()
        .map(|item| vote(item, body(&item.value)))
        .collect();
    if votes.contains(&Some(true)) {
        Some(true)
    } else if votes.contains(&None) || list.is_incomplete() {
        None
    } else {
        Some(false)
    }
}

/// False if some element surely fails, true if all surely satisfy and the list is complete, else unknown.
pub fn all(list: &List, body: &mut dyn FnMut(&V) -> Truth) -> Truth {
    not(any(list, &mut |value| not(body(value))))
}

/// How many: at least, and (`None`: nobody knows) at most.
pub type Interval = (u64, Option<u64>);

pub fn count(list: &List, body: &mut dyn FnMut(&V) -> Interval) -> Interval {
    let mut sum = (0, (!list.is_incomplete()).then_some(0));
    for item in &list.items {
        let (lo, hi) = body(&item.value);
        sum.0 += if item.perhaps { 0 } else { lo };
        sum.1 = sum.1.zip(hi).map(|(a, b)| a + b);
    }
    sum
}

/// Unknown if the front is incomplete or a perhaps comes before the first sure one; missing only from a complete list.
pub fn first(list: &List, body: &mut dyn FnMut(&V) -> Truth) -> V {
    seek(list, list.items.iter().collect(), list.front, list.back, body)
}

/// `last` likewise from the back.
pub fn last(list: &List, body: &mut dyn FnMut(&V) -> Truth) -> V {
    seek(
        list,
        list.items.iter().rev().collect(),
        list.back,
        list.front,
        body,
    )
}

fn seek(list: &List, items: Vec<&Item>, near: bool, far: bool, body: &mut dyn FnMut(&V) -> Truth) -> V {
    if near || list.inside {
        return V::Unknown;
    }
    for item in items {
        match vote(item, body(&item.value)) {
            Some(true) if list.unordered => return V::Unknown,
            Some(true) => return item.value.clone(),
            None => return V::Unknown,
            Some(false) => {}
        }
    }
    if far { V::Unknown } else { V::Missing }
}

/// Keeps elements whose condition is true, keeps those with an unknown one as *perhaps*, drops the rest.
pub fn those(list: &List, body: &mut dyn FnMut(&V) -> Truth) -> List {
    let mut kept = List {
        items: vec![],
        ..list.clone()
    };
    for item in &list.items {
        match vote(item, body(&item.value)) {
            Some(false) => {}
            truth => kept.items.push(Item {
                value: item.value.clone(),
                perhaps: truth.is_none(),
            }),
        }
    }
    kept
}

pub fn each(list: &List, body: &mut dyn FnMut(&V) -> V) -> List {
    let items = list.items.iter().map(|item| Item {
        value: body(&item.value),
        perhaps: item.perhaps,
    });
    List {
        items: items.collect(),
        ..list.clone()
    }
}

/// `each` with several bindings: the lists of the inner ones, one after the other. `None`: an unknown one.
pub fn each_in(list: &List, body: &mut dyn FnMut(&V) -> Option<List>) -> List {
    let mut joined = List {
        items: vec![],
        ..list.clone()
    };
    let length = list.items.len();
    for (i, item) in list.items.iter().enumerate() {
        let Some(part) = body(&item.value) else {
            joined.inside = true;
            continue;
        };
        joined.front |= part.front && i == 0;
        joined.back |= part.back && i + 1 == length;
        joined.inside |= part.inside || part.front && i > 0 || part.back && i + 1 < length;
        joined.holes |= part.holes;
        joined.unordered |= part.unordered;
        joined.items.extend(part.items.into_iter().map(|inner| Item {
            perhaps: inner.perhaps || item.perhaps,
            ..inner
        }));
    }
    joined
}

/// Looks at sure elements with known keys that are not missing; each later element whose key was seen makes one pair
/// with the first of its key. Those that are not looked at may make pairs of which nobody knows.
pub fn duplicates(list: &List, key: &mut dyn FnMut(&V) -> V) -> List {
    let mut seen: Vec<(V, V)> = vec![];
    let mut found = List {
        items: vec![],
        ..list.clone()
    };
    let mut candidates = 0;
    let mut passed_over = false;
    for item in &list.items {
        let key = key(&item.value);
        if key.is_missing() {
            continue;
        }
        candidates += 1;
        // A key that is not known in all its parts does not even equal itself.
        if item.perhaps || equal(&key, &key).is_none() {
            passed_over = true;
            continue;
        }
        match seen.iter().find(|(other, _)| equal(other, &key) == Some(true)) {
            Some((_, first)) => found.items.push(Item::sure(V::Object(vec![
                ("first".to_owned(), first.clone()),
                ("again".to_owned(), item.value.clone()),
                ("key".to_owned(), key),
            ]))),
            None => seen.push((key, item.value.clone())),
        }
    }
    found.inside |= passed_over && candidates > 1;
    found
}
