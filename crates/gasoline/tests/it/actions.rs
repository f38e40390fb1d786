//! `get_enhanced_actions`.

use serde_json::{Value, json};

use crate::support::Server;

fn kinds(answer: &Value) -> Vec<&str> {
    let actions = answer["actions"].as_array().unwrap_or_else(|| panic!("{answer}"));
    actions.iter().map(|action| action["type"].as_str().unwrap()).collect()
}

#[test]
fn every_filter_narrows_the_list() {
    let server = Server::start();
    let click = json!({
        "ts": "2024-01-22T10:29:55.000Z", "type": "click",
        "selectors": { "testId": "login-button", "ariaLabel": "Log in", "role": { "role": "button", "name": "Log in" }, "text": "Log in", "cssPath": "form#login > button" },
        "position": { "x": 450, "y": 320 }, "url": "http://localhost:3000/login", "timestamp": 1_705_919_395_000_i64, "tabId": 1,
    });
    let actions = json!([
        click,
        { "type": "input", "inputType": "password", "value": "hunter2-hunter2", "url": "http://localhost:3000/login", "test_id": "t", "ts": "2024-01-22T10:29:56Z" },
        { "type": "navigate", "fromUrl": "http://localhost:3000/login", "toUrl": "http://localhost:3000/home", "ts": "2024-01-22T10:29:57Z" },
    ]);
    assert_eq!(server.post("/enhanced-actions", &json!({ "actions": actions })).json()["received"], 3);
    let mut client = server.client();
    for (arguments, expected) in [
        (json!({}), vec!["navigate", "input", "click"]),
        (json!({ "last_n": 1 }), vec!["navigate"]),
        (json!({ "last_n": 2 }), vec!["navigate", "input"]),
        (json!({ "last_n": 99 }), vec!["navigate", "input", "click"]),
        (json!({ "url_filter": "/home" }), vec!["navigate"]),
        (json!({ "url": "/login" }), vec!["navigate", "input", "click"]),
        (json!({ "tab_id": 1 }), vec!["click"]),
        (json!({ "test_id": "t" }), vec!["input"]),
        (json!({ "since": "2024-01-22T10:29:57Z" }), vec!["navigate"]),
        (json!({ "since": "checkpoint" }), vec![]),
    ] {
        assert_eq!(kinds(&client.tool("get_enhanced_actions", arguments.clone())), expected, "{arguments}");
    }
    let all = client.tool("get_enhanced_actions", json!({}));
    let mut shown = all["actions"][2].clone();
    let id = shown.as_object_mut().unwrap().remove("id").unwrap();
    assert_eq!((&shown["selectors"], &shown["position"]["x"]), (&click["selectors"], &json!(450.0)));
    assert_eq!((&shown["ts"], &shown["timestamp"]), (&click["ts"], &click["timestamp"]));
    assert_eq!(all["actions"][1]["value"], "[redacted]");
    assert_eq!(
        client.tool("get_enhanced_actions", json!({ "id": id }))["entry"]["selectors"]["testId"],
        "login-button"
    );
    for bad in [json!({ "last_n": 0 }), json!({ "last_n": -1 }), json!({ "limit": 1 })] {
        assert_eq!(client.tool("get_enhanced_actions", bad.clone())["error"], "invalid_params", "{bad}");
    }
    let none = client.tool("get_enhanced_actions", json!({ "url_filter": "nowhere" }));
    assert!(none["hint"].as_str().unwrap().contains("none of 3"), "{none}");
}

#[test]
fn an_empty_answer_says_why() {
    let empty = Server::start().tool("get_enhanced_actions", json!({}));
    assert_eq!((&empty["actions"], &empty["total"]), (&json!([]), &json!(0)));
    assert!(empty["hint"].as_str().unwrap().contains("no browser is connected"), "{empty}");
}
