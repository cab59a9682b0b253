//! What a rule is, in words for people.

use crate::input::event::{Side, Transport};
use crate::lang::program::{Reach, Rule};

/// `>= 2025-06-18 and < 2026-07-28`
pub fn revisions(rule: &Rule) -> String {
    let bounds = rule
        .revision
        .iter()
        .map(|(op, revision)| format!("{} {revision}", op.sign()));
    match bounds.collect::<Vec<_>>().join(" and ") {
        all if all.is_empty() => "all".to_owned(),
        some => some,
    }
}

/// How far a rule looks.
pub fn reach(rule: &Rule) -> &'static str {
    match rule.needs.reach {
        Reach::Message => "what it judges, alone",
        Reach::Exchange => "what it judges, its exchange, and the message that answers it or is answered",
        Reach::Scope => "all of its scope",
        Reach::Corpus => "all recordings",
    }
}

/// `request of "initialize" from client over http`
pub fn subject(rule: &Rule) -> String {
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
