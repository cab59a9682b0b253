//! Sessions by key.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::input::event::{Side, Transport};
use crate::model::record::{Derived, Fact, Ordinal, Session};

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

    /// All sessions, in the order of their beginnings.
    pub(super) fn all(&self) -> Vec<Arc<Session>> {
        let mut all: Vec<Arc<Session>> = self.open.values().cloned().collect();
        all.sort_by_key(|session| session.ordinal);
        all
    }
}
