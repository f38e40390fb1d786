//! Which errors are new since the page's code changed.

use serde_json::{Value, json};

use crate::support::Server;

fn at(second: u32) -> String {
    format!("2026-01-01T00:00:{second:02}Z")
}

fn error(message: &str, second: u32) -> Value {
    json!({ "type": "exception", "message": message, "ts": at(second), "tabId": 1, "page_id": "p1", "url": "http://localhost/shop" })
}

fn labels(server: &Server) -> (Value, Vec<(String, Value)>) {
    let answer = server.tool("get_browser_errors", json!({}));
    let mut found: Vec<(String, Value)> = answer["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| (group["message"].as_str().unwrap().to_owned(), group["since_update"].clone()))
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    (answer["last_update"].clone(), found)
}

#[test]
fn errors_are_new_still_there_or_gone_since_a_hot_update() {
    let server = Server::start();
    server.log(json!([error("both", 1), error("before", 2)]));
    let (update, found) = labels(&server);
    assert_eq!(update, Value::Null);
    assert!(found.iter().all(|(_, label)| label.is_null()), "no label without a change: {found:?}");
    server.log(json!([
        { "level": "debug", "message": "[vite] hot updated: /src/App.jsx", "ts": at(10), "tabId": 1, "page_id": "p1", "url": "http://localhost/shop" },
        error("both", 11),
        error("after", 12),
    ]));
    let (update, found) = labels(&server);
    assert_eq!(
        update,
        json!({ "at": "2026-01-01T00:00:10.000Z", "kind": "hot_update", "by": "vite", "modules": ["src/App.jsx"] })
    );
    let expected = [("after", "new"), ("before", "gone"), ("both", "still there")];
    assert_eq!(found, expected.map(|(message, label)| (message.to_owned(), json!(label))));
    // From then on the next update counts.
    server.post(
        "/websocket-events",
        &json!({ "events": [{ "event": "message", "id": "hmr", "direction": "incoming", "ts": at(20), "tabId": 1,
            "data": r#"{"type":"update","updates":[{"type":"js-update","path":"/src/Cart.jsx"}]}"# }] }),
    );
    server.log(json!([error("after", 21)]));
    let (update, found) = labels(&server);
    assert_eq!(update["modules"], json!(["src/Cart.jsx"]));
    let expected = [("after", "still there"), ("before", "gone"), ("both", "gone")];
    assert_eq!(found, expected.map(|(message, label)| (message.to_owned(), json!(label))));
}

#[test]
fn a_reload_counts_for_its_own_page() {
    let server = Server::start();
    let help = json!({ "type": "exception", "message": "help broke", "ts": at(3), "tabId": 1, "page_id": "p2", "url": "http://localhost/help" });
    server.log(json!([error("before", 1), help]));
    let mut again = error("after", 10);
    again["page_id"] = json!("p3");
    server.log(json!([again]));
    let (update, found) = labels(&server);
    assert_eq!(update, json!({ "at": "2026-01-01T00:00:10.000Z", "kind": "reload" }));
    let expected = [("after", json!("new")), ("before", json!("gone")), ("help broke", Value::Null)];
    assert_eq!(found, expected.map(|(message, label)| (message.to_owned(), label)));
}

#[test]
fn a_cleared_error_is_not_called_new() {
    let server = Server::start();
    let update =
        json!({ "level": "debug", "message": "[vite] hot updated: /src/App.jsx", "tabId": 1, "page_id": "p1" });
    let error = json!({ "type": "exception", "message": "there before", "tabId": 1, "page_id": "p1" });
    server.log(json!([error, update]));
    server.tool("clear_browser_logs", json!({}));
    server.log(json!([error]));
    let (update, found) = labels(&server);
    assert_eq!((update, found[0].1.clone()), (Value::Null, Value::Null));
}
