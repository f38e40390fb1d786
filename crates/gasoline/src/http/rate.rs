//! Rate limits: a token bucket per source, so that a page that floods does not crowd out the others.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::http::{HeaderMap, header};
use wire::limits;

use super::HttpError;

/// More sources than this share buckets.
const SOURCES: usize = 256;

#[derive(Debug)]
pub(crate) struct RateLimiter {
    /// Events per second; 0 means no limit.
    per_second: u32,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    filled: Instant,
}

impl RateLimiter {
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second, buckets: Mutex::new(HashMap::new()) }
    }

    pub(crate) fn per_second(&self) -> u32 {
        self.per_second
    }

    /// Takes `events` out of the source's bucket, or returns how long to wait until that is possible.
    pub(super) fn take(&self, source: &str, events: usize, now: Instant) -> Result<(), HttpError> {
        if self.per_second == 0 {
            return Ok(());
        }
        let rate = f64::from(self.per_second);
        let burst = rate * f64::from(limits::BURST_FACTOR);
        let events = events as f64;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= SOURCES && !buckets.contains_key(source) {
            // A bucket that is full again equals a new one, so it can be forgotten.
            buckets.retain(|_, bucket| bucket.left + now.duration_since(bucket.filled).as_secs_f64() * rate < burst);
        }
        let key = if buckets.len() >= SOURCES && !buckets.contains_key(source) { "" } else { source };
        let bucket = buckets.entry(key.to_owned()).or_insert(Bucket { left: burst, filled: now });
        let gained = now.saturating_duration_since(bucket.filled).as_secs_f64() * rate;
        bucket.left = (bucket.left + gained).min(burst);
        bucket.filled = now;
        if events <= bucket.left {
            bucket.left -= events;
            return Ok(());
        }
        if events > burst {
            // More than a full bucket: waiting would not help.
            return Err(HttpError::TooManyEvents { most: burst as usize });
        }
        let missing = events - bucket.left;
        Err(HttpError::RateLimited { retry_after_ms: ((missing / rate) * 1000.0).ceil().max(1.0) as u64 })
    }
}

/// The source of a request: the extension is one source, each CI page's origin another, all command-line tools a third.
pub(super) fn source(headers: &HeaderMap) -> String {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    origin.unwrap_or("local").to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn wait(result: Result<(), HttpError>) -> Option<u64> {
        match result {
            Err(HttpError::RateLimited { retry_after_ms }) => Some(retry_after_ms),
            _ => None,
        }
    }

    #[test]
    fn a_burst_then_the_sustained_rate() {
        let limiter = RateLimiter::new(1_000);
        let start = Instant::now();
        assert_eq!(wait(limiter.take("a", 5_000, start)), None);
        assert_eq!(wait(limiter.take("a", 1, start)), Some(1));
        assert_eq!(wait(limiter.take("a", 1_000, start + Duration::from_millis(999))), Some(1));
        assert_eq!(wait(limiter.take("a", 1_000, start + Duration::from_secs(1))), None);
        assert_eq!(wait(limiter.take("b", 5_000, start)), None, "sources do not share");
    }

    #[test]
    fn a_batch_over_the_burst_is_rejected_without_a_wait() {
        let limiter = RateLimiter::new(1_000);
        let refused = limiter.take("a", 5_001, Instant::now());
        assert!(matches!(refused, Err(HttpError::TooManyEvents { most: 5_000 })));
        assert_eq!(wait(limiter.take("a", 5_000, Instant::now())), None, "and it took nothing");
    }

    #[test]
    fn no_limit() {
        let limiter = RateLimiter::new(0);
        assert_eq!(wait(limiter.take("a", usize::MAX, Instant::now())), None);
    }

    #[test]
    fn sources_stay_bounded() {
        let limiter = RateLimiter::new(1);
        let now = Instant::now();
        for n in 0..10_000 {
            let _ = limiter.take(&n.to_string(), 3, now);
        }
        assert!(limiter.buckets.lock().unwrap().len() <= SOURCES + 1);
    }
}
