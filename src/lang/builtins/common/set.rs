//! Sets of values that are equal as `==` says.

use std::collections::HashMap;

use crate::model::ops::{equal, hash};
use crate::model::value::{Truth, Value};

/// A set of values that are known in all their parts.
#[derive(Debug, Default)]
pub struct Set {
    buckets: HashMap<u64, Vec<Value>>,
}

impl Set {
    /// Adds a value; false if an equal one was there.
    pub fn insert(&mut self, value: &Value) -> bool {
        let bucket = self.buckets.entry(hash(value)).or_default();
        let new = !holds(bucket, value);
        if new {
            bucket.push(value.clone());
        }
        new
    }

    /// Whether an equal value is there.
    pub fn contains(&self, value: &Value) -> bool {
        self.buckets
            .get(&hash(value))
            .is_some_and(|bucket| holds(bucket, value))
    }
}

impl<'v> FromIterator<&'v Value> for Set {
    fn from_iter<I: IntoIterator<Item = &'v Value>>(values: I) -> Set {
        let mut set = Set::default();
        for value in values {
            set.insert(value);
        }
        set
    }
}

fn holds(bucket: &[Value], value: &Value) -> bool {
    bucket.iter().any(|other| equal(other, value) == Truth::True)
}
