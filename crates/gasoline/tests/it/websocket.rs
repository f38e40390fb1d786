//! `get_websocket_events` and `get_websocket_status`.

use serde_json::{Value, json};

use crate::support::{Server, wait_for};

fn post(server: &Server, events: Value) {
    let sent = events.as_array().unwrap().len();
    let reply = server.post("/websocket-events", &json!({ "events": events })).json();
    assert_eq!((&reply["received"], &reply["rejected"]), (&json!(sent), &json!(0)), "{reply}");
}

fn data(answer: &Value) -> Vec<&str> {
    answer["events"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"))
        .iter()
        .map(|event| event["data"].as_str().unwrap_or_else(|| event["event"].as_str().unwrap()))
        .collect()
}

#[test]
fn events_are_newest_first_and_every_filter_narrows_them() {
    let server = Server::start();
    post(
        &server,
        json!([
            { "event": "open", "id": "c1", "url": "wss://a.test/ws", "tabId": 1, "ts": "2026-01-01T00:00:00Z" },
            { "event": "message", "id": "c1", "direction": "incoming", "data": "in", "tabId": 1, "ts": "2026-01-01T00:00:01Z" },
            { "event": "message", "id": "c1", "direction": "outgoing", "data": "out", "tabId": 1, "ts": "2026-01-01T00:00:02Z" },
            { "event": "open", "id": "c2", "url": "wss://b.test/ws", "test_id": "t", "ts": "2026-01-01T00:00:03Z" },
            { "event": "message", "id": "c2", "direction": "incoming", "data": "other", "test_id": "t", "ts": "2026-01-01T00:00:04Z" },
        ]),
    );
    let mut client = server.client();
    for (arguments, expected) in [
        (json!({}), vec!["other", "open", "out", "in", "open"]),
        (json!({ "limit": 2 }), vec!["other", "open"]),
        (json!({ "connection_id": "c1" }), vec!["out", "in", "open"]),
        (json!({ "url_filter": "b.test" }), vec!["other", "open"]),
        (json!({ "url": "a.test", "direction": "incoming" }), vec!["in"]),
        (json!({ "direction": "outgoing" }), vec!["out"]),
        (json!({ "tab_id": 1 }), vec!["out", "in", "open"]),
        (json!({ "test_id": "t" }), vec!["other", "open"]),
        (json!({ "since": "2026-01-01T00:00:03Z" }), vec!["other", "open"]),
        (json!({ "since": "checkpoint" }), vec![]),
    ] {
        assert_eq!(data(&client.tool("get_websocket_events", arguments.clone())), expected, "{arguments}");
    }
    let all = client.tool("get_websocket_events", json!({}));
    assert_eq!((&all["total"], &all["returned"]), (&json!(5), &json!(5)));
    let newest = &all["events"][0];
    assert_eq!((&newest["connection_id"], &newest["url"]), (&json!("c2"), &json!("wss://b.test/ws")));
    assert!(newest["id"].as_str().unwrap().starts_with("ws-"), "{newest}");
    let one = client.tool("get_websocket_events", json!({ "id": newest["id"] }));
    assert_eq!((&one["entry"]["data"], &one["entry"]["connection_id"]), (&json!("other"), &json!("c2")));
    for bad in
        [json!({ "limit": 0 }), json!({ "direction": "up" }), json!({ "since": "soon" }), json!({ "nonsense": 1 })]
    {
        assert_eq!(client.tool("get_websocket_events", bad.clone())["error"], "invalid_params", "{bad}");
    }
}

#[test]
fn fifty_events_unless_asked_for_more() {
    let server = Server::start();
    let message = |n: usize| json!({ "event": "message", "id": "c", "direction": "incoming", "data": n.to_string() });
    let mut client = server.client();
    for (sent, returned) in [(49, 49), (1, 50), (1, 50)] {
        post(&server, (0..sent).map(message).collect());
        assert_eq!(client.tool("get_websocket_events", json!({}))["returned"], returned);
    }
    assert_eq!(client.tool("get_websocket_events", json!({ "limit": 51 }))["returned"], 51);
    let long = json!([{ "event": "message", "id": "c", "direction": "incoming", "data": "w ".repeat(1_500) }]);
    post(&server, long);
    let newest = client.tool("get_websocket_events", json!({ "limit": 2 }))["events"][0].clone();
    assert!(newest["data"].as_str().unwrap().ends_with('…'), "{newest}");
    assert_eq!((&newest["truncated"], &newest["full_size"]), (&json!(true), &json!(3_000)));
    let alone = client.tool("get_websocket_events", json!({ "limit": 1 }))["events"][0].clone();
    assert_eq!(alone["data"].as_str().unwrap().len(), 3_000);
    let full = client.tool("get_websocket_events", json!({ "id": newest["id"] }));
    assert_eq!(full["entry"]["data"].as_str().unwrap().len(), 3_000);
    let small = client.call("get_websocket_events", json!({ "max_tokens": 200 }));
    assert!(small["content"][0]["text"].as_str().unwrap().len() <= 800, "{small}");
}

#[test]
fn status_has_the_promised_shape() {
    let server = Server::start();
    post(
        &server,
        json!([
            { "event": "open", "id": "feed", "url": "wss://feed.test/prices" },
            { "event": "message", "id": "feed", "direction": "outgoing", "data": "{\"action\":\"subscribe\"}", "size": 22 },
            { "event": "message", "id": "feed", "direction": "incoming", "data": "{\"sym\":\"AAPL\",\"price\":185.42}", "size": 29 },
            { "event": "open", "id": "old", "url": "wss://api.test/notifications", "ts": "2026-01-01T00:00:00Z" },
            { "event": "message", "id": "old", "direction": "incoming", "data": "x" },
            { "event": "close", "id": "old", "code": 1006, "reason": "" },
        ]),
    );
    let status = server.tool("get_websocket_status", json!({}));
    let open = &status["connections"][0];
    let fields: Vec<&str> = open.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        [
            "id",
            "url",
            "state",
            "openedAt",
            "duration",
            "messageRate",
            "lastMessage",
            "schema",
            "outgoingSchema",
            "sampling"
        ]
    );
    assert_eq!((&open["id"], &open["state"]), (&json!("feed"), &json!("open")));
    assert_eq!(open["messageRate"]["incoming"], json!({ "perSecond": 0.2, "total": 1, "bytes": 29 }));
    assert_eq!(open["lastMessage"]["outgoing"]["preview"], "{\"action\":\"subscribe\"}");
    assert!(open["lastMessage"]["incoming"]["age"].as_str().unwrap().ends_with('s'), "{open}");
    assert_eq!(open["schema"], json!({ "detectedKeys": ["sym", "price"], "messageCount": 1, "consistent": true }));
    assert_eq!(open["outgoingSchema"], json!({ "detectedKeys": ["action"], "messageCount": 1, "consistent": true }));
    assert_eq!(open["sampling"]["active"], false);
    let mut closed = status["closed"][0].clone();
    assert!(closed.as_object_mut().unwrap().remove("closedAt").unwrap().is_string());
    assert_eq!(
        closed,
        json!({ "id": "old", "url": "wss://api.test/notifications", "state": "closed", "openedAt": "2026-01-01T00:00:00.000Z",
            "closeCode": 1006, "closeReason": "", "totalMessages": { "incoming": 1, "outgoing": 0 } })
    );
    let mut client = server.client();
    for (arguments, expected) in [
        (json!({ "url_filter": "feed" }), (1, 0)),
        (json!({ "url": "api" }), (0, 1)),
        (json!({ "connection_id": "old" }), (0, 1)),
        (json!({ "connection_id": "feed", "url": "api" }), (0, 0)),
        (json!({ "tab_id": 5 }), (0, 0)),
        (json!({}), (1, 1)),
    ] {
        let answer = client.tool("get_websocket_status", arguments.clone());
        let count = |name: &str| answer[name].as_array().unwrap().len();
        assert_eq!((count("connections"), count("closed")), expected, "{arguments}");
        assert_eq!(answer.get("hint").is_some(), expected == (0, 0));
    }
}

#[test]
fn a_pages_totals_are_reported_but_neither_listed_nor_journaled() {
    let server = Server::start();
    post(&server, json!([{ "event": "open", "id": "c", "url": "wss://feed.test" }]));
    let stats = json!({ "incoming": { "total": 14_460, "bytes": 892_400, "perSecond": 48.2, "lastPreview": "{}", "lastAt": "2026-01-01T00:00:00Z" },
        "sampling": { "active": true, "rate": "1/5", "reason": "48.2 msg/s exceeds 10 msg/s threshold" } });
    post(&server, json!([{ "event": "stats", "id": "c", "stats": stats.clone() }]));
    let reply = server
        .post("/sync", &json!({ "events": [{ "type": "websocket", "event": "stats", "id": "c", "stats": stats }] }))
        .json();
    assert_eq!((&reply["event_count"], &reply["buffer_status"]["websocket"]["count"]), (&json!(1), &json!(1)));
    let connection = server.tool("get_websocket_status", json!({}))["connections"][0].clone();
    assert_eq!(connection["messageRate"]["incoming"]["total"], 14_460);
    assert_eq!(connection["sampling"]["rate"], "1/5");
    assert_eq!(server.tool("get_websocket_events", json!({}))["total"], 1);
    let buffers = server.health()["buffers"].clone();
    assert_eq!((&buffers["connections"]["count"], &buffers["connections"]["capacity"]), (&json!(1), &json!(30)));
    server.log(json!([{ "message": "the last line" }]));
    let journal = wait_for("the journal", || {
        std::fs::read_to_string(server.journal()).ok().filter(|text| text.contains("the last line"))
    });
    assert!(journal.contains("\"open\"") && !journal.contains("stats"), "{journal}");
}

#[test]
fn connections_stay_within_their_limits() {
    let server = Server::start();
    let open = |from: usize, to: usize| -> Value {
        (from..to).map(|n| json!({ "event": "open", "id": format!("c{n}"), "url": "ws://x" })).collect()
    };
    for (from, to, count, dropped) in [(0, 19, 19, 0), (19, 20, 20, 0), (20, 21, 20, 1)] {
        post(&server, open(from, to));
        let report = server.health()["buffers"]["connections"].clone();
        assert_eq!((&report["count"], &report["dropped"]), (&json!(count), &json!(dropped)), "{to}");
    }
    post(&server, (1..21).map(|n| json!({ "event": "close", "id": format!("c{n}"), "code": 1000 })).collect());
    let status = server.tool("get_websocket_status", json!({}));
    assert_eq!((status["connections"].as_array().unwrap().len(), status["closed"].as_array().unwrap().len()), (0, 10));
    assert_eq!(status["closed"][0]["id"], "c20", "newest first");
    assert_eq!(server.health()["buffers"]["connections"]["dropped"], 11);
    server.request("POST", "/clear").send();
    let empty = server.tool("get_websocket_status", json!({}));
    assert!(empty["hint"].as_str().unwrap().contains("cleared at"), "{empty}");
}

#[test]
fn empty_answers_say_why() {
    let server = Server::start();
    for tool in ["get_websocket_events", "get_websocket_status"] {
        let empty = server.tool(tool, json!({}));
        assert!(empty["hint"].as_str().unwrap().contains("no browser is connected"), "{empty}");
    }
    post(&server, json!([{ "event": "open", "id": "c", "url": "wss://x" }]));
    for tool in ["get_websocket_events", "get_websocket_status"] {
        let empty = server.tool(tool, json!({ "url_filter": "elsewhere" }));
        assert!(empty["hint"].as_str().unwrap().contains("none of 1"), "{empty}");
    }
}
