//! Rules as JSON: what `wirelint rules --format json` lists.

use std::io;

use serde::Serialize;

use super::sheet::{RuleText, Sheet};
use crate::lang::ast::Party;
use crate::lang::program::{Parameter, Program, Reach, Rule};
use crate::model::ops::show_json;
use crate::report::json::write;

/// Writes all packs and rules as one document.
pub fn write_rules(program: &Program, text: &RuleText, out: &mut dyn io::Write) -> io::Result<()> {
    let packs = program.packs.iter().map(|pack| JsonPack {
        name: &pack.name,
        docs: pack.docs.trim(),
    });
    let sheets: Vec<Sheet> = program
        .rules
        .iter()
        .map(|rule| Sheet::new(rule, program, text))
        .collect();
    let rules = sheets.iter().map(JsonRule::new);
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
    parameters: Vec<JsonParameter<'a>>,
    written_in: Option<&'a str>,
    examples: Vec<JsonExample<'a>>,
    docs: &'a str,
}

#[derive(Serialize)]
struct JsonParameter<'a> {
    name: String,
    r#type: String,
    default: String,
    value: String,
    docs: &'a str,
}

#[derive(Serialize)]
struct JsonExample<'a> {
    outcome: &'static str,
    title: Option<&'a str>,
    text: String,
}

impl<'a> JsonRule<'a> {
    fn new(sheet: &'a Sheet<'a>) -> Self {
        let rule: &'a Rule = sheet.rule;
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
            parameters: sheet
                .parameters
                .iter()
                .map(|parameter| JsonParameter::new(parameter))
                .collect(),
            written_in: sheet.written_in.as_deref(),
            examples: sheet
                .examples
                .iter()
                .map(|example| JsonExample {
                    outcome: example.outcome.word(),
                    title: example.title,
                    text: example.lines.join("\n"),
                })
                .collect(),
            docs: rule.docs.trim(),
        }
    }
}

impl<'a> JsonParameter<'a> {
    fn new(parameter: &'a Parameter) -> Self {
        JsonParameter {
            name: format!("{}/{}", parameter.pack, parameter.name),
            r#type: parameter.ty.to_string(),
            default: show_json(&parameter.default),
            value: show_json(&parameter.value),
            docs: parameter.docs.trim(),
        }
    }
}
