//! `serve --ci`: the tests of a run share a server and nothing else.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wire::limits;

use crate::support::{Server, wait_for};

const KINDS: [(&str, &str, &str); 5] = [
    ("/logs", "entries", "logs"),
    ("/websocket-events", "events", "websocket_events"),
    ("/network-bodies", "bodies", "network_bodies"),
    ("/enhanced-actions", "actions", "enhanced_actions"),
    ("/dom-snapshots", "snapshots", "dom_snapshots"),
];

/// One entry of a kind, tagged with its test.
fn entry(kind: &str, mark: &str) -> Value {
    match kind {
        "logs" => json!({ "level": "error", "message": mark }),
        "websocket_events" => {
            json!({ "event": "message", "id": "c", "url": "ws://x/", "direction": "incoming", "data": mark })
        }
        "network_bodies" => json!({ "url": format!("/{mark}"), "status": 500, "responseBody": mark }),
        "enhanced_actions" => json!({ "type": "click", "text": mark }),
        _ => json!({ "url": format!("/{mark}"), "title": mark }),
    }
}

fn mark_of(kind: &str, entry: &Value) -> String {
    let field = match kind {
        "logs" => "message",
        "websocket_events" => "data",
        "network_bodies" => "responseBody",
        "enhanced_actions" => "text",
        _ => "title",
    };
    entry[field].as_str().unwrap_or_else(|| panic!("{kind}: {entry}")).to_owned()
}

fn send(server: &Server, test_id: &str, count: usize) {
    for (path, list, kind) in KINDS {
        let entries: Vec<Value> = (0..count).map(|n| entry(kind, &format!("{test_id}-{n}"))).collect();
        let mut batch = json!({ "test_id": test_id });
        batch[list] = json!(entries);
        let reply = server.post(path, &batch);
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(reply.json()["received"], count, "{reply:?}");
    }
}

fn counts(server: &Server, test_id: &str) -> Vec<usize> {
    let snapshot = server.get(&format!("/snapshot?test_id={test_id}")).json();
    KINDS.iter().map(|(_, _, kind)| snapshot[kind].as_array().unwrap().len()).collect()
}

fn resident_mb(server: &Server) -> f64 {
    server.health()["memory_mb"].as_f64().unwrap()
}

#[test]
fn the_rate_is_twenty_thousand_with_bursts_of_a_hundred_thousand() {
    let server = Server::with(&["--ci"]);
    assert_eq!(server.health()["limits"]["events_per_second"], 20_000);
    let batch = |count: usize| format!(r#"{{"entries":[{}5]}}"#, "5,".repeat(count - 1));
    let post = |count: usize| server.request("POST", "/logs").body(batch(count)).send().status;
    assert_eq!(post(100_001), 413, "more than a burst");
    assert_eq!(post(100_000), 200);
    assert_eq!(post(100_000), 429);
    for (args, rate) in [
        (&["--ci", "--max-events-per-second", "7"][..], 7),
        (&["--ci", "--max-events-per-second", "0"][..], 0),
        (&[][..], 1_000),
    ] {
        assert_eq!(Server::with(args).health()["limits"]["events_per_second"], rate, "{args:?}");
    }
}

#[test]
fn every_limit_applies_to_each_test_separately() {
    let server = Server::with(&["--ci"]);
    let most = [
        limits::LOG_ENTRIES,
        limits::WEBSOCKET_ENTRIES,
        limits::NETWORK_ENTRIES,
        limits::ACTION_ENTRIES,
        limits::DOM_SNAPSHOT_ENTRIES,
    ];
    for below in [0, 1] {
        let count = limits::DOM_SNAPSHOT_ENTRIES - below;
        send(&server, &format!("small{below}"), count);
        assert_eq!(counts(&server, &format!("small{below}")), [count; 5]);
    }
    // One more than the largest limit: every kind is full, and only these lost any.
    send(&server, "large", limits::LOG_ENTRIES + 1);
    send(&server, "larger", limits::LOG_ENTRIES + 1);
    assert_eq!(counts(&server, "large"), most);
    assert_eq!(counts(&server, "larger"), most);
    assert_eq!(counts(&server, "small0"), [20; 5], "no other entries took their place");
    assert_eq!(counts(&server, "small1"), [19; 5]);
    let buffers = server.health()["buffers"].clone();
    assert_eq!(buffers["logs"]["count"], 2 * limits::LOG_ENTRIES + 39);
    assert_eq!(buffers["logs"]["dropped"], 2);
    let kept = server.get("/snapshot?test_id=large").json();
    assert_eq!(kept["logs"][0]["message"], "large-1", "the oldest were evicted");

    // Untagged entries have their own buffers, too.
    server.post("/logs", &json!({ "entries": vec![json!({ "message": "untagged" }); limits::LOG_ENTRIES + 5] }));
    assert_eq!(counts(&server, "large"), most);
    let all = server.get("/logs").json();
    let untagged = all["entries"].as_array().unwrap().iter().filter(|entry| entry.get("test_id").is_none()).count();
    assert_eq!(untagged, limits::LOG_ENTRIES);
}

#[test]
fn without_ci_tests_share_the_buffers() {
    let server = Server::start();
    send(&server, "a", 20);
    server.post("/dom-snapshots", &json!({ "test_id": "b", "snapshots": [{ "url": "/b" }] }));
    assert_eq!(counts(&server, "a"), [20, 20, 20, 20, 19]);
}

#[test]
fn clearing_a_test_removes_all_of_it_and_nothing_of_others() {
    for args in [&["--ci"][..], &[]] {
        let server = Server::with(args);
        for test_id in ["a", "b"] {
            send(&server, test_id, 3);
            server.post("/performance-snapshot", &json!({ "url": format!("/{test_id}"), "test_id": test_id }));
            server.post("/extension-logs", &json!({ "test_id": test_id, "logs": [{ "message": "e" }] }));
        }
        let connections = |server: &Server| server.health()["buffers"]["connections"]["count"].clone();
        assert_eq!(connections(&server), 2, "the same name in two tests is two connections");
        let cleared = server.request("POST", "/clear?test_id=a").send().json();
        assert_eq!(cleared["entries_removed"], 5 * 3 + 2, "{args:?}");
        assert_eq!(counts(&server, "a"), [0; 5]);
        assert_eq!(counts(&server, "b"), [3; 5]);
        assert_eq!(connections(&server), 1);
        assert_eq!(server.get("/performance-snapshot?url=/a").json()["snapshot"], Value::Null);
        assert_eq!(server.get("/performance-snapshot?url=/b").json()["snapshot"]["test_id"], "b");
        assert_eq!(server.request("POST", "/clear?test_id=a").send().json()["entries_removed"], 0);
        send(&server, "a", 1);
        assert_eq!(counts(&server, "a"), [1; 5], "and it may start again");
    }
}

#[test]
fn the_limits_of_connections_and_loads_apply_to_each_test_too() {
    let server = Server::with(&["--ci"]);
    for test_id in ["a", "b"] {
        let open = |n: usize| json!({ "event": "open", "id": format!("o{n}"), "url": "ws://x/" });
        let close = |n: usize| json!({ "event": "close", "id": format!("c{n}"), "url": "ws://x/", "code": 1000 });
        let events: Vec<Value> =
            (0..limits::OPEN_CONNECTIONS + 1).map(open).chain((0..limits::CLOSED_CONNECTIONS + 1).map(close)).collect();
        server.post("/websocket-events", &json!({ "test_id": test_id, "events": events }));
        for n in 0..limits::PERFORMANCE_URLS + 1 {
            server.post(
                "/performance-snapshot",
                &json!({ "test_id": test_id, "url": format!("/{n}"), "timing": { "load": n } }),
            );
        }
    }
    let buffers = server.health()["buffers"].clone();
    assert_eq!((&buffers["connections"]["count"], &buffers["connections"]["dropped"]), (&json!(60), &json!(4)));
    assert_eq!((&buffers["performance"]["count"], &buffers["performance"]["dropped"]), (&json!(40), &json!(2)));
    let page = server.get("/performance-snapshot?url=/5").json();
    assert_eq!(page["snapshot"]["test_id"], "b");
    assert_eq!(page["baseline"]["sampleCount"], 1, "loads in other tests are part of the page's baseline");
}

#[test]
fn the_same_id_in_two_tests_names_two_entries() {
    let server = Server::with(&["--ci"]);
    for test_id in ["a", "b"] {
        let entries = json!([{ "id": "e1", "level": "error", "message": "the same" }]);
        let reply = server.post("/logs", &json!({ "test_id": test_id, "entries": entries })).json();
        assert_eq!(reply["received"], 1);
        assert_eq!(counts(&server, test_id)[0], 1, "{test_id}");
    }
    server.post("/logs", &json!({ "test_id": "a", "entries": [{ "id": "e1", "_aiContext": { "summary": "why" } }] }));
    assert_eq!(server.get("/snapshot?test_id=a").json()["logs"][0]["_aiContext"]["summary"], "why");
    assert!(server.get("/snapshot?test_id=b").json()["logs"][0].get("_aiContext").is_none());
}

#[test]
fn the_same_failed_request_of_two_tests_counts_for_each() {
    let server = Server::with(&["--ci"]);
    let log = json!({ "type": "network", "level": "error", "message": "GET /x 500", "method": "GET", "requestUrl": "/x", "status": 500, "requestId": "r1", "ts": 1_770_505_200_000_u64 });
    server.post("/logs", &json!({ "test_id": "a", "entries": [log] }));
    let body = json!({ "method": "GET", "url": "/x", "status": 500, "requestId": "r1", "ts": 1_770_505_200_000_u64 });
    server.post("/network-bodies", &json!({ "test_id": "b", "bodies": [body] }));
    for test_id in ["a", "b"] {
        let stats = server.get(&format!("/snapshot?test_id={test_id}")).json()["stats"].clone();
        assert_eq!(stats["network_failures"], 1, "{test_id}");
    }
}

#[test]
fn full_buffers_of_ten_workers_stay_under_a_hundred_megabytes_by_evicting_the_oldest_tests() {
    let server = Server::with(&["--ci", "--max-events-per-second", "0"]);
    let text = "{\"name\":\"a product\",\"price\":12.5},".repeat(300);
    let round = |test_id: &str| {
        let bodies: Vec<Value> = (0..limits::NETWORK_ENTRIES)
            .map(|n| json!({ "url": format!("/{test_id}/{n}"), "status": 200, "responseBody": text }))
            .collect();
        let reply = server.post("/network-bodies", &json!({ "test_id": test_id, "bodies": bodies })).json();
        assert_eq!(reply["rejected"], 0, "no body is refused: {reply}");
        let logs: Vec<Value> = (0..limits::LOG_ENTRIES)
            .map(|n| json!({ "message": format!("{test_id} {n} {}", "word ".repeat(200)), "level": "info" }))
            .collect();
        assert_eq!(server.post("/logs", &json!({ "test_id": test_id, "entries": logs })).json()["rejected"], 0);
    };
    // About 3 MB a test: the cap is passed after some twenty of them.
    let mut highest: f64 = 0.0;
    for turn in 0..4 {
        std::thread::scope(|scope| {
            for worker in 0..10 {
                let round = &round;
                scope.spawn(move || round(&format!("t{turn}-w{worker}")));
            }
        });
        highest = highest.max(resident_mb(&server));
    }
    let health = server.health();
    let held: u64 =
        health["buffers"].as_object().unwrap().values().map(|kind| kind["memory_bytes"].as_u64().unwrap()).sum();
    assert!(held <= limits::CI_BUFFER_BYTES as u64, "{held}");
    assert!(highest < 100.0, "{highest} MB resident");
    assert_eq!((&health["memory_mode"], &health["refused"]), (&json!("normal"), &json!(0)));
    let evicted = health["tests"]["evicted"].as_u64().unwrap();
    assert!(evicted > 0);
    assert_eq!(health["buffers"]["logs"]["dropped"], evicted * 1_000, "tests are evicted as a unit, and counted");
    for worker in 0..10 {
        assert_eq!(counts(&server, &format!("t0-w{worker}"))[0], 0, "the oldest were evicted");
        // How many more are left depends on how much of the memory was in requests that arrived slowly.
        assert_eq!(counts(&server, &format!("t3-w{worker}"))[0], 1_000, "the newest are complete");
    }
}

#[test]
fn low_memory_evicts_the_oldest_tests_before_bodies_are_rejected() {
    let server = Server::with(&["--ci", "--memory-limits-mb", "1,1000"]);
    for test_id in ["old", "new"] {
        server.post("/logs", &json!({ "test_id": test_id, "entries": [{ "message": "x" }] }));
    }
    // No eviction brings the process below one megabyte, so bodies are rejected in the end.
    wait_for("tests to be evicted", || (server.health()["tests"]["evicted"].as_u64() > Some(0)).then_some(()));
    wait_for("bodies to be rejected", || (server.health()["memory_mode"] == "no_bodies").then_some(()));
}

#[test]
fn a_thousand_boundaries_by_ten_workers_lose_nothing_and_mix_nothing() {
    const WORKERS: usize = 10;
    const TESTS: usize = 100;
    let server = Server::with(&["--ci"]);
    let run = |worker: usize| {
        for test in 0..TESTS {
            let test_id = format!("w{worker}-t{test}");
            let boundary = |action: &str, status: Option<&str>| {
                let body = json!({ "test_id": test_id, "action": action, "worker": worker, "status": status });
                assert_eq!(server.post("/test-boundary", &body).status, 200);
            };
            boundary("start", None);
            let sizes: Vec<usize> = (0..KINDS.len()).map(|kind| 1 + (worker + test + kind) % 7).collect();
            for ((path, list, kind), size) in KINDS.into_iter().zip(&sizes) {
                let marks = (0..*size).map(|n| entry(kind, &format!("{test_id}-{n}")));
                let mut batch = json!({ "worker": worker });
                // Half of them name their test, the rest only their worker.
                if test % 2 == 0 {
                    batch["test_id"] = json!(test_id);
                }
                batch[list] = marks.collect();
                assert_eq!(server.post(path, &batch).json()["received"], *size, "{test_id}");
            }
            boundary("end", Some(if test % 3 == 0 { "failed" } else { "passed" }));
            let snapshot = server.get(&format!("/snapshot?test_id={test_id}")).json();
            for ((_, _, kind), size) in KINDS.into_iter().zip(&sizes) {
                let found = snapshot[kind].as_array().unwrap().iter().map(|entry| mark_of(kind, entry));
                let expected: BTreeSet<String> = (0..*size).map(|n| format!("{test_id}-{n}")).collect();
                assert_eq!(found.clone().count(), *size, "{test_id} {kind}");
                assert_eq!(found.collect::<BTreeSet<_>>(), expected, "{test_id} {kind}");
            }
            assert_eq!(snapshot["test"]["worker"], worker.to_string());
            // Some keep their entries, as failed tests do.
            if test % 10 != 0 {
                let cleared = server.request("POST", &format!("/clear?test_id={test_id}")).send().json();
                assert_eq!(cleared["entries_removed"], sizes.iter().sum::<usize>(), "{test_id}");
                assert_eq!(counts(&server, &test_id), [0; 5]);
            }
        }
    };
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let run = &run;
            scope.spawn(move || run(worker));
        }
    });
    let health = server.health();
    assert_eq!((&health["status"], &health["memory_mode"]), (&json!("ok"), &json!("normal")));
    assert!(resident_mb(&server) < 100.0, "{health}");
    assert_eq!(health["tests"]["known"], WORKERS * TESTS);
    assert_eq!(health["tests"]["open"], 0);
    for kind in ["logs", "websocket_events", "network_bodies", "enhanced_actions", "dom_snapshots"] {
        assert_eq!(health["buffers"][kind]["dropped"], 0, "{kind}");
    }
    for worker in 0..WORKERS {
        for test in (0..TESTS).step_by(10) {
            let sizes: Vec<usize> = (0..KINDS.len()).map(|kind| 1 + (worker + test + kind) % 7).collect();
            assert_eq!(counts(&server, &format!("w{worker}-t{test}")), sizes, "clearing a test affects no other test");
        }
    }
}

/// A killed test runner cannot stop its server; the server must exit after it, and not before.
#[test]
fn the_server_exits_with_the_process_that_started_it() {
    let mut runner = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let server = Server::with(&["--ci", "--exit-with-pid", &runner.id().to_string()]);
    std::thread::sleep(std::time::Duration::from_millis(1_200));
    assert_eq!(server.health()["status"], "ok");
    runner.kill().unwrap();
    runner.wait().unwrap();
    let (code, _) = server.terminate_after();
    assert_eq!(code, Some(0));
}
