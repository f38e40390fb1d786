//! `validate_api`.

use serde_json::{Value, json};

use crate::socket::Socket;
use crate::support::{EXTENSION, Server, TOKEN};

fn answer(server: &Server, method: &str, url: &str, status: u16, body: Value) {
    let entry = json!({
        "method": method, "url": url, "status": status, "contentType": "application/json", "initiator": "fetch",
        "responseBody": body.to_string(),
    });
    let reply = server.post("/network-bodies", &json!({ "bodies": [entry] })).json();
    assert_eq!(reply, json!({ "received": 1, "rejected": 0 }));
}

#[test]
fn only_a_broken_contract_is_reported_with_its_evidence() {
    let server = Server::start();
    for number in 0..5 {
        let url = format!("http://localhost:3000/api/users/{number}?fresh={number}");
        answer(&server, "GET", &url, 200, json!({ "id": number, "avatar_url": "/a.png" }));
        answer(&server, "GET", "/api/products", 200, json!([{ "price": 19.99 }]));
        answer(&server, "GET", "/api/steady", 200, json!({ "ok": true }));
    }
    for _ in 0..3 {
        answer(&server, "POST", "/api/orders", 201, json!({ "id": 1 }));
    }
    let mut client = server.client();
    let clean = client.tool("validate_api", json!({ "action": "analyze" }));
    assert_eq!(
        clean,
        json!({ "action": "analyzed", "violations": [], "tracked_endpoints": 4, "total_requests_analyzed": 18, "clean_endpoints": 4 })
    );
    answer(&server, "GET", "http://localhost:3000/api/users/77", 200, json!({ "id": 77 }));
    answer(&server, "GET", "/api/products", 200, json!([{ "price": "19.99" }]));
    answer(&server, "POST", "/api/orders", 500, json!({ "error": "Database connection refused" }));
    let found = client.tool("validate_api", json!({ "action": "analyze" }));
    let told: Vec<_> = found["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| ["endpoint", "type", "severity"].map(|name| found[name].as_str().unwrap()).join(" "))
        .collect();
    assert_eq!(
        told,
        [
            "POST /api/orders error_spike critical",
            "GET /api/products array_shape_change warning",
            "GET /api/users/:id shape_change warning",
        ],
        "{found}"
    );
    assert_eq!((&found["clean_endpoints"], &found["total_requests_analyzed"]), (&json!(1), &json!(21)));
    assert_eq!(found["violations"][2]["missing_fields"], json!(["avatar_url"]));
    // The request of the violation can be read in full.
    let id = &found["violations"][2]["request_id"];
    let entry = client.tool("get_network_bodies", json!({ "id": id }))["entry"].clone();
    assert_eq!(entry["url"], "http://localhost:3000/api/users/77");

    let again = client.tool("validate_api", json!({ "action": "analyze" }));
    assert_eq!(again["total_requests_analyzed"], 21, "a body is counted once");
    let one = client.tool("validate_api", json!({ "action": "analyze", "url_filter": "/users/5" }));
    assert_eq!((one["violations"].as_array().unwrap().len(), &one["tracked_endpoints"]), (1, &json!(1)));
    let ignored =
        client.tool("validate_api", json!({ "action": "analyze", "ignore_endpoints": ["/orders", "/products"] }));
    assert_eq!((ignored["violations"].as_array().unwrap().len(), &ignored["tracked_endpoints"]), (1, &json!(2)));
    let none = client.tool("validate_api", json!({ "action": "report", "url": "/nowhere" }));
    assert_eq!(none["hint"], "the filter matched none of 4 endpoints; widen it or leave it out");

    let report = client.tool("validate_api", json!({ "action": "report", "url": "/api/users" }));
    let endpoint = &report["endpoints"][0];
    assert_eq!((&report["action"], &endpoint["endpoint"]), (&json!("report"), &json!("GET /api/users/:id")));
    assert_eq!(endpoint["established_shape"], json!({ "avatar_url": "string", "id": "number" }));
    assert_eq!(
        (&endpoint["method"], &endpoint["call_count"], &endpoint["status_codes"], &endpoint["consistency"]),
        (&json!("GET"), &json!(6), &json!({ "200": 6 }), &json!("83%"))
    );

    let cleared = client.tool("validate_api", json!({ "action": "clear" }));
    assert_eq!(cleared, json!({ "action": "cleared", "endpoints_cleared": 4 }));
    let after = client.tool("validate_api", json!({ "action": "analyze" }));
    assert_eq!((&after["tracked_endpoints"], &after["violations"]), (&json!(0), &json!([])));
    assert!(after["hint"].as_str().unwrap().contains("21 buffered requests"), "{after}");
    answer(&server, "GET", "/api/steady", 200, json!({ "other": 1 }));
    let after = client.tool("validate_api", json!({ "action": "analyze" }));
    assert_eq!((&after["total_requests_analyzed"], &after["violations"]), (&json!(1), &json!([])));
    assert!(after["hint"].as_str().unwrap().starts_with("still learning"), "{after}");
}

#[test]
fn shapes_are_learned_before_bodies_are_evicted_whoever_sends_them() {
    let server = Server::start();
    let event = |body: Value| {
        json!({ "type": "network", "url": "/api/early", "method": "GET", "status": 200,
            "contentType": "application/json", "responseBody": body.to_string() })
    };
    let events: Vec<Value> = (0..3).map(|_| event(json!({ "a": 1 }))).collect();
    server.post("/sync", &json!({ "events": events }));
    let rest: Vec<Value> = (0..120).map(|n| json!({ "url": format!("/{n}.js"), "status": 200 })).collect();
    server.post("/network-bodies", &json!({ "bodies": rest }));
    server.post("/sync", &json!({ "events": [event(json!({}))] }));
    let found = server.tool("validate_api", json!({ "action": "analyze" }));
    assert_eq!(found["violations"][0]["missing_fields"], json!(["a"]), "{found}");
    assert_eq!(found["total_requests_analyzed"], 4);
}

#[test]
fn the_hint_says_why_there_is_nothing_to_compare() {
    let server = Server::start();
    let mut client = server.client();
    let analyze = json!({ "action": "analyze" });
    let nothing = client.tool("validate_api", analyze.clone());
    assert!(nothing["hint"].as_str().unwrap().starts_with("no browser is connected"), "{nothing}");
    let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
    socket.send(&json!({
        "type": "hello", "token": TOKEN, "version": "0.1.0",
        "tabs": [{ "id": 1, "url": "http://localhost/", "active": true, "captured": true }],
        "settings": { "captureNetworkBodies": false },
    }));
    socket.receive().unwrap();
    let entry = json!({ "url": "/api", "status": 200, "contentType": "application/json", "initiator": "fetch" });
    server.post("/network-bodies", &json!({ "bodies": [entry] }));
    let off = client.tool("validate_api", analyze);
    assert!(off["hint"].as_str().unwrap().contains("\"Network bodies\" in the extension's popup"), "{off}");
    assert_eq!(off["tracked_endpoints"], 1);
}

#[test]
fn wrong_parameters_name_the_right_ones() {
    let server = Server::start();
    let mut client = server.client();
    for (arguments, names) in [
        (json!({}), "action"),
        (json!({ "action": "look" }), "`analyze`, `report`, `clear`"),
        (json!({ "action": "analyze", "filter": "x" }), "`url_filter`"),
        (json!({ "action": "analyze", "ignore_endpoints": "/x" }), "sequence"),
    ] {
        let answer = client.tool("validate_api", arguments.clone());
        assert_eq!(answer["error"], "invalid_params", "{arguments}");
        assert!(answer["message"].as_str().unwrap().contains(names), "{answer}");
    }
}
