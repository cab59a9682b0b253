//! The facts of one recording: its records in order, as the model builder makes them of all that it holds.

use std::collections::HashMap;
use std::sync::Arc;

use wirelint::input::Recording;
use wirelint::input::event::{EntryKind, Side, Wanted};
use wirelint::json::Demand;
use wirelint::model::build::{Assumptions, Builder, Occurrence};
use wirelint::model::protocol::{META_CLIENT, META_VERSION};
use wirelint::model::record::{END, Entry, Fact, Listing, Ordinal, Record, Session};
use wirelint::model::subject::{Key, Subject};

use super::value::Node;

/// A record and its index: the entries of a listing share its place.
pub type Id = (Ordinal, usize);

pub struct Facts {
    /// In recording order, without sessions.
    pub records: Vec<Record>,
    /// Sessions that have records, in the order of their beginnings.
    pub sessions: Vec<Arc<Session>>,
    /// Where records are known to be lost.
    pub gaps: Vec<Ordinal>,
    /// Nothing came before the recording.
    pub begins: bool,
    json: HashMap<Id, Node>,
}

impl Facts {
    pub fn read(mut recording: Recording, mut assumptions: Assumptions, frames: bool) -> Facts {
        let wanted = Wanted {
            redactions: vec![],
            message: Demand::whole(),
            entry: Demand::whole(),
            headers: None,
            frames,
            text_limit: 1 << 16,
        };
        assumptions.frames = frames;
        assumptions.events = true;
        let begins = assumptions.begins;
        let mut builder = Builder::new(recording.name(), assumptions);
        let mut occurrences = vec![];
        let decoder = recording.decoder();
        while let Some(block) = recording.next_block().unwrap() {
            for event in decoder.decode(&block, &wanted).events {
                builder.push(event, &mut occurrences);
            }
        }
        builder.finish(&mut occurrences);
        Facts::of(occurrences, begins)
    }

    fn of(occurrences: Vec<Occurrence>, begins: bool) -> Facts {
        let mut facts = Facts {
            records: vec![],
            sessions: vec![],
            gaps: vec![],
            begins,
            json: HashMap::new(),
        };
        for occurrence in occurrences {
            match occurrence {
                Occurrence::Frame(frame) => facts.record(Record::Frame(frame)),
                Occurrence::Exchange(exchange) => facts.record(Record::Exchange(exchange)),
                Occurrence::Message(message) => facts.record(Record::Message(message)),
                Occurrence::Listing(listing) => {
                    facts.record(Record::Listing(Arc::clone(&listing)));
                    for index in 0..listing.entries.len() {
                        facts.record(Record::Entry(entry(&listing, index)));
                    }
                }
                Occurrence::Gap(at) => facts.gaps.push(at),
                Occurrence::Answered(_)
                | Occurrence::Ended(_)
                | Occurrence::Unanswered(_)
                | Occurrence::SessionEnded(_) => {}
            }
        }
        facts.sessions.sort_by_key(|session| session.ordinal);
        facts
    }

    fn record(&mut self, record: Record) {
        if let Some(json) = record.json() {
            self.json.insert(id(&record), Node::of(&json));
        }
        let session = &record.common().unwrap().session;
        if !self.sessions.iter().any(|known| Arc::ptr_eq(known, session)) {
            self.sessions.push(Arc::clone(session));
        }
        self.records.push(record);
    }

    /// The JSON whose members are a record's own.
    pub fn json(&self, record: &Record) -> Option<Node> {
        self.json.get(&id(record)).cloned()
    }

    /// The time of the first record that has one.
    pub fn first_time(&self) -> Option<i64> {
        self.records.iter().find_map(time)
    }

    /// The latest time of all records.
    pub fn last_time(&self) -> Option<i64> {
        self.records.iter().filter_map(time).max()
    }

    /// The records that a rule judges.
    pub fn subjects(&self) -> impl Iterator<Item = Record> + '_ {
        let sessions = self.sessions.iter().map(|s| Record::Session(Arc::clone(s)));
        self.records.iter().cloned().chain(sessions)
    }
}

pub fn id(record: &Record) -> Id {
    match record {
        // Sessions share their ordinal with their first record.
        Record::Session(session) => (session.ordinal, usize::MAX),
        Record::Entry(entry) => (record.ordinal(), entry.index + 1),
        _ => (record.ordinal(), 0),
    }
}

pub fn entry(listing: &Arc<Listing>, index: usize) -> Entry {
    Entry {
        listing: Arc::clone(listing),
        index,
        json: listing.entries[index].clone(),
        derived: Arc::clone(&listing.derived[index]),
    }
}

pub fn time(record: &Record) -> Option<i64> {
    record.common()?.time.known().copied()
}

/// Where a record stands; a session at its end (S4).
pub fn place(record: &Record) -> Ordinal {
    match record {
        Record::Session(session) => session.ended.get().copied().unwrap_or(END),
        _ => record.ordinal(),
    }
}

pub fn session_of(record: &Record) -> &Arc<Session> {
    match record {
        Record::Session(session) => session,
        _ => &record.common().unwrap().session,
    }
}

/// A scope key of a record. `Unknown` carries nothing here.
pub fn key(record: &Record, key: Key) -> Fact<String> {
    if key == Key::Session {
        return Fact::Is(session_of(record).ordinal.to_string());
    }
    let unknown = || Fact::Unknown(wirelint::model::unknown::Reason::Key(key.word()).into());
    let Some(common) = record.common() else {
        return unknown();
    };
    let own = |fact: &Fact<Arc<str>>| match fact {
        Fact::Is(key) => Fact::Is(key.to_string()),
        Fact::Missing => Fact::Missing,
        Fact::Unknown(_) => unknown(),
    };
    match key {
        Key::Session => unreachable!(),
        Key::Recording => Fact::Is(common.keys.recording.to_string()),
        Key::Process => own(&common.keys.process),
        Key::Connection => own(&common.keys.connection),
        Key::Origin => own(&common.keys.origin),
        Key::Principal => own(&common.keys.principal),
        Key::Leg => own(&common.keys.leg),
        Key::Identity => identity(record).map_or_else(unknown, Fact::Is),
        Key::Stream => match record {
            Record::Exchange(exchange) => Fact::Is(exchange.number.to_string()),
            Record::Message(message) => carrier(&message.message.exchange),
            Record::Frame(frame) => carrier(&frame.exchange),
            Record::Listing(listing) => listing_stream(listing),
            Record::Entry(entry) => listing_stream(&entry.listing),
            Record::Session(_) => unreachable!(),
        },
    }
}

fn carrier(exchange: &Fact<Arc<wirelint::model::record::Exchange>>) -> Fact<String> {
    match exchange {
        Fact::Is(exchange) => Fact::Is(exchange.number.to_string()),
        Fact::Missing => Fact::Missing,
        Fact::Unknown(reasons) => Fact::Unknown(reasons.clone()),
    }
}

/// A catalogue came with the answer that completed it.
fn listing_stream(listing: &Listing) -> Fact<String> {
    match &listing.response {
        Some(response) => carrier(&response.message.exchange),
        None => Fact::Missing,
    }
}

/// The claimed client name and version.
fn identity(record: &Record) -> Option<String> {
    let params = record.json()?.member("params")?;
    let meta = params.member("_meta").and_then(|meta| meta.member(META_CLIENT));
    let claim = meta.or_else(|| params.member("clientInfo"))?;
    let part = |name| claim.member(name).map_or(String::new(), |part| part.to_text());
    Some(format!("{} {}", part("name"), part("version")))
}

/// The revision that a client's message names itself.
pub fn spoken(record: &Record) -> Option<&str> {
    let Record::Message(message) = record else {
        return None;
    };
    if message.message.sender.known() != Some(&Side::Client) {
        return None;
    }
    let params = message.message.json.member("params")?;
    let named = params.member("_meta")?.member(META_VERSION)?;
    named.as_str()?;
    message
        .message
        .common
        .revision
        .known()
        .map(|revision| &**revision)
}

pub fn kind_of(kind: EntryKind) -> Subject {
    match kind {
        EntryKind::Tool => Subject::Tool,
        EntryKind::Prompt => Subject::Prompt,
        EntryKind::Resource => Subject::Resource,
        EntryKind::Template => Subject::Template,
    }
}
