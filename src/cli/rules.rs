//! `wirelint rules`: packs and rules, with what each needs.

use std::io::{self, Write};

use super::args::{List, ListFormat};
use super::output::Output;
use super::{GOOD, Stop, choose, load};
use crate::input::{Evidence, InputFormat};
use crate::lang::ast::{Level, Party};
use crate::lang::program::{Program, Rule};
use crate::report::{FormatEntry, RuleText, revisions, write_inputs, write_rules};

pub(super) fn run(list: &List, output: &mut Output) -> Result<u8, Stop> {
    if list.inputs {
        inputs(list.format, output)?;
        return Ok(GOOD);
    }
    let (loaded, mut program, warnings) =
        load::all(&list.selection.rules, load::Bundled::Whole, &list.tuning, None)?;
    choose::choose(&mut program, &list.selection)?;
    // What was not asked for is not listed; without a choice, what is off is.
    if !list.selection.select.is_empty() {
        program.rules.retain(|rule| rule.level != Level::Off);
    }
    match list.format {
        ListFormat::Json => {
            let text = RuleText {
                files: &loaded.files,
                sources: &loaded.sources,
            };
            write_rules(&program, &text, &mut output.out)?;
        }
        ListFormat::Human => write(&program, output.quiet, &mut output.out)?,
    }
    output.diagnostics(&warnings, &Default::default());
    Ok(GOOD)
}

/// Lists the formats of recordings.
fn inputs(format: ListFormat, output: &mut Output) -> io::Result<()> {
    let entry = |format: InputFormat| FormatEntry {
        name: format.name(),
        title: format.title(),
        evidence: format
            .evidence()
            .iter()
            .map(|evidence: &Evidence| evidence.word())
            .collect(),
    };
    let all: Vec<FormatEntry> = InputFormat::all().map(entry).collect();
    let out = &mut output.out;
    if format == ListFormat::Json {
        return write_inputs(&all, out);
    }
    let names = all.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let titles = all.iter().map(|entry| entry.title.len()).max().unwrap_or(0);
    for entry in &all {
        if output.quiet {
            writeln!(out, "{}", entry.name)?;
        } else {
            let evidence = entry.evidence.join(", ");
            let text = format!("{:<names$}  {:<titles$}  {evidence}", entry.name, entry.title);
            writeln!(out, "{}", text.trim_end())?;
        }
    }
    Ok(())
}

fn write(program: &Program, quiet: bool, out: &mut dyn Write) -> io::Result<()> {
    if quiet {
        for rule in &program.rules {
            writeln!(out, "{}", rule.id)?;
        }
        return Ok(());
    }
    let widest = |of: fn(&Rule) -> usize| program.rules.iter().map(of).max().unwrap_or(0);
    let names = widest(|rule| rule.name.len());
    let bounds = widest(|rule| revisions(rule).len());
    let mut packs = 0;
    for pack in &program.packs {
        let rules: Vec<&Rule> = program
            .rules
            .iter()
            .filter(|rule| rule.pack == pack.name)
            .collect();
        if rules.is_empty() {
            continue;
        }
        packs += 1;
        let about = pack.docs.trim().lines().next().unwrap_or("");
        let about = if about.is_empty() {
            String::new()
        } else {
            format!(": {about}")
        };
        writeln!(out, "{}{about}", pack.name)?;
        for rule in rules {
            let needs = rule.needs.evidence.join(", ");
            let text = format!(
                "  {:<names$}  {:<7}  {:<12}  {:<bounds$}  {needs}",
                rule.name,
                rule.level.word(),
                rule.fault.map_or("", Party::word),
                revisions(rule),
            );
            writeln!(out, "{}", text.trim_end())?;
        }
        writeln!(out)?;
    }
    let off = program
        .rules
        .iter()
        .filter(|rule| rule.level == Level::Off)
        .count();
    let many = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    write!(
        out,
        "{} in {}",
        many(program.rules.len(), "rule"),
        many(packs, "pack")
    )?;
    match off {
        0 => writeln!(out),
        n => writeln!(out, ", {n} off"),
    }
}
