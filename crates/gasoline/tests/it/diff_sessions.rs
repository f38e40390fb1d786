//! `diff_sessions`.

use serde_json::{Value, json};

use crate::support::{McpProcess, Server, wait_for};

fn request(server: &Server, method: &str, path: &str, status: u16, duration: u32) {
    let body = json!({
        "method": method, "url": format!("http://localhost:3000{path}"), "status": status, "duration": duration,
        "pageUrl": "http://localhost:3000/dashboard",
    });
    server.post("/network-bodies", &json!({ "bodies": [body] }));
}

fn load(server: &Server, load: u32, requests: u32, bytes: u32) {
    let snapshot = json!({
        "url": "/dashboard", "timing": { "load": load }, "network": { "requestCount": requests, "transferSize": bytes },
    });
    server.post("/performance-snapshot", &snapshot);
}

fn capture(client: &mut McpProcess, name: &str) -> Value {
    client.tool("diff_sessions", json!({ "action": "capture", "name": name }))
}

#[test]
fn before_and_after_a_deploy() {
    let server = Server::start();
    let mut client = server.client();
    request(&server, "GET", "/api/dashboard?fresh=1", 200, 100);
    server.log(json!([{ "level": "warn", "message": "slow", "url": "http://localhost:3000/dashboard", "count": 2 }]));
    load(&server, 1_100, 12, 340_000);
    let captured = capture(&mut client, "before-deploy");
    assert_eq!((&captured["action"], &captured["name"]), (&json!("captured"), &json!("before-deploy")));
    let snapshot = &captured["snapshot"];
    assert!(snapshot["captured_at"].is_string());
    for (field, value) in [
        ("console_errors", json!(0)),
        ("console_warnings", json!(2)),
        ("network_requests", json!(1)),
        ("network_errors", json!(0)),
        ("websocket_connections", json!(0)),
        ("unique_endpoints", json!(1)),
        ("page_url", json!("http://localhost:3000/dashboard")),
        ("performance", json!({ "load_time": 1_100, "request_count": 12, "transfer_size": 340_000 })),
    ] {
        assert_eq!(snapshot[field], value, "{field}");
    }

    server.post("/clear", &json!({}));
    request(&server, "GET", "/api/dashboard?fresh=2", 200, 440);
    request(&server, "GET", "/api/notifications", 502, 10);
    server.log(json!([
        { "type": "exception", "message": "React hydration mismatch", "count": 3, "url": "http://localhost:3000/dashboard" },
    ]));
    load(&server, 3_200, 47, 2_400_000);
    capture(&mut client, "after-deploy");
    let compare = |b: Value| {
        let mut arguments = json!({ "action": "compare", "compare_a": "before-deploy" });
        if !b.is_null() {
            arguments["compare_b"] = b;
        }
        arguments
    };
    let compared = client.tool("diff_sessions", compare(json!("after-deploy")));
    assert_eq!(
        (&compared["action"], &compared["a"], &compared["b"]),
        (&json!("compared"), &json!("before-deploy"), &json!("after-deploy"))
    );
    assert_eq!(
        compared["summary"],
        json!({ "verdict": "regressed", "new_errors": 3, "resolved_errors": 0, "performance_regressions": 3, "new_network_errors": 1 })
    );
    let diff = &compared["diff"];
    assert_eq!(
        diff["errors"]["new"],
        json!([
            { "type": "console", "message": "React hydration mismatch", "count": 3 },
            { "type": "network", "method": "GET", "url": "/api/notifications", "status": 502 },
        ])
    );
    let failing = json!([{ "method": "GET", "url": "/api/notifications", "status": 502 }]);
    assert_eq!((&diff["network"]["new_errors"], &diff["network"]["new_endpoints"]), (&failing, &failing));
    assert_eq!(
        diff["network"]["status_changes"],
        json!([{ "method": "GET", "url": "/api/dashboard", "before": 200, "after": 200, "duration_change": "+340ms" }])
    );
    assert_eq!(
        diff["performance"]["load_time"],
        json!({ "before": 1_100, "after": 3_200, "change": "+191%", "regression": true })
    );
    assert_eq!(diff["websockets"]["connection_changes"], json!([]));
    for b in [json!("current"), Value::Null] {
        let live = client.tool("diff_sessions", compare(b));
        assert_eq!((&live["b"], &live["summary"]), (&json!("current"), &compared["summary"]));
    }

    let listed = client.tool("diff_sessions", json!({ "action": "list" }));
    let brief = |name: &str| {
        let found = listed["snapshots"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
        (found["page_url"].clone(), found["error_count"].clone(), found["made_by"].clone())
    };
    assert_eq!((&listed["action"], &listed["total"]), (&json!("listed"), &json!(2)));
    assert_eq!(brief("after-deploy"), (json!("/dashboard"), json!(3), json!("you")));
    assert_eq!(brief("before-deploy"), (json!("/dashboard"), json!(0), json!("you")));

    let deleted = client.tool("diff_sessions", json!({ "action": "delete", "name": "before-deploy" }));
    assert_eq!(deleted, json!({ "action": "deleted", "name": "before-deploy" }));
    let missing = client.tool("diff_sessions", compare(json!("current")));
    assert_eq!(missing["error"], "not_found");
    assert!(missing["hint"].as_str().unwrap().contains("after-deploy"), "{missing}");
}

#[test]
fn an_eleventh_snapshot_evicts_the_least_recently_used() {
    let server = Server::start();
    let mut client = server.client();
    for number in 0..10 {
        assert_eq!(capture(&mut client, &format!("s{number}")).get("evicted"), None);
    }
    client.tool("diff_sessions", json!({ "action": "compare", "compare_a": "s0" }));
    assert_eq!(capture(&mut client, "s10")["evicted"], "s1");
    assert_eq!(capture(&mut client, "s10")["replaced"], true);
    assert_eq!(client.tool("diff_sessions", json!({ "action": "list" }))["total"], 10);
}

#[test]
fn all_clients_read_snapshots_but_only_their_maker_changes_them() {
    let server = Server::start();
    let (mut maker, mut other) = (server.client(), server.client());
    capture(&mut maker, "mine");
    let compared = other.tool("diff_sessions", json!({ "action": "compare", "compare_a": "mine" }));
    assert_eq!(compared["summary"]["verdict"], "unchanged");
    for action in ["capture", "delete"] {
        let refused = other.tool("diff_sessions", json!({ "action": action, "name": "mine" }));
        assert_eq!(refused["error"], "invalid_params", "{action}");
        assert!(refused["message"].as_str().unwrap().contains("belongs to test"), "{refused}");
    }
    let hint = |client: &mut McpProcess, action: &str| {
        client.tool("diff_sessions", json!({ "action": action, "name": "mine" }))["hint"].as_str().unwrap().to_owned()
    };
    assert_eq!(hint(&mut other, "capture"), "choose another name, or delete it first with `force: true`");
    assert!(hint(&mut other, "delete").starts_with("leave it, ask test to delete it, or"));
    drop(maker);
    wait_for("the maker to be gone", || {
        let listed = other.tool("diff_sessions", json!({ "action": "list" }));
        (listed["snapshots"][0]["made_by"] == "test (gone)").then_some(())
    });
    assert_eq!(capture(&mut other, "mine")["replaced"], true);
}

#[test]
fn an_issue_from_before_a_snapshot_that_works_after_it_is_resolved() {
    let server = Server::start();
    let mut client = server.client();
    server.log(
        json!([{ "type": "exception", "level": "error", "message": "A", "url": "http://localhost:3000/dashboard" }]),
    );
    request(&server, "GET", "/api/cart", 500, 10);
    let before = capture(&mut client, "before");
    for _ in 0..2 {
        request(&server, "GET", "/api/cart", 200, 10);
    }
    // It takes a second until it is certain that the error did not recur.
    let after = wait_for("the error to be gone", || {
        let after = capture(&mut client, "after");
        let compare = json!({ "action": "compare", "compare_a": "before", "compare_b": "after" });
        let compared = client.tool("diff_sessions", compare);
        (compared["summary"]["resolved_errors"] == 2).then_some(after)
    });
    let window = &after["snapshot"]["window"];
    assert_eq!(
        (&window["from"], &after["snapshot"]["network_errors"]),
        (&before["snapshot"]["window"]["to"], &json!(0))
    );
    let compared =
        client.tool("diff_sessions", json!({ "action": "compare", "compare_a": "before", "compare_b": "after" }));
    assert_eq!(
        (&compared["summary"]["verdict"], &compared["summary"]["resolved_errors"]),
        (&json!("improved"), &json!(2))
    );
    assert_eq!((&compared["window"]["b"], &compared["window"]["a"]), (window, &before["snapshot"]["window"]));
    let deleted = server.client().tool("diff_sessions", json!({ "action": "delete", "name": "before", "force": true }));
    assert_eq!(deleted["action"], "deleted");
}

#[test]
fn a_name_is_one_line() {
    let server = Server::start();
    let mut client = server.client();
    assert_eq!(capture(&mut client, "before\nthe\tdeploy\u{2028}")["name"], "before the deploy");
    assert_eq!(capture(&mut client, "before the deploy")["replaced"], true);
    assert_eq!(capture(&mut client, "\n")["error"], "invalid_params");
    let reserved = capture(&mut client, "Current");
    assert!(reserved["message"].as_str().unwrap().contains("live state"), "{reserved}");
    let deleted = client.tool("diff_sessions", json!({ "action": "delete", "name": "before\nthe\ndeploy" }));
    assert_eq!(deleted["action"], "deleted");
}

#[test]
fn an_empty_comparison_says_why() {
    let server = Server::start();
    let mut client = server.client();
    request(&server, "GET", "/api/cart", 500, 10);
    capture(&mut client, "a");
    let compare = |client: &mut McpProcess, url: &str| {
        client.tool("diff_sessions", json!({ "action": "compare", "compare_a": "a", "url_filter": url }))
    };
    let idle = compare(&mut client, "");
    assert_eq!(idle["diff"]["errors"]["not_exercised"][0]["repeat"], "let the page send GET /api/cart", "{idle}");
    assert!(idle["hint"].as_str().unwrap().contains("did not exercise 1 issue of \"a\": do what"), "{idle}");
    request(&server, "GET", "/api/cart", 500, 10);
    let same = compare(&mut client, "");
    assert!(same.get("hint").is_none() && same.get("warnings").is_none(), "{same}");
    let filtered = compare(&mut client, "/nowhere");
    assert_eq!(filtered["warnings"].as_array().unwrap().len(), 2, "{filtered}");
    assert!(filtered["hint"].as_str().unwrap().starts_with("the filter matched no request"), "{filtered}");
    server.post("/clear", &json!({}));
    let cleared = compare(&mut client, "");
    assert!(cleared["warnings"][0].as_str().unwrap().starts_with("\"current\" has no error"), "{cleared}");
    assert!(cleared["hint"].as_str().unwrap().contains("cleared at"), "{cleared}");
}

#[test]
fn wrong_parameters_name_the_right_ones() {
    let server = Server::start();
    let mut client = server.client();
    for (arguments, code, says) in [
        (json!({}), "invalid_params", "action"),
        (json!({ "action": "diff" }), "invalid_params", "`capture`, `compare`, `list`, `delete`"),
        (json!({ "action": "list", "label": "x" }), "invalid_params", "`name`"),
        (json!({ "action": "capture" }), "invalid_params", "`name` is missing"),
        (json!({ "action": "capture", "name": "current" }), "invalid_params", "live state"),
        (json!({ "action": "capture", "name": "x".repeat(51) }), "invalid_params", "50 characters"),
        (json!({ "action": "delete", "name": "nope" }), "not_found", "no snapshot \"nope\""),
        (json!({ "action": "compare" }), "invalid_params", "`compare_a` is missing"),
        (json!({ "action": "compare", "compare_a": "nope" }), "not_found", "kept for 2 hours"),
    ] {
        let answer = client.tool("diff_sessions", arguments.clone());
        assert_eq!(answer["error"], code, "{arguments} {answer}");
        assert!(answer["message"].as_str().unwrap().contains(says), "{answer}");
        assert!(answer["hint"].is_string());
    }
    let none = client.tool("diff_sessions", json!({ "action": "list" }));
    assert_eq!(none["hint"], "no snapshot is stored: action capture stores one");
    let empty = capture(&mut client, "empty");
    assert!(empty["hint"].as_str().unwrap().starts_with("no browser is connected"), "{empty}");
}
