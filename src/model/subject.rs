//! What a rule can be about, and what records are grouped by.

pub use super::attribute::{Attribute, AttributeInfo, all, attribute};

/// What a rule judges (`on SUBJECT`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// Any JSON value where a message is due.
    Message,
    /// A message with a method and an id.
    Request,
    /// A message with a method and no id.
    Notification,
    /// A message with a result or an error.
    Response,
    /// An HTTP exchange, JSON-RPC or not.
    Exchange,
    /// All that shares one session key.
    Session,
    /// An entry of a tool catalogue.
    Tool,
    /// An entry of a prompt catalogue.
    Prompt,
    /// An entry of a resource catalogue.
    Resource,
    /// An entry of a catalogue of resource templates.
    Template,
    /// A catalogue: a dump, or a list result with its pages joined.
    Listing,
    /// A text before any parsing.
    Frame,
}

impl Subject {
    /// All subjects, in the order of the documentation.
    pub const ALL: [Subject; 12] = [
        Subject::Message,
        Subject::Request,
        Subject::Notification,
        Subject::Response,
        Subject::Exchange,
        Subject::Session,
        Subject::Tool,
        Subject::Prompt,
        Subject::Resource,
        Subject::Template,
        Subject::Listing,
        Subject::Frame,
    ];

    /// Its word in the language.
    pub fn word(self) -> &'static str {
        match self {
            Subject::Message => "message",
            Subject::Request => "request",
            Subject::Notification => "notification",
            Subject::Response => "response",
            Subject::Exchange => "exchange",
            Subject::Session => "session",
            Subject::Tool => "tool",
            Subject::Prompt => "prompt",
            Subject::Resource => "resource",
            Subject::Template => "template",
            Subject::Listing => "listing",
            Subject::Frame => "frame",
        }
    }

    /// The subject of a word.
    pub fn from_word(word: &str) -> Option<Subject> {
        Subject::ALL.into_iter().find(|s| s.word() == word)
    }

    /// Whether every `self` is also a `wider`: a request is a message.
    pub fn is_a(self, wider: Subject) -> bool {
        self == wider
            || (wider == Subject::Message
                && matches!(self, Subject::Request | Subject::Notification | Subject::Response))
    }

    /// Whether it is a message of some kind.
    pub fn is_message(self) -> bool {
        self.is_a(Subject::Message)
    }

    /// Whether it is an entry of a catalogue.
    pub fn is_entry(self) -> bool {
        matches!(
            self,
            Subject::Tool | Subject::Prompt | Subject::Resource | Subject::Template
        )
    }

    /// Whether it has JSON members of its own; those of a listing are those of its last result.
    pub fn has_members(self) -> bool {
        self.is_message() || self.is_entry() || self == Subject::Listing
    }
}

/// What records are grouped by (`scope KEY, …`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The recording.
    Recording,
    /// The process, on stdio.
    Process,
    /// The connection, where the recorder has one.
    Connection,
    /// The session.
    Session,
    /// Scheme, host, port and path; on stdio the command; else the recording.
    Origin,
    /// A fingerprint of the credential.
    Principal,
    /// The claimed client name and version.
    Identity,
    /// The HTTP exchange or event stream.
    Stream,
    /// The side of a hop.
    Leg,
}

impl Key {
    /// All keys.
    pub const ALL: [Key; 9] = [
        Key::Recording,
        Key::Process,
        Key::Connection,
        Key::Session,
        Key::Origin,
        Key::Principal,
        Key::Identity,
        Key::Stream,
        Key::Leg,
    ];

    /// Its word in the language.
    pub fn word(self) -> &'static str {
        match self {
            Key::Recording => "recording",
            Key::Process => "process",
            Key::Connection => "connection",
            Key::Session => "session",
            Key::Origin => "origin",
            Key::Principal => "principal",
            Key::Identity => "identity",
            Key::Stream => "stream",
            Key::Leg => "leg",
        }
    }

    /// The key of a word.
    pub fn from_word(word: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|k| k.word() == word)
    }
}

/// The lists that `earlier` and `later` have.
pub const COLLECTIONS: [(&str, Subject); 11] = [
    ("messages", Subject::Message),
    ("requests", Subject::Request),
    ("responses", Subject::Response),
    ("notifications", Subject::Notification),
    ("exchanges", Subject::Exchange),
    ("listings", Subject::Listing),
    ("tools", Subject::Tool),
    ("prompts", Subject::Prompt),
    ("resources", Subject::Resource),
    ("templates", Subject::Template),
    ("frames", Subject::Frame),
];
