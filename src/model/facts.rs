//! Facts of records: what is known of them, what they share, and what the engine found out about them.

use std::sync::{Arc, Mutex, PoisonError};

use super::unknown::Reasons;
use super::value::{Truth, Value};
use crate::place::Place;

/// A fact that is there, is not there, or is not recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact<T> {
    /// It is there.
    Is(T),
    /// The recording shows that it is not there.
    Missing,
    /// The recording cannot show it.
    Unknown(Reasons),
}

impl<T> Fact<T> {
    /// The fact, if it is there.
    pub fn known(&self) -> Option<&T> {
        if let Fact::Is(value) = self {
            Some(value)
        } else {
            None
        }
    }
}

/// The scope keys that records share with many others. The session's is the session's; `stream` and `identity` are read
/// off the record itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// The recording.
    pub recording: Arc<str>,
    /// The process.
    pub process: Fact<Arc<str>>,
    /// The connection.
    pub connection: Fact<Arc<str>>,
    /// Scheme, host, port and path; the command; the recording.
    pub origin: Fact<Arc<str>>,
    /// A fingerprint of the credential; missing without one.
    pub principal: Fact<Arc<str>>,
    /// The side of a hop.
    pub leg: Fact<Arc<str>>,
}

/// What the engine found out about a record at its place: derived attributes that look back, and the verdicts of rules
/// that others ask for. There are few of them, so they stand in a list.
#[derive(Debug, Default)]
pub struct Derived {
    values: Mutex<Vec<(usize, Value)>>,
    verdicts: Mutex<Vec<(usize, Verdict)>>,
}

/// How a rule judged a record, kept for those that ask with `fails`.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Whether it failed.
    pub failed: Truth,
    /// Its primary label, if it failed and has one.
    pub label: Option<(Place, Option<String>)>,
}

impl Derived {
    /// The value of a derived attribute, if it is kept here: because it can be found out at the place of the record only,
    /// or because others ask for it often.
    pub fn value(&self, number: usize) -> Option<Value> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values
            .iter()
            .find(|(of, _)| *of == number)
            .map(|(_, value)| value.clone())
    }

    /// Keeps the value of such an attribute.
    pub fn set_value(&self, number: usize, value: Value) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if !values.iter().any(|(of, _)| *of == number) {
            values.push((number, value));
        }
    }

    /// The verdict of a premise, if it has fallen.
    pub fn verdict(&self, number: usize) -> Option<Verdict> {
        let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts
            .iter()
            .find(|(of, _)| *of == number)
            .map(|(_, verdict)| verdict.clone())
    }

    /// Keeps the verdict of a premise.
    pub fn set_verdict(&self, number: usize, verdict: Verdict) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        if !verdicts.iter().any(|(of, _)| *of == number) {
            verdicts.push((number, verdict));
        }
    }
}
