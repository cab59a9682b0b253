//! The few names of MCP that decide what a record *is*: which session, revision, sender, request and catalogue. What
//! the protocol demands of records is not here but in `rules/`.

use crate::input::event::{EntryKind, Side};
use crate::json::{Demand, Json};

/// The header that names a session (2025-03-26 to 2025-11-25).
pub const SESSION_HEADER: &str = "mcp-session-id";
/// The header that names the revision (2025-06-18 and later).
pub const VERSION_HEADER: &str = "mcp-protocol-version";
/// Headers that the model reads by itself.
pub const HEADERS: [&str; 5] = [
    SESSION_HEADER,
    VERSION_HEADER,
    "host",
    "authorization",
    "last-event-id",
];
/// The member of `params._meta` that names the revision of a request (2026-07-28 and later).
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The member of `params._meta` that names the client.
pub const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// The request that opens a session (to 2025-11-25).
pub const HANDSHAKE: &str = "initialize";
/// The notification that withdraws a request.
pub const CANCELLED: &str = "notifications/cancelled";
/// The first revision without sessions.
pub const STATELESS: &str = "2026-07-28";
/// The newest revision, taken for dumps where nothing says otherwise.
pub const NEWEST: &str = "2026-07-28";

/// Methods that list a catalogue, with the member of the result that holds it.
pub const CATALOGUES: [(&str, EntryKind, &str); 4] = [
    ("tools/list", EntryKind::Tool, "tools"),
    ("prompts/list", EntryKind::Prompt, "prompts"),
    ("resources/list", EntryKind::Resource, "resources"),
    (
        "resources/templates/list",
        EntryKind::Template,
        "resourceTemplates",
    ),
];

/// The method that lists entries of a kind.
pub fn list_method(kind: EntryKind) -> &'static str {
    CATALOGUES
        .iter()
        .find(|(_, k, _)| *k == kind)
        .map_or("", |(method, _, _)| method)
}

/// Methods that only the revisions without sessions know.
pub const STATELESS_METHODS: [&str; 3] = [
    "server/discover",
    "subscriptions/listen",
    "notifications/subscriptions/acknowledged",
];

/// Who sends a method, where only one side may: for recordings that do not say who sent what.
pub fn sender_of(method: &str) -> Option<Side> {
    match method {
        "initialize"
        | "notifications/initialized"
        | "server/discover"
        | "subscriptions/listen"
        | "tools/list"
        | "tools/call"
        | "prompts/list"
        | "prompts/get"
        | "resources/list"
        | "resources/read"
        | "resources/templates/list"
        | "resources/subscribe"
        | "resources/unsubscribe"
        | "completion/complete"
        | "logging/setLevel"
        | "notifications/roots/list_changed" => Some(Side::Client),
        "sampling/createMessage"
        | "elicitation/create"
        | "roots/list"
        | "notifications/message"
        | "notifications/tools/list_changed"
        | "notifications/prompts/list_changed"
        | "notifications/resources/list_changed"
        | "notifications/resources/updated"
        | "notifications/subscriptions/acknowledged"
        | "notifications/elicitation/complete" => Some(Side::Server),
        _ => None,
    }
}

/// Whether a text is a date as revisions are: `2025-06-18`. What is not is no revision, and never newer than one.
pub fn is_revision(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(i, b)| {
            if i == 4 || i == 7 {
                *b == b'-'
            } else {
                b.is_ascii_digit()
            }
        })
        && text.get(5..7).is_some_and(|month| ("01"..="12").contains(&month))
        && text.get(8..10).is_some_and(|day| ("01"..="31").contains(&day))
}

/// What the model itself reads of a message.
pub fn demand() -> Demand {
    let mut demand = Demand::shallow();
    for name in ["jsonrpc", "id", "method", "result", "error"] {
        demand.member(name);
    }
    let params = demand.member("params");
    params.member("protocolVersion");
    params.member("requestId");
    params.member("cursor");
    let meta = params.member("_meta");
    meta.member(META_VERSION);
    let client = meta.member(META_CLIENT);
    client.member("name");
    client.member("version");
    let client = params.member("clientInfo");
    client.member("name");
    client.member("version");
    let result = demand.member("result");
    result.member("protocolVersion");
    result.member("nextCursor");
    for (_, _, member) in CATALOGUES {
        result.member(member).element();
    }
    demand
}

/// The client that a message claims to come from: in `_meta`, else in the parameters of the handshake.
pub fn claimed_client(message: &Json) -> Option<Json> {
    let params = message.member("params")?;
    let meta = params.member("_meta").and_then(|meta| meta.member(META_CLIENT));
    meta.or_else(|| params.member("clientInfo"))
}
