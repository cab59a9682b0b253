//! The parts of exchanges in the order in which they happened.
//!
//! Requests, heads and ends have times. The events of a stream lie somewhere between its head and its end:
//!
//! - what answers the request of its own exchange, as the last event, comes when the exchange ends;
//! - what answers a request of another exchange comes after that one;
//! - all else is put as early as it may have come, so that what a server asks comes before what a client answers.
//!
//! If anything of another exchange happened while the stream was open, the order of those is a guess: gaps around them keep
//! rules from building on it.

use std::collections::HashMap;

use super::super::stream::{StreamEvent, stream_events};
use super::Exchange;
use super::endpoints::Kind;
use super::message::{answers, asks};

/// Clocks of recorders are rounded: what overlaps by so little, in nanoseconds, does not.
const ROUNDED: i64 = 2_000_000;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Request,
    Head,
    Body,
    /// An event of a stream, by its number.
    Event(usize),
    /// The last event of a stream, which answers the request.
    Answer(usize),
    End,
    Gap,
}

/// A part of an exchange.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    key: i64,
    /// The position of its exchange among all in order of their beginnings.
    turn: usize,
    /// Which exchange, as an index.
    pub(super) exchange: usize,
    pub(super) what: What,
}

/// The stream of an exchange.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) events: Vec<StreamEvent>,
    /// All requests of the exchange are answered in it.
    pub(super) answered: bool,
    /// What each event answers, as it is written.
    answers: Vec<Vec<String>>,
}

/// When an exchange began, got its head and ended, as keys for sorting.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: i64,
    head: i64,
    end: i64,
    /// The end is known.
    closed: bool,
}

/// The streams of those exchanges that are MCP traffic; of others, nothing.
pub(super) fn streams(all: &[Exchange], kinds: &[Kind]) -> Vec<Stream> {
    let stream = |(exchange, kind): (&Exchange, &Kind)| {
        let body = exchange.response_body.text();
        let Some(body) = body.filter(|_| *kind == Kind::Mcp && exchange.is_stream()) else {
            return Stream::default();
        };
        let events: Vec<_> = stream_events(body.text.as_bytes()).collect();
        let answers: Vec<_> = events
            .iter()
            .map(|event| answers(&event.data(&body.text)))
            .collect();
        let asked = own(exchange);
        let answered = |id| answers.iter().flatten().any(|known| known == id);
        Stream {
            answered: !asked.is_empty() && asked.iter().all(answered),
            events,
            answers,
        }
    };
    all.iter().zip(kinds).map(stream).collect()
}

/// The ids of the requests that an exchange carried.
fn own(exchange: &Exchange) -> Vec<String> {
    let body = exchange.request_body.text();
    body.map_or_else(Vec::new, |body| asks(&body.text))
}

/// All parts of the exchanges that matter, in order.
pub(super) fn parts(all: &[Exchange], kinds: &[Kind], streams: &[Stream]) -> Vec<Part> {
    let spans = spans(all);
    let mut turns: Vec<usize> = (0..all.len())
        .filter(|i| matches!(kinds[*i], Kind::Mcp | Kind::Hidden))
        .collect();
    turns.sort_by_key(|i| spans[*i].start);
    let mut marks: Vec<i64> = turns
        .iter()
        .filter(|i| kinds[**i] == Kind::Mcp)
        .flat_map(|i| [spans[*i].start, spans[*i].head, spans[*i].end])
        .collect();
    marks.sort_unstable();
    let mut asked: HashMap<String, Vec<i64>> = HashMap::new();
    for i in turns.iter().filter(|i| !streams[**i].answered) {
        for id in own(&all[*i]) {
            asked.entry(id).or_default().push(spans[*i].start);
        }
    }
    let mut parts = Vec::new();
    for (turn, exchange) in turns.into_iter().enumerate() {
        let span = spans[exchange];
        let mut add = |key, what| {
            parts.push(Part {
                key,
                turn,
                exchange,
                what,
            });
        };
        if kinds[exchange] == Kind::Hidden {
            add(span.head, What::Gap);
            continue;
        }
        add(span.start, What::Request);
        if all[exchange].status.is_none() {
            add(span.start, What::Gap);
            continue;
        }
        add(span.head, What::Head);
        let stream = &streams[exchange];
        if all[exchange].is_stream() {
            events(stream, span, &marks, &asked, &mut add);
        } else {
            add(span.end, What::Body);
        }
        add(span.end, What::End);
    }
    // What is equal stays in the order in which it was added.
    parts.sort_by_key(|part| (part.key, part.turn));
    parts
}

fn events(
    stream: &Stream,
    span: Span,
    marks: &[i64],
    asked: &HashMap<String, Vec<i64>>,
    add: &mut impl FnMut(i64, What),
) {
    let last = stream.events.len().saturating_sub(1);
    let answer = stream.answered && stream.answers.last().is_some_and(|ids| !ids.is_empty());
    let free = if answer { last } else { stream.events.len() };
    let to = if span.closed { span.end } else { i64::MAX };
    let within = marks.partition_point(|mark| *mark <= span.head) < marks.partition_point(|mark| *mark < to);
    let mut at = span.head;
    let mut begun = None;
    for number in 0..free {
        let ids = stream.answers.get(number).into_iter().flatten();
        let after = ids.filter_map(|id| {
            let starts = asked.get(id)?;
            starts.get(starts.partition_point(|start| *start < span.start))
        });
        if let Some(start) = after.max() {
            at = at.max(start.saturating_add(1)).min(to);
        }
        if within && begun != Some(at) {
            if let Some(before) = begun {
                add(before, What::Gap);
            }
            add(at, What::Gap);
            begun = Some(at);
        }
        add(at, What::Event(number));
    }
    if let Some(before) = begun {
        add(before, What::Gap);
    }
    if answer {
        add(span.end, What::Answer(last));
    }
}

/// An exchange without a time is taken to follow the one before it in the file.
fn spans(all: &[Exchange]) -> Vec<Span> {
    let mut last = i64::MIN;
    let span = |exchange: &Exchange| {
        let start = exchange.started.unwrap_or(last);
        last = start;
        let rounded = if exchange.exact_times { 0 } else { ROUNDED };
        let not_before = |time: Option<i64>, floor: i64| {
            time.map_or(floor, |time| time.saturating_sub(rounded).max(floor))
        };
        let head = not_before(exchange.answered, start);
        Span {
            start,
            head,
            end: not_before(exchange.ended, head),
            closed: exchange.ended.is_some(),
        }
    };
    all.iter().map(span).collect()
}
