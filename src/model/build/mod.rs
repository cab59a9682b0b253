//! Events → records in order: who answers whom, which session, revision and catalogue.
//!
//! A [`Builder`] takes the events of one recording in order and says, as [`Occurrence`]s, what happens to records: they
//! begin, they pass, they become complete. It keeps what is open and nothing else.

mod catalogue;
mod exchanges;
mod keys;
mod messages;
mod pairing;
mod revision;
mod sessions;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use self::catalogue::{Catalogues, Dump, Joining};
use self::exchanges::OpenExchange;
use self::pairing::Pairs;
use self::sessions::Sessions;
use super::protocol;
use super::record::{
    Common, Derived, Exchange, Fact, Frame, Keys, Listing, MessageRef, Ordinal, Pair, Session,
};
use super::unknown::Reason;
use crate::input::event::{Event, EventKind, Payload, Side, Transport};

/// Something that happens to records, in the order of the recording.
#[derive(Debug, Clone)]
pub enum Occurrence {
    /// A text passes.
    Frame(Arc<Frame>),
    /// An HTTP exchange passes: its request was sent.
    Exchange(Arc<Exchange>),
    /// A message passes.
    Message(MessageRef),
    /// A catalogue is complete (or will never be), and its entries pass with it.
    Listing(Arc<Listing>),
    /// The status and headers of an exchange are known.
    Answered(Arc<Exchange>),
    /// An exchange ended.
    Ended(Arc<Exchange>),
    /// A request is certain to stay without an answer.
    Unanswered(Arc<Pair>),
    /// The end of a session is shown.
    SessionEnded(Arc<Session>),
    /// Records are known to be lost here.
    Gap(Ordinal),
}

impl Occurrence {
    /// Where it happens; `None` if nothing else is seen to happen there.
    pub fn place(&self) -> Option<Ordinal> {
        match self {
            Occurrence::Frame(frame) => Some(frame.common.ordinal),
            Occurrence::Exchange(exchange) => Some(exchange.common.ordinal),
            Occurrence::Message(message) => Some(message.ordinal()),
            Occurrence::Listing(listing) => Some(listing.common.ordinal),
            Occurrence::Answered(exchange) => exchange.response.get().map(|head| head.ordinal),
            Occurrence::Ended(exchange) => exchange.ended.get().map(|(at, _)| *at),
            Occurrence::Unanswered(pair) => pair.given_up(),
            Occurrence::SessionEnded(session) => session.ended.get().copied(),
            Occurrence::Gap(at) => Some(*at),
        }
    }
}

/// How a recording is to be understood where it does not say itself.
#[derive(Debug, Clone, Default)]
pub struct Assumptions {
    /// The revision of what names none (`--revision`).
    pub revision: Option<Arc<str>>,
    /// The recording begins where its sessions begin: nothing came before.
    pub begins: bool,
    /// A catalogue without messages is of the session of what comes next, as in the examples of rules; else it is a
    /// session by itself.
    pub joined: bool,
    /// Keep texts of frames as records, and the data of stream events.
    pub frames: bool,
    /// Keep the events of exchanges.
    pub events: bool,
}

/// How many events are held back, at most, until the response shows which session a request opens.
const LOOK_AHEAD: usize = 4096;

/// Builds the records of one recording.
pub struct Builder {
    assumptions: Assumptions,
    out: Vec<Occurrence>,
    waiting: VecDeque<Event>,
    next: Ordinal,
    index: u64,
    exchange_index: u64,
    sessions: Sessions,
    exchanges: HashMap<u64, OpenExchange>,
    pairs: Pairs,
    catalogues: Catalogues,
    /// Catalogues that wait for the message whose session they are of.
    joining: Joining,
    keys: keys::Cache,
    stdio: Arc<Keys>,
    /// Records are lost: a request that was not seen may have been among them.
    lost: bool,
    /// Sessions that were begun, for the summary.
    session_count: u64,
}

impl Builder {
    /// A builder for the recording of that name.
    pub fn new(name: impl Into<Arc<str>>, assumptions: Assumptions) -> Self {
        let name: Arc<str> = name.into();
        let keys = keys::Cache::new(name);
        Builder {
            stdio: keys.plain(),
            assumptions,
            out: Vec::new(),
            waiting: VecDeque::new(),
            next: 0,
            index: 0,
            exchange_index: 0,
            sessions: Sessions::default(),
            exchanges: HashMap::new(),
            pairs: Pairs::default(),
            catalogues: Catalogues::default(),
            joining: Joining::default(),
            keys,
            lost: false,
            session_count: 0,
        }
    }

    /// Takes the next event; what happened lands in `out`.
    pub fn push(&mut self, event: Event, out: &mut Vec<Occurrence>) {
        if self.waiting.is_empty() && !self.must_wait(&event) {
            self.take(event);
        } else {
            self.waiting.push_back(event);
            self.release(false);
        }
        out.append(&mut self.out);
    }

    /// The recording is over.
    pub fn finish(&mut self, out: &mut Vec<Occurrence>) {
        self.release(true);
        self.flush_dumps();
        self.flush_catalogues();
        out.append(&mut self.out);
    }

    /// How many sessions were seen.
    pub fn sessions(&self) -> u64 {
        self.session_count
    }

    /// Takes held-back events as far as they can be understood.
    fn release(&mut self, all: bool) {
        while let Some(event) = self.waiting.front() {
            if !all && self.waiting.len() < LOOK_AHEAD && self.must_wait(event) && !self.is_answered(event) {
                return;
            }
            if let Some(event) = self.waiting.pop_front() {
                self.take(event);
            }
        }
    }

    /// Whether only the response can show which session a request is in.
    fn must_wait(&self, event: &Event) -> bool {
        let EventKind::HttpRequest { headers, payload, .. } = &event.kind else {
            return false;
        };
        event.session.is_none()
            && exchanges::header(headers, protocol::SESSION_HEADER).is_none()
            && !revision::is_stateless(headers, payload.as_ref())
    }

    /// Whether the response to a held-back request, or the end of its exchange, is held back behind it.
    fn is_answered(&self, request: &Event) -> bool {
        let EventKind::HttpRequest { exchange: number, .. } = &request.kind else {
            return true;
        };
        self.waiting.iter().any(|event| match &event.kind {
            EventKind::HttpResponse { exchange, .. } | EventKind::HttpEnd { exchange, .. } => {
                exchange == number
            }
            _ => false,
        })
    }

    fn take(&mut self, event: Event) {
        let Event {
            record,
            time,
            session,
            kind,
        } = event;
        let time = time.map_or(Fact::Unknown(Reason::Clock.into()), Fact::Is);
        match kind {
            EventKind::ProcessStart { command } => {
                self.end_process(session.as_ref());
                let keys = self.keys.process(&command);
                match session {
                    Some(id) => self.sessions.start_named(id, self.next, keys),
                    None => {
                        self.stdio = keys;
                        self.sessions.start_process(self.next);
                    }
                }
            }
            EventKind::ProcessExit => self.end_process(session.as_ref()),
            EventKind::Gap => self.lose(),
            EventKind::StreamEnd { sender } => {
                let all = match &session {
                    Some(id) => self.sessions.named_falls_silent(id, sender),
                    None => self.sessions.falls_silent(sender),
                };
                if all {
                    self.end_process(session.as_ref());
                }
            }
            EventKind::Complete => {
                let all = self.sessions.all();
                self.end_sessions(all);
            }
            EventKind::Line {
                sender,
                transport,
                payload,
            } => {
                let transport = transport.map_or(Fact::Unknown(Reason::Transport.into()), Fact::Is);
                let keys = self.process_keys(session.as_deref());
                let session = self.line_session(session, &transport, &payload);
                self.line(sender, transport, time, session, &keys, payload);
            }
            EventKind::HttpRequest {
                exchange,
                method,
                url,
                headers,
                payload,
            } => {
                let head = exchanges::RequestHead {
                    number: exchange,
                    method,
                    url,
                    headers,
                    record,
                };
                self.http_request(head, payload, session, time);
            }
            EventKind::HttpResponse {
                exchange,
                status,
                headers,
            } => {
                self.http_response(exchange, status, headers, record, time);
            }
            EventKind::HttpBody { exchange, payload } => self.http_body(exchange, payload, time),
            EventKind::StreamEvent {
                exchange,
                event,
                payload,
            } => {
                self.stream_event(exchange, event, payload, time);
            }
            EventKind::HttpEnd { exchange, how } => self.http_end(exchange, how),
            EventKind::Message {
                sender,
                transport,
                method: _,
                headers,
                status,
                payload,
            } => {
                let transport = transport.map_or(Fact::Unknown(Reason::Transport.into()), Fact::Is);
                self.loose_message(
                    messages::Loose {
                        sender,
                        transport,
                        headers,
                        status,
                        time,
                    },
                    session,
                    payload,
                );
            }
            EventKind::Catalogue {
                server,
                kind,
                entries,
                complete,
                partial,
            } => {
                let dump = Dump {
                    server,
                    kind,
                    entries,
                    complete,
                    partial,
                    time,
                };
                if self.assumptions.joined {
                    self.joining.waiting.push(dump);
                } else {
                    self.dump(dump);
                }
            }
        }
    }

    /// Something that passed is not in the recording.
    fn lose(&mut self) {
        let at = self.ordinal();
        self.lost = true;
        self.out.push(Occurrence::Gap(at));
    }

    fn ordinal(&mut self) -> Ordinal {
        self.next += 1;
        self.next - 1
    }

    fn common(
        &mut self,
        time: Fact<i64>,
        transport: Fact<Transport>,
        revision: Fact<Arc<str>>,
        session: Arc<Session>,
        keys: Arc<Keys>,
    ) -> Common {
        Common {
            ordinal: self.ordinal(),
            index: 0,
            time,
            transport,
            revision,
            session,
            keys,
            derived: Derived::default(),
        }
    }

    fn line_session(
        &mut self,
        own: Option<Arc<str>>,
        transport: &Fact<Transport>,
        payload: &Payload,
    ) -> Arc<Session> {
        let (key, started) = match own {
            Some(id) => (self.sessions.named_key(&id), self.sessions.named_start(&id)),
            None => (format!("process {}", self.sessions.process()), None),
        };
        let begun = self
            .begins(Some(payload))
            .or(started)
            .or_else(|| self.sessions.process_started());
        let session = self.session(&key, begun, transport.clone());
        self.sessions.lives(&session);
        session
    }

    /// Whether a session that opens here begins here: nothing came before the recording, or it opens with the handshake.
    fn begins(&self, payload: Option<&Payload>) -> Option<Ordinal> {
        let begins = self.assumptions.begins || payload.is_some_and(messages::is_handshake);
        begins.then_some(self.next)
    }

    fn session(&mut self, key: &str, begun: Option<Ordinal>, transport: Fact<Transport>) -> Arc<Session> {
        if let Some(session) = self.sessions.get(key) {
            return session;
        }
        self.session_count += 1;
        let ordinal = self.next;
        self.sessions.open(key, ordinal, begun, transport)
    }

    /// The keys of the process of a session that the recorder names, else of the process that runs.
    fn process_keys(&self, own: Option<&str>) -> Arc<Keys> {
        own.and_then(|id| self.sessions.named_keys(id))
            .unwrap_or_else(|| Arc::clone(&self.stdio))
    }

    /// The process of a session that the recorder names ended, or the one that all others live in.
    fn end_process(&mut self, own: Option<&Arc<str>>) {
        let ended = match own {
            Some(id) => self.sessions.end_named(id).into_iter().collect(),
            None => {
                self.stdio = self.keys.plain();
                self.sessions.end_process()
            }
        };
        self.end_sessions(ended);
    }

    fn end_sessions(&mut self, sessions: Vec<Arc<Session>>) {
        for session in sessions {
            let at = self.next;
            if session.ended.set(at).is_ok() {
                self.pairs.end_session(&session, at, &mut self.out);
                self.next += 1;
                self.out.push(Occurrence::SessionEnded(session));
            }
        }
    }
}

/// The side that a message of unknown sender comes from, by what it says.
fn infer_sender(method: Option<&str>) -> Fact<Side> {
    method
        .and_then(protocol::sender_of)
        .map_or(Fact::Unknown(Reason::Direction.into()), Fact::Is)
}
