//! Which revision of the protocol a message is of: what it says itself, else what surrounds it.

use std::sync::Arc;

use super::Builder;
use super::exchanges::header;
use crate::input::event::{Headers, Payload};
use crate::json::Json;
use crate::model::protocol::{META_VERSION, STATELESS, STATELESS_METHODS, VERSION_HEADER, is_revision};
use crate::model::record::{END, Fact, Session};
use crate::model::unknown::Reason;

/// The revision that a message names in `params._meta`.
pub(super) fn of_meta(json: &Json) -> Option<Arc<str>> {
    let meta = json.member("params")?.member("_meta")?.member(META_VERSION)?;
    meta.as_str().map(Arc::from)
}

/// The revision that HTTP headers name.
pub(super) fn of_headers(headers: &Headers) -> Option<Arc<str>> {
    let header = header(headers, VERSION_HEADER)?;
    (!header.redacted).then(|| header.raw.trim().into())
}

/// Whether a request is of a revision without sessions, by itself.
pub(super) fn is_stateless(headers: &Headers, payload: Option<&Payload>) -> bool {
    let root = payload
        .and_then(|p| p.json.as_ref())
        .and_then(|document| document.root());
    let stated = root.as_ref().and_then(of_meta).or_else(|| of_headers(headers));
    if let Some(stated) = stated {
        return is_revision(&stated) && &*stated >= STATELESS;
    }
    let method = root.and_then(|root| root.member("method"));
    method.is_some_and(|method| method.as_str().is_some_and(|m| STATELESS_METHODS.contains(&m)))
}

impl Builder {
    /// The revision of a message that a client sent, or that no exchange surrounds.
    pub(super) fn revision_of(
        &self,
        json: &Json,
        headers: Option<&Headers>,
        session: &Session,
    ) -> Fact<Arc<str>> {
        if let Some(stated) = of_meta(json).or_else(|| headers.and_then(of_headers)) {
            return Fact::Is(stated);
        }
        let method = json.member("method");
        let method = method.as_ref().and_then(Json::as_str);
        if method == Some(crate::model::protocol::HANDSHAKE) {
            // The handshake belongs to the revisions that have one, whatever it asks for.
            let asked = json.member("params").and_then(|p| p.member("protocolVersion"));
            let asked = asked
                .as_ref()
                .and_then(Json::as_str)
                .filter(|v| is_revision(v) && *v < STATELESS);
            return Fact::Is(asked.unwrap_or("2025-11-25").into());
        }
        if let Some((_, negotiated)) = session.negotiated.get() {
            return Fact::Is(Arc::clone(negotiated));
        }
        if method.is_some_and(|m| STATELESS_METHODS.contains(&m)) {
            return Fact::Is(STATELESS.into());
        }
        self.assumed()
    }

    /// The revision of a message that a server sent by itself, on no stream of a request.
    pub(super) fn revision_in(&self, json: &Json, session: &Session) -> Fact<Arc<str>> {
        if let Some((_, negotiated)) = session.negotiated.get() {
            return Fact::Is(Arc::clone(negotiated));
        }
        match self.revision_of(json, None, session) {
            Fact::Is(revision) => Fact::Is(revision),
            other => session.spoken(END).map_or(other, Fact::Is),
        }
    }

    /// What `--revision` says.
    pub(super) fn assumed(&self) -> Fact<Arc<str>> {
        self.assumptions
            .revision
            .clone()
            .map_or(Fact::Unknown(Reason::Revision.into()), Fact::Is)
    }
}
