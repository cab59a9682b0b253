//! Bytes of an event stream → events.

use std::borrow::Cow;
use std::mem;

use super::KEPT;

/// An event stream, as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    event: Event,
    has_fields: bool,
    /// The line before ended with a carriage return: a line feed that follows belongs to it.
    is_after_return: bool,
    /// Something has come: a byte order mark stands at the beginning alone.
    has_begun: bool,
}

/// An event: the fields that it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::record) struct Event {
    pub(in crate::record) event: Option<String>,
    pub(in crate::record) id: Option<String>,
    pub(in crate::record) retry: Option<String>,
    /// All lines of it.
    pub(in crate::record) data: Option<String>,
    /// It was longer than what is kept of it.
    pub(in crate::record) cut: bool,
}

impl Events {
    /// Takes the next bytes and hands out the events that they complete: an empty line ends each. One that is not ended is
    /// none for whoever reads the stream either.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut event: impl FnMut(&Event)) {
        if mem::take(&mut self.is_after_return) {
            match bytes {
                [] => self.is_after_return = true,
                [b'\n', rest @ ..] => bytes = rest,
                _ => {}
            }
        }
        while let Some(end) = bytes.iter().position(|b| matches!(b, b'\n' | b'\r')) {
            self.keep(&bytes[..end]);
            bytes = match &bytes[end..] {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.is_after_return = true;
                    &[]
                }
                rest => &rest[1..],
            };
            self.end_line(&mut event);
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.line.len());
        self.event.cut |= bytes.len() > room;
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_line(&mut self, event: &mut impl FnMut(&Event)) {
        let line = mem::take(&mut self.line);
        let mut text = line.as_slice();
        if !mem::replace(&mut self.has_begun, true) {
            text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        }
        if text.is_empty() {
            let done = mem::take(&mut self.event);
            if mem::take(&mut self.has_fields) {
                event(&done);
            }
            return;
        }
        let colon = text.iter().position(|b| *b == b':').unwrap_or(text.len());
        let (name, value) = text.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        self.field(name, value);
    }

    fn field(&mut self, name: &[u8], value: Cow<str>) {
        let field = match name {
            b"event" => &mut self.event.event,
            b"id" => &mut self.event.id,
            b"retry" => &mut self.event.retry,
            b"data" => {
                let room = KEPT.saturating_sub(self.event.data.as_ref().map_or(0, String::len));
                let kept = &value[..value.floor_char_boundary(room)];
                self.event.cut |= kept.len() < value.len();
                match &mut self.event.data {
                    Some(data) if data.len() >= KEPT => self.event.cut = true,
                    Some(data) => {
                        data.push('\n');
                        data.push_str(kept);
                    }
                    none => *none = Some(kept.to_owned()),
                }
                self.has_fields = true;
                return;
            }
            // A comment has no name.
            _ => return,
        };
        *field = Some(value.into_owned());
        self.has_fields = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(pieces: &[&[u8]]) -> Vec<Event> {
        let mut found = vec![];
        let mut events = Events::default();
        for piece in pieces {
            events.push(piece, |event| found.push(event.clone()));
        }
        found
    }

    fn said(text: &str) -> Event {
        Event {
            data: Some(text.to_owned()),
            ..Event::default()
        }
    }

    #[test]
    fn an_empty_line_ends_an_event() {
        for end in ["\n", "\r", "\r\n"] {
            let text = [
                "data: a",
                "data:b",
                "data",
                "data:  c",
                "",
                "",
                "data: d",
                "",
                "data: open",
            ]
            .join(end);
            let expected = [said("a\nb\n\n c"), said("d")];
            assert_eq!(events(&[text.as_bytes()]), expected, "{end:?}");
            let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(events(&single), expected, "{end:?}");
        }
    }

    #[test]
    fn fields_are_what_stands_there() {
        let stream = "\u{feff}id: 1\n: hello\nevent: message\nretry: 500\nother: x\ndata: {}\n\n\
            : ping\n\nid\ndata:\n\nretry:1\n\n";
        let text = |text: &str| Some(text.to_owned());
        let found = events(&[stream.as_bytes()]);
        assert_eq!(found.len(), 3, "{found:?}");
        let first = &found[0];
        assert_eq!(
            (&first.id, &first.event, &first.retry, &first.data),
            (&text("1"), &text("message"), &text("500"), &text("{}"))
        );
        assert_eq!((&found[1].id, &found[1].data), (&text(""), &text("")));
        assert_eq!((&found[2].retry, &found[2].data), (&text("1"), &None));
    }

    #[test]
    fn an_event_may_end_with_a_return_before_anything_follows() {
        assert_eq!(events(&[b"data: a\r\r"]), [said("a")]);
        assert_eq!(
            events(&[b"data: a\r\n\r", b"\ndata: b\n\n"]),
            [said("a"), said("b")]
        );
    }

    #[test]
    fn of_a_long_event_the_beginning_is_kept() {
        let line = [b"data: ".as_slice(), &vec![b'x'; KEPT / 2 + 9], b"\n"].concat();
        let found = events(&[&line, &line, b"\ndata: next\n\n"]);
        assert!(found[0].cut);
        assert_eq!(found[0].data.as_ref().unwrap().len(), KEPT + 1);
        assert_eq!(found[1], said("next"));
        // Also if it is long by the number of its lines.
        let found = events(&[&b"data\n".repeat(KEPT + 99), b"\n"]);
        assert_eq!(
            (found[0].data.as_ref().unwrap().len(), found[0].cut),
            (KEPT, true)
        );
    }
}
