//! The messages of the MCP Inspector.
//!
//! `direction` is the kind of a message and `origin` its sender, which may be missing. The response stands in the entry of
//! its request. Without an origin, two requests of one id may be of both sides: none of what they say is known to belong
//! together. Both were parsed and written again. Some versions keep no notifications and answers of the client: unless
//! one of them is there, they may be missing anywhere.

use std::collections::{BTreeSet, HashMap};

use super::super::super::direction;
use super::super::super::event::{Blame, EventKind, Problem, Side};
use super::super::super::fields::{self, fields};
use super::super::super::head::{Head, says, value};
use super::super::super::sink::{Sink, Stamp, place, problem};
use super::super::super::time::{self, Unit as Clock};
use super::super::{Confidence, Evidence, Format, Unit};
use super::{entries, every, finish};
use crate::place::RecordId;

pub(in super::super) struct Protocol;

impl Format for Protocol {
    fn name(&self) -> &'static str {
        "inspector-protocol"
    }

    fn title(&self) -> &'static str {
        "messages of the MCP Inspector"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[Evidence::Direction, Evidence::Order, Evidence::Clock]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let kinds = ["request", "response", "notification"];
        every(head, |entry| {
            let kind = value(entry, "direction");
            value(entry, "timestamp").is_some()
                && kinds.iter().any(|known| says(kind, known))
                && value(entry, "message").is_some_and(|message| message.starts_with(b"{"))
        })
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let mut said: Vec<Said> = Vec::new();
        let mut bad = None;
        for (index, entry) in entries(text) {
            if messages(entry, index, &mut said).is_none() {
                bad = bad.or(Some(index));
            }
        }
        let twins = take_twins(&mut said);
        if let Some(index) = twins {
            let problem = Problem {
                place: place(record, format!("/{index}").into()),
                help: Some(
                    "entries like it are passed over: export from an Inspector that keeps `origin`"
                        .to_owned(),
                ),
                fault: Blame::Nobody,
                ..problem(
                    record,
                    "no-sender",
                    "who sent the request is not recorded, and another has its id",
                )
            };
            sink.problem(problem);
        }
        let keeps = said.iter().any(Said::is_often_missing);
        // What is equal stays in the order of the file.
        said.sort_by_key(|said| said.key);
        for said in said {
            let (payload, fault) = sink.payload(record, &said.outer, said.raw, false);
            if let Some(fault) = fault {
                // What is no JSON is said of the document.
                if fault.too_deep {
                    let problem = sink.text_fault(record, &said.outer, said.raw, said.sender, &fault);
                    sink.lost(record, problem);
                }
                continue;
            }
            let kind = EventKind::bare_message(said.sender, payload);
            let stamp = Stamp {
                time: said.time,
                session: None,
            };
            sink.event(record, &stamp, kind);
            if !keeps || twins.is_some() {
                sink.event(record, &Stamp::default(), EventKind::Gap);
            }
        }
        finish(text, record, bad, sink);
    }
}

/// Takes out the entries of requests whose sender is not known and whose id another request has; tells the first of them.
fn take_twins(said: &mut Vec<Said>) -> Option<usize> {
    let mut times: HashMap<&[u8], usize> = HashMap::new();
    for id in said.iter().filter_map(Said::asked) {
        *times.entry(id).or_default() += 1;
    }
    let is_twin = |said: &Said| said.sender.is_none() && said.asked().is_some_and(|id| times[&id] > 1);
    let entries: BTreeSet<usize> = said
        .iter()
        .filter(|said| is_twin(said))
        .map(|said| said.entry)
        .collect();
    said.retain(|said| !entries.contains(&said.entry));
    entries.first().copied()
}

/// A message of an entry.
struct Said<'a> {
    entry: usize,
    key: i64,
    time: Option<i64>,
    sender: Option<Side>,
    outer: String,
    raw: &'a str,
}

impl<'a> Said<'a> {
    /// The id of a request, as it is written.
    fn asked(&self) -> Option<&'a [u8]> {
        let message = self.raw.as_bytes();
        value(message, "method")?;
        value(message, "id")
    }

    /// A message of the client that is no request.
    fn is_often_missing(&self) -> bool {
        let message = self.raw.as_bytes();
        let asks = value(message, "method").is_some() && value(message, "id").is_some();
        self.sender == Some(Side::Client) && !asks
    }
}

/// Adds the messages of an entry; `None` if it is none.
fn messages<'a>(entry: &'a str, index: usize, said: &mut Vec<Said<'a>>) -> Option<()> {
    let [timestamp, origin, message, response, duration] =
        fields(entry, &["timestamp", "origin", "message", "response", "duration"]).ok()?;
    let time = timestamp
        .and_then(fields::text)
        .and_then(|text| time::rfc3339(&text));
    let last = said.last().map_or(i64::MIN, |said| said.key);
    let key = time.unwrap_or(last);
    let sender = origin
        .and_then(fields::text)
        .and_then(|word| direction::sender(&word));
    said.push(Said {
        entry: index,
        key,
        time,
        sender,
        outer: format!("/{index}/message"),
        raw: message.filter(|raw| raw.starts_with('{'))?,
    });
    if let Some(raw) = response.filter(|raw| raw.starts_with('{')) {
        let long = duration
            .and_then(|raw| time::number(raw, Clock::Milli))
            .filter(|long| *long >= 0);
        let time = time.zip(long).and_then(|(time, long)| time.checked_add(long));
        said.push(Said {
            entry: index,
            key: time.unwrap_or(key),
            time,
            sender: sender.map(Side::other),
            outer: format!("/{index}/response"),
            raw,
        });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{decode, said};
    use super::*;

    const ASK: &str = r#"{"timestamp":"2026-09-01T00:00:01.000Z","direction":"request","origin":"client","duration":500,
        "message":{"jsonrpc":"2.0","id":1,"method":"ping"},"response":{"jsonrpc":"2.0","id":1,"result":{}}}"#;
    const TOLD: &str = r#"{"timestamp":"2026-09-01T00:00:01.200Z","direction":"notification","origin":"server",
        "message":{"jsonrpc":"2.0","method":"notifications/message"}}"#;
    const TELLS: &str = r#"{"timestamp":"2026-09-01T00:00:00.500Z","direction":"notification","origin":"client",
        "message":{"jsonrpc":"2.0","method":"notifications/initialized"}}"#;

    #[test]
    fn a_response_is_taken_out_of_the_entry_of_its_request() {
        assert_eq!(
            said(&Protocol, &[ASK, TOLD, TELLS]),
            [
                "Some(Client) /2/message",
                "Some(Client) /0/message",
                "Some(Server) /1/message",
                "Some(Server) /0/response",
            ]
        );
        // A server asks as well; without an origin nobody knows.
        let asked = ASK.replace("client", "server");
        assert_eq!(
            said(&Protocol, &[&asked]),
            ["Some(Server) /0/message", "Some(Client) /0/response"]
        );
        let unsigned = TELLS.replace("origin", "of");
        assert_eq!(said(&Protocol, &[&unsigned]), ["None /0/message", "gap"]);
    }

    #[test]
    fn requests_of_one_id_whose_sender_is_unknown_are_passed_over() {
        let unsigned = ASK.replace("origin", "of");
        assert_eq!(
            said(&Protocol, &[&unsigned, TOLD, &unsigned]),
            ["Some(Server) /1/message", "gap", "!no-sender"]
        );
        // One that is signed is whose it says.
        let other = ASK.replace(r#""id":1"#, r#""id":2"#);
        let events = said(&Protocol, &[&unsigned, &other]);
        assert!(
            events.iter().any(|event| event == "None /0/message"),
            "{events:?}"
        );
        let events = said(&Protocol, &[&unsigned, ASK]);
        assert!(
            !events.iter().any(|event| event.starts_with("None")),
            "{events:?}"
        );
    }

    #[test]
    fn what_the_client_may_have_sent_beside_requests_is_unknown() {
        assert_eq!(
            said(&Protocol, &[ASK]),
            [
                "Some(Client) /0/message",
                "gap",
                "Some(Server) /0/response",
                "gap"
            ]
        );
        let failed = r#"{"timestamp":"2026-09-01T00:00:01Z","direction":"request","origin":"client",
            "message":{"jsonrpc":"2.0","id":1,"method":"ping"},"clientError":"timed out"}"#;
        assert_eq!(
            said(&Protocol, &[TELLS, failed]),
            ["Some(Client) /0/message", "Some(Client) /1/message"]
        );
    }

    #[test]
    fn what_is_no_message_is_told_once() {
        let events = said(
            &Protocol,
            &[TELLS, "7", r#"{"timestamp":"x","direction":"request"}"#],
        );
        assert_eq!(events, ["Some(Client) /0/message", "gap", "!bad-record"]);
        let decoded = decode(&Protocol, &format!("[{TELLS},{}", &ASK[..99]));
        assert_eq!((decoded.events.len(), decoded.problems[0].code), (2, "not-json"));
    }

    #[test]
    fn is_recognised_by_its_entries() {
        let is = |text: &str| {
            Protocol
                .recognise(&Head::of(text.as_bytes().to_vec(), true))
                .is_some()
        };
        assert!(is(&format!("[{ASK},{TOLD}]")));
        for text in [
            "[]",
            "{}",
            "[1]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#,
            ASK,
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
