//! A connection that is read along.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How much is read at a time.
const CHUNK: usize = 16 << 10;

/// No head is longer: hyper refuses it before.
const LONGEST: usize = 1 << 20;

/// A connection of which the heads of messages are kept as they come.
pub(super) struct Tap<S> {
    stream: S,
    chunk: Box<[u8]>,
    heads: Heads,
}

/// What has come since a head is awaited.
#[derive(Clone)]
pub(super) struct Heads(Arc<Mutex<Option<Vec<u8>>>>);

impl<S> Tap<S> {
    /// Waits for the first head.
    pub(super) fn new(stream: S) -> (Tap<S>, Heads) {
        let heads = Heads(Arc::new(Mutex::new(Some(Vec::new()))));
        let tap = Tap {
            stream,
            chunk: vec![0; CHUNK].into_boxed_slice(),
            heads: heads.clone(),
        };
        (tap, heads)
    }
}

impl Heads {
    /// What came: a head, and perhaps the beginning of what follows. Nothing more is kept.
    pub(super) fn take(&self) -> Vec<u8> {
        self.lock().take().unwrap_or_default()
    }

    /// From here on a head is awaited.
    pub(super) fn wait(&self) {
        self.lock().get_or_insert_default();
    }

    fn keep(&self, bytes: &[u8]) {
        if let Some(kept) = &mut *self.lock()
            && kept.len() + bytes.len() <= LONGEST
        {
            kept.extend_from_slice(bytes);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: AsyncRead + Unpin> Read for Tap<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let tap = self.get_mut();
        let room = tap.chunk.len().min(to.remaining());
        let mut chunk = ReadBuf::new(&mut tap.chunk[..room]);
        ready!(Pin::new(&mut tap.stream).poll_read(context, &mut chunk))?;
        tap.heads.keep(chunk.filled());
        to.put_slice(chunk.filled());
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> Write for Tap<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, bytes)
    }
}
