//! `< <= > >=`, and what all six comparisons share.

use std::cmp::Ordering;

use super::equality::equal;
use super::logic::unknown;
use crate::lang::ast::BinaryOp;
use crate::model::value::{Truth, Value};

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Comparison {
    /// The comparison that an operator is, if it is one.
    pub fn of(op: BinaryOp) -> Option<Comparison> {
        Some(match op {
            BinaryOp::Equal => Comparison::Equal,
            BinaryOp::NotEqual => Comparison::NotEqual,
            BinaryOp::Less => Comparison::Less,
            BinaryOp::LessEqual => Comparison::LessEqual,
            BinaryOp::Greater => Comparison::Greater,
            BinaryOp::GreaterEqual => Comparison::GreaterEqual,
            _ => return None,
        })
    }

    /// `b OP a` for `a OP b`.
    #[must_use]
    pub fn flipped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            same => same,
        }
    }

    /// Whether it holds of two things in this order.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Less => ordering.is_lt(),
            Comparison::LessEqual => ordering.is_le(),
            Comparison::Greater => ordering.is_gt(),
            Comparison::GreaterEqual => ordering.is_ge(),
        }
    }
}

/// Compares two values. The four orders are about two numbers, texts (by code points), times or durations; of
/// everything else, missing included, they are false, also if the other operand is unknown.
pub fn compare(op: Comparison, a: &Value, b: &Value) -> Truth {
    match op {
        Comparison::Equal => return equal(a, b),
        Comparison::NotEqual => return !equal(a, b),
        _ => {}
    }
    if !may_have_order(a) || !may_have_order(b) {
        return Truth::False;
    }
    if let Some(reasons) = unknown([a, b]) {
        return Truth::Unknown(reasons);
    }
    ordering(a, b).is_some_and(|ordering| op.holds(ordering)).into()
}

fn may_have_order(value: &Value) -> bool {
    matches!(value, Value::Unknown(_) | Value::Time(_) | Value::Duration(_))
        || value.as_str().is_some()
        || value.as_number().is_some()
}

/// The order of two numbers, texts, times or durations.
fn ordering(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Time(a), Value::Time(b)) | (Value::Duration(a), Value::Duration(b)) => Some(a.cmp(b)),
        _ => match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => Some(a.cmp(b)),
            _ => Some(a.as_number()?.cmp(&b.as_number()?)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use Comparison::{Greater, GreaterEqual, Less, LessEqual, NotEqual};

    #[test]
    fn two_numbers_texts_times_or_durations_have_an_order() {
        yes(compare(Less, &json("1"), &json("1.5")));
        yes(compare(LessEqual, &json("1"), &Value::integer(1i64)));
        no(compare(Less, &json("1"), &json("1.0")));
        yes(compare(Greater, &json(r#""b""#), &Value::text("a")));
        // By code points, where UTF-16 units would say otherwise.
        yes(compare(Less, &Value::text("\u{ff5e}"), &Value::text("\u{1f600}")));
        yes(compare(Less, &Value::Time(1), &Value::Time(2)));
        yes(compare(GreaterEqual, &Value::Duration(2), &Value::Duration(2)));
    }

    #[test]
    fn everything_else_is_false() {
        for other in [
            Value::Missing,
            Value::Null,
            json("true"),
            json("[]"),
            json(r#""1""#),
        ] {
            no(compare(Less, &other, &json("1")));
            no(compare(GreaterEqual, &other, &json("1")));
            no(compare(GreaterEqual, &json("1"), &other));
        }
        no(compare(Less, &Value::Time(1), &Value::Duration(2)));
    }

    #[test]
    fn unknown_is_unknown_where_the_other_side_does_not_decide() {
        unsure(compare(Less, &dark(), &json("1")));
        no(compare(Less, &dark(), &Value::Missing));
        no(compare(Less, &json("true"), &dark()));
        unsure(compare(NotEqual, &dark(), &json("true")));
    }
}
