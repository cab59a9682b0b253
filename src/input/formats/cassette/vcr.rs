//! The handshake and the pairs of agent-vcr.

use std::borrow::Cow;

use super::super::super::direction;
use super::super::super::event::Side::{self, Client, Server};
use super::super::super::fields::{self, fields};
use super::super::super::scan;
use super::super::super::sink::Stamp;
use super::super::super::time;
use super::{NO_ANSWER, Tape, has};
use crate::json::{self, Demand};

impl Tape<'_, '_> {
    /// The handshake, of the session at `at`.
    pub(super) fn handshake(&mut self, text: &str, at: usize) {
        for (name, side) in [("initialize_request", Client), ("initialize_response", Server)] {
            if let Some(message) = scan::member(text.as_bytes(), at, name) {
                let outer = format!("/session/{name}");
                self.sent(&text[message.value], &outer, side, &Stamp::default());
            }
        }
        // What the client notifies behind it is never there.
        self.gap();
    }

    /// A pair of agent-vcr.
    pub(super) fn vcr_pair(&mut self, pair: &str, outer: &str) {
        let names = &["direction", "timestamp", "request", "response", "notifications"];
        let [word, time, request, response, notifications] = match fields(pair, names) {
            Ok(found) => found,
            Err(fault) => return self.unreadable(outer, &fault),
        };
        let side = match word.and_then(fields::text) {
            Some(word) => direction::sender(&word).unwrap_or(Client),
            None => Client,
        };
        // When it was answered is not known, nor when what stands with it was said.
        let asked = Stamp {
            time: time.and_then(fields::text).and_then(|time| time::rfc3339(&time)),
            session: None,
        };
        match request {
            Some(request) => self.sent(request, &format!("{outer}/request"), side, &asked),
            None => self.lost(outer, "no-message", "the interaction has no `request`"),
        }
        let list = notifications.unwrap_or_default();
        for (index, range) in scan::elements(list.as_bytes(), 0).enumerate() {
            let outer = format!("{outer}/notifications/{index}");
            self.sent(&list[range], &outer, Server, &Stamp::default());
        }
        let outer = format!("{outer}/response");
        match response {
            Some(response) => self.sent(response, &outer, side.other(), &Stamp::default()),
            None => self.lost(&outer, "no-answer", NO_ANSWER),
        }
    }

    /// A message of agent-vcr: without what it wrote though nobody sent it.
    fn sent(&mut self, message: &str, outer: &str, side: Side, stamp: &Stamp) {
        if json::decode(message, &Demand::shallow(), None).is_err() {
            return self.gap();
        }
        let sent = without_nulls(message);
        if ["method", "result", "error"].iter().any(|name| has(&sent, name)) {
            return self.message(&sent, outer, side, None, stamp);
        }
        let why =
            "the recorder wrote `null` for both the result and the error, so what was answered is unknown";
        self.lost(outer, "no-answer", why);
    }
}

/// A message without the members that are `null`, and without those of its error.
fn without_nulls(message: &str) -> Cow<'_, str> {
    let bytes = message.as_bytes();
    let mut kept = String::from("{");
    for member in scan::members(bytes, 0) {
        let text = &message[member.value.clone()];
        let inner;
        let text = match text {
            "null" => continue,
            text if scan::is_named(bytes, &member.name, "error") && text.starts_with('{') => {
                inner = without_nulls(text);
                &*inner
            }
            text => text,
        };
        if kept.len() > 1 {
            kept.push(',');
        }
        kept.push_str(&message[member.name.clone()]);
        kept.push(':');
        kept.push_str(text);
    }
    kept.push('}');
    if message.starts_with('{') {
        Cow::Owned(kept)
    } else {
        Cow::Borrowed(message)
    }
}
