//! A tolerant walk over JSON text.
//!
//! It finds where values begin and end and never fails, whatever the bytes are: text that is cut off ends at the end,
//! and what is no JSON is stepped over. What must be JSON is checked elsewhere, by [`crate::json`].

use std::borrow::Cow;
use std::ops::Range;

use crate::json::plain_until;

/// The next byte from `at` that is no JSON white space.
pub(crate) fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
        .unwrap_or(rest.len())
}

/// One past the value at `at`, and whether it was closed. Always beyond `at`, except at the end.
pub(crate) fn skip_value(bytes: &[u8], at: usize) -> (usize, bool) {
    match bytes.get(at) {
        Some(b'"') => skip_string(bytes, at),
        Some(b'{' | b'[') => skip_container(bytes, at),
        Some(_) => {
            let rest = &bytes[at + 1..];
            let scalar = |b: &u8| {
                matches!(
                    b,
                    b',' | b'}' | b']' | b':' | b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'{' | b'['
                )
            };
            (at + 1 + rest.iter().position(scalar).unwrap_or(rest.len()), true)
        }
        None => (bytes.len(), false),
    }
}

fn skip_string(bytes: &[u8], at: usize) -> (usize, bool) {
    let mut next = at + 1;
    loop {
        next = plain_until(bytes, next);
        match bytes.get(next) {
            Some(b'"') => return (next + 1, true),
            Some(b'\\') => next += 2,
            Some(_) => next += 1,
            None => return (bytes.len(), false),
        }
    }
}

fn skip_container(bytes: &[u8], at: usize) -> (usize, bool) {
    let mut depth = 0_usize;
    let mut next = at;
    while next < bytes.len() {
        match bytes[next] {
            b'"' => {
                next = skip_string(bytes, next).0;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return (next + 1, true);
                }
            }
            _ => {}
        }
        next += 1;
    }
    (bytes.len(), false)
}

/// A member of an object: its name with the quotes, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// The members of the object at `at`; none if there is none.
pub(super) fn members(bytes: &[u8], at: usize) -> impl Iterator<Item = Member> {
    members_by(bytes, at, |at| skip_value(bytes, at).0)
}

/// The same, where `skip` knows, or finds, the ends of values.
pub(super) fn members_by(
    bytes: &[u8],
    at: usize,
    mut skip: impl FnMut(usize) -> usize,
) -> impl Iterator<Item = Member> {
    let mut next = match bytes.get(at) {
        Some(b'{') => at + 1,
        _ => bytes.len(),
    };
    std::iter::from_fn(move || {
        loop {
            next = skip_space(bytes, next);
            match bytes.get(next)? {
                b'}' | b']' => return None,
                b'"' => {
                    let name = next..skip_string(bytes, next).0;
                    let colon = skip_space(bytes, name.end);
                    let start = match bytes.get(colon) {
                        Some(b':') => skip_space(bytes, colon + 1),
                        _ => colon,
                    };
                    let value = match bytes.get(start) {
                        Some(b',' | b'}' | b']') | None => start..start,
                        Some(_) => start..skip(start),
                    };
                    next = value.end;
                    return Some(Member { name, value });
                }
                b',' | b':' => next += 1,
                _ => next = skip(next),
            }
        }
    })
}

/// The elements of the list at `at`; none if there is none.
pub(super) fn elements(bytes: &[u8], at: usize) -> impl Iterator<Item = Range<usize>> {
    let first = match bytes.get(at) {
        Some(b'[') => at + 1,
        _ => bytes.len(),
    };
    elements_from(bytes, first, |at| skip_value(bytes, at).0)
}

/// The elements of a list from a place between two of them, where `skip` knows, or finds, the ends of values.
pub(super) fn elements_from(
    bytes: &[u8],
    mut next: usize,
    mut skip: impl FnMut(usize) -> usize,
) -> impl Iterator<Item = Range<usize>> {
    std::iter::from_fn(move || {
        loop {
            next = skip_space(bytes, next);
            match bytes.get(next)? {
                b'}' | b']' => return None,
                b',' | b':' => next += 1,
                _ => {
                    let value = next..skip(next);
                    next = value.end;
                    return Some(value);
                }
            }
        }
    })
}

/// The last member of that name, as readers of JSON take it.
pub(super) fn member(bytes: &[u8], at: usize, name: &str) -> Option<Member> {
    members(bytes, at)
        .filter(|member| is_named(bytes, &member.name, name))
        .last()
}

/// Whether the string token at `token` says `name`.
pub(super) fn is_named(bytes: &[u8], token: &Range<usize>, name: &str) -> bool {
    let inside = &bytes[inside(bytes, token)];
    if inside.contains(&b'\\') {
        let mut out = Vec::new();
        unescape_into(inside, &mut out, |_, _| ());
        out == name.as_bytes()
    } else {
        inside == name.as_bytes()
    }
}

/// A string token without its quotes.
pub(super) fn inside(bytes: &[u8], token: &Range<usize>) -> Range<usize> {
    let start = token.start + usize::from(bytes.get(token.start) == Some(&b'"'));
    let closed = token.end > start
        && bytes.get(token.end - 1) == Some(&b'"')
        && skip_string(bytes, token.start) == (token.end, true);
    start.min(token.end)..token.end - usize::from(closed)
}

/// What a JSON string says; `token` includes its quotes. A lone surrogate becomes U+FFFD.
pub(crate) fn unescape(token: &str) -> Cow<'_, str> {
    let text = token.strip_prefix('"').unwrap_or(token);
    let text = text.strip_suffix('"').unwrap_or(text);
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    unescape_into(text.as_bytes(), &mut out, |_, _| ());
    Cow::Owned(
        String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

/// Appends what the inside of a JSON string says; after every escape, `escaped` is told where both sides stand.
pub(super) fn unescape_into(raw: &[u8], out: &mut Vec<u8>, mut escaped: impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < raw.len() {
        let plain = raw[at..]
            .iter()
            .position(|b| *b == b'\\')
            .unwrap_or(raw.len() - at);
        if plain > 0 {
            out.extend_from_slice(&raw[at..at + plain]);
            at += plain;
            continue;
        }
        let (plain, length) = match raw.get(at + 1) {
            Some(b'n') => ('\n', 2),
            Some(b't') => ('\t', 2),
            Some(b'r') => ('\r', 2),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'u') => unicode(raw, at),
            Some(b) if b.is_ascii() => (char::from(*b), 2),
            _ => ('\\', 1),
        };
        out.extend_from_slice(plain.encode_utf8(&mut [0; 4]).as_bytes());
        at = (at + length).min(raw.len());
        escaped(out.len(), at);
    }
}

fn unicode(raw: &[u8], at: usize) -> (char, usize) {
    let unit = |at: usize| -> Option<u32> {
        let escape = raw.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(str::from_utf8(escape).ok()?, 16).ok()
    };
    let Some(first) = unit(at) else {
        return ('u', 2);
    };
    if let (0xD800..=0xDBFF, Some(second @ 0xDC00..=0xDFFF)) = (first, unit(at + 6)) {
        let both = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return (char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        members(text.as_bytes(), 0)
            .map(|m| format!("{}={}", &text[m.name], &text[m.value]))
            .collect()
    }

    #[test]
    fn walks_members_and_elements() {
        assert_eq!(
            names(r#"{ "a" : [1,"}"], "b\"":{"c":2},"d":-1e3}"#),
            [r#""a"=[1,"}"]"#, r#""b\""={"c":2}"#, r#""d"=-1e3"#]
        );
        let list = b"[1, [2,3] ,\"x\"]";
        assert_eq!(elements(list, 0).collect::<Vec<_>>(), [1..2, 4..9, 11..14]);
    }

    #[test]
    fn goes_on_in_what_is_no_json() {
        assert_eq!(names(r#"{"a":1 2 x:"b":{"c":"#), [r#""a"=1"#, r#""b"={"c":"#]);
        assert_eq!(names(r#"{"a","b":}"#), [r#""a"="#, r#""b"="#]);
        assert_eq!(names("{\"a"), ["\"a="]);
        assert_eq!(elements(b"[}", 0).count(), 0);
        assert_eq!(skip_value(b"]]", 0), (1, true));
    }

    #[test]
    fn unescapes() {
        assert_eq!(unescape(r#""a\n\"\u00e9\/""#), "a\n\"é/");
        assert_eq!(
            unescape(r#""\ud83d\ude00 \ud83d \udc00""#),
            "😀 \u{fffd} \u{fffd}"
        );
        assert_eq!(unescape(r#""\u12"#), "u12");
        assert_eq!(unescape("\"\\\""), "\\");
    }

    #[test]
    fn the_inside_of_a_token_that_is_cut_off() {
        assert_eq!(inside(b"\"", &(0..1)), 1..1);
        assert_eq!(inside(b"\"a\\\"", &(0..4)), 1..4);
        assert_eq!(inside(b"\"ab\"", &(0..4)), 1..3);
    }
}
