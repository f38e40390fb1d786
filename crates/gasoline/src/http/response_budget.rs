//! Bounds the bytes of large answers that are not read yet. Clients that request answers and do not read them would
//! each hold a copy of all buffers, until the server runs low on memory and rejects what pages send.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wire::limits;

use super::HttpError;

const ROOM_KB: u32 = limits::UNREAD_ANSWERS_MB as u32 * 1024;
/// How long another answer waits for room.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct ResponseBudget {
    room: Arc<Semaphore>,
    patience: Duration,
}

impl Default for ResponseBudget {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(ROOM_KB as usize)), patience: PATIENCE }
    }
}

impl ResponseBudget {
    /// An answer whose JSON `make` writes as soon as there is room for `at_most` bytes.
    pub(super) async fn json(
        &self,
        at_most: usize,
        make: impl FnOnce(Vec<u8>) -> Vec<u8>,
    ) -> Result<Response, HttpError> {
        let room = Arc::clone(&self.room).acquire_many_owned(kilobytes(at_most));
        match tokio::time::timeout(self.patience, room).await {
            Ok(Ok(mut room)) => {
                // Growing the buffer step by step would need twice its size in the meantime.
                let mut text = make(Vec::with_capacity(at_most));
                text.shrink_to_fit();
                let left = room.num_permits().saturating_sub(kilobytes(text.len()) as usize);
                drop(room.split(left));
                let unread = Unread { text, _room: room };
                let body = Body::from(Bytes::from_owner(unread));
                Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
            }
            Ok(Err(_)) | Err(_) => Err(HttpError::NoResponseBudget),
        }
    }
}

fn kilobytes(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(ROOM_KB).min(ROOM_KB)
}

/// A text that releases its room once its last byte has been sent.
struct Unread {
    text: Vec<u8>,
    _room: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Unread {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: usize = ROOM_KB as usize * 1024;

    #[tokio::test]
    async fn unread_answers_are_bounded() {
        let unread = ResponseBudget { patience: Duration::from_millis(50), ..ResponseBudget::default() };
        let ask = |bytes: usize| unread.json(bytes, move |_| vec![b' '; bytes]);
        let first = ask(ALL / 2).await.unwrap();
        let second = ask(ALL / 2).await.unwrap();
        assert!(matches!(ask(1).await, Err(HttpError::NoResponseBudget)), "no room is left");
        drop(second);
        let third = ask(1).await.unwrap();
        assert!(matches!(ask(ALL * 2).await, Err(HttpError::NoResponseBudget)), "others wait");
        drop((first, third));
        // An answer that is larger than the whole budget gets the whole budget.
        let all = ask(ALL * 2).await.unwrap();
        assert!(matches!(ask(1).await, Err(HttpError::NoResponseBudget)));
        drop(all);
        // An answer takes only its real size, even if the estimate was larger.
        let small = unread.json(ALL, |_| vec![b' '; 1024]).await.unwrap();
        assert!(ask(ALL - 1024).await.is_ok());
        assert!(matches!(ask(ALL - 1023).await, Err(HttpError::NoResponseBudget)));
        drop(small);
    }
}
