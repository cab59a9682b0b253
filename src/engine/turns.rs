//! Which rules a record is judged by.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::circumstances::{Admission, Circumstances, admits};
use super::world::{side, transport};
use crate::input::event::{Side, Transport};
use crate::lang::compile::{Known, Plan, Special, specialise};
use crate::lang::program::RuleId;
use crate::model::protocol::is_revision;
use crate::model::record::{Fact, MessageKind, Record};
use crate::model::subject::{Attribute, Subject};

/// How many different circumstances are remembered: whoever writes a recording may make up methods.
const KNOWN: usize = 4096;

/// Behind so many records that are alike, rules are made for them: making them costs about as much as that.
pub(crate) const ALIKE: u32 = 24;

/// For how many circumstances rules are made at most. Real traffic has fewer; the rules take some megabytes then.
const MADE: usize = 128;

/// A rule that a record is to be judged by.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) rule: RuleId,
    pub(crate) admission: Admission,
    /// The rule for such records, once there were many of them.
    pub(crate) special: Option<Special>,
}

/// The rules for records that are alike.
struct Entry {
    met: u32,
    turns: Arc<[Turn]>,
}

/// The rules for records that are alike in subject, method, sender, transport and revision, found once for each.
pub(crate) struct Turns {
    /// Also those that are for other revisions: every outcome is asked for.
    all: bool,
    /// See [`ALIKE`].
    alike: u32,
    /// For how many circumstances rules were made.
    made: usize,
    known: HashMap<String, Entry>,
    key: String,
}

impl Turns {
    pub(crate) fn new(all: bool, alike: u32) -> Self {
        Turns {
            all,
            alike,
            made: 0,
            known: HashMap::new(),
            key: String::new(),
        }
    }

    /// The rules for a record, in their turn.
    pub(crate) fn of(&mut self, plan: &Plan, record: &Record, of: &Circumstances) -> Arc<[Turn]> {
        let subject = record.subject();
        self.spell(subject, of);
        if let Some(entry) = self.known.get_mut(&self.key) {
            entry.met = entry.met.saturating_add(1);
            if entry.met == self.alike && self.made < MADE {
                self.made += 1;
                let known = facts(subject, of);
                let turns = entry.turns.iter().map(|turn| special(plan, turn, &known));
                let wanted = |turn: &Turn| {
                    turn.admission != Admission::OtherRevision
                        || self.all
                        || plan.rules[turn.rule].premise.is_some()
                };
                entry.turns = turns.filter(wanted).collect();
            }
            return Arc::clone(&entry.turns);
        }
        let concerned = plan.dispatch.rules.get(&subject);
        let turns = concerned.into_iter().flatten().filter_map(|rule| {
            let admission = admits(&plan.program.rules[*rule], of);
            let wanted = match admission {
                Admission::Outside => false,
                Admission::OtherRevision => self.all || plan.rules[*rule].premise.is_some(),
                Admission::Inside | Admission::Perhaps => true,
            };
            wanted.then_some(Turn {
                rule: *rule,
                admission,
                special: None,
            })
        });
        let turns: Arc<[Turn]> = turns.collect();
        if self.known.len() >= KNOWN {
            self.known.clear();
            self.made = 0;
        }
        let entry = Entry {
            met: 0,
            turns: Arc::clone(&turns),
        };
        self.known.insert(self.key.clone(), entry);
        turns
    }

    fn spell(&mut self, subject: Subject, of: &Circumstances) {
        fn fact<T>(out: &mut String, fact: &Fact<T>, write: impl FnOnce(&mut String, &T)) {
            match fact {
                Fact::Is(value) => {
                    out.push('=');
                    write(out, value);
                }
                Fact::Missing => out.push('-'),
                Fact::Unknown(_) => out.push('?'),
            }
        }
        let key = &mut self.key;
        key.clear();
        key.push_str(subject.word());
        fact(key, &of.sender, |out, sender| {
            out.push(if *sender == Side::Client { 'c' } else { 's' })
        });
        fact(key, &of.transport, |out, transport| {
            out.push(if *transport == Transport::Http { 'h' } else { 's' })
        });
        // The lengths keep what was recorded apart from what stands around it.
        for text in [&of.method, &of.revision] {
            fact(key, text, |out, text| {
                let _ = write!(out, "{}:{text}", text.len());
            });
        }
    }
}

/// A rule for records with these facts.
fn special(plan: &Plan, turn: &Turn, known: &Known) -> Turn {
    let Turn { rule, admission, .. } = *turn;
    if admission != Admission::Inside {
        return Turn {
            rule,
            admission,
            special: None,
        };
    }
    let special = specialise(&plan.program.rules[rule], known);
    let admission = if special.is_some() {
        admission
    } else {
        Admission::OtherRevision
    };
    Turn {
        rule,
        admission,
        special,
    }
}

/// What circumstances say of the attributes of a record.
fn facts(subject: Subject, of: &Circumstances) -> Known {
    let mut known = Known::default();
    let mut fact = |attribute, value: Option<Arc<str>>| {
        known.values.extend(value.map(|value| (attribute, value)));
    };
    if subject.is_message() {
        let kind = match subject {
            Subject::Request => MessageKind::Request,
            Subject::Notification => MessageKind::Notification,
            Subject::Response => MessageKind::Response,
            _ => MessageKind::Malformed,
        };
        fact(Attribute::Kind, Some(kind.word().into()));
        fact(
            Attribute::Sender,
            of.sender.known().map(|sender| side(*sender).into()),
        );
        // The method of an answer is that of its request, not a member of its own.
        let own = of.method.known().filter(|_| subject != Subject::Response);
        fact(Attribute::Method, own.cloned());
    }
    if subject != Subject::Session {
        fact(
            Attribute::Transport,
            of.transport.known().map(|way| transport(*way).into()),
        );
        let revision = of.revision.known().filter(|revision| is_revision(revision));
        fact(Attribute::Revision, revision.cloned());
    }
    known
}
