//! Reads a multipart body part by part, without holding it in memory as a whole.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, header};
use futures_core::Stream;

use super::HttpError;
use super::drain::drain;

/// How many bytes the parser may hold that it cannot hand out yet: the headers of a part, or a body that starts without
/// one.
const UNCLAIMED: usize = 1024 * 1024;
const BROKEN: &str = "the body is not valid multipart/form-data, or was cut off";

/// `None` once the upload is rejected: the rest of the body then bypasses the parser.
type SharedBody = Arc<Mutex<Option<Body>>>;

pub(super) struct Upload {
    parts: multer::Multipart<'static>,
    body: SharedBody,
    allowance: Arc<AtomicUsize>,
    stall: Duration,
}

pub(super) struct Part {
    field: multer::Field<'static>,
    allowance: Arc<AtomicUsize>,
    stall: Duration,
}

impl Upload {
    /// `stall`: how long the body may pause.
    pub(super) fn new(headers: &HeaderMap, body: Body, stall: Duration) -> Result<Self, HttpError> {
        let boundary = headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| multer::parse_boundary(value).ok())
            .ok_or_else(|| HttpError::BadRequest("the body must be multipart/form-data with a boundary".to_owned()))?;
        let allowance = Arc::new(AtomicUsize::new(UNCLAIMED));
        let body = Arc::new(Mutex::new(Some(body)));
        let inflow = Inflow { body: Arc::clone(&body), allowance: Arc::clone(&allowance), rests: false };
        Ok(Self { parts: multer::Multipart::new(inflow, boundary), body, allowance, stall })
    }

    pub(super) async fn next_part(&mut self) -> Result<Option<Part>, HttpError> {
        let next = in_time(self.stall, self.parts.next_field()).await?;
        self.allowance.store(UNCLAIMED, Ordering::Relaxed);
        Ok(next.map(|field| Part { field, allowance: Arc::clone(&self.allowance), stall: self.stall }))
    }

    /// Reads the rest although the upload is rejected: a client that is still sending would otherwise see a broken
    /// connection instead of the answer.
    pub(super) async fn drain(self) {
        let rest = self.body.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(rest) = rest {
            drain(rest).await;
        }
    }
}

impl Part {
    pub(super) fn name(&self) -> &str {
        self.field.name().unwrap_or_default()
    }

    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        let chunk = in_time(self.stall, self.field.chunk()).await?;
        self.allowance.store(UNCLAIMED, Ordering::Relaxed);
        Ok(chunk)
    }
}

async fn in_time<T>(stall: Duration, read: impl Future<Output = multer::Result<T>>) -> Result<T, HttpError> {
    match tokio::time::timeout(stall, read).await {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => Err(HttpError::BadRequest(format!("{BROKEN}: {error}"))),
        Err(_) => Err(HttpError::TooSlow),
    }
}

/// Feeds the body to the parser in pieces, because the parser would buffer everything that is available.
struct Inflow {
    body: SharedBody,
    /// How many more bytes the parser gets before it must hand something out.
    allowance: Arc<AtomicUsize>,
    /// After each piece the parser gets time to hand it out.
    rests: bool,
}

impl Stream for Inflow {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.rests {
            self.rests = false;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = match self.body.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        };
        let bytes = match std::task::ready!(polled) {
            // We need nothing from trailers.
            Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None => return Poll::Ready(None),
        };
        self.rests = true;
        let Some(left) = self.allowance.load(Ordering::Relaxed).checked_sub(bytes.len()) else {
            return Poll::Ready(Some(Err(axum::Error::new("the headers of a part are too long"))));
        };
        self.allowance.store(left, Ordering::Relaxed);
        Poll::Ready(Some(Ok(bytes)))
    }
}
