//! `wirelint check`: recordings in, findings out.

use std::collections::BTreeSet;

use super::args::{AtFault, Check};
use super::opened::{self, Opened};
use super::output::Output;
use super::{FOUND, GOOD, STOPPED, Stop, choose, follow, load};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::finding::{Finding, Summary, Unchecked};
use crate::engine::run::{on_threads, run_each};
use crate::input::{Discovery, discover_as};
use crate::lang::compile::{Plan, compile};
use crate::report::{FORMATS, JSONL, Options, PassedOver, Run};
use crate::source::SourceMap;

pub(super) fn run(check: &Check, output: &mut Output) -> Result<u8, Stop> {
    let (loaded, mut program, warnings) = load::all(
        &check.selection.rules,
        load::Bundled::WithoutExamples,
        &check.tuning,
        check.understanding.session_by.as_deref(),
    )?;
    let problems = choose::choose(&mut program, &check.selection)?;
    output.diagnostics(&warnings, &loaded.sources);
    let format = check.understanding.input_format;
    let Discovery { inputs, passed_over } = discover_as(&check.paths, format)?;
    let mut plan = compile(&program);
    plan.wanted.redactions = check.understanding.redacted.clone();
    let opened = Opened::new(inputs, opened::limits(&check.limits), format);
    if opened.is_stdin() && check.reporting.format.name == JSONL {
        return follow::run(check, plan, opened, &problems, output);
    }
    let done = on_threads(check.limits.threads, || judge(&plan, &opened, check))?;

    if done.summary.recordings == 0 {
        return Err(done.broken.into());
    }
    let mut findings = done.findings;
    findings.retain(|finding| !finding.rule.starts_with("recording/") || problems.shows(&finding.rule));
    let before = findings.len();
    findings.retain(|finding| is_reported(finding, &check.reporting.fault));
    let hidden = before - findings.len();
    let fails = check.reporting.fail_on.level();
    let failed = findings
        .iter()
        .any(|finding| fails.is_some_and(|level| finding.level >= level));
    let unchecked = unchecked(&done.summary).filter(|_| done.broken.is_empty());
    let empty = unchecked.as_ref().is_some_and(load::is_error);
    let status = if empty || !done.broken.is_empty() {
        STOPPED
    } else if failed {
        FOUND
    } else {
        GOOD
    };
    let options = Options {
        style: output.style,
        per_rule: match check.reporting.per_rule {
            0 => usize::MAX,
            n => n,
        },
        summary: !output.quiet,
        inputs: check.reporting.verbose,
    };
    let passed_over = passed_over.into_iter().map(|file| PassedOver {
        name: file.path.display().to_string(),
        why: file.why,
    });
    let run = Run {
        findings: &findings,
        summary: &done.summary,
        records: &opened,
        inputs: &opened.files(),
        passed_over: &passed_over.collect::<Vec<_>>(),
    };
    let reported = (check.reporting.format.reporter)(&options).report(&run, &mut output.out);
    match reported.and_then(|()| output.finish()) {
        // Whoever read has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(status),
        other => other?,
    }
    let mut notes = done.broken;
    notes.extend(hidden_note(hidden, &check.reporting.fault));
    output.diagnostics(&notes, &SourceMap::default());
    // The summary for people says the rest.
    let summed_up = check.reporting.format.name == FORMATS[0].name && !output.quiet;
    if let Some(unchecked) = unchecked.filter(|_| empty || !summed_up) {
        output.insist(unchecked);
    }
    Ok(status)
}

/// What came of all recordings together.
#[derive(Default)]
struct Done {
    findings: Vec<Finding>,
    summary: Summary,
    /// Why recordings could not be read, or not to their end.
    broken: Vec<Diagnostic>,
}

fn judge(plan: &Plan, opened: &Opened, check: &Check) -> Done {
    let settings = opened::settings(&check.understanding, &check.limits);
    let mut done = Done::default();
    for report in run_each(plan, opened.count(), |number| opened.open(number), &settings) {
        done.findings.extend(report.findings);
        done.summary.add(&report.summary);
        done.broken.extend(report.broken);
    }
    done
}

/// Says that nothing was checked. That there is nothing at all to check is an error: whoever recorded has failed.
pub(super) fn unchecked(summary: &Summary) -> Option<Diagnostic> {
    let why = match summary.unchecked()? {
        Unchecked::Empty => {
            let plural = if summary.recordings == 1 { "" } else { "s" };
            let message = format!("there is nothing to check in the recording{plural}");
            let help = "it takes a message or a catalogue: see whether whoever recorded wrote any";
            return Some(Diagnostic::error("nothing-checked", message).help(help));
        }
        Unchecked::NoRules => "no rule is in use",
        Unchecked::Inapplicable => "no rule applied to anything",
        Unchecked::Undecided => "no rule could be decided",
    };
    let message = format!("nothing was checked: {why}");
    Some(Diagnostic::warning("nothing-checked", message))
}

/// Whether what a finding blames is among what was asked for. What nobody can be blamed for stays.
pub(super) fn is_reported(finding: &Finding, fault: &[AtFault]) -> bool {
    fault.is_empty()
        || finding
            .fault
            .is_none_or(|party| fault.iter().any(|asked| asked.party() == party))
}

pub(super) fn hidden_note(hidden: usize, fault: &[AtFault]) -> Option<Diagnostic> {
    let parties: BTreeSet<&str> = fault.iter().map(|party| party.word()).collect();
    let parties: Vec<&str> = parties.into_iter().collect();
    let noun = match hidden {
        0 => return None,
        1 => "1 finding is",
        n => &format!("{n} findings are"),
    };
    Some(Diagnostic {
        severity: Severity::Note,
        ..Diagnostic::error(
            "not-shown",
            format!(
                "{noun} not shown: somebody else is at fault (`--fault {}`)",
                parties.join(",")
            ),
        )
    })
}
