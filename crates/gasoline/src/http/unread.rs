//! Answers as large as the buffers. Who asks for them and does not read would hold a copy of everything each time, until
//! the server runs short of memory and refuses what pages send.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use super::HttpError;

/// So much may wait to be read, all readers together.
const ROOM_KB: u32 = 16 * 1024;
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
            let kilobytes = u32::try_from(text.len() / 1024 + 1).unwrap_or(ROOM_KB).min(ROOM_KB);
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
