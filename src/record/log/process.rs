//! What is written of a process.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::process::ExitStatus;

use super::Log;
use crate::json::quote;
use crate::record::lines::Line;

/// A stream of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::record) enum Stream {
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
    /// The process starts.
    pub(in crate::record) fn start(&mut self, command: &[OsString]) {
        let mut members = String::from(r#""command":["#);
        for (i, word) in command.iter().enumerate() {
            members.push_str(if i > 0 { "," } else { "" });
            quote(&self.redact.text(&word.to_string_lossy()), &mut members);
        }
        members.push(']');
        self.write("meta", &members);
    }

    /// A line passes.
    pub(in crate::record) fn line(&mut self, stream: Stream, line: Line) {
        let mut members = format!(r#""dir":"{}","text":"#, stream.word());
        match std::str::from_utf8(line.bytes) {
            Ok(text) => quote(&self.redact.line(text), &mut members),
            Err(_) => {
                let text = String::from_utf8_lossy(line.bytes);
                quote(&self.redact.line(&text), &mut members);
                self.base64(line.bytes, &mut members);
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
    pub(in crate::record) fn end(&mut self, stream: Stream) {
        self.write("eof", &format!(r#""dir":"{}""#, stream.word()));
    }

    /// The process ended.
    pub(in crate::record) fn exit(&mut self, status: ExitStatus) {
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
}
