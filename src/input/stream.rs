//! The text of an event stream → its events, by the rules for server-sent events.

use std::borrow::Cow;
use std::ops::Range;

/// An event of a stream: what stood between two blank lines. A comment alone is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StreamEvent {
    /// `event:`, the last of several.
    pub(super) event: Option<Range<usize>>,
    /// `id:`
    pub(super) id: Option<Range<usize>>,
    /// `retry:`
    pub(super) retry: Option<Range<usize>>,
    /// The value of each `data:`.
    pub(super) data: Vec<Range<usize>>,
    /// A blank line ends it; else the text stops in it.
    pub(super) closed: bool,
}

impl StreamEvent {
    /// Its data: the values of its lines, joined by line feeds.
    pub(super) fn data<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut lines = self.data.iter().map(|line| text.get(line.clone()).unwrap_or(""));
        match (lines.next(), self.data.len()) {
            (None, _) => Cow::Borrowed(""),
            (Some(only), 1) => Cow::Borrowed(only),
            (Some(first), _) => lines
                .fold(first.to_owned(), |mut all, line| {
                    all.push('\n');
                    all.push_str(line);
                    all
                })
                .into(),
        }
    }

    fn is_blank(&self) -> bool {
        self.event.is_none() && self.id.is_none() && self.retry.is_none() && self.data.is_empty()
    }
}

/// The events of a stream in order. Lines end with a line feed, a carriage return or both.
pub(super) fn stream_events(bytes: &[u8]) -> impl Iterator<Item = StreamEvent> {
    let mut at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    std::iter::from_fn(move || {
        let mut event = StreamEvent::default();
        while at < bytes.len() {
            let rest = &bytes[at..];
            let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let line = at..at + end.unwrap_or(rest.len());
            at = line.end
                + match (end, bytes.get(line.end..line.end + 2)) {
                    (None, _) => 0,
                    (Some(_), Some(b"\r\n")) => 2,
                    (Some(_), _) => 1,
                };
            if !line.is_empty() {
                event.field(bytes, line);
            } else if !event.is_blank() {
                event.closed = true;
                return Some(event);
            }
        }
        (!event.is_blank()).then_some(event)
    })
}

impl StreamEvent {
    fn field(&mut self, bytes: &[u8], line: Range<usize>) {
        let text = &bytes[line.clone()];
        let colon = text.iter().position(|b| *b == b':').unwrap_or(text.len());
        let start = line.start + (colon + 1).min(text.len());
        let blank = usize::from(start < line.end && bytes[start] == b' ');
        let value = start + blank..line.end;
        match &text[..colon] {
            b"event" => self.event = Some(value),
            b"id" => self.id = Some(value),
            b"retry" => self.retry = Some(value),
            b"data" => self.data.push(value),
            // A comment begins with the colon; of other fields nobody takes notice.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let part = |range: &Option<Range<usize>>| range.clone().map_or("-", |range| &text[range]);
        stream_events(text.as_bytes())
            .map(|event| {
                let (e, i, r) = (part(&event.event), part(&event.id), part(&event.retry));
                let open = if event.closed { "" } else { " open" };
                format!("{e} {i} {r} {:?}{open}", event.data(text))
            })
            .collect()
    }

    #[test]
    fn reads_fields_of_any_line_end() {
        for end in ["\n", "\r", "\r\n"] {
            let text = ": hello\n\nid: 1\nretry: 500\ndata:\n\nevent: message\ndata: {\ndata:  }\nx: y\n\n";
            assert_eq!(
                said(&text.replace('\n', end)),
                ["- 1 500 \"\"", "message - - \"{\\n }\""]
            );
        }
    }

    #[test]
    fn reads_what_is_odd() {
        assert_eq!(
            said("\u{feff}data: a\n\n\n\ndata\n\n"),
            ["- - - \"a\"", "- - - \"\""]
        );
        assert_eq!(said("data: a\n\ndata: b"), ["- - - \"a\"", "- - - \"b\" open"]);
        assert_eq!(said("data: a\nevent: x\nevent: y\n"), ["y - - \"a\" open"]);
        assert_eq!(said("{\"jsonrpc\":\"2.0\"}\n\n:\n"), [""; 0]);
        assert_eq!(said("data:é\r"), ["- - - \"é\" open"]);
    }
}
