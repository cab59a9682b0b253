//! HTTP exchanges that a recorder wrote as one record each → the events of our own HTTP log.
//!
//! Such recorders keep when an exchange began and how long it took, but not when each event of a stream came, nor who
//! ended a stream. [`order`] puts the parts of all exchanges in order as far as that is known and marks with gaps where it
//! is not; [`endpoints`] finds those that are MCP traffic.

mod endpoints;
mod message;
mod order;
#[cfg(test)]
mod tests;
mod write;

use std::borrow::Cow;

use crate::place::RecordId;

pub(super) use write::write;

/// An exchange, borrowed from the text of a recording.
#[derive(Debug, Default)]
pub(super) struct Exchange<'a> {
    /// Its number in the recording.
    pub(super) number: u64,
    /// The pointer to it.
    pub(super) at: String,
    /// The records of its request and its response, if they are not that of all exchanges.
    pub(super) request_record: Option<RecordId>,
    pub(super) response_record: Option<RecordId>,
    /// What it was is not known, only that something is missing in its place.
    pub(super) lost: bool,
    /// The recorder says that it is MCP traffic.
    pub(super) declared: bool,
    /// When its request was sent, in nanoseconds.
    pub(super) started: Option<i64>,
    /// When the head of its response came.
    pub(super) answered: Option<i64>,
    /// When its response had come to its end.
    pub(super) ended: Option<i64>,
    /// These times are not rounded.
    pub(super) exact_times: bool,
    pub(super) method: Cow<'a, str>,
    pub(super) url: Cow<'a, str>,
    pub(super) request_headers: Lines<'a>,
    pub(super) request_body: Body<'a>,
    /// `None`: there was no response, or none was recorded.
    pub(super) status: Option<u16>,
    pub(super) response_headers: Lines<'a>,
    /// The type of the response as the recorder names it; else that in the headers counts.
    pub(super) mime: Option<Cow<'a, str>>,
    pub(super) response_body: Body<'a>,
}

/// Header lines as a recorder wrote them.
#[derive(Debug, Default)]
pub(super) struct Lines<'a> {
    /// The pointer to them.
    pub(super) outer: String,
    /// `None`: not recorded.
    pub(super) raw: Option<&'a str>,
    /// Others may have been sent that are not among them.
    pub(super) partial: bool,
    /// Instead of `raw`: all lines as they were sent.
    pub(super) lines: Option<Vec<Line<'a>>>,
}

/// A header line as it was sent.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) value: Cow<'a, str>,
    /// Where it stands.
    pub(super) record: RecordId,
    pub(super) outer: String,
    /// Which characters of what stands there are the value.
    pub(super) range: (u32, u32),
}

/// A body as a recorder kept it.
#[derive(Debug, Default)]
pub(super) enum Body<'a> {
    /// There was none.
    #[default]
    None,
    /// What it said is not recorded; why, as the end of a sentence.
    Lost(&'static str),
    /// A text.
    Text(Text<'a>),
}

/// The text of a body.
#[derive(Debug)]
pub(super) struct Text<'a> {
    /// The pointer to it.
    pub(super) outer: String,
    pub(super) text: Cow<'a, str>,
    /// It is as it came over the wire.
    pub(super) exact: bool,
    /// It is known to have been longer.
    pub(super) cut: bool,
}

impl<'a> Body<'a> {
    /// Its text, if it is recorded.
    pub(super) fn text(&self) -> Option<&Text<'a>> {
        match self {
            Body::Text(text) => Some(text),
            Body::None | Body::Lost(_) => None,
        }
    }
}

impl Exchange<'_> {
    /// Whether it may be MCP traffic, of a part of an exchange whose endpoint is not known.
    pub(super) fn may_be_mcp(&self) -> bool {
        self.is_stream() || endpoints::names_or_carries(self)
    }

    /// Whether the response is an event stream.
    pub(super) fn is_stream(&self) -> bool {
        let stream = |mime: &str| {
            let start = mime.trim_start().get(..17);
            start.is_some_and(|start| start.eq_ignore_ascii_case("text/event-stream"))
        };
        let header = self.response_headers.get("content-type");
        header.map_or_else(|| self.mime.as_deref().is_some_and(stream), |mime| stream(&mime))
    }
}

impl Exchange<'_> {
    /// The body of a response of which no text is recorded, but perhaps a `size`: empty if that is certain.
    pub(super) fn unsaid(&self, size: Option<i64>) -> Body<'static> {
        let length = self.response_headers.get("content-length");
        let length = length.and_then(|length| length.trim().parse::<i64>().ok());
        let some = [size, length].iter().flatten().any(|size| *size > 0);
        let none = matches!(self.status, Some(100..=199 | 202 | 204 | 205 | 304)) || length == Some(0);
        if none && !some {
            Body::None
        } else {
            Body::Lost("is not recorded")
        }
    }
}

impl<'a> Lines<'a> {
    /// Lines as they were sent.
    pub(super) fn of(lines: Vec<Line<'a>>) -> Lines<'a> {
        Lines {
            lines: Some(lines),
            ..Lines::default()
        }
    }

    /// Names and values.
    fn all(&self) -> impl Iterator<Item = (Cow<'_, str>, Option<Cow<'_, str>>)> {
        let lines = self.lines.iter().flatten();
        let lines = lines.map(|line| (Cow::Borrowed(&*line.name), Some(Cow::Borrowed(&*line.value))));
        let pairs = super::headers::pairs(self.raw.unwrap_or(""));
        lines.chain(pairs.map(|(name, value)| (name, super::fields::word(value))))
    }

    /// The value of the first line of that (lower-case) name.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        let found = self.all().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.and_then(|(_, value)| value)
    }

    /// Whether a line has a name that begins like this, in lower case.
    fn has_prefix(&self, prefix: &str) -> bool {
        self.all().any(|(name, _)| {
            let start = name.get(..prefix.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        })
    }
}
