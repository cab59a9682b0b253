//! HTTP: exchanges, their streams, and the sessions that headers name.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::messages::{Around, is_message, names_revision};
use super::revision::{is_stateless, of_headers};
use super::{Builder, Occurrence};
use crate::input::event::{Ended, EventKind, Header, Headers, Payload, Side, StreamFields, Transport};
use crate::model::protocol::{SESSION_HEADER, STATELESS};
use crate::model::record::{Exchange, Fact, Pair, ResponseHead, Session};
use crate::place::{Place, RecordId};

/// The first header of that (lower-case) name.
pub(super) fn header<'h>(headers: &'h Headers, name: &str) -> Option<&'h Header> {
    headers
        .list
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name))
}

/// The head of a request.
pub(super) struct RequestHead {
    pub(super) number: u64,
    pub(super) method: Arc<str>,
    pub(super) url: Option<Arc<str>>,
    pub(super) headers: Headers,
    pub(super) record: RecordId,
}

/// An exchange that goes on.
pub(super) struct OpenExchange {
    exchange: Arc<Exchange>,
    /// The session of what comes on its stream.
    session: Arc<Session>,
    revision: Fact<Arc<str>>,
    pairs: Vec<Arc<Pair>>,
    /// Its stream has event ids: what is missing may come on another one.
    resumable: bool,
}

/// What a request names of a URL: its path and query. Recordings keep the whole URL or only this, and a server may
/// announce either.
fn target(url: &str) -> &str {
    let Some(host) = url.find("://").filter(|at| !url[..*at].contains(['/', '?'])) else {
        return url;
    };
    let host = host + 3;
    let path = url[host..].find('/').map_or(url.len(), |at| host + at);
    &url[path..]
}

impl Builder {
    pub(super) fn http_request(
        &mut self,
        head: RequestHead,
        payload: Option<Payload>,
        own: Option<Arc<str>>,
        time: Fact<i64>,
    ) {
        let RequestHead {
            number,
            method,
            url,
            headers,
            record,
        } = head;
        let keys = self.keys.http(url.as_deref(), &headers);
        let session = self.http_session(own, number, url.as_deref(), &headers, payload.as_ref(), &keys);
        let root = payload
            .as_ref()
            .and_then(|p| p.json.as_ref())
            .and_then(|document| document.root());
        let revision = match &root {
            Some(root) if names_revision(root) || of_headers(&headers).is_none() => {
                self.revision_of(root, Some(&headers), &session)
            }
            _ => {
                match of_headers(&headers).or_else(|| session.negotiated.get().map(|(_, v)| Arc::clone(v))) {
                    Some(revision) => Fact::Is(revision),
                    None => self.assumed(),
                }
            }
        };
        self.join(&Fact::Is(Transport::Http), &revision, &session, &keys);
        let mut common = self.common(
            time.clone(),
            Fact::Is(Transport::Http),
            revision.clone(),
            Arc::clone(&session),
            Arc::clone(&keys),
        );
        common.index = self.exchange_index;
        self.exchange_index += 1;
        let exchange = Arc::new(Exchange {
            common,
            number,
            method,
            url,
            request_headers: Arc::new(headers),
            place: Place {
                record,
                ..Place::default()
            },
            response: OnceLock::new(),
            ended: OnceLock::new(),
            events: Mutex::default(),
        });
        self.out.push(Occurrence::Exchange(Arc::clone(&exchange)));
        let mut open = OpenExchange {
            exchange: Arc::clone(&exchange),
            session: Arc::clone(&session),
            revision,
            pairs: vec![],
            resumable: false,
        };
        if let Some(payload) = payload {
            let mut payload = payload;
            if root.is_some_and(|root| !is_message(&root, None, exchange.url.as_deref())) {
                payload.json = None;
            }
            let around = Around {
                sender: Fact::Is(Side::Client),
                transport: Fact::Is(Transport::Http),
                time,
                session,
                keys,
                exchange: Fact::Is(Arc::clone(&exchange)),
                headers: None,
                status: None,
                event: None,
                revision: None,
                own: Some(&mut open.pairs),
                frame: "body",
            };
            self.payload(payload, around);
        }
        self.exchanges.insert(number, open);
    }

    fn http_session(
        &mut self,
        own: Option<Arc<str>>,
        number: u64,
        url: Option<&str>,
        headers: &Headers,
        payload: Option<&Payload>,
        keys: &crate::model::record::Keys,
    ) -> Arc<Session> {
        let http = Fact::Is(Transport::Http);
        let begins = self.begins(payload);
        if let Some(id) = own {
            return self.session(&self.sessions.named_key(&id), begins, http);
        }
        if !is_stateless(headers, payload) {
            if let Some(id) = header(headers, SESSION_HEADER) {
                // It names a session that was there before, whatever it says.
                let begins = self.begins(None);
                return self.session(&format!("http {}", id.raw.trim()), begins, http);
            }
            if let Some(id) = self.handed_out(number) {
                return self.session(&format!("http {id}"), Some(self.next), http);
            }
            if let Some(session) = url.and_then(|url| self.sessions.get(&format!("endpoint {}", target(url))))
            {
                return session;
            }
        }
        let part = |fact: &Fact<Arc<str>>| fact.known().map_or_else(|| "?".to_owned(), |v| v.to_string());
        self.session(
            &format!("origin {} {}", part(&keys.origin), part(&keys.principal)),
            begins,
            http,
        )
    }

    /// The session id in the response to a request, which is held back behind it.
    fn handed_out(&self, number: u64) -> Option<String> {
        self.waiting.iter().find_map(|event| match &event.kind {
            EventKind::HttpResponse {
                exchange, headers, ..
            } if *exchange == number => header(headers, SESSION_HEADER).map(|id| id.raw.trim().to_owned()),
            _ => None,
        })
    }

    pub(super) fn http_response(
        &mut self,
        number: u64,
        status: Option<u16>,
        headers: Headers,
        record: RecordId,
        _time: Fact<i64>,
    ) {
        let ordinal = self.ordinal();
        let Some(open) = self.exchanges.get(&number) else {
            return;
        };
        let head = ResponseHead {
            ordinal,
            status,
            headers: Arc::new(headers),
            place: Place {
                record,
                ..Place::default()
            },
        };
        let _ = open.exchange.response.set(head);
        self.out.push(Occurrence::Answered(Arc::clone(&open.exchange)));
    }

    pub(super) fn http_body(&mut self, number: u64, payload: Payload, time: Fact<i64>) {
        self.server_says(number, payload, time, None);
    }

    pub(super) fn stream_event(
        &mut self,
        number: u64,
        event: StreamFields,
        payload: Option<Payload>,
        time: Fact<i64>,
    ) {
        let ordinal = self.next;
        if let Some(open) = self.exchanges.get_mut(&number) {
            open.resumable |= event.id.as_ref().is_some_and(|id| !id.is_empty());
            if self.assumptions.events {
                let data = payload.as_ref().and_then(|p| p.text.clone());
                let mut events = open
                    .exchange
                    .events
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                events.push((ordinal, event.clone(), data));
            }
        }
        // The transport of 2024 announces in its first event where messages are to be sent.
        if event.event.as_deref() == Some("endpoint") {
            if let Some(endpoint) = payload.as_ref().and_then(|p| p.text.clone()) {
                self.announce(number, &endpoint);
            }
            return;
        }
        if let Some(payload) = payload {
            self.server_says(number, payload, time, Some(event));
        }
    }

    fn announce(&mut self, number: u64, endpoint: &str) {
        let session = self.session(
            &format!("endpoint {}", target(endpoint.trim())),
            Some(self.next),
            Fact::Is(Transport::Http),
        );
        if let Some(open) = self.exchanges.get_mut(&number) {
            open.session = session;
        }
    }

    fn server_says(
        &mut self,
        number: u64,
        mut payload: Payload,
        time: Fact<i64>,
        event: Option<StreamFields>,
    ) {
        let Some(mut open) = self.exchanges.remove(&number) else {
            return;
        };
        let exchange = Arc::clone(&open.exchange);
        let status = exchange.response.get().and_then(|head| head.status);
        let root = payload.json.as_ref().and_then(|document| document.root());
        if root.is_some_and(|root| !is_message(&root, status, exchange.url.as_deref())) {
            payload.json = None;
        }
        let around = Around {
            sender: Fact::Is(Side::Server),
            transport: Fact::Is(Transport::Http),
            time,
            session: Arc::clone(&open.session),
            keys: Arc::clone(&exchange.common.keys),
            exchange: Fact::Is(Arc::clone(&exchange)),
            headers: None,
            status: None,
            frame: if event.is_some() { "event" } else { "body" },
            event,
            revision: match &open.revision {
                Fact::Unknown(_) => None,
                known => Some(known.clone()),
            },
            own: Some(&mut open.pairs),
        };
        self.payload(payload, around);
        self.exchanges.insert(number, open);
    }

    pub(super) fn http_end(&mut self, number: u64, how: Ended) {
        let Some(open) = self.exchanges.remove(&number) else {
            return;
        };
        let ordinal = self.ordinal();
        let exchange = open.exchange;
        let _ = exchange.ended.set((ordinal, how));
        let status = exchange.response.get().and_then(|head| head.status);
        let stateless = open
            .revision
            .known()
            .is_some_and(|revision| &**revision >= STATELESS);
        // Where streams can be resumed, or a 202 promises the answer on another stream, it may still come.
        let elsewhere = !stateless && (open.resumable || status == Some(202));
        // What a server asks on a stream is answered in an exchange of its own, also when the stream has ended.
        let asked_here = |pair: &Arc<Pair>| pair.request.sender.known() != Some(&Side::Server);
        for pair in open.pairs.into_iter().filter(asked_here) {
            if !elsewhere && pair.response(ordinal).is_none() && !pair.is_unanswered(ordinal) {
                pair.give_up(ordinal);
                self.out.push(Occurrence::Unanswered(pair));
            }
        }
        self.out.push(Occurrence::Ended(Arc::clone(&exchange)));
        let accepted = status.is_some_and(|status| (200..300).contains(&status));
        if &*exchange.method == "DELETE" && accepted && exchange.common.session.ended.set(ordinal).is_ok() {
            let session = Arc::clone(&exchange.common.session);
            self.pairs.end_session(&session, ordinal, &mut self.out);
            self.out.push(Occurrence::SessionEnded(session));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn a_target_is_the_same_of_whatever_was_recorded() {
        for url in ["/m?id=1", "http://h:1/m?id=1", "https://h/m?id=1"] {
            assert_eq!(target(url), "/m?id=1");
        }
        assert_eq!(target("http://h"), "");
        assert_eq!(target("/m?to=http://h/x"), "/m?to=http://h/x");
    }
}
