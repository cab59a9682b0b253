//! A place → bytes, computed only when something is reported.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use super::index::Index;
use super::scan;
use super::stream::{StreamEvent, stream_events};
use super::written::Text;
use crate::json::steps;
use crate::place::Place;

/// A record in which places are looked up; it is looked through once for all of them.
#[derive(Debug)]
pub struct Lookup {
    record: Vec<u8>,
    index: OnceCell<Index>,
    /// The text in it that was looked into last.
    inner: RefCell<Option<Rc<Inner>>>,
    /// The event stream in it that was looked into last.
    stream: RefCell<Option<Rc<Stream>>>,
}

/// The bytes of `record` at which a place stands; see [`Lookup::locate`].
pub fn locate(record: &[u8], place: &Place) -> Option<Range<usize>> {
    Lookup::new(record.to_vec()).locate(place)
}

impl Lookup {
    /// Takes the bytes of a record.
    pub fn new(record: Vec<u8>) -> Lookup {
        Lookup {
            record,
            index: OnceCell::new(),
            inner: RefCell::new(None),
            stream: RefCell::new(None),
        }
    }

    /// The bytes of the record.
    pub fn record(&self) -> &[u8] {
        &self.record
    }

    /// The bytes at which a place stands: a value or a name with its quotes, or the characters of its `range`.
    /// If a step of the way is missing, the nearest value on the way that exists; `None` only of an empty record.
    pub fn locate(&self, place: &Place) -> Option<Range<usize>> {
        let record = &*self.record;
        if record.is_empty() {
            return None;
        }
        let index = self.index.get_or_init(|| Index::new(record));
        let at = scan::skip_space(record, 0);
        let outer = follow(record, index, at, &place.outer);
        if outer.missing
            && let Some(found) = self.in_stream(at, place)
        {
            return Some(found);
        }
        let found = match &place.inner {
            None => pick(record, &outer, place, place.outer.is_empty()),
            Some(_) if outer.missing => outer.value,
            // Only what a recorder wrapped is a JSON text in a string; a record itself never is.
            Some(inner) if !place.outer.is_empty() && record.get(outer.value.start) == Some(&b'"') => {
                let raw = scan::inside(record, &outer.value);
                let within = self.inner(&raw);
                let text = &within.text;
                let at = scan::skip_space(&text.bytes, 0);
                let found = follow(&text.bytes, &within.index, at, inner);
                let found = pick(&text.bytes, &found, place, false);
                raw.start + text.raw(found.start)..raw.start + text.raw(found.end)
            }
            Some(inner) => pick(
                record,
                &follow(record, index, outer.value.start, inner),
                place,
                false,
            ),
        };
        Some(found.start.min(record.len())..found.end.min(record.len()))
    }

    /// The place in the data of an event of a stream, if the last step of its outer way is one into a string.
    fn in_stream(&self, at: usize, place: &Place) -> Option<Range<usize>> {
        let (holder, number) = place.outer.rsplit_once('/')?;
        let number = number.parse().ok()?;
        let index = self.index.get_or_init(|| Index::new(&self.record));
        let holder = follow(&self.record, index, at, holder);
        if holder.missing || self.record.get(holder.value.start) != Some(&b'"') {
            return None;
        }
        let raw = scan::inside(&self.record, &holder.value);
        let stream = self.stream(&raw);
        let event = stream.events.get(number)?;
        let within = self.text(raw.start, Some(number), || stream.text.joined(&event.data));
        let text = &within.text;
        let found = match (&place.inner, place.range) {
            (Some(inner), _) => {
                let at = scan::skip_space(&text.bytes, 0);
                let found = follow(&text.bytes, &within.index, at, inner);
                pick(&text.bytes, &found, place, false)
            }
            (None, Some((from, to))) => text.chars(from, to),
            (None, None) => 0..text.bytes.len(),
        };
        let place = |at| (raw.start + text.raw(at)).min(raw.end);
        Some(place(found.start)..place(found.end))
    }

    /// The event stream that the inside of a string of the record says.
    fn stream(&self, raw: &Range<usize>) -> Rc<Stream> {
        if let Some(known) = &*self.stream.borrow()
            && known.start == raw.start
        {
            return Rc::clone(known);
        }
        let text = Text::unescape(&self.record[raw.clone()]);
        let stream = Rc::new(Stream {
            start: raw.start,
            events: stream_events(&text.bytes).collect(),
            text,
        });
        *self.stream.borrow_mut() = Some(Rc::clone(&stream));
        stream
    }

    /// What the inside of a string of the record says.
    fn inner(&self, raw: &Range<usize>) -> Rc<Inner> {
        self.text(raw.start, None, || Text::unescape(&self.record[raw.clone()]))
    }

    /// The text in the string that begins at a place, or of an event of the stream in it; read if it is not known.
    fn text(&self, start: usize, event: Option<usize>, read: impl FnOnce() -> Text) -> Rc<Inner> {
        if let Some(known) = &*self.inner.borrow()
            && (known.start, known.event) == (start, event)
        {
            return Rc::clone(known);
        }
        let text = read();
        let inner = Rc::new(Inner {
            start,
            event,
            index: Index::new(&text.bytes),
            text,
        });
        *self.inner.borrow_mut() = Some(Rc::clone(&inner));
        inner
    }
}

/// A text in a string of a record.
#[derive(Debug)]
struct Inner {
    /// Where the string begins in the record.
    start: usize,
    /// It is the data of that event of the stream that the string says.
    event: Option<usize>,
    text: Text,
    index: Index,
}

/// An event stream in a string of a record.
#[derive(Debug)]
struct Stream {
    start: usize,
    text: Text,
    events: Vec<StreamEvent>,
}

/// Where a way led.
struct Found {
    value: Range<usize>,
    /// The name of the member, with its quotes.
    name: Option<Range<usize>>,
    /// A step did not exist: the value is that of the last one that did.
    missing: bool,
}

/// Follows a pointer from the value at `at`; of a repeated name the last counts.
fn follow(bytes: &[u8], index: &Index, at: usize, pointer: &str) -> Found {
    let mut found = Found {
        value: at.min(bytes.len())..index.skip_value(bytes, at),
        name: None,
        missing: false,
    };
    for step in steps(pointer) {
        let at = found.value.start;
        let next = match bytes.get(at) {
            Some(b'{') => member(bytes, index, at, &step).map(|member| (Some(member.name), member.value)),
            Some(b'[') => step
                .parse()
                .ok()
                .and_then(|number| index.element(bytes, at, number))
                .map(|value| (None, value)),
            _ => None,
        };
        match next {
            Some((name, value)) => {
                found.name = name;
                found.value = value;
            }
            None => {
                found.missing = true;
                break;
            }
        }
    }
    found
}

fn member(bytes: &[u8], index: &Index, at: usize, name: &str) -> Option<scan::Member> {
    let written: &[&str] = match name {
        // The names that this member has in the function forms of model providers, which are read as tools.
        "inputSchema" => &["inputSchema", "input_schema", "parameters"],
        _ => return index.member(bytes, at, name),
    };
    written.iter().find_map(|name| index.member(bytes, at, name))
}

/// What is meant of what was found. `plain`: the text in question is the record as it stands, even if it has quotes.
fn pick(bytes: &[u8], found: &Found, place: &Place, plain: bool) -> Range<usize> {
    if found.missing {
        return found.value.clone();
    }
    let token = match &found.name {
        Some(name) if place.on_name => name.clone(),
        _ => found.value.clone(),
    };
    let Some((from, to)) = place.range else {
        return match plain && place.inner.is_none() {
            true => 0..bytes.len(),
            false => token,
        };
    };
    if plain {
        let text = Text::plain(bytes);
        return text.chars(from, to);
    }
    if bytes.get(token.start) != Some(&b'"') {
        // The text of a value that is no string is the value as it is written; of one in a message nobody counts characters.
        return match place.inner {
            None => {
                let within = Text::plain(&bytes[token.clone()]).chars(from, to);
                token.start + within.start..token.start + within.end
            }
            Some(_) => token,
        };
    }
    let raw = scan::inside(bytes, &token);
    let text = Text::unescape(&bytes[raw.clone()]);
    let within = text.chars(from, to);
    raw.start + text.raw(within.start)..raw.start + text.raw(within.end)
}

/// Where a range of bytes begins and ends: lines and columns from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineColumn {
    /// Line in the record of the first byte; the record's own line is 1.
    pub line: u32,
    /// Column of the first byte.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column one past the last character.
    pub end_column: u32,
}

/// Where a range lies in a record.
pub fn line_column(record: &[u8], range: Range<usize>) -> LineColumn {
    let point = |at: usize| {
        let before = &record[..at.min(record.len())];
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let lines = before.iter().filter(|b| **b == b'\n').count();
        let columns = before[start..].iter().filter(|b| (**b & 0xC0) != 0x80).count();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).saturating_add(1);
        (count(lines), count(columns))
    };
    let ((line, column), (end_line, end_column)) = (point(range.start), point(range.end));
    LineColumn {
        line,
        column,
        end_line,
        end_column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(outer: &str, inner: Option<&str>, range: Option<(u32, u32)>) -> Place {
        Place {
            outer: outer.into(),
            inner: inner.map(Into::into),
            range,
            ..Place::default()
        }
    }

    fn at<'a>(record: &'a str, place: &Place) -> &'a str {
        &record[locate(record.as_bytes(), place).unwrap()]
    }

    #[test]
    fn values_of_a_bare_message() {
        let record = r#" {"a":{"b":[1,"x",{"c":true}]},"d/e":2,"f~g":3,"":4}"#;
        for (pointer, value) in [
            ("/a/b/0", "1"),
            ("/a/b/1", "\"x\""),
            ("/a/b/2/c", "true"),
            ("/d~1e", "2"),
            ("/f~0g", "3"),
            ("/", "4"),
            ("", &record[1..]),
        ] {
            assert_eq!(at(record, &place("", Some(pointer), None)), value, "{pointer}");
        }
    }

    #[test]
    fn the_nearest_ancestor_of_what_is_missing() {
        let record = r#"{"a":{"b":[1]},"t":"{\"x\":{}}"}"#;
        for (pointer, value) in [
            ("/a/z/y", r#"{"b":[1]}"#),
            ("/a/b/7", "[1]"),
            ("/a/b/0/q", "1"),
            ("/q", record),
        ] {
            assert_eq!(at(record, &place("", Some(pointer), None)), value, "{pointer}");
        }
        assert_eq!(at(record, &place("/t", Some("/x/y"), None)), "{}");
        assert_eq!(at(record, &place("/z", Some("/x/y"), Some((0, 1)))), record);
        assert_eq!(locate(b"", &Place::default()), None);
    }

    #[test]
    fn a_message_in_a_text() {
        let record =
            r#"{"kind":"body","body":"{\"m\": \"t\\u00e9\\n\\\"q\\\"\", \"é\":[10,\"\ud83d\ude00!\"]}"}"#;
        assert_eq!(
            at(record, &place("/body", Some("/m"), None)),
            r#"\"t\\u00e9\\n\\\"q\\\"\""#
        );
        assert_eq!(
            at(record, &place("/body", Some("/m"), Some((1, 3)))),
            r"\\u00e9\\n"
        );
        assert_eq!(at(record, &place("/body", Some("/m"), Some((3, 4)))), r#"\\\""#);
        assert_eq!(at(record, &place("/body", Some("/é/0"), None)), "10");
        assert_eq!(
            at(record, &place("/body", Some("/é/1"), Some((0, 1)))),
            r"\ud83d\ude00"
        );
        assert_eq!(at(record, &place("/body", Some("/é/1"), Some((1, 9)))), "!");
        assert_eq!(at(record, &place("/kind", None, None)), "\"body\"");
        assert_eq!(at(record, &place("/kind", None, Some((1, 3)))), "od");
    }

    #[test]
    fn a_message_in_an_event_stream() {
        let record = concat!(
            r#"{"text":"id: 1\r\ndata: {\"a\":1}\r\n\r\n: note\nevent: message\n"#,
            r#"data: {\"\u00e9\":\ndata:  [1,\"x\\ny\"]}\n\nid: 2\n\n"}"#
        );
        let place = |event, inner, range| place(&format!("/text/{event}"), inner, range);
        assert_eq!(at(record, &place(0, Some("/a"), None)), "1");
        assert_eq!(at(record, &place(0, None, None)), r#"{\"a\":1}"#);
        assert_eq!(at(record, &place(1, Some("/é/0"), None)), "1");
        assert_eq!(at(record, &place(1, Some("/é/1"), Some((1, 2)))), r"\\n");
        assert_eq!(
            at(record, &place(1, Some(""), None)),
            r#"{\"\u00e9\":\ndata:  [1,\"x\\ny\"]}"#
        );
        assert_eq!(at(record, &place(1, None, Some((1, 4)))), r#"\"\u00e9\""#);
        assert_eq!(at(record, &place(2, None, None)), "");
        // Of what is no event, the text.
        assert_eq!(
            at(record, &place(3, Some("/a"), None)),
            &record[8..record.len() - 1]
        );
    }

    #[test]
    fn the_last_of_a_repeated_name() {
        let record = r#"{"a":1,"\u0061":2,"b":3}"#;
        let mut place = place("", Some("/a"), None);
        assert_eq!(at(record, &place), "2");
        place.on_name = true;
        assert_eq!(at(record, &place), r#""\u0061""#);
        place.range = Some((0, 1));
        assert_eq!(at(record, &place), r"\u0061");
    }

    #[test]
    fn characters_of_a_text_that_is_no_json() {
        assert_eq!(at("dé\"bug", &place("", None, Some((1, 4)))), "é\"b");
        assert_eq!(at("dé bug", &place("", None, None)), "dé bug");
        assert_eq!(at("\"dé\" bug", &place("", None, Some((0, 2)))), "\"d");
        assert_eq!(
            at(r#"{"message":{"a":1}}"#, &place("/message", None, Some((1, 4)))),
            "\"a\""
        );
    }

    #[test]
    fn members_of_the_function_forms() {
        let record = r#"[{"name":"a","input_schema":{"type":"object"}}]"#;
        assert_eq!(
            at(record, &place("/0", Some("/inputSchema/type"), None)),
            "\"object\""
        );
    }

    #[test]
    fn lines_and_columns() {
        let record = "{\n  \"é\": [1,\n 2]}";
        let range = locate(record.as_bytes(), &place("", Some("/é"), None)).unwrap();
        assert_eq!(
            line_column(record.as_bytes(), range),
            LineColumn {
                line: 2,
                column: 8,
                end_line: 3,
                end_column: 4
            }
        );
        assert_eq!(line_column(b"", 3..9).column, 1);
    }

    #[test]
    fn nothing_panics() {
        let record = r#"{"a":"{\"b\":[\"x\\u00e9\",{}]}","c":{"d":"é\ud83d"}}"#.as_bytes();
        let places = [
            place("/a", Some("/b/0"), Some((0, 9))),
            place("/a", Some("/b/1/x"), None),
            place("/c/d", None, Some((1, 2))),
            place("", Some("/c/d"), Some((5, 2))),
            place("/c", Some("/d"), Some((0, u32::MAX))),
        ];
        for cut in 0..record.len() {
            for byte in [0, b'"', b'\\', b'{', b'}', b'[', b'u', 0xff] {
                let mut bytes = record.to_vec();
                bytes[cut] = byte;
                for bytes in [&bytes[..], &bytes[cut..], &bytes[..cut]] {
                    for place in &places {
                        if let Some(range) = locate(bytes, place) {
                            assert!(range.start <= range.end && range.end <= bytes.len());
                            line_column(bytes, range);
                        }
                    }
                }
            }
        }
    }
}
