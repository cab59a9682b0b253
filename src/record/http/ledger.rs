//! The recording that all exchanges write into, each by its number.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::log::Log;
use crate::diagnostic::Diagnostic;

/// A recording of exchanges.
pub(super) struct Ledger(Mutex<Open>);

struct Open {
    log: Log,
    /// The number of the next exchange.
    next: u64,
    /// How many go on.
    open: u64,
    /// The proxy ends: nothing more is written.
    closed: bool,
}

impl Ledger {
    pub(super) fn new(log: Log) -> Ledger {
        Ledger(Mutex::new(Open {
            // Behind what a file holds no number stands again: no record is shorter than a byte.
            next: log.begins_at() + 1,
            log,
            open: 0,
            closed: false,
        }))
    }

    /// An exchange begins. Gives its number.
    pub(super) fn begin(&self) -> u64 {
        let mut ledger = self.lock();
        ledger.open += 1;
        ledger.next += 1;
        ledger.next - 1
    }

    /// Writes something of an exchange.
    pub(super) fn write(&self, write: impl FnOnce(&mut Log)) {
        let mut ledger = self.lock();
        if !ledger.closed {
            write(&mut ledger.log);
        }
    }

    /// An exchange is over.
    pub(super) fn end(&self) {
        self.lock().open -= 1;
    }

    /// The proxy ends. What is open is not recorded to its end.
    pub(super) fn close(&self) {
        let mut ledger = self.lock();
        if ledger.open > 0 && !ledger.closed {
            ledger.log.gap();
        }
        ledger.closed = true;
    }

    /// Tells people.
    pub(super) fn warn(&self, diagnostic: Diagnostic) {
        self.lock().log.warn(diagnostic);
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
