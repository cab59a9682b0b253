//! A recording that is read block by block.

mod live;

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::block::{Block, Decoder, Limits};
use super::bytes::{self, Bytes};
use super::formats::{self, Evidence, InputFormat, Unfit, Unit};
use super::head::Head;
use super::store::{Store, StoreReader, append, some};
use super::unpack::Damage;
use crate::diagnostic::Diagnostic;
use crate::place::RecordId;

/// Where a recording comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("<stdin>"),
            Input::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// An open recording. [`next_block`](Self::next_block) reads; the blocks are decoded by its [`Decoder`], in any order.
pub struct Recording {
    name: String,
    file: u32,
    decoder: Decoder,
    store: Store,
    reader: StoreReader,
    /// Read, but not yet given out.
    carry: Vec<u8>,
    /// It is still being written: what is there is not waited with for more.
    live: bool,
    offset: u64,
    line: u32,
    done: bool,
    /// Its bytes were unpacked from a file.
    unpacked: bool,
    /// Why the end is not the end.
    damage: Option<Damage>,
    /// What is odd about its format.
    unfit: Option<Unfit>,
}

impl Recording {
    /// Opens a recording, which is number `file` of the run, and recognises its format by its content; what is compressed
    /// is unpacked.
    pub fn open(input: &Input, file: u32, limits: Limits) -> Result<Recording, Diagnostic> {
        Recording::open_as(input, file, limits, None)
    }

    /// The same of a recording that is to be read as a format, whatever it looks like.
    pub fn open_as(
        input: &Input,
        file: u32,
        limits: Limits,
        format: Option<InputFormat>,
    ) -> Result<Recording, Diagnostic> {
        let name = input.to_string();
        let (bytes, unpacked) = match input {
            Input::Stdin => (Bytes::copied(&name, io::stdin().lock(), limits)?, false),
            // What is no file, such as the pipe of the shell's `<(…)`, can be read only once.
            Input::File(path) if is_pipe(path) => {
                let from = File::open(path).map_err(|error| unreadable(&name, &error))?;
                (Bytes::copied(&name, from, limits)?, false)
            }
            Input::File(path) => Bytes::of_file(&name, path, limits)?,
        };
        let recording = Recording::of(name, bytes, file, limits, format)?;
        Ok(Recording {
            unpacked,
            ..recording
        })
    }

    /// Takes a recording from anything that can be read, such as standard input; it is copied to a temporary file.
    pub fn from_reader(
        name: &str,
        from: impl io::Read,
        file: u32,
        limits: Limits,
    ) -> Result<Recording, Diagnostic> {
        Recording::of(
            name.to_owned(),
            Bytes::copied(name, from, limits)?,
            file,
            limits,
            None,
        )
    }

    fn of(
        name: String,
        bytes: Bytes,
        file: u32,
        limits: Limits,
        format: Option<InputFormat>,
    ) -> Result<Recording, Diagnostic> {
        let Bytes { store, damage } = bytes;
        let head = store.reader().and_then(Head::read);
        let head = head.map_err(|error| unreadable(&name, &error))?;
        let (format, unfit) = match format {
            Some(format) => formats::forced(&name, &head, format)?,
            None => (formats::recognise(&name, &head)?, None),
        };
        let reader = store.reader().map_err(|error| unreadable(&name, &error))?;
        Ok(Recording {
            name,
            file,
            decoder: Decoder { format, limits },
            store,
            reader,
            carry: Vec::new(),
            live: false,
            offset: 0,
            line: 1,
            done: false,
            unpacked: false,
            damage,
            unfit,
        })
    }

    /// As the user knows it: a path, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The short name of its format, such as `http-log`.
    pub fn format(&self) -> &'static str {
        self.decoder.format.name()
    }

    /// Its format.
    pub fn input_format(&self) -> InputFormat {
        InputFormat(self.decoder.format)
    }

    /// What its format can show at most; single records may show less.
    pub fn evidence(&self) -> &'static [Evidence] {
        self.decoder.format.evidence()
    }

    /// Decodes its blocks; may be sent to other threads.
    pub fn decoder(&self) -> Decoder {
        self.decoder
    }

    /// Its bytes, for reports; outlives the recording.
    pub fn store(&self) -> Store {
        self.store.clone()
    }

    /// Whether its bytes were unpacked from a file, so that they need not be kept: they can be had again.
    pub fn is_unpacked(&self) -> bool {
        self.unpacked
    }

    /// The bytes of one of its records.
    pub fn read_record(&self, record: RecordId) -> Result<Vec<u8>, Diagnostic> {
        self.store
            .read_record(record)
            .map_err(|error| unreadable(&self.name, &error))
    }

    /// The next block; `None` at the end. There is at least one, even of an empty file.
    pub fn next_block(&mut self) -> Result<Option<Block>, Diagnostic> {
        if self.done {
            // Only if the last record was not to be read.
            let rest = self.damage.is_some().then(|| self.block(vec![]));
            return Ok(rest);
        }
        let block = match self.decoder.format.unit() {
            Unit::Lines => self.next_lines(),
            Unit::Document => self.document().map(Some),
        };
        block.map_err(|error| unreadable(&self.name, &error))
    }

    fn document(&mut self) -> io::Result<Block> {
        let limit = self.decoder.limits.document;
        let mut bytes = std::mem::take(&mut self.carry);
        let missing = limit.saturating_add(1).saturating_sub(bytes.len());
        append(&mut self.reader, missing, &mut bytes)?;
        self.done = true;
        if bytes.len() > limit {
            return Ok(self.too_long(bytes.len() as u64));
        }
        Ok(self.block(bytes))
    }

    fn next_lines(&mut self) -> io::Result<Option<Block>> {
        let limits = self.decoder.limits;
        let mut bytes = std::mem::take(&mut self.carry);
        let mut size = limits.block.max(1);
        loop {
            if self.live
                && let Some(end) = bytes.iter().rposition(|b| *b == b'\n')
            {
                self.carry = bytes.split_off(end + 1);
                return Ok(Some(self.block(bytes)));
            }
            let missing = size.saturating_sub(bytes.len());
            let searched = bytes.len();
            self.done = if self.live {
                some(&mut self.reader, &mut bytes)? == 0
            } else {
                append(&mut self.reader, missing, &mut bytes)? < missing
            };
            if self.done {
                let some = !bytes.is_empty() || self.offset == 0 || self.damage.is_some();
                return Ok(some.then(|| self.block(bytes)));
            }
            let found = bytes[searched..].iter().rposition(|b| *b == b'\n');
            // Only what was carried over may lie before, and it holds a line end only after an overlong line.
            let found = found
                .map(|at| searched + at)
                .or_else(|| bytes[..searched].iter().rposition(|b| *b == b'\n'));
            if let Some(end) = found {
                self.carry = bytes.split_off(end + 1);
                return Ok(Some(self.block(bytes)));
            }
            if bytes.len() > limits.line {
                return self.skip_line(bytes.len() as u64).map(Some);
            }
            size = bytes.len().saturating_mul(2);
        }
    }

    /// Goes on after the line of which `length` bytes are read.
    fn skip_line(&mut self, mut length: u64) -> io::Result<Block> {
        let mut bytes = Vec::new();
        let size = self.decoder.limits.block.max(1);
        loop {
            bytes.clear();
            self.done = append(&mut self.reader, size, &mut bytes)? < size;
            let end = bytes.iter().position(|b| *b == b'\n');
            if let Some(end) = end {
                self.carry = bytes.split_off(end + 1);
            }
            length += end.unwrap_or(bytes.len()) as u64;
            // What is carried is still to be given out, even if nothing more can be read.
            if end.is_some() || self.done {
                self.done &= self.carry.is_empty();
                let block = self.too_long(length);
                self.offset += length + u64::from(end.is_some());
                self.line = self.line.saturating_add(1);
                return Ok(block);
            }
        }
    }

    fn block(&mut self, bytes: Vec<u8>) -> Block {
        let block = Block {
            file: self.file,
            offset: self.offset,
            line: self.line,
            last: self.done,
            too_long: None,
            damage: self.damage.take_if(|_| self.done),
            unfit: self.unfit.take(),
            bytes,
        };
        let lines = count_lines(&block.bytes);
        self.offset += block.bytes.len() as u64;
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        block
    }

    fn too_long(&self, length: u64) -> Block {
        Block {
            file: self.file,
            offset: self.offset,
            line: self.line,
            last: self.done,
            bytes: Vec::new(),
            damage: None,
            unfit: None,
            too_long: Some(RecordId {
                file: self.file,
                offset: self.offset,
                length: u32::try_from(length).unwrap_or(u32::MAX),
                line: self.line,
            }),
        }
    }
}

/// How many line ends there are, counted in runs so short that a byte holds the number: many bytes are compared at once.
fn count_lines(bytes: &[u8]) -> usize {
    let run = |run: &[u8]| run.iter().map(|b| u8::from(*b == b'\n')).sum::<u8>();
    bytes.chunks(192).map(|chunk| usize::from(run(chunk))).sum()
}

pub(super) fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error(
        "unreadable",
        format!("`{name}` cannot be read: {}", reason(error)),
    )
}

/// In words that do not name this program's functions.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::StorageFull => {
            "there is no room for a copy of it among the temporary files".to_owned()
        }
        _ => error.to_string(),
    }
}

/// Whether it is there and can be read only once.
pub(super) fn is_pipe(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Why a file is no recording that can be read, if need be as a format; says nothing of pipes, which can be read only once.
pub(super) fn refusal(path: &Path, format: Option<InputFormat>) -> Option<Diagnostic> {
    if is_pipe(path) {
        return None;
    }
    let name = path.display().to_string();
    match bytes::head(path) {
        Ok(Ok(head)) => match format {
            Some(format) => formats::forced(&name, &head, format).err(),
            None => formats::recognise(&name, &head).err(),
        },
        Ok(Err(damage)) => Some(bytes::nothing_in(&name, damage)),
        Err(error) => Some(unreadable(&name, &error)),
    }
}
