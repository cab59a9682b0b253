//! The body of a response on its way to the client.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::task::JoinHandle;

use super::exchange::Exchange;

/// The body of a response.
pub(super) enum Answer {
    /// The server's: its exchange ends with it.
    Passing(Box<Passing>),
    /// The proxy's own.
    Said(Bytes),
}

/// A body that comes from the server, with the connection that it comes by.
pub(super) struct Passing {
    body: Incoming,
    exchange: Exchange,
    _link: Link,
}

/// A connection to the server. It is broken off when nobody needs it any more, so that the server sees that the client has
/// gone away.
pub(super) struct Link(JoinHandle<()>);

impl Link {
    pub(super) fn new(connection: JoinHandle<()>) -> Link {
        Link(connection)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Answer {
    /// The server's response goes on.
    pub(super) fn passing(body: Incoming, mut exchange: Exchange, link: Link) -> Answer {
        if body.is_end_stream() {
            // Nobody asks for a body that is not there.
            exchange.ends();
        }
        Answer::Passing(Box::new(Passing {
            body,
            exchange,
            _link: link,
        }))
    }

    /// A text of the proxy's own.
    pub(super) fn said(text: String) -> Answer {
        Answer::Said(text.into())
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let passing = match self.get_mut() {
            Answer::Passing(passing) => passing,
            Answer::Said(text) if text.is_empty() => return Poll::Ready(None),
            Answer::Said(text) => return Poll::Ready(Some(Ok(Frame::data(std::mem::take(text))))),
        };
        let Passing { body, exchange, .. } = &mut **passing;
        let frame = ready!(Pin::new(&mut *body).poll_frame(context));
        match &frame {
            Some(Ok(frame)) => {
                if let Some(bytes) = frame.data_ref() {
                    exchange.is_told(bytes);
                }
                // Whoever was told how long the body is does not wait for its end.
                if body.is_end_stream() {
                    exchange.ends();
                }
            }
            Some(Err(_)) => exchange.breaks(),
            None => exchange.ends(),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Answer::Passing(passing) => passing.body.is_end_stream(),
            Answer::Said(text) => text.is_empty(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Answer::Passing(passing) => passing.body.size_hint(),
            Answer::Said(text) => SizeHint::with_exact(text.len() as u64),
        }
    }
}
