//! What a recording shows, in recording order: the one form that every format is brought into.
//!
//! Events say what was recorded and nothing else: which message answers which, sessions, revisions and catalogues are
//! found by `model`.

use std::sync::Arc;

use crate::json::{Document, Json};
use crate::place::{Place, RecordId};

/// A side of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The client.
    Client,
    /// The server.
    Server,
}

impl Side {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Client => Side::Server,
            Side::Server => Side::Client,
        }
    }
}

/// How messages travelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transport {
    /// Standard input and output of a process.
    Stdio,
    /// Streamable HTTP, or the HTTP+SSE transport of 2024.
    Http,
}

/// One thing that a recording shows.
#[derive(Debug, Clone)]
pub struct Event {
    /// Where it was recorded.
    pub record: RecordId,
    /// When, in nanoseconds since 1970 or since an unknown instant; `None` without a clock.
    pub time: Option<i64>,
    /// The recorder's own session id, if it has one.
    pub session: Option<Arc<str>>,
    /// What.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Debug, Clone)]
pub enum EventKind {
    /// A process was started; what follows on stdio is its traffic, until the next one. If the event has a session, it is
    /// the process of that session, and others go on.
    ProcessStart {
        /// Its command line, as far as it is known.
        command: Vec<String>,
    },
    /// The process, or that of the session, ended: its traffic is complete.
    ProcessExit,
    /// One direction of stdio ended.
    StreamEnd {
        /// Whose output ended.
        sender: Side,
    },
    /// A line on stdio or in a file of bare messages, which may or may not be a message.
    Line {
        /// Who wrote it; `None`: not recorded.
        sender: Option<Side>,
        /// `None`: not recorded.
        transport: Option<Transport>,
        /// What it says.
        payload: Payload,
    },
    /// The head of an HTTP request, with its body where the format has both in one.
    HttpRequest {
        /// Number of the exchange in this recording.
        exchange: u64,
        /// `POST`
        method: Arc<str>,
        /// As recorded: a target (`/mcp`) or a whole URL; `None`: not recorded.
        url: Option<Arc<str>>,
        /// Its headers.
        headers: Headers,
        /// Its body, if it has one.
        payload: Option<Payload>,
    },
    /// The head of an HTTP response.
    HttpResponse {
        /// Number of the exchange.
        exchange: u64,
        /// `None`: not recorded.
        status: Option<u16>,
        /// Its headers.
        headers: Headers,
    },
    /// The body of an HTTP response that is no event stream.
    HttpBody {
        /// Number of the exchange.
        exchange: u64,
        /// What it says.
        payload: Payload,
    },
    /// An event of an HTTP response that is an event stream.
    StreamEvent {
        /// Number of the exchange.
        exchange: u64,
        /// Its fields.
        event: StreamFields,
        /// Its data; `None` if it has none or it is empty.
        payload: Option<Payload>,
    },
    /// An HTTP exchange ended.
    HttpEnd {
        /// Number of the exchange.
        exchange: u64,
        /// How.
        how: Ended,
    },
    /// A message of a format that keeps neither lines nor exchanges; headers and status as far as it has them.
    Message {
        /// Who sent it; `None`: not recorded.
        sender: Option<Side>,
        /// `None`: not recorded.
        transport: Option<Transport>,
        /// HTTP method of the request that carried it.
        method: Option<Arc<str>>,
        /// The HTTP headers around it: of the request if the client sent it, else of the response. `None`: not recorded.
        headers: Option<Headers>,
        /// The status of the response that carried it.
        status: Option<u16>,
        /// What it says.
        payload: Payload,
    },
    /// A catalogue without the messages that carried it: a dump.
    Catalogue {
        /// The name of the server, if the dump holds several.
        server: Option<Arc<str>>,
        /// What kind of entries.
        kind: EntryKind,
        /// Its entries, each a document or a value of one.
        entries: Vec<Json>,
        /// Whether all pages are there.
        complete: bool,
        /// The entries hold only some of the members that the server lists (a manifest, the function form of a model
        /// provider): what is missing in them is unknown.
        partial: bool,
    },
    /// Records are known to be lost here.
    Gap,
    /// The recorder says that the recording is complete.
    Complete,
}

impl EventKind {
    /// A message of which nothing is recorded besides what it says, and perhaps who sent it.
    pub(super) fn bare_message(sender: Option<Side>, payload: Payload) -> EventKind {
        EventKind::Message {
            sender,
            transport: None,
            method: None,
            headers: None,
            status: None,
            payload,
        }
    }
}

/// What a catalogue lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// `tools/list`
    Tool,
    /// `prompts/list`
    Prompt,
    /// `resources/list`
    Resource,
    /// `resources/templates/list`
    Template,
}

/// How an HTTP exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ended {
    /// The response was sent to its end.
    Complete,
    /// The client went away.
    Aborted,
    /// The server went away before the end.
    Closed,
}

/// The fields of a server-sent event, as they were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StreamFields {
    /// `event:`
    pub event: Option<Arc<str>>,
    /// `id:`
    pub id: Option<Arc<str>>,
    /// `retry:`
    pub retry: Option<Arc<str>>,
}

/// A text where a message is due.
#[derive(Debug, Clone)]
pub struct Payload {
    /// Where the text stands.
    pub place: Place,
    /// Its length in bytes.
    pub bytes: u32,
    /// The text itself, if [`Wanted::frames`] asked for texts; else, if it is no JSON, at most [`Wanted::text_limit`]
    /// bytes of it.
    pub text: Option<Arc<str>>,
    /// What was demanded of it, if it is JSON.
    pub json: Option<Arc<Document>>,
    /// It is text as it came over the wire, so that spelling and repeated members count; not re-encoded by a recorder.
    pub exact: bool,
    /// Cut short by the recorder: whatever is missing in it is unknown.
    pub truncated: bool,
}

/// Headers in wire order.
#[derive(Debug, Clone, Default)]
pub struct Headers {
    /// Those that were wanted.
    pub list: Vec<Header>,
    /// How many of the headers sent were recorded.
    pub recorded: Recorded,
}

/// How much of the headers a recording holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recorded {
    /// All, in their own spelling.
    Exact,
    /// All, but spelling, order or repetition were lost.
    Folded,
    /// Only those that are there: of others nothing is known.
    Some,
    /// None.
    #[default]
    Nothing,
}

/// One header line.
#[derive(Debug, Clone)]
pub struct Header {
    /// As spelt.
    pub name: Arc<str>,
    /// As it stands, blanks around it included.
    pub raw: Arc<str>,
    /// The recorder or a user hid the value: that it was there is known, what it said is not.
    pub redacted: bool,
    /// Where the value stands.
    pub place: Place,
}

/// What the rules of a run want of a recording; everything else may be skipped.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Of each message. Frozen.
    pub message: crate::json::Demand,
    /// Of each entry of a dump. Frozen.
    pub entry: crate::json::Demand,
    /// Lower-case names of headers; `None`: all.
    pub headers: Option<std::collections::BTreeSet<String>>,
    /// Texts that stand where a recorder left a value out, beside those that are always taken so.
    pub redactions: Vec<String>,
    /// The texts of frames.
    pub frames: bool,
    /// The longest text that is kept of a frame that is no JSON, in bytes.
    pub text_limit: usize,
}

/// A fault of the recording itself: a line that is no JSON, a file that is cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// Byte in the record; 0 if the whole record is meant.
    pub offset: u32,
    /// A stable kebab-case name: `not-json`, `cut-off`, `not-utf8`, `too-long`, `too-deep`, `no-message`, …
    pub code: &'static str,
    /// One sentence in the style of [`Diagnostic`](crate::diagnostic::Diagnostic).
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// Who is at fault.
    pub fault: Blame,
}

/// Who is at fault for a [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// What wrote the recording.
    Recorder,
    /// Whoever sent the text.
    Sender(Side),
    /// Nobody, or the recording does not show who.
    Nobody,
}
