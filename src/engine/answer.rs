//! What an expression says of each record: `wirelint query`.

use std::collections::{BTreeMap, HashMap};

use crate::model::ops;
use crate::model::record::{Ordinal, Record};
use crate::model::value::Value;
use crate::place::Place;

/// So many elements of a list have their places said.
const PLACES: usize = 1000;

/// What an expression says of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The word for the record: `request`.
    pub subject: &'static str,
    /// What is said.
    pub said: Said,
    /// Where the value stands, or its elements, or else the record.
    pub places: Vec<Place>,
}

/// What is said of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A value, as compact JSON. Of a list, or of something in it, it may not be known whether that is all of it, or whether an
    /// element is one: why, in words.
    Value(String, Option<String>),
    /// There is none.
    Missing,
    /// The recording cannot show it: why, in words.
    Unknown(String),
}

/// Answers while a recording is read, by where they belong.
#[derive(Debug, Default)]
pub(super) struct Answers<K> {
    found: BTreeMap<K, (Record, Value)>,
    /// Where sessions begin: they stand nowhere themselves.
    sessions: HashMap<Ordinal, Place>,
}

impl<K: Ord> Answers<K> {
    pub(super) fn new() -> Self {
        Answers {
            found: BTreeMap::new(),
            sessions: HashMap::new(),
        }
    }

    /// A record passes.
    pub(super) fn pass(&mut self, record: &Record) {
        if let Some(common) = record.common()
            && !self.sessions.contains_key(&common.session.ordinal)
            && let Some(place) = record.place()
        {
            self.sessions.insert(common.session.ordinal, place);
        }
    }

    pub(super) fn insert(&mut self, at: K, record: Record, value: Value) {
        self.found.insert(at, (record, value));
    }

    /// All answers, in order, once all is known of the records in them.
    pub(super) fn finish(self) -> Vec<Answer> {
        let Answers { found, sessions } = self;
        let answers = found.into_values();
        answers
            .map(|(record, value)| Answer::new(&record, &value, &sessions))
            .collect()
    }
}

impl Answer {
    fn new(record: &Record, value: &Value, sessions: &HashMap<Ordinal, Place>) -> Answer {
        let place = |record: &Record| match record {
            Record::Session(session) => sessions.get(&session.ordinal).cloned(),
            other => other.place(),
        };
        let place_of = |value: &Value| match value {
            Value::Record(seen) => place(seen),
            other => other.place(),
        };
        let said = match value {
            Value::Missing => Said::Missing,
            Value::Unknown(reasons) => {
                let first = reasons.first().map(ToString::to_string);
                Said::Unknown(first.unwrap_or_default())
            }
            value => {
                let doubt = ops::hidden(value).and_then(|reasons| reasons.first().map(ToString::to_string));
                Said::Value(ops::export(value), doubt)
            }
        };
        let mut places: Vec<Place> = match value {
            Value::List(list) => {
                let places = list.items.iter().filter_map(|item| place_of(&item.value));
                places.take(PLACES).collect()
            }
            value => place_of(value).into_iter().collect(),
        };
        if places.is_empty() {
            places.extend(place(record));
        }
        Answer {
            subject: record.subject().word(),
            said,
            places,
        }
    }
}
