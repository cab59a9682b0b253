//! The attributes that each subject has beside its own JSON members.
//!
//! The table in [`all`] is the only place that says which attributes exist: the checker reads types from it, the engine
//! reads [`Attribute`]s.

use super::subject::{Key, Subject};
use super::types::Type;

/// A built-in attribute of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// `request notification response malformed`; of a frame: `line body event`.
    Kind,
    /// Position in the recording, from 0; of an entry: in its listing.
    Index,
    /// When.
    Time,
    /// `client` or `server`.
    Sender,
    /// `http` or `stdio`.
    Transport,
    /// The session, a record.
    Session,
    /// The revision in force.
    Revision,
    /// The HTTP headers around a message: of the HTTP request if the client sent it, else of the response.
    Headers,
    /// The HTTP status of the exchange.
    Status,
    /// The HTTP exchange that carried it.
    Exchange,
    /// The fields of the server-sent event that carried it.
    Event,
    /// Its position in a batch, from 0; missing outside one.
    Batch,
    /// The JSON itself.
    Body,
    /// A JSON member that every message has a name for.
    Id,
    /// The method; of an exchange: the HTTP method; of a listing: `tools/list`, ….
    Method,
    /// `params`
    Params,
    /// `result`
    Result,
    /// `error`
    Error,
    /// `jsonrpc`
    Jsonrpc,
    /// The first answer to a request.
    Response,
    /// All answers to a request.
    Responses,
    /// From a request to its first answer.
    Elapsed,
    /// The request that a response answers; of an exchange: the JSON-RPC request that it carried.
    Request,
    /// The target of an exchange.
    Url,
    /// Headers of the HTTP request.
    RequestHeaders,
    /// Headers of the HTTP response.
    ResponseHeaders,
    /// The server-sent events of an exchange.
    Events,
    /// All messages of an exchange or session.
    Messages,
    /// `complete aborted closed`, missing while it goes on.
    Ended,
    /// Requests of a session.
    Requests,
    /// Notifications of a session.
    Notifications,
    /// Exchanges of a session.
    Exchanges,
    /// Listings of a session.
    Listings,
    /// Tools of a session or listing.
    Tools,
    /// Prompts of a listing.
    Prompts,
    /// Resources of a listing.
    Resources,
    /// Templates of a listing.
    Templates,
    /// The first message of a session.
    First,
    /// The last message of a session so far.
    Last,
    /// The listing of an entry.
    Listing,
    /// Whether all pages of a listing were seen.
    Complete,
    /// The text of a frame.
    Text,
    /// The JSON that a frame says; missing if it is none.
    FrameJson,
    /// Length of a frame in bytes.
    Bytes,
    /// The records before it, in the scope of the rule that asks.
    Earlier,
    /// The records after it.
    Later,
    /// A scope key other than the session.
    Key(Key),
}

/// What the table says of an attribute.
#[derive(Debug, Clone)]
pub struct AttributeInfo {
    /// Which it is.
    pub attribute: Attribute,
    /// Its type.
    pub ty: Type,
    /// It may become known only after the record itself: a rule that reads it of its subject waits, and of an earlier
    /// record it is shown as it was.
    pub live: bool,
    /// What it is, one sentence.
    pub doc: &'static str,
}

/// The attribute `name` of a subject, if it has one.
pub fn attribute(subject: Subject, name: &str) -> Option<AttributeInfo> {
    all(subject)
        .into_iter()
        .find(|(n, _)| *n == name)
        .map(|(_, info)| info)
}

/// All attributes of a subject with their names, in the order of the documentation.
pub fn all(subject: Subject) -> Vec<(&'static str, AttributeInfo)> {
    use Attribute as A;
    let list = |s: Subject| Type::list(Type::Subject(s));
    let mut out: Vec<(&'static str, A, Type, bool, &'static str)> = vec![];
    if subject.is_message() {
        out.extend([
            ("kind", A::Kind, Type::String, false, "`request`, `notification`, `response` or `malformed`"),
            ("sender", A::Sender, Type::String, false, "`client` or `server`"),
            ("headers", A::Headers, Type::Headers, false, "the HTTP headers that came with it: of the HTTP request if the client sent it, else of the HTTP response"),
            ("status", A::Status, Type::Integer, subject != Subject::Response, "the HTTP status of its exchange"),
            ("exchange", A::Exchange, Type::Subject(Subject::Exchange), false, "the HTTP exchange that carried it"),
            ("event", A::Event, Type::stream_event(), false, "the fields of the server-sent event that carried it"),
            ("batch", A::Batch, Type::Integer, false, "its position in a batch, from 0; missing outside one"),
            ("body", A::Body, Type::Json, false, "the JSON itself"),
            ("id", A::Id, Type::Json, false, "its id"),
            ("method", A::Method, Type::Json, false, "its method"),
            ("params", A::Params, Type::Json, false, "its parameters"),
            ("result", A::Result, Type::Json, false, "its result"),
            ("error", A::Error, Type::Json, false, "its error"),
            ("jsonrpc", A::Jsonrpc, Type::Json, false, "its version of JSON-RPC"),
        ]);
    }
    if matches!(subject, Subject::Request | Subject::Message) {
        out.extend([
            (
                "response",
                A::Response,
                Type::Subject(Subject::Response),
                true,
                "the first answer to it",
            ),
            (
                "responses",
                A::Responses,
                list(Subject::Response),
                true,
                "all answers to it",
            ),
            (
                "elapsed",
                A::Elapsed,
                Type::Duration,
                true,
                "the time from it to its first answer",
            ),
        ]);
    }
    if matches!(subject, Subject::Response | Subject::Message) {
        out.push((
            "request",
            A::Request,
            Type::Subject(Subject::Request),
            false,
            "the request that it answers",
        ));
    }
    match subject {
        Subject::Exchange => out.extend([
            ("method", A::Method, Type::String, false, "the HTTP method"),
            ("url", A::Url, Type::String, false, "the target, as recorded"),
            (
                "request_headers",
                A::RequestHeaders,
                Type::Headers,
                false,
                "the headers of the HTTP request",
            ),
            ("status", A::Status, Type::Integer, true, "the HTTP status"),
            (
                "response_headers",
                A::ResponseHeaders,
                Type::Headers,
                true,
                "the headers of the HTTP response",
            ),
            (
                "request",
                A::Request,
                Type::Subject(Subject::Request),
                true,
                "the JSON-RPC request that the HTTP request carried",
            ),
            (
                "events",
                A::Events,
                Type::list(Type::stream_event()),
                true,
                "the server-sent events of the response",
            ),
            (
                "messages",
                A::Messages,
                list(Subject::Message),
                true,
                "all messages that it carried, both ways",
            ),
            (
                "ended",
                A::Ended,
                Type::String,
                true,
                "`complete`, `aborted` (by the client) or `closed` (by the server); missing while it goes on",
            ),
        ]),
        Subject::Session => out.extend([
            (
                "messages",
                A::Messages,
                list(Subject::Message),
                true,
                "all its messages",
            ),
            (
                "requests",
                A::Requests,
                list(Subject::Request),
                true,
                "all its requests",
            ),
            (
                "responses",
                A::Responses,
                list(Subject::Response),
                true,
                "all its responses",
            ),
            (
                "notifications",
                A::Notifications,
                list(Subject::Notification),
                true,
                "all its notifications",
            ),
            (
                "exchanges",
                A::Exchanges,
                list(Subject::Exchange),
                true,
                "all its HTTP exchanges",
            ),
            (
                "listings",
                A::Listings,
                list(Subject::Listing),
                true,
                "all its listings",
            ),
            (
                "tools",
                A::Tools,
                list(Subject::Tool),
                true,
                "all tools listed in it",
            ),
            (
                "first",
                A::First,
                Type::Subject(Subject::Message),
                true,
                "its first message",
            ),
            (
                "last",
                A::Last,
                Type::Subject(Subject::Message),
                true,
                "its last message",
            ),
            (
                "ended",
                A::Ended,
                Type::Boolean,
                true,
                "whether its end is recorded",
            ),
        ]),
        Subject::Tool | Subject::Prompt | Subject::Resource | Subject::Template => out.extend([
            (
                "listing",
                A::Listing,
                Type::Subject(Subject::Listing),
                false,
                "the listing in which it stands",
            ),
            ("body", A::Body, Type::Json, false, "the JSON itself"),
        ]),
        Subject::Listing => out.extend([
            (
                "method",
                A::Method,
                Type::String,
                false,
                "`tools/list`, `prompts/list`, `resources/list` or `resources/templates/list`",
            ),
            ("tools", A::Tools, list(Subject::Tool), false, "its tools"),
            ("prompts", A::Prompts, list(Subject::Prompt), false, "its prompts"),
            (
                "resources",
                A::Resources,
                list(Subject::Resource),
                false,
                "its resources",
            ),
            (
                "templates",
                A::Templates,
                list(Subject::Template),
                false,
                "its resource templates",
            ),
            (
                "complete",
                A::Complete,
                Type::Boolean,
                false,
                "whether all pages were seen",
            ),
            (
                "response",
                A::Response,
                Type::Subject(Subject::Response),
                false,
                "the answer that completed it; missing for a dump",
            ),
        ]),
        Subject::Frame => out.extend([
            (
                "kind",
                A::Kind,
                Type::String,
                false,
                "`line`, `body` (of an HTTP message) or `event` (the data of a server-sent event)",
            ),
            ("text", A::Text, Type::String, false, "the text"),
            (
                "json",
                A::FrameJson,
                Type::Json,
                false,
                "the JSON that it says; missing if it is none",
            ),
            ("bytes", A::Bytes, Type::Integer, false, "its length in bytes"),
            ("sender", A::Sender, Type::String, false, "`client` or `server`"),
            (
                "exchange",
                A::Exchange,
                Type::Subject(Subject::Exchange),
                false,
                "the HTTP exchange that carried it",
            ),
        ]),
        _ => {}
    }
    out.extend([
        (
            "index",
            A::Index,
            Type::Integer,
            false,
            "its position in the recording, from 0; of an entry: in its listing",
        ),
        ("time", A::Time, Type::Time, false, "when it was recorded"),
        (
            "transport",
            A::Transport,
            Type::String,
            false,
            "`http` or `stdio`",
        ),
        (
            "revision",
            A::Revision,
            Type::String,
            false,
            "the protocol revision in force",
        ),
        (
            "session",
            A::Session,
            Type::Subject(Subject::Session),
            false,
            "its session",
        ),
        (
            "earlier",
            A::Earlier,
            Type::History,
            false,
            "the records before it",
        ),
        ("later", A::Later, Type::History, true, "the records after it"),
    ]);
    for key in Key::ALL {
        if key != Key::Session {
            out.push((key.word(), A::Key(key), Type::String, false, "a scope key"));
        }
    }
    out.into_iter()
        .map(|(name, attribute, ty, live, doc)| {
            (
                name,
                AttributeInfo {
                    attribute,
                    ty,
                    live,
                    doc,
                },
            )
        })
        .collect()
}
