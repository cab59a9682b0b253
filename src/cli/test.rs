//! `wirelint test`: rules are tried on their own examples.

use std::io::Write;

use super::args::Test;
use super::examples::{self, Trial};
use super::load::{self, Bundled, Loaded};
use super::output::Output;
use super::{FOUND, GOOD, Stop, choose};
use crate::diagnostic::{Diagnostic, Label};
use crate::input::locate;
use crate::lang::ast::Outcome;
use crate::lang::check::{Settings, audit};
use crate::lang::program::{Program, RuleId};
use crate::place::Place;
use crate::report::render_diagnostic;
use crate::source::Span;

pub(super) fn run(test: &Test, output: &mut Output) -> Result<u8, Stop> {
    let paths: Vec<_> = test.paths.iter().chain(&test.selection.rules).cloned().collect();
    let bundled = test.paths.is_empty();
    let read = match bundled {
        true => Bundled::Whole,
        false => Bundled::WithoutExamples,
    };
    let loaded = load::load(&paths, read)?;
    let (program, warnings) = match load::program(&loaded, &Settings::default()) {
        Ok(checked) => checked,
        Err(faults) => return Err(loaded.stop(faults)),
    };
    let mut faults = warnings;
    faults.retain(|warning| {
        let first = warning.labels.first();
        first.is_none_or(|label| loaded.is_bundled(label.span.source) == bundled)
    });
    if bundled {
        faults.extend(audit(&loaded.files[..loaded.bundled]));
    }
    let rules = chosen(test, &loaded, &program)?;
    let mut seen = 0;
    let tried = examples::run(&loaded, &program, &rules, |trial| {
        seen += 1;
        if !trial.holds() {
            faults.push(difference(&trial, &loaded));
        }
    });
    if let Err(faults) = tried {
        return Err(loaded.stop(faults));
    }
    let mut bad = 0;
    for fault in &faults {
        // What comes with the program has to be without warnings.
        bad += usize::from(bundled || load::is_error(fault));
        let text = render_diagnostic(fault, &loaded.sources, &output.style);
        writeln!(output.out, "{text}")?;
    }
    if !output.quiet {
        let wrong = faults.iter().filter(|fault| fault.code == CODE).count();
        writeln!(output.out, "{}", summary(seen, rules.len(), wrong, bad - wrong))?;
    }
    Ok(if bad == 0 { GOOD } else { FOUND })
}

/// The last line.
fn summary(examples: usize, rules: usize, wrong: usize, lacks: usize) -> String {
    let many = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let mut out = match examples {
        0 => format!("nothing was tested: no example in {}", many(rules, "rule")),
        n => format!("ran {} of {}", many(n, "example"), many(rules, "rule")),
    };
    match (examples, wrong) {
        (0, _) => {}
        (_, 0) => out.push_str(": all came out as they say"),
        (_, n) => out.push_str(&format!(": {n} did not come out as they say")),
    }
    if lacks > 0 {
        out.push_str(&format!("; {}", many(lacks, "other fault")));
    }
    out
}

/// The rules whose examples are run: of the files given, else the bundled ones.
fn chosen(test: &Test, loaded: &Loaded, program: &Program) -> Result<Vec<RuleId>, Vec<Diagnostic>> {
    let mut program = program.clone();
    for rule in &mut program.rules {
        rule.level = rule.severity.max(crate::lang::ast::Level::Note);
    }
    choose::choose(&mut program, &test.selection)?;
    let rules = program.rules.iter().enumerate().filter(|(_, rule)| {
        let wanted = test.paths.is_empty() == loaded.is_bundled(rule.span.source);
        wanted && rule.level != crate::lang::ast::Level::Off
    });
    Ok(rules.map(|(id, _)| id).collect())
}

const CODE: &str = "example-differs";

/// What is to be said of an example that does not show what it says.
fn difference(trial: &Trial<'_>, loaded: &Loaded) -> Diagnostic {
    let says = match trial.example.outcome {
        Outcome::Passed => "should pass here",
        Outcome::Failed => "should fail here",
        Outcome::NotApplicable => "should not apply here",
        Outcome::Undecided => "should be undecided here",
    };
    let came = match trial.outcome() {
        Outcome::Passed => "it passes",
        Outcome::Failed => "it fails",
        Outcome::NotApplicable if trial.report.outcomes.is_empty() => "nothing here is what it is about",
        Outcome::NotApplicable => "it does not apply",
        Outcome::Undecided => "it is undecided",
    };
    let message = format!("`{}` {says}, and {came}", trial.rule.id);
    let mut out = Diagnostic::error(CODE, message).at(head(trial, loaded));
    for finding in &trial.report.findings {
        let mut text = Some(format!("{}: {}", word(finding.level), finding.message));
        for mark in &finding.labels {
            let span = span_of(&mark.place, trial.example.span, loaded);
            let text = text.take().or_else(|| mark.text.clone());
            out.labels.push(Label { span, text });
        }
        if let Some(text) = text {
            out = out.label(head(trial, loaded), text);
        }
    }
    let counted = [
        (Outcome::Passed, "passed"),
        (Outcome::Failed, "failed"),
        (Outcome::Undecided, "undecided"),
        (Outcome::NotApplicable, "not applicable"),
    ];
    let counted = counted
        .iter()
        .filter_map(|(outcome, word)| match trial.count(*outcome) {
            0 => None,
            n => Some(format!("{n} {word}")),
        });
    let counted: Vec<String> = counted.collect();
    let mut help = match counted.as_slice() {
        [] => "no subject".to_owned(),
        some => format!("subjects: {}", some.join(", ")),
    };
    for reason in trial.reasons() {
        help.push_str(&format!("; undecided because {reason}"));
    }
    out.help(help)
}

fn word(level: crate::lang::ast::Level) -> &'static str {
    use crate::lang::ast::Level;
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note | Level::Off => "note",
    }
}

/// The first line of an example.
fn head(trial: &Trial<'_>, loaded: &Loaded) -> Span {
    let whole = trial.example.span;
    let text = loaded.sources.slice(whole);
    let line = text.lines().next().unwrap_or(text).trim_end_matches(['{', ' ']);
    Span::new(
        whole.source,
        whole.start as usize,
        whole.start as usize + line.len(),
    )
}

/// Where a place of an example stands in its rule file: exact in what stands on one line.
fn span_of(place: &Place, example: Span, loaded: &Loaded) -> Span {
    let start = usize::try_from(place.record.offset).unwrap_or(usize::MAX);
    let length = place.record.length as usize;
    let whole = Span::new(example.source, start, start + length);
    let text = loaded.sources.slice(whole);
    if text.contains('\n') || place.outer.starts_with("/headers") {
        return first_line(whole, text);
    }
    match locate::locate(text.as_bytes(), place) {
        Some(found) => Span::new(example.source, start + found.start, start + found.end),
        None => whole,
    }
}

fn first_line(whole: Span, text: &str) -> Span {
    let line = text.lines().next().unwrap_or(text);
    let start = whole.start as usize;
    Span::new(whole.source, start, start + line.len())
}
