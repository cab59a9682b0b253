//! The pairs of mcp-recorder.

use std::borrow::Cow;

use super::super::super::event::Side::{Client, Server};
use super::super::super::event::Transport;
use super::super::super::fields::{self, fields};
use super::super::super::head::is_message;
use super::super::super::sink::Stamp;
use super::{NO_ANSWER, Tape, has};

impl Tape<'_, '_> {
    /// A pair of mcp-recorder.
    pub(super) fn recorder_pair(&mut self, pair: &str, outer: &str) {
        const NAMES: [&str; 6] = [
            "type",
            "request",
            "response",
            "response_is_sse",
            "response_status",
            "http_method",
        ];
        let [kind, request, response, is_stream, status, method] = match fields(pair, &NAMES) {
            Ok(found) => found,
            Err(fault) => return self.unreadable(outer, &fault),
        };
        if kind == Some("\"lifecycle\"") {
            // The stream that it opened was not recorded.
            if method.is_some_and(|method| method == "\"GET\"") {
                self.gap();
            }
            return;
        }
        let Some(request) = request else {
            let why = "the recorder keeps no request that is a batch or is no JSON";
            return self.lost(&format!("{outer}/request"), "no-message", why);
        };
        // What a process answers, the recorder dresses as HTTP.
        let status = status
            .filter(|_| self.transport == Some(Transport::Http))
            .and_then(|status| status.parse::<u16>().ok());
        let asks = asked(request);
        self.message(
            request,
            &format!("{outer}/request"),
            Client,
            None,
            &Stamp::default(),
        );
        let accepted = status.is_none_or(|status| (200..300).contains(&status));
        let answered = match response {
            Some(response) if has(response, "jsonrpc") || accepted && is_message(response.as_bytes()) => {
                let outer = format!("{outer}/response");
                self.message(response, &outer, Server, status, &Stamp::default());
                !has(response, "method")
            }
            _ => !accepted,
        };
        let why = match is_stream {
            _ if answered => "",
            Some("true") => {
                "the recorder kept only the first event of the stream, so what was answered is unknown"
            }
            _ if asks.is_some() => NO_ANSWER,
            _ => "",
        };
        if !why.is_empty() {
            self.lost(&format!("{outer}/response"), "no-answer", why);
        }
        // Whoever sends a notification need not wait: in a cassette it may come too late.
        if asks.as_deref() == Some("initialize") {
            self.gap();
        }
    }
}

/// The method of a request that is to be answered.
fn asked(request: &str) -> Option<Cow<'_, str>> {
    let [method, id] = fields(request, &["method", "id"]).ok()?;
    id?;
    fields::text(method?)
}
