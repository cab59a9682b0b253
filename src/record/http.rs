//! Between a client and a server that speak HTTP: a reverse proxy.
//!
//! hyper takes the messages apart and puts them together again. What it does not tell, how and in which order headers were
//! written, a [`Tap`](tap::Tap) reads along. Each exchange has a connection of its own to the server, so that none is
//! reused that the server is about to close, and so that the server sees at once when a client goes away.

mod answer;
mod events;
mod exchange;
mod forward;
mod heads;
mod ledger;
mod question;
mod tap;
mod tls;
mod upstream;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use tokio::net::TcpStream;
use tokio::runtime;

pub(super) use self::events::Event;
use self::forward::forward;
use self::ledger::Ledger;
use self::tap::Tap;
pub(crate) use self::upstream::Upstream;
use super::log::Log;
use crate::diagnostic::Diagnostic;

/// How much of a body, or of an event, is recorded, in bytes. All of it passes.
const KEPT: usize = 16 << 20;

/// How long nothing is accepted when that has failed: most often too many files are open.
const REST: Duration = Duration::from_millis(50);

/// A proxy that clients can connect to.
pub(crate) struct Proxy {
    listener: TcpListener,
    upstream: Upstream,
}

impl Proxy {
    /// Listens at an address; port 0 takes a free one.
    ///
    /// # Errors
    ///
    /// If the address cannot be listened at.
    pub(crate) fn bind(address: SocketAddr, upstream: Upstream) -> io::Result<Proxy> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Proxy { listener, upstream })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Passes on what clients and the server say to each other until a signal ends it. Calls `ready` as soon as one would.
    ///
    /// # Errors
    ///
    /// If it cannot begin.
    pub(crate) fn run(self, log: Log, ready: impl FnOnce()) -> io::Result<()> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let ledger = Arc::new(Ledger::new(log));
        let waited = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let signal = signal()?;
            tokio::spawn(accept(listener, Arc::new(self.upstream), Arc::clone(&ledger)));
            ready();
            signal.await;
            Ok(())
        });
        // What goes on is given up with the tasks: that is no doing of client or server.
        ledger.close();
        runtime.shutdown_background();
        waited
    }
}

async fn accept(listener: tokio::net::TcpListener, upstream: Arc<Upstream>, ledger: Arc<Ledger>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(serve(stream, Arc::clone(&upstream), Arc::clone(&ledger)));
            }
            Err(_) => tokio::time::sleep(REST).await,
        }
    }
}

/// All exchanges of one connection.
async fn serve(stream: TcpStream, upstream: Arc<Upstream>, ledger: Arc<Ledger>) {
    // Events are short, and each is to come at once. A connection that cannot do so is only slower.
    let _ = stream.set_nodelay(true);
    let (tap, heads) = Tap::new(stream);
    let service = service_fn(|request| forward(request, &upstream, &ledger, &heads));
    let served = http1::Builder::new()
        .preserve_header_case(true)
        .auto_date_header(false)
        .serve_connection(tap, service)
        .await;
    if let Err(error) = served
        && error.is_parse()
    {
        let message = format!("a client sent what is no HTTP request: {error}");
        ledger.warn(
            Diagnostic::warning("not-http", message).help(
                "it was not passed on, and is not in the recording; the proxy itself speaks plain `http`",
            ),
        );
    }
}

/// Waits for a signal that ends the proxy.
#[cfg(unix)]
fn signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(std::future::poll_fn(move |context| {
        let (one, other) = (interrupt.poll_recv(context), terminate.poll_recv(context));
        if one.is_ready() || other.is_ready() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    }))
}

#[cfg(not(unix))]
fn signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without it, the proxy ends as any program does.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
