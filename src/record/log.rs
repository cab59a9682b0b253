//! The file that is written: one JSON object a line, each written at once.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitStatus;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::lines::Line;
use super::redact::Redact;
use crate::diagnostic::Diagnostic;
use crate::json::quote;
use crate::model::ops;
use crate::model::value::Value;

/// Tells people that something went wrong while traffic goes on.
pub(crate) type Warn = Box<dyn Fn(Diagnostic) + Send>;

/// A recording that is being written.
pub(crate) struct Log {
    file: File,
    name: String,
    /// The process that is recorded: several may write into one file.
    session: String,
    number: u64,
    redact: Redact,
    warn: Warn,
    /// The file does not take what is written.
    broken: bool,
}

/// A stream of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// To its standard input.
    ToServer,
    /// From its standard output.
    ToClient,
    /// From its standard error.
    Errors,
}

impl Stream {
    fn word(self) -> &'static str {
        match self {
            Stream::ToServer => "c2s",
            Stream::ToClient => "s2c",
            Stream::Errors => "stderr",
        }
    }
}

impl Log {
    /// Opens a file, which keeps what it holds: a server is often started again by the same command. Only its owner may
    /// read one that is made.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub(crate) fn open(path: &Path, redact: Redact, warn: Warn) -> io::Result<Log> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let started = now().div_euclid(1_000_000);
        let mut log = Log {
            file: options.open(path)?,
            name: path.display().to_string(),
            session: format!("{}-{started}", std::process::id()),
            number: 0,
            redact,
            warn,
            broken: false,
        };
        let header = log.header();
        log.append(&header);
        Ok(log)
    }

    fn header(&self) -> String {
        let mut out =
            String::from(r#"{"format":"wirelint-recording","version":1,"transport":"stdio","recorder":"#);
        quote(concat!("wirelint ", env!("CARGO_PKG_VERSION")), &mut out);
        out.push_str("}\n");
        out
    }

    /// The process starts.
    pub(super) fn start(&mut self, command: &[OsString]) {
        let mut members = String::from(r#""command":["#);
        for (i, word) in command.iter().enumerate() {
            members.push_str(if i > 0 { "," } else { "" });
            quote(&self.redact.text(&word.to_string_lossy()), &mut members);
        }
        members.push(']');
        self.write("meta", &members);
    }

    /// A line passes.
    pub(super) fn line(&mut self, stream: Stream, line: Line) {
        let mut members = format!(r#""dir":"{}","text":"#, stream.word());
        match std::str::from_utf8(line.bytes) {
            Ok(text) => quote(&self.redact.line(text), &mut members),
            Err(_) => {
                let text = String::from_utf8_lossy(line.bytes);
                quote(&self.redact.line(&text), &mut members);
                if !self.redact.is_active() {
                    let _ = write!(members, r#","base64":"{}""#, STANDARD.encode(line.bytes));
                } else {
                    members.push_str(r#","base64":"""#);
                }
            }
        }
        if line.cut {
            members.push_str(r#","truncated":true"#);
        }
        if !line.ended {
            members.push_str(r#","eol":false"#);
        }
        self.write("line", &members);
    }

    /// A stream ends.
    pub(super) fn end(&mut self, stream: Stream) {
        self.write("eof", &format!(r#""dir":"{}""#, stream.word()));
    }

    /// The process ended.
    pub(super) fn exit(&mut self, status: ExitStatus) {
        let code = status
            .code()
            .map_or_else(|| "null".to_owned(), |code| code.to_string());
        let mut members = format!(r#""code":{code}"#);
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            let _ = write!(members, r#","signal":{signal}"#);
        }
        self.write("exit", &members);
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
        let _ = write!(
            out,
            r#"{{"seq":{},"ts":"{time}","session":"{}","kind":"{kind}""#,
            self.number, self.session
        );
        self.number += 1;
        if !members.is_empty() {
            out.push(',');
            out.push_str(members);
        }
        out.push_str("}\n");
    }
}

/// Nanoseconds since 1970, in whole microseconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros())
        .unwrap_or(i64::MAX / 1000)
        .saturating_mul(1000)
}
