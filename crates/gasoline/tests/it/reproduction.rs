//! `get_reproduction_script`, as a client calls it.

use serde_json::{Value, json};

use crate::support::Server;

const TOOL: &str = "get_reproduction_script";

fn click(id: &str, second: u32) -> Value {
    let ts = format!("2024-01-22T10:29:{second:02}Z");
    json!({ "type": "click", "ts": ts, "url": "http://localhost:3000/shop", "selectors": { "testId": id }, "tabId": 1 })
}

fn session(server: &Server) {
    let mut other_tab = click("other", 3);
    other_tab["tabId"] = json!(2);
    let mut tested = click("tested", 4);
    tested["test_id"] = json!("t");
    let actions = json!([click("one", 1), click("two", 2), other_tab, tested]);
    assert_eq!(server.post("/enhanced-actions", &json!({ "actions": actions })).json()["received"], 4);
    server.log(json!([{
        "type": "exception", "level": "error", "message": "cart is empty", "filename": "src/cart.ts", "lineno": 7,
        "url": "http://localhost:3000/shop", "ts": "2024-01-22T10:29:50Z", "tabId": 1,
    }]));
}

#[test]
fn the_answer_has_the_documented_shape() {
    let server = Server::start();
    session(&server);
    let answer = server.tool(TOOL, json!({ "last_n_actions": 2 }));
    let script = answer["script"].as_str().unwrap();
    assert!(script.starts_with("import { test, expect } from '@playwright/test';\n"), "{script}");
    assert!(script.contains("await page.goto('http://localhost:3000/shop');"), "{script}");
    assert!(script.contains("// Error occurred here: cart is empty"), "{script}");
    assert_eq!(answer["error_context"], json!({ "message": "cart is empty", "file": "src/cart.ts", "line": 7 }));
    assert_eq!((&answer["actions_used"], &answer["selectors_used"]), (&json!(2), &json!(["testId"])));
    assert_eq!(answer["warnings"], json!([]));
    assert_eq!(answer["check"], "passes while the error occurs, fails once it is fixed");
    let cypress = server.tool(TOOL, json!({ "format": "cypress", "include_assertions": false }));
    let script = cypress["script"].as_str().unwrap();
    assert!(script.contains("cy.visit('http://localhost:3000/shop');") && !script.contains("should("), "{script}");
    assert_eq!(cypress["check"], "repeats the steps and does not check for the error");
}

#[test]
fn every_parameter_counts() {
    let server = Server::start();
    session(&server);
    let mut client = server.client();
    let mut clicked = |arguments: Value| {
        let answer = client.tool(TOOL, arguments);
        let script = answer["script"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        ["one", "two", "other", "tested"]
            .into_iter()
            .filter(|id| script.contains(&format!("'{id}'")))
            .collect::<Vec<_>>()
    };
    assert_eq!(clicked(json!({ "last_n_actions": 1 })), ["tested"]);
    assert_eq!(clicked(json!({ "tab_id": 2 })), ["other"]);
    assert_eq!(clicked(json!({ "test_id": "t" })), ["tested"]);
    assert_eq!(clicked(json!({ "url": "/shop", "error_message": "EMPTY" })), ["one", "two", "tested"]);
    let base = client.tool(TOOL, json!({ "base_url": "http://127.0.0.1:8080" }));
    assert!(base["script"].as_str().unwrap().contains("goto('http://127.0.0.1:8080/shop')"), "{base}");
    for (bad, code) in [
        (json!({ "last_n_actions": 0 }), "invalid_params"),
        (json!({ "last_n_actions": -1 }), "invalid_params"),
        (json!({ "format": "selenium" }), "invalid_params"),
        (json!({ "base_url": "javascript:alert(1)" }), "invalid_params"),
        (json!({ "limit": 1 }), "invalid_params"),
        (json!({ "error_message": "never happened" }), "not_found"),
    ] {
        let answer = client.tool(TOOL, bad.clone());
        assert_eq!(answer["error"], code, "{bad}");
        assert!(answer["message"].is_string() && answer["hint"].is_string(), "{answer}");
    }
}

#[test]
fn an_empty_answer_says_why() {
    let server = Server::start();
    let empty = server.tool(TOOL, json!({}));
    assert_eq!((&empty["script"], &empty["actions_used"]), (&json!(""), &json!(0)));
    assert!(empty["hint"].as_str().unwrap().contains("no browser is connected"), "{empty}");
    session(&server);
    let filtered = server.tool(TOOL, json!({ "url_filter": "nowhere" }));
    assert!(filtered["hint"].as_str().unwrap().contains("none of 4"), "{filtered}");
    // An error without any action before it: the script can only open its page.
    server.log(
        json!([{ "type": "exception", "message": "broken start", "url": "http://localhost:3000/new", "tab_id": 9 }]),
    );
    let loaded = server.tool(TOOL, json!({ "error_message": "broken start" }));
    assert!(loaded["script"].as_str().unwrap().contains("page.goto('http://localhost:3000/new')"), "{loaded}");
    assert!(loaded["hint"].as_str().unwrap().contains("none of the 4 captured actions"), "{loaded}");
}

#[test]
fn a_long_script_is_never_cut() {
    let server = Server::start();
    let long = |place: usize| {
        // Quotes are escaped in the script, and again in the answer.
        let value = format!("{place} {}", "'\"\\ü".repeat(110));
        json!({ "type": "input", "value": value, "url": "http://localhost:3000/", "selectors": { "testId": format!("f{place}") } })
    };
    let actions: Vec<Value> = (0..50).map(long).collect();
    server.post("/enhanced-actions", &json!({ "actions": actions }));
    server.log(json!([{ "type": "exception", "level": "error", "message": "boom" }]));
    let answer = server.tool(TOOL, json!({}));
    let script = answer["script"].as_str().unwrap();
    assert!(script.len() > 40_000 && script.len() < 50 * 1024, "{}", script.len());
    assert!(answer.to_string().len() > 50 * 1024, "the answer as a whole is over what others are cut to");
    assert!(script.contains("'f0'") && script.ends_with("  };\n}\n"), "{script}");
    assert_eq!((&answer["actions_used"], &answer["warnings"]), (&json!(50), &json!([])));
}
