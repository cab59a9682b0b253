//! Where the bytes of a recording lie, so that reports can read them again.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::place::RecordId;

/// How much is taken at a time of what comes.
const CHUNK: usize = 64 << 10;

/// The bytes of a recording: a file, or a copy of what came through standard input.
#[derive(Debug, Clone)]
pub struct Store(Kind);

#[derive(Debug, Clone)]
enum Kind {
    File(PathBuf),
    Spool(Arc<Mutex<File>>),
}

impl Store {
    pub(super) fn file(path: PathBuf) -> Store {
        Store(Kind::File(path))
    }

    /// Copies `from` into a temporary file that vanishes with the last handle on it, and says how long it is. Of what is
    /// longer than `limit` only so much is copied that this is seen.
    pub(super) fn spool(from: impl Read, limit: u64) -> io::Result<(Store, u64)> {
        let mut file = tempfile::tempfile()?;
        let length = io::copy(&mut from.take(limit.saturating_add(1)), &mut file)?;
        Ok((Store(Kind::Spool(Arc::new(Mutex::new(file)))), length))
    }

    /// Keeps what is read from `from` in such a file as well.
    pub(super) fn live(from: Box<dyn Read + Send>) -> io::Result<(Store, StoreReader)> {
        let file = Arc::new(Mutex::new(tempfile::tempfile()?));
        let reader = StoreReader::Live(from, Arc::clone(&file));
        Ok((Store(Kind::Spool(file)), reader))
    }

    /// The bytes of a record, without its line end.
    pub fn read_record(&self, record: RecordId) -> io::Result<Vec<u8>> {
        let from = |file: &mut File| {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(record.offset))?;
            file.take(u64::from(record.length)).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        match &self.0 {
            Kind::File(path) => from(&mut File::open(path)?),
            Kind::Spool(file) => from(&mut file.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// A handle for reading from the beginning.
    pub(super) fn reader(&self) -> io::Result<StoreReader> {
        Ok(match &self.0 {
            Kind::File(path) => StoreReader::File(File::open(path)?),
            Kind::Spool(file) => StoreReader::Spool(Arc::clone(file), 0),
        })
    }
}

/// Reads a store from its beginning.
pub(super) enum StoreReader {
    File(File),
    Spool(Arc<Mutex<File>>, u64),
    /// What comes, and where it is kept.
    Live(Box<dyn Read + Send>, Arc<Mutex<File>>),
}

impl Read for StoreReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            StoreReader::File(file) => file.read(into),
            StoreReader::Spool(file, at) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(*at))?;
                let got = file.read(into)?;
                *at += got as u64;
                Ok(got)
            }
            StoreReader::Live(from, file) => {
                let got = from.read(into)?;
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::End(0))?;
                file.write_all(&into[..got])?;
                Ok(got)
            }
        }
    }
}

/// Appends up to `length` bytes; fewer only at the end.
pub(super) fn append(from: &mut impl Read, length: usize, into: &mut Vec<u8>) -> io::Result<usize> {
    from.take(length as u64).read_to_end(into)
}

/// Appends what is there, and waits only if nothing is; nothing only at the end.
pub(super) fn some(from: &mut impl Read, into: &mut Vec<u8>) -> io::Result<usize> {
    let before = into.len();
    into.resize(before + CHUNK, 0);
    let got = loop {
        match from.read(&mut into[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other,
        }
    };
    into.truncate(before + got.as_ref().map_or(0, |got| *got));
    got
}
