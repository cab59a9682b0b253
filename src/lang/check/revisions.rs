//! Protocol revisions: dates that order as dates.

use std::sync::Arc;

use super::Run;
use crate::lang::ast::{BinaryOp, Bound};
use crate::lang::error::{operators, rules as error};

impl Run<'_> {
    /// `revision BOUND and BOUND`
    pub fn revision(&mut self, bounds: &[Bound]) -> Vec<(BinaryOp, Arc<str>)> {
        let mut good = true;
        for bound in bounds {
            if !is_date(&bound.revision.node) {
                good = false;
                self.report(operators::bad_revision(bound.revision.span, &bound.revision.node));
            }
        }
        if let (true, Some((low, high))) = (good, empty_range(bounds)) {
            self.report(error::no_such_revision(low.revision.span, high.revision.span));
        }
        bounds
            .iter()
            .map(|bound| (bound.op, bound.revision.node.as_str().into()))
            .collect()
    }
}

/// Two bounds between which no revision lies.
fn empty_range(bounds: &[Bound]) -> Option<(&Bound, &Bound)> {
    for low in bounds {
        for high in bounds {
            let (a, b) = (&low.revision.node, &high.revision.node);
            let empty = match (low.op, high.op) {
                (BinaryOp::GreaterEqual | BinaryOp::Equal, BinaryOp::LessEqual)
                | (BinaryOp::GreaterEqual, BinaryOp::Equal) => a > b,
                (BinaryOp::Greater, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Equal)
                | (BinaryOp::GreaterEqual | BinaryOp::Equal, BinaryOp::Less) => a >= b,
                (BinaryOp::Equal, BinaryOp::Equal) => a != b,
                _ => false,
            };
            if empty {
                return Some((low, high));
            }
        }
    }
    None
}

/// Whether a text is a date of the calendar, as revisions are.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| -> Option<u32> {
        let part = text.get(range)?;
        part.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| part.parse().ok())?
    };
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (digits(0..4), digits(5..7), digits(8..10)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert!(is_date("2025-06-18"));
        assert!(is_date("2024-02-29"));
        for bad in [
            "2025-6-18",
            "2025-02-29",
            "2025-13-01",
            "DRAFT-2026",
            "2025-06-1é",
            "20250618",
        ] {
            assert!(!is_date(bad), "{bad}");
        }
    }
}
