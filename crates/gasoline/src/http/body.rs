//! Reads a request's body within its limits of size and time.

use std::sync::LazyLock;
use std::time::Duration;

use axum::body::{Body as HttpBody, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header;
use engine::whole_characters;
use http_body_util::BodyExt as _;
use serde::de::DeserializeOwned;
use tokio::sync::{Semaphore, SemaphorePermit};
use wire::limits;

use super::HttpError;
use super::drain::drain;
use crate::memory::{self, Working};

/// Bodies up to this size are read immediately. Larger ones need a permit for their share of the bytes in flight.
const SMALL_BODY: usize = 256 * 1024;
/// A body that takes longer is rejected.
const READ_TIME: Duration = Duration::from_secs(limits::REQUEST_READ_SECONDS);
/// A large body that stalls for this long loses its share, because other senders wait for it.
const STALL: Duration = Duration::from_secs(5);
/// One permit for every kilobyte of large bodies that are being read or processed.
static IN_FLIGHT: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(limits::BODIES_IN_FLIGHT_MB * 1024));

/// A complete body of at most this many bytes.
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
        // A body without a stated size may be as large as the limit.
        let size = stated.unwrap_or(MOST);
        if size <= SMALL_BODY {
            return in_time(whole(body, size, MOST, READ_TIME)).await?.map(|read| Self(read.into()));
        }
        // Waiting for a permit is not the sender's fault, so the deadline for reading starts afterwards.
        let share = in_time(IN_FLIGHT.acquire_many(size.div_ceil(1024) as u32)).await?;
        let share = share.map_err(|error| HttpError::Internal(error.to_string()))?;
        let read = in_time(whole(body, stated.unwrap_or(0), MOST, STALL)).await??;
        let working = memory::working(read.len());
        Ok(Self(Bytes::from_owner(LargeBody { read, _working: working, _share: share })))
    }
}

/// Parses a body that is one JSON value. Half a character or invalid UTF-8 in a string costs that string a character,
/// not the whole body.
pub(super) fn read_json<T: DeserializeOwned>(body: &[u8]) -> serde_json::Result<T> {
    // Repair the text before parsing, because the parser does not check raw JSON inside it.
    serde_json::from_str(&whole_characters(&String::from_utf8_lossy(body)))
}

/// A large body that has arrived. It keeps its share until it has been processed: otherwise any number of bodies could
/// wait for that in memory.
struct LargeBody {
    read: Vec<u8>,
    _working: Working,
    _share: SemaphorePermit<'static>,
}

impl AsRef<[u8]> for LargeBody {
    fn as_ref(&self) -> &[u8] {
        &self.read
    }
}

async fn in_time<T>(work: impl Future<Output = T>) -> Result<T, HttpError> {
    tokio::time::timeout(READ_TIME, work).await.map_err(|_| HttpError::TooSlow)
}

/// Reads a body until it ends or stalls. Reserves the whole size first: unwritten memory costs nothing, and growing a
/// buffer would need twice the body's size.
async fn whole(mut body: HttpBody, room: usize, most: usize, patience: Duration) -> Result<Vec<u8>, HttpError> {
    let mut read = Vec::with_capacity(room.min(most));
    while let Some(frame) = tokio::time::timeout(patience, body.frame()).await.map_err(|_| HttpError::TooSlow)? {
        let data = frame.map_err(broke_off)?.into_data().unwrap_or_default();
        if read.len() + data.len() > most {
            return Err(HttpError::TooLarge { limit: most });
        }
        read.extend_from_slice(&data);
    }
    Ok(read)
}

fn broke_off(error: impl std::fmt::Display) -> HttpError {
    HttpError::BadRequest(format!("the body was cut off: {error}"))
}
