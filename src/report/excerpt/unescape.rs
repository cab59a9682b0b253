//! What a JSON string says, and where each part of it stands in the string.

use std::ops::Range;

/// A part of a string: a stretch without escapes, or one escape.
#[derive(Debug, Clone, Copy)]
struct Run {
    raw: usize,
    said: usize,
    /// Bytes of an escape; 0 for a stretch, which says itself.
    escape: usize,
}

/// Where the parts of a string stand.
#[derive(Debug)]
pub struct Runs {
    runs: Vec<Run>,
    said: usize,
}

impl Runs {
    /// The part of what is said that a range of the raw string holds; `None` if it says nothing.
    pub fn range(&self, raw: Range<usize>) -> Option<Range<usize>> {
        let start = self.offset(raw.start, false);
        let end = self.offset(raw.end, true);
        (start < end).then_some(start..end)
    }

    fn offset(&self, raw: usize, up: bool) -> usize {
        let next = self.runs.partition_point(|r| r.raw <= raw);
        let Some(run) = next.checked_sub(1).and_then(|i| self.runs.get(i)) else {
            return 0;
        };
        let limit = self.runs.get(next).map_or(self.said, |r| r.said);
        match raw - run.raw {
            0 => run.said,
            into if run.escape == 0 => (run.said + into).min(limit),
            into if up || into >= run.escape => limit,
            _ => run.said,
        }
    }
}

/// Unescapes a string with its quotes; the closing one may be missing. Escapes that are none stay as they are.
pub fn unescape(raw: &[u8]) -> (Vec<u8>, Runs) {
    let mut said = Vec::with_capacity(raw.len());
    let mut runs = Vec::new();
    let mut at = 1;
    let mut plain = false;
    while let Some(&b) = raw.get(at) {
        if b == b'"' {
            break;
        }
        if b != b'\\' {
            if !plain {
                runs.push(Run {
                    raw: at,
                    said: said.len(),
                    escape: 0,
                });
                plain = true;
            }
            said.push(b);
            at += 1;
            continue;
        }
        let start = said.len();
        let escape = one(raw.get(at + 1..).unwrap_or(&[]), &mut said);
        runs.push(Run {
            raw: at,
            said: start,
            escape,
        });
        plain = false;
        at += escape;
    }
    let said_length = said.len();
    runs.push(Run {
        raw: at,
        said: said_length,
        escape: 1,
    });
    let runs = Runs {
        runs,
        said: said_length,
    };
    (said, runs)
}

/// Appends what the escape says whose text after the backslash begins here; gives its length with the backslash.
fn one(rest: &[u8], said: &mut Vec<u8>) -> usize {
    let plain = match rest.first() {
        Some(b'n') => b'\n',
        Some(b't') => b'\t',
        Some(b'r') => b'\r',
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b @ (b'"' | b'\\' | b'/')) => *b,
        Some(b'u') => {
            let (c, length) = unicode(rest);
            said.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return length;
        }
        _ => {
            said.push(b'\\');
            return 1;
        }
    };
    said.push(plain);
    2
}

fn unicode(rest: &[u8]) -> (char, usize) {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 4)?;
        let text = std::str::from_utf8(digits).ok()?;
        u32::from_str_radix(text, 16).ok()
    };
    let Some(high) = unit(1) else {
        return ('\u{fffd}', 2);
    };
    if (0xd800..0xdc00).contains(&high)
        && rest.get(5..7) == Some(b"\\u")
        && let Some(low @ 0xdc00..0xe000) = unit(7)
    {
        let c = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        return (char::from_u32(c).unwrap_or('\u{fffd}'), 12);
    }
    (char::from_u32(high).unwrap_or('\u{fffd}'), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_follow_the_escapes() {
        let raw = br#""{\"a\":\"\u00e9\ud83d\ude00x\"}""#;
        let (said, runs) = unescape(raw);
        let text = String::from_utf8(said).unwrap();
        assert_eq!(text, "{\"a\":\"é😀x\"}");
        let of = |needle: &str| {
            let at = raw
                .windows(needle.len())
                .position(|w| w == needle.as_bytes())
                .unwrap();
            runs.range(at..at + needle.len()).map(|r| text[r].to_owned())
        };
        assert_eq!(of("a"), Some("a".into()));
        assert_eq!(of(r#"\"a\""#), Some("\"a\"".into()));
        assert_eq!(of(r"\u00e9\ud83d\ude00x"), Some("é😀x".into()));
        assert_eq!(of(r"\ud83d\ude00"), Some("😀".into()));
        assert_eq!(runs.range(0..raw.len()), Some(0..text.len()));
        assert_eq!(runs.range(0..1), None);
    }

    #[test]
    fn broken_escapes_do_no_harm() {
        for raw in [
            &b"\"\\"[..],
            b"\"",
            b"",
            b"\"\\u12",
            b"\"\\q\\ud800\"",
            b"\"\\u\xff\xff\xff\xff",
        ] {
            let (_, runs) = unescape(raw);
            for start in 0..=raw.len() {
                for end in start..=raw.len() {
                    runs.range(start..end);
                }
            }
        }
    }
}
