//! Texts, and where they stand.

use std::sync::Arc;

use crate::input::event::Headers;
use crate::json::Json;
use crate::place::Place;

/// A text, and where it stands if it stands somewhere.
#[derive(Debug, Clone)]
pub struct Text {
    /// The text.
    pub text: Arc<str>,
    /// Where it stands.
    pub place: Option<TextPlace>,
}

/// Where a text stands; worked out only when somebody asks.
#[derive(Debug, Clone)]
pub enum TextPlace {
    /// There.
    At(Arc<Place>),
    /// It is the name of a member.
    Name(Json),
    /// It is this value.
    Value(Json),
    /// It is in a header line.
    Line {
        /// The headers.
        headers: Arc<Headers>,
        /// Which line.
        line: usize,
        /// What of it.
        part: LinePart,
    },
    /// It is a part of another text.
    Part {
        /// The whole text.
        whole: Arc<Text>,
        /// The byte at which the part begins.
        start: usize,
        /// Its length in bytes.
        length: usize,
    },
}

/// A part of a header line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinePart {
    /// Its name.
    Name,
    /// Its value as it stands.
    Raw,
    /// Its value without the blanks around it.
    Trimmed,
}

impl TextPlace {
    /// The place.
    pub fn place(&self) -> Option<Place> {
        match self {
            TextPlace::At(place) => Some((**place).clone()),
            TextPlace::Value(value) => value.place(),
            TextPlace::Name(member) => member.place().map(|place| Place {
                on_name: true,
                ..place
            }),
            TextPlace::Line { headers, line, part } => {
                let line = headers.list.get(*line)?;
                Some(match part {
                    LinePart::Raw => line.place.clone(),
                    LinePart::Name => Place {
                        on_name: true,
                        range: None,
                        ..line.place.clone()
                    },
                    LinePart::Trimmed => trimmed_place(&line.raw, &line.place),
                })
            }
            TextPlace::Part { whole, start, length } => {
                let place = whole.place.as_ref()?.place()?;
                let count = |range: std::ops::Range<usize>| {
                    whole.text.get(range).map_or(0, |part| part.chars().count())
                };
                Some(narrow(&place, count(0..*start), count(*start..start + length)))
            }
        }
    }
}

/// The place of the value of a header line without the blanks around it.
fn trimmed_place(raw: &str, place: &Place) -> Place {
    let text = raw.trim_matches([' ', '\t']);
    if text.len() == raw.len() {
        return place.clone();
    }
    let before = raw.len() - raw.trim_start_matches([' ', '\t']).len();
    // Blanks are one byte and one character each.
    let start = if text.is_empty() { 0 } else { before };
    narrow(place, start, text.chars().count())
}

/// The place of some characters of the text at a place.
fn narrow(place: &Place, start: usize, length: usize) -> Place {
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let start = place
        .range
        .map_or(0, |(from, _)| from)
        .saturating_add(small(start));
    Place {
        range: Some((start, start.saturating_add(small(length)))),
        ..place.clone()
    }
}

impl Text {
    /// A text that was computed.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Text {
            text: text.into(),
            place: None,
        }
    }

    /// A text that stands in a recording.
    pub fn at(text: impl Into<Arc<str>>, place: Place) -> Self {
        Text {
            text: text.into(),
            place: Some(TextPlace::At(Arc::new(place))),
        }
    }
}
