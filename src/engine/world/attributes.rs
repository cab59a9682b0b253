//! Built-in attributes of records: what is known now, what is hidden, what is still to come.

mod exchanges;

use std::sync::Arc;

use self::exchanges::request_headers;
use super::World;
use super::history::Stretch;
use super::words::{kind_value, side, side_value, stream_event, transport, transport_value};
use crate::engine::env::Val;
use crate::engine::eval::Evaluator;
use crate::input::event::{Side, Transport};
use crate::json::{Json, Number};
use crate::lang::program::Collection;
use crate::model::protocol;
use crate::model::record::{
    Common, END, Entry, Fact, Frame, Listing, Message, MessageKind, MessageRef, Ordinal, Record, Seen,
    Session,
};
use crate::model::subject::{Attribute, Subject};
use crate::model::unknown::Reason;
use crate::model::value::{HeadersOf, HeadersRef, Item, List, Value};

fn fact<T>(fact: &Fact<T>, wrap: impl FnOnce(&T) -> Value) -> Value {
    match fact {
        Fact::Is(value) => wrap(value),
        Fact::Missing => Value::Missing,
        Fact::Unknown(reasons) => Value::Unknown(reasons.clone()),
    }
}

/// A revision, in which order is that of dates. What is no date is not known, so that it is never newer than one.
fn revision(stated: &Arc<str>) -> Value {
    if protocol::is_revision(stated) {
        text(stated)
    } else {
        Value::unknown(Reason::Revision)
    }
}

fn text(text: &Arc<str>) -> Value {
    Value::text(Arc::clone(text))
}

fn seen(record: Record, as_of: Ordinal) -> Value {
    Value::Record(Seen { record, as_of })
}

/// A fact whose value stands somewhere.
fn fact_ref<'a, T>(fact: &'a Fact<T>, wrap: impl FnOnce(&'a T) -> Val<'a>) -> Val<'a> {
    match fact {
        Fact::Is(value) => wrap(value),
        Fact::Missing => Val::Own(Value::Missing),
        Fact::Unknown(reasons) => Val::Own(Value::Unknown(reasons.clone())),
    }
}

impl World {
    /// A built-in attribute of a record as somebody sees it.
    pub(crate) fn attribute<'a>(&'a self, asker: &Evaluator, of: &'a Seen, attribute: Attribute) -> Val<'a> {
        match &of.record {
            Record::Message(this) => {
                let message = &this.message;
                let member = |name| Val::member(message.json.view(), name);
                match attribute {
                    Attribute::Body => return Val::Json(message.json.view()),
                    Attribute::Id => return member("id"),
                    Attribute::Method => return member("method"),
                    Attribute::Params => return member("params"),
                    Attribute::Result => return member("result"),
                    Attribute::Error => return member("error"),
                    Attribute::Jsonrpc => return member("jsonrpc"),
                    Attribute::Kind => return Val::Ref(kind_value(message.kind)),
                    Attribute::Sender => return fact_ref(&message.sender, |side| Val::Ref(side_value(side))),
                    _ => {}
                }
            }
            Record::Entry(entry) if attribute == Attribute::Body => return Val::Json(entry.json.view()),
            _ => {}
        }
        if let Some(common) = of.common() {
            if attribute == Attribute::Transport {
                return fact_ref(&common.transport, |transport| {
                    Val::Ref(transport_value(transport))
                });
            }
            if let Some(value) = self.of_all(asker, of, common, attribute) {
                return Val::Own(value);
            }
        }
        Val::Own(match &of.record {
            Record::Message(message) => self.of_message(of, message, attribute),
            Record::Exchange(exchange) => self.of_exchange(of, exchange, attribute),
            Record::Session(session) => self.of_session(asker, of, session, attribute),
            Record::Listing(listing) => self.of_listing(of, listing, attribute),
            Record::Entry(entry) => self.of_entry(of, entry, attribute),
            Record::Frame(frame) => of_frame(of, frame, attribute),
        })
    }

    /// What is not there though it may have come after `from`: hidden, certain not to come from `never` on, perhaps
    /// among what is lost, still to come, or not recorded.
    fn absent(&self, of: &Seen, from: Ordinal, never: Option<Ordinal>) -> Value {
        let to = never.map_or(of.as_of, |never| never.min(of.as_of));
        if to == END {
            Value::Unknown(self.not_yet())
        } else if !self.over && !self.has_reached(to) {
            Value::unknown(Reason::Pending)
        } else if self.loses(from, to) {
            Value::unknown(Reason::Middle)
        } else {
            Value::Missing
        }
    }

    fn of_all(&self, asker: &Evaluator, of: &Seen, common: &Common, attribute: Attribute) -> Option<Value> {
        Some(match attribute {
            Attribute::Index if !matches!(of.record, Record::Entry(_)) => {
                Value::integer(i64::try_from(common.index).unwrap_or(i64::MAX))
            }
            Attribute::Time => fact(&common.time, |time| Value::Time(*time)),
            Attribute::Revision => fact(&common.revision, revision),
            Attribute::Session => seen(Record::Session(Arc::clone(&common.session)), of.as_of),
            Attribute::Key(key) => fact(&super::instances::key(&of.record, key), text),
            Attribute::Earlier | Attribute::Later => {
                let later = attribute == Attribute::Later;
                self.history(
                    asker,
                    of,
                    later,
                    &[],
                    Collection::Of(Subject::Message),
                    super::Seek::All,
                )
            }
            _ => return None,
        })
    }

    fn of_message(&self, of: &Seen, this: &MessageRef, attribute: Attribute) -> Value {
        let message = &this.message;
        match attribute {
            Attribute::Headers => self.headers_of(of, message),
            Attribute::Status => self.status_of(of, this),
            Attribute::Exchange => fact(&message.exchange, |e| {
                seen(Record::Exchange(Arc::clone(e)), of.as_of)
            }),
            Attribute::Event => {
                Value::or_missing(message.event.as_ref(), |fields| stream_event(fields, None))
            }
            Attribute::Batch => Value::or_missing(message.batch, Value::integer),
            Attribute::Response => match self.response_of(of, this) {
                Ok(response) => seen(response, of.as_of),
                Err(absent) => absent,
            },
            Attribute::Responses => self.responses_of(of, this),
            Attribute::Elapsed => match self.response_of(of, this) {
                Ok(response) => {
                    let times = (&message.common.time, response.common().map(|c| &c.time));
                    match times {
                        (Fact::Is(from), Some(Fact::Is(to))) => Value::Duration(to.saturating_sub(*from)),
                        _ => Value::unknown(Reason::Clock),
                    }
                }
                Err(absent) => absent,
            },
            Attribute::Request => match (&this.pair, &this.orphan) {
                _ if message.kind == MessageKind::Request => Value::Missing,
                (Some(pair), _) => {
                    let request = MessageRef {
                        message: Arc::clone(&pair.request),
                        pair: Some(Arc::clone(pair)),
                        orphan: None,
                    };
                    seen(Record::Message(request), of.as_of)
                }
                (None, Some(reasons)) => Value::Unknown(reasons.clone()),
                (None, None) => Value::Missing,
            },
            _ => Value::Missing,
        }
    }

    fn headers_of(&self, of: &Seen, message: &Message) -> Value {
        if let Some(headers) = &message.headers {
            return Value::Headers(HeadersRef {
                headers: Arc::clone(headers),
                of: HeadersOf::Message(message.json.clone()),
            });
        }
        if message.common.transport == Fact::Is(Transport::Stdio) {
            return Value::Missing;
        }
        match (&message.exchange, message.sender.known()) {
            (Fact::Is(exchange), Some(Side::Client)) => request_headers(exchange),
            (Fact::Is(exchange), Some(Side::Server)) => self.response_headers(of, exchange),
            _ => Value::unknown(Reason::Header("".into())),
        }
    }

    fn status_of(&self, of: &Seen, this: &MessageRef) -> Value {
        let message = &this.message;
        if message.common.transport == Fact::Is(Transport::Stdio) {
            return Value::Missing;
        }
        if let Fact::Is(exchange) = &message.exchange {
            return self.exchange_status(of, exchange);
        }
        if message.kind == MessageKind::Request && message.sender.known() == Some(&Side::Client) {
            return match self.response_of(of, this) {
                Ok(Record::Message(response)) => status(response.message.status),
                Ok(_) => Value::Missing,
                Err(absent) => absent,
            };
        }
        status(message.status)
    }

    /// The first answer to a request, or why there is none.
    fn response_of(&self, of: &Seen, this: &MessageRef) -> Result<Record, Value> {
        let Some(pair) = &this.pair else {
            return Err(Value::Missing);
        };
        if this.message.kind != MessageKind::Request {
            return Err(Value::Missing);
        }
        if let Some(message) = pair.response(of.as_of) {
            return Ok(Record::Message(MessageRef {
                message,
                pair: Some(Arc::clone(pair)),
                orphan: None,
            }));
        }
        Err(self.absent(of, this.ordinal(), pair.no_more()))
    }

    fn responses_of(&self, of: &Seen, this: &MessageRef) -> Value {
        let asks = this.message.kind == MessageKind::Request;
        let Some(pair) = this.pair.as_ref().filter(|_| asks) else {
            return Value::list([]);
        };
        let answers = pair.responses(of.as_of).into_iter().map(|message| {
            seen(
                Record::Message(MessageRef {
                    message,
                    pair: Some(Arc::clone(pair)),
                    orphan: None,
                }),
                of.as_of,
            )
        });
        let list = List::complete(answers.collect::<Vec<_>>());
        self.so_far(of, list, this.ordinal(), pair.no_more())
    }

    /// What came after `from`, until it is certain that no more comes: with what may be lost, and what is to come.
    fn so_far(&self, of: &Seen, mut list: List, from: Ordinal, never: Option<Ordinal>) -> Value {
        let past = never.is_some_and(|never| self.has_reached(never));
        if of.as_of == END && !past {
            list.back = Some(self.not_yet());
        }
        let to = never.map_or(of.as_of, |never| never.min(of.as_of));
        Value::List(Arc::new(self.with_holes(Stretch {
            list,
            from,
            to,
            window: None,
        })))
    }

    fn of_session(
        &self,
        asker: &Evaluator,
        of: &Seen,
        session: &Arc<Session>,
        attribute: Attribute,
    ) -> Value {
        let subject = match attribute {
            Attribute::Messages | Attribute::First | Attribute::Last => Subject::Message,
            Attribute::Requests => Subject::Request,
            Attribute::Responses => Subject::Response,
            Attribute::Notifications => Subject::Notification,
            Attribute::Exchanges => Subject::Exchange,
            Attribute::Listings => Subject::Listing,
            Attribute::Tools => Subject::Tool,
            Attribute::Ended => {
                let ended = session.ended.get().is_some_and(|at| *at < of.as_of);
                return if !ended && of.as_of == END && !self.over {
                    Value::unknown(Reason::Pending)
                } else {
                    Value::Boolean(ended)
                };
            }
            Attribute::Transport => return fact(&session.transport, |t| Value::text(transport(*t))),
            Attribute::Revision => {
                let named = session.revision(of.as_of.min(asker.now));
                return named.map_or(Value::unknown(Reason::Revision), |named| revision(&named));
            }
            Attribute::Session => return Value::Record(of.clone()),
            Attribute::Key(_) | Attribute::Index | Attribute::Time => {
                let first = self.session_list(of, session, Subject::Message);
                return match first.items.first() {
                    Some(Item {
                        value: Value::Record(first),
                        ..
                    }) => self.attribute(asker, first, attribute).into_value(),
                    _ => match first.back {
                        Some(reasons) if reasons.is_pending() => Value::Unknown(reasons),
                        _ => Value::unknown(Reason::Start),
                    },
                };
            }
            _ => return Value::Missing,
        };
        let list = self.session_list(of, session, subject);
        match attribute {
            Attribute::First => crate::model::ops::first(&list, &mut |_| true.into()),
            Attribute::Last => crate::model::ops::last(&list, &mut |_| true.into()),
            _ => Value::List(Arc::new(list)),
        }
    }

    fn of_listing(&self, of: &Seen, listing: &Arc<Listing>, attribute: Attribute) -> Value {
        use crate::input::event::EntryKind as E;
        let of_kind = |kind| {
            let entries: &[Json] = if listing.kind == kind {
                &listing.entries
            } else {
                &[]
            };
            let mut list = List::complete(
                entries
                    .iter()
                    .enumerate()
                    .map(|(index, _)| seen(Record::Entry(entry(listing, index)), of.as_of)),
            );
            if !listing.complete && listing.kind == kind {
                list.inside = Some(Reason::Catalogue.into());
            }
            Value::List(Arc::new(list))
        };
        match attribute {
            Attribute::Method => Value::text(protocol::list_method(listing.kind)),
            Attribute::Tools => of_kind(E::Tool),
            Attribute::Prompts => of_kind(E::Prompt),
            Attribute::Resources => of_kind(E::Resource),
            Attribute::Templates => of_kind(E::Template),
            Attribute::Complete => Value::Boolean(listing.complete),
            Attribute::Response => Value::or_missing(listing.response.as_ref(), |response| {
                seen(Record::Message(response.clone()), of.as_of)
            }),
            _ => Value::Missing,
        }
    }

    fn of_entry(&self, of: &Seen, entry: &Entry, attribute: Attribute) -> Value {
        match attribute {
            Attribute::Index => Value::integer(entry.index),
            Attribute::Listing => seen(Record::Listing(Arc::clone(&entry.listing)), of.as_of),
            _ => Value::Missing,
        }
    }
}

/// The entry of a listing at an index.
pub(crate) fn entry(listing: &Arc<Listing>, index: usize) -> Entry {
    let json = listing.entries[index].clone();
    let derived = Arc::clone(&listing.derived[index]);
    Entry {
        listing: Arc::clone(listing),
        index,
        json,
        derived,
    }
}

fn status(status: Option<u16>) -> Value {
    match status {
        Some(code) => Value::Number(Number::from(i64::from(code))),
        None => Value::unknown(Reason::Status),
    }
}

fn of_frame(of: &Seen, frame: &Frame, attribute: Attribute) -> Value {
    match attribute {
        Attribute::Kind => Value::text(frame.kind),
        Attribute::Text => match &frame.text {
            Fact::Is(content) => Value::Text(crate::model::value::Text::at(
                Arc::clone(content),
                frame.place.clone(),
            )),
            Fact::Missing => Value::Missing,
            Fact::Unknown(reasons) => Value::Unknown(reasons.clone()),
        },
        Attribute::FrameJson => Value::or_missing(frame.json.clone(), Value::Json),
        Attribute::Bytes => Value::integer(i64::from(frame.bytes)),
        Attribute::Sender => fact(&frame.sender, |s| Value::text(side(*s))),
        Attribute::Exchange => fact(&frame.exchange, |e| {
            seen(Record::Exchange(Arc::clone(e)), of.as_of)
        }),
        _ => Value::Missing,
    }
}
