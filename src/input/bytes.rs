//! The bytes of a recording: those of a file, a copy of what can be read only once, or what a compressed file holds.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::block::Limits;
use super::head::Head;
use super::recording::unreadable;
use super::store::Store;
use super::unpack::{self, Damage, Unpacker};
use crate::diagnostic::Diagnostic;

/// The bytes of a recording.
pub(super) struct Bytes {
    pub(super) store: Store,
    /// Why they end too early.
    pub(super) damage: Option<Damage>,
}

impl From<Store> for Bytes {
    fn from(store: Store) -> Bytes {
        Bytes { store, damage: None }
    }
}

impl Bytes {
    /// Of a file, and whether they were unpacked from it.
    pub(super) fn of_file(name: &str, path: &Path, limits: Limits) -> Result<(Bytes, bool), Diagnostic> {
        let peeked = File::open(path).and_then(unpack::peek);
        let (packing, from) = peeked.map_err(|error| unreadable(name, &error))?;
        Ok(match packing {
            Some(packing) => (Bytes::unpacked(name, Unpacker::new(packing, from), limits)?, true),
            None => (Bytes::from(Store::file(path.to_owned())), false),
        })
    }

    /// Of what can be read only once.
    pub(super) fn copied(name: &str, from: impl Read, limits: Limits) -> Result<Bytes, Diagnostic> {
        let (packing, from) = unpack::peek(from).map_err(|error| unreadable(name, &error))?;
        match packing {
            Some(packing) => Bytes::unpacked(name, Unpacker::new(packing, from), limits),
            None => match Store::spool(from, u64::MAX) {
                Ok((store, _)) => Ok(Bytes::from(store)),
                Err(error) => Err(unreadable(name, &error)),
            },
        }
    }

    fn unpacked(name: &str, mut from: Unpacker<impl Read>, limits: Limits) -> Result<Bytes, Diagnostic> {
        let limit = limits.unpacked;
        let (store, length) = Store::spool(&mut from, limit).map_err(|error| unreadable(name, &error))?;
        if length > limit {
            let message = format!("`{name}` cannot be read: unpacked it is longer than {limit} bytes");
            let error = Diagnostic::error("too-long", message);
            return Err(error.help("raise the limit with `--max-unpacked`"));
        }
        match from.damage() {
            Some(damage) if length == 0 => Err(nothing_in(name, damage)),
            damage => Ok(Bytes { store, damage }),
        }
    }
}

/// The beginning of a file, of what it holds if it is compressed; else why there is nothing to be had of it.
pub(super) fn head(path: &Path) -> io::Result<Result<Head, Damage>> {
    let (packing, mut from) = unpack::peek(File::open(path)?)?;
    let Some(packing) = packing else {
        return Head::read(&mut from).map(Ok);
    };
    let mut from = Unpacker::new(packing, from);
    let head = Head::read(&mut from)?;
    Ok(match from.damage() {
        Some(damage) if head.bytes().is_empty() => Err(damage),
        _ => Ok(head),
    })
}

/// Of a compressed file from which nothing could be unpacked.
pub(super) fn nothing_in(name: &str, damage: Damage) -> Diagnostic {
    Diagnostic::error("unreadable", format!("`{name}` cannot be read: {}", damage.what)).help(damage.alone)
}
