//! The members of a record, borrowed from its text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::scan;
use crate::json::{self, Builder, Demand, Fault};

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

/// The members of a record, of which one has been read in the same pass.
pub(super) struct Read<'a, const N: usize> {
    /// As of [`fields`].
    pub(super) found: [Option<&'a str>; N],
    /// What was demanded of the last of the first `trees` members that is an object or list, and which one it is.
    pub(super) tree: Option<(usize, Builder)>,
}

/// As [`fields`], but the first `trees` names are those of members that are to be read if they are objects or lists.
/// `None` if that is not possible in one pass, for whatever reason.
pub(super) fn read_fields<'a, const N: usize>(
    text: &'a str,
    names: &'static [&'static str; N],
    trees: usize,
    demand: &Demand,
) -> Option<Read<'a, N>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let members = Trees {
        text,
        names,
        trees,
        demand,
    };
    let mut read = (&mut reader).deserialize_map(members).ok()?;
    reader.end().ok()?;
    for found in &mut read.found {
        *found = found.filter(|raw| *raw != "null");
    }
    Some(read)
}

struct Trees<'a, 'd, const N: usize> {
    text: &'a str,
    names: &'static [&'static str; N],
    trees: usize,
    demand: &'d Demand,
}

impl<'de, const N: usize> Visitor<'de> for Trees<'de, '_, N> {
    type Value = Read<'de, N>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut read = Read {
            found: [None; N],
            tree: None,
        };
        // A value that is read in the middle does not tell where it ends; the name that follows it does.
        let mut open: Option<(usize, usize)> = None;
        while let Some(name) = object.next_key::<&'de str>()? {
            let at = (name.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
            if let Some((slot, start)) = open.take() {
                let before = self
                    .text
                    .get(start..at.saturating_sub(1))
                    .unwrap_or("")
                    .trim_end();
                read.found[slot] = Some(before.strip_suffix(',').unwrap_or(before).trim_end());
            }
            let Some(slot) = self.names.iter().position(|known| *known == name) else {
                object.next_value::<IgnoredAny>()?;
                continue;
            };
            // Behind the name come its quote, a colon and the value.
            let bytes = self.text.as_bytes();
            let start = scan::skip_space(bytes, scan::skip_space(bytes, at + name.len() + 1) + 1);
            if slot < self.trees && matches!(bytes.get(start), Some(b'{' | b'[')) {
                let mut tree = Builder::new();
                object.next_value_seed(json::Seed::new(self.text, self.demand, &mut tree))?;
                read.tree = Some((slot, tree));
                open = Some((slot, start));
            } else {
                read.found[slot] = Some(object.next_value::<&RawValue>()?.get());
                // Of a repeated name the last counts.
                read.tree.take_if(|(tree, _)| *tree == slot);
            }
        }
        if let Some((slot, start)) = open {
            let before = self.text.get(start..).unwrap_or("").trim_end();
            read.found[slot] = Some(before.strip_suffix('}').unwrap_or(before).trim_end());
        }
        Ok(read)
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
