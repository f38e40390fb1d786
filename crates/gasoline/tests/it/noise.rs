//! Errors that are not worth reading are marked and left out, never deleted.

use serde_json::{Value, json};

use crate::support::Server;

fn full() -> Server {
    let server = Server::start();
    server.log(json!([
        { "type": "exception", "message": "the cart is broken" },
        { "type": "exception", "message": "Extension context invalidated." },
        { "type": "network", "message": "POST https://www.google-analytics.com/g/collect → failed", "method": "POST", "requestUrl": "https://www.google-analytics.com/g/collect", "status": 0 },
        { "type": "exception", "message": "ResizeObserver loop completed with undelivered notifications." },
        { "level": "debug", "message": "[vite] connected." },
    ]));
    server.post(
        "/network-bodies",
        &json!({ "bodies": [{ "method": "GET", "url": "http://localhost:3000/favicon.ico", "status": 404 }] }),
    );
    server
}

fn messages(answer: &Value) -> Vec<&str> {
    answer["errors"].as_array().unwrap().iter().map(|error| error["message"].as_str().unwrap()).collect()
}

#[test]
fn errors_are_listed_without_noise_and_with_its_count() {
    let server = full();
    let answer = server.tool("get_browser_errors", json!({}));
    assert_eq!(
        messages(&answer),
        ["ResizeObserver loop completed with undelivered notifications.", "the cart is broken"]
    );
    assert_eq!((&answer["total"], &answer["noise_left_out"]), (&json!(2), &json!(3)));
    let all = server.tool("get_browser_errors", json!({ "include_noise": true }));
    assert_eq!((&all["total"], all.get("noise_left_out")), (&json!(5), None));
    let marks: Vec<&Value> = all["errors"].as_array().unwrap().iter().map(|error| &error["noise"]).collect();
    assert_eq!(marks, [&json!("favicon"), &Value::Null, &json!("analytics"), &json!("extensions"), &Value::Null]);
    let logs = server.tool("get_browser_logs", json!({ "level": "debug" }));
    assert_eq!(logs["logs"][0]["noise"], "hot-updates", "{logs}");
}

#[test]
fn an_answer_says_if_there_is_only_noise() {
    let server = Server::start();
    server.log(json!([{ "type": "exception", "message": "Extension context invalidated." }]));
    let answer = server.tool("get_browser_errors", json!({}));
    assert!(answer["hint"].as_str().unwrap().contains("include_noise"), "{answer}");
    assert_eq!(server.tool("get_status", json!({})).get("new_since_last_call"), None);
    let diagnosis = server.tool("diagnose", json!({}));
    assert!(diagnosis["error"]["message"].as_str().unwrap().contains("Extension context"), "nothing else is there");
}

#[test]
fn rules_are_added_listed_removed_and_reset() {
    let server = full();
    let added = server.tool("configure_noise", json!({ "action": "add", "rule": "/^ResizeObserver loop/" }));
    assert_eq!((&added["added"], &added["marked"]), (&json!("rule-1"), &json!(4)), "{added}");
    assert_eq!(messages(&server.tool("get_browser_errors", json!({}))), ["the cart is broken"]);
    let list = server.tool("configure_noise", json!({ "action": "list" }));
    let own = list["rules"].as_array().unwrap().last().unwrap();
    assert_eq!(own, &json!({ "id": "rule-1", "rule": "/^ResizeObserver loop/", "marked": 1 }));
    let removed = server.tool("configure_noise", json!({ "action": "remove", "rule": "/^ResizeObserver loop/" }));
    assert_eq!(removed["removed"], "rule-1");
    server.tool("configure_noise", json!({ "action": "remove", "rule": "favicon" }));
    assert_eq!(server.tool("get_browser_errors", json!({}))["total"], 3);
    server.tool("configure_noise", json!({ "action": "reset" }));
    assert_eq!(server.tool("get_browser_errors", json!({}))["total"], 2);
}

#[test]
fn an_invalid_rule_is_rejected_with_what_to_do() {
    let server = Server::start();
    for (arguments, code, says) in [
        (json!({ "action": "add" }), "invalid_params", "`rule` is missing"),
        (json!({ "action": "add", "rule": " " }), "invalid_params", "empty"),
        (json!({ "action": "add", "rule": "/(/" }), "invalid_params", "not a valid regular expression"),
        (json!({ "action": "add", "rule": "x".repeat(201) }), "invalid_params", "200 characters"),
        (json!({ "action": "remove", "rule": "none" }), "not_found", "no rule"),
        (json!({ "action": "forget" }), "invalid_params", "forget"),
    ] {
        let answer = server.tool("configure_noise", arguments.clone());
        assert_eq!(answer["error"], code, "{arguments} {answer}");
        assert!(answer["message"].as_str().unwrap().contains(says), "{answer}");
        assert!(answer["hint"].is_string());
    }
}
