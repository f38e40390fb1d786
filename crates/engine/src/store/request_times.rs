//! When a request began and when it ended.

use wire::Timestamp;

use super::Stored;
use crate::entry::Request;

/// Longest plausible request: an hour. A longer duration says nothing about its start.
const LONGEST_MILLIS: f64 = 3_600_000.0;

impl Stored<Request> {
    pub(crate) fn began(&self) -> Timestamp {
        let time = self.entry.at;
        if self.is_untimed() { Timestamp::from_millis(time.millis().saturating_sub(self.took()).max(0)) } else { time }
    }

    pub(crate) fn ended(&self) -> Timestamp {
        let time = self.entry.at;
        if self.is_untimed() { time } else { Timestamp::from_millis(time.millis().saturating_add(self.took())) }
    }

    /// Whether its sender stated no time. Its time is then that of its arrival, which is after its end. Taken as its
    /// start, the request would end after the error that it caused.
    fn is_untimed(&self) -> bool {
        self.entry.at == self.arrived
    }

    fn took(&self) -> i64 {
        self.entry.duration.unwrap_or_default().clamp(0.0, LONGEST_MILLIS) as i64
    }
}
