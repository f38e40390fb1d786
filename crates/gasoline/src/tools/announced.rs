//! Lets a tool call right after an error wait briefly for the request that the error announced.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::view::announced::missing;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use wire::limits;

use crate::app::App;
use crate::clock;

/// How many requests that never arrived are remembered. Tools ask for each of them for one second only.
const GIVEN_UP: usize = 256;

/// Announced requests that never arrived: the next tool call does not wait for them again.
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

/// Returns once every announced request has arrived, or when the wait times out.
pub(super) async fn arrived(app: &App) {
    app.announced.arrived(&app.stored, || missing(&app.session().store, clock::now())).await;
}

impl Announced {
    async fn arrived(&self, stored: &Notify, missing: impl Fn() -> Vec<String>) {
        let deadline = Instant::now() + self.patience;
        loop {
            // Subscribe before reading the store: a notification in between would be lost.
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
    async fn a_request_that_never_arrives_delays_one_call_only() {
        let mut announced = Announced { patience: Duration::from_millis(1), ..Announced::default() };
        assert!(ends(&announced, &["r1", "r2"]).await);
        announced.patience = EVER;
        assert!(ends(&announced, &[]).await);
        assert!(ends(&announced, &["r1"]).await);
        assert!(ends(&announced, &["r2", "r1"]).await);
        assert!(!ends(&announced, &["r1", "r3"]).await, "an unknown request is waited for");
        announced.patience = Duration::from_millis(1);
        for id in 0..GIVEN_UP {
            assert!(ends(&announced, &[&format!("s{id}")]).await);
        }
        assert_eq!(announced.given_up.lock().unwrap().len(), GIVEN_UP);
    }
}
