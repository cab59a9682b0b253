//! Kleene's logic, with reasons.

use crate::model::unknown::Reasons;
use crate::model::value::{Truth, Value};

/// Both: false decides, on either side.
pub fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Truth::False, _) | (_, Truth::False) => Truth::False,
        (Truth::True, other) | (other, Truth::True) => other,
        (Truth::Unknown(a), Truth::Unknown(b)) => Truth::Unknown(a.and(&b)),
    }
}

/// At least one: true decides, on either side.
pub fn or(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Truth::True, _) | (_, Truth::True) => Truth::True,
        (Truth::False, other) | (other, Truth::False) => other,
        (Truth::Unknown(a), Truth::Unknown(b)) => Truth::Unknown(a.and(&b)),
    }
}

/// The opposite; of unknown, unknown.
pub fn not(a: Truth) -> Truth {
    !a
}

/// The reasons of those operands that are unknown, in order; `None` if all are known.
pub fn unknown<'a>(operands: impl IntoIterator<Item = &'a Value>) -> Option<Reasons> {
    let mut met = None;
    for operand in operands {
        if let Value::Unknown(reasons) = operand {
            meet(&mut met, reasons);
        }
    }
    met
}

/// Adds reasons to those that were met so far.
pub(super) fn meet(met: &mut Option<Reasons>, reasons: &Reasons) {
    *met = Some(match met.take() {
        Some(before) => before.and(reasons),
        None => reasons.clone(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unknown::Reason;

    #[test]
    fn logic_is_that_of_kleene_and_reasons_join_in_order() {
        let clock = || Truth::Unknown(Reason::Clock.into());
        let status = || Truth::Unknown(Reason::Status.into());
        assert_eq!(and(Truth::False, clock()), Truth::False);
        assert_eq!(and(clock(), Truth::False), Truth::False);
        assert_eq!(and(Truth::True, clock()), clock());
        assert_eq!(or(clock(), Truth::True), Truth::True);
        assert_eq!(or(clock(), Truth::False), clock());
        assert_eq!(not(clock()), clock());
        let Truth::Unknown(both) = or(status(), clock()) else {
            panic!("decided")
        };
        assert!(both.iter().eq([Reason::Status, Reason::Clock].iter()));
    }
}
