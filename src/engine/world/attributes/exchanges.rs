//! Built-in attributes of HTTP exchanges.

use std::sync::{Arc, PoisonError};

use super::{World, seen, status, text};
use crate::engine::world::words::stream_event;
use crate::input::event::{Ended, Side};
use crate::model::record::{END, Exchange, MessageKind, MessageRef, Record, Seen};
use crate::model::subject::Attribute;
use crate::model::unknown::Reason;
use crate::model::value::{HeadersOf, HeadersRef, List, Value};

impl World {
    pub(super) fn exchange_status(&self, of: &Seen, exchange: &Exchange) -> Value {
        match exchange.response.get().filter(|head| head.ordinal < of.as_of) {
            Some(head) => status(head.status),
            None => self.absent(of, exchange.common.ordinal, exchange.end()),
        }
    }

    pub(super) fn response_headers(&self, of: &Seen, exchange: &Arc<Exchange>) -> Value {
        match exchange.response.get().filter(|head| head.ordinal < of.as_of) {
            Some(head) => Value::Headers(HeadersRef {
                headers: Arc::clone(&head.headers),
                of: HeadersOf::Response(Arc::clone(exchange)),
            }),
            None => self.absent(of, exchange.common.ordinal, exchange.end()),
        }
    }

    pub(super) fn of_exchange(&self, of: &Seen, exchange: &Arc<Exchange>, attribute: Attribute) -> Value {
        match attribute {
            Attribute::Method => text(&exchange.method),
            Attribute::Url => match &exchange.url {
                Some(url) => text(url),
                None => Value::unknown(Reason::Header("".into())),
            },
            Attribute::RequestHeaders => request_headers(exchange),
            Attribute::Status => self.exchange_status(of, exchange),
            Attribute::ResponseHeaders => self.response_headers(of, exchange),
            Attribute::Request => {
                let Some(linked) = self.linked(exchange) else {
                    return Value::unknown(Reason::Limit("history-limit"));
                };
                let request = linked.iter().find(|m| {
                    m.message.kind == MessageKind::Request
                        && m.message.sender.known() == Some(&Side::Client)
                        && m.ordinal() < of.as_of
                });
                match request {
                    Some(request) => seen(Record::Message(request.clone()), of.as_of),
                    // The exchange passes before what it carries.
                    None => {
                        let answered = exchange.response.get().map(|head| head.ordinal);
                        let ended = exchange.ended.get().map(|(at, _)| *at);
                        let sent = answered.into_iter().chain(ended).any(|at| self.has_reached(at));
                        if of.as_of != END || sent || self.over {
                            Value::Missing
                        } else {
                            Value::unknown(Reason::Pending)
                        }
                    }
                }
            }
            Attribute::Messages => {
                let Some(linked) = self.linked(exchange) else {
                    return Value::unknown(Reason::Limit("history-limit"));
                };
                let messages = linked.iter().filter(|m| m.ordinal() < of.as_of);
                let list = List::complete(messages.map(|m| seen(Record::Message(m.clone()), of.as_of)));
                self.so_far(of, list, exchange.common.ordinal, exchange.end())
            }
            Attribute::Events => {
                let events = exchange.events.lock().unwrap_or_else(PoisonError::into_inner);
                let shown = events.iter().filter(|event| event.0 < of.as_of);
                let mut list = List::complete(shown.map(|event| stream_event(&event.1, event.2.as_ref())));
                let end = exchange.end();
                if of.as_of == END && !end.is_some_and(|end| self.has_reached(end)) {
                    list.back = Some(self.not_yet());
                }
                // Events are no records: where among them something is lost is not looked for.
                let to = end.map_or(of.as_of, |end| end.min(of.as_of));
                let lost = self.loses(exchange.common.ordinal, to);
                list.inside = lost.then(|| Reason::Middle.into());
                Value::List(Arc::new(list))
            }
            Attribute::Ended => match exchange.ended.get().filter(|(at, _)| *at < of.as_of) {
                Some((_, how)) => Value::text(match how {
                    Ended::Complete => "complete",
                    Ended::Aborted => "aborted",
                    Ended::Closed => "closed",
                }),
                None => self.absent(of, exchange.common.ordinal, None),
            },
            _ => Value::Missing,
        }
    }

    /// The messages of an exchange; `None` if they were forgotten.
    fn linked(&self, exchange: &Exchange) -> Option<&[MessageRef]> {
        let Some(links) = &self.links else {
            return Some(&[]);
        };
        let number = exchange.common.ordinal;
        match links.messages.get(&number) {
            Some(messages) => Some(messages),
            None if links.forgotten >= Some(number) => None,
            None => Some(&[]),
        }
    }
}

pub(super) fn request_headers(exchange: &Arc<Exchange>) -> Value {
    Value::Headers(HeadersRef {
        headers: Arc::clone(&exchange.request_headers),
        of: HeadersOf::Request(Arc::clone(exchange)),
    })
}
