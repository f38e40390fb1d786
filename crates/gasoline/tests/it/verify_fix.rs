//! `verify_fix`.

use serde_json::{Value, json};

use crate::socket::Socket;
use crate::support::{EXTENSION, McpProcess, Server, TOKEN, wait_for};

fn error(message: &str) -> Value {
    json!({ "type": "exception", "level": "error", "message": message, "url": "http://localhost:3000/shop" })
}

fn opened() -> Value {
    json!({ "type": "console", "level": "log", "message": "started", "url": "http://localhost:3000/shop" })
}

/// The same in a page load.
fn in_load(load: &str, mut entry: Value) -> Value {
    entry["page_id"] = json!(load);
    entry
}

fn answer(server: &Server, method: &str, path: &str, status: u16) {
    let body = json!({
        "method": method, "url": format!("http://localhost:3000{path}"), "status": status,
        "pageUrl": "http://localhost:3000/shop", "responseBody": "{\"name\":\"Ada Lovelace\"}",
    });
    let reply = server.post("/network-bodies", &json!({ "bodies": [body] })).json();
    assert_eq!(reply["received"], 1);
}

fn call(client: &mut McpProcess, action: &str, id: &Value) -> Value {
    client.tool("verify_fix", json!({ "action": action, "session_id": id }))
}

fn start(client: &mut McpProcess) -> Value {
    client.tool("verify_fix", json!({ "action": "start" }))["session_id"].clone()
}

#[test]
fn from_a_broken_login_to_a_fixed_one() {
    let server = Server::start();
    let mut client = server.client();
    answer(&server, "POST", "/api/login?next=%2F", 500);
    server.log(json!([
        error("Cannot read property 'user' of undefined"),
        error("Failed to load resource"),
        error("Cannot read property 'user' of undefined"),
    ]));
    let mut started = client.tool("verify_fix", json!({ "action": "start", "label": "fix-login-error" }));
    let id = started["session_id"].take();
    assert!(id.as_str().unwrap().starts_with("verify-"), "{id}");
    let baseline = &started["baseline"];
    assert_eq!((&started["status"], &started["label"]), (&json!("baseline_captured"), &json!("fix-login-error")));
    assert_eq!((&baseline["console_errors"], &baseline["network_errors"]), (&json!(3), &json!(1)));
    assert_eq!(
        baseline["error_details"],
        json!([
            { "type": "console", "message": "Cannot read property 'user' of undefined", "count": 2 },
            { "type": "console", "message": "Failed to load resource", "count": 1 },
            { "type": "network", "method": "POST", "url": "/api/login", "status": 500 },
        ])
    );
    assert!(baseline["captured_at"].is_string() && started.get("hint").is_none(), "{started}");
    assert!(!started.to_string().contains("Ada"), "no bodies");

    let early = call(&mut client, "compare", &id);
    assert_eq!(early["error"], "invalid_params");
    assert!(early["hint"].as_str().unwrap().contains("watch"), "{early}");

    let watching = call(&mut client, "watch", &id);
    assert_eq!((&watching["status"], &watching["session_id"]), (&json!("watching"), &id));
    assert_eq!(watching["message"], "Monitoring started. Ask the user to reproduce the scenario.");

    // Nothing was repeated yet.
    let compared = call(&mut client, "compare", &id);
    assert_eq!((&compared["status"], &compared["label"]), (&json!("compared"), &json!("fix-login-error")));
    assert_eq!(
        (&compared["result"]["verdict"], &compared["result"]["confidence"]),
        (&json!("unchanged"), &json!("none"))
    );
    assert!(compared["result"]["warnings"][0].as_str().unwrap().contains("nothing was exercised"), "{compared}");
    assert!(compared["hint"].as_str().unwrap().starts_with("no browser is connected"), "{compared}");
    let not_exercised = json!([
        { "type": "not_exercised", "category": "console", "before": "Cannot read property 'user' of undefined (x2)", "after": "(not seen)", "repeat": "on http://localhost:3000/shop: let the page send POST /api/login" },
        { "type": "not_exercised", "category": "console", "before": "Failed to load resource", "after": "(not seen)", "repeat": "on http://localhost:3000/shop: let the page send POST /api/login" },
        { "type": "not_exercised", "category": "network", "before": "POST /api/login → 500", "after": "(not called)", "repeat": "let the page send POST /api/login?next=%2F" },
    ]);
    assert_eq!(compared["result"]["not_exercised"], not_exercised);

    answer(&server, "POST", "/api/login?next=%2F", 200);
    let compared = wait_for("the fix to be certain", || {
        let compared = call(&mut client, "compare", &id);
        (compared["result"]["verdict"] == "fixed").then_some(compared)
    });
    assert_eq!(
        compared["result"],
        json!({
            "verdict": "fixed",
            "confidence": "high",
            "before": { "console_errors": 3, "network_errors": 1, "total_issues": 4 },
            "after": { "console_errors": 0, "network_errors": 0, "total_issues": 0 },
            "changes": [
                { "type": "resolved", "category": "console", "before": "Cannot read property 'user' of undefined (x2)", "after": "(not seen)" },
                { "type": "resolved", "category": "console", "before": "Failed to load resource", "after": "(not seen)" },
                { "type": "resolved", "category": "network", "before": "POST /api/login → 500", "after": "POST /api/login → 200" },
            ],
            "new_issues": [],
        })
    );
    assert_eq!(compared.get("hint"), None);

    // A second run, in which another error occurs.
    server.log(json!([error("Out of stock")]));
    let again = call(&mut client, "compare", &id);
    assert_eq!(again["result"]["verdict"], "different_issue", "{again}");
    assert_eq!(
        again["result"]["new_issues"],
        json!([{ "type": "new", "category": "console", "before": "(not seen)", "after": "Out of stock" }])
    );
    let status = call(&mut client, "status", &id);
    assert_eq!((&status["status"], &status["made_by"]), (&json!("compared"), &json!("you")));
    assert_eq!(status["baseline"]["network_errors"], 1);

    assert_eq!(call(&mut client, "cancel", &id), json!({ "session_id": id, "status": "cancelled" }));
    let gone = call(&mut client, "status", &id);
    assert_eq!(gone["error"], "not_found");
    assert!(gone["message"].as_str().unwrap().contains("cancelled"), "{gone}");
}

#[test]
fn a_fourth_session_is_rejected_with_the_list_of_the_three() {
    let server = Server::start();
    let mut client = server.client();
    let ids: Vec<Value> = (0..3).map(|_| start(&mut client)).collect();
    let refused = server.tool("verify_fix", json!({ "action": "start" }));
    assert_eq!(refused["error"], "rate_limited");
    for id in &ids {
        assert!(refused["message"].as_str().unwrap().contains(id.as_str().unwrap()), "{refused}");
    }
    let listed = client.tool("verify_fix", json!({ "action": "status" }));
    let found: Vec<&Value> = listed["sessions"].as_array().unwrap().iter().map(|one| &one["session_id"]).collect();
    assert_eq!((found, &listed["total"]), (ids.iter().collect(), &json!(3)));
    call(&mut client, "cancel", &ids[0]);
    assert!(start(&mut client).is_string());
}

#[test]
fn a_fourth_session_replaces_one_whose_client_has_disconnected() {
    let server = Server::start();
    let (mut gone, mut client) = (server.client(), server.client());
    let oldest = start(&mut gone);
    let kept = [start(&mut client), start(&mut client)];
    let full = client.tool("verify_fix", json!({ "action": "start" }));
    assert!(full["hint"].as_str().unwrap().contains("`force: true`"), "{full}");
    drop(gone);
    wait_for("its client to be gone", || {
        (call(&mut client, "status", &oldest)["made_by"] == "test (gone)").then_some(())
    });
    assert!(start(&mut client).is_string());
    assert_eq!(call(&mut client, "status", &oldest)["error"], "not_found");
    for id in &kept {
        assert_eq!(&call(&mut client, "status", id)["session_id"], id);
    }
}

#[test]
fn a_reload_alone_proves_nothing_and_the_hint_says_what_to_repeat() {
    let server = Server::start();
    let mut client = server.client();
    let click = || {
        let action = json!({ "type": "click", "url": "http://localhost:3000/shop", "selectors": { "role": { "role": "button", "name": "Pay" } } });
        server.post("/enhanced-actions", &json!({ "actions": [action] }));
    };
    let load = || server.log(json!([opened()]));
    click();
    server.log(json!([error("A")]));
    let id = start(&mut client);
    call(&mut client, "watch", &id);
    load();
    let compared = call(&mut client, "compare", &id);
    let result = &compared["result"];
    assert_eq!((&result["verdict"], &result["confidence"]), (&json!("unchanged"), &json!("low")), "{compared}");
    assert_eq!(result["not_exercised"][0]["repeat"], "on http://localhost:3000/shop: click button \"Pay\"");
    assert_eq!(
        compared["hint"],
        "nothing has exercised 1 issue of the baseline since watch: repeat the scenario (on http://localhost:3000/shop: click button \"Pay\"), then compare again"
    );
    click();
    wait_for("the fix to be certain", || {
        let result = call(&mut client, "compare", &id)["result"].clone();
        (result["verdict"] == "fixed" && result["confidence"] == "high").then_some(())
    });
}

#[test]
fn all_clients_read_sessions_but_only_their_maker_cancels_them() {
    let server = Server::start();
    let (mut maker, mut other) = (server.client(), server.client());
    server.log(json!([in_load("L1", error("A"))]));
    let id = start(&mut maker);
    let refused = call(&mut other, "watch", &id);
    assert!(refused["message"].as_str().unwrap().contains("belongs to test"), "{refused}");
    assert_eq!(
        refused["hint"],
        "to take it over, pass `force: true`; otherwise leave it to test, or start your own session"
    );
    call(&mut maker, "watch", &id);
    server.log(json!([in_load("L2", opened())]));
    wait_for("the error to have had its time", || {
        (call(&mut other, "compare", &id)["result"]["verdict"] == "fixed").then_some(())
    });
    assert_eq!(call(&mut other, "status", &id)["made_by"], "test");
    for action in ["watch", "cancel"] {
        let refused = call(&mut other, action, &id);
        assert_eq!(refused["error"], "invalid_params", "{action}");
        assert!(refused["message"].as_str().unwrap().contains("belongs to test"), "{refused}");
    }
    let mut forced =
        |action: &str| other.tool("verify_fix", json!({ "action": action, "session_id": id, "force": true }));
    assert_eq!(forced("watch")["status"], "watching");
    assert_eq!(forced("cancel")["status"], "cancelled");
    let id = start(&mut maker);
    // Once the maker has disconnected, any client may.
    drop(maker);
    wait_for("the maker to be gone", || (call(&mut other, "status", &id)["made_by"] == "test (gone)").then_some(()));
    assert_eq!(call(&mut other, "cancel", &id)["status"], "cancelled");
}

#[test]
fn clearing_between_start_and_watch_changes_nothing_and_clearing_after_watch_is_reported() {
    let server = Server::start();
    let mut client = server.client();
    server.log(json!([in_load("L1", error("A")), in_load("L1", error("B"))]));
    let id = start(&mut client);
    client.tool("clear_browser_logs", json!({}));
    call(&mut client, "watch", &id);
    server.log(json!([in_load("L2", error("B"))]));
    wait_for("the other error to have had its time", || {
        let result = call(&mut client, "compare", &id)["result"].clone();
        (result["verdict"] == "improved" && result["confidence"] == "high").then_some(())
    });
    client.tool("clear_browser_logs", json!({}));
    let compared = call(&mut client, "compare", &id);
    assert!(
        compared["result"]["warnings"][0]
            .as_str()
            .unwrap()
            .starts_with("every entry captured after watch has been evicted"),
        "{compared}"
    );
    assert!(compared["hint"].as_str().unwrap().starts_with("call watch again"), "{compared}");
    answer(&server, "GET", "/fine", 200);
    let compared = call(&mut client, "compare", &id);
    assert_eq!(
        (&compared["result"]["verdict"], &compared["result"]["confidence"]),
        (&json!("unchanged"), &json!("low"))
    );
    assert!(compared["hint"].as_str().unwrap().contains("call watch again"), "{compared}");
    assert!(compared["result"]["warnings"][0].as_str().unwrap().contains("were cleared"), "{compared}");
}

#[test]
fn a_filter_that_matches_nothing_says_so() {
    let server = Server::start();
    let mut client = server.client();
    server.log(json!([error("A")]));
    let whole = start(&mut client);
    let narrow = client.tool("verify_fix", json!({ "action": "start", "url_filter": "/shop" }))["session_id"].clone();
    call(&mut client, "watch", &whole);
    call(&mut client, "watch", &narrow);
    server.log(json!([{ "level": "log", "message": "x", "url": "http://localhost:3000/blog" }]));
    let late = client.tool("verify_fix", json!({ "action": "compare", "session_id": whole, "url_filter": "/shop" }));
    let own = call(&mut client, "compare", &narrow);
    let both = client.tool("verify_fix", json!({ "action": "compare", "session_id": narrow, "url_filter": "host" }));
    assert!(both["hint"].as_str().unwrap().contains("widen it or leave it out"), "{both}");
    for (answer, hint) in [(late, "widen it or leave it out"), (own, "covers only \"/shop\"")] {
        let result = &answer["result"];
        assert_eq!((&result["verdict"], &result["confidence"]), (&json!("unchanged"), &json!("none")), "{answer}");
        assert!(
            result["warnings"][0].as_str().unwrap().starts_with("url_filter matched none of the 1 entries"),
            "{answer}"
        );
        let told = answer["hint"].as_str().unwrap();
        assert!(told.starts_with("the filter matched none of 1 entries") && told.contains(hint), "{answer}");
    }
}

#[test]
fn a_capture_that_is_switched_off_lowers_the_confidence() {
    let server = Server::start();
    let mut client = server.client();
    let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
    socket.send(&json!({
        "type": "hello", "token": TOKEN, "version": "0.1.0",
        "tabs": [{ "id": 1, "url": "http://localhost:3000/shop", "active": true, "captured": true }],
        "settings": { "captureConsole": false },
    }));
    socket.receive().unwrap();
    let id = start(&mut client);
    call(&mut client, "watch", &id);
    let compared = call(&mut client, "compare", &id);
    assert!(compared["hint"].as_str().unwrap().starts_with("ask the user to repeat the scenario"), "{compared}");
    answer(&server, "GET", "/fine", 200);
    let compared = call(&mut client, "compare", &id);
    assert_eq!(
        (&compared["result"]["verdict"], &compared["result"]["confidence"]),
        (&json!("no_issues_detected"), &json!("low"))
    );
    assert_eq!(compared["result"]["warnings"], json!(["console capture is switched off in the extension's popup"]));
}

#[test]
fn an_empty_baseline_says_what_it_can_find() {
    let server = Server::start();
    let mut client = server.client();
    let nothing = client.tool("verify_fix", json!({ "action": "start" }));
    assert!(nothing["hint"].as_str().unwrap().starts_with("no browser is connected"), "{nothing}");
    server.log(json!([{ "level": "info", "message": "fine", "url": "http://localhost:3000/shop" }]));
    let fine = client.tool("verify_fix", json!({ "action": "start", "url": "/shop" }));
    assert!(fine["hint"].as_str().unwrap().contains("reproduce the bug and start again"), "{fine}");
}

#[test]
fn wrong_parameters_name_the_right_ones() {
    let server = Server::start();
    let mut client = server.client();
    let id = start(&mut client);
    let id = id.as_str().unwrap();
    for (arguments, code, says) in [
        (json!({}), "invalid_params", "action"),
        (json!({ "action": "begin" }), "invalid_params", "`start`, `watch`, `compare`, `status`, `cancel`"),
        (json!({ "action": "start", "name": "x" }), "invalid_params", "`label`"),
        (json!({ "action": "watch" }), "invalid_params", "`session_id` is missing"),
        (json!({ "action": "start", "label": "x".repeat(101) }), "invalid_params", "100 characters"),
        (json!({ "action": "start", "url_filter": "x".repeat(501) }), "invalid_params", "500 characters"),
        (json!({ "action": "watch", "session_id": "verify-nope" }), "not_found", "no session verify-nope"),
        (json!({ "action": "cancel", "session_id": "verify-ffff-1" }), "not_found", "restart"),
        (json!({ "action": "compare", "session_id": "x".repeat(9_000) }), "not_found", "no session x"),
    ] {
        let answer = client.tool("verify_fix", arguments.clone());
        assert_eq!(answer["error"], code, "{arguments} {answer}");
        assert!(answer["message"].as_str().unwrap().contains(says), "{answer}");
        assert!(answer.to_string().len() < 1_000, "{answer}");
    }
    let lost = client.tool("verify_fix", json!({ "action": "compare" }));
    assert!(lost["hint"].as_str().unwrap().contains(id), "{lost}");
}

#[test]
fn a_label_is_one_line() {
    let server = Server::start();
    let mut client = server.client();
    let started = client.tool("verify_fix", json!({ "action": "start", "label": "fix\r\nthe\u{1b}login\n" }));
    assert_eq!(started["label"], "fix  the login");
    let none = client.tool("verify_fix", json!({ "action": "start", "label": "\n" }));
    assert_eq!(none.get("label"), None);
}

#[test]
fn labels_contain_no_credentials() {
    let server = Server::start();
    let mut client = server.client();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let started = client.tool("verify_fix", json!({ "action": "start", "label": format!("with {secret}") }));
    assert!(!started.to_string().contains(&secret), "{started}");
}
