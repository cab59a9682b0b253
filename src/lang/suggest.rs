//! "Did you mean …?"

/// The candidate that a misspelt word most likely stands for, if one is near enough to be worth naming.
///
/// Case does not count, so `Error` suggests `error`; of two that are equally near, the first wins.
///
/// ```
/// # use wirelint::lang::suggest::suggest;
/// assert_eq!(suggest("requires", ["report", "require"]), Some("require"));
/// assert_eq!(suggest("banana", ["report", "require"]), None);
/// ```
pub fn suggest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let length = word.chars().count();
    nearest(word, candidates, (length + 1) / 3)
}

/// The candidate that is no more than `near` changes away, and the least of all.
fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>, near: usize) -> Option<&'c str> {
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let mut best = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        if letters.len().abs_diff(word.len()) > near {
            continue;
        }
        let distance = distance(&word, &letters);
        // A word that shares no letter with the candidate is not a misspelling of it, however short both are.
        if distance <= near && distance < letters.len() && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The candidate that a word is nearly the same as: so near that a slip is likelier than another word that is meant.
///
/// ```
/// # use wirelint::lang::suggest::near_miss;
/// assert_eq!(near_miss("greenapple", ["greenApple", "brownApple"]), Some("greenApple"));
/// assert_eq!(near_miss("apples/pea", ["apples/plum", "apples/pear"]), Some("apples/pear"));
/// assert_eq!(near_miss("apples/bean", ["apples/plum", "apples/pears"]), None);
/// ```
pub fn near_miss<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let length = word.chars().count();
    nearest(word, candidates, if length < 12 { 1 } else { 2 }).filter(|_| length > 2)
}

/// How many letters were added, left out, mistaken or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut above2 = vec![0; width];
    let mut above: Vec<usize> = (0..width).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1; width];
        for (j, y) in b.iter().enumerate() {
            row[j + 1] = (above[j] + usize::from(x != y))
                .min(above[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                row[j + 1] = row[j + 1].min(above2[j - 1] + 1);
            }
        }
        above2 = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_changes() {
        let count =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("report", "report"), 0);
        assert_eq!(count("reprot", "report"), 1);
        assert_eq!(count("sevrity", "severity"), 1);
        assert_eq!(count("kitten", "sitting"), 3);
    }

    #[test]
    fn suggests_only_what_is_near() {
        let words = ["error", "warning", "note", "off"];
        assert_eq!(suggest("eror", words), Some("error"));
        assert_eq!(suggest("Warning", words), Some("warning"));
        assert_eq!(suggest("onte", words), Some("note"));
        assert_eq!(suggest("fatal", words), None);
        assert_eq!(suggest("x", words), None);
        assert_eq!(suggest("", words), None);
    }
}
