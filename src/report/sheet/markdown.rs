//! The page of a pack in the reference.

use std::fmt::Write as _;

use super::words::{reach, revisions, subject};
use super::{ExampleText, Sheet, json};
use crate::lang::ast::{Level, Outcome};
use crate::lang::program::Pack;

/// The page of a pack, in Markdown: every rule with what it says, what it needs, and an example of each kind.
pub fn write_pack_page(pack: &Pack, sheets: &[Sheet]) -> String {
    let mut out = format!("# `{}`\n\n{}\n\n", pack.name, pack.docs.trim());
    let _ = writeln!(out, "| rule | level | fault | revisions |\n|---|---|---|---|");
    for sheet in sheets {
        let rule = sheet.rule;
        let fault = rule.fault.map_or("", |party| party.word());
        let _ = writeln!(
            out,
            "| [`{0}`](#{0}) | {1} | {fault} | {2} |",
            rule.name,
            level(rule.severity),
            revisions(rule)
        );
    }
    for sheet in sheets {
        write_rule(sheet, &mut out);
    }
    out
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Off => "off unless selected",
        level => level.word(),
    }
}

fn write_rule(sheet: &Sheet, out: &mut String) {
    let rule = sheet.rule;
    let _ = write!(out, "\n## {}\n\n{}\n\n", rule.name, rule.docs.trim());
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "- {name}: {text}");
    };
    line("level", level(rule.severity).to_owned());
    if let Some(fault) = rule.fault {
        line("fault", fault.word().to_owned());
    }
    line("judges", subject(rule));
    line("revisions", revisions(rule));
    line("looks at", reach(rule).to_owned());
    if !rule.needs.evidence.is_empty() {
        line("needs", rule.needs.evidence.join(", "));
    }
    if !rule.tags.is_empty() {
        line("tags", rule.tags.join(", "));
    }
    for source in &rule.sources {
        line("source", format!("`{source}`"));
    }
    for parameter in &sheet.parameters {
        let docs: Vec<&str> = parameter
            .docs
            .lines()
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .collect();
        line(
            "parameter",
            format!(
                "`{} = {}`: {}",
                parameter.name,
                json(&parameter.default),
                docs.join(" ")
            ),
        );
    }
    let mut shown = 0;
    for outcome in [Outcome::Failed, Outcome::Passed] {
        if let Some(example) = sheet.examples.iter().find(|example| example.outcome == outcome) {
            write_example(example, out);
            shown += 1;
        }
    }
    let more = sheet.examples.len().saturating_sub(shown);
    if more > 0 {
        let _ = writeln!(
            out,
            "\n`wirelint explain {}` shows {more} more {}.",
            rule.name,
            if more == 1 { "example" } else { "examples" }
        );
    }
}

fn write_example(example: &ExampleText, out: &mut String) {
    let _ = writeln!(out, "\n```");
    for text in &example.lines {
        let _ = writeln!(out, "{text}");
    }
    let _ = writeln!(out, "```");
}
