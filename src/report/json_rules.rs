//! Rules as JSON: what `wirelint rules --format json` lists.

use std::io;

use serde::Serialize;

use crate::lang::ast::Party;
use crate::lang::program::{Program, Reach, Rule};
use crate::report::json::write;

/// Writes all packs and rules as one document.
pub fn write_rules(program: &Program, out: &mut dyn io::Write) -> io::Result<()> {
    let packs = program.packs.iter().map(|pack| JsonPack {
        name: &pack.name,
        docs: pack.docs.trim(),
    });
    let rules = program.rules.iter().map(JsonRule::new);
    let all = JsonRules {
        packs: packs.collect(),
        rules: rules.collect(),
    };
    write(out, &all)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct JsonRules<'a> {
    packs: Vec<JsonPack<'a>>,
    rules: Vec<JsonRule<'a>>,
}

#[derive(Serialize)]
struct JsonPack<'a> {
    name: &'a str,
    docs: &'a str,
}

#[derive(Serialize)]
struct JsonRule<'a> {
    id: &'a str,
    level: &'static str,
    severity: &'static str,
    fault: Option<&'static str>,
    subject: &'static str,
    methods: Vec<&'a str>,
    revision: Vec<String>,
    scope: Vec<&'static str>,
    reach: &'static str,
    needs: &'a [&'static str],
    tags: &'a [String],
    sources: &'a [String],
    examples: usize,
    docs: &'a str,
}

impl<'a> JsonRule<'a> {
    fn new(rule: &'a Rule) -> Self {
        let bounds = rule
            .revision
            .iter()
            .map(|(op, revision)| format!("{} {revision}", op.sign()));
        JsonRule {
            id: &rule.id,
            level: rule.level.word(),
            severity: rule.severity.word(),
            fault: rule.fault.map(Party::word),
            subject: rule.subject.word(),
            methods: rule.methods.iter().map(|method| &**method).collect(),
            revision: bounds.collect(),
            scope: rule.scope.keys.iter().map(|key| key.word()).collect(),
            reach: match rule.needs.reach {
                Reach::Message => "message",
                Reach::Exchange => "exchange",
                Reach::Scope => "scope",
                Reach::Corpus => "corpus",
            },
            needs: &rule.needs.evidence,
            tags: &rule.tags,
            sources: &rule.sources,
            examples: rule.examples.len(),
            docs: rule.docs.trim(),
        }
    }
}
