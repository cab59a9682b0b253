//! Labels under a line: disjoint, and with words that fit beside each other.

use std::ops::Range;

use crate::report::location::Position;
use crate::report::visible::{visible, width, wrap};

/// A label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    /// Bytes of the text of the row.
    pub range: Range<usize>,
    /// What is said.
    pub text: Option<String>,
    /// The header of the box tells its place.
    pub primary: bool,
    /// The true place.
    pub start: Position,
}

/// Breaks the words of a label so that they do not run out of the picture; its own line breaks are kept.
pub(super) fn fold(label: &str, row: &str, range: &Range<usize>, room: usize) -> String {
    let before = width(row.get(..range.start).unwrap_or(""));
    let under = width(row.get(range.clone()).unwrap_or(""));
    let room = room.saturating_sub(before + under / 2 + 4).max(24);
    let lines: Vec<_> = label.split('\n').flat_map(|part| wrap(part, room)).collect();
    lines.join("\n")
}

/// Makes labels disjoint: an inner one keeps its range, an outer one keeps what is left; what is left nothing joins the
/// one that took its place.
pub(super) fn disjoint(row: &str, mut spots: Vec<Spot>) -> Vec<Spot> {
    spots.sort_by_key(|s| (s.range.len(), !s.primary));
    let mut done: Vec<Spot> = Vec::with_capacity(spots.len());
    for mut spot in spots {
        spot.text = spot.text.map(|t| visible(&t)).filter(|t| !t.is_empty());
        if let Some(free) = free(row, &spot.range, &done) {
            spot.range = free;
            done.push(spot);
            continue;
        }
        let place = done
            .iter_mut()
            .find(|d| d.range.start < spot.range.end && spot.range.start < d.range.end);
        let Some(place) = place else {
            // Blanks, or an empty line.
            done.push(spot);
            continue;
        };
        if spot.primary {
            place.primary = true;
            place.start = spot.start;
        }
        place.text = match (place.text.take(), spot.text) {
            (Some(a), Some(b)) if a != b => Some(format!("{a}\n{b}")),
            (a, b) => a.or(b),
        };
    }
    done.sort_by_key(|s| s.range.start);
    done
}

/// The first part of a range that is not taken and shows something.
fn free(row: &str, range: &Range<usize>, taken: &[Spot]) -> Option<Range<usize>> {
    let mut taken: Vec<_> = taken.iter().map(|s| s.range.clone()).collect();
    taken.sort_by_key(|r| r.start);
    taken.push(range.end..usize::MAX);
    let mut at = range.start;
    for next in taken {
        let part = row.get(at..next.start.clamp(at, range.end)).unwrap_or("");
        let start = at + part.len() - part.trim_start_matches([' ', ',']).len();
        let end = at + part.trim_end_matches([' ', ',']).len();
        if start < end && width(row.get(start..end).unwrap_or("")) > 0 {
            return Some(start..end);
        }
        at = at.max(next.end).min(range.end);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(range: Range<usize>, text: &str) -> Spot {
        Spot {
            range,
            text: (!text.is_empty()).then(|| text.to_owned()),
            primary: false,
            start: Position { line: 1, column: 1 },
        }
    }

    #[test]
    fn labels_become_disjoint() {
        let row = "{ a, needle, b }";
        let ranges = |spots: Vec<Spot>| -> Vec<(String, String)> {
            let shown = |s: Spot| (row[s.range].to_owned(), s.text.unwrap_or_default());
            disjoint(row, spots).into_iter().map(shown).collect()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        // Nested: the inner one keeps its range.
        let nested = ranges(vec![spot(0..16, "outer"), spot(5..11, "inner")]);
        assert_eq!(nested, [pair("{ a", "outer"), pair("needle", "inner")]);
        // From the same start.
        let same_start = ranges(vec![spot(5..16, "outer"), spot(5..11, "inner")]);
        assert_eq!(same_start, [pair("needle", "inner"), pair("b }", "outer")]);
        // Equal.
        let equal = ranges(vec![
            spot(5..11, "one"),
            spot(5..11, "two"),
            spot(5..11, "one\u{1b}"),
        ]);
        assert_eq!(equal, [pair("needle", "one\ntwo\none␛")]);
        // Overlapping.
        let overlapping = ranges(vec![spot(0..8, "left"), spot(5..16, "right")]);
        assert_eq!(overlapping, [pair("{ a, nee", "left"), pair("dle, b }", "right")]);
        // Covered by others together.
        let covered = ranges(vec![spot(2..3, "a"), spot(3..4, "b"), spot(2..4, "both")]);
        assert_eq!(covered, [pair("a", "a\nboth"), pair(",", "b")]);
    }

    #[test]
    fn the_primary_label_keeps_its_place_when_it_is_merged() {
        let mut primary = spot(0..1, "second");
        primary.primary = true;
        primary.start = Position { line: 9, column: 8 };
        let merged = disjoint("x", vec![spot(0..1, "first"), primary]);
        assert_eq!(merged.len(), 1);
        assert_eq!(merged[0].start, Position { line: 9, column: 8 });
        assert_eq!(merged[0].text.as_deref(), Some("second\nfirst"));
    }
}
