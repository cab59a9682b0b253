//! The command: arguments in, exit status out. Only here is anything printed.
//!
//! Each command is a function that writes into an [`Output`] and gives the exit status, or stops with a [`Stop`].

mod args;
mod check;
mod choose;
mod examples;
mod explain;
mod follow;
mod load;
mod opened;
mod output;
mod query;
mod record;
mod rules;
mod session_by;
mod show;
mod test;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use self::args::Command;
use self::output::Output;
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// No finding that fails.
const GOOD: u8 = 0;
/// Findings.
const FOUND: u8 = 1;
/// The command could not do its job.
const STOPPED: u8 = 2;

/// Why a command could not do its job.
enum Stop {
    /// Something is wrong with what it was given.
    Faulty(Box<SourceMap>, Vec<Diagnostic>),
    /// Nothing can be written.
    Write(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Write(error)
    }
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Stop::Faulty(Box::default(), vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Stop {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Stop::Faulty(Box::default(), diagnostics)
    }
}

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match args::parse(arguments) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let mut output = Output::new(&arguments.display);
    let done = match &arguments.command {
        Command::Check(check) => check::run(check, &mut output),
        Command::Record(record) => record::run(record, &output),
        Command::Query(query) => query::run(query, &mut output),
        Command::Show(show) => show::run(show, &mut output),
        Command::Test(test) => test::run(test, &mut output),
        Command::Rules(list) => rules::run(list, &mut output),
        Command::Explain(explain) => explain::run(explain, &mut output),
    };
    let done = done.and_then(|status| match output.finish() {
        // Whoever read has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(status),
        written => written.map(|()| status).map_err(Stop::Write),
    });
    match done {
        Ok(status) => status,
        Err(Stop::Faulty(sources, diagnostics)) => {
            output.diagnostics(&diagnostics, &sources);
            STOPPED
        }
        // Whoever read has seen enough.
        Err(Stop::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => GOOD,
        Err(Stop::Write(error)) => {
            let diagnostic =
                Diagnostic::error("not-written", format!("the output cannot be written: {error}"));
            output.diagnostics(&[diagnostic], &SourceMap::default());
            STOPPED
        }
    }
}
