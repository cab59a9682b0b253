//! Scopes: the records that share keys, and how much of them is kept.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::World;
use super::cells::Cell;
use crate::json::Json;
use crate::lang::compile::{Plan, QueryId, ScopeId};
use crate::lang::program::{Collection, Scope};
use crate::model::protocol;
use crate::model::record::{END, Exchange, Fact, Listing, Ordinal, Record, Session};
use crate::model::subject::{Key, Subject};
use crate::model::unknown::{Reason, Reasons};

/// Which records belong together, in one kind of scope.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum InstanceKey {
    /// A session, by its ordinal.
    Session(Ordinal),
    /// Values of several keys.
    Keys(Arc<str>),
    /// A record whose key is unknown is alone; a session stands where its first message does.
    Alone(Ordinal, Subject),
}

/// The history of one scope.
#[derive(Debug, Default)]
pub(super) struct Instance {
    /// Why something may have come before what is kept.
    pub(super) front: Option<Reasons>,
    /// Lists that are kept whole.
    pub(super) lists: BTreeMap<Collection, Vec<Record>>,
    /// What queries keep.
    pub(super) cells: BTreeMap<QueryId, Cell>,
    pub(super) bytes: usize,
    /// Documents that kept records hold: how many hold it, and its size.
    documents: HashMap<usize, (u32, usize)>,
    touched: Ordinal,
    /// The lists that are not whole any more.
    lost: BTreeSet<Collection>,
}

/// All scopes of a recording.
pub(super) struct Instances {
    scopes: Vec<(Scope, HashMap<InstanceKey, Instance>)>,
    /// Scopes that were forgotten.
    evicted: HashSet<(ScopeId, InstanceKey)>,
    begins: bool,
    bytes: usize,
    /// The keys that were asked for last: of which record, and in which scope.
    last: RefCell<(Ordinal, Vec<(ScopeId, InstanceKey)>)>,
}

/// The values of several keys of a record.
fn instance_key(keys: &[Key], record: &Record) -> InstanceKey {
    let mut all = String::new();
    for one in keys {
        match key(record, *one) {
            Fact::Is(value) => all.push_str(&value),
            Fact::Missing => all.push('\u{1}'),
            Fact::Unknown(_) => return InstanceKey::Alone(record.ordinal(), record.subject()),
        }
        all.push('\u{0}');
    }
    InstanceKey::Keys(all.into())
}

impl Instances {
    pub(super) fn new(plan: &Plan, begins: bool) -> Self {
        Instances {
            scopes: plan
                .scopes
                .iter()
                .map(|scope| (scope.clone(), HashMap::new()))
                .collect(),
            evicted: HashSet::new(),
            begins,
            bytes: 0,
            last: RefCell::new((END, vec![])),
        }
    }

    /// The key of the scope that a record is in.
    pub(super) fn key_of(&self, scope: ScopeId, record: &Record) -> InstanceKey {
        let keys = &self.scopes[scope].0.keys;
        let session = match record {
            Record::Session(session) => session,
            other => match other.common() {
                Some(common) => &common.session,
                None => return InstanceKey::Alone(record.ordinal(), record.subject()),
            },
        };
        if keys.as_slice() == [Key::Session] {
            return InstanceKey::Session(session.ordinal);
        }
        // A session stands where its first message stands.
        if matches!(record, Record::Session(_)) {
            return instance_key(keys, record);
        }
        // Several queries ask for the same record, one after the other. Entries have the keys of their listing.
        let mut last = self.last.borrow_mut();
        if last.0 != record.ordinal() {
            *last = (record.ordinal(), vec![]);
        }
        if let Some((_, known)) = last.1.iter().find(|(of, _)| *of == scope) {
            return known.clone();
        }
        let found = instance_key(keys, record);
        last.1.push((scope, found.clone()));
        found
    }

    pub(super) fn get(&self, scope: ScopeId, key: &InstanceKey) -> Option<&Instance> {
        self.scopes.get(scope)?.1.get(key)
    }

    /// Why something may have come before a scope of which nothing was kept yet.
    pub(super) fn front_of(&self, scope: ScopeId, key: &InstanceKey, record: &Record) -> Option<Reasons> {
        if self.evicted.contains(&(scope, key.clone())) {
            return Some(Reason::Limit("history-limit").into());
        }
        if matches!(key, InstanceKey::Alone(..)) {
            return Some(Reason::Key("scope").into());
        }
        let keys = &self.scopes[scope].0.keys;
        let begun = keys.contains(&Key::Session)
            && session_of(record).is_some_and(|session| session.begun.is_some())
            || keys.contains(&Key::Process) && in_process(record);
        if self.begins || begun {
            None
        } else {
            Some(Reason::Start.into())
        }
    }

    /// The scope that a record is in, made if need be.
    pub(super) fn at(&mut self, scope: ScopeId, record: &Record) -> &mut Instance {
        let key = self.key_of(scope, record);
        let front = match self.get(scope, &key) {
            Some(_) => None,
            None => self.front_of(scope, &key, record),
        };
        let instance = self.scopes[scope].1.entry(key).or_insert_with(|| Instance {
            front,
            ..Instance::default()
        });
        instance.touched = record.ordinal();
        instance
    }

    /// Where the scope that a record is in ends, if that is shown: with its session, with its process.
    pub(super) fn end(&self, scope: ScopeId, record: &Record) -> Option<Ordinal> {
        let keys = &self.scopes[scope].0.keys;
        let ends = keys.contains(&Key::Session) || keys.contains(&Key::Process) && in_process(record);
        if !ends || matches!(self.key_of(scope, record), InstanceKey::Alone(..)) {
            return None;
        }
        session_of(record)?.ended.get().copied()
    }

    /// Where the scope that a record is in begins, if its session shows that.
    pub(super) fn beginning(&self, scope: ScopeId, record: &Record) -> Ordinal {
        let by_session = self.scopes[scope].0.keys.contains(&Key::Session);
        let session = session_of(record).filter(|_| by_session);
        session.and_then(|session| session.begun).unwrap_or(0)
    }

    /// A scope weighs more or less than before.
    pub(super) fn weigh(&mut self, before: usize, after: usize) {
        self.bytes = (self.bytes + after).saturating_sub(before);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets the scopes that were idle for longest, down to three quarters of the limit; a single scope that is too
    /// large forgets its older half. Gives how many scopes forgot something.
    fn shrink(&mut self, limit: usize, current: Ordinal) -> u64 {
        let target = limit / 4 * 3;
        let mut idle: Vec<(Ordinal, ScopeId, InstanceKey)> = vec![];
        for (id, (_, instances)) in self.scopes.iter().enumerate() {
            let heavy = instances
                .iter()
                .filter(|(_, i)| i.bytes > 0 && i.touched < current);
            idle.extend(heavy.map(|(key, i)| (i.touched, id, key.clone())));
        }
        idle.sort();
        let mut forgotten = 0;
        for (_, id, key) in idle {
            if self.bytes <= target {
                return forgotten;
            }
            if let Some(instance) = self.scopes[id].1.remove(&key) {
                self.bytes = self.bytes.saturating_sub(instance.bytes);
                self.evicted.insert((id, key));
                forgotten += 1;
            }
        }
        if self.bytes > target {
            for (_, instances) in &mut self.scopes {
                for instance in instances.values_mut() {
                    let before = instance.bytes;
                    instance.halve();
                    self.bytes = self.bytes.saturating_sub(before - instance.bytes);
                    forgotten += 1;
                }
            }
        }
        forgotten
    }
}

impl Instance {
    /// A record is kept once more.
    pub(super) fn hold(&mut self, record: &Record) {
        self.bytes += OWN;
        if let Some((document, size)) = document(record) {
            let (holders, _) = self.documents.entry(document).or_insert((0, size));
            *holders += 1;
            if *holders == 1 {
                self.bytes += size;
            }
        }
    }

    /// A record is kept once less.
    pub(super) fn release(&mut self, record: &Record) {
        self.bytes = self.bytes.saturating_sub(OWN);
        if let Some((document, _)) = document(record)
            && let Some((holders, size)) = self.documents.get_mut(&document)
        {
            *holders -= 1;
            if *holders == 0 {
                self.bytes = self.bytes.saturating_sub(*size);
                self.documents.remove(&document);
            }
        }
    }

    /// Forgets the older half of every list and cell that is long, or of all if none is.
    fn halve(&mut self) {
        let before = self.bytes;
        let mut dropped = self.halve_beyond(FEW);
        if dropped.is_empty() && self.bytes == before {
            dropped = self.halve_beyond(0);
        }
        dropped.iter().for_each(|record| self.release(record));
    }

    fn halve_beyond(&mut self, few: usize) -> Vec<Record> {
        let mut dropped = vec![];
        for (collection, list) in &mut self.lists {
            if list.len() > few {
                dropped.extend(list.drain(..list.len().div_ceil(2)));
                self.lost.insert(*collection);
            }
        }
        for cell in self.cells.values_mut() {
            let weight = cell.weight();
            dropped.extend(cell.halve(few));
            self.bytes = self.bytes.saturating_sub(weight.saturating_sub(cell.weight()));
        }
        dropped
    }

    /// Why a list may have had others before.
    pub(super) fn front_of_list(&self, collection: Collection) -> Option<Reasons> {
        if self.lost.contains(&collection) {
            Some(forgotten())
        } else {
            self.front.clone()
        }
    }

    /// Why what a query keeps may have had others before.
    pub(super) fn front_of_cell(&self, query: QueryId) -> Option<Reasons> {
        let lost = self.cells.get(&query).is_some_and(Cell::has_lost);
        if lost {
            Some(forgotten())
        } else {
            self.front.clone()
        }
    }
}

fn forgotten() -> Reasons {
    Reason::Limit("history-limit").into()
}

/// What is no longer than this is kept whole at the limit: a handshake and a catalogue are needed to the end.
const FEW: usize = 64;

impl World {
    /// Keeps the limit on history.
    pub(crate) fn bound(&mut self, current: Ordinal) {
        if self.instances.bytes() > self.limits.bytes {
            self.forgotten += self.instances.shrink(self.limits.bytes, current);
        }
    }
}

/// About how many bytes a kept record takes besides its document.
const OWN: usize = 500;

/// The document that a record holds, by its address, and its size. Entries of one listing share theirs.
fn document(record: &Record) -> Option<(usize, usize)> {
    let of = |json: &Json| (Arc::as_ptr(json.document()) as usize, json.document().size());
    match record {
        Record::Message(m) => Some(of(&m.message.json)),
        Record::Entry(e) => Some(of(&e.json)),
        Record::Listing(l) => l.entries.first().map(of),
        Record::Frame(f) => f.json.as_ref().map(of),
        Record::Exchange(_) | Record::Session(_) => None,
    }
}

/// The session of a record.
pub(super) fn session_of(record: &Record) -> Option<&Arc<Session>> {
    match record {
        Record::Session(session) => Some(session),
        other => other.common().map(|common| &common.session),
    }
}

/// Whether a record is of a process whose start is recorded.
fn in_process(record: &Record) -> bool {
    key(record, Key::Process).known().is_some()
}

/// A scope key of a record; the session's is its name.
pub(super) fn key(record: &Record, key: Key) -> Fact<Arc<str>> {
    let session = match record {
        Record::Session(session) => return session_key(session, key),
        other => other.common(),
    };
    let Some(common) = session else {
        return Fact::Missing;
    };
    match key {
        Key::Session => Fact::Is(Arc::clone(&common.session.key)),
        Key::Recording => Fact::Is(Arc::clone(&common.keys.recording)),
        Key::Process => common.keys.process.clone(),
        Key::Connection => common.keys.connection.clone(),
        Key::Origin => common.keys.origin.clone(),
        Key::Principal => common.keys.principal.clone(),
        Key::Leg => common.keys.leg.clone(),
        Key::Identity => identity(record),
        Key::Stream => match record {
            Record::Exchange(e) => Fact::Is(e.number.to_string().into()),
            Record::Message(m) => carrier(&m.message.exchange),
            Record::Frame(f) => carrier(&f.exchange),
            Record::Listing(l) => catalogue(l),
            Record::Entry(e) => catalogue(&e.listing),
            Record::Session(_) => Fact::Missing,
        },
    }
}

fn carrier(exchange: &Fact<Arc<Exchange>>) -> Fact<Arc<str>> {
    match exchange {
        Fact::Is(e) => Fact::Is(e.number.to_string().into()),
        Fact::Missing => Fact::Missing,
        Fact::Unknown(reasons) => Fact::Unknown(reasons.clone()),
    }
}

/// A catalogue came with the answer that completed it.
fn catalogue(listing: &Listing) -> Fact<Arc<str>> {
    let response = listing.response.as_ref();
    response.map_or(Fact::Missing, |response| carrier(&response.message.exchange))
}

fn session_key(session: &Session, key: Key) -> Fact<Arc<str>> {
    match key {
        Key::Session => Fact::Is(Arc::clone(&session.key)),
        other => Fact::Unknown(Reason::Key(other.word()).into()),
    }
}

/// Whether a record is an element of a collection.
pub(super) fn belongs(record: &Record, collection: Collection) -> bool {
    match collection {
        Collection::Of(subject) => record.subject().is_a(subject),
        Collection::Open => record.subject() == Subject::Request,
    }
}

/// The claimed client name and version of a message, as a scope key.
fn identity(record: &Record) -> Fact<Arc<str>> {
    let claim = record.json().and_then(|json| protocol::claimed_client(&json));
    let part = |name| {
        claim
            .as_ref()
            .and_then(|c| c.member(name))
            .map_or(String::new(), |v| v.to_text())
    };
    if claim.is_none() {
        return Fact::Unknown(Reason::Key(Key::Identity.word()).into());
    }
    Fact::Is(format!("{} {}", part("name"), part("version")).into())
}
