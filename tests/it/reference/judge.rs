//! How a rule judges a record (S5, S6).

use std::sync::Arc;

use wirelint::input::event::{Side, Transport};
use wirelint::lang::ast::{BinaryOp, Outcome, VerdictKind};
use wirelint::lang::program::{Clause, Rule};
use wirelint::model::protocol::{is_revision, list_method};
use wirelint::model::record::{END, Fact, MessageKind, Record};

use super::attributes::session_revision;
use super::eval::{Asker, Frame, Reference, live};
use super::facts::place;
use super::operators::{and, conjunction, holds, not};
use super::value::Truth;

/// What the gates above say, if none is false: `true`, or `None` if one is unknown, the rule declines, or the element is
/// only perhaps there.
type Open = Truth;

impl<'p> Reference<'p> {
    pub fn judge(&self, rule: usize, record: &Record) -> Outcome {
        let rule = &self.program.rules[rule];
        if !record.subject().is_a(rule.subject) {
            return Outcome::NotApplicable;
        }
        let asker = Asker {
            scope: &rule.scope,
            now: place(record),
            horizon: END,
        };
        let mut frame = Frame::new(rule.slots);
        frame.set(0, live(record));
        let on = [
            self.revision(rule, record),
            method(rule, record),
            fact(rule.from, &sender(record)),
            fact(rule.over, &transport(record)),
        ];
        let mut open = conjunction(on);
        if open != Some(false)
            && let Some(guard) = &rule.guard
        {
            open = and(open, self.truth(&asker, guard, &mut frame));
        }
        if open == Some(false) {
            return Outcome::NotApplicable;
        }
        let mut outcomes = vec![];
        self.clauses(&asker, rule, 0, open, &mut frame, &mut outcomes);
        // In this order of precedence over its elements.
        [Outcome::Failed, Outcome::Undecided, Outcome::Passed]
            .into_iter()
            .find(|outcome| outcomes.contains(outcome))
            .unwrap_or(Outcome::NotApplicable)
    }

    fn clauses(
        &self,
        asker: &Asker,
        rule: &'p Rule,
        at: usize,
        open: Open,
        frame: &mut Frame<'p>,
        out: &mut Vec<Outcome>,
    ) {
        let Some(clause) = rule.clauses.get(at) else {
            out.push(match open {
                Some(_) => self.verdicts(asker, rule, frame),
                None => Outcome::Undecided,
            });
            return;
        };
        match clause {
            Clause::Let { slot, value } => {
                frame.define(*slot, value);
                self.clauses(asker, rule, at + 1, open, frame, out);
            }
            Clause::When(condition) => {
                let open = and(open, self.truth(asker, condition, frame));
                if open != Some(false) {
                    self.clauses(asker, rule, at + 1, open, frame, out);
                }
            }
            // True or unknown makes the verdict undecided; it is no gate.
            Clause::Undecided { condition, .. } => {
                let declines = self.truth(asker, condition, frame) != Some(false);
                let open = if declines { None } else { open };
                self.clauses(asker, rule, at + 1, open, frame, out);
            }
            Clause::For { slot, list, guard } => {
                let rest = &rule.clauses[at + 1..];
                let bare = rule.verdicts[0].condition.is_none();
                if bare && !rest.iter().any(|clause| matches!(clause, Clause::For { .. })) {
                    // If no element reaches a bare report, the subject has passed; gates before decide applicability.
                    out.push(if open.is_some() {
                        Outcome::Passed
                    } else {
                        Outcome::Undecided
                    });
                }
                let value = self.value(asker, list, frame);
                if value.is_unknown() {
                    out.push(Outcome::Undecided);
                }
                let list = value.as_list().unwrap_or_default();
                for item in &list.items {
                    frame.set(*slot, item.value.clone());
                    let there = if item.perhaps { None } else { Some(true) };
                    let guard = guard.as_ref().map_or(Some(true), |e| self.truth(asker, e, frame));
                    let open = and(and(open, there), guard);
                    if open != Some(false) {
                        self.clauses(asker, rule, at + 1, open, frame, out);
                    }
                }
                if list.is_incomplete() {
                    out.push(Outcome::Undecided);
                }
            }
        }
    }

    /// The conjunction of the verdicts; a bare report has failed.
    fn verdicts(&self, asker: &Asker, rule: &'p Rule, frame: &mut Frame<'p>) -> Outcome {
        let mut all = Some(true);
        for verdict in &rule.verdicts {
            let holds = match &verdict.condition {
                None => Some(false),
                Some((VerdictKind::Require, e)) => self.truth(asker, e, frame),
                Some((VerdictKind::Forbid, e)) => not(self.truth(asker, e, frame)),
            };
            all = and(all, holds);
        }
        match all {
            Some(true) => Outcome::Passed,
            Some(false) => Outcome::Failed,
            None => Outcome::Undecided,
        }
    }

    /// What is no date is unknown, never newer.
    fn revision(&self, rule: &Rule, record: &Record) -> Truth {
        let revision = match record {
            Record::Session(session) => session_revision(self.facts, session, END),
            _ => record
                .common()?
                .revision
                .known()
                .map(|revision| revision.to_string()),
        };
        if rule.revision.is_empty() {
            return Some(true);
        }
        let revision = revision.filter(|revision| is_revision(revision))?;
        let bounds = rule.revision.iter();
        let mut all = bounds.map(|(op, bound): &(BinaryOp, Arc<str>)| holds(*op, (*revision).cmp(&**bound)));
        Some(all.all(|within| within))
    }
}

/// Whether a fact is as `on` asks for.
fn fact<T: PartialEq>(wanted: Option<T>, is: &Fact<T>) -> Truth {
    match (wanted, is) {
        (None, _) => Some(true),
        (Some(wanted), Fact::Is(is)) => Some(wanted == *is),
        (Some(_), Fact::Missing) => Some(false),
        (Some(_), Fact::Unknown(_)) => None,
    }
}

/// The method of a message, of a response that of its request.
fn method(rule: &Rule, record: &Record) -> Truth {
    if rule.methods.is_empty() {
        return Some(true);
    }
    let own = match record {
        Record::Message(m) if m.message.kind == MessageKind::Response => match (&m.pair, &m.orphan) {
            (Some(pair), _) => pair.request.json.member("method"),
            (None, Some(_)) => return None,
            (None, None) => None,
        },
        Record::Message(m) => m.message.json.member("method"),
        Record::Exchange(e) => return Some(rule.methods.contains(&e.method)),
        Record::Listing(l) => return Some(rule.methods.iter().any(|m| **m == *list_method(l.kind))),
        _ => None,
    };
    let is = own.as_ref().and_then(|method| method.as_str());
    Some(is.is_some_and(|is| rule.methods.iter().any(|m| **m == *is)))
}

fn sender(record: &Record) -> Fact<Side> {
    match record {
        Record::Message(m) => m.message.sender.clone(),
        Record::Frame(f) => f.sender.clone(),
        Record::Exchange(_) => Fact::Is(Side::Client),
        Record::Listing(_) | Record::Entry(_) => Fact::Is(Side::Server),
        Record::Session(_) => Fact::Missing,
    }
}

fn transport(record: &Record) -> Fact<Transport> {
    match record {
        Record::Session(session) => session.transport.clone(),
        _ => record.common().unwrap().transport.clone(),
    }
}
