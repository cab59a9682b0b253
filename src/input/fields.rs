//! The members of a record, borrowed from its text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::scan;
use crate::json::{self, Demand, Fault};

/// Why a record has no members.
#[derive(Debug)]
pub(super) enum NoFields {
    /// It is not JSON.
    NotJson(Fault),
    /// It is JSON, but no object.
    NotObject,
}

/// The texts of the members of these names, each as it stands; of a repeated name the last. `null` is as good as none.
pub(super) fn fields<'a, const N: usize>(
    text: &'a str,
    names: &'static [&'static str; N],
) -> Result<[Option<&'a str>; N], NoFields> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = (&mut reader).deserialize_map(Members(names));
    match read.and_then(|found| reader.end().map(|()| found)) {
        Ok(found) => Ok(found.map(|raw| raw.map(RawValue::get).filter(|raw| *raw != "null"))),
        Err(_) => Err(match json::decode(text, &Demand::shallow(), None) {
            Err(fault) => NoFields::NotJson(fault),
            Ok(_) => NoFields::NotObject,
        }),
    }
}

struct Members<const N: usize>(&'static [&'static str; N]);

impl<'de, const N: usize> Visitor<'de> for Members<N> {
    type Value = [Option<&'de RawValue>; N];

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut found = [None; N];
        while let Some(slot) = object.next_key_seed(Slot(self.0))? {
            match slot {
                Some(slot) => found[slot] = Some(object.next_value()?),
                None => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

struct Slot(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Slot {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Slot {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}

/// The text that a member holds, if it holds one.
pub(super) fn text(raw: &str) -> Option<Cow<'_, str>> {
    raw.starts_with('"').then(|| scan::unescape(raw))
}

/// The text that a member holds; a number is taken as it is written.
pub(super) fn word(raw: &str) -> Option<Cow<'_, str>> {
    match raw.as_bytes().first()? {
        b'"' => Some(scan::unescape(raw)),
        b'-' | b'0'..=b'9' => Some(Cow::Borrowed(raw)),
        _ => None,
    }
}
