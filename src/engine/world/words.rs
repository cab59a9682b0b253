//! Words of the language for facts of the model.

use std::sync::{Arc, LazyLock};

use crate::input::event::{Side, StreamFields, Transport};
use crate::model::record::MessageKind;
use crate::model::value::Value;

/// The word for a side.
pub(crate) fn side(side: Side) -> &'static str {
    match side {
        Side::Client => "client",
        Side::Server => "server",
    }
}

/// The word for a transport.
pub(crate) fn transport(transport: Transport) -> &'static str {
    match transport {
        Transport::Stdio => "stdio",
        Transport::Http => "http",
    }
}

/// The words that attributes of messages often have, made once.
struct Words {
    client: Value,
    server: Value,
    stdio: Value,
    http: Value,
    kinds: [Value; 4],
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    use MessageKind as K;
    Words {
        client: Value::text(side(Side::Client)),
        server: Value::text(side(Side::Server)),
        stdio: Value::text(transport(Transport::Stdio)),
        http: Value::text(transport(Transport::Http)),
        kinds: [K::Request, K::Notification, K::Response, K::Malformed].map(|kind| Value::text(kind.word())),
    }
});

pub(super) fn side_value(side: &Side) -> &'static Value {
    match side {
        Side::Client => &WORDS.client,
        Side::Server => &WORDS.server,
    }
}

pub(super) fn transport_value(transport: &Transport) -> &'static Value {
    match transport {
        Transport::Stdio => &WORDS.stdio,
        Transport::Http => &WORDS.http,
    }
}

/// The word for the kind of a message.
pub(super) fn kind_value(kind: MessageKind) -> &'static Value {
    &WORDS.kinds[kind as usize]
}

/// The fields of a server-sent event, as an object.
pub(super) fn stream_event(fields: &StreamFields, data: Option<&Arc<str>>) -> Value {
    let field = |value: &Option<Arc<str>>| Value::or_missing(value.clone(), Value::text);
    Value::fields([
        ("type", field(&fields.event)),
        ("id", field(&fields.id)),
        ("retry", field(&fields.retry)),
        ("data", Value::or_missing(data.cloned(), Value::text)),
    ])
}
