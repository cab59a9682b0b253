//! Sessions by key.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::input::event::{Side, Transport};
use crate::model::record::{Derived, Fact, Keys, Ordinal, Session};

/// The sessions of a recording. A session costs some hundred bytes and stays known to the end, so that a late message
/// finds it again.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    open: HashMap<Arc<str>, Arc<Session>>,
    process: u32,
    started: Option<Ordinal>,
    /// Those that live in the current process.
    living: Vec<Arc<Session>>,
    /// The sides whose output has ended.
    silent: Vec<Side>,
    /// What is known of the processes behind the sessions that the recorder names.
    named: HashMap<Arc<str>, Named>,
}

/// The process behind a session that the recorder names. If it is started again, it is another session of that name.
#[derive(Debug, Default)]
struct Named {
    /// How often a session of that name has ended.
    ended: u32,
    /// Where the start of the process is recorded.
    started: Option<Ordinal>,
    keys: Option<Arc<Keys>>,
    /// The sides whose output has ended.
    silent: Vec<Side>,
}

impl Sessions {
    pub(super) fn get(&self, key: &str) -> Option<Arc<Session>> {
        self.open.get(key).cloned()
    }

    pub(super) fn open(
        &mut self,
        key: &str,
        ordinal: Ordinal,
        begun: Option<Ordinal>,
        transport: Fact<Transport>,
    ) -> Arc<Session> {
        let session = Arc::new(Session {
            ordinal,
            key: key.into(),
            begun,
            negotiated: OnceLock::new(),
            spoken: std::sync::Mutex::default(),
            ended: OnceLock::new(),
            transport,
            derived: Derived::default(),
        });
        self.open.insert(Arc::clone(&session.key), Arc::clone(&session));
        session
    }

    /// Number of the current process.
    pub(super) fn process(&self) -> u32 {
        self.process
    }

    /// Where its start is recorded.
    pub(super) fn process_started(&self) -> Option<Ordinal> {
        self.started
    }

    pub(super) fn start_process(&mut self, at: Ordinal) {
        self.started = Some(at);
    }

    /// A session lives in the current process.
    pub(super) fn lives(&mut self, session: &Arc<Session>) {
        if !self.living.iter().any(|known| Arc::ptr_eq(known, session)) {
            self.living.push(Arc::clone(session));
        }
    }

    /// One direction ended; gives whether both have.
    pub(super) fn falls_silent(&mut self, side: Side) -> bool {
        if !self.silent.contains(&side) {
            self.silent.push(side);
        }
        self.silent.len() > 1
    }

    /// The sessions of the process that ended here. What comes next is of another one.
    pub(super) fn end_process(&mut self) -> Vec<Arc<Session>> {
        self.process += 1;
        self.started = None;
        self.silent.clear();
        std::mem::take(&mut self.living)
    }

    /// The key of the session that the recorder calls so now.
    pub(super) fn named_key(&self, id: &str) -> String {
        match self.named.get(id).map_or(0, |named| named.ended) {
            0 => format!("recorder {id}"),
            times => format!("recorder#{times} {id}"),
        }
    }

    /// Where the start of its process is recorded.
    pub(super) fn named_start(&self, id: &str) -> Option<Ordinal> {
        self.named.get(id).and_then(|named| named.started)
    }

    /// The keys of its process, if its start is recorded.
    pub(super) fn named_keys(&self, id: &str) -> Option<Arc<Keys>> {
        self.named.get(id).and_then(|named| named.keys.clone())
    }

    pub(super) fn start_named(&mut self, id: Arc<str>, at: Ordinal, keys: Arc<Keys>) {
        let named = self.named.entry(id).or_default();
        named.started = Some(at);
        named.keys = Some(keys);
    }

    /// One direction of its process ended; gives whether both have.
    pub(super) fn named_falls_silent(&mut self, id: &Arc<str>, side: Side) -> bool {
        let named = self.named.entry(Arc::clone(id)).or_default();
        if !named.silent.contains(&side) {
            named.silent.push(side);
        }
        named.silent.len() > 1
    }

    /// The session whose process ended here, if anything of it was seen. What comes next of that name is another one.
    pub(super) fn end_named(&mut self, id: &Arc<str>) -> Option<Arc<Session>> {
        let session = self.get(&self.named_key(id));
        let named = self.named.entry(Arc::clone(id)).or_default();
        named.ended = named.ended.saturating_add(u32::from(session.is_some()));
        named.started = None;
        named.keys = None;
        named.silent.clear();
        if let Some(session) = &session {
            self.living.retain(|known| !Arc::ptr_eq(known, session));
        }
        session
    }

    /// All sessions, in the order of their beginnings.
    pub(super) fn all(&self) -> Vec<Arc<Session>> {
        let mut all: Vec<Arc<Session>> = self.open.values().cloned().collect();
        all.sort_by_key(|session| session.ordinal);
        all
    }
}
