//! Why something is unknown.

use std::fmt;
use std::sync::Arc;

/// What a recording does not show.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A header, by its lower-case name; empty: any.
    Header(Arc<str>),
    /// The HTTP status.
    Status,
    /// The body of a message.
    Body,
    /// When things happened.
    Clock,
    /// In which order things happened.
    Order,
    /// Who sent what.
    Direction,
    /// Whether it was HTTP or stdio.
    Transport,
    /// The HTTP exchange around a message.
    Exchange,
    /// The text as it came over the wire.
    RawText,
    /// Server-sent events and other framing.
    Framing,
    /// What came before the recording, or before what was kept of it.
    Start,
    /// What comes after the recording.
    End,
    /// Something between.
    Middle,
    /// A value that was hidden.
    Redacted,
    /// A value that was cut short.
    Truncated,
    /// The catalogue.
    Catalogue,
    /// The protocol revision.
    Revision,
    /// A schema dialect or a reference in a schema.
    Schema,
    /// A scope key, by its word.
    Key(&'static str),
    /// A limit of this program, by its option.
    Limit(&'static str),
    /// The rule's own words.
    Own(Arc<str>),
    /// It is not known yet: whoever meets this waits and asks again. Never reported.
    Pending,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Header(name) if name.is_empty() => f.write_str("no HTTP headers in this recording"),
            Reason::Header(name) => write!(f, "the header `{name}` is not recorded"),
            Reason::Status => f.write_str("the HTTP status is not recorded"),
            Reason::Body => f.write_str("the body of a message is not recorded"),
            Reason::Clock => f.write_str("no times in this recording"),
            Reason::Order => f.write_str("the order of messages is not recorded"),
            Reason::Direction => f.write_str("the sender of a message is not recorded"),
            Reason::Transport => f.write_str("the transport is not recorded"),
            Reason::Exchange => f.write_str("HTTP exchanges are not recorded"),
            Reason::RawText => f.write_str("the raw text of messages is not recorded"),
            Reason::Framing => f.write_str("the framing of messages is not recorded"),
            Reason::Start => f.write_str("the recording begins in the middle"),
            Reason::End => f.write_str("the recording stops"),
            Reason::Middle => f.write_str("part of the recording is missing"),
            Reason::Redacted => f.write_str("a value is redacted"),
            Reason::Truncated => f.write_str("a message is truncated"),
            Reason::Catalogue => f.write_str("no complete catalogue is recorded"),
            Reason::Revision => f.write_str("the protocol revision is not known"),
            Reason::Schema => f.write_str("a schema dialect or reference is not available"),
            Reason::Key(key) => write!(f, "the {key} is not recorded"),
            Reason::Limit(option) => write!(f, "the limit `{option}` was met"),
            Reason::Own(text) => f.write_str(text),
            Reason::Pending => f.write_str("not known yet"),
        }
    }
}

/// Why a value is unknown: one or more reasons, in the order in which they were met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasons(Arc<[Reason]>);

impl Reasons {
    /// One reason.
    pub fn new(reason: Reason) -> Self {
        Reasons(Arc::from([reason]))
    }

    /// The first one that was met.
    pub fn first(&self) -> Option<&Reason> {
        self.0.first()
    }

    /// Whether it is only a matter of waiting.
    pub fn is_pending(&self) -> bool {
        self.0.contains(&Reason::Pending)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Reason> {
        self.0.iter()
    }

    /// These, then those of `other` that are not among them.
    #[must_use]
    pub fn and(&self, other: &Reasons) -> Reasons {
        if other.0.iter().all(|reason| self.0.contains(reason)) {
            return self.clone();
        }
        let more = other.0.iter().filter(|reason| !self.0.contains(reason));
        Reasons(self.0.iter().chain(more).cloned().collect())
    }
}

impl From<Reason> for Reasons {
    fn from(reason: Reason) -> Self {
        Reasons::new(reason)
    }
}
