//! Reads a request's body, within its size and its time.

use std::sync::LazyLock;
use std::time::Duration;

use axum::body::{Body as HttpBody, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header;
use http_body_util::BodyExt as _;
use tokio::sync::Semaphore;
use wire::limits;

use super::HttpError;

/// Bodies up to this size are read at once; larger ones take their share of what may be in flight.
const SMALL_BODY: usize = 256 * 1024;
/// A body that takes longer is refused.
const READ_TIME: Duration = Duration::from_secs(limits::REQUEST_READ_SECONDS);
/// A large body of which nothing comes for so long gives its share back: others wait for it.
const STALL: Duration = Duration::from_secs(5);
/// Of a body that is refused for its size, this much is read all the same: a client that is still sending would
/// otherwise see a broken connection instead of the answer.
const DRAINED: usize = 64 * 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(5);

/// A place for every kilobyte of large bodies being read.
static IN_FLIGHT: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(limits::BODIES_IN_FLIGHT_MB * 1024));

/// A whole body of at most so many bytes.
pub(super) struct Body<const MOST: usize = { limits::REQUEST_BYTES }>(pub(super) Bytes);

impl<S: Send + Sync, const MOST: usize> FromRequest<S> for Body<MOST> {
    type Rejection = HttpError;

    async fn from_request(request: Request, _: &S) -> Result<Self, HttpError> {
        let stated: Option<usize> =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let body = request.into_body();
        if stated.is_some_and(|length| length > MOST) {
            drain(body).await;
            return Err(HttpError::TooLarge { limit: MOST });
        }
        // A body that does not state its size may be as large as any.
        let size = stated.unwrap_or(MOST);
        let read = async {
            if size <= SMALL_BODY {
                return whole(body, size, MOST, READ_TIME).await;
            }
            let _share = IN_FLIGHT.acquire_many(size.div_ceil(1024) as u32).await;
            whole(body, stated.unwrap_or(0), MOST, STALL).await
        };
        match tokio::time::timeout(READ_TIME, read).await {
            Ok(outcome) => outcome.map(Self),
            Err(_) => Err(HttpError::TooSlow),
        }
    }
}

/// Reads a body as long as something of it comes. Room that is not written to takes none, and growing would take twice
/// the body's size.
async fn whole(mut body: HttpBody, room: usize, most: usize, patience: Duration) -> Result<Bytes, HttpError> {
    let mut read = Vec::with_capacity(room.min(most));
    while let Some(frame) = tokio::time::timeout(patience, body.frame()).await.map_err(|_| HttpError::TooSlow)? {
        let data = frame.map_err(broke_off)?.into_data().unwrap_or_default();
        if read.len() + data.len() > most {
            return Err(HttpError::TooLarge { limit: most });
        }
        read.extend_from_slice(&data);
    }
    Ok(read.into())
}

fn broke_off(error: impl std::fmt::Display) -> HttpError {
    HttpError::BadRequest(format!("the body broke off: {error}"))
}

pub(super) async fn drain(mut body: HttpBody) {
    let read = async {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, Bytes::len);
            if read > DRAINED {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(DRAIN_TIME, read).await;
}
