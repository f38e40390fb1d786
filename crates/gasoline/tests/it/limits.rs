//! Every documented limit of the HTTP interface, at, below and above it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Server;

fn logs(count: usize) -> Value {
    json!({ "entries": (0..count).map(|n| json!({ "message": format!("entry {n}") })).collect::<Vec<_>>() })
}

#[test]
fn a_thousand_logs_are_kept_and_the_oldest_are_evicted() {
    let server = Server::start();
    server.post("/logs", &logs(999));
    assert_eq!(server.health()["buffers"]["logs"]["count"], 999);
    server.post("/logs", &logs(1));
    let full = server.health()["buffers"]["logs"].clone();
    assert_eq!((&full["count"], &full["dropped"]), (&json!(1000), &json!(0)));
    server.log(json!([{ "message": "newest" }]));
    let over = server.health()["buffers"]["logs"].clone();
    assert_eq!((&over["count"], &over["dropped"], &over["received"]), (&json!(1000), &json!(1), &json!(1001)));
    let entries = server.get("/logs").json()["entries"].clone();
    assert_eq!(entries[0]["message"], "entry 1");
    assert_eq!(entries[999]["message"], "newest");
}

#[test]
fn buffers_are_bounded_in_bytes_too() {
    let server = Server::with(&["--max-events-per-second", "0"]);
    let text = "x ".repeat(8_000);
    for _ in 0..12 {
        server.post("/logs", &json!({ "entries": vec![json!({ "message": text }); 100] }));
    }
    let logs = server.health()["buffers"]["logs"].clone();
    let (bytes, count) = (logs["memory_bytes"].as_u64().unwrap(), logs["count"].as_u64().unwrap());
    assert!(bytes <= 8 * 1024 * 1024, "{logs}");
    assert!(bytes > 7 * 1024 * 1024, "{logs}");
    assert_eq!(count + logs["dropped"].as_u64().unwrap(), 1200);
}

#[test]
fn a_request_of_ten_megabytes_is_accepted_and_one_byte_more_is_not() {
    let server = Server::start();
    let body = |size: usize| {
        let frame = r#"{"entries":[{"message":"x"}],"filler":""}"#.len();
        format!(r#"{{"entries":[{{"message":"x"}}],"filler":"{}"}}"#, "y".repeat(size - frame))
    };
    let limit = wire::limits::REQUEST_BYTES;
    let fits = server.request("POST", "/logs").body(body(limit)).send();
    assert_eq!(fits.status, 200, "{}", fits.body);
    let over = server.request("POST", "/logs").body(body(limit + 1)).send();
    assert_eq!(over.status, 413);
    assert!(over.json()["error"].as_str().unwrap().contains("10485760"), "{over:?}");
    assert_eq!(server.health()["buffers"]["logs"]["received"], 1);
}

#[test]
fn an_entry_over_its_limit_is_rejected_alone() {
    let server = Server::start();
    let entry = |size: usize| {
        let frame = json!({ "message": "m", "args": [""] }).to_string().len();
        json!({ "message": "m", "args": ["z".repeat(size - frame)] })
    };
    let limit = wire::limits::ENTRY_BYTES;
    let reply =
        server.post("/logs", &json!({ "entries": [entry(limit), entry(limit + 1), { "message": "ok" }] })).json();
    assert_eq!((&reply["received"], &reply["rejected"]), (&json!(2), &json!(1)), "{reply}");
}

#[test]
fn too_many_events_are_rejected_with_the_time_to_wait() {
    let server = Server::with(&["--max-events-per-second", "100"]);
    let began = Instant::now();
    assert_eq!(server.post("/logs", &logs(500)).status, 200, "a burst of five seconds' worth");
    let over = server.post("/logs", &logs(500));
    assert_eq!(over.status, 429);
    let reply = over.json();
    assert_eq!(reply["error"], "Rate limit exceeded");
    let wait = reply["retry_after_ms"].as_u64().unwrap();
    // Five seconds, minus the time that has passed since.
    assert!(wait <= 5_000 && Duration::from_millis(wait) + began.elapsed() >= Duration::from_secs(5), "{reply}");
    assert!(over.has_header("retry-after"));
    assert_eq!(server.health()["buffers"]["logs"]["received"], 500, "a refused batch leaves no trace");
    std::thread::sleep(Duration::from_millis(wait + 20));
    assert_eq!(server.post("/logs", &logs(500)).status, 200);
    assert_eq!(server.health()["limits"]["events_per_second"], 100);
}

#[test]
fn a_batch_that_could_never_pass_is_rejected_as_too_large() {
    let server = Server::start();
    let over = server.post("/logs", &logs(5_001));
    assert_eq!(over.status, 413);
    assert!(over.json()["error"].as_str().unwrap().contains("5000 events"), "{over:?}");
    assert_eq!(server.post("/logs", &logs(5_000)).status, 200);
}

#[test]
fn sessions_over_http_are_bounded() {
    let server = Server::start();
    let open = || {
        let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "one-shot", "version": "1" } } });
        let reply = server
            .request("POST", "/mcp")
            .header("Accept", "application/json, text/event-stream")
            .body(initialize.to_string())
            .send();
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned()
    };
    let list = |session: &str| {
        let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
        server
            .request("POST", "/mcp")
            .header("Accept", "application/json, text/event-stream")
            .header("Mcp-Session-Id", session)
            .body(list.to_string())
            .send()
            .status
    };
    let first = open();
    for _ in 0..wire::limits::HTTP_SESSIONS + 20 {
        open();
    }
    let last = open();
    assert_eq!((list(&first), list(&last)), (404, 200), "the oldest is gone, the newest works");
    crate::support::wait_for("the old ones to be forgotten", || {
        (server.health()["clients"].as_array().unwrap().len() <= wire::limits::HTTP_SESSIONS).then_some(())
    });
}

#[test]
fn errors_of_mcp_are_json_too() {
    let server = Server::start();
    for request in [
        server.request("POST", "/mcp").body("{}"),
        server.request("POST", "/mcp").header("Accept", "application/json, text/event-stream").body("not json"),
        server.request("GET", "/mcp").header("Accept", "text/event-stream").header("Mcp-Session-Id", "nobody"),
    ] {
        let reply = request.send();
        assert!((400..500).contains(&reply.status), "{reply:?}");
        assert!(reply.json()["error"].is_string(), "{reply:?}");
    }
    let list = || {
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let request = server.request("POST", "/mcp").header("Accept", "application/json, text/event-stream");
        request.body(list.to_string())
    };
    for (request, status) in [(list(), 400), (list().header("Mcp-Session-Id", "nobody"), 404)] {
        let reply = request.send();
        assert_eq!(reply.status, status, "{reply:?}");
        assert!(reply.json()["error"].as_str().unwrap().contains("`initialize`"), "{reply:?}");
    }
    assert_eq!(server.get("/mcp/nowhere").status, 404);
    assert!(server.get("/extension/socket").json()["error"].as_str().unwrap().contains("WebSocket"));
}

#[test]
fn the_default_limit_applies_and_zero_means_none() {
    let default = Server::start();
    assert_eq!(default.post("/logs", &logs(5_000)).status, 200);
    assert_eq!(default.post("/logs", &logs(5_000)).status, 429);
    assert_eq!(default.health()["limits"]["events_per_second"], 1_000);
    let unlimited = Server::with(&["--max-events-per-second", "0"]);
    for _ in 0..5 {
        assert_eq!(unlimited.post("/logs", &logs(5_000)).status, 200);
    }
}

#[test]
fn other_kinds_have_their_own_sizes() {
    let server = Server::start();
    let bodies: Vec<Value> = (0..101).map(|n| json!({ "url": format!("/{n}"), "status": 200 })).collect();
    server.post("/network-bodies", &json!({ "bodies": bodies }));
    let events: Vec<Value> =
        (0..501).map(|n| json!({ "event": "message", "id": "c", "data": n.to_string() })).collect();
    server.post("/websocket-events", &json!({ "events": events }));
    let actions: Vec<Value> = (0..51).map(|n| json!({ "type": "click", "text": n.to_string() })).collect();
    server.post("/enhanced-actions", &json!({ "actions": actions }));
    let snapshots: Vec<Value> = (0..21).map(|n| json!({ "url": format!("/{n}") })).collect();
    server.post("/dom-snapshots", &json!({ "snapshots": snapshots }));
    for n in 0..21 {
        server.post(
            "/performance-snapshot",
            &json!({ "url": format!("/{n}"), "timing": { "load": 1 }, "network": {}, "longTasks": {} }),
        );
    }
    let buffers = server.health()["buffers"].clone();
    for (kind, capacity) in [
        ("network_bodies", 100),
        ("websocket_events", 500),
        ("enhanced_actions", 50),
        ("dom_snapshots", 20),
        ("performance", 20),
    ] {
        assert_eq!(
            (&buffers[kind]["count"], &buffers[kind]["capacity"], &buffers[kind]["dropped"]),
            (&json!(capacity), &json!(capacity), &json!(1)),
            "{kind}"
        );
    }
}
