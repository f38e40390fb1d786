//! Which test an entry belongs to, and the records of tests.

use serde_json::{Value, json};
use wire::limits;

use crate::support::{Server, wait_for};

fn boundary(server: &Server, fields: Value) -> Value {
    let reply = server.post("/test-boundary", &fields);
    assert_eq!(reply.status, 200, "{fields}: {reply:?}");
    reply.json()
}

fn start(server: &Server, test_id: &str, worker: Option<&str>) {
    boundary(server, json!({ "test_id": test_id, "action": "start", "worker": worker }));
}

fn end(server: &Server, test_id: &str) {
    boundary(server, json!({ "test_id": test_id, "action": "end" }));
}

/// The test to which a batch of one log with these tags is attributed.
fn test_of(server: &Server, tags: Value) -> Value {
    let mut batch = tags;
    batch["entries"] = json!([{ "message": "whose?" }]);
    assert_eq!(server.post("/logs", &batch).json()["received"], 1);
    server.get("/logs").json()["entries"].as_array().unwrap().last().unwrap()["test_id"].clone()
}

#[test]
fn a_boundary_is_answered_and_the_record_grows_with_it() {
    let server = Server::start();
    let started = boundary(
        &server,
        json!({
            "testId": "login", "action": "start", "worker": 3, "title": "auth › login", "file": "login.spec.ts",
            "line": 12, "project": "chromium", "retry": 1, "shard": "1/3",
        }),
    );
    assert_eq!((&started["test_id"], &started["action"]), (&json!("login"), &json!("start")));
    let running = server.get("/snapshot?test_id=login").json()["test"].clone();
    assert_eq!(running["started"], started["timestamp"]);
    assert!(running.get("ended").is_none() && running.get("status").is_none(), "{running}");

    let ended = boundary(
        &server,
        json!({
            "test_id": "login", "action": "end", "status": "timedOut", "expectedStatus": "passed", "durationMs": 1234.5,
            "error": "Timeout of 30000ms exceeded", "location": { "file": "login.spec.ts", "line": 20, "column": 5 },
        }),
    );
    assert_eq!(
        server.get("/snapshot?test_id=login").json()["test"],
        json!({
            "test_id": "login", "title": "auth › login", "file": "login.spec.ts", "line": 12, "project": "chromium",
            "retry": 1, "shard": "1/3", "worker": "3", "status": "timedOut", "expected_status": "passed",
            "duration_ms": 1234.5, "error": "Timeout of 30000ms exceeded", "location": "login.spec.ts:20:5",
            "started": started["timestamp"], "ended": ended["timestamp"],
        })
    );
    assert!(server.get("/snapshot?test_id=other").json().get("test").is_none());
}

#[test]
fn a_snapshot_of_everything_lists_all_tests() {
    let server = Server::start();
    assert!(server.get("/snapshot").json().get("tests").is_none(), "none, no list");
    start(&server, "a", None);
    end(&server, "a");
    start(&server, "b", None);
    let snapshot = server.get("/snapshot").json();
    let ids: Vec<&Value> = snapshot["tests"].as_array().unwrap().iter().map(|test| &test["test_id"]).collect();
    assert_eq!(ids, ["a", "b"]);
    assert!(snapshot.get("test").is_none());
    assert!(server.get("/snapshot?test_id=a").json().get("tests").is_none());
    server.post("/clear", &json!({}));
    assert_eq!(server.get("/snapshot").json()["tests"].as_array().unwrap().len(), 2, "clearing is about entries");
}

#[test]
fn with_one_boundary_open_untagged_batches_belong_to_it() {
    let server = Server::start();
    assert_eq!(test_of(&server, json!({})), Value::Null, "before");
    start(&server, "a", None);
    assert_eq!(test_of(&server, json!({})), "a");
    assert_eq!(test_of(&server, json!({ "worker": "7" })), "a", "its boundary names no worker, so it may be this one");
    assert_eq!(test_of(&server, json!({ "test_id": "" })), "a", "an empty tag is none");
    end(&server, "a");
    assert_eq!(test_of(&server, json!({})), Value::Null, "after");
}

#[test]
fn batches_of_overlapping_workers_are_attributed_to_their_own_tests() {
    let server = Server::start();
    start(&server, "a", Some("1"));
    start(&server, "b", Some("2"));
    assert_eq!(test_of(&server, json!({ "worker": "1" })), "a");
    assert_eq!(test_of(&server, json!({ "worker": 2 })), "b", "a number is a name too");
    assert_eq!(test_of(&server, json!({})), Value::Null, "two are open: nobody knows whose it is");
    assert_eq!(test_of(&server, json!({ "worker": "3" })), Value::Null);
    assert_eq!(test_of(&server, json!({ "worker": "1", "test_id": "late" })), "late", "a tag wins over the worker");
    end(&server, "a");
    assert_eq!(test_of(&server, json!({ "worker": "1" })), Value::Null, "what worker 1 still sends is not worker 2's");
    assert_eq!(test_of(&server, json!({})), "b", "only one is open now");
    start(&server, "c", Some("2"));
    assert_eq!(test_of(&server, json!({ "worker": "2" })), "c", "a worker runs one test at a time");
    assert_eq!(test_of(&server, json!({})), "c", "so the one before is over");
}

#[test]
fn two_open_boundaries_without_a_worker_leave_batches_untagged() {
    let server = Server::start();
    start(&server, "a", None);
    start(&server, "b", None);
    assert_eq!(test_of(&server, json!({})), Value::Null);
    end(&server, "b");
    assert_eq!(test_of(&server, json!({})), "a");
}

#[test]
fn an_entrys_own_tag_wins_over_the_batchs_and_over_the_boundary() {
    let server = Server::start();
    start(&server, "open", Some("1"));
    start(&server, "other", Some("2"));
    server.post(
        "/logs",
        &json!({ "test_id": "batch", "worker": "1", "entries": [{ "message": "x", "testId": "own" }, { "message": "y" }] }),
    );
    server.post("/logs", &json!({ "worker": "1", "entries": [{ "message": "z", "worker": "2" }] }));
    let entries = server.get("/logs").json()["entries"].clone();
    let tests: Vec<&Value> = entries.as_array().unwrap().iter().map(|entry| &entry["test_id"]).collect();
    assert_eq!(tests, ["own", "batch", "other"]);
}

#[test]
fn every_route_accepts_tags_for_the_batch_and_follows_the_boundary() {
    let server = Server::start();
    start(&server, "w", Some("9"));
    start(&server, "v", Some("8"));
    let routes = [
        ("/logs", "entries", json!({ "message": "m" })),
        ("/websocket-events", "events", json!({ "event": "open", "id": "c", "url": "ws://x/" })),
        ("/network-bodies", "bodies", json!({ "url": "/api", "status": 200 })),
        ("/enhanced-actions", "actions", json!({ "type": "click" })),
        ("/dom-snapshots", "snapshots", json!({ "url": "/" })),
        ("/sync", "events", json!({ "type": "console", "level": "log", "message": "s" })),
    ];
    for (path, list, entry) in &routes {
        for tags in [
            json!({ "test_id": "t", "tab_id": 5, "worker": "9", "page_id": "p" }),
            json!({ "testId": "t", "tabId": 5, "worker": 9, "pageId": "p" }),
            json!({ "worker": "9" }),
        ] {
            let mut batch = tags;
            batch[list] = json!([entry]);
            let reply = server.post(path, &batch).json();
            assert_eq!(reply["rejected"], 0, "{path}: {reply}");
        }
    }
    let tagged = server.get("/snapshot?test_id=t").json();
    let counted = server.get("/snapshot?test_id=w").json();
    for (kind, count) in
        [("logs", 4), ("websocket_events", 2), ("network_bodies", 2), ("enhanced_actions", 2), ("dom_snapshots", 2)]
    {
        let entries = tagged[kind].as_array().unwrap();
        assert_eq!(entries.len(), count, "{kind}: {tagged}");
        for entry in entries {
            assert_eq!((&entry["tabId"], &entry["worker"], &entry["page_id"]), (&json!(5), &json!("9"), &json!("p")));
        }
        assert_eq!(counted[kind].as_array().unwrap().len(), count / 2, "{kind}: {counted}");
    }
    for (path, tags, test) in [
        ("/tagged", json!({ "testId": "t", "tabId": 5, "worker": "9", "pageId": "p" }), "t"),
        ("/followed", json!({ "worker": "8" }), "v"),
    ] {
        let mut load = tags;
        load["url"] = json!(path);
        assert_eq!(server.post("/performance-snapshot", &load).status, 200);
        assert_eq!(server.get(&format!("/performance-snapshot?url={path}")).json()["snapshot"]["test_id"], test);
    }
    assert_eq!(server.health()["unknown_fields"]["names"], json!({}));
}

#[test]
fn a_second_start_begins_a_new_record_and_an_end_without_a_start_is_kept() {
    let server = Server::start();
    boundary(&server, json!({ "test_id": "a", "action": "start", "title": "first" }));
    boundary(&server, json!({ "test_id": "a", "action": "end", "status": "failed", "error": "boom" }));
    start(&server, "a", None);
    start(&server, "a", None);
    let again = server.get("/snapshot?test_id=a").json()["test"].clone();
    for gone in ["title", "status", "error", "ended"] {
        assert!(again.get(gone).is_none(), "{gone}: {again}");
    }
    assert_eq!(test_of(&server, json!({})), "a", "started twice, open once");
    end(&server, "a");
    assert_eq!(test_of(&server, json!({})), Value::Null);
    assert_eq!(server.get("/snapshot").json()["tests"].as_array().unwrap().len(), 1);

    boundary(&server, json!({ "test_id": "unseen", "action": "end", "status": "skipped" }));
    let unseen = server.get("/snapshot?test_id=unseen").json()["test"].clone();
    assert_eq!(unseen["status"], "skipped");
    assert!(unseen.get("started").is_none() && unseen["ended"].is_string(), "{unseen}");
    end(&server, "unseen");
    assert_eq!(server.get("/snapshot?test_id=unseen").json()["test"]["status"], "skipped", "what was told stays");
}

#[test]
fn errors_say_what_to_send() {
    let server = Server::start();
    for (body, says) in [
        (r#"{"test_id":"a"}"#.to_owned(), "`action` is missing"),
        (r#"{"test_id":"a","action":null}"#.to_owned(), "`action` is missing"),
        (r#"{"test_id":"a","action":"pause"}"#.to_owned(), "`start` or `end`"),
        (r#"{"action":"start"}"#.to_owned(), "`test_id` is missing"),
        (r#"{"test_id":"","action":"start"}"#.to_owned(), "`test_id` is missing"),
        (r#"{"test_id":["a"],"action":"start"}"#.to_owned(), "not the JSON expected"),
        (r#"{"test_id":"a","action":"end","status":"flaky"}"#.to_owned(), "timedOut"),
        (r#"[{"test_id":"a","action":"start"}]"#.to_owned(), "expected an object"),
        (String::new(), "expected an object"),
        ("{".to_owned(), "EOF"),
        (json!({ "test_id": "é".repeat(limits::TEST_ID_CHARS + 1), "action": "start" }).to_string(), "500 characters"),
    ] {
        let reply = server.request("POST", "/test-boundary").body(body.clone()).send();
        assert_eq!(reply.status, 400, "{body}");
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(says) && error.contains(r#""action":"start"}"#), "{body}: {error}");
    }
    assert!(server.get("/snapshot").json().get("tests").is_none(), "nothing was kept");
    for length in [1, limits::TEST_ID_CHARS - 1, limits::TEST_ID_CHARS] {
        start(&server, &"é".repeat(length), None);
    }
    assert_eq!(server.get("/test-boundary").status, 405);
    assert_eq!(server.request("POST", "/test-boundary").token(None).send().status, 401);
    let large = format!(r#"{{"test_id":"a","action":"end","error":"{}"}}"#, "x".repeat(300_000));
    assert_eq!(server.request("POST", "/test-boundary").body(large).send().status, 413);
}

/// Errors use JSON's words, not Rust's.
#[test]
fn errors_name_no_rust_types() {
    let server = Server::start();
    for (field, value, says) in [
        ("test_id", json!(["a"]), "expected text or a whole number"),
        ("test_id", json!({ "a": 1 }), "expected text or a whole number"),
        ("worker", json!(1.5), "expected text or a whole number"),
        ("title", json!(5), "expected text"),
        ("line", json!("7"), "expected a whole number from 0"),
        ("line", json!(-7), "expected a whole number from 0"),
        ("retry", json!(99_999_999_999_u64), "expected a whole number from 0"),
        ("duration_ms", json!("5"), "expected a number"),
        ("status", json!("flaky"), "unknown value `flaky`, expected one of `passed`"),
        ("status", json!(5), "expected value"),
        ("location", json!(5), "expected text such as `a.spec.ts:3:1`, or an object with `file`"),
        ("location", json!({ "line": 5 }), "or an object with `file`, `line` and `column`"),
        ("started", json!("yesterday"), "ISO 8601"),
        ("action", json!(5), "expected text"),
    ] {
        let mut body = json!({ "test_id": "a", "action": "start" });
        body[field] = value.clone();
        let reply = server.post("/test-boundary", &body);
        assert_eq!(reply.status, 400, "{field}: {value}");
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(says), "{field}: {value}: {error}");
        let ours = ["u32", "u64", "i64", "f64", "struct", "enum", "variant", "Record", "Place", "Tag", "Option", "map"];
        let found = error.split(|c: char| !c.is_alphanumeric()).find(|word| ours.contains(word));
        assert_eq!(found, None, "{field}: {value}: {error}");
    }
    assert!(server.get("/snapshot").json().get("tests").is_none(), "nothing was kept");
}

#[test]
fn a_tag_that_is_too_long_rejects_only_its_own_entry() {
    let server = Server::start();
    let id = |length: usize| "x".repeat(length);
    let entries = json!([
        { "message": "at", "test_id": id(limits::TEST_ID_CHARS) },
        { "message": "over", "test_id": id(limits::TEST_ID_CHARS + 1) },
        { "message": "below", "test_id": id(limits::TEST_ID_CHARS - 1) },
        { "message": "worker", "worker": id(limits::TEST_ID_CHARS + 1) },
    ]);
    let reply = server.post("/logs", &json!({ "entries": entries })).json();
    assert_eq!((&reply["received"], &reply["rejected"]), (&json!(2), &json!(2)), "{reply}");
    assert!(reply["reasons"][0].as_str().unwrap().contains("500 characters"), "{reply}");
}

#[test]
fn records_contain_no_credential_and_at_most_a_page_of_text() {
    let server = Server::start();
    let secret = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
    let error = format!("expected 200, got 401 with {secret}\n{}", "at somewhere ".repeat(1_000));
    boundary(
        &server,
        json!({
            "test_id": format!("uses {secret}"), "action": "end", "title": secret, "file": secret, "project": secret,
            "location": secret, "shard": secret, "worker": secret, "error": error, "status": "failed",
        }),
    );
    let snapshot = server.get("/snapshot");
    assert!(!snapshot.body.contains(secret), "{snapshot:?}");
    let record = snapshot.json()["tests"][0].clone();
    assert!(record["error"].as_str().unwrap().contains("[secret:github_token"), "{record}");
    assert!(record["error"].as_str().unwrap().len() <= limits::TEST_ERROR_BYTES);
    server.post("/logs", &json!({ "test_id": format!("uses {secret}"), "entries": [{ "message": "x" }] }));
    let by_name = server.get(&format!("/snapshot?test_id=uses%20{secret}")).json();
    assert_eq!(by_name["test"]["status"], "failed", "asked for by the name that the runner knows it by");
    assert_eq!(by_name["logs"].as_array().unwrap().len(), 1);
    assert_eq!(server.request("POST", &format!("/clear?test_id=uses%20{secret}")).send().json()["entries_removed"], 1);
}

#[test]
fn redaction_of_an_entry_does_not_change_its_tag() {
    let server = Server::start();
    // The test's name contains the password, too. If it were removed from the tag, the entry would lose its test.
    server.post(
        "/network-bodies",
        &json!({ "test_id": "logs in as hunter2x", "bodies": [{ "url": "/login", "requestBody": "{\"password\":\"hunter2x\"}", "status": 200 }] }),
    );
    let snapshot = server.get("/snapshot?test_id=logs%20in%20as%20hunter2x").json();
    let body = &snapshot["network_bodies"][0];
    assert!(!body["requestBody"].as_str().unwrap().contains("hunter2x"), "{snapshot}");
}

#[test]
fn the_latest_two_thousand_are_known() {
    let server = Server::start();
    std::thread::scope(|scope| {
        for part in 0..4 {
            let server = &server;
            scope.spawn(move || {
                for n in 0..limits::TEST_RECORDS / 4 {
                    end(server, &format!("{part}-{n}"));
                }
            });
        }
    });
    let count = || server.get("/snapshot").json()["tests"].as_array().unwrap().len();
    assert_eq!(count(), limits::TEST_RECORDS);
    let oldest = server.get("/snapshot").json()["tests"][0]["test_id"].as_str().unwrap().to_owned();
    start(&server, "one more", None);
    assert_eq!(count(), limits::TEST_RECORDS);
    assert!(server.get(&format!("/snapshot?test_id={oldest}")).json().get("test").is_none());
    wait_for("the newest", || server.get("/snapshot?test_id=one%20more").json().get("test").map(drop));
}
