//! What decides of a rule and a record before any expression is evaluated: subject, method, sender, transport, revision.

use std::sync::Arc;

use crate::input::event::{Side, Transport};
use crate::json::JsonView;
use crate::lang::ast::BinaryOp;
use crate::lang::program::Rule;
use crate::model::ops;
use crate::model::protocol::{self, is_revision};
use crate::model::record::{END, Fact, Message, MessageKind, Record};
use crate::model::unknown::Reason;
use crate::model::value::Truth;

/// What `on` asks of a record, found out once for all rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Circumstances {
    pub(crate) method: Fact<Arc<str>>,
    pub(crate) sender: Fact<Side>,
    pub(crate) transport: Fact<Transport>,
    pub(crate) revision: Fact<Arc<str>>,
}

impl Circumstances {
    pub(crate) fn of(subject: &Record) -> Self {
        Circumstances {
            method: method_of(subject),
            sender: sender_of(subject),
            transport: transport_of(subject),
            revision: match subject {
                Record::Session(session) => {
                    let revision = session.revision(END);
                    revision.map_or(Fact::Unknown(Reason::Revision.into()), Fact::Is)
                }
                other => other
                    .common()
                    .map_or(Fact::Missing, |common| common.revision.clone()),
            },
        }
    }
}

/// Whether a rule's `on` may let a subject in; if not, the rule is not applicable to it.
pub(crate) fn concerns(rule: &Rule, subject: &Record) -> bool {
    subject.subject().is_a(rule.subject) && on(rule, &Circumstances::of(subject)).is_some()
}

/// Whether the parts of `on` that need no expression let a subject in: method, side, transport. `None` if one says no.
pub(super) fn on(rule: &Rule, of: &Circumstances) -> Option<Truth> {
    let mut truth = Truth::True;
    if !rule.methods.is_empty() {
        match &of.method {
            Fact::Is(method) if rule.methods.contains(method) => {}
            Fact::Is(_) | Fact::Missing => return None,
            Fact::Unknown(reasons) => truth = Truth::Unknown(reasons.clone()),
        }
    }
    if let Some(from) = rule.from {
        match &of.sender {
            Fact::Is(side) if *side == from => {}
            Fact::Is(_) | Fact::Missing => return None,
            Fact::Unknown(reasons) => truth = ops::and(truth, Truth::Unknown(reasons.clone())),
        }
    }
    if let Some(over) = rule.over {
        match &of.transport {
            Fact::Is(transport) if *transport == over => {}
            Fact::Is(_) | Fact::Missing => return None,
            Fact::Unknown(reasons) => truth = ops::and(truth, Truth::Unknown(reasons.clone())),
        }
    }
    Some(truth)
}

/// What circumstances alone say of a rule and a subject.
pub(crate) fn admits(rule: &Rule, of: &Circumstances) -> Admission {
    let Some(let_in) = on(rule, of) else {
        return Admission::Outside;
    };
    match (revision(rule, &of.revision), let_in) {
        (Truth::False, _) => Admission::OtherRevision,
        (Truth::True, Truth::True) => Admission::Inside,
        _ => Admission::Perhaps,
    }
}

/// What [`admits`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// `on` does not let it in.
    Outside,
    /// The rule is for other revisions.
    OtherRevision,
    /// The rule is to be evaluated.
    Inside,
    /// The same, but the circumstances are not all known.
    Perhaps,
}

/// The method of a request or notification; of a response that of its request.
fn method_of(subject: &Record) -> Fact<Arc<str>> {
    let of = |message: &Message| match message.json.view().member("method").and_then(JsonView::as_str) {
        Some(method) => Fact::Is(method.into()),
        None => Fact::Missing,
    };
    match subject {
        Record::Message(m) if m.message.kind == MessageKind::Response => match (&m.pair, &m.orphan) {
            (Some(pair), _) => of(&pair.request),
            (None, Some(reasons)) => Fact::Unknown(reasons.clone()),
            (None, None) => Fact::Missing,
        },
        Record::Message(m) => of(&m.message),
        Record::Exchange(e) => Fact::Is(Arc::clone(&e.method)),
        Record::Listing(l) => Fact::Is(protocol::list_method(l.kind).into()),
        _ => Fact::Missing,
    }
}

/// Who sent a record.
pub(super) fn sender_of(subject: &Record) -> Fact<Side> {
    match subject {
        Record::Message(m) => m.message.sender.clone(),
        Record::Frame(f) => f.sender.clone(),
        Record::Exchange(_) => Fact::Is(Side::Client),
        Record::Listing(_) | Record::Entry(_) => Fact::Is(Side::Server),
        Record::Session(_) => Fact::Missing,
    }
}

fn transport_of(subject: &Record) -> Fact<Transport> {
    match subject {
        Record::Session(session) => session.transport.clone(),
        other => other
            .common()
            .map_or(Fact::Missing, |common| common.transport.clone()),
    }
}

/// Whether a subject is of one of the revisions that a rule is for. What is no date is unknown, never newer.
pub(super) fn revision(rule: &Rule, revision: &Fact<Arc<str>>) -> Truth {
    if rule.revision.is_empty() {
        return Truth::True;
    }
    let revision = match revision {
        Fact::Is(revision) if is_revision(revision) => revision,
        Fact::Unknown(reasons) => return Truth::Unknown(reasons.clone()),
        Fact::Is(_) | Fact::Missing => return Truth::Unknown(Reason::Revision.into()),
    };
    let holds = rule.revision.iter().all(|(op, bound)| match op {
        BinaryOp::Less => **revision < **bound,
        BinaryOp::LessEqual => **revision <= **bound,
        BinaryOp::Greater => **revision > **bound,
        BinaryOp::GreaterEqual => **revision >= **bound,
        _ => revision == bound,
    });
    holds.into()
}
