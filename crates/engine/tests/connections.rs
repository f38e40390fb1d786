//! What is known about WebSocket connections, after any history of events.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::entry::{Arrival, Parse, SocketEvent};
use engine::store::{Connection, Pressure, Refused};
use engine::view::connections::{ConnectionFilter, status};
use engine::{Kind, Redactor, Session};
use serde_json::{Value, json};
use wire::{Timestamp, limits};

const START: i64 = 1_770_600_000_000;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(START + millis)
}

/// Stores an event that arrived, and happened, `millis` after the start.
fn push(session: &mut Session, millis: i64, event: Value) -> Result<(), Refused> {
    let event = SocketEvent::from_json(event, Arrival::at(at(millis))).unwrap();
    session.push_websocket(Redactor::new().redact(event), at(millis), 100)
}

fn opened(count: usize) -> Session {
    let mut session = Session::new("t");
    for n in 0..count {
        push(&mut session, n as i64, json!({ "event": "open", "id": format!("c{n}"), "url": format!("ws://x/{n}") }))
            .unwrap();
    }
    session
}

fn close(session: &mut Session, millis: i64, n: usize) {
    push(session, millis, json!({ "event": "close", "id": format!("c{n}"), "code": 1006 })).unwrap();
}

fn counts(session: &Session) -> (usize, usize, u64) {
    let closed = session.store.connections.iter().filter(|connection| connection.is_closed()).count();
    (session.store.connections.len() - closed, closed, session.store.report(Kind::Connections).dropped)
}

fn has(session: &Session, n: usize) -> bool {
    session.store.connections.iter().any(|connection| connection.id == format!("c{n}"))
}

fn only(session: &Session) -> &Connection {
    let all: Vec<_> = session.store.connections.iter().collect();
    assert_eq!(all.len(), 1);
    all[0]
}

fn live(session: &Session, millis: i64) -> Value {
    json!(status(&session.store, &ConnectionFilter::default(), at(millis)))["connections"][0].clone()
}

#[test]
fn twenty_are_open_and_the_oldest_is_evicted() {
    const MOST: usize = limits::OPEN_CONNECTIONS;
    for (count, left, dropped) in [(MOST - 1, MOST - 1, 0), (MOST, MOST, 0), (MOST + 1, MOST, 1)] {
        let session = opened(count);
        assert_eq!(counts(&session), (left, 0, dropped), "{count}");
        assert_eq!(has(&session, 0), dropped == 0);
        let report = session.store.report(Kind::Connections);
        assert_eq!((report.count, report.capacity, report.dropped, report.received), (left, 30, dropped, count as u64));
    }
}

#[test]
fn an_evicted_connection_does_not_reappear_with_its_messages() {
    let mut session = opened(limits::OPEN_CONNECTIONS + 1);
    let before = counts(&session);
    for event in ["message", "stats", "error"] {
        push(&mut session, 100, json!({ "event": event, "id": "c0", "direction": "incoming", "data": "x" })).unwrap();
    }
    assert_eq!(counts(&session), before);
    assert!(!has(&session, 0));
}

#[test]
fn ten_closed_are_kept_beside_the_open_ones() {
    const MOST: usize = limits::CLOSED_CONNECTIONS;
    for (count, left, dropped) in [(MOST - 1, MOST - 1, 0), (MOST, MOST, 0), (MOST + 1, MOST, 1)] {
        let mut session = opened(20);
        for n in 0..count {
            // The connection that was opened last closes first.
            close(&mut session, 100, 19 - n);
        }
        for n in 0..count {
            push(&mut session, 200, json!({ "event": "open", "id": format!("again{n}") })).unwrap();
        }
        assert_eq!(counts(&session), (20, left, dropped), "{count}");
        assert_eq!(has(&session, 19), dropped == 0, "the first to end is the first to be forgotten");
    }
}

#[test]
fn closed_ones_are_forgotten_after_five_minutes() {
    const KEPT: i64 = limits::CLOSED_CONNECTION_SECONDS as i64 * 1000;
    for (millis, left) in [(KEPT - 1, 1), (KEPT, 1), (KEPT + 1, 0)] {
        let mut session = opened(1);
        close(&mut session, 0, 0);
        push(&mut session, 1_000, json!({ "event": "stats", "id": "c0" })).unwrap();
        assert_eq!(status(&session.store, &ConnectionFilter::default(), at(millis)).closed.len(), left, "{millis}");
        session.forget(at(millis));
        assert_eq!(counts(&session), (0, left, 0), "time is no lack of room");
    }
    let mut open = opened(1);
    open.forget(at(KEPT * 10));
    assert_eq!(counts(&open), (1, 0, 0), "what is open stays");
}

#[test]
fn their_byte_limit_holds() {
    let mut session = Session::new("t");
    let large = |n: usize| {
        let keys: Vec<String> = (0..50).map(|key| format!("{key}-{}", "k ".repeat(2_000))).collect();
        json!({ "event": "stats", "id": format!("c{n}"), "stats": { "schema": { "detectedKeys": keys } } })
    };
    push(&mut session, 0, large(0)).unwrap();
    let one = session.store.report(Kind::Connections).memory_bytes;
    let fit = limits::CONNECTION_BYTES / one;
    assert!(fit < limits::OPEN_CONNECTIONS, "{one} bytes each");
    for n in 1..fit {
        push(&mut session, 0, large(n)).unwrap();
    }
    assert_eq!(counts(&session), (fit, 0, 0));
    push(&mut session, 0, json!({ "event": "close", "id": "c1" })).unwrap();
    push(&mut session, 0, large(fit)).unwrap();
    assert_eq!(counts(&session), (fit, 0, 1));
    assert!(!has(&session, 1) && has(&session, 0), "what ended goes before what lives");
    assert!(session.store.report(Kind::Connections).memory_bytes <= limits::CONNECTION_BYTES);
}

#[test]
fn any_first_event_makes_a_connection() {
    for (event, state, opened) in [
        ("connecting", "connecting", false),
        ("open", "open", true),
        ("message", "open", true),
        ("stats", "open", true),
        ("error", "error", false),
        ("close", "closed", false),
    ] {
        let mut session = Session::new("t");
        push(&mut session, 0, json!({ "event": event, "id": "c" })).unwrap();
        assert_eq!((only(&session).state.name(), only(&session).opened_at.is_some()), (state, opened), "{event}");
    }
    let mut nameless = Session::new("t");
    push(&mut nameless, 0, json!({ "event": "open" })).unwrap();
    assert!(nameless.store.connections.is_empty(), "nothing tells it from others");
    push(&mut nameless, 0, json!({ "event": "open", "url": "ws://x" })).unwrap();
    assert_eq!(only(&nameless).id, "ws://x");
}

#[test]
fn a_connection_goes_from_connecting_to_closed() {
    let mut session = Session::new("t");
    for (event, state) in [
        ("connecting", "connecting"),
        ("open", "open"),
        ("message", "open"),
        ("error", "error"),
        ("close", "closed"),
        ("message", "closed"),
        ("error", "closed"),
        ("stats", "closed"),
        ("open", "open"),
    ] {
        push(&mut session, 0, json!({ "event": event, "id": "c", "direction": "incoming" })).unwrap();
        assert_eq!(only(&session).state.name(), state, "after {event}");
    }
    assert_eq!(
        (only(&session).incoming.total, session.store.report(Kind::Connections).received),
        (0, 2),
        "opened again, it begins anew"
    );
}

#[test]
fn messages_are_counted_for_senders_that_report_no_totals() {
    let mut session = opened(1);
    for n in 0..12 {
        push(&mut session, 1_000 + n * 100, json!({ "event": "message", "id": "c0", "direction": "incoming", "data": "{\"sym\":\"A\",\"price\":1}", "size": 50 })).unwrap();
    }
    push(&mut session, 2_000, json!({ "event": "message", "id": "c0", "direction": "outgoing", "data": "four" }))
        .unwrap();
    let now = live(&session, 3_000);
    assert_eq!(now["messageRate"]["incoming"], json!({ "perSecond": 2.4, "total": 12, "bytes": 600 }));
    assert_eq!(now["messageRate"]["outgoing"], json!({ "perSecond": 0.2, "total": 1, "bytes": 4 }));
    assert_eq!((&now["lastMessage"]["incoming"]["age"], &now["duration"]), (&json!("0.9s"), &json!("3.0s")));
    assert_eq!(now["schema"], json!({ "detectedKeys": ["sym", "price"], "messageCount": 12, "consistent": true }));
    assert_eq!(now["sampling"], json!({ "active": false, "reason": "2.6 msg/s below 10 msg/s threshold" }));
    for (millis, rate) in [(5_900, 2.4), (6_000, 1.4), (6_500, 0.4), (7_000, 0.0)] {
        assert_eq!(live(&session, millis)["messageRate"]["incoming"]["perSecond"], rate, "{millis}");
    }
}

#[test]
fn the_pages_totals_win_once_they_arrive() {
    let mut session = opened(1);
    let message = json!({ "event": "message", "id": "c0", "direction": "incoming", "data": "{\"a\":1}", "size": 7 });
    push(&mut session, 0, message.clone()).unwrap();
    let stats = json!({
        "incoming": { "total": 14_460, "bytes": 892_400, "perSecond": 48.2, "lastAt": at(100), "lastPreview": "p".repeat(300) },
        "outgoing": { "total": 3, "bytes": 156 },
        "schema": { "detectedKeys": ["sym"], "messageCount": 14_460, "consistent": true },
        "sampling": { "active": true, "rate": "1/5", "reason": "48.2 msg/s exceeds 10 msg/s threshold" },
    });
    push(&mut session, 100, json!({ "event": "stats", "id": "c0", "stats": stats })).unwrap();
    push(&mut session, 200, message).unwrap();
    let now = live(&session, 1_000);
    assert_eq!(now["messageRate"]["incoming"], json!({ "perSecond": 48.2, "total": 14_460, "bytes": 892_400 }));
    assert_eq!(now["messageRate"]["outgoing"]["total"], 3);
    assert_eq!((&now["schema"]["messageCount"], &now["sampling"]["rate"]), (&json!(14_460), &json!("1/5")));
    assert_eq!(now["lastMessage"]["incoming"]["preview"], "{\"a\":1}", "a newer message is newer all the same");
    assert_eq!(session.store.websocket.len(), 3, "totals are no event");
}

#[test]
fn previews_have_two_hundred_characters() {
    const MOST: usize = limits::WEBSOCKET_PREVIEW_CHARS;
    for (sent, kept) in [(MOST - 1, MOST - 1), (MOST, MOST), (MOST + 1, MOST)] {
        let mut session = Session::new("t");
        push(&mut session, 0, json!({ "event": "message", "id": "c", "data": "é".repeat(sent) })).unwrap();
        assert_eq!(only(&session).incoming.last_preview.as_ref().unwrap().chars().count(), kept);
        let stats = json!({ "outgoing": { "lastPreview": "é".repeat(sent), "lastAt": at(0) } });
        push(&mut session, 0, json!({ "event": "stats", "id": "c", "stats": stats })).unwrap();
        assert_eq!(only(&session).outgoing.last_preview.as_ref().unwrap().chars().count(), kept);
    }
}

#[test]
fn the_schema_of_messages_is_detected() {
    let typed = |name: &str, extra: &str| format!("{{\"type\":\"{name}\",\"{extra}\":1}}");
    let chat: Vec<String> = (0..89)
        .map(|_| typed("message", "text"))
        .chain((0..8).map(|_| typed("typing", "user")))
        .chain((0..3).map(|_| typed("presence", "user")))
        .collect();
    for (messages, expected) in [
        (vec!["{\"a\":1}".to_owned(), "{\"a\":2}".to_owned()], json!([["a"], 2, true, null])),
        (vec!["{\"a\":1}".to_owned(), "{\"b\":2}".to_owned()], json!([["a", "b"], 2, false, null])),
        (vec!["{\"a\":1}".to_owned(), "plain".to_owned()], json!([["a"], 1, false, null])),
        (vec!["plain".to_owned(), "[1]".to_owned(), "7".to_owned()], Value::Null),
        (vec![typed("x", "y"), typed("x", "y")], json!([["type", "y"], 2, true, null])),
        (chat, json!([["type", "text", "user"], 100, false, ["message (89%)", "typing (8%)", "presence (3%)"]])),
    ] {
        let mut session = Session::new("t");
        for data in &messages {
            push(&mut session, 0, json!({ "event": "message", "id": "c", "direction": "incoming", "data": data }))
                .unwrap();
        }
        let found = only(&session)
            .schema()
            .map(|schema| json!([schema.detected_keys, schema.message_count, schema.consistent, schema.variants]));
        assert_eq!(found.unwrap_or_default(), expected, "{messages:?}");
    }
}

/// A page counts only while messages come, so its last figure has to expire.
#[test]
fn rates_and_sampling_expire_without_new_figures() {
    let mut session = opened(1);
    let stats = json!({
        "incoming": { "total": 14_460, "perSecond": 48.2 },
        "sampling": { "active": true, "rate": "1/5", "reason": "48.2 msg/s exceeds 10 msg/s threshold" },
    });
    push(&mut session, 100, json!({ "event": "stats", "id": "c0", "stats": stats })).unwrap();
    for (millis, rate, active, reason) in [
        (100, 48.2, true, "48.2 msg/s exceeds 10 msg/s threshold"),
        (2_100, 48.2, true, "48.2 msg/s exceeds 10 msg/s threshold"),
        (3_600, 24.1, true, "24.1 msg/s exceeds 10 msg/s threshold"),
        (4_600, 8.0, false, "8.0 msg/s below 10 msg/s threshold"),
        (5_100, 0.0, false, "0.0 msg/s below 10 msg/s threshold"),
        (60_000, 0.0, false, "0.0 msg/s below 10 msg/s threshold"),
    ] {
        let now = live(&session, millis);
        assert_eq!(now["messageRate"]["incoming"]["perSecond"], rate, "{millis}");
        assert_eq!(
            (&now["sampling"]["active"], &now["sampling"]["reason"]),
            (&json!(active), &json!(reason)),
            "{millis}"
        );
        assert_eq!(now["sampling"].get("rate").is_some(), active, "{millis}");
    }
    // Other events of the connection do not keep an old figure alive.
    push(&mut session, 5_000, json!({ "event": "message", "id": "c0", "direction": "outgoing", "data": "x" })).unwrap();
    assert_eq!(live(&session, 5_200)["messageRate"]["incoming"]["perSecond"], 0.0);
    // New figures count from their arrival.
    let stats = json!({ "incoming": { "total": 14_470, "perSecond": 2.0 }, "sampling": { "active": false, "reason": "2.0 msg/s below 10 msg/s threshold" } });
    push(&mut session, 9_000, json!({ "event": "stats", "id": "c0", "stats": stats })).unwrap();
    assert_eq!(live(&session, 9_500)["messageRate"]["incoming"]["perSecond"], 2.0);
}

#[test]
fn a_sender_that_only_marks_messages_as_sampled_stops_sampling_without_them() {
    let mut session = opened(1);
    let sampled = json!({ "rate": "48.2/s", "logged": "1/5", "window": "5s" });
    push(
        &mut session,
        0,
        json!({ "event": "message", "id": "c0", "direction": "incoming", "data": "x", "sampled": sampled }),
    )
    .unwrap();
    assert_eq!(
        live(&session, 5_000)["sampling"],
        json!({ "active": true, "rate": "1/5", "reason": "48.2 msg/s exceeds 10 msg/s threshold" })
    );
    assert_eq!(
        live(&session, 5_001)["sampling"],
        json!({ "active": false, "reason": "0.0 msg/s below 10 msg/s threshold" })
    );
}

#[test]
fn directions_are_told_apart() {
    let mut session = Session::new("t");
    let message =
        |direction: &str, data: &str| json!({ "event": "message", "id": "c", "direction": direction, "data": data });
    push(&mut session, 0, message("outgoing", "{\"subscribe\":1}")).unwrap();
    assert_eq!(only(&session).schema(), None);
    assert_eq!(live(&session, 0)["outgoingSchema"]["detectedKeys"], json!(["subscribe"]));
    for _ in 0..3 {
        push(&mut session, 0, message("incoming", "{\"sym\":\"A\",\"price\":1}")).unwrap();
    }
    // The page does not separate directions.
    let stats = json!({
        "incoming": { "total": 14_460 }, "outgoing": { "total": 3 },
        "schema": { "detectedKeys": ["subscribe", "price", "sym"], "messageCount": 14_463, "consistent": false, "variants": ["subscribe (1%)", "sym+price (99%)"] },
    });
    push(&mut session, 0, json!({ "event": "stats", "id": "c", "stats": stats })).unwrap();
    let now = live(&session, 0);
    assert_eq!(now["schema"], json!({ "detectedKeys": ["price", "sym"], "messageCount": 14_460, "consistent": true }));
    assert_eq!(now["outgoingSchema"], json!({ "detectedKeys": ["subscribe"], "messageCount": 3, "consistent": true }));
}

#[test]
fn hostile_messages_stay_small() {
    let mut session = Session::new("t");
    for n in 0..500 {
        let keys: Vec<String> = (0..40).map(|key| format!("\"k{n}-{key}\":1")).collect();
        let data = format!("{{\"type\":\"t{n}\",{}}}", keys.join(","));
        push(&mut session, 0, json!({ "event": "message", "id": "c", "data": data })).unwrap();
    }
    push(&mut session, 0, json!({ "event": "message", "id": "c", "data": "[".repeat(4_000) })).unwrap();
    assert!(
        session.store.report(Kind::Connections).memory_bytes < 16 * 1024,
        "{}",
        session.store.report(Kind::Connections).memory_bytes
    );
}

#[test]
fn a_message_gets_its_connections_address() {
    let mut session = opened(1);
    push(&mut session, 0, json!({ "event": "message", "id": "c0", "data": "x" })).unwrap();
    push(&mut session, 0, json!({ "event": "message", "id": "c0", "data": "x", "url": "ws://own" })).unwrap();
    push(&mut session, 0, json!({ "event": "message", "id": "other", "data": "x" })).unwrap();
    let urls: Vec<_> = session.store.websocket.iter().skip(1).map(|stored| stored.entry.url.clone()).collect();
    assert_eq!(urls, [Some("ws://x/0".to_owned()), Some("ws://own".to_owned()), None]);
}

#[test]
fn clearing_forgets_them_by_test() {
    let mut session = Session::new("t");
    for test in ["a", "b"] {
        push(&mut session, 0, json!({ "event": "open", "id": "same", "test_id": test })).unwrap();
    }
    assert_eq!(session.store.connections.len(), 2, "two tests may number theirs alike");
    assert_eq!(session.clear(Some("a"), at(0)), 1);
    assert_eq!(only(&session).test_id.as_deref(), Some("b"));
    session.clear(None, at(0));
    assert_eq!(counts(&session), (0, 0, 0));
}

#[test]
fn short_of_memory_no_connection_is_followed() {
    let mut session = opened(3);
    session.set_pressure(Pressure::Minimal);
    assert_eq!(counts(&session), (0, 0, 3));
    for event in ["open", "stats"] {
        assert_eq!(push(&mut session, 0, json!({ "event": event, "id": "c" })), Err(Refused::MemoryPressure));
    }
    assert!(session.store.connections.is_empty());
    session.set_pressure(Pressure::Normal);
    push(&mut session, 0, json!({ "event": "message", "id": "c" })).unwrap();
    assert_eq!(counts(&session), (1, 0, 3));
}
