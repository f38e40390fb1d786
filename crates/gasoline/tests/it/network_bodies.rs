//! `get_network_bodies`.

use serde_json::{Value, json};

use crate::socket::Socket;
use crate::support::{EXTENSION, Server, TOKEN};

fn post(server: &Server, bodies: Value) {
    let reply = server.post("/network-bodies", &json!({ "bodies": bodies })).json();
    assert_eq!(reply["rejected"], 0, "{reply}");
}

fn urls(answer: &Value) -> Vec<&str> {
    let bodies = answer["bodies"].as_array().unwrap_or_else(|| panic!("{answer}"));
    bodies.iter().map(|body| body["url"].as_str().unwrap()).collect()
}

#[test]
fn requests_that_are_left_out_are_counted_by_status() {
    let server = Server::start();
    let statuses = [200, 204, 301, 404, 401, 500, 503, 0, 201];
    let body = |(number, status): (usize, &u16)| json!({ "url": format!("/api/{number}"), "status": status, "ts": 1_790_000_000_000_u64 + number as u64 });
    post(&server, statuses.iter().enumerate().map(body).collect());
    post(&server, json!([{ "url": "/unknown", "ts": 1 }]));
    let mut client = server.client();
    let answer = client.tool("get_network_bodies", json!({ "limit": 2 }));
    assert_eq!((&answer["total"], &answer["returned"], &answer["truncated"]), (&json!(10), &json!(2), &json!(true)));
    assert_eq!(
        answer["left_out"].to_string(),
        r#"{"no_response":1,"5xx":2,"4xx":2,"3xx":1,"2xx":2}"#,
        "the worst first: {answer}"
    );
    let answer = client.tool("get_network_bodies", json!({ "limit": 1, "status_max": 299 }));
    assert_eq!(answer["left_out"], json!({ "no_response": 1, "2xx": 2 }));
    let whole = client.tool("get_network_bodies", json!({}));
    assert_eq!(whole.get("left_out"), None);
}

#[test]
fn every_filter_narrows_the_list() {
    let server = Server::start();
    post(
        &server,
        json!([
            { "method": "POST", "url": "/api/users", "status": 201, "requestBody": "{\"name\":\"Alice\"}", "responseBody": "{\"id\":1}", "contentType": "application/json", "duration": 142, "tabId": 1, "ts": "2026-01-01T00:00:00Z" },
            { "method": "GET", "url": "/api/products", "status": 404, "pageUrl": "http://localhost/shop", "test_id": "t", "ts": "2026-01-01T00:00:01Z" },
            { "method": "GET", "url": "/api/cart", "status": 500, "ts": "2026-01-01T00:00:02Z" },
            { "method": "GET", "url": "/api/gone", "status": 0, "error": "TypeError: Failed to fetch", "ts": "2026-01-01T00:00:03Z" },
        ]),
    );
    let mut client = server.client();
    for (arguments, expected) in [
        (json!({}), vec!["/api/gone", "/api/cart", "/api/products", "/api/users"]),
        (json!({ "limit": 1 }), vec!["/api/gone"]),
        (json!({ "method": "post" }), vec!["/api/users"]),
        (json!({ "status_min": 404 }), vec!["/api/cart", "/api/products"]),
        (json!({ "status_min": 405 }), vec!["/api/cart"]),
        (json!({ "status_max": 404 }), vec!["/api/gone", "/api/products", "/api/users"]),
        (json!({ "status_min": 200, "status_max": 299 }), vec!["/api/users"]),
        (json!({ "url_filter": "/shop" }), vec!["/api/products"]),
        (json!({ "url": "cart" }), vec!["/api/cart"]),
        (json!({ "tab_id": 1 }), vec!["/api/users"]),
        (json!({ "test_id": "t" }), vec!["/api/products"]),
        (json!({ "since": "2026-01-01T00:00:02Z" }), vec!["/api/gone", "/api/cart"]),
        (json!({ "since": "checkpoint" }), vec![]),
    ] {
        assert_eq!(urls(&client.tool("get_network_bodies", arguments.clone())), expected, "{arguments}");
    }
    let users = client.tool("get_network_bodies", json!({ "method": "POST" }))["bodies"][0].clone();
    assert_eq!(
        (&users["requestBody"], &users["responseBody"], &users["duration"], &users["contentType"]),
        (&json!("{\"name\":\"Alice\"}"), &json!("{\"id\":1}"), &json!(142.0), &json!("application/json"))
    );
    let full = client.tool("get_network_bodies", json!({ "id": users["id"] }));
    assert_eq!(full["entry"]["type"], "network_body");
    for bad in [json!({ "limit": 0 }), json!({ "status_min": "many" }), json!({ "nonsense": 1 })] {
        assert_eq!(client.tool("get_network_bodies", bad.clone())["error"], "invalid_params", "{bad}");
    }
}

#[test]
fn twenty_requests_unless_asked_for_more() {
    let server = Server::start();
    let mut client = server.client();
    for (sent, returned) in [(19, 19), (1, 20), (1, 20)] {
        post(&server, (0..sent).map(|n| json!({ "url": format!("/{n}"), "status": 200 })).collect());
        assert_eq!(client.tool("get_network_bodies", json!({}))["returned"], returned);
    }
    let all = client.tool("get_network_bodies", json!({ "limit": 100 }));
    assert_eq!((&all["returned"], &all["total"]), (&json!(21), &json!(21)));
    post(&server, json!([{ "url": "/long", "status": 200, "responseBody": "w ".repeat(4_000) }]));
    let long = client.tool("get_network_bodies", json!({ "limit": 2 }))["bodies"][0].clone();
    assert_eq!(long["responseBody"].as_str().unwrap().chars().count(), 1_001);
    assert_eq!((&long["truncated"], &long["full_size"]), (&json!(true), &json!(8_000)));
    let alone = client.tool("get_network_bodies", json!({ "limit": 1 }))["bodies"][0].clone();
    assert_eq!((alone["responseBody"].as_str().unwrap().len(), alone.get("full_size")), (8_000, None));
    let full = client.tool("get_network_bodies", json!({ "id": long["id"] }));
    assert_eq!(full["entry"]["responseBody"].as_str().unwrap().len(), 8_000);
}

#[test]
fn the_answer_says_that_bodies_are_off() {
    let server = Server::start();
    let mut client = server.client();
    let none = client.tool("get_network_bodies", json!({}));
    assert!(none["hint"].as_str().unwrap().contains("no browser"), "{none}");
    for (on, with_body, told) in [(false, false, true), (true, false, false), (false, true, false)] {
        let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
        let tabs = json!([{ "id": 1, "url": "http://localhost/", "captured": true }]);
        socket.send(
            &json!({ "type": "hello", "token": TOKEN, "tabs": tabs, "settings": { "captureNetworkBodies": on } }),
        );
        socket.receive().unwrap();
        server.request("POST", "/clear").send();
        let body = if with_body { json!("text") } else { json!(null) };
        post(&server, json!([{ "url": "/a", "status": 200, "responseBody": body }]));
        let answer = client.tool("get_network_bodies", json!({}));
        assert_eq!(answer["returned"], 1);
        let hint = answer["hint"].as_str().unwrap_or_default();
        assert_eq!(hint.starts_with("bodies are off:"), told, "{on} {with_body}: {answer}");
    }
}

#[test]
fn an_answer_right_after_an_error_waits_for_its_request() {
    let server = Server::start();
    let error = |id: u32| {
        json!({ "type": "error", "source": "network", "message": "GET /api → 500", "requestId": format!("r{id}"),
            "requestUrl": "http://localhost/api", "status": 500, "method": "GET" })
    };
    let body = |id: u32| {
        json!({ "type": "network", "method": "GET", "url": "http://localhost/api", "status": 500,
            "requestId": format!("r{id}"), "responseBody": "{\"error\":\"boom\"}" })
    };
    // The request never arrives: the answer comes anyway.
    server.post("/sync", &json!({ "events": [error(0)] }));
    assert_eq!(server.tool("get_network_bodies", json!({}))["total"], 0);
    // Several rounds, because a machine may stall for longer than an answer waits. Each has its own request, because an
    // answer waits only once for a request that never arrives.
    let answers = (1..=10).map(|id| {
        server.post("/clear", &json!({}));
        server.post("/sync", &json!({ "events": [error(id)] }));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(40));
                server.post("/sync", &json!({ "events": [body(id)] }));
            });
            server.tool("diagnose", json!({}))
        })
    });
    let explained = |answer: &Value| {
        answer["request"]["received"].as_str().is_some_and(|text| text.contains("boom"))
            || answer["cause"].as_str().is_some_and(|text| text.contains("boom"))
    };
    assert!(answers.into_iter().any(|answer| explained(&answer)));
}

#[test]
fn lists_mark_shortened_texts_and_a_single_entry_is_complete() {
    let server = Server::start();
    let (long, message) = ("z".repeat(5_000), "m".repeat(3_000));
    let body = |path: &str, text: &str| json!({ "url": format!("http://localhost/{path}"), "status": 500, "responseBody": text });
    post(&server, json!([body("long", &long), body("short", "s")]));
    let sizes = |entry: &Value| (entry["truncated"].clone(), entry["full_size"].clone());
    let both = server.tool("get_network_bodies", json!({}));
    assert_eq!(sizes(&both["bodies"][1]), (json!(true), json!(5_000)), "{both:#}");
    assert_eq!(sizes(&both["bodies"][0]), (Value::Null, Value::Null));
    let alone = server.tool("get_network_bodies", json!({ "url": "/long" }));
    assert_eq!(
        (&alone["bodies"][0]["responseBody"], sizes(&alone["bodies"][0])),
        (&json!(long), (Value::Null, Value::Null))
    );
    let little = server.tool("get_network_bodies", json!({ "url": "/long", "max_tokens": 500 }));
    assert_eq!(sizes(&little["bodies"][0]), (json!(true), json!(5_000)));
    assert!(little.to_string().len() <= 2_000, "{}", little.to_string().len());
    server.log(json!([{ "level": "error", "message": message }, { "level": "error", "message": "short" }]));
    for (tool, list) in [("get_browser_logs", "logs"), ("get_browser_errors", "errors")] {
        let answer = server.tool(tool, json!({}));
        let shortened =
            answer[list].as_array().unwrap().iter().find(|entry| entry["message"].as_str().unwrap().starts_with("mm"));
        assert_eq!(sizes(shortened.unwrap()), (json!(true), json!(3_000)), "{tool}");
    }
    let alone = server.tool("get_browser_logs", json!({ "search": "mmm" }));
    assert_eq!(alone["logs"][0]["message"], message);
}

/// A body that was cut is reported with its original size.
#[test]
fn the_full_size_is_the_size_before_any_cut() {
    let server = Server::start();
    let sizes = |entry: &Value| (entry["truncated"].clone(), entry["full_size"].clone());
    let cut = |bytes: u64| (json!(true), json!(bytes));
    server.post("/logs", &json!({ "entries": [{ "level": "error", "message": "m".repeat(30_000) }] }));
    post(
        &server,
        json!([
            { "url": "/stated", "status": 200, "responseBody": "w ".repeat(20_000), "responseSize": 70_000 },
            { "url": "/counted", "status": 200, "responseBody": "w ".repeat(20_000) },
        ]),
    );
    let event = json!({ "event": "message", "id": "s", "direction": "incoming", "data": "d ".repeat(4_500) });
    server.post("/websocket-events", &json!({ "events": [event] }));
    for arguments in [json!({}), json!({ "limit": 1, "max_tokens": 20_000 })] {
        for (tool, list) in [("get_browser_logs", "logs"), ("get_browser_errors", "errors")] {
            assert_eq!(sizes(&server.tool(tool, arguments.clone())[list][0]), cut(30_000), "{tool} {arguments}");
        }
        let events = server.tool("get_websocket_events", arguments.clone());
        assert_eq!(sizes(&events["events"][0]), cut(9_000), "{arguments}");
    }
    let bodies = server.tool("get_network_bodies", json!({}));
    assert_eq!([sizes(&bodies["bodies"][0]), sizes(&bodies["bodies"][1])], [cut(40_000), cut(70_000)]);
    let entry = server.tool("get_browser_logs", json!({}))["logs"][0]["id"].clone();
    assert_eq!(server.tool("get_browser_logs", json!({ "id": entry }))["entry"]["messageSize"], 30_000);
}
