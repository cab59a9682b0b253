//! `--session-by`: events get the session that an expression on their message says.
//!
//! A [`Builder`] of its own, for which all is one session, makes messages of the events, so that the expression sees what
//! a rule sees. What the expression says becomes the recorder's own session id, which wins over everything else. An
//! answer belongs to the session of its request unless it says more; where the expression says nothing, sessions are
//! found as ever.

use std::collections::HashMap;
use std::sync::Arc;

use super::env::Env;
use super::eval::{Evaluator, live};
use super::world::{HistoryLimits, World};
use crate::input::event::{Event, EventKind, Side};
use crate::json::{self, JsonKind};
use crate::lang::compile::Plan;
use crate::lang::program::SessionBy;
use crate::model::build::{Assumptions, Builder, Occurrence};
use crate::model::ops::show_json;
use crate::model::record::{Common, Exchange, Fact, Message, MessageKind, MessageRef, Ordinal, Record};
use crate::model::value::Value;

/// How many requests are remembered for their answers.
const ASKED: usize = 1 << 16;

/// Gives events their sessions.
pub(super) struct Regroup<'p> {
    plan: &'p Plan,
    by: &'p SessionBy,
    builder: Builder,
    /// Without any history: the expression looks at one message.
    world: World,
    /// The session of all, in the eyes of the builder.
    one: Arc<str>,
    /// Sessions of requests.
    asked: HashMap<Ordinal, Arc<str>>,
}

impl<'p> Regroup<'p> {
    pub(super) fn new(plan: &'p Plan, name: &str, assumptions: &Assumptions) -> Option<Regroup<'p>> {
        let by = plan.program.session_by.as_ref()?;
        Some(Regroup {
            plan,
            by,
            builder: Builder::new(name, assumptions.clone()),
            world: World::new(plan, false, HistoryLimits::default()),
            one: "all".into(),
            asked: HashMap::new(),
        })
    }

    /// Sets the session of an event.
    pub(super) fn event(&mut self, event: &mut Event) {
        let seen = Event {
            session: Some(Arc::clone(&self.one)),
            ..event.clone()
        };
        let mut happened = vec![];
        self.builder.push(seen, &mut happened);
        let opens = match event.kind {
            EventKind::HttpRequest { .. } | EventKind::Line { .. } | EventKind::Message { .. } => true,
            // What answers is of the session of what was asked.
            _ => return,
        };
        let mut found: Option<Arc<str>> = None;
        let mut bare = None;
        for occurrence in happened {
            match occurrence {
                Occurrence::Message(message) => {
                    let key = self.key(&message).or_else(|| self.key_of_request(&message));
                    self.remember(&message, key.as_ref());
                    found = found.or(key);
                }
                Occurrence::Exchange(exchange) => bare = Some(exchange),
                _ => {}
            }
        }
        // An exchange without a message is judged by its headers.
        if found.is_none()
            && let Some(exchange) = bare
        {
            found = message_of(&exchange).and_then(|message| self.key(&message));
        }
        if opens && found.is_some() {
            event.session = found;
        }
    }

    fn key(&mut self, message: &MessageRef) -> Option<Arc<str>> {
        self.world.memo.clear();
        let evaluator = Evaluator::new(self.plan, &self.world, 0, message.ordinal());
        let subject = Value::Record(live(Record::Message(message.clone())));
        match evaluator.value(&self.by.expr, &Env::of(&subject)) {
            Value::Missing | Value::Unknown(_) => None,
            value if value.json_kind() == Some(JsonKind::Null) => None,
            value => Some(show_json(&value).into()),
        }
    }

    fn key_of_request(&self, answer: &MessageRef) -> Option<Arc<str>> {
        let pair = answer.pair.as_ref()?;
        self.asked.get(&pair.request.common.ordinal).cloned()
    }

    fn remember(&mut self, request: &MessageRef, key: Option<&Arc<str>>) {
        if let (MessageKind::Request, Some(key)) = (request.message.kind, key) {
            if self.asked.len() >= ASKED {
                self.asked.clear();
            }
            self.asked.insert(request.ordinal(), Arc::clone(key));
        }
    }
}

/// A message that says nothing, with the headers of an exchange.
fn message_of(exchange: &Arc<Exchange>) -> Option<MessageRef> {
    let of = &exchange.common;
    let json = Arc::new(json::decode_all("{}", None).ok()?).root()?;
    let message = Message {
        common: Common {
            ordinal: of.ordinal,
            index: 0,
            time: of.time.clone(),
            transport: of.transport.clone(),
            revision: of.revision.clone(),
            session: Arc::clone(&of.session),
            keys: Arc::clone(&of.keys),
            derived: Default::default(),
        },
        kind: MessageKind::Malformed,
        json,
        sender: Fact::Is(Side::Client),
        exchange: Fact::Is(Arc::clone(exchange)),
        headers: None,
        status: None,
        event: None,
        batch: None,
    };
    Some(MessageRef {
        message: Arc::new(message),
        pair: None,
        orphan: None,
    })
}
