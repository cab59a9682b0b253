//! What a layer of HTTP in a packet says.
//!
//! Names of fields are spelt `http.request.line` by `-T json`, `http_http_request_line` by `-T ek` and
//! `http_request_line` by some versions; what `-T json` nests, such as the parts of the request line, `-T ek` does not.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::super::exchanges::{Body, Line, Lines, Text};
use super::super::super::fields;
use super::super::super::scan;
use super::{breaks, part};
use crate::json::escape;
use crate::place::RecordId;

/// The name of a field of HTTP without what the forms of export put before it.
pub(super) fn plain(name: &str) -> Option<Cow<'_, str>> {
    let mut rest = match name.strip_prefix("http.") {
        Some(rest) => return Some(Cow::Owned(rest.replace('.', "_"))),
        None => name.strip_prefix("http_")?,
    };
    while let Some(shorter) = rest.strip_prefix("http_") {
        rest = shorter;
    }
    Some(Cow::Borrowed(rest))
}

/// A record with its text.
pub(super) struct Source<'a> {
    text: &'a str,
    record: RecordId,
    /// A place in the text, and on which line it is: parts are asked for from the front to the back.
    counted: (usize, u32),
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a str, record: RecordId) -> Source<'a> {
        Source {
            text,
            record,
            counted: (0, record.line),
        }
    }

    pub(super) fn record(&self) -> RecordId {
        self.record
    }

    /// A part of the text as a record of its own.
    pub(super) fn part(&mut self, text: &str) -> RecordId {
        let start = (text.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let (from, line) = match self.counted {
            (from, line) if from <= start => (from, line),
            _ => (0, self.record.line),
        };
        let between = self.text.as_bytes().get(from..start).map_or(0, breaks);
        self.counted = (start, line.saturating_add(between));
        part(self.record, start, text.len(), self.counted.1)
    }
}

/// The fields of a layer of HTTP.
#[derive(Default)]
pub(super) struct Layer<'a> {
    pub(super) method: Option<Cow<'a, str>>,
    uri: Option<Cow<'a, str>>,
    full_uri: Option<Cow<'a, str>>,
    pub(super) code: Option<Cow<'a, str>>,
    pub(super) request_in: Option<Cow<'a, str>>,
    pub(super) length: Option<u64>,
    pub(super) request_lines: Vec<Line<'a>>,
    pub(super) response_lines: Vec<Line<'a>>,
    data: Option<(Cow<'a, str>, String)>,
}

impl<'a> Layer<'a> {
    /// Looks through an object and those in it.
    pub(super) fn collect(&mut self, source: &mut Source<'a>, object: &'a str, way: &str, depth: usize) {
        let bytes = object.as_bytes();
        let members: Vec<scan::Member> = scan::members(bytes, 0).collect();
        let names: Vec<Cow<str>> = members
            .iter()
            .map(|m| scan::unescape(&object[m.name.clone()]))
            .collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            *times.entry(name).or_default() += 1;
        }
        for (member, name) in members.iter().zip(&names) {
            let raw = &object[member.value.clone()];
            let Some(plain) = plain(name) else {
                // What is nested stands under the text by which tshark shows it.
                if raw.starts_with('{') && depth > 0 {
                    self.collect(source, raw, &format!("{way}/{}", escape(name)), depth - 1);
                }
                continue;
            };
            let lines = match &*plain {
                "request_line" => &mut self.request_lines,
                "response_line" => &mut self.response_lines,
                _ => {
                    self.field(&plain, raw, || format!("{way}/{}", escape(name)));
                    continue;
                }
            };
            let repeated = times.get(&**name).is_some_and(|times| *times > 1);
            for (index, line) in strings(raw) {
                let place = match repeated {
                    // A pointer leads to the last of a name: the line is a record by itself.
                    true => (source.part(line), String::new()),
                    false => {
                        let step = index.map_or_else(String::new, |index| format!("/{index}"));
                        (source.record(), format!("{way}/{}{step}", escape(name)))
                    }
                };
                lines.extend(header(line, place, repeated));
            }
        }
    }

    fn field(&mut self, name: &str, raw: &'a str, way: impl FnOnce() -> String) {
        let Some(word) = strings(raw).next().and_then(|(_, raw)| fields::word(raw)) else {
            return;
        };
        match name {
            "request_method" => self.method = Some(word),
            "request_uri" => self.uri = Some(word),
            "request_full_uri" => self.full_uri = Some(word),
            "response_code" => self.code = Some(word),
            "request_in" => self.request_in = Some(word),
            "content_length" => self.length = word.trim().parse().ok(),
            "file_data" => self.data = Some((word, way())),
            _ => {}
        }
    }

    pub(super) fn url(&mut self, headers: &Lines) -> Cow<'a, str> {
        let uri = self.uri.take().unwrap_or_default();
        match (self.full_uri.take(), headers.get("host")) {
            (Some(full), _) => full,
            (None, Some(host)) if uri.starts_with('/') => format!("http://{host}{uri}").into(),
            (None, _) => uri,
        }
    }

    /// The body of a message with these headers.
    pub(super) fn body(&mut self, headers: &Lines) -> Body<'a> {
        let Some((text, mut outer)) = self.data.take() else {
            return Body::None;
        };
        let text = match bytes(&text) {
            None => text,
            Some(bytes) => {
                // A place in what was encoded is none in the file.
                outer.push_str("/hex");
                Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
            }
        };
        let packed = headers
            .get("content-encoding")
            .is_some_and(|how| !how.eq_ignore_ascii_case("identity"));
        if packed && (text.contains('\u{fffd}') || text.contains('\0')) {
            return Body::Lost("is compressed");
        }
        let cut = !packed && self.length.is_some_and(|length| length > text.len() as u64);
        Body::Text(Text {
            outer,
            text,
            exact: true,
            cut,
        })
    }
}

/// The strings of a list with their positions, or the one value that is none.
fn strings(raw: &str) -> impl Iterator<Item = (Option<usize>, &str)> {
    let listed = raw.starts_with('[');
    let alone = (!listed).then_some((None, raw));
    let elements = scan::elements(raw.as_bytes(), 0).enumerate();
    alone
        .into_iter()
        .chain(elements.map(|(index, range)| (Some(index), &raw[range])))
}

/// A header line, `name: value\r\n`.
fn header<'a>(raw: &'a str, (record, outer): (RecordId, String), whole: bool) -> Option<Line<'a>> {
    let text = fields::text(raw)?;
    let line = text
        .trim_end_matches(['\r', '\n'])
        .trim_end_matches("\\r\\n")
        .trim_end_matches("\\xd\\xa");
    let (name, value) = line.split_once(':')?;
    let blank = |c| matches!(c, ' ' | '\t');
    let shown = value.trim_matches(blank);
    let before = value.len() - value.trim_start_matches(blank).len();
    // In a record that is the line alone, the quote before it counts.
    let start = name.chars().count() + 1 + before + usize::from(whole);
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Some(Line {
        range: (small(start), small(start + shown.chars().count())),
        name: name.to_owned().into(),
        value: shown.to_owned().into(),
        record,
        outer,
    })
}

/// The bytes of a text such as `7b:22:6a` or, if it is long, `7b226a`.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| {
        char::from(b)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let colons = text.as_bytes().get(2) == Some(&b':');
    if colons || text.len() == 2 {
        text.as_bytes().split(|b| *b == b':').map(pair).collect()
    } else if text.len() >= 8 && text.len().is_multiple_of(2) {
        text.as_bytes().chunks(2).map(pair).collect()
    } else {
        None
    }
}
