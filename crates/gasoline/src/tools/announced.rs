//! A question asked the moment after an error waits for the request behind it, for as long as nobody notices.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::view::announced::missing;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use wire::limits;

use crate::app::App;
use crate::clock;

/// So many requests that did not come are remembered; they are asked about for a second.
const GIVEN_UP: usize = 256;

/// The requests that were waited for in vain: the next question need not wait for them again.
#[derive(Debug)]
pub(crate) struct Announced {
    given_up: Mutex<VecDeque<String>>,
    patience: Duration,
}

impl Default for Announced {
    fn default() -> Self {
        Self { given_up: Mutex::default(), patience: Duration::from_millis(limits::ANNOUNCED_WAIT_MILLIS) }
    }
}

/// Returns when what was announced is there, or after a moment.
pub(super) async fn arrived(app: &App) {
    app.announced.arrived(&app.stored, || missing(&app.session().store, clock::now())).await;
}

impl Announced {
    async fn arrived(&self, stored: &Notify, missing: impl Fn() -> Vec<String>) {
        let deadline = Instant::now() + self.patience;
        loop {
            // Listening begins before looking, or what comes in between would go unheard.
            let news = stored.notified();
            tokio::pin!(news);
            news.as_mut().enable();
            let missing = self.awaited(missing());
            if missing.is_empty() {
                return;
            }
            if timeout_at(deadline, news).await.is_err() {
                self.give_up(missing);
                return;
            }
        }
    }

    fn awaited(&self, mut missing: Vec<String>) -> Vec<String> {
        if !missing.is_empty() {
            let given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
            missing.retain(|id| !given_up.contains(id));
        }
        missing
    }

    fn give_up(&self, missing: Vec<String>) {
        let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.extend(missing);
        let surplus = given_up.len().saturating_sub(GIVEN_UP);
        given_up.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVER: Duration = Duration::from_secs(3_600);

    async fn ends(announced: &Announced, missing: &[&str]) -> bool {
        let missing = || missing.iter().map(|id| (*id).to_owned()).collect();
        let stored = Notify::new();
        let waited = announced.arrived(&stored, missing);
        tokio::time::timeout(Duration::from_millis(300), waited).await.is_ok()
    }

    #[tokio::test]
    async fn what_did_not_come_is_waited_for_once() {
        let mut announced = Announced { patience: Duration::from_millis(1), ..Announced::default() };
        assert!(ends(&announced, &["r1", "r2"]).await);
        announced.patience = EVER;
        assert!(ends(&announced, &[]).await);
        assert!(ends(&announced, &["r1"]).await);
        assert!(ends(&announced, &["r2", "r1"]).await);
        assert!(!ends(&announced, &["r1", "r3"]).await, "another one is waited for");
        announced.patience = Duration::from_millis(1);
        for id in 0..GIVEN_UP {
            assert!(ends(&announced, &[&format!("s{id}")]).await);
        }
        assert_eq!(announced.given_up.lock().unwrap().len(), GIVEN_UP);
    }
}
