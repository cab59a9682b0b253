//! What is written of HTTP exchanges.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::Log;
use crate::json::quote;
use crate::record::http::Event;

/// A side of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::record) enum Side {
    Client,
    Server,
}

/// A body, as far as it is kept.
#[derive(Debug, Clone, Copy)]
pub(in crate::record) struct Body<'b> {
    pub(in crate::record) bytes: &'b [u8],
    /// It is a form: `name=value&…`.
    pub(in crate::record) is_form: bool,
    /// It is only the beginning.
    pub(in crate::record) cut: bool,
}

/// A header line.
type Header = (String, String);

impl Log {
    /// A request is about to go on.
    pub(in crate::record) fn request(
        &mut self,
        number: u64,
        method: &str,
        target: &str,
        headers: &[Header],
        body: Body,
    ) {
        let mut members = format!(r#""ex":{number},"method":"#);
        quote(method, &mut members);
        members.push_str(r#","url":"#);
        quote(&self.redact.target(target), &mut members);
        self.headers(headers, &mut members);
        self.text(body, &mut members);
        self.write("request", &members);
    }

    /// The head of a response is about to go on.
    pub(in crate::record) fn response(&mut self, number: u64, status: u16, headers: &[Header]) {
        let mut members = format!(r#""ex":{number},"status":{status}"#);
        self.headers(headers, &mut members);
        self.write("response", &members);
    }

    /// The end of a body is about to go on.
    pub(in crate::record) fn body(&mut self, number: u64, body: Body) {
        let mut members = format!(r#""ex":{number}"#);
        self.text(body, &mut members);
        self.write("body", &members);
    }

    /// The end of an event is about to go on.
    pub(in crate::record) fn event(&mut self, number: u64, event: &Event) {
        let mut members = format!(r#""ex":{number}"#);
        let data = event.data.as_ref().map(|data| self.redact.line(data));
        for (name, value) in [
            ("event", event.event.as_deref()),
            ("id", event.id.as_deref()),
            ("retry", event.retry.as_deref()),
            ("data", data.as_deref()),
        ] {
            if let Some(value) = value {
                let _ = write!(members, r#","{name}":"#);
                quote(value, &mut members);
            }
        }
        if event.cut {
            members.push_str(r#","truncated":true"#);
        }
        self.write("sse", &members);
    }

    /// A response is about to end.
    pub(in crate::record) fn end_of(&mut self, number: u64) {
        self.write("end", &format!(r#""ex":{number}"#));
    }

    /// A side has gone away before.
    pub(in crate::record) fn abort(&mut self, number: u64, side: Side) {
        let side = match side {
            Side::Client => "client",
            Side::Server => "server",
        };
        self.write("abort", &format!(r#""ex":{number},"side":"{side}""#));
    }

    fn headers(&self, headers: &[Header], members: &mut String) {
        members.push_str(r#","headers":["#);
        for (i, (name, value)) in headers.iter().enumerate() {
            members.push_str(if i > 0 { ",[" } else { "[" });
            quote(name, members);
            members.push(',');
            quote(self.redact.header(name, value), members);
            members.push(']');
        }
        members.push(']');
    }

    fn text(&self, body: Body, members: &mut String) {
        let mut bytes = body.bytes;
        let mut read = std::str::from_utf8(bytes);
        if let Err(error) = read
            && body.cut
            && error.error_len().is_none()
        {
            // Only its last character is cut.
            bytes = &bytes[..error.valid_up_to()];
            read = std::str::from_utf8(bytes);
        }
        let text = read.map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
        let shown = if body.is_form {
            self.redact.pairs(&text)
        } else {
            self.redact.line(&text)
        };
        members.push_str(r#","body":"#);
        quote(&shown, members);
        if read.is_err() {
            self.base64(bytes, members);
        }
        if body.cut {
            members.push_str(r#","truncated":true"#);
        }
    }
}
