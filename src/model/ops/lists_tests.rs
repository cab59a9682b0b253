//! The forms against brute force: every way to resolve what is unknown, over all small lists.
//!
//! An element is true, false or unknown to the body, and sure or perhaps there; a list may miss elements in front, at
//! the back, inside, or have no order. A form must be decided exactly when all completions agree, with what they agree
//! on. Hidden elements are tried up to a number beyond which more of them change nothing.

use std::sync::Arc;

use super::*;
use crate::model::ops::testing::*;
use crate::model::ops::{Comparison, compare_count};
use crate::model::unknown::Reason;

/// An element as a test sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Element {
    /// What the body says; `None`: unknown.
    answer: Option<bool>,
    perhaps: bool,
}

/// What a completed list consists of: a listed element or a hidden one, and what the body says of it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Real {
    Listed(usize, bool),
    Hidden(bool),
}

impl Real {
    fn answer(self) -> bool {
        match self {
            Real::Listed(_, answer) | Real::Hidden(answer) => answer,
        }
    }
}

/// What `first` gives in a completed list.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Found {
    Nothing,
    Listed(usize),
    Hidden,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Gap {
    None,
    Front,
    Back,
    Both,
    Inside,
}

const GAPS: [Gap; 5] = [Gap::None, Gap::Front, Gap::Back, Gap::Both, Gap::Inside];

fn all_lists(length: usize) -> Vec<Vec<Element>> {
    let kinds: Vec<Element> = [Some(true), Some(false), None]
        .into_iter()
        .flat_map(|answer| [false, true].map(|perhaps| Element { answer, perhaps }))
        .collect();
    (0..length).fold(vec![vec![]], |lists, _| {
        lists
            .iter()
            .flat_map(|list| {
                kinds
                    .iter()
                    .map(move |kind| list.iter().copied().chain([*kind]).collect())
            })
            .collect()
    })
}

fn list_of(elements: &[Element], gap: Gap) -> List {
    let some = |yes: bool| yes.then(gone);
    List {
        items: elements
            .iter()
            .enumerate()
            .map(|(i, element)| Item {
                value: Value::integer(i),
                perhaps: element.perhaps.then(|| Reason::Middle.into()),
            })
            .collect(),
        front: some(matches!(gap, Gap::Front | Gap::Both)),
        back: some(matches!(gap, Gap::Back | Gap::Both)),
        inside: some(gap == Gap::Inside),
        holes: None,
        unordered: None,
    }
}

fn body(elements: &[Element]) -> impl FnMut(&Value) -> Truth + '_ {
    |value| {
        let i = value.as_number().and_then(|n| n.as_i64()).unwrap();
        match elements[usize::try_from(i).unwrap()].answer {
            Some(answer) => answer.into(),
            None => Truth::Unknown(Reason::Redacted.into()),
        }
    }
}

/// All ways to decide the listed elements.
fn resolved(elements: &[Element]) -> Vec<Vec<Real>> {
    elements
        .iter()
        .enumerate()
        .fold(vec![vec![]], |lists, (i, element)| {
            let answers = element.answer.map_or(vec![true, false], |answer| vec![answer]);
            lists
                .into_iter()
                .flat_map(|list: Vec<Real>| {
                    let mut longer: Vec<Vec<Real>> = answers
                        .iter()
                        .map(|answer| list.iter().copied().chain([Real::Listed(i, *answer)]).collect())
                        .collect();
                    if element.perhaps {
                        longer.push(list);
                    }
                    longer
                })
                .collect()
        })
}

/// Sequences of up to `most` hidden elements.
fn hidden(most: usize) -> Vec<Vec<Real>> {
    let mut all = vec![vec![]];
    let mut longest: Vec<Vec<Real>> = vec![vec![]];
    for _ in 0..most {
        longest = longest
            .iter()
            .flat_map(|s| [true, false].map(|b| s.iter().copied().chain([Real::Hidden(b)]).collect()))
            .collect();
        all.extend(longest.clone());
    }
    all
}

fn completions(elements: &[Element], gap: Gap, most: usize) -> Vec<Vec<Real>> {
    let mut all = resolved(elements);
    if matches!(gap, Gap::Front | Gap::Both) {
        all = all
            .iter()
            .flat_map(|list| hidden(most).into_iter().map(move |h| [h, list.clone()].concat()))
            .collect();
    }
    if matches!(gap, Gap::Back | Gap::Both) {
        all = all
            .iter()
            .flat_map(|list| hidden(most).into_iter().map(move |h| [list.clone(), h].concat()))
            .collect();
    }
    if gap == Gap::Inside {
        // Any number of hidden elements at any one place, the ends included, stands for all ways to scatter them.
        all = all
            .iter()
            .flat_map(|list| {
                (0..=list.len()).flat_map(move |at| {
                    hidden(most)
                        .into_iter()
                        .map(move |h| [&list[..at], &h, &list[at..]].concat())
                })
            })
            .collect();
    }
    all
}

/// What all agree on.
fn agreed<T: PartialEq>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut all = all;
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

fn decided(truth: &Truth) -> Option<bool> {
    match truth {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown(_) => None,
    }
}

fn found(value: &Value) -> Option<Found> {
    match value {
        Value::Unknown(_) => None,
        Value::Missing => Some(Found::Nothing),
        _ => {
            let i = value.as_number().and_then(|n| n.as_i64()).unwrap();
            Some(Found::Listed(usize::try_from(i).unwrap()))
        }
    }
}

fn name(real: Option<&Real>) -> Found {
    match real {
        None => Found::Nothing,
        Some(Real::Listed(i, _)) => Found::Listed(*i),
        Some(Real::Hidden(_)) => Found::Hidden,
    }
}

fn cases(lengths: std::ops::RangeInclusive<usize>) -> impl Iterator<Item = (Vec<Element>, Gap)> {
    lengths
        .flat_map(all_lists)
        .flat_map(|elements| GAPS.map(|gap| (elements.clone(), gap)))
}

#[test]
fn any_and_all_are_decided_when_all_completions_agree() {
    for (elements, gap) in cases(0..=4) {
        let list = list_of(&elements, gap);
        let worlds = completions(&elements, gap, 1);
        let expected = agreed(worlds.iter().map(|w| w.iter().any(|r| r.answer())));
        let got = any(&list, &mut body(&elements));
        assert_eq!(decided(&got), expected, "any {elements:?} {gap:?}");
        let expected = agreed(worlds.iter().map(|w| w.iter().all(|r| r.answer())));
        let got = all(&list, &mut body(&elements));
        assert_eq!(decided(&got), expected, "all {elements:?} {gap:?}");
    }
}

#[test]
fn counts_compare_when_all_completions_agree() {
    const OPS: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ];
    for (elements, gap) in cases(0..=3) {
        let got = count(&list_of(&elements, gap), &mut body(&elements));
        // One hidden end with up to six elements shows as much as two.
        let gap = if gap == Gap::None { gap } else { Gap::Back };
        let counts: std::collections::BTreeSet<usize> = completions(&elements, gap, 6)
            .iter()
            .map(|w| w.iter().filter(|r| r.answer()).count())
            .collect();
        let expected = agreed(counts.iter());
        assert_eq!(got.is_exact(), expected.is_some());
        for n in 0..=4usize {
            for op in OPS {
                let expected = agreed(counts.iter().map(|c| op.holds(c.cmp(&n))));
                let got = compare_count(op, &got, &Value::integer(n));
                assert_eq!(decided(&got), expected, "count {elements:?} {gap:?} {op:?} {n}");
            }
        }
    }
}

#[test]
fn first_and_last_are_known_when_all_completions_agree() {
    for (elements, gap) in cases(0..=4) {
        let list = list_of(&elements, gap);
        let worlds = completions(&elements, gap, 1);
        let expected = agreed(worlds.iter().map(|w| name(w.iter().find(|r| r.answer()))));
        let got = first(&list, &mut body(&elements));
        assert_eq!(found(&got), expected, "first {elements:?} {gap:?}");
        let expected = agreed(worlds.iter().map(|w| name(w.iter().rev().find(|r| r.answer()))));
        let got = last(&list, &mut body(&elements));
        assert_eq!(found(&got), expected, "last {elements:?} {gap:?}");
    }
}

#[test]
fn forms_over_those_are_forms_over_both_conditions() {
    // `those` leaves nothing out and adds nothing: asking its elements is asking both conditions at once.
    for (elements, gap) in cases(0..=3) {
        let list = list_of(&elements, gap);
        let kept = those(&list, &mut body(&elements));
        let (mut yes, mut no) = (|_: &Value| Truth::True, |_: &Value| Truth::False);
        assert_eq!(
            decided(&any(&kept, &mut yes)),
            decided(&any(&list, &mut body(&elements)))
        );
        assert_eq!(
            decided(&all(&kept, &mut no)),
            decided(&!any(&list, &mut body(&elements)))
        );
        assert_eq!(
            found(&first(&kept, &mut yes)),
            found(&first(&list, &mut body(&elements)))
        );
        let (a, b) = (count(&kept, &mut yes), count(&list, &mut body(&elements)));
        assert_eq!((a.lo, a.hi), (b.lo, b.hi));
    }
}

#[test]
fn every_undecided_answer_has_reasons() {
    for (elements, gap) in cases(0..=2) {
        let list = list_of(&elements, gap);
        let unknown = elements.iter().any(|e| e.answer.is_none());
        if let Truth::Unknown(reasons) = any(&list, &mut body(&elements)) {
            let has = |reason| reasons.iter().any(|r| *r == reason);
            assert!(reasons.first().is_some());
            assert!(!has(Reason::Redacted) || unknown);
            assert!(!has(Reason::Start) || gap != Gap::None);
            assert!(has(Reason::Start) || gap == Gap::None);
        }
    }
}

#[test]
fn without_order_any_all_and_count_work_and_first_and_last_do_not() {
    let mut list = List::complete([json("1"), json("2")]);
    list.unordered = Some(Reason::Order.into());
    let is = |n: &'static str| move |value: &Value| equal(value, &json(n));
    yes(any(&list, &mut is("2")));
    no(all(&list, &mut is("2")));
    assert_eq!(count(&list, &mut is("2")), Count::exactly(1));
    assert!(matches!(first(&list, &mut is("2")), Value::Unknown(_)));
    assert!(matches!(last(&list, &mut is("2")), Value::Unknown(_)));
    same(&first(&list, &mut is("3")), &Value::Missing);
    assert!(those(&list, &mut is("2")).unordered.is_some());
}

#[test]
fn forms_run_over_nothing_where_there_is_no_list() {
    for value in [Value::Missing, json("null"), json("{}"), Value::text("x")] {
        let list = elements(&value).unwrap();
        no(any(&list, &mut |_| Truth::True));
        yes(all(&list, &mut |_| Truth::False));
        assert_eq!(count(&list, &mut |_| Truth::True), Count::exactly(0));
    }
    assert_eq!(elements(&json("[1,2]")).unwrap().items.len(), 2);
    assert!(elements(&dark()).is_err());
}

#[test]
fn each_keeps_perhaps_and_marks_and_missing_elements() {
    let mut list = List::complete([json("1"), json("2")]);
    list.items[1].perhaps = Some(gone());
    list.back = Some(gone());
    let doubled = each(&list, &mut |_| Value::Missing);
    assert_eq!(doubled.items.len(), 2);
    assert!(doubled.items[1].perhaps.is_some() && doubled.back.is_some());
    assert!(matches!(doubled.items[0].value, Value::Missing));
}

#[test]
fn several_bindings_run_over_the_combinations() {
    let xs = List::complete([json("1"), json("2")]);
    let ys = List::complete([json("1"), json("3")]);
    let pairs = each_in(&xs, &mut |x| {
        each(&ys, &mut |y| Value::list([x.clone(), y.clone()]))
    });
    same(&Value::List(Arc::new(pairs)), &json("[[1,1],[1,3],[2,1],[2,3]]"));
    yes(any(&xs, &mut |x| any(&ys, &mut |y| equal(x, y))));
    no(all(&xs, &mut |x| all(&ys, &mut |y| equal(x, y))));
    let pairs = count_sum(&xs, &mut |x| count(&ys, &mut |y| !equal(x, y)));
    assert_eq!(pairs, Count::exactly(3));

    let open = |front: bool, back: bool| List {
        front: front.then(gone),
        back: back.then(gone),
        ..List::complete([json("1")])
    };
    let joined = each_in(&xs, &mut |x| {
        open(matches!(found(x), Some(Found::Listed(1))), false)
    });
    assert!(joined.front.is_some() && joined.inside.is_none());
    let joined = each_in(&xs, &mut |_| open(false, true));
    assert!(joined.back.is_some() && joined.inside.is_some());
}

#[test]
fn duplicates_pair_each_later_element_with_the_first_of_its_key() {
    let list = json(r#"["a","B","A","a",5,"b"]"#).as_list().unwrap();
    let mut lower = |value: &Value| Value::or_missing(value.as_str(), |s| Value::text(s.to_lowercase()));
    let pairs = duplicates(&list, &mut lower);
    same(
        &Value::List(Arc::new(pairs)),
        &json(
            r#"[{"first":"a","again":"A","key":"a"},{"first":"a","again":"a","key":"a"},
                {"first":"B","again":"b","key":"b"}]"#,
        ),
    );
}

#[test]
fn duplicates_say_where_there_may_be_more() {
    let itself = |value: &Value| value.clone();
    let pairs = duplicates(&List::complete([json("1"), dark(), json("1")]), &mut { itself });
    assert_eq!(pairs.items.len(), 1);
    assert!(pairs.inside.is_some());
    let one = duplicates(&List::complete([dark(), Value::Missing]), &mut { itself });
    assert!(one.items.is_empty() && one.gap().is_none());
    let open = List {
        front: Some(gone()),
        ..List::complete([json("1")])
    };
    assert!(duplicates(&open, &mut { itself }).front.is_some());
}
