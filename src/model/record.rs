//! The records of the model: immutable facts, plus what became known of them later, stamped with when.
//!
//! A record never points to records that point back at it: a request and its answers meet in a [`Pair`] that both
//! handles share, so that nothing is kept alive by a cycle.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use super::facts::{Derived, Fact, Keys, Verdict};
use super::subject::Subject;
use super::unknown::Reasons;
use crate::input::event::{Ended, EntryKind, Headers, Side, StreamFields, Transport};
use crate::json::{Json, JsonView};
use crate::place::Place;

/// Position of a record in the order of its recording, from 0: every record has one of its own.
pub type Ordinal = u64;

/// After everything that a recording holds.
pub const END: Ordinal = Ordinal::MAX;

/// What kind of message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// A method and an id, neither result nor error.
    Request,
    /// A method and no id, neither result nor error.
    Notification,
    /// A result or an error, no method.
    Response,
    /// Anything else.
    Malformed,
}

impl MessageKind {
    /// Its word in the language.
    pub fn word(self) -> &'static str {
        match self {
            MessageKind::Request => "request",
            MessageKind::Notification => "notification",
            MessageKind::Response => "response",
            MessageKind::Malformed => "malformed",
        }
    }
}

/// What all records have.
#[derive(Debug)]
pub struct Common {
    /// Position in the order.
    pub ordinal: Ordinal,
    /// Position that rules see as `index`.
    pub index: u64,
    /// When, in nanoseconds.
    pub time: Fact<i64>,
    /// How it travelled.
    pub transport: Fact<Transport>,
    /// The revision in force.
    pub revision: Fact<Arc<str>>,
    /// Its session.
    pub session: Arc<Session>,
    /// Its scope keys.
    pub keys: Arc<Keys>,
    /// What the engine found out about it.
    pub derived: Derived,
}

/// A message.
#[derive(Debug)]
pub struct Message {
    /// What all records have.
    pub common: Common,
    /// What kind.
    pub kind: MessageKind,
    /// The JSON.
    pub json: Json,
    /// Who sent it.
    pub sender: Fact<Side>,
    /// The HTTP exchange that carried it.
    pub exchange: Fact<Arc<Exchange>>,
    /// Headers of a format that has them without an exchange.
    pub headers: Option<Arc<Headers>>,
    /// Status of a format that has it without an exchange.
    pub status: Option<u16>,
    /// The server-sent event that carried it.
    pub event: Option<StreamFields>,
    /// Position in a batch.
    pub batch: Option<usize>,
}

/// A message together with those that it is paired with.
#[derive(Debug, Clone)]
pub struct MessageRef {
    /// The message.
    pub message: Arc<Message>,
    /// The request and its answers, for both sides; `None` for notifications and malformed messages, and for responses
    /// whose request is not among the records.
    pub pair: Option<Arc<Pair>>,
    /// Of a response without a pair: whether its request is missing or merely not recorded.
    pub orphan: Option<Reasons>,
}

impl MessageRef {
    /// Position in the order.
    pub fn ordinal(&self) -> Ordinal {
        self.message.common.ordinal
    }
}

/// A request and its answers.
#[derive(Debug)]
pub struct Pair {
    /// The request.
    pub request: Arc<Message>,
    /// Its answers, in order.
    responses: Mutex<Vec<Arc<Message>>>,
    /// When it stopped being open, if it did: answered, cancelled, or its stream ended.
    closed: OnceLock<Ordinal>,
    /// When it became certain that no answer comes, though none came: its exchange ended.
    unanswered: OnceLock<Ordinal>,
}

impl Pair {
    /// An open request.
    pub fn new(request: Arc<Message>) -> Self {
        Pair {
            request,
            responses: Mutex::default(),
            closed: OnceLock::new(),
            unanswered: OnceLock::new(),
        }
    }

    /// Adds an answer. One that comes after it was certain that none comes does not count: verdicts have fallen.
    pub fn answer(&self, response: Arc<Message>) {
        if self.unanswered.get().is_some() {
            return;
        }
        let ordinal = response.common.ordinal;
        self.responses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(response);
        self.close(ordinal);
    }

    /// It is no longer open from here on.
    pub fn close(&self, at: Ordinal) {
        let _ = self.closed.set(at);
    }

    /// Its exchange ended here, so no answer comes any more.
    pub fn give_up(&self, at: Ordinal) {
        let _ = self.unanswered.set(at);
        self.close(at);
    }

    /// The answers that had come before `now`.
    pub fn responses(&self, now: Ordinal) -> Vec<Arc<Message>> {
        let all = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|r| r.common.ordinal < now).cloned().collect()
    }

    /// The first answer, if it had come before `now`.
    pub fn response(&self, now: Ordinal) -> Option<Arc<Message>> {
        let all = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
        all.first().filter(|r| r.common.ordinal < now).cloned()
    }

    /// Whether it was open before `now`.
    pub fn is_open(&self, now: Ordinal) -> bool {
        self.closed.get().is_none_or(|closed| *closed >= now)
    }

    /// When it became certain that no answer comes.
    pub fn given_up(&self) -> Option<Ordinal> {
        self.unanswered.get().copied()
    }

    /// From when on no more answers come: its exchange or its session ended. An end before it says nothing of it.
    pub fn no_more(&self) -> Option<Ordinal> {
        let common = &self.request.common;
        let ended = common.session.ended.get().filter(|end| **end > common.ordinal);
        self.given_up().or_else(|| ended.copied())
    }

    /// Whether it is certain, before `now`, that no answer comes.
    pub fn is_unanswered(&self, now: Ordinal) -> bool {
        self.unanswered.get().is_some_and(|at| *at < now)
    }
}

/// An event of a stream: when it came, its fields, its data.
pub type KeptEvent = (Ordinal, StreamFields, Option<Arc<str>>);

/// An HTTP exchange.
#[derive(Debug)]
pub struct Exchange {
    /// What all records have.
    pub common: Common,
    /// Number in the recording.
    pub number: u64,
    /// HTTP method.
    pub method: Arc<str>,
    /// Target.
    pub url: Option<Arc<str>>,
    /// Headers of the request.
    pub request_headers: Arc<Headers>,
    /// Where the head of the request stands.
    pub place: Place,
    /// The head of the response.
    pub response: OnceLock<ResponseHead>,
    /// How and when it ended.
    pub ended: OnceLock<(Ordinal, Ended)>,
    /// The events of its stream, kept only if a rule reads them.
    pub events: Mutex<Vec<KeptEvent>>,
}

impl Exchange {
    /// When it ended.
    pub fn end(&self) -> Option<Ordinal> {
        self.ended.get().map(|(at, _)| *at)
    }
}

/// The head of an HTTP response.
#[derive(Debug, Clone)]
pub struct ResponseHead {
    /// Position in the order.
    pub ordinal: Ordinal,
    /// The status, if it is recorded.
    pub status: Option<u16>,
    /// The headers.
    pub headers: Arc<Headers>,
    /// Where it stands.
    pub place: Place,
}

/// All that shares one session key.
#[derive(Debug)]
pub struct Session {
    /// Position of its beginning.
    pub ordinal: Ordinal,
    /// Its key.
    pub key: Arc<str>,
    /// Where the recording shows its beginning, if it does: nothing of it came before.
    pub begun: Option<Ordinal>,
    /// The revision that `initialize` settled, and when.
    pub negotiated: OnceLock<(Ordinal, Arc<str>)>,
    /// The revisions that its messages named themselves, each from when on.
    pub spoken: Mutex<Vec<(Ordinal, Arc<str>)>>,
    /// When its end is shown.
    pub ended: OnceLock<Ordinal>,
    /// How it travels.
    pub transport: Fact<Transport>,
    /// What the engine found out about it.
    pub derived: Derived,
}

impl Session {
    /// The revision that its messages had named last at a place.
    pub fn spoken(&self, at: Ordinal) -> Option<Arc<str>> {
        let all = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
        let last = all.iter().rev().find(|(from, _)| *from <= at);
        last.map(|(_, revision)| Arc::clone(revision))
    }

    /// A message names a revision.
    pub fn speak(&self, at: Ordinal, revision: &Arc<str>) {
        let mut all = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
        if all.last().is_none_or(|(_, last)| last != revision) {
            all.push((at, Arc::clone(revision)));
        }
    }

    /// Its revision at a place: what was negotiated, else what its messages name.
    pub fn revision(&self, at: Ordinal) -> Option<Arc<str>> {
        let settled = self.negotiated.get().filter(|(settled, _)| *settled <= at);
        settled
            .map(|(_, revision)| Arc::clone(revision))
            .or_else(|| self.spoken(at))
    }
}

/// A catalogue.
#[derive(Debug)]
pub struct Listing {
    /// What all records have.
    pub common: Common,
    /// What it lists.
    pub kind: EntryKind,
    /// Its entries, pages joined.
    pub entries: Vec<Json>,
    /// Whether all pages were seen.
    pub complete: bool,
    /// The entries hold only some of the members that the server lists: others are unknown.
    pub partial: bool,
    /// The answer that completed it; `None` for a dump.
    pub response: Option<MessageRef>,
    /// What the engine found out about its entries, by index.
    pub derived: Vec<Arc<Derived>>,
}

/// An entry of a catalogue.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The catalogue.
    pub listing: Arc<Listing>,
    /// Position in it.
    pub index: usize,
    /// The entry.
    pub json: Json,
    /// What the engine found out about it.
    pub derived: Arc<Derived>,
}

/// A text before any parsing.
#[derive(Debug)]
pub struct Frame {
    /// What all records have.
    pub common: Common,
    /// `line`, `body` or `event`.
    pub kind: &'static str,
    /// The text.
    pub text: Fact<Arc<str>>,
    /// The JSON that it says.
    pub json: Option<Json>,
    /// Length in bytes.
    pub bytes: u32,
    /// Who sent it.
    pub sender: Fact<Side>,
    /// The exchange that carried it.
    pub exchange: Fact<Arc<Exchange>>,
    /// Where it stands.
    pub place: Place,
}

/// A handle on any record.
#[derive(Debug, Clone)]
pub enum Record {
    /// A message of any kind.
    Message(MessageRef),
    /// An exchange.
    Exchange(Arc<Exchange>),
    /// A session.
    Session(Arc<Session>),
    /// A listing.
    Listing(Arc<Listing>),
    /// An entry of a listing.
    Entry(Entry),
    /// A frame.
    Frame(Arc<Frame>),
}

impl Record {
    /// Position in the order.
    pub fn ordinal(&self) -> Ordinal {
        match self {
            Record::Message(m) => m.ordinal(),
            Record::Exchange(e) => e.common.ordinal,
            Record::Session(s) => s.ordinal,
            Record::Listing(l) => l.common.ordinal,
            Record::Entry(e) => e.listing.common.ordinal,
            Record::Frame(f) => f.common.ordinal,
        }
    }

    /// What all records but sessions have.
    pub fn common(&self) -> Option<&Common> {
        match self {
            Record::Message(m) => Some(&m.message.common),
            Record::Exchange(e) => Some(&e.common),
            Record::Session(_) => None,
            Record::Listing(l) => Some(&l.common),
            Record::Entry(e) => Some(&e.listing.common),
            Record::Frame(f) => Some(&f.common),
        }
    }

    /// What the engine found out about it.
    pub fn derived(&self) -> Option<&Derived> {
        match self {
            Record::Entry(e) => Some(&e.derived),
            Record::Session(s) => Some(&s.derived),
            other => other.common().map(|common| &common.derived),
        }
    }

    /// The narrowest subject that it is.
    pub fn subject(&self) -> Subject {
        match self {
            Record::Message(m) => match m.message.kind {
                MessageKind::Request => Subject::Request,
                MessageKind::Notification => Subject::Notification,
                MessageKind::Response => Subject::Response,
                MessageKind::Malformed => Subject::Message,
            },
            Record::Exchange(_) => Subject::Exchange,
            Record::Session(_) => Subject::Session,
            Record::Listing(_) => Subject::Listing,
            Record::Entry(e) => match e.listing.kind {
                EntryKind::Tool => Subject::Tool,
                EntryKind::Prompt => Subject::Prompt,
                EntryKind::Resource => Subject::Resource,
                EntryKind::Template => Subject::Template,
            },
            Record::Frame(_) => Subject::Frame,
        }
    }

    /// Whether both are the same record.
    pub fn is_same(&self, other: &Record) -> bool {
        match (self, other) {
            (Record::Message(a), Record::Message(b)) => Arc::ptr_eq(&a.message, &b.message),
            (Record::Exchange(a), Record::Exchange(b)) => Arc::ptr_eq(a, b),
            (Record::Session(a), Record::Session(b)) => Arc::ptr_eq(a, b),
            (Record::Listing(a), Record::Listing(b)) => Arc::ptr_eq(a, b),
            (Record::Entry(a), Record::Entry(b)) => Arc::ptr_eq(&a.listing, &b.listing) && a.index == b.index,
            (Record::Frame(a), Record::Frame(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The JSON whose members are its own: of a listing, that of its last result.
    pub fn json(&self) -> Option<Json> {
        self.view().map(JsonView::to_json)
    }

    /// The same, borrowed.
    pub fn view(&self) -> Option<JsonView<'_>> {
        match self {
            Record::Message(m) => Some(m.message.json.view()),
            Record::Entry(e) => Some(e.json.view()),
            Record::Frame(f) => f.json.as_ref().map(Json::view),
            Record::Listing(l) => l
                .response
                .as_ref()
                .and_then(|r| r.message.json.view().member("result")),
            _ => None,
        }
    }

    /// Its index among the records of one ordinal: that of an entry in its listing, else 0.
    pub fn entry_index(&self) -> usize {
        if let Record::Entry(entry) = self {
            entry.index
        } else {
            0
        }
    }

    /// Whether a member that is not there may have been left out by whoever wrote the recording.
    pub fn is_partial(&self) -> bool {
        matches!(self, Record::Entry(e) if e.listing.partial)
    }

    /// Where it stands; `None` for a session.
    pub fn place(&self) -> Option<Place> {
        match self {
            Record::Message(m) => m.message.json.place(),
            Record::Exchange(e) => Some(e.place.clone()),
            Record::Session(_) => None,
            Record::Listing(l) => match &l.response {
                Some(response) => {
                    let list = l.entries.first().and_then(Json::parent);
                    list.and_then(|list| list.place())
                        .or_else(|| response.message.json.place())
                }
                None => l.entries.first().and_then(Json::place),
            },
            Record::Entry(e) => e.json.place(),
            Record::Frame(f) => Some(f.place.clone()),
        }
    }
}

/// A record as somebody sees it: what became known of it only after `as_of` is hidden.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The record.
    pub record: Record,
    /// [`END`]: nothing is hidden, and whoever asks for what is not known yet waits for it.
    pub as_of: Ordinal,
}

impl std::ops::Deref for Seen {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}
