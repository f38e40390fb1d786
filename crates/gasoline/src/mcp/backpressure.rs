//! Backpressure on the stream of a client that may stop reading. While a write is blocked, or many requests are
//! pending, no further requests are read from the client, so that unread answers cannot pile up. If a write is blocked
//! for too long, or on request, the stream is closed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use wire::limits;

/// Lines that were read and not answered. Notifications never get an answer, so after a pause without a write all open
/// lines count as notifications.
const MOST_OPEN: usize = 64;
const PAUSE: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_secs(limits::STREAM_PATIENCE_SECONDS);

pub(super) struct Disconnectable<S> {
    stream: S,
    /// One waker for each direction.
    cut: [Pin<Box<WaitForCancellationFutureOwned>>; 2],
    token: CancellationToken,
    /// Runs while a write is blocked.
    patience: Option<Pin<Box<Sleep>>>,
    /// The reader that waits in the meantime.
    reader: Option<Waker>,
    open: usize,
    /// Runs while too many lines are open.
    pause: Option<Pin<Box<Sleep>>>,
}

impl<S> Disconnectable<S> {
    pub(super) fn new(stream: S, token: CancellationToken) -> Self {
        let future = || Box::pin(token.clone().cancelled_owned());
        Self { stream, cut: [future(), future()], token, patience: None, reader: None, open: 0, pause: None }
    }

    fn is_cut(&mut self, writing: bool, context: &mut Context<'_>) -> bool {
        let [reads, writes] = &mut self.cut;
        let future = if writing { writes } else { reads };
        future.as_mut().poll(context).is_ready()
    }

    fn is_paused(&mut self, context: &mut Context<'_>) -> bool {
        let pause = self.pause.get_or_insert_with(|| Box::pin(tokio::time::sleep(PAUSE)));
        if pause.as_mut().poll(context).is_pending() {
            return true;
        }
        (self.open, self.pause) = (0, None);
        false
    }

    /// The result of a write. A write that was blocked for too long closes the stream.
    fn settled<T>(&mut self, outcome: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.patience = None;
            self.pause = None;
            if let Some(reader) = self.reader.take() {
                reader.wake();
            }
            return outcome;
        }
        let patience =
            self.patience.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + PATIENCE)));
        if patience.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        tracing::info!("disconnecting an AI client that does not read its answers");
        self.token.cancel();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

fn lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

impl<S: AsyncRead + Unpin> AsyncRead for Disconnectable<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_cut(false, context) {
            return Poll::Ready(Ok(()));
        }
        if self.patience.is_some() || (self.open > MOST_OPEN && self.is_paused(context)) {
            self.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.open += lines(buffer.filled().get(before..).unwrap_or_default());
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Disconnectable<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_cut(true, context) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        if let Poll::Ready(Ok(written)) = &outcome {
            self.open = self.open.saturating_sub(lines(bytes.get(..*written).unwrap_or_default()));
        }
        self.settled(outcome, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_cut(true, context) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.settled(outcome, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_cut(true, context) {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
