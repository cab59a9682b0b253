//! Recordings in, findings out: the only file that knows rayon.
//!
//! Blocks of a recording are decoded side by side while the blocks before them are folded; recordings are run side by
//! side. What comes out depends on neither the number of threads nor the size of blocks.

use std::sync::Arc;

use rayon::prelude::*;

use super::answer::Answer;
use super::finding::{Finding, Mark, Summary};
use super::fold::{Fold, Found};
use super::sight::Sights;
use super::told::Told;
use super::world::HistoryLimits;
use crate::diagnostic::Diagnostic;
use crate::input::event::{Blame, Event, Problem, Side};
use crate::input::{Block, Decoded, Decoder, Recording};
use crate::lang::ast::{Level, Party};
use crate::lang::compile::Plan;
use crate::model::build::Assumptions;

pub use super::fold::Judged;

/// Bytes of stack of each thread: expressions may be nested deeply, and functions may call functions.
pub const STACK: usize = 16 << 20;

/// How a run goes about it.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How recordings are understood where they do not say themselves.
    pub assumptions: Assumptions,
    /// How much is kept.
    pub limits: HistoryLimits,
    /// Also list how every rule judged every subject: for tests and examples.
    pub outcomes: bool,
    /// Keep what `once per` says of each record that a rule fails on, and report nothing: for `wirelint query`.
    pub answers: bool,
    /// Also note what passes: for `wirelint show`.
    pub sights: bool,
    /// Behind how many records that are alike in what `on` asks rules are made for them: for tests.
    pub alike: Option<u32>,
}

/// What came of one recording.
#[derive(Debug, Default)]
pub struct Report {
    /// In the order of the recording.
    pub findings: Vec<Finding>,
    /// What was checked.
    pub summary: Summary,
    /// If [`Settings::outcomes`] asked for them.
    pub outcomes: Vec<Judged>,
    /// If [`Settings::answers`] asked for them, in the order of the recording.
    pub answers: Vec<Answer>,
    /// If [`Settings::sights`] asked for them.
    pub sights: Sights,
    /// Why the recording could not be read to its end.
    pub broken: Option<Diagnostic>,
}

impl Report {
    fn of(found: Found, broken: Option<Diagnostic>) -> Report {
        Report {
            findings: found.findings,
            summary: found.summary,
            outcomes: found.outcomes,
            answers: found.answers,
            sights: found.sights,
            broken,
        }
    }
}

/// Does some work on a pool of threads of its own: so many, else one for each processor.
///
/// # Errors
///
/// If the system gives no threads.
pub fn on_threads<R: Send>(threads: Option<usize>, work: impl FnOnce() -> R + Send) -> Result<R, Diagnostic> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .stack_size(STACK)
        .build();
    match pool {
        Ok(pool) => Ok(pool.install(work)),
        Err(error) => Err(Diagnostic::error(
            "no-threads",
            format!("no threads can be started: {error}"),
        )),
    }
}

/// Runs a plan over `count` recordings, each opened when its turn comes, on the threads of the current pool; reports
/// come in the order of the recordings.
pub fn run_each(
    plan: &Plan,
    count: usize,
    open: impl Fn(usize) -> Result<Recording, Diagnostic> + Sync,
    settings: &Settings,
) -> Vec<Report> {
    (0..count)
        .into_par_iter()
        .map(|number| match open(number) {
            Ok(recording) => one(plan, recording, settings),
            Err(broken) => Report {
                broken: Some(broken),
                ..Report::default()
            },
        })
        .collect()
}

/// Runs a plan over one recording.
pub fn one(plan: &Plan, mut recording: Recording, settings: &Settings) -> Report {
    let decoder = recording.decoder();
    let name = recording.name().to_owned();
    let mut fold = Fold::new(plan, &name, settings);
    let mut problems = vec![];
    let mut broken = None;
    // As many blocks at a time as keep all threads busy while one of them folds.
    let width = rayon::current_num_threads() * 2;
    let mut decoded: Vec<Decoded> = vec![];
    loop {
        let blocks = match read(&mut recording, width) {
            Ok(blocks) => blocks,
            Err(diagnostic) => {
                broken = Some(diagnostic);
                vec![]
            }
        };
        let last = blocks.is_empty();
        let (_, next) = rayon::join(
            || absorb(&mut fold, std::mem::take(&mut decoded), &mut problems),
            || decode(decoder, &blocks, plan),
        );
        decoded = next;
        if last {
            break;
        }
    }
    absorb(&mut fold, decoded, &mut problems);
    let mut report = Report::of(fold.finish(), broken);
    let told = Told::by(plan, &report.findings);
    problems.retain(|problem| !told.knows(problem));
    report.findings.splice(0..0, problems.iter().map(problem));
    report
}

/// Runs a plan over a recording as it comes. Each finding is handed out as soon as it is certain, so that they come in the
/// order in which that is the case; [`Report::findings`] is empty. What `once per` merges is counted with the first finding
/// only while that was not handed out.
pub fn follow(
    plan: &Plan,
    mut recording: Recording,
    settings: &Settings,
    mut found: impl FnMut(Finding),
) -> Report {
    let decoder = recording.decoder();
    let name = recording.name().to_owned();
    let mut fold = Fold::new(plan, &name, settings);
    let broken = loop {
        match recording.next_block() {
            Ok(Some(block)) => {
                let decoded = decoder.decode(&block, &plan.wanted);
                for event in decoded.events {
                    fold.push(event);
                }
                let findings: Vec<Finding> = fold.take_findings().collect();
                let told = Told::by(plan, &findings);
                let problems = decoded.problems.iter().filter(|problem| !told.knows(problem));
                problems.map(problem).for_each(&mut found);
                findings.into_iter().for_each(&mut found);
            }
            Ok(None) => break None,
            Err(broken) => break Some(broken),
        }
    };
    let mut report = Report::of(fold.finish(), broken);
    report.findings.drain(..).for_each(found);
    report
}

/// Runs a plan over the events of a recording in memory, such as an example.
pub fn run_events(plan: &Plan, name: &str, events: Vec<Event>, settings: &Settings) -> Report {
    let mut fold = Fold::new(plan, name, settings);
    for event in events {
        fold.push(event);
    }
    Report::of(fold.finish(), None)
}

fn read(recording: &mut Recording, count: usize) -> Result<Vec<Block>, Diagnostic> {
    let mut blocks = vec![];
    while blocks.len() < count {
        match recording.next_block()? {
            Some(block) => blocks.push(block),
            None => break,
        }
    }
    Ok(blocks)
}

fn decode(decoder: Decoder, blocks: &[Block], plan: &Plan) -> Vec<Decoded> {
    blocks
        .par_iter()
        .map(|block| decoder.decode(block, &plan.wanted))
        .collect()
}

fn absorb(fold: &mut Fold, decoded: Vec<Decoded>, problems: &mut Vec<Problem>) {
    for block in decoded {
        for event in block.events {
            fold.push(event);
        }
        problems.extend(block.problems);
    }
}

/// How much a fault of the recording weighs: where a record could not be judged at all, a run must not look green.
fn level(code: &str) -> Level {
    match code {
        "too-long" | "too-deep" | "not-utf8" => Level::Error,
        "empty" | "manifest" | "function-form" | "no-mcp" | "no-stream" | "other-protocol" => Level::Note,
        _ => Level::Warning,
    }
}

/// A fault of the recording itself, as a finding.
fn problem(problem: &Problem) -> Finding {
    let mark = Mark {
        place: problem.place.clone(),
        text: None,
    };
    Finding {
        rule: Arc::from(format!("recording/{}", problem.code)),
        level: level(problem.code),
        fault: match problem.fault {
            Blame::Recorder => Some(Party::Recorder),
            Blame::Sender(Side::Client) => Some(Party::Client),
            Blame::Sender(Side::Server) => Some(Party::Server),
            Blame::Nobody => None,
        },
        message: problem.message.clone(),
        help: problem.help.clone(),
        labels: vec![mark],
        repeats: 0,
    }
}
