//! The built-in attributes of records, as somebody sees them.

use std::sync::{Arc, PoisonError};

use wirelint::input::event::{Ended, EntryKind, Side, StreamFields, Transport};
use wirelint::model::protocol::{is_revision, list_method};
use wirelint::model::record::{
    END, Entry, Exchange, Fact, Frame, Listing, Message, MessageKind, MessageRef, Ordinal, Record, Seen,
    Session,
};
use wirelint::model::subject::{Attribute, Subject};

use super::eval::Asker;
use super::facts::{Facts, entry, kind_of, session_of, spoken};
use super::histories::{lost, session_list, with_holes};
use super::lists::{first, last};
use super::value::{Item, List, V};

fn fact<T>(fact: &Fact<T>, wrap: impl FnOnce(&T) -> V) -> V {
    match fact {
        Fact::Is(value) => wrap(value),
        Fact::Missing => V::Missing,
        Fact::Unknown(_) => V::Unknown,
    }
}

/// What is no date is unknown.
fn revision(named: Option<&str>) -> V {
    named
        .filter(|named| is_revision(named))
        .map_or(V::Unknown, V::text)
}

fn text(text: &Arc<str>) -> V {
    V::text(text)
}

fn side(side: &Side) -> V {
    V::text(match side {
        Side::Client => "client",
        Side::Server => "server",
    })
}

fn transport(transport: &Transport) -> V {
    V::text(match transport {
        Transport::Stdio => "stdio",
        Transport::Http => "http",
    })
}

fn seen(record: Record, by: &Seen) -> V {
    V::Record(Seen {
        record,
        as_of: by.as_of,
    })
}

/// What is not there: whoever looks at the past sees it missing; from the end of the recording it is missing only if it
/// is certain never to come (S4, S9). Where records are lost before that, it may have been among them.
fn absent(facts: &Facts, of: &Seen, from: Ordinal, never: Option<Ordinal>) -> V {
    let to = of.as_of.min(never.unwrap_or(END));
    if to == END || lost(facts, from, to) {
        V::Unknown
    } else {
        V::Missing
    }
}

/// What came after `from`, until it is certain that no more comes.
fn so_far(facts: &Facts, of: &Seen, all: Vec<(Ordinal, V)>, from: Ordinal, never: Option<Ordinal>) -> V {
    let items = all.into_iter().map(|(at, value)| (at, Item::sure(value)));
    let to = of.as_of.min(never.unwrap_or(END));
    let (items, holes) = with_holes(facts, items.collect(), from, to);
    V::List(List {
        items,
        holes,
        back: to == END,
        ..List::default()
    })
}

pub fn attribute(facts: &Facts, asker: &Asker, of: &Seen, attribute: Attribute) -> V {
    if let Some(common) = of.common() {
        match attribute {
            Attribute::Index if !matches!(of.record, Record::Entry(_)) => return V::integer(common.index),
            Attribute::Time => return fact(&common.time, |time| V::Time(*time)),
            Attribute::Transport => return fact(&common.transport, transport),
            Attribute::Revision => return revision(common.revision.known().map(|named| &**named)),
            Attribute::Session => return seen(Record::Session(Arc::clone(&common.session)), of),
            Attribute::Key(key) => return fact(&super::facts::key(&of.record, key), |key| V::text(key)),
            _ => {}
        }
    }
    match &of.record {
        Record::Message(message) => of_message(facts, of, message, attribute),
        Record::Exchange(exchange) => of_exchange(facts, of, exchange, attribute),
        Record::Session(session) => of_session(facts, asker, of, session, attribute),
        Record::Listing(listing) => of_listing(of, listing, attribute),
        Record::Entry(entry) => of_entry(facts, of, entry, attribute),
        Record::Frame(frame) => of_frame(facts, of, frame, attribute),
    }
}

fn of_message(facts: &Facts, of: &Seen, this: &MessageRef, attribute: Attribute) -> V {
    let message = &this.message;
    let member = |name| super::operators::member(&V::Json(facts.json(&of.record).unwrap()), name);
    match attribute {
        Attribute::Kind => V::text(message.kind.word()),
        Attribute::Sender => fact(&message.sender, side),
        Attribute::Headers => headers(facts, of, message),
        Attribute::Status => message_status(facts, of, this),
        Attribute::Exchange => fact(&message.exchange, |e| seen(Record::Exchange(Arc::clone(e)), of)),
        Attribute::Event => V::or_missing(message.event.as_ref().map(|fields| event(fields, None))),
        Attribute::Batch => V::or_missing(message.batch.map(V::integer)),
        Attribute::Body => V::Json(facts.json(&of.record).unwrap()),
        Attribute::Id => member("id"),
        Attribute::Method => member("method"),
        Attribute::Params => member("params"),
        Attribute::Result => member("result"),
        Attribute::Error => member("error"),
        Attribute::Jsonrpc => member("jsonrpc"),
        Attribute::Response => response(facts, of, this),
        Attribute::Responses => responses(facts, of, this),
        Attribute::Elapsed => match response(facts, of, this) {
            V::Record(response) => {
                match (&message.common.time, response.common().map(|common| &common.time)) {
                    (Fact::Is(from), Some(Fact::Is(to))) => V::Duration(to.saturating_sub(*from)),
                    _ => V::Unknown,
                }
            }
            absent => absent,
        },
        Attribute::Request if message.kind != MessageKind::Request => match (&this.pair, &this.orphan) {
            (Some(pair), _) => seen(
                Record::Message(MessageRef {
                    message: Arc::clone(&pair.request),
                    pair: Some(Arc::clone(pair)),
                    orphan: None,
                }),
                of,
            ),
            (None, Some(_)) => V::Unknown,
            (None, None) => V::Missing,
        },
        _ => V::Missing,
    }
}

/// The answers that are seen, in order.
fn answers(of: &Seen, this: &MessageRef) -> Vec<(Ordinal, V)> {
    let Some(pair) = this
        .pair
        .as_ref()
        .filter(|_| this.message.kind == MessageKind::Request)
    else {
        return vec![];
    };
    let answers = pair.responses(of.as_of).into_iter().map(|message| {
        let at = message.common.ordinal;
        let response = Record::Message(MessageRef {
            message,
            pair: Some(Arc::clone(pair)),
            orphan: None,
        });
        (at, seen(response, of))
    });
    answers.collect()
}

/// No answer comes any more: its exchange ended without one, or its session ended (S9).
fn no_more(this: &MessageRef) -> Option<Ordinal> {
    let unanswered = this.pair.as_ref().and_then(|pair| pair.given_up());
    let ended = this.message.common.session.ended.get().copied();
    // What is asked behind the end of a session may still be answered.
    unanswered.or(ended.filter(|end| *end > this.ordinal()))
}

fn response(facts: &Facts, of: &Seen, this: &MessageRef) -> V {
    match answers(of, this).into_iter().next() {
        Some((_, first)) => first,
        None if this.message.kind != MessageKind::Request => V::Missing,
        None => absent(facts, of, this.ordinal(), no_more(this)),
    }
}

fn responses(facts: &Facts, of: &Seen, this: &MessageRef) -> V {
    if this.message.kind == MessageKind::Request {
        so_far(facts, of, answers(of, this), this.ordinal(), no_more(this))
    } else {
        V::List(List::complete([]))
    }
}

fn headers(facts: &Facts, of: &Seen, message: &Message) -> V {
    if let Some(headers) = &message.headers {
        return V::Headers(Arc::clone(headers));
    }
    if message.common.transport == Fact::Is(Transport::Stdio) {
        return V::Missing;
    }
    match (&message.exchange, message.sender.known()) {
        (Fact::Is(exchange), Some(Side::Client)) => V::Headers(Arc::clone(&exchange.request_headers)),
        (Fact::Is(exchange), Some(Side::Server)) => response_headers(facts, of, exchange),
        _ => V::Unknown,
    }
}

fn message_status(facts: &Facts, of: &Seen, this: &MessageRef) -> V {
    let message = &this.message;
    let status = |status: Option<u16>| status.map_or(V::Unknown, V::integer);
    if message.common.transport == Fact::Is(Transport::Stdio) {
        V::Missing
    } else if let Fact::Is(exchange) = &message.exchange {
        exchange_status(facts, of, exchange)
    } else if message.kind == MessageKind::Request && message.sender.known() == Some(&Side::Client) {
        match response(facts, of, this) {
            V::Record(Seen {
                record: Record::Message(response),
                ..
            }) => status(response.message.status),
            absent => absent,
        }
    } else {
        status(message.status)
    }
}

fn exchange_status(facts: &Facts, of: &Seen, exchange: &Exchange) -> V {
    match exchange.response.get() {
        Some(head) if head.ordinal < of.as_of => head.status.map_or(V::Unknown, V::integer),
        _ => absent(facts, of, exchange.common.ordinal, end_of(exchange)),
    }
}

fn response_headers(facts: &Facts, of: &Seen, exchange: &Exchange) -> V {
    match exchange.response.get() {
        Some(head) if head.ordinal < of.as_of => V::Headers(Arc::clone(&head.headers)),
        _ => absent(facts, of, exchange.common.ordinal, end_of(exchange)),
    }
}

fn end_of(exchange: &Exchange) -> Option<Ordinal> {
    exchange.ended.get().map(|(at, _)| *at)
}

fn of_exchange(facts: &Facts, of: &Seen, exchange: &Arc<Exchange>, attribute: Attribute) -> V {
    let messages = || -> Vec<(Ordinal, V)> {
        let carried = facts.records.iter().filter(|record| match record {
            Record::Message(m) => {
                matches!(&m.message.exchange, Fact::Is(carrier) if Arc::ptr_eq(carrier, exchange))
                    && record.ordinal() < of.as_of
            }
            _ => false,
        });
        carried
            .map(|record| (record.ordinal(), seen(record.clone(), of)))
            .collect()
    };
    let open = |values| so_far(facts, of, values, exchange.common.ordinal, end_of(exchange));
    match attribute {
        Attribute::Method => text(&exchange.method),
        Attribute::Url => exchange.url.as_ref().map_or(V::Unknown, text),
        Attribute::RequestHeaders => V::Headers(Arc::clone(&exchange.request_headers)),
        Attribute::Status => exchange_status(facts, of, exchange),
        Attribute::ResponseHeaders => response_headers(facts, of, exchange),
        Attribute::Request => {
            V::or_missing(
                messages()
                    .into_iter()
                    .map(|(_, value)| value)
                    .find(|value| match value {
                        V::Record(seen) => match &seen.record {
                            Record::Message(m) => {
                                m.message.kind == MessageKind::Request
                                    && m.message.sender.known() == Some(&Side::Client)
                            }
                            _ => false,
                        },
                        _ => false,
                    }),
            )
        }
        Attribute::Messages => open(messages()),
        Attribute::Events => {
            let events = exchange.events.lock().unwrap_or_else(PoisonError::into_inner);
            let shown = events.iter().filter(|(at, ..)| *at < of.as_of);
            let events = shown.map(|(_, fields, data)| event(fields, data.as_ref()));
            let (from, end) = (exchange.common.ordinal, end_of(exchange));
            let to = of.as_of.min(end.unwrap_or(END));
            V::List(List {
                inside: lost(facts, from, to),
                back: to == END,
                ..List::complete(events)
            })
        }
        Attribute::Ended => match exchange.ended.get() {
            Some((at, how)) if *at < of.as_of => V::text(match how {
                Ended::Complete => "complete",
                Ended::Aborted => "aborted",
                Ended::Closed => "closed",
            }),
            _ => absent(facts, of, exchange.common.ordinal, None),
        },
        _ => V::Missing,
    }
}

fn event(fields: &StreamFields, data: Option<&Arc<str>>) -> V {
    let members = [
        ("type", fields.event.as_ref()),
        ("id", fields.id.as_ref()),
        ("retry", fields.retry.as_ref()),
        ("data", data),
    ];
    let there = members
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), text(value?))));
    V::Object(there.collect())
}

fn of_session(facts: &Facts, asker: &Asker, of: &Seen, session: &Arc<Session>, attribute: Attribute) -> V {
    let list = |subject| session_list(facts, of, subject);
    match attribute {
        Attribute::Messages => V::List(list(Subject::Message)),
        Attribute::Requests => V::List(list(Subject::Request)),
        Attribute::Responses => V::List(list(Subject::Response)),
        Attribute::Notifications => V::List(list(Subject::Notification)),
        Attribute::Exchanges => V::List(list(Subject::Exchange)),
        Attribute::Listings => V::List(list(Subject::Listing)),
        Attribute::Tools => V::List(list(Subject::Tool)),
        Attribute::First => first(&list(Subject::Message), &mut |_| Some(true)),
        Attribute::Last => last(&list(Subject::Message), &mut |_| Some(true)),
        Attribute::Ended => Some(session.ended.get().is_some_and(|at| *at < of.as_of)).into(),
        Attribute::Transport => fact(&session.transport, transport),
        Attribute::Session => V::Record(of.clone()),
        Attribute::Revision => revision(session_revision(facts, session, of.as_of.min(asker.now)).as_deref()),
        // Those of its first message.
        Attribute::Key(_) | Attribute::Index | Attribute::Time => {
            match list(Subject::Message).items.first().map(|item| &item.value) {
                Some(V::Record(first)) => self::attribute(facts, asker, first, attribute),
                _ => V::Unknown,
            }
        }
        _ => V::Missing,
    }
}

/// The revision that a session had settled on at a place, else the one that its client last named.
pub fn session_revision(facts: &Facts, session: &Session, at: u64) -> Option<String> {
    if let Some((_, revision)) = session.negotiated.get().filter(|(settled, _)| *settled <= at) {
        return Some(revision.to_string());
    }
    let before = facts.records.iter().filter(|r| r.ordinal() <= at);
    let own = before.filter(|r| session_of(r).ordinal == session.ordinal);
    own.filter_map(spoken).next_back().map(str::to_owned)
}

fn of_listing(of: &Seen, listing: &Arc<Listing>, attribute: Attribute) -> V {
    let of_kind = |kind| {
        let all = 0..if listing.kind == kind {
            listing.entries.len()
        } else {
            0
        };
        V::List(List {
            inside: !listing.complete && listing.kind == kind,
            ..List::complete(all.map(|index| seen(Record::Entry(entry(listing, index)), of)))
        })
    };
    match attribute {
        Attribute::Method => V::text(list_method(listing.kind)),
        Attribute::Tools => of_kind(EntryKind::Tool),
        Attribute::Prompts => of_kind(EntryKind::Prompt),
        Attribute::Resources => of_kind(EntryKind::Resource),
        Attribute::Templates => of_kind(EntryKind::Template),
        Attribute::Complete => Some(listing.complete).into(),
        Attribute::Response => V::or_missing(
            listing
                .response
                .as_ref()
                .map(|r| seen(Record::Message(r.clone()), of)),
        ),
        _ => V::Missing,
    }
}

fn of_entry(facts: &Facts, of: &Seen, entry: &Entry, attribute: Attribute) -> V {
    debug_assert_eq!(kind_of(entry.listing.kind), of.subject());
    match attribute {
        Attribute::Index => V::integer(entry.index),
        Attribute::Listing => seen(Record::Listing(Arc::clone(&entry.listing)), of),
        Attribute::Body => V::Json(facts.json(&of.record).unwrap()),
        _ => V::Missing,
    }
}

fn of_frame(facts: &Facts, of: &Seen, frame: &Frame, attribute: Attribute) -> V {
    match attribute {
        Attribute::Kind => V::text(frame.kind),
        Attribute::Text => fact(&frame.text, text),
        Attribute::FrameJson => V::or_missing(facts.json(&of.record).map(V::Json)),
        Attribute::Bytes => V::integer(frame.bytes),
        Attribute::Sender => fact(&frame.sender, side),
        Attribute::Exchange => fact(&frame.exchange, |e| seen(Record::Exchange(Arc::clone(e)), of)),
        _ => V::Missing,
    }
}
