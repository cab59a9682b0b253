//! One packet of an export of tshark.
//!
//! Names of fields are spelt `http.request.line` by `-T json`, `http_http_request_line` by `-T ek` and
//! `http_request_line` by some versions; what `-T json` nests, such as the parts of the request line, `-T ek` does not.

use std::borrow::Cow;

use super::super::super::exchanges::{Body, Exchange, Line, Lines, Text};
use super::super::super::fields;
use super::super::super::scan;
use super::super::super::time::{self, Unit};
use super::{breaks, part};
use crate::json::escape;
use crate::place::RecordId;

/// What a packet tells of HTTP.
#[derive(Debug, Default)]
pub(super) struct Packet<'a> {
    pub(super) record: RecordId,
    pub(super) frame: Option<u64>,
    /// Its TCP stream.
    pub(super) stream: Option<String>,
    pub(super) time: Option<i64>,
    /// The time is not rounded.
    pub(super) exact_time: bool,
    /// Requests and responses that end in it, in order.
    pub(super) said: Vec<Said<'a>>,
    /// It carries HTTP that is not read; why, as the end of a sentence.
    pub(super) unread: Option<&'static str>,
}

/// A message of HTTP.
#[derive(Debug)]
pub(super) enum Said<'a> {
    /// An exchange without its response.
    Request(Exchange<'a>),
    /// An exchange without its request.
    Response {
        /// The frame with the request.
        request_in: Option<u64>,
        response: Exchange<'a>,
    },
}

impl<'a> Packet<'a> {
    /// Of the text of a packet with its layers, which stand at `way`; `stamp` is its time in milliseconds.
    pub(super) fn new(
        text: &'a str,
        layers: &'a str,
        stamp: Option<&str>,
        way: &str,
        record: RecordId,
    ) -> Packet<'a> {
        let of = |layer: &str, names: &[&str]| -> Option<Cow<'a, str>> {
            let bytes = layers.as_bytes();
            let layer = &layers[scan::member(bytes, 0, layer)?.value];
            let found = names
                .iter()
                .find_map(|name| scan::member(layer.as_bytes(), 0, name))?;
            fields::word(&layer[found.value])
        };
        let epoch = of(
            "frame",
            &["frame_frame_time_epoch", "frame_time_epoch", "frame.time_epoch"],
        );
        let epoch = epoch.and_then(|time| time::rfc3339(&time).or_else(|| time::number(&time, Unit::Guess)));
        let stamp = stamp.and_then(fields::word);
        let number = of("frame", &["frame_frame_number", "frame_number", "frame.number"]);
        let mut packet = Packet {
            record,
            frame: number.and_then(|number| number.parse().ok()),
            stream: of("tcp", &["tcp_tcp_stream", "tcp_stream", "tcp.stream"]).map(Cow::into_owned),
            exact_time: epoch.is_some(),
            time: epoch.or_else(|| time::number(&stamp?, Unit::Milli)),
            ..Packet::default()
        };
        let at = |part: &str| (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        let bytes = layers.as_bytes();
        let all: Vec<scan::Member> = scan::members(bytes, 0).collect();
        let last = all
            .iter()
            .rposition(|member| scan::is_named(bytes, &member.name, "http"));
        for (index, member) in all.iter().enumerate() {
            let name = scan::unescape(&layers[member.name.clone()]);
            let value = &layers[member.value.clone()];
            match (&*name, value.as_bytes().first()) {
                ("http", Some(b'{')) if last == Some(index) => {
                    packet.http(Source { text, record }, value, format!("{way}/http"));
                }
                ("http", Some(b'{')) => {
                    // A pointer leads to the last of a name.
                    let start = at(value);
                    let line = record.line.saturating_add(breaks(&text.as_bytes()[..start]));
                    let record = part(record, start, value.len(), line);
                    packet.http(Source { text: value, record }, value, String::new());
                }
                ("http", Some(b'[')) => {
                    for (index, element) in scan::elements(value.as_bytes(), 0).enumerate() {
                        let source = Source { text, record };
                        packet.http(source, &value[element], format!("{way}/http/{index}"));
                    }
                }
                ("http2", Some(b'{' | b'[')) => packet.unread = Some("of HTTP/2, which is not read"),
                (name, _)
                    if plain(name).is_some_and(|name| name == "file_data" || name == "request_line") =>
                {
                    packet.unread = Some("exported field by field (`-e`): export whole packets");
                }
                _ => {}
            }
        }
        packet
    }

    /// Adds what a layer of HTTP says, whose pointer is `way`.
    fn http(&mut self, source: Source<'a>, layer: &'a str, way: String) {
        let mut found = Layer::default();
        found.collect(source, layer, &way, 4);
        let record = Some(source.record);
        if let Some(method) = found.method.take() {
            let headers = Lines::of(std::mem::take(&mut found.request_lines));
            let mut exchange = Exchange {
                request_record: record,
                url: found.url(&headers),
                method,
                request_headers: headers,
                ..Exchange::default()
            };
            exchange.request_body = match found.body(&exchange.request_headers) {
                Body::None if exchange.method == "POST" && found.length != Some(0) => {
                    Body::Lost("is not recorded")
                }
                body => body,
            };
            self.said.push(Said::Request(exchange));
        } else if let Some(code) = found.code.take() {
            let headers = Lines::of(std::mem::take(&mut found.response_lines));
            let response = Exchange {
                response_record: record,
                status: code.parse().ok(),
                response_body: found.body(&headers),
                response_headers: headers,
                ..Exchange::default()
            };
            let request_in = found.request_in.as_deref().and_then(|frame| frame.parse().ok());
            self.said.push(Said::Response { request_in, response });
        }
    }
}

/// The name of a field of HTTP without what the forms of export put before it.
fn plain(name: &str) -> Option<Cow<'_, str>> {
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
#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
    record: RecordId,
}

/// The fields of a layer of HTTP.
#[derive(Default)]
struct Layer<'a> {
    method: Option<Cow<'a, str>>,
    uri: Option<Cow<'a, str>>,
    full_uri: Option<Cow<'a, str>>,
    code: Option<Cow<'a, str>>,
    request_in: Option<Cow<'a, str>>,
    length: Option<u64>,
    request_lines: Vec<Line<'a>>,
    response_lines: Vec<Line<'a>>,
    data: Option<(Cow<'a, str>, String)>,
}

impl<'a> Layer<'a> {
    /// Looks through an object and those in it.
    fn collect(&mut self, source: Source<'a>, object: &'a str, way: &str, depth: usize) {
        let bytes = object.as_bytes();
        let members: Vec<scan::Member> = scan::members(bytes, 0).collect();
        let names: Vec<Cow<str>> = members
            .iter()
            .map(|m| scan::unescape(&object[m.name.clone()]))
            .collect();
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
            let repeated = names.iter().filter(|known| *known == name).count() > 1;
            for (index, line) in strings(raw) {
                let place = match repeated {
                    // A pointer leads to the last of a name: the line is a record by itself.
                    true => (source.part(line), String::new()),
                    false => {
                        let step = index.map_or_else(String::new, |index| format!("/{index}"));
                        (source.record, format!("{way}/{}{step}", escape(name)))
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

    fn url(&mut self, headers: &Lines) -> Cow<'a, str> {
        let uri = self.uri.take().unwrap_or_default();
        match (self.full_uri.take(), headers.get("host")) {
            (Some(full), _) => full,
            (None, Some(host)) if uri.starts_with('/') => format!("http://{host}{uri}").into(),
            (None, _) => uri,
        }
    }

    /// The body of a message with these headers.
    fn body(&mut self, headers: &Lines) -> Body<'a> {
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

impl Source<'_> {
    /// A part of the text as a record of its own.
    fn part(self, text: &str) -> RecordId {
        let start = (text.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let line = self.text.as_bytes().get(..start).map_or(0, breaks);
        part(
            self.record,
            start,
            text.len(),
            self.record.line.saturating_add(line),
        )
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
