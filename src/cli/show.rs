//! `wirelint show`: what passes in recordings, a line for each message.

use super::args::Show;
use super::load::{self, Bundled};
use super::opened::{self, Opened};
use super::output::Output;
use super::{GOOD, STOPPED, Stop, choose};
use crate::diagnostic::Diagnostic;
use crate::engine::run::{Report, Settings, on_threads, run_each};
use crate::input::discover_as;
use crate::lang::compile::{Plan, compile};
use crate::report::{Records, Sequence, write_sequence};
use crate::source::SourceMap;

pub(super) fn run(show: &Show, output: &mut Output) -> Result<u8, Stop> {
    let (loaded, mut program, warnings) = load::all(
        &show.selection.rules,
        Bundled::WithoutExamples,
        &show.tuning,
        show.understanding.session_by.as_deref(),
    )?;
    let problems = choose::choose(&mut program, &show.selection)?;
    output.diagnostics(&warnings, &loaded.sources);
    let mut plan = compile(&program);
    plan.want_all();
    plan.wanted.redactions = show.understanding.redacted.clone();
    let format = show.understanding.input_format;
    let inputs = discover_as(&show.paths, format)?.inputs;
    let opened = Opened::new(inputs, opened::limits(&show.limits), format);
    let reports = on_threads(show.limits.threads, || watch(&plan, &opened, show))?;
    if reports.iter().all(|report| report.summary.recordings == 0) {
        let broken: Vec<Diagnostic> = reports.into_iter().filter_map(|report| report.broken).collect();
        return Err(broken.into());
    }
    let mut broken = vec![];
    for (number, mut report) in reports.into_iter().enumerate() {
        broken.extend(report.broken.take());
        if report.summary.recordings == 0 {
            continue;
        }
        report
            .findings
            .retain(|finding| !finding.rule.starts_with("recording/") || problems.shows(&finding.rule));
        let sequence = Sequence {
            name: &opened.name(u32::try_from(number).unwrap_or(u32::MAX)),
            sights: &report.sights,
            findings: &report.findings,
        };
        write_sequence(&sequence, &output.style, &mut output.out)?;
    }
    output.finish()?;
    output.diagnostics(&broken, &SourceMap::default());
    Ok(if broken.is_empty() { GOOD } else { STOPPED })
}

fn watch(plan: &Plan, opened: &Opened, show: &Show) -> Vec<Report> {
    let settings = Settings {
        sights: true,
        ..opened::settings(&show.understanding, &show.limits)
    };
    run_each(plan, opened.count(), |number| opened.open(number), &settings)
}
