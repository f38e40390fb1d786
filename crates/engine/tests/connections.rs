//! What is known of WebSocket connections, under any history.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::store::{Connection, Pressure, Refused};
use engine::view::connections::{ConnectionFilter, status};
use engine::{Kind, Redactor, Store};
use serde_json::{Value, json};
use wire::{Timestamp, WebSocketEvent, limits};

const START: i64 = 1_770_600_000_000;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(START + millis)
}

/// Stores an event that arrived, and happened, `millis` after the start.
fn push(store: &mut Store, millis: i64, event: Value) -> Result<(), Refused> {
    let mut event: WebSocketEvent = serde_json::from_value(event).unwrap();
    event.ts.get_or_insert(at(millis));
    store.push_websocket(Redactor::new().redact(event), at(millis), 100)
}

fn opened(count: usize) -> Store {
    let mut store = Store::new("t");
    for n in 0..count {
        push(&mut store, n as i64, json!({ "event": "open", "id": format!("c{n}"), "url": format!("ws://x/{n}") }))
            .unwrap();
    }
    store
}

fn close(store: &mut Store, millis: i64, n: usize) {
    push(store, millis, json!({ "event": "close", "id": format!("c{n}"), "code": 1006 })).unwrap();
}

fn counts(store: &Store) -> (usize, usize, u64) {
    let closed = store.connections.iter().filter(|connection| connection.is_closed()).count();
    (store.connections.len() - closed, closed, store.connections.dropped())
}

fn has(store: &Store, n: usize) -> bool {
    store.connections.iter().any(|connection| connection.id == format!("c{n}"))
}

fn only(store: &Store) -> &Connection {
    let all: Vec<_> = store.connections.iter().collect();
    assert_eq!(all.len(), 1);
    all[0]
}

fn live(store: &Store, millis: i64) -> Value {
    status(store, &ConnectionFilter::default(), at(millis)).0[0].clone()
}

#[test]
fn twenty_are_open_and_the_oldest_leaves() {
    const MOST: usize = limits::OPEN_CONNECTIONS;
    for (count, left, dropped) in [(MOST - 1, MOST - 1, 0), (MOST, MOST, 0), (MOST + 1, MOST, 1)] {
        let store = opened(count);
        assert_eq!(counts(&store), (left, 0, dropped), "{count}");
        assert_eq!(has(&store, 0), dropped == 0);
        let report = store.report(Kind::Connections);
        assert_eq!((report.count, report.capacity, report.dropped, report.received), (left, 30, dropped, count as u64));
    }
}

#[test]
fn one_that_had_to_go_does_not_come_back_with_its_messages() {
    let mut store = opened(limits::OPEN_CONNECTIONS + 1);
    let before = counts(&store);
    for event in ["message", "stats", "error"] {
        push(&mut store, 100, json!({ "event": event, "id": "c0", "direction": "incoming", "data": "x" })).unwrap();
    }
    assert_eq!(counts(&store), before);
    assert!(!has(&store, 0));
}

#[test]
fn ten_closed_are_kept_beside_the_open_ones() {
    const MOST: usize = limits::CLOSED_CONNECTIONS;
    for (count, left, dropped) in [(MOST - 1, MOST - 1, 0), (MOST, MOST, 0), (MOST + 1, MOST, 1)] {
        let mut store = opened(20);
        for n in 0..count {
            // The one that was opened last ends first.
            close(&mut store, 100, 19 - n);
        }
        for n in 0..count {
            push(&mut store, 200, json!({ "event": "open", "id": format!("again{n}") })).unwrap();
        }
        assert_eq!(counts(&store), (20, left, dropped), "{count}");
        assert_eq!(has(&store, 19), dropped == 0, "the first to end is the first to be forgotten");
    }
}

#[test]
fn closed_ones_are_forgotten_after_five_minutes() {
    const KEPT: i64 = limits::CLOSED_CONNECTION_SECONDS as i64 * 1000;
    for (millis, left) in [(KEPT - 1, 1), (KEPT, 1), (KEPT + 1, 0)] {
        let mut store = opened(1);
        close(&mut store, 0, 0);
        push(&mut store, 1_000, json!({ "event": "stats", "id": "c0" })).unwrap();
        assert_eq!(status(&store, &ConnectionFilter::default(), at(millis)).1.len(), left, "{millis}");
        store.forget(at(millis));
        assert_eq!(counts(&store), (0, left, 0), "time is no lack of room");
    }
    let mut open = opened(1);
    open.forget(at(KEPT * 10));
    assert_eq!(counts(&open), (1, 0, 0), "what is open stays");
}

#[test]
fn they_keep_to_their_bytes() {
    let mut store = Store::new("t");
    let large = |n: usize| {
        let keys: Vec<String> = (0..50).map(|key| format!("{key}-{}", "k ".repeat(2_000))).collect();
        json!({ "event": "stats", "id": format!("c{n}"), "stats": { "schema": { "detectedKeys": keys } } })
    };
    push(&mut store, 0, large(0)).unwrap();
    let one = store.connections.bytes();
    let fit = limits::CONNECTION_BYTES / one;
    assert!(fit < limits::OPEN_CONNECTIONS, "{one} bytes each");
    for n in 1..fit {
        push(&mut store, 0, large(n)).unwrap();
    }
    assert_eq!(counts(&store), (fit, 0, 0));
    push(&mut store, 0, json!({ "event": "close", "id": "c1" })).unwrap();
    push(&mut store, 0, large(fit)).unwrap();
    assert_eq!(counts(&store), (fit, 0, 1));
    assert!(!has(&store, 1) && has(&store, 0), "what ended goes before what lives");
    assert!(store.connections.bytes() <= limits::CONNECTION_BYTES);
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
        let mut store = Store::new("t");
        push(&mut store, 0, json!({ "event": event, "id": "c" })).unwrap();
        assert_eq!((only(&store).state.name(), only(&store).opened_at.is_some()), (state, opened), "{event}");
    }
    let mut nameless = Store::new("t");
    push(&mut nameless, 0, json!({ "event": "open" })).unwrap();
    assert!(nameless.connections.is_empty(), "nothing tells it from others");
    push(&mut nameless, 0, json!({ "event": "open", "url": "ws://x" })).unwrap();
    assert_eq!(only(&nameless).id, "ws://x");
}

#[test]
fn a_life_from_connecting_to_closed() {
    let mut store = Store::new("t");
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
        push(&mut store, 0, json!({ "event": event, "id": "c", "direction": "incoming" })).unwrap();
        assert_eq!(only(&store).state.name(), state, "after {event}");
    }
    assert_eq!((only(&store).incoming.total, store.connections.received()), (0, 2), "opened again, it begins anew");
}

#[test]
fn messages_are_counted_for_senders_that_do_not() {
    let mut store = opened(1);
    for n in 0..12 {
        push(&mut store, 1_000 + n * 100, json!({ "event": "message", "id": "c0", "direction": "incoming", "data": "{\"sym\":\"A\",\"price\":1}", "size": 50 })).unwrap();
    }
    push(&mut store, 2_000, json!({ "event": "message", "id": "c0", "direction": "outgoing", "data": "four" }))
        .unwrap();
    let now = live(&store, 3_000);
    assert_eq!(now["messageRate"]["incoming"], json!({ "perSecond": 2.4, "total": 12, "bytes": 600 }));
    assert_eq!(now["messageRate"]["outgoing"], json!({ "perSecond": 0.2, "total": 1, "bytes": 4 }));
    assert_eq!((&now["lastMessage"]["incoming"]["age"], &now["duration"]), (&json!("0.9s"), &json!("3.0s")));
    assert_eq!(now["schema"], json!({ "detectedKeys": ["sym", "price"], "messageCount": 12, "consistent": true }));
    assert_eq!(now["sampling"], json!({ "active": false, "reason": "2.6 msg/s below 10 msg/s threshold" }));
    for (millis, rate) in [(5_900, 2.4), (6_000, 1.4), (6_500, 0.4), (7_000, 0.0)] {
        assert_eq!(live(&store, millis)["messageRate"]["incoming"]["perSecond"], rate, "{millis}");
    }
}

#[test]
fn the_pages_numbers_win_from_then_on() {
    let mut store = opened(1);
    let message = json!({ "event": "message", "id": "c0", "direction": "incoming", "data": "{\"a\":1}", "size": 7 });
    push(&mut store, 0, message.clone()).unwrap();
    let stats = json!({
        "incoming": { "total": 14_460, "bytes": 892_400, "perSecond": 48.2, "lastAt": at(100), "lastPreview": "p".repeat(300) },
        "outgoing": { "total": 3, "bytes": 156 },
        "schema": { "detectedKeys": ["sym"], "messageCount": 14_460, "consistent": true },
        "sampling": { "active": true, "rate": "1/5", "reason": "48.2 msg/s exceeds 10 msg/s threshold" },
    });
    push(&mut store, 100, json!({ "event": "stats", "id": "c0", "stats": stats })).unwrap();
    push(&mut store, 200, message).unwrap();
    let now = live(&store, 1_000);
    assert_eq!(now["messageRate"]["incoming"], json!({ "perSecond": 48.2, "total": 14_460, "bytes": 892_400 }));
    assert_eq!(now["messageRate"]["outgoing"]["total"], 3);
    assert_eq!((&now["schema"]["messageCount"], &now["sampling"]["rate"]), (&json!(14_460), &json!("1/5")));
    assert_eq!(now["lastMessage"]["incoming"]["preview"], "{\"a\":1}", "a newer message is newer all the same");
    assert_eq!(store.websocket.len(), 3, "totals are no event");
}

#[test]
fn previews_have_two_hundred_characters() {
    const MOST: usize = limits::WEBSOCKET_PREVIEW_CHARS;
    for (sent, kept) in [(MOST - 1, MOST - 1), (MOST, MOST), (MOST + 1, MOST)] {
        let mut store = Store::new("t");
        push(&mut store, 0, json!({ "event": "message", "id": "c", "data": "é".repeat(sent) })).unwrap();
        assert_eq!(only(&store).incoming.last_preview.as_ref().unwrap().chars().count(), kept);
        let stats = json!({ "outgoing": { "lastPreview": "é".repeat(sent), "lastAt": at(0) } });
        push(&mut store, 0, json!({ "event": "stats", "id": "c", "stats": stats })).unwrap();
        assert_eq!(only(&store).outgoing.last_preview.as_ref().unwrap().chars().count(), kept);
    }
}

#[test]
fn what_messages_look_like() {
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
        let mut store = Store::new("t");
        for data in &messages {
            push(&mut store, 0, json!({ "event": "message", "id": "c", "direction": "incoming", "data": data }))
                .unwrap();
        }
        let found = only(&store)
            .schema()
            .map(|schema| json!([schema.detected_keys, schema.message_count, schema.consistent, schema.variants]));
        assert_eq!(found.unwrap_or_default(), expected, "{messages:?}");
    }
}

/// The page counts only while messages come: its last figure leaves the window by itself.
#[test]
fn rates_and_sampling_fall_back_by_themselves() {
    let mut store = opened(1);
    let stats = json!({
        "incoming": { "total": 14_460, "perSecond": 48.2 },
        "sampling": { "active": true, "rate": "1/5", "reason": "48.2 msg/s exceeds 10 msg/s threshold" },
    });
    push(&mut store, 100, json!({ "event": "stats", "id": "c0", "stats": stats })).unwrap();
    for (millis, rate, active, reason) in [
        (100, 48.2, true, "48.2 msg/s exceeds 10 msg/s threshold"),
        (2_100, 48.2, true, "48.2 msg/s exceeds 10 msg/s threshold"),
        (3_600, 24.1, true, "24.1 msg/s exceeds 10 msg/s threshold"),
        (4_600, 8.0, false, "8.0 msg/s below 10 msg/s threshold"),
        (5_100, 0.0, false, "0.0 msg/s below 10 msg/s threshold"),
        (60_000, 0.0, false, "0.0 msg/s below 10 msg/s threshold"),
    ] {
        let now = live(&store, millis);
        assert_eq!(now["messageRate"]["incoming"]["perSecond"], rate, "{millis}");
        assert_eq!(
            (&now["sampling"]["active"], &now["sampling"]["reason"]),
            (&json!(active), &json!(reason)),
            "{millis}"
        );
        assert_eq!(now["sampling"].get("rate").is_some(), active, "{millis}");
    }
    // Other events of the connection do not keep an old figure alive.
    push(&mut store, 5_000, json!({ "event": "message", "id": "c0", "direction": "outgoing", "data": "x" })).unwrap();
    assert_eq!(live(&store, 5_200)["messageRate"]["incoming"]["perSecond"], 0.0);
    // New figures count from when they came.
    let stats = json!({ "incoming": { "total": 14_470, "perSecond": 2.0 }, "sampling": { "active": false, "reason": "2.0 msg/s below 10 msg/s threshold" } });
    push(&mut store, 9_000, json!({ "event": "stats", "id": "c0", "stats": stats })).unwrap();
    assert_eq!(live(&store, 9_500)["messageRate"]["incoming"]["perSecond"], 2.0);
}

#[test]
fn a_sender_that_only_marks_messages_as_sampled_stops_sampling_with_them() {
    let mut store = opened(1);
    let sampled = json!({ "rate": "48.2/s", "logged": "1/5", "window": "5s" });
    push(
        &mut store,
        0,
        json!({ "event": "message", "id": "c0", "direction": "incoming", "data": "x", "sampled": sampled }),
    )
    .unwrap();
    assert_eq!(
        live(&store, 5_000)["sampling"],
        json!({ "active": true, "rate": "1/5", "reason": "48.2 msg/s exceeds 10 msg/s threshold" })
    );
    assert_eq!(
        live(&store, 5_001)["sampling"],
        json!({ "active": false, "reason": "0.0 msg/s below 10 msg/s threshold" })
    );
}

#[test]
fn what_comes_in_and_what_goes_out_are_told_apart() {
    let mut store = Store::new("t");
    let message =
        |direction: &str, data: &str| json!({ "event": "message", "id": "c", "direction": direction, "data": data });
    push(&mut store, 0, message("outgoing", "{\"subscribe\":1}")).unwrap();
    assert_eq!(only(&store).schema(), None);
    assert_eq!(live(&store, 0)["outgoingSchema"]["detectedKeys"], json!(["subscribe"]));
    for _ in 0..3 {
        push(&mut store, 0, message("incoming", "{\"sym\":\"A\",\"price\":1}")).unwrap();
    }
    // The page does not tell them apart.
    let stats = json!({
        "incoming": { "total": 14_460 }, "outgoing": { "total": 3 },
        "schema": { "detectedKeys": ["subscribe", "price", "sym"], "messageCount": 14_463, "consistent": false, "variants": ["subscribe (1%)", "sym+price (99%)"] },
    });
    push(&mut store, 0, json!({ "event": "stats", "id": "c", "stats": stats })).unwrap();
    let now = live(&store, 0);
    assert_eq!(now["schema"], json!({ "detectedKeys": ["price", "sym"], "messageCount": 14_460, "consistent": true }));
    assert_eq!(now["outgoingSchema"], json!({ "detectedKeys": ["subscribe"], "messageCount": 3, "consistent": true }));
}

#[test]
fn hostile_messages_stay_small() {
    let mut store = Store::new("t");
    for n in 0..500 {
        let keys: Vec<String> = (0..40).map(|key| format!("\"k{n}-{key}\":1")).collect();
        let data = format!("{{\"type\":\"t{n}\",{}}}", keys.join(","));
        push(&mut store, 0, json!({ "event": "message", "id": "c", "data": data })).unwrap();
    }
    push(&mut store, 0, json!({ "event": "message", "id": "c", "data": "[".repeat(4_000) })).unwrap();
    assert!(store.connections.bytes() < 16 * 1024, "{}", store.connections.bytes());
}

#[test]
fn a_message_gets_its_connections_address() {
    let mut store = opened(1);
    push(&mut store, 0, json!({ "event": "message", "id": "c0", "data": "x" })).unwrap();
    push(&mut store, 0, json!({ "event": "message", "id": "c0", "data": "x", "url": "ws://own" })).unwrap();
    push(&mut store, 0, json!({ "event": "message", "id": "other", "data": "x" })).unwrap();
    let urls: Vec<_> = store.websocket.iter().skip(1).map(|stored| stored.entry.url.clone()).collect();
    assert_eq!(urls, [Some("ws://x/0".to_owned()), Some("ws://own".to_owned()), None]);
}

#[test]
fn clearing_forgets_them_by_test() {
    let mut store = Store::new("t");
    for test in ["a", "b"] {
        push(&mut store, 0, json!({ "event": "open", "id": "same", "test_id": test })).unwrap();
    }
    assert_eq!(store.connections.len(), 2, "two tests may number theirs alike");
    assert_eq!(store.clear(Some("a"), at(0)), 1);
    assert_eq!(only(&store).test_id.as_deref(), Some("b"));
    store.clear(None, at(0));
    assert_eq!(counts(&store), (0, 0, 0));
}

#[test]
fn short_of_memory_none_is_followed() {
    let mut store = opened(3);
    store.set_pressure(Pressure::Minimal);
    assert_eq!(counts(&store), (0, 0, 3));
    for event in ["open", "stats"] {
        assert_eq!(push(&mut store, 0, json!({ "event": event, "id": "c" })), Err(Refused::MemoryPressure));
    }
    assert!(store.connections.is_empty());
    store.set_pressure(Pressure::Normal);
    push(&mut store, 0, json!({ "event": "message", "id": "c" })).unwrap();
    assert_eq!(counts(&store), (1, 0, 3));
}
