//! Memory pressure, with limits low enough for a small process to pass them.

use serde_json::json;

use crate::support::{Server, wait_for};

#[test]
fn above_the_soft_limit_bodies_are_rejected_and_other_kinds_accepted() {
    let server = Server::with(&["--memory-limits-mb", "1,1000"]);
    wait_for("pressure", || (server.health()["memory_mode"] == "no_bodies").then_some(()));
    let reply = server.post("/network-bodies", &json!({ "bodies": [{ "url": "/x", "status": 200 }] })).json();
    assert_eq!((&reply["received"], &reply["rejected"]), (&json!(0), &json!(1)));
    assert!(reply["reasons"][0].as_str().unwrap().contains("memory"));
    server.log(json!([{ "message": "taken" }]));
    assert_eq!(server.health()["status"], "degraded");
    assert_eq!(server.health()["refused"], 1);
    assert!(server.tool("get_status", json!({}))["warnings"].to_string().contains("bodies are rejected"));
}

#[test]
fn above_the_hard_limit_buffers_are_cleared_and_every_answer_says_so() {
    let server = Server::with(&["--memory-limits-mb", "1,2"]);
    wait_for("pressure", || (server.health()["memory_mode"] == "minimal").then_some(()));
    let reply = server
        .post(
            "/logs",
            &json!({ "entries": [{ "level": "log", "message": "chatter" }, { "level": "error", "message": "boom" }] }),
        )
        .json();
    assert_eq!((&reply["received"], &reply["rejected"]), (&json!(1), &json!(1)));
    let many: Vec<_> = (0..150).map(|n| json!({ "level": "error", "message": format!("e{n}") })).collect();
    server.post("/logs", &json!({ "entries": many }));
    assert_eq!(server.health()["buffers"]["logs"]["count"], 100);
    let mut client = server.client();
    for tool in ["get_browser_errors", "get_status", "get_browser_logs"] {
        let answer = client.tool(tool, json!({}));
        assert!(answer["warning"].as_str().unwrap().contains("memory"), "{tool}: {answer}");
    }
}

#[test]
fn memory_is_returned_after_a_burst() {
    let server = Server::with(&["--max-events-per-second", "0"]);
    let body = format!(
        r#"{{"entries":[{}{{"message":"last"}}]}}"#,
        r#"{"message":"one of very many entries in a huge batch"},"#.repeat(150_000)
    );
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| server.request("POST", "/logs").body(body.clone()).send());
        }
    });
    wait_for("memory to be given back", || (server.health()["memory_mode"] == "normal").then_some(()));
    let reply = server.post("/network-bodies", &json!({ "bodies": [{ "url": "/x", "status": 200 }] })).json();
    assert_eq!(reply["received"], 1);
}

#[test]
fn reading_large_maps_and_batches_evicts_nothing() {
    let usual = Server::start().health()["memory_mb"].as_f64().unwrap() as u64;
    // One body of 32 MB may arrive within these limits. Reading it needs far more memory.
    let limits = format!("{},{}", usual + 48, usual + 52);
    let server = Server::with(&["--max-events-per-second", "0", "--memory-limits-mb", &limits]);
    server.log(json!([{ "level": "error", "message": "stored before" }]));
    let map = json!({ "version": 3, "sources": ["node_modules/x.js"], "mappings": "AAAA",
        "sourcesContent": ["a \"line\" of code\n".repeat(1_100_000)] });
    let map = json!({ "url": "http://localhost/app.js", "map": map.to_string() }).to_string();
    assert!(map.len() > 24 << 20 && map.len() < 32 << 20, "{}", map.len());
    let batch = json!({ "test_id": "t", "events": vec![json!({ "event": "message", "id": "c", "url": "ws://localhost/s", "data": "word" }); 100_000] }).to_string();
    // The guard runs once a second. Each of these takes about that long.
    for _ in 0..4 {
        assert_eq!(server.request("POST", "/source-maps").body(map.clone()).send().status, 200);
        assert_eq!(server.request("POST", "/websocket-events").body(batch.clone()).send().status, 200);
    }
    let health = server.health();
    assert_eq!((&health["memory_mode"], &health["refused"]), (&json!("normal"), &json!(0)), "{health}");
    assert_eq!(health["buffers"]["logs"]["count"], 1, "{health}");
    assert_eq!(health["buffers"]["logs"]["dropped"], 0, "{health}");
}

#[test]
fn within_the_limits_there_is_no_warning() {
    let server = Server::start();
    assert_eq!(server.health()["memory_mode"], "normal");
    assert!(server.tool("get_status", json!({})).get("warning").is_none());
}
