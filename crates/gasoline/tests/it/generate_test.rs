//! `generate_test`, as a client calls it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Server, once_within};

const TOOL: &str = "generate_test";
const PAGE: &str = "http://localhost:3000/shop";

fn click(id: &str, millis: u32) -> Value {
    let ts = format!("2024-01-22T10:29:00.{millis:03}Z");
    json!({ "type": "click", "ts": ts, "url": PAGE, "selectors": { "testId": id }, "tabId": 1 })
}

fn session(server: &Server) {
    let mut other_tab = click("other", 600);
    other_tab["tabId"] = json!(2);
    let mut tested = click("tested", 700);
    tested["test_id"] = json!("t");
    let actions = json!([click("one", 300), click("two", 500), other_tab, tested]);
    assert_eq!(server.post("/enhanced-actions", &json!({ "actions": actions })).json()["received"], 4);
    let bodies = json!([
        { "method": "GET", "url": "http://localhost:3000/api/cart", "status": 200, "contentType": "application/json",
          "responseBody": "{\"items\":[{\"id\":1}],\"password\":\"hunter2hunter2\"}", "pageUrl": PAGE, "duration": 10,
          "ts": "2024-01-22T10:29:00.100Z", "tabId": 1 },
        { "method": "POST", "url": "http://localhost:3000/api/pay", "status": 201, "pageUrl": PAGE, "duration": 10,
          "contentType": "application/json", "ts": "2024-01-22T10:29:00.510Z", "tabId": 1, "trigger": "click" },
    ]);
    assert_eq!(server.post("/network-bodies", &json!({ "bodies": bodies })).json()["received"], 2);
    let snapshots = json!([{ "url": PAGE, "title": "Shop", "ts": "2024-01-22T10:29:00.200Z", "tabId": 1,
        "elements": [{ "role": "heading", "level": 1, "text": "Your cart", "visible": true }] }]);
    assert_eq!(server.post("/dom-snapshots", &json!({ "snapshots": snapshots })).json()["received"], 1);
}

#[test]
fn the_answer_has_the_documented_shape() {
    let server = Server::start();
    session(&server);
    let answer = server.tool(TOOL, json!({ "tab_id": 1, "test_name": "Pay for it", "fixtures": true }));
    let script = answer["test_script"].as_str().unwrap();
    for part in [
        "import { test, expect } from '@playwright/test';",
        "import { fixtures } from './pay-for-it.fixtures.js';",
        "await page.goto('http://localhost:3000/shop');",
        "page.waitForResponse(answerTo('GET', '/api/cart')",
        "hasText: 'Your cart'",
        "expect(answer2.status()).toBe(201);",
        "expect(consoleErrors).toEqual([]);\n}\n",
        "test('Pay for it (mocked)', ",
    ] {
        assert!(script.contains(part), "{part}\n{script}");
    }
    let fixtures = answer["fixture_file"].as_str().unwrap();
    assert!(fixtures.contains("export const fixtures = {\n  \"GET /api/cart\": {"), "{fixtures}");
    assert!(fixtures.contains("\"password\": \"[user-provided]\""), "{fixtures}");
    assert_eq!((&answer["test_name"], &answer["action_count"]), (&json!("pay-for-it"), &json!(3)));
    assert_eq!(answer["assertion_count"], 5);
    assert_eq!(answer["save_as"], json!(["pay-for-it.spec.js", "pay-for-it.fixtures.js"]));
    let warnings = answer["warnings"].as_array().unwrap();
    assert!(warnings[0].as_str().unwrap().starts_with("What steps 2, 4 led to is not checked"), "{answer}");
    assert_eq!(warnings[1..], [json!("1 endpoints are not mocked: their answers were not captured whole")]);
    // One of the two has no body.
    assert!(answer["hint"].as_str().unwrap().contains("1 response bodies were not captured"), "{answer}");
    let plain = server.tool(TOOL, json!({}));
    assert!(plain.get("fixture_file").is_none(), "{plain}");
}

#[test]
fn every_parameter_counts() {
    let server = Server::start();
    session(&server);
    let mut client = server.client();
    let mut script = |arguments: Value| client.tool(TOOL, arguments)["test_script"].as_str().unwrap().to_owned();
    assert!(!script(json!({ "last_n_actions": 1 })).contains("'two'"));
    assert!(script(json!({ "tab_id": 2 })).contains("'other'"));
    assert!(!script(json!({ "test_id": "t" })).contains("'one'"));
    assert!(script(json!({ "url": "/shop" })).contains("'one'"));
    assert!(script(json!({ "base_url": "http://127.0.0.1:8080" })).contains("goto('http://127.0.0.1:8080/shop')"));
    for (part, option, old) in [
        (".status())", "network", Some("assert_network")),
        (".json())", "response_shape", Some("assert_response_shape")),
        ("consoleErrors", "no_errors", Some("assert_no_errors")),
        ("'Your cart'", "dom_state", None),
    ] {
        assert!(script(json!({})).contains(part), "{part}");
        assert!(!script(json!({ "assertions": { option: false } })).contains(part), "{part}");
        if let Some(old) = old {
            assert!(!script(json!({ old: false })).contains(part), "{part}");
            assert!(script(json!({ old: false, "assertions": { option: true } })).contains(part), "{part}");
        }
    }
    assert!(!script(json!({})).contains("toHaveScreenshot"));
    assert!(script(json!({ "assertions": { "visual": true } })).contains("toHaveScreenshot('2-click-one.png')"));
    for bad in [
        json!({ "last_n_actions": 0 }),
        json!({ "last_n_actions": -1 }),
        json!({ "base_url": "javascript:alert(1)" }),
        json!({ "assertions": { "everything": true } }),
        json!({ "limit": 1 }),
    ] {
        let answer = client.tool(TOOL, bad.clone());
        assert_eq!(answer["error"], "invalid_params", "{bad}");
    }
}

#[test]
fn an_empty_answer_says_why() {
    let server = Server::start();
    let empty = server.tool(TOOL, json!({}));
    assert_eq!(
        (&empty["test_script"], &empty["action_count"], &empty["assertion_count"]),
        (&json!(""), &json!(0), &json!(0))
    );
    assert!(empty["hint"].as_str().unwrap().contains("no browser is connected"), "{empty}");
    session(&server);
    let filtered = server.tool(TOOL, json!({ "url_filter": "nowhere" }));
    assert!(filtered["hint"].as_str().unwrap().contains("none of 4"), "{filtered}");
}

fn full_server() -> Server {
    let server = Server::with(&["--max-events-per-second", "0"]);
    let ts = |millis: usize| 1_770_600_000_000_i64 + millis as i64;
    let actions: Vec<Value> = (0..50)
        .map(|n| json!({ "type": "input", "ts": ts(n * 100), "url": PAGE, "value": format!("{n} {}", "it's ü ".repeat(120)), "selectors": { "testId": format!("f{n}") } }))
        .collect();
    let fields: Vec<String> = (0..600).map(|n| format!("\"field-number-{n}\":1")).collect();
    let body = format!("{{{}}}", fields.join(","));
    let bodies: Vec<Value> = (0..100)
        .map(|n| json!({ "method": "GET", "url": format!("http://localhost:3000/api/x{n}"), "status": 200, "contentType": "application/json", "responseBody": body, "pageUrl": PAGE, "ts": ts(n * 50) }))
        .collect();
    let snapshots: Vec<Value> = (0..20)
        .map(|n| json!({ "url": PAGE, "ts": ts(n * 250 + 10), "elements": [{ "level": 1, "text": "Title ".repeat(16) }] }))
        .collect();
    let entries: Vec<Value> =
        (0..1_000).map(|n| json!({ "level": "error", "message": "m".repeat(4_000), "ts": ts(n) })).collect();
    server.post("/enhanced-actions", &json!({ "actions": actions }));
    server.post("/network-bodies", &json!({ "bodies": bodies }));
    server.post("/dom-snapshots", &json!({ "snapshots": snapshots }));
    server.post("/logs", &json!({ "entries": entries }));
    server
}

#[test]
fn full_buffers_give_a_complete_answer() {
    let answer = full_server().tool(TOOL, json!({ "fixtures": true }));
    let script = answer["test_script"].as_str().unwrap();
    assert!(script.len() > 50 * 1024 && script.len() <= 100 * 1024 && script.ends_with("});\n"), "{}", script.len());
    let fixtures = answer["fixture_file"].as_str().unwrap();
    assert!(fixtures.len() > 20 * 1024 && fixtures.len() <= 50 * 1024, "{}", fixtures.len());
}

#[test]
#[ignore = "only with --all: asserts how fast this machine is"]
fn full_buffers_give_an_answer_in_time() {
    let server = full_server();
    let mut client = server.client();
    // The limit is 200 ms in a release build.
    once_within(Duration::from_millis(if cfg!(debug_assertions) { 3_000 } else { 200 }), || {
        let began = Instant::now();
        client.tool(TOOL, json!({ "fixtures": true }));
        began.elapsed()
    });
}
