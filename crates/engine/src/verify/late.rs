//! Whether something that came after a moment happened before it.

use std::collections::HashMap;

use wire::Timestamp;

use crate::entry::Entry;
use crate::session::Session;
use crate::store::{Ring, load_of};

/// Entries travel for about a second. One of an unknown page that says it is older than this has another clock.
const TRAVEL_MILLIS: i64 = 10_000;

/// A moment, and how far the clocks of the page loads known by then are behind ours.
#[derive(Debug, Default)]
pub(super) struct Late {
    since: Option<Timestamp>,
    /// The shortest time that an entry of a page load took to get here.
    lags: HashMap<String, i64>,
}

impl Late {
    pub(super) fn of(session: &Session, after: u64, since: Option<Timestamp>) -> Self {
        let mut lags = HashMap::new();
        if since.is_some() {
            add(&mut lags, &session.store.logs, after);
            add(&mut lags, &session.store.network, after);
            add(&mut lags, &session.store.actions, after);
            add(&mut lags, &session.store.websocket, after);
            add(&mut lags, &session.store.dom_snapshots, after);
        }
        Self { since, lags }
    }

    pub(super) fn is(&self, at: Timestamp, page_id: Option<&str>) -> bool {
        let Some(since) = self.since else { return false };
        let age = since.millis().saturating_sub(at.millis());
        let lag = page_id.and_then(|page| self.lags.get(load_of(page)));
        (1..=TRAVEL_MILLIS).contains(&age) || lag.is_some_and(|lag| age > *lag)
    }
}

fn add<T: Entry>(lags: &mut HashMap<String, i64>, ring: &Ring<T>, after: u64) {
    for stored in ring.iter().take_while(|stored| stored.cursor <= after) {
        let Some(load) = stored.entry.page_id().map(load_of) else { continue };
        let lag = stored.arrived.millis().saturating_sub(stored.entry.at().millis()).max(0);
        match lags.get_mut(load) {
            Some(known) => *known = lag.min(*known),
            None => drop(lags.insert(load.to_owned(), lag)),
        }
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
    fn a_page_with_another_clock_is_held_against_its_own() {
        let (mut session, redactor) = (Session::new("t"), Redactor::new());
        let at = Timestamp::from_millis;
        for (load, ts) in [("exact", 100_000), ("slow", 40_000)] {
            let entry = json!({ "message": "m", "page_id": load, "ts": ts });
            let entry: Log = from_test(entry);
            session.push_log(redactor.redact(entry), at(100_100), 10).unwrap();
        }
        let late = Late::of(&session, session.store.cursor(), Some(at(130_000)));
        for (load, ts, expected) in [
            ("exact", 131_000, false),
            ("exact", 129_000, true),
            ("exact", 105_000, true),
            ("slow", 71_000, false),
            ("slow", 60_000, true),
            ("unknown", 129_000, true),
            ("unknown", 60_000, false),
        ] {
            assert_eq!(late.is(at(ts), Some(load)), expected, "{load} {ts}");
        }
    }
}
