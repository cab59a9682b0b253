//! The bytes of a string that stand for themselves, many at a time.

/// The next byte from `at` that does not stand for itself in a string: a quote, a backslash, a control character.
#[inline]
pub(crate) fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    // Names and most values end soon.
    for _ in 0..3 {
        match first_mark(bytes, at) {
            Some(Some(mark)) => return at + mark,
            Some(None) => at += 8,
            None => return plain_until_end(bytes, at),
        }
    }
    long_plain_until(bytes, at)
}

/// The same, for what is longer.
#[inline(never)]
fn long_plain_until(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while let Some(many) = piece(bytes, at)
            && all_plain(many)
        {
            at += 32;
        }
        // What is looked for may be in these, behind which it begins again.
        for _ in 0..4 {
            match first_mark(bytes, at) {
                Some(Some(mark)) => return at + mark,
                Some(None) => at += 8,
                None => return plain_until_end(bytes, at),
            }
        }
    }
}

/// The place among the next eight bytes; `None` if there are fewer.
#[inline]
fn first_mark(bytes: &[u8], at: usize) -> Option<Option<usize>> {
    let marks = marks(u64::from_le_bytes(*piece(bytes, at)?));
    Some((marks != 0).then(|| (marks.trailing_zeros() / 8) as usize))
}

#[inline]
fn piece<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    bytes.get(at..)?.first_chunk()
}

/// Fewer than eight bytes are left.
#[cold]
fn plain_until_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let mark = rest
        .iter()
        .position(|byte| matches!(byte, 0..b' ' | b'"' | b'\\'));
    at + mark.unwrap_or(rest.len())
}

/// Four numbers need one branch, and the compiler takes two of them at a time.
#[inline]
fn all_plain(many: &[u8; 32]) -> bool {
    let (eights, _) = many.as_chunks();
    eights
        .iter()
        .fold(0, |all, eight| all | marks(u64::from_le_bytes(*eight)))
        == 0
}

/// Of eight bytes, the highest bit of each that does not stand for itself. A subtraction of one byte may borrow from the
/// next: only the lowest mark is sure, and the lowest is all that is asked for.
#[inline]
fn marks(eight: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let below = |bytes: u64, limit: u8| bytes.wrapping_sub(ONES * u64::from(limit));
    let is = |byte: u8| below(eight ^ (ONES * u64::from(byte)), 1);
    // What is not ASCII has its highest bit set from the start.
    (below(eight, b' ') | is(b'"') | is(b'\\')) & !eight & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slowly(bytes: &[u8]) -> usize {
        plain_until_end(bytes, 0)
    }

    /// Every byte beside every other, at every place in a number.
    #[test]
    fn finds_the_first_mark() {
        for first in 0..=255 {
            for second in 0..=255 {
                for at in 0..7 {
                    let mut bytes = [b'a'; 8];
                    bytes[at] = first;
                    bytes[at + 1] = second;
                    assert_eq!(plain_until(&bytes, 0), slowly(&bytes), "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn finds_a_mark_at_any_distance() {
        for mark in [b'"', b'\\', 0, 0x1F, b' ', 0x7F, 0x80, 0xFF] {
            for length in 0..130 {
                for at in 0..length {
                    let mut bytes = vec![b'x'; length];
                    bytes[at] = mark;
                    assert_eq!(
                        plain_until(&bytes, 0),
                        slowly(&bytes),
                        "{mark} at {at} of {length}"
                    );
                }
                assert_eq!(plain_until(&vec![b'x'; length], length), length);
            }
        }
    }
}
