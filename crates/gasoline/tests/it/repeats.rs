//! A batch that is sent again is not stored again.

use serde_json::{Value, json};

use crate::support::Server;

fn batch(id: &str, message: &str) -> Value {
    json!({ "batch_id": id, "events": [
        { "type": "console", "level": "log", "message": message },
        { "type": "websocket", "event": "message", "id": "c", "direction": "incoming", "data": "x" },
        { "type": "telepathy" },
    ] })
}

fn stored(server: &Server) -> u64 {
    server.health()["buffers"]["logs"]["received"].as_u64().unwrap()
}

#[test]
fn the_same_batch_twice_is_stored_once_and_gets_the_same_answer() {
    let server = Server::start();
    let first = server.post("/sync", &batch("b-1", "m")).json();
    assert_eq!((&first["event_count"], &first["rejected"]), (&json!(2), &json!(1)), "{first}");
    server.post("/sync", &batch("b-2", "m"));
    for name in ["batch_id", "batchId"] {
        let mut again = batch("b-1", "m");
        let id = again.as_object_mut().unwrap().shift_remove("batch_id").unwrap();
        again[name] = id;
        assert_eq!(server.post("/sync", &again).json(), first, "{name}");
    }
    assert_eq!(stored(&server), 2);
    let totals = server.tool("get_websocket_status", json!({}))["connections"][0]["messageRate"].clone();
    assert_eq!(totals["incoming"]["total"], 2, "nor is it counted again");
}

#[test]
fn batches_with_other_missing_or_too_long_names_are_new() {
    let server = Server::start();
    let long = "n".repeat(wire::limits::ENTRY_ID_CHARS + 1);
    for (id, expected) in [("a", 1), ("b", 2), ("", 3), ("", 4), (long.as_str(), 5), (long.as_str(), 6), ("a", 6)] {
        server.post("/sync", &batch(id, "m"));
        assert_eq!(stored(&server), expected, "{id}");
    }
    server.post("/sync", &json!({ "events": [{ "type": "console", "message": "m" }] }));
    assert_eq!(stored(&server), 7);
}

#[test]
fn the_last_256_batches_are_remembered() {
    let server = Server::start();
    let empty = |id: &str| json!({ "batch_id": id, "events": [] });
    server.post("/sync", &batch("first", "m"));
    for n in 1..wire::limits::KNOWN_BATCHES {
        server.post("/sync", &empty(&n.to_string()));
    }
    server.post("/sync", &batch("first", "m"));
    assert_eq!(stored(&server), 1, "one of 256");
    for n in 1..=wire::limits::KNOWN_BATCHES {
        server.post("/sync", &empty(&format!("more-{n}")));
    }
    server.post("/sync", &batch("first", "m"));
    assert_eq!(stored(&server), 2, "256 others came in between");
}

#[test]
fn two_copies_at_the_same_time_are_stored_once() {
    let server = Server::with(&["--max-events-per-second", "0"]);
    let events: Vec<Value> =
        (0..300).map(|n| json!({ "type": "console", "message": format!("m{n} {}", "x".repeat(900)) })).collect();
    for round in 1..=5 {
        let body = json!({ "batch_id": format!("r{round}"), "events": events });
        let replies: Vec<Value> = std::thread::scope(|scope| {
            let senders: Vec<_> = (0..4).map(|_| scope.spawn(|| server.post("/sync", &body).json())).collect();
            senders.into_iter().map(|sender| sender.join().unwrap()).collect()
        });
        assert!(replies.iter().all(|reply| *reply == replies[0] && reply["event_count"] == 300), "{replies:?}");
        assert_eq!(stored(&server), round * 300);
    }
}

#[test]
fn a_rejected_batch_may_be_sent_again() {
    let server = Server::with(&["--max-events-per-second", "1"]);
    let events = |count: usize| -> Vec<Value> {
        (0..count).map(|n| json!({ "type": "console", "message": format!("m{n}") })).collect()
    };
    assert_eq!(server.post("/sync", &json!({ "events": events(5) })).status, 200);
    let named = json!({ "batch_id": "late", "events": events(5) });
    let refused = server.post("/sync", &named);
    assert_eq!(refused.status, 429);
    let wait = refused.json()["retry_after_ms"].as_u64().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(wait + 20));
    assert_eq!(server.post("/sync", &named).status, 200);
    assert_eq!(stored(&server), 10);
    assert_eq!(server.post("/sync", &named).status, 200, "a known batch does not count for the rate limit");
}
