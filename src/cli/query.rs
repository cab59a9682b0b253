//! `wirelint query`: what an expression says of each record.

use super::args::Query;
use super::load::{self, Bundled, Loaded, is_error};
use super::opened::{self, Opened};
use super::output::Output;
use super::{GOOD, STOPPED, Stop, session_by};
use crate::diagnostic::Diagnostic;
use crate::engine::answer::Answer;
use crate::engine::run::{Settings, on_threads, run_each};
use crate::input::discover_as;
use crate::lang::check::Checker;
use crate::lang::compile::{Plan, compile};
use crate::lang::parse::parse_expression;
use crate::lang::program::Program;
use crate::report::write_answers;
use crate::source::SourceMap;

pub(super) fn run(query: &Query, output: &mut Output) -> Result<u8, Stop> {
    let (loaded, plan, warnings) = plan(query)?;
    output.diagnostics(&warnings, &loaded.sources);
    let format = query.understanding.input_format;
    let inputs = discover_as(&query.paths, format)?.inputs;
    let opened = Opened::new(inputs, opened::limits(&query.limits), format);
    let (answers, broken, read) = on_threads(query.limits.threads, || ask(&plan, &opened, query))?;
    if read == 0 {
        return Err(broken.into());
    }
    write_answers(&answers, &opened, &mut output.out)?;
    output.finish()?;
    output.diagnostics(&broken, &SourceMap::default());
    Ok(if broken.is_empty() { GOOD } else { STOPPED })
}

/// A program that does nothing but evaluate the expression.
fn plan(query: &Query) -> Result<(Loaded, Plan, Vec<Diagnostic>), Stop> {
    let mut loaded = load::load(&query.rules, Bundled::WithoutExamples)?;
    match check(query, &mut loaded) {
        Ok((program, mut warnings)) => {
            loaded.leave_out_bundled(&mut warnings);
            let mut plan = compile(&program);
            plan.want_all();
            plan.wanted.redactions = query.understanding.redacted.clone();
            Ok((loaded, plan, warnings))
        }
        Err(faults) => Err(loaded.stop(faults)),
    }
}

fn check(query: &Query, loaded: &mut Loaded) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let settings = load::settings(loaded, &query.tuning)?;
    let session_by = match query.understanding.session_by.as_deref() {
        Some(text) => session_by::check(text, loaded, &settings)?.0.session_by,
        None => None,
    };
    let source = loaded.sources.add("EXPR", query.expr.as_str());
    let (expr, faults) = parse_expression(source, &query.expr);
    let Some(expr) = expr.filter(|_| !faults.iter().any(is_error)) else {
        return Err(faults);
    };
    let checker = Checker::new(&loaded.files, &loaded.sources);
    let (mut program, question, diagnostics) = checker.check_expression(&settings, &expr, query.on);
    if diagnostics.iter().any(is_error) {
        return Err(diagnostics.into_iter().filter(is_error).collect());
    }
    program.session_by = session_by;
    if question.ask(&mut program).is_none() {
        let fault = Diagnostic::error("no-subject", "the expression names no record to ask about")
            .at(expr.span)
            .help("begin with what is asked about, such as `request` or `session`, or say it with `--on`");
        return Err(vec![fault]);
    }
    Ok((program, diagnostics))
}

/// The answers of all recordings, why some could not be read, and how many were read.
fn ask(plan: &Plan, opened: &Opened, query: &Query) -> (Vec<Answer>, Vec<Diagnostic>, u64) {
    let settings = Settings {
        answers: true,
        ..opened::settings(&query.understanding, &query.limits)
    };
    let (mut answers, mut broken, mut read) = (vec![], vec![], 0);
    for report in run_each(plan, opened.count(), |number| opened.open(number), &settings) {
        answers.extend(report.answers);
        broken.extend(report.broken);
        read += report.summary.recordings;
    }
    (answers, broken, read)
}
