//! Entries are returned as they were sent: every route, every spelling, every time format.

use serde_json::{Value, json};

use crate::support::Server;

#[test]
fn logs_are_returned_in_one_spelling() {
    let server = Server::start();
    server.log(json!([
        { "level": "error", "message": "one", "timestamp": 1_770_505_200_000_i64, "tab_id": 7, "testId": "t1" },
        { "level": "warning", "message": "two", "ts": "2026-02-07T23:00:00Z", "tabId": 8, "test_id": "t2" },
    ]));
    let reply = server.get("/logs").json();
    assert_eq!(reply["count"], 2);
    for (entry, tab, test) in [(&reply["entries"][0], 7, "t1"), (&reply["entries"][1], 8, "t2")] {
        assert_eq!(entry["ts"], "2026-02-07T23:00:00.000Z");
        assert_eq!(entry["tabId"], tab);
        assert_eq!(entry["test_id"], test);
        assert!(entry.get("timestamp").is_none(), "{entry}");
    }
    assert_eq!(reply["entries"][1]["level"], "warn");
    assert_eq!(server.request("DELETE", "/logs").send().json(), json!({ "cleared": true }));
    assert_eq!(server.get("/logs").json()["count"], 0);
}

#[test]
fn an_entry_without_a_time_gets_its_time_of_arrival() {
    let server = Server::start();
    server.log(json!([{ "message": "now" }]));
    let at = server.get("/logs").json()["entries"][0]["ts"].as_str().unwrap().to_owned();
    let date = std::process::Command::new("date").args(["-u", "+%Y-%m-%dT%H"]).output().unwrap();
    assert!(at.starts_with(String::from_utf8(date.stdout).unwrap().trim()), "{at}");
}

#[test]
fn good_entries_of_a_bad_batch_are_kept_and_the_rest_counted() {
    let server = Server::start();
    let entries = json!([{ "message": "good" }, { "level": "loud", "message": "x" }, 5, null, "text", {}, { "message": "also good", "ts": "yesterday" }, { "message": "good too" }]);
    let reply = server.post("/logs", &json!({ "entries": entries })).json();
    assert_eq!(
        (&reply["received"], &reply["rejected"], &reply["entries"]),
        (&json!(2), &json!(6), &json!(2)),
        "{reply}"
    );
    assert!(reply["reasons"][0].as_str().unwrap().starts_with("entry 1:"), "{reply}");
    let all_bad = server.post("/logs", &json!({ "entries": [1, 2] }));
    assert_eq!((all_bad.status, &all_bad.json()["rejected"]), (200, &json!(2)));
}

#[test]
fn half_a_surrogate_pair_does_not_cost_the_entry() {
    let server = Server::start();
    let half = r"a\ud83d b\uDE00 c";
    let shown = "a\u{fffd} b\u{fffd} c";
    let events = [
        format!(r#"{{"type":"console","message":"{half}","args":["{half}",{{"{half}":"😀 \ud83d\ude00"}}]}}"#),
        format!(
            r#"{{"type":"error","source":"exception","message":"m","stack":"{half}","metadata":{{"k":"{half}"}}}}"#
        ),
        format!(r#"{{"type":"network","url":"http://localhost/x","responseBody":"{{\"name\":\"{half}\"}}"}}"#),
        format!(r#"{{"type":"websocket","event":"message","connection_id":"c","data":"{half}"}}"#),
        format!(r#"{{"type":"action","action_type":"click","text":"{half}"}}"#),
    ];
    let body = format!(r#"{{"batch_id":"b{half}","test_id":"{half}","events":[{}]}}"#, events.join(","));
    let reply = server.request("POST", "/sync").body(body).send();
    assert_eq!((reply.status, &reply.json()["event_count"], &reply.json()["rejected"]), (200, &json!(5), &json!(0)));
    let logs = server.tool("get_browser_logs", json!({ "test_id": shown }));
    let (exception, line) = (&logs["logs"][0], &logs["logs"][1]);
    assert_eq!((&line["message"], &line["args"][0]), (&json!(shown), &json!(shown)), "{logs:#}");
    assert_eq!(line["args"][1][shown], "😀 😀", "{logs:#}");
    let whole = server.tool("get_browser_logs", json!({ "id": exception["id"] }));
    assert_eq!(whole["entry"]["metadata"]["k"], shown, "{whole:#}");
    let bodies = server.tool("get_network_bodies", json!({}));
    assert_eq!(bodies["bodies"][0]["responseBody"], format!(r#"{{"name":"{shown}"}}"#), "{bodies:#}");
    assert_eq!(server.tool("get_websocket_events", json!({}))["events"][0]["data"], shown);
    assert_eq!(server.tool("get_enhanced_actions", json!({}))["actions"][0]["text"], shown);
}

#[test]
fn half_a_surrogate_pair_does_not_cost_a_single_object_either() {
    let server = Server::start();
    for (path, body) in [
        ("/test-boundary", r#"{"test_id":"t","title":"a\ud83d b","action":"start"}"#),
        ("/screenshots", r#"{"data_url":"data:image/png;base64,iVBORw0KGgo=","url":"http://localhost/\ude00"}"#),
        (
            "/source-maps",
            r#"{"url":"http://localhost/a.js","map":"{\"version\":3,\"sources\":[\"\ud83d.ts\"],\"mappings\":\"AAAA\"}"}"#,
        ),
    ] {
        let reply = server.request("POST", path).body(body).send();
        assert_eq!(reply.status, 200, "{path}: {}", reply.json());
    }
}

#[test]
fn bad_json_says_what_and_where_and_stores_nothing() {
    let server = Server::start();
    for (body, says) in [
        (r#"{"entries":[{"message":"a"},]}"#, "column"),
        (r#"{"entries":{}}"#, "column"),
        (r#"{}"#, "entries"),
        ("", "expected an object"),
        (r#"{"entries":["#, "EOF"),
        ("[[{\"message\":\"x\"}],null,null,null,null,null,null]", "expected an object"),
        (r#"{"entries":[]} trailing"#, "trailing"),
        ("{\"entries\":[{\"message\":\"\u{1}\"}]}", "control character"),
    ] {
        let reply = server.request("POST", "/logs").body(body).send();
        assert_eq!(reply.status, 400, "{body}");
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(says), "{body}: {error}");
    }
    let not_utf8 = server
        .request("POST", "/logs")
        .body([b"{\"entries\":[{\"message\":\"".as_slice(), &[0xff, 0xfe], b"\"}]}"].concat())
        .send();
    assert_eq!(not_utf8.status, 400);
    assert!(not_utf8.body.contains("UTF-8"));
    assert_eq!(server.health()["buffers"]["logs"]["received"], 0);
}

#[test]
fn unknown_paths_and_methods_are_json_errors() {
    let server = Server::start();
    assert_eq!(server.get("/nowhere").status, 404);
    assert!(server.get("/nowhere").json()["error"].as_str().unwrap().contains("/nowhere"));
    let wrong = server.request("PUT", "/logs").send();
    assert_eq!(wrong.status, 405);
    assert!(wrong.has_header("allow"));
    assert!(wrong.json()["error"].as_str().unwrap().contains("PUT"));
    assert_eq!(server.get("/websocket-events").status, 405);
}

#[test]
fn every_kind_has_its_route() {
    let server = Server::start();
    let batches = [
        (
            "/websocket-events",
            json!({ "events": [{ "event": "message", "id": "c1", "url": "ws://x", "direction": "incoming", "data": "hi", "size": 2 }] }),
            "websocket_events",
        ),
        (
            "/network-bodies",
            json!({ "bodies": [{ "method": "post", "url": "/api", "status": 201, "responseBody": "{}", "duration": 12.5 }] }),
            "network_bodies",
        ),
        (
            "/enhanced-actions",
            json!({ "actions": [{ "type": "click", "selectors": { "testId": "go" }, "url": "http://x/" }] }),
            "enhanced_actions",
        ),
        (
            "/dom-snapshots",
            json!({ "snapshots": [{ "url": "http://x/", "title": "X", "elements": [{ "role": "heading", "level": 1, "text": "Hi", "visible": true }] }] }),
            "dom_snapshots",
        ),
    ];
    for (path, body, kind) in batches {
        let reply = server.post(path, &body);
        assert_eq!((reply.status, reply.json()), (200, json!({ "received": 1, "rejected": 0 })), "{path}");
        assert_eq!(server.health()["buffers"][kind]["count"], 1, "{kind}");
    }
    let reply = server
        .post("/extension-logs", &json!({ "logs": [{ "level": "info", "message": "hello", "timestamp": 1 }] }))
        .json();
    assert_eq!(reply, json!({ "status": "received", "log_count": 1 }));
}

#[test]
fn performance_snapshots_keep_a_baseline_per_path() {
    let server = Server::start();
    let snapshot = |load: f64| json!({ "url": "http://localhost:3000/shop?x=1", "timing": { "load": load }, "network": { "requestCount": 10 }, "longTasks": { "count": 0 } });
    for load in [100.0, 200.0, 300.0] {
        let reply = server.post("/performance-snapshot", &snapshot(load)).json();
        assert_eq!(reply, json!({ "received": true, "baseline_updated": true }));
    }
    let reply = server.get("/performance-snapshot?url=/shop").json();
    assert_eq!(reply["snapshot"]["timing"]["load"], 300.0);
    assert_eq!(reply["snapshot"]["url"], "/shop");
    // Compared with the baseline from before this load.
    assert_eq!(reply["baseline"]["timing"]["load"], 150.0);
    assert_eq!(reply["baseline"]["sampleCount"], 2);
    assert_eq!(server.post("/performance-snapshot", &json!({ "timing": {} })).status, 400);
    assert!(server.get("/performance-snapshot?url=/other").json()["snapshot"].is_null());
}

/// An impossible number would spoil the baseline for all later loads.
#[test]
fn impossible_numbers_of_a_load_are_rejected() {
    let server = Server::start();
    server.post("/performance-snapshot", &json!({ "url": "/shop", "timing": { "load": 100 } }));
    for (part, field) in [
        (json!({ "timing": { "load": -1 } }), "timing.load"),
        (json!({ "timing": { "load": 100, "timeToFirstByte": -0.5 } }), "timing.timeToFirstByte"),
        (
            json!({ "timing": { "largestContentfulPaint": wire::limits::LOAD_MILLIS + 1 } }),
            "timing.largestContentfulPaint",
        ),
        (json!({ "timing": { "domInteractive": 1e300 } }), "timing.domInteractive"),
        (json!({ "network": { "requestCount": -3 } }), "network.requestCount"),
        (json!({ "network": { "transferSize": 1e18 } }), "network.transferSize"),
        (json!({ "network": { "byType": { "script": { "count": 1e9, "size": 1 } } } }), "network.byType"),
        (
            json!({ "network": { "slowestRequests": [{ "url": "/x", "duration": -1, "size": 1 }] } }),
            "network.slowestRequests",
        ),
        (json!({ "longTasks": { "count": -1 } }), "longTasks.count"),
        (json!({ "cumulativeLayoutShift": -0.1 }), "cumulativeLayoutShift"),
        (json!({ "interactionToNextPaint": 1e12 }), "interactionToNextPaint"),
    ] {
        let mut snapshot = part;
        snapshot["url"] = json!("/shop");
        let reply = server.post("/performance-snapshot", &snapshot);
        let error = reply.json()["error"].as_str().unwrap_or_default().to_owned();
        assert_eq!(reply.status, 400, "{snapshot}");
        assert!(error.contains(field), "{snapshot}: {error}");
    }
    for number in ["1e999", "-1e999", "NaN", "Infinity", "\"NaN\""] {
        let body = format!(r#"{{"url":"/shop","timing":{{"load":{number}}}}}"#);
        let reply = server.request("POST", "/performance-snapshot").body(body).send();
        assert_eq!(reply.status, 400, "{number}");
    }
    // The same holds for a single metric of a batch, and the other entries are kept.
    let sync = json!({ "events": [
        { "type": "performance", "url": "/shop", "metric": "LCP", "value": -5, "unit": "ms" },
        { "type": "console", "level": "log", "message": "fine" },
    ] });
    assert_eq!(server.post("/sync", &sync).json()["rejected"], 1);
    let reply = server.get("/performance-snapshot?url=/shop").json();
    assert_eq!(
        (&reply["snapshot"]["timing"]["load"], &reply["baseline"]),
        (&json!(100.0), &json!(null)),
        "as it was: {reply}"
    );
    // Slow values are accepted.
    for load in [0, wire::limits::LOAD_MILLIS] {
        let reply = server.post("/performance-snapshot", &json!({ "url": "/shop", "timing": { "load": load } }));
        assert_eq!(reply.status, 200, "{load}");
    }
}

#[test]
fn sync_accepts_every_kind_and_reports_the_buffers() {
    let server = Server::start();
    let fixture: Value = serde_json::from_str(include_str!("../../../../fixtures/wire/sync.json")).unwrap();
    let sent = fixture["events"].as_array().unwrap().len();
    let reply = server.post("/sync", &fixture).json();
    assert_eq!(
        (&reply["status"], &reply["event_count"], &reply["rejected"]),
        (&json!("received"), &json!(sent), &json!(0)),
        "{reply}"
    );
    for buffer in ["logs", "network", "actions", "websocket"] {
        assert!(reply["buffer_status"][buffer]["count"].as_u64().unwrap() > 0, "{buffer}: {reply}");
        assert!(reply["buffer_status"][buffer]["oldest_ms"].as_u64().unwrap() > 1_700_000_000_000, "{buffer}");
        assert!(reply["buffer_status"][buffer]["memory_bytes"].as_u64().unwrap() > 0);
    }
    assert_eq!(server.health()["unknown_fields"]["count"], 0);
    let unknown = server.post("/sync", &json!({ "events": [{ "type": "telepathy" }, { "level": "log" }] })).json();
    assert_eq!((&unknown["event_count"], &unknown["rejected"]), (&json!(0), &json!(2)));
}

#[test]
fn entries_without_tags_get_those_of_the_batch() {
    let server = Server::start();
    let reply = server.post(
        "/logs",
        &json!({
            "test_id": "batch", "tab_id": 1, "page_id": "p", "worker": 3,
            "entries": [{ "message": "a" }, { "message": "b", "test_id": "own", "tabId": 2, "worker": "w" }],
        }),
    );
    assert_eq!(reply.json()["received"], 2);
    let entries = server.get("/logs").json()["entries"].clone();
    assert_eq!(
        (&entries[0]["test_id"], &entries[0]["tabId"], &entries[0]["page_id"], &entries[0]["worker"]),
        (&json!("batch"), &json!(1), &json!("p"), &json!("3"))
    );
    assert_eq!(
        (&entries[1]["test_id"], &entries[1]["tabId"], &entries[1]["worker"]),
        (&json!("own"), &json!(2), &json!("w"))
    );
}

#[test]
fn unknown_fields_are_accepted_counted_and_named() {
    let server = Server::start();
    server
        .log(json!([{ "message": "a", "flavour": 1, "_aiContext": { "mood": 1 } }, { "message": "b", "flavour": 2 }]));
    let unknown = server.health()["unknown_fields"].clone();
    assert_eq!(unknown["count"], 3, "{unknown}");
    assert_eq!(unknown["names"]["logs.flavour"], 2);
    assert_eq!(unknown["names"]["logs._aiContext.mood"], 1);
}

#[test]
fn context_is_patched_in_by_id() {
    let server = Server::start();
    server.log(json!([{ "id": "e-1", "type": "exception", "level": "error", "message": "boom" }]));
    server.log(json!([{ "id": "e-1", "_aiContext": { "componentAncestry": { "framework": "react", "components": [{ "name": "App" }] } } }]));
    server.log(json!([{ "id": "e-1", "_aiContext": { "stateSnapshot": { "source": "redux" } } }]));
    let logs = server.get("/logs").json();
    assert_eq!(logs["count"], 1, "{logs}");
    let context = &logs["entries"][0]["_aiContext"];
    assert_eq!(context["componentAncestry"]["components"][0]["name"], "App");
    assert_eq!(context["stateSnapshot"]["source"], "redux");
    assert_eq!(logs["entries"][0]["message"], "boom");
}

#[test]
fn an_id_names_exactly_one_entry() {
    let server = Server::start();
    server.log(json!([{ "id": "a", "message": "one" }]));
    let again = server.post("/logs", &json!({ "entries": [{ "id": "a", "message": "one" }] })).json();
    assert_eq!(
        (&again["received"], &again["entries"]),
        (&json!(1), &json!(1)),
        "sent again by a sender that was not sure"
    );
    server.log(json!([{ "id": "a", "message": "two" }, { "message": "unnamed" }]));
    let entries = server.get("/logs").json()["entries"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 3, "{entries}");
    assert_ne!(entries[1]["id"], "a");
    // Context can be patched in by the id that we gave, too.
    server.log(json!([{ "id": entries[2]["id"], "_aiContext": { "summary": "why" } }]));
    assert_eq!(server.get("/logs").json()["entries"][2]["_aiContext"]["summary"], "why");
    let lost =
        server.post("/logs", &json!({ "entries": [{ "id": "nobody", "_aiContext": { "summary": "?" } }] })).json();
    assert_eq!((&lost["received"], &lost["rejected"]), (&json!(0), &json!(1)), "{lost}");
}

#[test]
fn a_misspelt_parameter_does_not_clear_everything() {
    let server = Server::start();
    server.post("/logs", &json!({ "test_id": "a", "entries": [{ "message": "x" }] }));
    server.post("/logs", &json!({ "test_id": "b", "entries": [{ "message": "y" }] }));
    for (method, path) in [
        ("POST", "/clear?testid=b"),
        ("DELETE", "/clear?test=b"),
        ("DELETE", "/logs?test_id=b"),
        ("GET", "/snapshot?testid=b"),
    ] {
        assert_eq!(server.request(method, path).send().status, 400, "{path}");
    }
    assert_eq!(server.post("/clear", &json!({ "tets_id": "b" })).status, 400);
    assert_eq!(server.get("/logs").json()["count"], 2);
    assert_eq!(server.request("POST", "/clear?testId=a").send().json()["entries_removed"], 1);
    assert_eq!(server.post("/clear", &json!({ "test_id": "b", "preserve_config": true })).json()["entries_removed"], 1);
    server.post("/extension-logs", &json!({ "logs": [{ "message": "z" }] }));
    assert_eq!(server.request("DELETE", "/clear").send().json()["entries_removed"], 1);
    assert!(server.tool("get_browser_logs", json!({}))["hint"].as_str().unwrap().contains("cleared at"));
}

#[test]
fn a_load_without_details_is_accepted() {
    let server = Server::start();
    for load in [100, 200] {
        server.post(
            "/performance-snapshot",
            &json!({ "url": "/p", "timing": { "load": load }, "test_id": load.to_string() }),
        );
    }
    let page = server.get("/performance-snapshot?url=/p").json();
    assert_eq!((&page["baseline"]["sampleCount"], &page["snapshot"]["test_id"]), (&json!(1), &json!("200")), "{page}");
}

#[test]
fn errors_do_not_echo_values() {
    let server = Server::start();
    let reply = server.request("POST", "/logs").body(r#"{"entries":[],"tab_id":"hunter2-hunter2"}"#).send();
    assert_eq!(reply.status, 400);
    assert!(!reply.body.contains("hunter2"), "{reply:?}");
    let reply = server.post("/logs", &json!({ "entries": [{ "message": "m", "lineno": "hunter2-hunter2" }, 7] }));
    assert!(!reply.body.contains("hunter2") && !reply.body.contains("struct"), "{reply:?}");
}

#[test]
fn snapshot_and_clear_can_be_limited_to_a_test() {
    let server = Server::start();
    for test in ["a", "b"] {
        server.post("/logs", &json!({ "test_id": test, "entries": [{ "level": "error", "message": test }, { "level": "warn", "message": "w" }] }));
        server.post(
            "/network-bodies",
            &json!({ "test_id": test, "bodies": [{ "url": "/api", "status": 500, "method": "GET" }] }),
        );
        server.post(
            "/websocket-events",
            &json!({ "test_id": test, "events": [{ "event": "open", "id": "c", "url": "ws://x" }] }),
        );
        server.post("/enhanced-actions", &json!({ "test_id": test, "actions": [{ "type": "click" }] }));
    }
    let snapshot = server.get("/snapshot?test_id=a").json();
    assert_eq!(snapshot["test_id"], "a");
    for kind in ["logs", "network_bodies", "websocket_events", "enhanced_actions"] {
        let entries = snapshot[kind].as_array().unwrap();
        assert!(
            !entries.is_empty() && entries.iter().all(|entry| entry["test_id"] == "a" && entry["id"].is_string()),
            "{kind}: {snapshot}"
        );
    }
    assert_eq!(
        snapshot["stats"],
        json!({ "total_logs": 2, "error_count": 1, "warning_count": 1, "network_failures": 1, "ws_connections": 1 })
    );
    assert_eq!(server.get("/snapshot").json()["logs"].as_array().unwrap().len(), 4);
    assert_eq!(server.get("/snapshot?since=2999-01-01T00:00:00Z").json()["logs"], json!([]));
    assert_eq!(server.get("/snapshot?since=soon").status, 400);

    let cleared = server.request("DELETE", "/clear?test_id=a").send().json();
    assert_eq!(cleared, json!({ "cleared": true, "entries_removed": 5 }));
    assert_eq!(server.get("/snapshot?test_id=b").json()["stats"]["total_logs"], 2);
    assert_eq!(server.request("POST", "/clear").send().json()["entries_removed"], 5);
    assert_eq!(server.get("/snapshot").json()["logs"], json!([]));
}

#[test]
fn no_credential_reaches_buffer_file_or_answer() {
    let server = Server::start();
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwiZXhwIjoxNzAwMDAwMDAwfQ.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    let password = "correct-horse-battery";
    server.log(json!([{
        "level": "error", "message": format!("login failed for {jwt}"), "args": [{ "password": password, "deep": [{ "t": jwt }] }],
        "url": format!("http://localhost/cb?access_token={jwt}#id_token={jwt}"), "stack": format!("Error: Bearer {jwt}\n at x (http://user:{password}@h/a.js:1:1)"),
        "metadata": { "api_key": password }, "_context": { "secret": password },
        format!("field-{jwt}"): 1,
    }]));
    let rejected = server.post("/logs", &json!({ "entries": [{ "level": jwt, "message": "x" }] }));
    assert!(!rejected.body.contains(&jwt[..40]), "{rejected:?}");
    server.post("/network-bodies", &json!({ "bodies": [{
        "method": "POST", "url": format!("https://api/x?token={password}"), "status": 500,
        "requestBody": json!({ "password": password }).to_string(), "responseBody": json!({ "data": { "refresh_token": password, "jwt": jwt } }).to_string(),
        "requestHeaders": { "Authorization": format!("Bearer {jwt}"), "X-Api-Key": password, "Accept": "application/json" },
        "responseHeaders": { "Set-Cookie": [format!("sid={password}; Secure; HttpOnly; SameSite=Lax"), "theme=dark"], "Location": format!("/next?token={password}") },
    }] }));
    server.post("/websocket-events", &json!({ "events": [{ "event": "message", "id": "c", "data": json!({ "auth": jwt, "password": password }).to_string() }] }));
    server.post("/enhanced-actions", &json!({ "actions": [{ "type": "input", "inputType": "password", "value": password }, { "type": "input", "inputType": "text", "value": jwt }] }));
    let mut seen = vec![
        server.get("/logs").body,
        server.get("/snapshot").body,
        server.health().to_string(),
        server.get("/metrics").body,
    ];
    let mut client = server.client();
    for (tool, arguments) in
        [("get_browser_errors", json!({})), ("get_browser_logs", json!({})), ("get_status", json!({}))]
    {
        seen.push(client.tool(tool, arguments).to_string());
    }
    let id = server.get("/logs").json()["entries"][0]["id"].clone();
    seen.push(client.tool("get_browser_errors", json!({ "id": id })).to_string());
    let snapshot = server.get("/snapshot").json();
    let body = &snapshot["network_bodies"][0];
    assert_eq!(body["hasAuthHeader"], true);
    assert_eq!(body["requestHeaders"]["Authorization"], "[REDACTED]");
    assert_eq!(body["requestHeaders"]["Accept"], "application/json");
    assert_eq!(body["cookies"][0], json!({ "name": "sid", "secure": true, "httpOnly": true, "sameSite": "Lax" }));
    assert_eq!(snapshot["enhanced_actions"][0]["value"], "[redacted]");
    let journal = server.journal();
    drop(client);
    let (code, state) = server.terminate();
    assert_eq!(code, Some(0));
    let file = std::fs::read_to_string(journal.file_name().map(|name| state.path().join(name)).unwrap()).unwrap();
    assert!(file.contains("login failed for [secret:jwt#"), "{file}");
    seen.push(file);
    for text in seen {
        assert!(
            !text.contains(password) && !text.contains(&jwt[..30]) && !text.contains(&jwt[jwt.len() - 30..]),
            "{text}"
        );
    }
}

#[test]
fn the_extensions_own_log_can_be_read() {
    let server = Server::start();
    assert_eq!(server.get("/extension-logs").json(), json!({ "logs": [], "count": 0 }));
    let line = |level: &str, message: &str| json!({ "level": level, "message": message, "context": { "problem": "500 Bearer aB3dE5gH7jK9mN1pQ3sT5uV7" } });
    let lines = [
        line("warn", "sending failed"),
        line("info", "started"),
        line("error", "broke"),
        line("warn", "sending failed"),
    ];
    server.post("/extension-logs", &json!({ "logs": lines }));
    let read = server.get("/extension-logs").json();
    let messages: Vec<_> = read["logs"].as_array().unwrap().iter().map(|line| line["message"].clone()).collect();
    assert_eq!(
        (&read["count"], messages),
        (&json!(4), vec![json!("sending failed"), json!("started"), json!("broke"), json!("sending failed")])
    );
    assert!(!read.to_string().contains("aB3dE5gH7jK9"), "{read}");
    let warnings = server.tool("get_status", json!({}))["warnings"].clone();
    let warnings: Vec<&str> = warnings.as_array().unwrap().iter().map(|warning| warning.as_str().unwrap()).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].starts_with("the extension reports: sending failed") && warnings[0].contains("2 times"),
        "{warnings:?}"
    );
    assert!(warnings[1].starts_with("the extension reports: broke") && warnings[1].contains("problem"), "{warnings:?}");
}
