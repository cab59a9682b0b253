//! `wirelint check - --format jsonl`: findings as they come.

use std::io::ErrorKind;
use std::sync::{Arc, mpsc};
use std::thread;

use super::args::Check;
use super::check::{hidden_note, is_reported, unchecked};
use super::choose::Problems;
use super::load;
use super::opened::{self, Opened};
use super::output::Output;
use super::{FOUND, GOOD, STOPPED, Stop};
use crate::diagnostic::Diagnostic;
use crate::engine::finding::Finding;
use crate::engine::run::{Report, STACK, follow};
use crate::lang::compile::Plan;
use crate::report::FindingLines;
use crate::source::SourceMap;

/// Checks what comes through standard input, which may have no end.
pub(super) fn run(
    check: &Check,
    plan: Plan,
    opened: Opened,
    problems: &Problems,
    output: &mut Output,
) -> Result<u8, Stop> {
    let opened = Arc::new(opened);
    let (found, findings) = mpsc::channel();
    let settings = opened::settings(&check.understanding, &check.limits);
    let work = {
        let opened = Arc::clone(&opened);
        move || -> Result<Report, Diagnostic> {
            let recording = opened.open_live(0)?;
            // Whoever read the findings may have gone away.
            let tell = |finding: Finding| drop(found.send(finding));
            Ok(follow(&plan, recording, &settings, tell))
        }
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(work);
    let worker = worker
        .map_err(|error| Diagnostic::error("no-threads", format!("no threads can be started: {error}")))?;
    let mut lines = FindingLines::new(&*opened);
    let fails = check.reporting.fail_on.level();
    let (mut failed, mut hidden) = (false, 0);
    for finding in findings {
        if finding.rule.starts_with("recording/") && !problems.shows(&finding.rule) {
            continue;
        }
        if !is_reported(&finding, &check.reporting.fault) {
            hidden += 1;
            continue;
        }
        failed |= fails.is_some_and(|level| finding.level >= level);
        let written = lines.write(&finding, &mut output.out);
        match written.and_then(|()| output.finish()) {
            // Whoever read has seen enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                return Ok(if failed { FOUND } else { GOOD });
            }
            other => other?,
        }
    }
    let report = match worker.join() {
        Ok(report) => report?,
        Err(panic) => std::panic::resume_unwind(panic),
    };
    let broken: Vec<Diagnostic> = report.broken.into_iter().collect();
    let unchecked = unchecked(&report.summary).filter(|_| broken.is_empty());
    let empty = unchecked.as_ref().is_some_and(load::is_error);
    let stopped = empty || !broken.is_empty();
    let notes: Vec<Diagnostic> = broken
        .into_iter()
        .chain(hidden_note(hidden, &check.reporting.fault))
        .collect();
    output.diagnostics(&notes, &SourceMap::default());
    if let Some(unchecked) = unchecked {
        output.insist(unchecked);
    }
    Ok(match (stopped, failed) {
        (true, _) => STOPPED,
        (false, true) => FOUND,
        (false, false) => GOOD,
    })
}
