//! Payloads → messages.

use std::sync::Arc;

use super::pairing::Id;
use super::{Builder, Occurrence, infer_sender, revision};
use crate::input::event::{Headers, Payload, Side, StreamFields, Transport};
use crate::json::{Json, JsonKind};
use crate::model::protocol::{self, CANCELLED, HANDSHAKE, META_VERSION};
use crate::model::record::{Exchange, Fact, Frame, Keys, Message, MessageKind, MessageRef, Pair, Session};
use crate::model::unknown::Reason;

/// What surrounds the messages of one payload.
pub(super) struct Around<'a> {
    pub(super) sender: Fact<Side>,
    pub(super) transport: Fact<Transport>,
    pub(super) time: Fact<i64>,
    pub(super) session: Arc<Session>,
    pub(super) keys: Arc<Keys>,
    pub(super) exchange: Fact<Arc<Exchange>>,
    /// Headers and status of a format that keeps no exchanges.
    pub(super) headers: Option<Arc<Headers>>,
    pub(super) status: Option<u16>,
    pub(super) event: Option<StreamFields>,
    /// Of the stream, for what a server sends on it by itself.
    pub(super) revision: Option<Fact<Arc<str>>>,
    /// Requests of the same exchange, and where those that pass are added.
    pub(super) own: Option<&'a mut Vec<Arc<Pair>>>,
    pub(super) frame: &'static str,
}

/// A message of a format that keeps neither lines nor exchanges.
pub(super) struct Loose {
    pub(super) sender: Option<Side>,
    pub(super) transport: Fact<Transport>,
    pub(super) headers: Option<Headers>,
    pub(super) status: Option<u16>,
    pub(super) time: Fact<i64>,
}

impl Around<'_> {
    /// Of a line: no exchange is known of it.
    fn line(
        sender: Option<Side>,
        transport: Fact<Transport>,
        time: Fact<i64>,
        session: Arc<Session>,
        keys: Arc<Keys>,
    ) -> Self {
        let exchange = match &transport {
            Fact::Is(Transport::Stdio) => Fact::Missing,
            _ => Fact::Unknown(Reason::Exchange.into()),
        };
        Around {
            sender: sender.map_or(Fact::Unknown(Reason::Direction.into()), Fact::Is),
            transport,
            time,
            session,
            keys,
            exchange,
            headers: None,
            status: None,
            event: None,
            revision: None,
            own: None,
            frame: "line",
        }
    }
}

impl Builder {
    pub(super) fn line(
        &mut self,
        sender: Option<Side>,
        transport: Fact<Transport>,
        time: Fact<i64>,
        session: Arc<Session>,
        keys: &Arc<Keys>,
        payload: Payload,
    ) {
        let around = Around::line(sender, transport, time, session, Arc::clone(keys));
        self.payload(payload, around);
    }

    pub(super) fn loose_message(&mut self, loose: Loose, own: Option<Arc<str>>, payload: Payload) {
        let Loose {
            sender,
            transport,
            headers,
            status,
            time,
        } = loose;
        let keys = match (&headers, &transport) {
            (Some(headers), Fact::Is(Transport::Http)) => self.keys.http(None, headers),
            _ => self.process_keys(own.as_deref()),
        };
        let session = match own {
            Some(id) => {
                let started = self.sessions.named_start(&id);
                let begins = self.begins(Some(&payload)).or(started);
                self.session(&self.sessions.named_key(&id), begins, transport.clone())
            }
            None => self.line_session(None, &transport, &payload),
        };
        let line = Around::line(sender, transport, time, session, keys);
        let around = Around {
            headers: headers.map(Arc::new),
            status,
            ..line
        };
        self.payload(payload, around);
    }

    /// A text where a message is due passes: the frame, then its message or the elements of its batch.
    pub(super) fn payload(&mut self, payload: Payload, mut around: Around) {
        let root = payload.json.as_ref().and_then(|document| document.root());
        if self.assumptions.frames {
            self.frame(&payload, root.clone(), &around);
        }
        let Some(root) = root else {
            // What the recorder cut off was a message, and nobody knows which.
            if payload.truncated {
                self.lose();
            }
            return;
        };
        if root.kind() == JsonKind::List && !root.is_empty() {
            for (at, element) in root.children().enumerate() {
                self.message(element, Some(at), &mut around);
            }
        } else {
            self.message(root, None, &mut around);
        }
    }

    fn frame(&mut self, payload: &Payload, json: Option<Json>, around: &Around) {
        let revision = match &json {
            Some(json) => self.revision_in(json, &around.session),
            None => around.revision.clone().unwrap_or_else(|| self.assumed()),
        };
        let mut common = self.common(
            around.time.clone(),
            around.transport.clone(),
            revision,
            Arc::clone(&around.session),
            Arc::clone(&around.keys),
        );
        common.index = common.ordinal;
        let text = match &payload.text {
            _ if payload.truncated => Fact::Unknown(Reason::Truncated.into()),
            Some(text) => Fact::Is(Arc::clone(text)),
            None => Fact::Unknown(Reason::RawText.into()),
        };
        self.out.push(Occurrence::Frame(Arc::new(Frame {
            common,
            kind: around.frame,
            text,
            json,
            bytes: payload.bytes,
            sender: around.sender.clone(),
            exchange: around.exchange.clone(),
            place: payload.place.clone(),
        })));
    }

    fn message(&mut self, json: Json, batch: Option<usize>, around: &mut Around) {
        let has = |name| json.member(name).is_some();
        let method = json.member("method");
        let word = method.as_ref().and_then(Json::as_str);
        let kind = kind_of(&json);
        let mut sender = match &around.sender {
            Fact::Unknown(_) => infer_sender(word),
            known => known.clone(),
        };
        let id = json.member("id").as_ref().and_then(Id::of);
        let answers = has("result") || has("error");
        let found = id
            .filter(|_| answers)
            .and_then(|id| self.answered(&id, &sender, around));
        if let (Fact::Unknown(_), Some(pair)) = (&sender, &found)
            && let Some(asked) = pair.request.sender.known()
        {
            sender = Fact::Is(asked.other());
        }
        let revision = self.message_revision(&json, kind, &sender, found.as_deref(), around);
        if sender.known() == Some(&Side::Client)
            && revision::of_meta(&json).is_some()
            && let Fact::Is(revision) = &revision
        {
            around.session.speak(self.next, revision);
        }
        self.join(&around.transport, &revision, &around.session, &around.keys);
        let mut common = self.common(
            around.time.clone(),
            around.transport.clone(),
            revision,
            Arc::clone(&around.session),
            Arc::clone(&around.keys),
        );
        common.index = self.index;
        self.index += 1;
        let message = Arc::new(Message {
            common,
            kind,
            json,
            sender,
            exchange: around.exchange.clone(),
            headers: around.headers.clone(),
            status: around.status,
            event: around.event.clone(),
            batch,
        });
        self.pair_and_pass(message, found, around);
    }

    /// The request that an answer in this place answers.
    fn answered(&self, id: &Id, sender: &Fact<Side>, around: &Around) -> Option<Arc<Pair>> {
        let same = |pair: &&Arc<Pair>| {
            pair.request.json.member("id").as_ref().and_then(Id::of).as_ref() == Some(id)
                && pair.request.sender.known() != sender.known()
        };
        let own = around.own.as_ref().and_then(|own| own.iter().find(same)).cloned();
        own.or_else(|| self.pairs.find(&around.session, sender, id))
    }

    fn message_revision(
        &self,
        json: &Json,
        kind: MessageKind,
        sender: &Fact<Side>,
        answers: Option<&Pair>,
        around: &Around,
    ) -> Fact<Arc<str>> {
        if let Some(pair) = answers {
            return pair.request.common.revision.clone();
        }
        let headers = around
            .exchange
            .known()
            .map(|e| &e.request_headers)
            .or(around.headers.as_ref());
        match (sender.known(), &around.revision) {
            (Some(Side::Client), _) => self.revision_of(json, headers.map(|h| &**h), &around.session),
            (_, Some(stream)) => stream.clone(),
            (None, _) if kind != MessageKind::Response => {
                self.revision_of(json, headers.map(|h| &**h), &around.session)
            }
            _ => self.revision_in(json, &around.session),
        }
    }

    fn pair_and_pass(&mut self, message: Arc<Message>, found: Option<Arc<Pair>>, around: &mut Around) {
        let ordinal = message.common.ordinal;
        let mut orphan = None;
        let pair = match message.kind {
            MessageKind::Request => {
                let pair = self.pairs.ask(Arc::clone(&message));
                if let Some(own) = around.own.as_mut() {
                    own.push(Arc::clone(&pair));
                }
                Some(pair)
            }
            MessageKind::Response | MessageKind::Malformed => {
                if let Some(pair) = &found {
                    pair.answer(Arc::clone(&message));
                    self.pairs.answered(pair);
                } else if around.session.begun.is_none() || matches!(message.sender, Fact::Unknown(_)) {
                    orphan = Some(Reason::Start.into());
                } else if self.lost {
                    orphan = Some(Reason::Middle.into());
                }
                found
            }
            MessageKind::Notification => {
                self.cancel(&message, around);
                None
            }
        };
        if let Some(pair) = &pair
            && message.kind == MessageKind::Response
            && pair.request.json.member("method").as_ref().and_then(Json::as_str) == Some(HANDSHAKE)
            && let Some(version) = message
                .json
                .member("result")
                .and_then(|r| r.member("protocolVersion"))
            && let Some(version) = version.as_str()
        {
            let _ = message.common.session.negotiated.set((ordinal, version.into()));
        }
        let seen = MessageRef {
            message,
            pair,
            orphan,
        };
        self.out.push(Occurrence::Message(seen.clone()));
        if seen.message.kind == MessageKind::Response {
            self.catalogue(&seen);
        }
    }

    fn cancel(&mut self, message: &Message, around: &Around) {
        let method = message.json.member("method");
        if method.as_ref().and_then(Json::as_str) != Some(CANCELLED) {
            return;
        }
        let id = message.json.member("params").and_then(|p| p.member("requestId"));
        let Some(id) = id.as_ref().and_then(Id::of) else {
            return;
        };
        // Each side withdraws what it has asked itself; a server also ends a subscription of its client like this.
        let own = self.pairs.own(&around.session, &message.sender, &id);
        let own = own.filter(|pair| pair.is_open(message.common.ordinal));
        if let Some(pair) = own.or_else(|| self.pairs.find(&around.session, &message.sender, &id)) {
            pair.close(message.common.ordinal);
        }
    }
}

/// Whether a JSON text where HTTP has one is meant as a message: challenges and OAuth endpoints speak JSON as well.
pub(super) fn is_message(json: &Json, status: Option<u16>, url: Option<&str>) -> bool {
    let has = |name| json.member(name).is_some();
    if json.kind() != JsonKind::Object || has("jsonrpc") {
        return true;
    }
    if status.is_some_and(|status| !(200..300).contains(&status)) {
        return false;
    }
    let path = url.map_or("", |url| &url[..url.find(['?', '#']).unwrap_or(url.len())]);
    let foreign = path.contains("/.well-known/")
        || ["/token", "/register", "/authorize", "/revoke", "/introspect"]
            .iter()
            .any(|end| path.ends_with(end));
    !foreign || has("method") && has("id")
}

/// What kind of message it is.
fn kind_of(json: &Json) -> MessageKind {
    let has = |name| json.member(name).is_some();
    let method = json.member("method");
    let word = method.as_ref().and_then(Json::as_str);
    match (word.is_some(), has("result"), has("error")) {
        (true, false, false) if has("id") => MessageKind::Request,
        (true, false, false) => MessageKind::Notification,
        (false, true, false) | (false, false, true) if method.is_none() => MessageKind::Response,
        _ => MessageKind::Malformed,
    }
}

/// Whether the first message of a payload is the request that opens a session.
pub(super) fn is_handshake(payload: &Payload) -> bool {
    let root = payload.json.as_ref().and_then(|document| document.root());
    let first = root.and_then(|root| match root.kind() {
        JsonKind::List => root.children().next(),
        _ => Some(root),
    });
    first.is_some_and(|first| {
        first.member("method").as_ref().and_then(Json::as_str) == Some(HANDSHAKE)
            && kind_of(&first) == MessageKind::Request
    })
}

/// Whether a message names a revision itself.
pub(super) fn names_revision(json: &Json) -> bool {
    json.member("params")
        .and_then(|p| p.member("_meta"))
        .is_some_and(|m| m.member(META_VERSION).is_some())
        || json.member("method").is_some_and(|m| {
            m.as_str()
                .is_some_and(|m| protocol::STATELESS_METHODS.contains(&m))
        })
}
