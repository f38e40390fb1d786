//! Requests that an error mentions and that have not arrived yet: an error leaves the page at once, the request behind
//! it only when its body was read.

use wire::{Json, Timestamp, limits};

use crate::entry::Log;
use crate::store::Store;

/// The requests that fresh entries name and that have not arrived yet.
pub fn missing(store: &Store, now: Timestamp) -> Vec<String> {
    let is_fresh = |arrived: Timestamp| now.millis() - arrived.millis() <= limits::ANNOUNCED_FRESH_MILLIS as i64;
    let has_arrived =
        |id: &str| store.network.iter().rev().any(|stored| stored.entry.request_id.as_deref() == Some(id));
    let fresh = store.logs.iter().rev().take_while(|stored| is_fresh(stored.arrived));
    fresh.filter_map(|stored| announced_request(&stored.entry)).filter(|id| !has_arrived(id)).collect()
}

fn announced_request(entry: &Log) -> Option<String> {
    if entry.request_id.is_some() {
        return entry.request_id.clone();
    }
    // Set beside the error of a `response.json()`.
    let metadata = entry.metadata.as_ref().filter(|metadata| metadata.text().contains("\"requestId\""))?;
    let metadata = Json::value(metadata);
    metadata.get("response")?.get("requestId")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Redactor;
    use crate::intake::Content;
    use crate::session::Session;
    use crate::test_runs::OpenTests;

    fn add(session: &mut Session, content: Content, body: &str, at: Timestamp) {
        let (redactor, open) = (Redactor::new(), OpenTests::default());
        let mut unknown = |_| {};
        let batch = content.split(body, &mut |_| {}).unwrap();
        for entry in batch.prepare(&redactor, &open, at, &mut unknown) {
            session.add(entry.unwrap(), at).unwrap();
        }
    }

    #[test]
    fn a_fresh_error_waits_for_its_request_and_an_old_one_does_not() {
        let at = Timestamp::from_millis(1_770_600_000_000);
        let later = |millis| Timestamp::from_millis(at.millis() + millis);
        let none: [&str; 0] = [];
        let fresh = limits::ANNOUNCED_FRESH_MILLIS as i64;
        for announcing in [
            r#"{"entries":[{"type":"network","message":"GET /x → 500","requestId":"r1","status":500}]}"#,
            r#"{"entries":[{"type":"exception","message":"m","metadata":{"response":{"requestId":"r1"}}}]}"#,
        ] {
            let mut session = Session::new("t");
            assert_eq!(missing(&session.store, at), none);
            add(&mut session, Content::Logs, r#"{"entries":[{"message":"alone"}]}"#, at);
            assert_eq!(missing(&session.store, at), none);
            add(&mut session, Content::Logs, announcing, at);
            assert_eq!(missing(&session.store, later(fresh)), ["r1"], "{announcing}");
            assert_eq!(missing(&session.store, later(fresh + 1)), none);
            add(&mut session, Content::NetworkBodies, r#"{"bodies":[{"url":"/y","requestId":"r2"}]}"#, at);
            assert_eq!(missing(&session.store, at), ["r1"]);
            add(&mut session, Content::NetworkBodies, r#"{"bodies":[{"url":"/x","requestId":"r1"}]}"#, at);
            assert_eq!(missing(&session.store, at), none);
        }
    }
}
