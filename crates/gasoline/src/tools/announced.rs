//! A question asked the moment after an error waits for the request behind it, for as long as nobody notices.

use std::time::Duration;

use engine::view::announced::is_incomplete;
use tokio::time::{Instant, timeout_at};
use wire::limits;

use crate::app::App;
use crate::clock;

/// Returns when what was announced is there, or after a moment.
pub(super) async fn arrived(app: &App) {
    let deadline = Instant::now() + Duration::from_millis(limits::ANNOUNCED_WAIT_MILLIS);
    loop {
        // Listening begins before looking, or what comes in between would go unheard.
        let stored = app.stored.notified();
        tokio::pin!(stored);
        stored.as_mut().enable();
        if !is_incomplete(&app.store(), clock::now()) || timeout_at(deadline, stored).await.is_err() {
            return;
        }
    }
}
