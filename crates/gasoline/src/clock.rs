//! The one place that reads the wall clock.

use wire::Timestamp;

pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
}
