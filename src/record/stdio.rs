//! Between a client and a server that is a process: standard input, output and error.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::Lines;
use super::log::{Log, Stream};

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// How long the end of the output of a process that has ended is waited for.
const LATE: Duration = Duration::from_secs(2);

/// How the process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its exit status; that of a shell (128 and the number) where a signal ended it.
    pub(crate) status: u8,
}

/// The streams of the client: what it writes, and where it reads the server's output and errors.
pub(crate) struct Client {
    pub(crate) input: Box<dyn Read + Send>,
    pub(crate) output: Box<dyn Write + Send>,
    pub(crate) errors: Box<dyn Write + Send>,
    /// What is typed as a signal reaches the server without help: both belong to one terminal.
    pub(crate) is_terminal: bool,
}

/// Starts a command and passes on what the client and it say to each other until it ends.
///
/// # Errors
///
/// If the command cannot be started.
pub(crate) fn run(command: &[OsString], client: Client, mut log: Log) -> io::Result<Ended> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    log.start(command);
    let log = Arc::new(Mutex::new(log));
    forward_signals(&child, client.is_terminal);
    let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(to_server), Some(from_server), Some(from_errors)) = streams else {
        return Err(io::Error::from(io::ErrorKind::BrokenPipe));
    };
    let (done, ended) = mpsc::channel();
    // Whoever waits for the client to say more is left behind when the server has ended.
    spawn(Pump::new(Stream::ToServer, client.input, to_server, &log), None)?;
    spawn(
        Pump::new(Stream::ToClient, from_server, client.output, &log),
        Some(done.clone()),
    )?;
    spawn(
        Pump::new(Stream::Errors, from_errors, client.errors, &log),
        Some(done),
    )?;
    let status = child.wait()?;
    // What it wrote last is still on its way. A process of its own may hold its output open for as long as it likes.
    let late = Instant::now() + LATE;
    for _ in 0..2 {
        let left = late.saturating_duration_since(Instant::now());
        if ended.recv_timeout(left).is_err() {
            break;
        }
    }
    log.lock().unwrap_or_else(PoisonError::into_inner).exit(status);
    Ok(Ended {
        status: shell_status(status),
    })
}

fn spawn<R: Read + Send + 'static, W: Write + Send + 'static>(
    pump: Pump<R, W>,
    done: Option<mpsc::Sender<()>>,
) -> io::Result<()> {
    let run = move || {
        pump.run();
        // If nobody waits any more, nobody has to know.
        let _ = done.map(|done| done.send(()));
    };
    thread::Builder::new().name("pump".to_owned()).spawn(run)?;
    Ok(())
}

/// Passes one stream on.
struct Pump<R, W> {
    stream: Stream,
    from: R,
    to: W,
    log: Arc<Mutex<Log>>,
}

impl<R: Read, W: Write> Pump<R, W> {
    fn new(stream: Stream, from: R, to: W, log: &Arc<Mutex<Log>>) -> Self {
        Pump {
            stream,
            from,
            to,
            log: Arc::clone(log),
        }
    }

    /// Until the stream ends, or nobody takes it any more. Both ends are closed then, so that either side sees it.
    fn run(mut self) {
        let mut lines = Lines::default();
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = match self.from.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let bytes = &chunk[..length];
            {
                let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push(bytes, |line| log.line(self.stream, line));
            }
            if self.to.write_all(bytes).and_then(|()| self.to.flush()).is_err() {
                break;
            }
        }
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        lines.finish(|line| log.line(self.stream, line));
        log.end(self.stream);
    }
}

/// What a shell says of how a process ended.
fn shell_status(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    // Only the lowest eight bits of a code are seen by whoever waits.
    status.code().map_or(1, |code| code.to_le_bytes()[0])
}

/// Hands signals on to the process, so that it ends as it would without this one in between.
#[cfg(unix)]
fn forward_signals(child: &Child, is_terminal: bool) {
    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

    let forwarded = [
        (SIGHUP, Signal::HUP),
        (SIGINT, Signal::INT),
        (SIGQUIT, Signal::QUIT),
        (SIGTERM, Signal::TERM),
        (SIGUSR1, Signal::USR1),
        (SIGUSR2, Signal::USR2),
    ];
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return;
    };
    let Ok(mut signals) = signal_hook::iterator::Signals::new(forwarded.map(|(number, _)| number)) else {
        return;
    };
    let hand_on = move || {
        for number in signals.forever() {
            let signal = forwarded.iter().find(|(known, _)| *known == number);
            if let Some((number, signal)) = signal
                && !(is_terminal && matches!(*number, SIGINT | SIGQUIT))
            {
                let _ = kill_process(pid, *signal);
            }
        }
    };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(hand_on);
}

#[cfg(not(unix))]
fn forward_signals(_child: &Child, _is_terminal: bool) {}

/// Lets go of standard input and output, which somebody else holds copies of by now. Standard error stays for warnings.
///
/// # Errors
///
/// If the system has no null device.
#[cfg(unix)]
pub(crate) fn leave_streams() -> io::Result<()> {
    let null = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    Ok(())
}
