//! `wirelint record`: stands between a client and a server and writes down what passes.

use std::fs::File;
use std::io::{self, IsTerminal};

use super::Stop;
use super::args::RecordArguments;
use super::output::Output;
use crate::diagnostic::Diagnostic;
use crate::record::{self, Client, Log, Redact};

pub(super) fn run(record: &RecordArguments, output: &Output) -> Result<u8, Stop> {
    let warn = output.warner();
    let redact = Redact::new(record.redact.iter().cloned());
    let log = Log::open(&record.output, redact, warn).map_err(|error| {
        let message = format!("`{}` cannot be written: {error}", record.output.display());
        Stop::from(Diagnostic::error("not-written", message))
    })?;
    let client = client().map_err(|error| {
        Stop::from(Diagnostic::error(
            "no-streams",
            format!("the streams of the client cannot be used: {error}"),
        ))
    })?;
    match record::run(&record.command, client, log) {
        Ok(ended) => Ok(ended.status),
        Err(error) => {
            let program = record.command.first().map(|word| word.to_string_lossy());
            let program = program.unwrap_or_default();
            let why = match error.kind() {
                io::ErrorKind::NotFound => "there is no such program".to_owned(),
                io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
                _ => error.to_string(),
            };
            let message = format!("`{program}` cannot be started: {why}");
            Err(Diagnostic::error("not-started", message).into())
        }
    }
}

/// The streams that whoever started this process holds the other ends of. They become the recorder's own, so that each is
/// closed when the server closes its side.
#[cfg(unix)]
fn client() -> io::Result<Client> {
    use std::os::fd::AsFd;

    let is_terminal = io::stdin().is_terminal();
    let owned = |stream: std::os::fd::BorrowedFd| stream.try_clone_to_owned().map(File::from);
    let (input, output, errors) = (
        owned(io::stdin().as_fd())?,
        owned(io::stdout().as_fd())?,
        owned(io::stderr().as_fd())?,
    );
    record::leave_streams()?;
    Ok(Client {
        input: Box::new(input),
        output: Box::new(output),
        errors: Box::new(errors),
        is_terminal,
    })
}

#[cfg(not(unix))]
fn client() -> io::Result<Client> {
    Ok(Client {
        input: Box::new(io::stdin()),
        output: Box::new(io::stdout()),
        errors: Box::new(io::stderr()),
        is_terminal: io::stdin().is_terminal(),
    })
}
