//! How many: a number, or as much of it as is known.

use super::logic::{meet, unknown};
use super::order::Comparison;
use crate::json::Number;
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Truth, Value};

/// An interval of natural numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// At least so many.
    pub lo: u64,
    /// At most so many; `None`: nobody knows.
    pub hi: Option<u64>,
    /// Why both differ.
    pub reasons: Option<Reasons>,
}

impl Count {
    /// Exactly so many.
    pub fn exactly(n: u64) -> Count {
        Count {
            lo: n,
            hi: Some(n),
            reasons: None,
        }
    }

    /// Any number: the count over an unknown list.
    pub fn unknown(reasons: Reasons) -> Count {
        Count {
            lo: 0,
            hi: None,
            reasons: Some(reasons),
        }
    }

    /// Whether it is one number.
    pub fn is_exact(&self) -> bool {
        self.hi == Some(self.lo)
    }

    /// The number if it is one, else unknown.
    pub fn into_value(self) -> Value {
        if self.is_exact() {
            Value::Number(number(self.lo))
        } else {
            Value::Unknown(self.why())
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: &Count) -> Count {
        let mut reasons = self.reasons;
        if let Some(more) = &other.reasons {
            meet(&mut reasons, more);
        }
        Count {
            lo: self.lo.saturating_add(other.lo),
            hi: self.hi.zip(other.hi).map(|(a, b)| a.saturating_add(b)),
            reasons,
        }
    }

    /// Whether there is one at least.
    pub fn is_some(&self) -> Truth {
        match (self.lo, self.hi) {
            (1.., _) => Truth::True,
            (0, Some(0)) => Truth::False,
            (0, _) => Truth::Unknown(self.why()),
        }
    }

    fn why(&self) -> Reasons {
        // An interval that was made without a reason can only be one that something was left out of.
        self.reasons.clone().unwrap_or_else(|| Reason::Middle.into())
    }
}

impl From<Truth> for Count {
    /// One for true, none for false, either for unknown.
    fn from(truth: Truth) -> Count {
        match truth {
            Truth::True => Count::exactly(1),
            Truth::False => Count::exactly(0),
            Truth::Unknown(reasons) => Count {
                lo: 0,
                hi: Some(1),
                reasons: Some(reasons),
            },
        }
    }
}

/// `count … OP value`, decided as soon as the interval decides it.
pub fn compare_count(op: Comparison, count: &Count, value: &Value) -> Truth {
    if let Some(reasons) = unknown([value]) {
        let mut met = count.reasons.clone();
        meet(&mut met, &reasons);
        return met.map_or(Truth::False, Truth::Unknown);
    }
    let Some(n) = value.as_number() else {
        // Of another kind: not equal and without order.
        return (op == Comparison::NotEqual).into();
    };
    let natural = n.is_integral() && n >= Number::from(0i64);
    match op {
        Comparison::Equal | Comparison::NotEqual if !natural => (op == Comparison::NotEqual).into(),
        _ => decide(op, count, (&n, Some(&n)), None),
    }
}

/// `count … OP count …`, decided as soon as the intervals decide it.
pub fn compare_counts(op: Comparison, a: &Count, b: &Count) -> Truth {
    let (lo, hi) = (number(b.lo), b.hi.map(number));
    decide(op, a, (&lo, hi.as_ref()), b.reasons.as_ref())
}

fn decide(op: Comparison, a: &Count, b: (&Number, Option<&Number>), more: Option<&Reasons>) -> Truth {
    let (lo, hi) = (number(a.lo), a.hi.map(number));
    // Whether every a is less than, or at most, every b; and the other way round.
    let below = |strict: bool| {
        hi.as_ref()
            .is_some_and(|hi| if strict { hi < b.0 } else { hi <= b.0 })
    };
    let above = |strict: bool| b.1.is_some_and(|top| if strict { lo > *top } else { lo >= *top });
    let (yes, no) = match op {
        Comparison::Less => (below(true), above(false)),
        Comparison::LessEqual => (below(false), above(true)),
        Comparison::Greater => (above(true), below(false)),
        Comparison::GreaterEqual => (above(false), below(true)),
        Comparison::Equal | Comparison::NotEqual => {
            let apart = below(true) || above(true);
            let one = below(false) && above(false);
            if op == Comparison::Equal {
                (one, apart)
            } else {
                (apart, one)
            }
        }
    };
    if yes {
        return Truth::True;
    }
    if no {
        return Truth::False;
    }
    let mut met = a.reasons.clone();
    if let Some(more) = more {
        meet(&mut met, more);
    }
    Truth::Unknown(met.unwrap_or_else(|| a.why()))
}

fn number(n: u64) -> Number {
    Number::from(i64::try_from(n).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::model::ops::compare;
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};

    const ALL: [Comparison; 6] = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual];

    fn between(lo: u64, hi: Option<u64>) -> Count {
        Count {
            lo,
            hi,
            reasons: (hi != Some(lo)).then(gone),
        }
    }

    #[test]
    fn comparisons_are_decided_exactly_when_all_numbers_agree() {
        for lo in 0..4u64 {
            for hi in (lo..5).map(Some).chain([None]) {
                let count = between(lo, hi);
                for n in ["-1", "0", "0.5", "1", "2", "2.0", "3.5", "4", "5"] {
                    for op in ALL {
                        // Nine stands for all large numbers.
                        let all: Vec<Truth> = (lo..=hi.unwrap_or(9))
                            .map(|i| compare(op, &json(&i.to_string()), &json(n)))
                            .collect();
                        let found = compare_count(op, &count, &json(n));
                        if all.iter().all(|t| *t == all[0]) {
                            assert_eq!(found, all[0], "{count:?} {op:?} {n}");
                        } else {
                            unsure(found);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn two_counts_are_compared_by_their_bounds() {
        let range = |lo: u64| (lo..4).map(Some).chain([None]).map(move |hi| between(lo, hi));
        for a in (0..4).flat_map(range) {
            for b in (0..4).flat_map(range) {
                for op in ALL {
                    let all: Vec<bool> = (a.lo..=a.hi.unwrap_or(9))
                        .flat_map(|x| (b.lo..=b.hi.unwrap_or(9)).map(move |y| op.holds(x.cmp(&y))))
                        .collect();
                    let found = compare_counts(op, &a, &b);
                    if all.iter().all(|t| *t == all[0]) {
                        assert_eq!(found, all[0].into(), "{a:?} {op:?} {b:?}");
                    } else {
                        unsure(found);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_number_differs_and_has_no_order() {
        let two = Count::exactly(2);
        yes(compare_count(NotEqual, &two, &json("\"2\"")));
        no(compare_count(GreaterEqual, &two, &Value::Missing));
        unsure(compare_count(Equal, &two, &dark()));
    }

    #[test]
    fn a_count_is_a_number_when_both_bounds_agree() {
        same(&Count::exactly(2).into_value(), &json("2"));
        assert!(matches!(between(1, Some(2)).into_value(), Value::Unknown(_)));
        let sum = Count::exactly(1).plus(&between(1, Some(3)));
        assert_eq!((sum.lo, sum.hi), (2, Some(4)));
        assert_eq!(sum.plus(&Count::unknown(gone())).hi, None);
    }
}
