//! What passes in a recording, one thing after the other: `wirelint show`.

use std::collections::HashSet;
use std::sync::Arc;

use super::world::transport;
use crate::input::event::Side;
use crate::json::JsonView;
use crate::lang::ast::Party;
use crate::model::ops;
use crate::model::protocol::{is_revision, list_method};
use crate::model::record::{
    Common, END, Exchange, Fact, Listing, Message, MessageKind, MessageRef, Record, Session,
};
use crate::model::value::Value;
use crate::place::Place;

/// Something that passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// Where it stands.
    pub place: Place,
    /// When, in words: an instant in UTC, or what a recorder's own clock says.
    pub time: Option<String>,
    /// Who sent it, the client or the server, if that is known.
    pub sender: Option<Party>,
    /// `request`, `notification`, `response`, `malformed`; `exchange` for one without a message of its own; `listing` for a
    /// dump.
    pub kind: &'static str,
    /// The method; of a response that of its request; of an exchange its HTTP method and target.
    pub method: Option<String>,
    /// The JSON-RPC id, as JSON.
    pub id: Option<String>,
    /// The code of an error.
    pub code: Option<String>,
    /// The status of the HTTP response.
    pub status: Option<u16>,
    /// Its session, a number in the list of sessions.
    pub session: usize,
}

/// What messages have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenSession {
    /// What makes it one, in words.
    pub key: String,
    /// The revision that it came to speak, if it is known.
    pub revision: Option<String>,
    /// `http` or `stdio`, if it is known.
    pub transport: Option<&'static str>,
}

/// All that passes in a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sights {
    /// In the order of the recording.
    pub passed: Vec<Sight>,
    /// The sessions, in the order in which they begin.
    pub sessions: Vec<SeenSession>,
}

/// Notes what passes while a recording is read.
#[derive(Debug, Default)]
pub(super) struct Watch {
    passed: Vec<(Sight, Option<Arc<Exchange>>)>,
    sessions: Vec<Arc<Session>>,
    /// Exchanges of which the client's message was seen.
    spoken: HashSet<u64>,
}

impl Watch {
    /// A record passes.
    pub(super) fn pass(&mut self, record: &Record) {
        match record {
            Record::Message(message) => self.message(message),
            Record::Exchange(exchange) => self.exchange(exchange),
            Record::Listing(listing) if listing.response.is_none() => self.dump(record, listing),
            _ => {}
        }
    }

    fn message(&mut self, this: &MessageRef) {
        let message = &this.message;
        let exchange = message.exchange.known().cloned();
        if let (Some(exchange), Some(Side::Client)) = (&exchange, message.sender.known()) {
            self.spoken.insert(exchange.number);
        }
        let named = match (&this.pair, message.kind) {
            (Some(pair), MessageKind::Response) => method(&pair.request),
            _ => method(message),
        };
        let error = message.json.view().member("error");
        let Some(place) = message.json.place() else {
            return;
        };
        let sight = Sight {
            place,
            time: time(&message.common),
            sender: message.sender.known().map(|side| match side {
                Side::Client => Party::Client,
                Side::Server => Party::Server,
            }),
            kind: message.kind.word(),
            method: named,
            id: message.json.view().member("id").map(text),
            code: error.and_then(|error| error.member("code")).map(text),
            status: message.status,
            session: self.session(&message.common.session),
        };
        // A request shows no status of its own: that stands beside what was answered.
        let answers = message.sender.known() == Some(&Side::Server) && message.status.is_none();
        self.passed.push((sight, exchange.filter(|_| answers)));
    }

    fn exchange(&mut self, exchange: &Arc<Exchange>) {
        let target = exchange.url.as_deref().unwrap_or("");
        let sight = Sight {
            place: exchange.place.clone(),
            time: time(&exchange.common),
            sender: Some(Party::Client),
            kind: "exchange",
            method: Some(format!("{} {target}", exchange.method).trim_end().to_owned()),
            id: None,
            code: None,
            status: None,
            session: self.session(&exchange.common.session),
        };
        self.passed.push((sight, Some(Arc::clone(exchange))));
    }

    /// A catalogue without the answer that carried it.
    fn dump(&mut self, record: &Record, listing: &Listing) {
        let Some(place) = record.place() else { return };
        let sight = Sight {
            place,
            time: time(&listing.common),
            sender: Some(Party::Server),
            kind: "listing",
            method: Some(list_method(listing.kind).to_owned()),
            id: None,
            code: None,
            status: None,
            session: self.session(&listing.common.session),
        };
        self.passed.push((sight, None));
    }

    fn session(&mut self, session: &Arc<Session>) -> usize {
        let known = self
            .sessions
            .iter()
            .rposition(|known| Arc::ptr_eq(known, session));
        known.unwrap_or_else(|| {
            self.sessions.push(Arc::clone(session));
            self.sessions.len() - 1
        })
    }

    /// All that passed. An exchange whose message stands in the list is not in it.
    pub(super) fn finish(self) -> Sights {
        let Watch {
            passed,
            sessions,
            spoken,
        } = self;
        let shown = passed.into_iter().filter_map(|(sight, exchange)| {
            let bare = sight.kind == "exchange";
            if bare && exchange.as_ref().is_some_and(|of| spoken.contains(&of.number)) {
                return None;
            }
            let answered = exchange.and_then(|of| of.response.get().and_then(|head| head.status));
            Some(Sight {
                status: sight.status.or(answered),
                ..sight
            })
        });
        Sights {
            passed: shown.collect(),
            sessions: sessions.iter().map(|session| seen(session)).collect(),
        }
    }
}

fn seen(session: &Session) -> SeenSession {
    let revision = session.revision(END).filter(|revision| is_revision(revision));
    SeenSession {
        key: session.key.to_string(),
        revision: revision.map(|revision| revision.to_string()),
        transport: match &session.transport {
            Fact::Is(way) => Some(transport(*way)),
            _ => None,
        },
    }
}

fn time(common: &Common) -> Option<String> {
    let time = common.time.known()?;
    Some(ops::show(&Value::Time(*time)))
}

fn method(message: &Message) -> Option<String> {
    message
        .json
        .view()
        .member("method")
        .map(|method| match method.as_str() {
            Some(word) => word.to_owned(),
            None => text(method),
        })
}

fn text(value: JsonView) -> String {
    value.to_json().to_text()
}
