//! Decides whether something that arrived after a point in time happened before it.

use std::collections::HashMap;

use wire::Timestamp;

use super::trigger::ended;
use crate::entry::Entry;
use crate::session::Session;
use crate::store::{Stored, load_of};

/// Entries travel for about a second. An entry of an unknown page that claims to be older than this has another clock.
const TRAVEL_MILLIS: i64 = 10_000;
/// Pages send at least once a second: if entries always take longer, the page's clock is behind the server's.
const SENDING_MILLIS: i64 = 1_000;

/// A point in time, and how far the clocks of the page loads are behind the server's.
#[derive(Debug, Default)]
pub(super) struct Late {
    since: Option<Timestamp>,
    lags: HashMap<String, Lag>,
}

/// How long the entries of a page load took to arrive.
#[derive(Debug, Clone, Copy)]
struct Lag {
    least: i64,
    /// When the first of them arrived, and whether another arrived at another time.
    first: Timestamp,
    is_sure: bool,
}

impl Late {
    pub(super) fn from_session(session: &Session, since: Option<Timestamp>) -> Self {
        let mut lags = HashMap::new();
        if since.is_some() {
            let store = &session.store;
            store.network.iter().for_each(|stored| add(&mut lags, stored, ended(stored)));
            store.logs.iter().for_each(|stored| add(&mut lags, stored, stored.entry.at));
            store.actions.iter().for_each(|stored| add(&mut lags, stored, stored.entry.at));
            store.websocket.iter().for_each(|stored| add(&mut lags, stored, stored.entry.at));
            store.dom_snapshots.iter().for_each(|stored| add(&mut lags, stored, stored.entry.at));
        }
        Self { since, lags }
    }

    /// Whether it may have happened before the point in time; then it proves nothing about the time after.
    pub(super) fn is(&self, at: Timestamp, page_id: Option<&str>) -> bool {
        let Some(age) = self.age(at) else { return false };
        match self.lag(page_id) {
            Some(Lag { least, is_sure: true, .. }) if least > SENDING_MILLIS => age > least - SENDING_MILLIS,
            Some(Lag { least, .. }) => age <= TRAVEL_MILLIS || age > least,
            None => age <= TRAVEL_MILLIS,
        }
    }

    /// Whether a failure certainly happened before it. In doubt it did not, so that nothing is called fixed for this
    /// reason.
    pub(super) fn is_certainly(&self, at: Timestamp, page_id: Option<&str>) -> bool {
        let Some(age) = self.age(at) else { return false };
        match self.lag(page_id) {
            // A page whose first entry arrived after the point in time was opened after it, whatever its clock says.
            Some(lag) if self.since.is_some_and(|since| lag.first > since) => false,
            Some(lag) => age > lag.least,
            None => age <= TRAVEL_MILLIS,
        }
    }

    /// By how much it claims to be older than the point in time.
    fn age(&self, at: Timestamp) -> Option<i64> {
        Some(self.since?.millis().saturating_sub(at.millis())).filter(|age| *age > 0)
    }

    fn lag(&self, page_id: Option<&str>) -> Option<Lag> {
        self.lags.get(load_of(page_id?)).copied()
    }
}

/// `sent` is the earliest time at which it can have left the page.
fn add<T: Entry>(lags: &mut HashMap<String, Lag>, stored: &Stored<T>, sent: Timestamp) {
    let Some(load) = stored.entry.page_id().map(load_of) else { return };
    let arrived = stored.arrived;
    let least = arrived.millis().saturating_sub(sent.millis()).max(0);
    match lags.get_mut(load) {
        Some(known) => {
            known.least = known.least.min(least);
            known.is_sure |= known.first != arrived;
            known.first = known.first.min(arrived);
        }
        None => drop(lags.insert(load.to_owned(), Lag { least, first: arrived, is_sure: false })),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::Timestamp;

    use super::Late;
    use crate::entry::{Log, from_test};
    use crate::redact::Redactor;
    use crate::session::Session;

    #[test]
    fn a_page_is_judged_by_its_own_clock() {
        let (mut session, redactor) = (Session::new("t"), Redactor::new());
        let at = Timestamp::from_millis;
        for (load, ts, arrived) in [
            ("exact", 100_000, 100_100),
            ("exact", 101_000, 101_900),
            ("slow", 40_000, 100_100),
            ("slow", 41_000, 101_200),
            ("alone", 125_000, 130_500),
        ] {
            let entry: Log = from_test(json!({ "message": "m", "page_id": load, "ts": ts }));
            session.push_log(redactor.redact(entry), at(arrived), 10).unwrap();
        }
        let late = Late::from_session(&session, Some(at(130_000)));
        // Whether it may be late, and whether it certainly is.
        for (load, ts, expected) in [
            ("exact", 131_000, (false, false)),
            ("exact", 129_000, (true, true)),
            ("exact", 105_000, (true, true)),
            ("slow", 71_100, (false, false)),
            ("slow", 70_500, (true, false)),
            ("slow", 60_000, (true, true)),
            ("alone", 125_000, (true, false)),
            ("unknown", 129_000, (true, true)),
            ("unknown", 60_000, (false, false)),
        ] {
            assert_eq!((late.is(at(ts), Some(load)), late.is_certainly(at(ts), Some(load))), expected, "{load} {ts}");
        }
    }
}
