//! Which response answers which request.
//!
//! Ids are compared with their type and per sender. Over HTTP the request of the same exchange comes first: clients
//! that keep no session use an id again in the next exchange.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::Occurrence;
use crate::input::event::Side;
use crate::json::{Json, JsonKind};
use crate::model::record::{Fact, Message, Ordinal, Pair, Session};

/// A session, the side that asked (unknown: `None`), and the id.
type Key = (Ordinal, Option<Side>, Id);

/// An id with its type; numbers by exact value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Id {
    Text(String),
    Number(String),
    Other(String),
}

impl Id {
    /// The id of a message, or that a notification names; `None` for `null`, which names nothing.
    pub(super) fn of(json: &Json) -> Option<Id> {
        match json.kind() {
            JsonKind::Null => None,
            JsonKind::Text => json.as_str().map(|s| Id::Text(s.to_owned())),
            JsonKind::Number => json.as_number().map(|n| Id::Number(n.canonical())),
            _ => Some(Id::Other(json.to_text())),
        }
    }
}

/// Open and recently answered requests. A pair leaves when its id is used again or its session ends; an answered one
/// stays for a while so that a second answer finds it.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    by_id: HashMap<Key, Arc<Pair>>,
    answered: VecDeque<(Arc<Pair>, usize)>,
    bytes: usize,
}

/// How much of answered requests is kept, in bytes and in number.
const ANSWERED_BYTES: usize = 8 << 20;
const ANSWERED: usize = 4096;

fn key_of(request: &Message) -> Option<Key> {
    let id = request.json.member("id").as_ref().and_then(Id::of)?;
    Some((
        request.common.session.ordinal,
        request.sender.known().copied(),
        id,
    ))
}

impl Pairs {
    /// A request passes.
    pub(super) fn ask(&mut self, request: Arc<Message>) -> Arc<Pair> {
        let key = key_of(&request);
        let pair = Arc::new(Pair::new(request));
        if let Some(key) = key {
            self.by_id.insert(key, Arc::clone(&pair));
        }
        pair
    }

    /// A request was answered: it makes room for others by and by.
    pub(super) fn answered(&mut self, pair: &Arc<Pair>) {
        let responses = pair.responses(crate::model::record::END);
        let size = pair.request.json.document().size()
            + responses.iter().map(|r| r.json.document().size()).sum::<usize>();
        self.bytes += size;
        self.answered.push_back((Arc::clone(pair), size));
        while self.bytes > ANSWERED_BYTES || self.answered.len() > ANSWERED {
            let Some((pair, size)) = self.answered.pop_front() else {
                break;
            };
            self.bytes -= size;
            if let Some(key) = key_of(&pair.request)
                && self
                    .by_id
                    .get(&key)
                    .is_some_and(|current| Arc::ptr_eq(current, &pair))
            {
                self.by_id.remove(&key);
            }
        }
    }

    /// The request that a message with this id, sent by `sender`, answers.
    pub(super) fn find(&self, session: &Session, sender: &Fact<Side>, id: &Id) -> Option<Arc<Pair>> {
        let asked_by = |side| self.by_id.get(&(session.ordinal, side, id.clone())).cloned();
        match sender.known() {
            Some(side) => asked_by(Some(side.other())).or_else(|| asked_by(None)),
            None => asked_by(Some(Side::Client))
                .or_else(|| asked_by(Some(Side::Server)))
                .or_else(|| asked_by(None)),
        }
    }

    /// The request that its own sender withdraws.
    pub(super) fn own(&self, session: &Session, sender: &Fact<Side>, id: &Id) -> Option<Arc<Pair>> {
        self.by_id
            .get(&(session.ordinal, sender.known().copied(), id.clone()))
            .cloned()
    }

    /// No more answers come in a session.
    pub(super) fn end_session(&mut self, session: &Session, at: Ordinal, out: &mut Vec<Occurrence>) {
        let mut left: Vec<Arc<Pair>> = vec![];
        self.by_id.retain(|(of, _, _), pair| {
            if *of == session.ordinal {
                left.push(Arc::clone(pair));
            }
            *of != session.ordinal
        });
        left.sort_by_key(|pair| pair.request.common.ordinal);
        for pair in left.into_iter().filter(|pair| pair.is_open(at)) {
            pair.give_up(at);
            out.push(Occurrence::Unanswered(pair));
        }
    }
}
