//! The body of a request on its way to the server.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};

use super::exchange::Exchange;
use super::tap::Heads;

/// The body of a request.
pub(super) struct Question {
    /// What is there, and how much of it is left.
    begun: VecDeque<Bytes>,
    left: u64,
    /// What is still to come of a body that is too long to be kept.
    rest: Option<Incoming>,
    heads: Heads,
}

impl Question {
    /// Waits for the whole body, so that what is written down of it is there before it goes on. Of one that is too long to
    /// be kept, what is left passes as it comes.
    ///
    /// # Errors
    ///
    /// If the client breaks off.
    pub(super) async fn gather(
        mut body: Incoming,
        exchange: &mut Exchange,
        heads: &Heads,
    ) -> Result<Question, hyper::Error> {
        let mut question = Question {
            begun: VecDeque::new(),
            left: 0,
            rest: None,
            heads: heads.clone(),
        };
        while !body.is_end_stream()
            && let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await
        {
            let Ok(bytes) = frame?.into_data() else {
                continue;
            };
            let has_room = exchange.told(&bytes);
            question.left += bytes.len() as u64;
            question.begun.push_back(bytes);
            if !has_room {
                question.rest = Some(body);
                return Ok(question);
            }
        }
        // What comes next on this connection is another request.
        heads.wait();
        Ok(question)
    }
}

impl Body for Question {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let question = self.get_mut();
        if let Some(bytes) = question.begun.pop_front() {
            question.left -= bytes.len() as u64;
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        let Some(rest) = &mut question.rest else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(&mut *rest).poll_frame(context));
        if frame.is_none() || rest.is_end_stream() {
            question.rest = None;
            question.heads.wait();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.begun.is_empty() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        match &self.rest {
            None => SizeHint::with_exact(self.left),
            Some(_) => SizeHint::default(),
        }
    }
}
