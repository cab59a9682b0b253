//! The file that is written: one JSON object a line, each written at once.

mod exchanges;
mod process;

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub(super) use self::exchanges::{Body, Side};
pub(super) use self::process::Stream;
use super::redact::Redact;
use crate::diagnostic::Diagnostic;
use crate::input::unpack::is_packed;
use crate::json::quote;
use crate::model::ops;
use crate::model::value::Value;

/// Tells people that something went wrong while traffic goes on.
pub(crate) type Warn = Box<dyn Fn(Diagnostic) + Send>;

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    /// The streams of a process.
    Stdio,
    /// HTTP exchanges.
    Http,
}

/// A recording that is being written.
pub(crate) struct Log {
    file: File,
    begins_at: u64,
    name: String,
    wire: Wire,
    /// The process that is recorded: several may write into one file. Of HTTP the headers say what belongs together.
    session: Option<String>,
    number: u64,
    redact: Redact,
    warn: Warn,
    /// The file does not take what is written.
    broken: bool,
}

impl Log {
    /// Opens a file, which keeps what it holds: a server is often started again by the same command. Only its owner may
    /// read one that is made.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or what it holds is compressed: text behind it could not be read again.
    pub(crate) fn open(path: &Path, wire: Wire, redact: Redact, warn: Warn) -> io::Result<Log> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let started = now().div_euclid(1_000_000);
        let file = options.open(path)?;
        let is_open = file.metadata()?.is_file() && ends_within_line(path)?;
        let mut log = Log {
            begins_at: file.metadata().map_or(0, |file| file.len()),
            file,
            name: path.display().to_string(),
            session: (wire == Wire::Stdio).then(|| format!("{}-{started}", std::process::id())),
            wire,
            number: 0,
            redact,
            warn,
            broken: false,
        };
        let mut header = log.header();
        if is_open {
            header.insert(0, '\n');
        }
        log.append(&header);
        Ok(log)
    }

    fn header(&self) -> String {
        let wire = match self.wire {
            Wire::Stdio => "stdio",
            Wire::Http => "http",
        };
        let mut out =
            format!(r#"{{"format":"wirelint-recording","version":1,"transport":"{wire}","recorder":"#);
        quote(concat!("wirelint ", env!("CARGO_PKG_VERSION")), &mut out);
        out.push_str("}\n");
        out
    }

    /// How long the file was before, in bytes.
    pub(super) fn begins_at(&self) -> u64 {
        self.begins_at
    }

    /// What passes from here on, or passed here, is not recorded.
    pub(super) fn gap(&mut self) {
        self.write("gap", "");
    }

    /// Tells people.
    pub(super) fn warn(&self, diagnostic: Diagnostic) {
        (self.warn)(diagnostic);
    }

    /// The bytes of a text that is none.
    fn base64(&self, bytes: &[u8], members: &mut String) {
        // What was to be left out would stand in them.
        let hidden = self.redact.is_active();
        let encoded = if hidden {
            String::new()
        } else {
            STANDARD.encode(bytes)
        };
        let _ = write!(members, r#","base64":"{encoded}""#);
    }

    fn write(&mut self, kind: &str, members: &str) {
        let mut record = String::with_capacity(members.len() + 100);
        if self.broken {
            // What was written last may be half a line, and the first line may be missing.
            record.push('\n');
            record.push_str(&self.header());
            self.push(&mut record, "gap", "");
        }
        self.push(&mut record, kind, members);
        self.append(&record);
    }

    fn append(&mut self, record: &str) {
        match self.file.write_all(record.as_bytes()) {
            Ok(()) => self.broken = false,
            Err(error) => {
                if !self.broken {
                    let message = format!("`{}` does not take what passes: {error}", self.name);
                    (self.warn)(
                        Diagnostic::warning("not-recorded", message)
                            .help("the traffic goes on; the recording will say that something is missing"),
                    );
                }
                self.broken = true;
            }
        }
    }

    fn push(&mut self, out: &mut String, kind: &str, members: &str) {
        let time = ops::show(&Value::Time(now()));
        let _ = write!(out, r#"{{"seq":{},"ts":"{time}""#, self.number);
        if let Some(session) = &self.session {
            let _ = write!(out, r#","session":"{session}""#);
        }
        let _ = write!(out, r#","kind":"{kind}""#);
        self.number += 1;
        if !members.is_empty() {
            out.push(',');
            out.push_str(members);
        }
        out.push_str("}\n");
    }
}

/// Whether a file ends within a line, as one does whose writer was stopped; fails for one that is compressed.
fn ends_within_line(path: &Path) -> io::Result<bool> {
    // One may be written that may not be read.
    let Ok(mut file) = File::open(path) else {
        return Ok(false);
    };
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(4).read_to_end(&mut head)?;
    if head.is_empty() {
        return Ok(false);
    }
    if is_packed(&head) {
        return Err(io::Error::other(
            "it is compressed, and nothing can be written behind that",
        ));
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Nanoseconds since 1970, in whole microseconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros())
        .unwrap_or(i64::MAX / 1000)
        .saturating_mul(1000)
}
