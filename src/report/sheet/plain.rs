//! A rule on the terminal: what `wirelint explain` says.

use std::io::{self, Write};

use super::words::{reach, revisions, subject};
use super::{Sheet, json};

/// Writes what is known of a rule, for a terminal.
pub fn write_sheet(sheet: &Sheet, out: &mut dyn Write) -> io::Result<()> {
    let rule = sheet.rule;
    writeln!(out, "{}\n", rule.id)?;
    if !rule.docs.trim().is_empty() {
        writeln!(out, "{}\n", rule.docs.trim())?;
    }
    let mut line = |name: &str, text: &str| writeln!(out, "{name:>10}  {text}");
    match rule.level == rule.severity {
        true => line("level", rule.level.word())?,
        false => line(
            "level",
            &format!("{}, as written {}", rule.level.word(), rule.severity.word()),
        )?,
    }
    if let Some(fault) = rule.fault {
        line("fault", fault.word())?;
    }
    line("judges", &subject(rule))?;
    line("revisions", &revisions(rule))?;
    line("looks at", reach(rule))?;
    line(
        "needs",
        &match rule.needs.evidence.as_slice() {
            [] => "the messages alone".to_owned(),
            some => some.join(", "),
        },
    )?;
    if !rule.tags.is_empty() {
        line("tags", &rule.tags.join(", "))?;
    }
    for (number, source) in rule.sources.iter().enumerate() {
        line(if number == 0 { "source" } else { "" }, source)?;
    }
    if let Some(place) = &sheet.written_in {
        line("written in", place)?;
    }
    if !sheet.parameters.is_empty() {
        writeln!(out, "\nParameters")?;
    }
    for parameter in &sheet.parameters {
        write!(out, "  {} = {}", parameter.name, json(&parameter.value))?;
        if json(&parameter.value) != json(&parameter.default) {
            write!(out, " (by default {})", json(&parameter.default))?;
        }
        writeln!(out)?;
        for text in parameter.docs.trim().lines() {
            writeln!(out, "    {text}")?;
        }
    }
    if !sheet.examples.is_empty() {
        writeln!(out, "\nExamples")?;
    }
    for example in &sheet.examples {
        for text in &example.lines {
            writeln!(out, "  {text}")?;
        }
    }
    Ok(())
}
