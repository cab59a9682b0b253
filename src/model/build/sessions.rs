//! Sessions by key.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::input::event::Transport;
use crate::model::record::{Derived, Fact, Ordinal, Session};

/// The sessions of a recording. A session costs some hundred bytes and stays known to the end, so that a late message
/// finds it again.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    open: HashMap<Arc<str>, Arc<Session>>,
    process: u32,
    started: bool,
}

impl Sessions {
    pub(super) fn get(&self, key: &str) -> Option<Arc<Session>> {
        self.open.get(key).cloned()
    }

    pub(super) fn open(
        &mut self,
        key: &str,
        ordinal: Ordinal,
        begun: bool,
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

    /// Whether its start is recorded.
    pub(super) fn process_started(&self) -> bool {
        self.started
    }

    pub(super) fn start_process(&mut self) {
        self.process += 1;
        self.started = true;
    }

    /// The session of the process that ended here, if it had any traffic.
    pub(super) fn end_process(&mut self, at: Ordinal) -> Option<Arc<Session>> {
        let session = self.get(&format!("process {}", self.process))?;
        session.ended.set(at).ok().map(|()| session)
    }
}
