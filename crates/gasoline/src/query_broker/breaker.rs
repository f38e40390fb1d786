//! A circuit breaker: a browser that keeps failing gets no more queries until it connects again.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use wire::limits;

const WINDOW: Duration = Duration::from_secs(limits::QUERY_BREAKER_SECONDS);

#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: VecDeque<Instant>,
    open: bool,
}

impl Breaker {
    pub(super) fn failed(&mut self, now: Instant) {
        self.failures.retain(|at| now.duration_since(*at) < WINDOW);
        self.failures.push_back(now);
        self.open |= self.failures.len() >= limits::QUERY_BREAKER_FAILURES;
    }

    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }
}

/// Whether an error counts as a failure of the browser. A browser that reports a known reason (an invalid selector, a
/// closed tab, a page that hangs) works.
pub(super) fn counts(code: Option<&str>) -> bool {
    !code.is_some_and(|code| wire::query::code::ALL.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u32 = limits::QUERY_BREAKER_FAILURES as u32;

    fn after(failures: u32, gap: Duration) -> Breaker {
        let (mut breaker, start) = (Breaker::default(), Instant::now());
        for failure in 0..failures {
            breaker.failed(start + gap * failure);
        }
        breaker
    }

    #[test]
    fn ten_failures_within_a_minute_open_the_breaker_until_it_is_reset() {
        assert!(!after(MOST - 1, Duration::ZERO).is_open());
        let mut breaker = after(MOST, WINDOW / MOST);
        assert!(breaker.is_open());
        breaker.reset();
        assert!(!breaker.is_open());
    }

    #[test]
    fn failures_further_apart_do_not_open_it() {
        assert!(!after(MOST * 3, WINDOW / (MOST - 1) + Duration::from_millis(1)).is_open());
    }

    #[test]
    fn an_error_caused_by_the_query_is_not_a_failure_of_the_browser() {
        assert!(!counts(Some(wire::query::code::INVALID_SELECTOR)));
        assert!(!counts(Some(wire::query::code::QUERY_TIMEOUT)), "the page hangs, but the browser could report it");
        assert!(counts(Some("SOMETHING_ELSE")));
        assert!(counts(None));
    }
}
