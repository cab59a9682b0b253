//! `wirelint record`: stands between a client and a server and writes down what passes.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;

use super::args::RecordArguments;
use super::output::Output;
use super::{GOOD, Stop};
use crate::diagnostic::Diagnostic;
use crate::record::{self, Client, Log, Proxy, Redact, Upstream, Wire};

pub(super) fn run(record: &RecordArguments, output: &Output) -> Result<u8, Stop> {
    match (record.listen, &record.upstream) {
        (Some(address), Some(upstream)) => between_http(record, address, upstream, output),
        _ => between_streams(record, output),
    }
}

fn log(record: &RecordArguments, wire: Wire, output: &Output) -> Result<Log, Stop> {
    let redact = Redact::new(record.redact.iter().cloned());
    Log::open(&record.output, wire, redact, output.warner()).map_err(|error| {
        let message = format!("`{}` cannot be written: {error}", record.output.display());
        Stop::from(Diagnostic::error("not-written", message))
    })
}

fn between_http(
    record: &RecordArguments,
    address: SocketAddr,
    upstream: &Upstream,
    output: &Output,
) -> Result<u8, Stop> {
    let not_listening = |error: io::Error| {
        let why = match error.kind() {
            io::ErrorKind::AddrInUse => "something else listens there".to_owned(),
            io::ErrorKind::AddrNotAvailable => "this machine has no such address".to_owned(),
            io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
            _ => error.to_string(),
        };
        let message = format!("`{address}` cannot be listened at: {why}");
        Stop::from(Diagnostic::error("not-listening", message))
    };
    let proxy = Proxy::bind(address, upstream.clone()).map_err(not_listening)?;
    let log = log(record, Wire::Http, output)?;
    let address = proxy.address().map_err(not_listening)?;
    let ready = || {
        output.tell(&format!(
            "listening at http://{address}, passing on to {upstream}"
        ))
    };
    proxy.run(log, ready).map_err(not_listening)?;
    Ok(GOOD)
}

fn between_streams(record: &RecordArguments, output: &Output) -> Result<u8, Stop> {
    let log = log(record, Wire::Stdio, output)?;
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
