//! Answers as large as the buffers. Who asks for them and does not read would hold a copy of everything each time, until
//! the server runs short of memory and refuses what pages send.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use wire::limits;

use super::HttpError;

const ROOM_KB: u32 = limits::UNREAD_ANSWERS_MB as u32 * 1024;
/// So long a further one waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct UnreadAnswers {
    /// One is made at a time: before it is made nobody knows how large it is.
    turn: Mutex<()>,
    room: Arc<Semaphore>,
}

impl Default for UnreadAnswers {
    fn default() -> Self {
        Self { turn: Mutex::default(), room: Arc::new(Semaphore::new(ROOM_KB as usize)) }
    }
}

impl UnreadAnswers {
    /// JSON that `make` writes, as soon as there is room for it.
    pub(super) async fn json(&self, make: impl FnOnce() -> Vec<u8>) -> Result<Response, HttpError> {
        let made = async {
            let turn = self.turn.lock().await;
            let mut text = make();
            text.shrink_to_fit();
            let kilobytes = u32::try_from(text.len().div_ceil(1024)).unwrap_or(ROOM_KB).min(ROOM_KB);
            let room = Arc::clone(&self.room).acquire_many_owned(kilobytes).await;
            drop(turn);
            room.map(|room| Unread { text, _room: room })
        };
        match tokio::time::timeout(PATIENCE, made).await {
            Ok(Ok(unread)) => {
                let body = Body::from(Bytes::from_owner(unread));
                Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
            }
            Ok(Err(_)) | Err(_) => Err(HttpError::Unread),
        }
    }
}

/// A text that gives its room back when the last byte of it is gone.
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
    async fn so_much_waits_and_no_more() {
        let unread = UnreadAnswers::default();
        let ask = |bytes: usize| unread.json(move || vec![b' '; bytes]);
        let first = ask(ALL / 2).await.unwrap();
        let second = ask(ALL / 2).await.unwrap();
        assert!(matches!(ask(1).await, Err(HttpError::Unread)), "there is no room left");
        drop(second);
        let third = ask(1).await.unwrap();
        assert!(matches!(ask(ALL * 2).await, Err(HttpError::Unread)), "others wait");
        drop((first, third));
        // One that is larger than all of the room is given all of it.
        assert!(ask(ALL * 2).await.is_ok());
    }
}
