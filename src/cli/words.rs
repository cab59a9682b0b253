//! What a rule is, in words for people.

use crate::input::event::{Side, Transport};
use crate::lang::ast::{BinaryOp, Level, Party};
use crate::lang::program::{Reach, Rule};

/// A level, as in rule files.
pub(super) fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
        Level::Off => "off",
    }
}

/// A party, as in rule files.
pub(super) fn party(party: Party) -> &'static str {
    match party {
        Party::Client => "client",
        Party::Server => "server",
        Party::Intermediary => "intermediary",
        Party::Recorder => "recorder",
        Party::Sender => "sender",
        Party::Receiver => "receiver",
    }
}

/// `>= 2025-06-18 and < 2026-07-28`
pub(super) fn revisions(rule: &Rule) -> String {
    let bounds = rule.revision.iter().map(|(op, revision)| {
        let op = match op {
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            _ => "==",
        };
        format!("{op} {revision}")
    });
    match bounds.collect::<Vec<_>>().join(" and ") {
        all if all.is_empty() => "all".to_owned(),
        some => some,
    }
}

/// How far a rule looks.
pub(super) fn reach(rule: &Rule) -> &'static str {
    match rule.needs.reach {
        Reach::Message => "what it judges, alone",
        Reach::Exchange => "what it judges, its exchange, and the message that answers it or is answered",
        Reach::Scope => "all of its scope",
        Reach::Corpus => "all recordings",
    }
}

/// `request of "initialize" from client over http`
pub(super) fn subject(rule: &Rule) -> String {
    let mut out = rule.subject.word().to_owned();
    for (number, method) in rule.methods.iter().enumerate() {
        out.push_str(if number == 0 { " of " } else { " or " });
        out.push_str(&format!("\"{method}\""));
    }
    match rule.from {
        Some(Side::Client) => out.push_str(" from client"),
        Some(Side::Server) => out.push_str(" from server"),
        None => {}
    }
    match rule.over {
        Some(Transport::Http) => out.push_str(" over http"),
        Some(Transport::Stdio) => out.push_str(" over stdio"),
        None => {}
    }
    let keys: Vec<&str> = rule.scope.keys.iter().map(|key| key.word()).collect();
    if rule.needs.reach >= Reach::Scope && keys != ["session"] {
        out.push_str(&format!(", among all of the same {}", keys.join(" and ")));
    }
    out
}
