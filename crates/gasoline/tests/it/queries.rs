//! The query broker: queries and results, over the socket and over plain HTTP.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::socket::Socket;
use crate::support::{EXTENSION, McpProcess, Server, TOKEN, wait_for};

/// A call that waits for its answer in another thread.
fn asking(server: &Server, tool: &'static str, arguments: Value) -> JoinHandle<Value> {
    let client = server.client();
    asking_as(client, tool, arguments)
}

fn asking_as(mut client: McpProcess, tool: &'static str, arguments: Value) -> JoinHandle<Value> {
    thread::spawn(move || client.tool(tool, arguments))
}

fn poll(server: &Server) -> Vec<Value> {
    server.get("/pending-queries").json()["queries"].as_array().unwrap().clone()
}

/// Polls until there is a query.
fn next(server: &Server) -> Value {
    let queries = server.get("/pending-queries?wait_ms=25000").json()["queries"].clone();
    assert_eq!(queries.as_array().unwrap().len(), 1, "{queries}");
    queries[0].clone()
}

fn answer(query: &Value, value: Value) -> Value {
    json!({
        "query_id": query["id"], "correlation_id": query["correlation_id"], "action": query["action"],
        "result": { "success": true, "value": value, "type": "object" }, "error": null,
        "execution_time_ms": 4, "tab_id": 7, "url": "http://localhost:3000/", "timestamp": 1_707_346_810_000_i64,
    })
}

fn failure(query: &Value, code: &str) -> Value {
    json!({
        "query_id": query["id"], "correlation_id": query["correlation_id"], "action": query["action"], "result": null,
        "error": { "message": format!("it did not work: {code}"), "type": "x", "code": code },
    })
}

fn browser(server: &Server, more: Value) -> Socket {
    let mut socket = Socket::open(server, Some(EXTENSION)).unwrap();
    let mut hello = json!({ "type": "hello", "token": TOKEN, "version": "1.2.3", "settings": {},
        "tabs": [{ "id": 7, "url": "http://localhost:3000/", "active": true, "captured": true }] });
    hello.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    socket.send(&hello);
    assert_eq!(socket.receive().unwrap()["type"], "welcome");
    socket
}

/// The next query on the socket; other messages are skipped.
fn asked(socket: &mut Socket) -> Value {
    loop {
        let message = socket.receive().unwrap();
        if message["type"] == "query" {
            return message["query"].clone();
        }
    }
}

fn reply(socket: &mut Socket, mut result: Value) {
    result["type"] = json!("result");
    socket.send(&result);
}

const PAGE: &str = "get_page_info";

#[test]
fn a_query_reaches_a_poller_and_its_result_the_caller() {
    let server = Server::start();
    assert!(poll(&server).is_empty());
    let call = asking(
        &server,
        "query_dom",
        json!({ "selector": "#a", "include_children": true, "max_depth": 2, "properties": ["color"], "tab_id": 7 }),
    );
    let query = next(&server);
    assert!(query["id"].as_str().unwrap().starts_with("q-"), "{query}");
    assert!(query["correlation_id"].as_str().unwrap().starts_with("dom_"), "{query}");
    assert_eq!(
        (&query["action"], &query["selector"], &query["tab_id"], &query["timeout_ms"], &query["max_depth"]),
        (&json!("query_dom"), &json!("#a"), &json!(7), &json!(10_000), &json!(2))
    );
    assert_eq!(
        (&query["include_children"], &query["include_styles"], &query["properties"]),
        (&json!(true), &json!(true), &json!(["color"]))
    );
    assert!(query["created_at"].is_i64(), "{query}");
    assert!(poll(&server).is_empty(), "handed out twice");

    let pending = format!("/completed-results?correlation_id={}", query["correlation_id"].as_str().unwrap());
    assert_eq!(server.get(&pending).json()["status"], "pending");
    let received = server.post("/dom-result", &answer(&query, json!({ "matches": [], "matchCount": 0 })));
    assert_eq!(received.json(), json!({ "status": "received", "query_id": query["id"], "ttl_seconds": 60 }));
    let told = call.join().unwrap();
    assert_eq!((&told["matchCount"], &told["tab"]["id"]), (&json!(0), &json!(7)), "{told}");
    assert_eq!(told["tab"]["url"], "http://localhost:3000/");

    let completed = server.get(&pending).json();
    assert_eq!((&completed["status"], &completed["error"]), (&json!("complete"), &json!(null)));
    assert_eq!(completed["result"]["value"]["matchCount"], 0);
    assert!(completed["expires_at"].is_i64());
    // The same result again: the stored one counts, not the new one.
    let again = server.post("/a11y-result", &answer(&query, json!({ "matches": [], "matchCount": 99 }))).json();
    assert_eq!((&again["status"], &again["result"]["value"]["matchCount"]), (&json!("received"), &json!(0)));
}

/// The page's texts may contain half a surrogate pair, which only browsers accept in JSON.
#[test]
fn half_a_surrogate_pair_does_not_cost_the_result() {
    let server = Server::start();
    poll(&server);
    let waiting = asking(&server, "query_dom", json!({ "selector": "p" }));
    let query = next(&server);
    let value = json!({ "matches": [{ "tag": "p", "text": "half HALF" }], "matchCount": 1 });
    let body = answer(&query, value).to_string().replace("HALF", r"\ud83d");
    assert_eq!(server.request("POST", "/dom-result").body(body).send().status, 200);
    let told = waiting.join().unwrap();
    assert_eq!(told["matches"][0]["text"], "half \u{fffd}", "{told:#}");
}

#[test]
fn without_a_browser_it_fails_at_once() {
    let server = Server::start();
    let mut client = server.client();
    let arguments = [
        (PAGE, json!({})),
        ("query_dom", json!({ "selector": "a" })),
        ("run_accessibility_audit", json!({})),
        ("execute_js", json!({ "script": "1" })),
        ("take_screenshot", json!({})),
    ];
    for (tool, arguments) in arguments {
        // One that was waited for would be a `browser_timeout`.
        let told = client.tool(tool, arguments);
        assert_eq!(told["error"], "no_browser", "{tool}: {told}");
        assert!(told["hint"].as_str().unwrap().contains("ask the user"), "{told}");
    }
}

#[test]
fn a_sixth_query_is_rejected_and_a_withdrawn_one_makes_room() {
    let server = Server::start();
    poll(&server);
    let mut calls: Vec<McpProcess> = (0..5).map(|_| server.client()).collect();
    for client in &mut calls {
        client.ask("tools/call", json!({ "name": PAGE, "arguments": {} }));
    }
    let waiting = || server.get("/metrics").body.contains("gasoline_queries_total{outcome=\"asked\"} 5");
    wait_for("five questions", || waiting().then_some(()));
    // Leased queries are pending, too.
    assert_eq!(poll(&server).len(), 5);
    let mut sixth = server.client();
    let told = sixth.tool(PAGE, json!({}));
    assert_eq!(told["error"], "rate_limited", "{told}");
    // A caller that disconnects withdraws its query.
    drop(calls.pop());
    wait_for("room for a query", || {
        sixth.ask("tools/call", json!({ "name": PAGE, "arguments": {} }));
        match sixth.read_within(Duration::from_millis(300)) {
            Some(refused) => {
                assert!(refused.to_string().contains("rate_limited"), "{refused}");
                None
            }
            None => Some(()),
        }
    });
}

#[test]
fn pending_queries_are_limited_to_64_kb() {
    let server = Server::start();
    poll(&server);
    let mut client = server.client();
    let told = client.tool("query_dom", json!({ "selector": "a".repeat(64 * 1024) }));
    assert_eq!(told["error"], "invalid_params", "{told}");
    assert!(told["message"].as_str().unwrap().contains("64 KB"), "{told}");
    client.ask("tools/call", json!({ "name": "query_dom", "arguments": { "selector": "a".repeat(63 * 1024) } }));
    let query = next(&server);
    server.post("/dom-result", &answer(&query, json!({ "matches": [] })));
    assert_eq!(client.read()["result"]["structuredContent"]["tab"]["id"], 7);
}

#[test]
fn a_failure_is_reported_as_an_error() {
    let server = Server::start();
    let mut socket = browser(&server, json!({ "settings": { "allowExecuteJs": true } }));
    for (tool, arguments) in [("execute_js", json!({ "script": "1" })), (PAGE, json!({}))] {
        let call = asking(&server, tool, arguments);
        let query = asked(&mut socket);
        let mut result = answer(&query, Value::Null);
        result["result"] = json!({ "success": false, "value": null, "type": "error" });
        reply(&mut socket, result);
        let told = call.join().unwrap();
        match tool {
            "execute_js" => assert_eq!(told["success"], false, "{told}"),
            _ => assert_eq!(told["error"], "browser_error", "{told}"),
        }
    }
}

#[test]
fn two_clients_get_their_own_answers() {
    let server = Server::start();
    let mut socket = browser(&server, json!({}));
    let calls: Vec<_> = ["#a", "#b"]
        .map(|selector| asking(&server, "query_dom", json!({ "selector": selector })))
        .into_iter()
        .collect();
    let (one, two) = (asked(&mut socket), asked(&mut socket));
    for query in [two, one] {
        let value = json!({ "matches": [], "echo": query["selector"] });
        reply(&mut socket, answer(&query, value));
    }
    let told: Vec<Value> = calls.into_iter().map(|call| call.join().unwrap()["echo"].clone()).collect();
    assert_eq!(told, ["#a", "#b"]);
}

#[test]
fn a_query_times_out_if_nobody_picks_it_up_or_answers_it_and_late_results_are_dropped() {
    let server = Server::start();
    poll(&server);
    let mut client = server.client();
    let began = Instant::now();
    let told = client.tool(PAGE, json!({}));
    assert_eq!(told["error"], "browser_timeout", "{told}");
    assert!(told["message"].as_str().unwrap().contains("did not pick up"), "{told}");
    assert!(began.elapsed() > Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(poll(&server).is_empty(), "a query that no caller waits for was handed out");

    let mut socket = browser(&server, json!({ "settings": { "allowExecuteJs": true } }));
    let unanswered = asking(&server, "execute_js", json!({ "script": "1", "timeout_ms": 300 }));
    let query = asked(&mut socket);
    assert_eq!((&query["timeout_ms"], &query["script"]), (&json!(300), &json!("1")));
    let told = unanswered.join().unwrap();
    assert_eq!(told["error"], "browser_timeout", "{told}");
    assert!(told["message"].as_str().unwrap().contains("did not answer"), "{told}");
    let late = server.post("/dom-result", &answer(&query, json!(1))).json();
    assert_eq!((&late["status"], &late["query_id"]), (&json!("expired"), &query["id"]));
    let status = format!("/completed-results?correlation_id={}", query["correlation_id"].as_str().unwrap());
    assert_eq!(server.get(&status).json()["status"], "expired");
}

#[test]
fn a_query_of_a_disconnected_browser_goes_to_the_next_one() {
    let server = Server::start();
    let mut socket = browser(&server, json!({ "settings": { "allowExecuteJs": true } }));
    let call = asking(&server, PAGE, json!({}));
    let first = asked(&mut socket);
    drop(socket);
    let mut socket = browser(&server, json!({ "settings": { "allowExecuteJs": true } }));
    let second = asked(&mut socket);
    assert_eq!(first["id"], second["id"]);
    reply(&mut socket, answer(&second, json!({ "title": "Shop" })));
    assert_eq!(call.join().unwrap()["title"], "Shop");

    // A query that crashes browsers is not handed out forever.
    let call = asking(&server, PAGE, json!({}));
    asked(&mut socket);
    drop(socket);
    let mut socket = browser(&server, json!({ "settings": { "allowExecuteJs": true } }));
    asked(&mut socket);
    drop(socket);
    assert_eq!(call.join().unwrap()["error"], "browser_error");
    let mut socket = browser(&server, json!({ "settings": { "allowExecuteJs": true } }));

    // A script may have run already: it is not run twice.
    let call = asking(&server, "execute_js", json!({ "script": "buy()" }));
    asked(&mut socket);
    drop(socket);
    let told = call.join().unwrap();
    assert_eq!(told["error"], "browser_error", "{told}");
    assert!(told["message"].as_str().unwrap().contains("may or may not have run"), "{told}");

    // No caller would wait for two screenshots of a whole page.
    let mut socket = browser(&server, json!({}));
    let call = asking(&server, "take_screenshot", json!({ "full_page": true }));
    asked(&mut socket);
    drop(socket);
    assert_eq!(call.join().unwrap()["error"], "browser_error");
}

#[test]
fn the_query_goes_to_the_browser_that_has_the_tab() {
    let server = Server::start();
    let tab = |id: i64| json!({ "tabs": [{ "id": id, "url": "http://localhost/", "active": true, "captured": true }] });
    let (mut first, mut second) = (browser(&server, tab(1)), browser(&server, tab(2)));
    let call = asking(&server, PAGE, json!({ "tab_id": 1 }));
    let query = asked(&mut first);
    reply(&mut first, answer(&query, json!({ "title": "first" })));
    assert_eq!(call.join().unwrap()["title"], "first");
    let call = asking(&server, PAGE, json!({ "tab_id": 2 }));
    let query = asked(&mut second);
    reply(&mut second, answer(&query, json!({ "title": "second" })));
    assert_eq!(call.join().unwrap()["title"], "second");
    assert!(poll(&server).is_empty());
}

#[test]
fn ten_failures_stop_queries_until_the_browser_reconnects() {
    let server = Server::start();
    let mut socket = browser(&server, json!({}));
    let mut client = server.client();
    let fail = |socket: &mut Socket, client: McpProcess, code: &str| -> McpProcess {
        let mut client = client;
        client.ask("tools/call", json!({ "name": PAGE, "arguments": {} }));
        let query = asked(socket);
        reply(socket, failure(&query, code));
        let told = client.read();
        assert_eq!(told["result"]["structuredContent"]["error"], "browser_error", "{told}");
        client
    };
    // Errors caused by the query do not count.
    for _ in 0..12 {
        client = fail(&mut socket, client, "TAB_CRASHED");
    }
    for _ in 0..9 {
        client = fail(&mut socket, client, "WHATEVER");
    }
    client = fail(&mut socket, client, "WHATEVER");
    let told = client.tool(PAGE, json!({}));
    assert_eq!(told["error"], "browser_error", "{told}");
    assert!(told["message"].as_str().unwrap().contains("ten times"), "{told}");
    assert!(told["hint"].as_str().unwrap().contains("chrome://extensions"), "{told}");
    drop(socket);
    let mut socket = browser(&server, json!({}));
    let call = asking_as(client, PAGE, json!({}));
    let query = asked(&mut socket);
    reply(&mut socket, answer(&query, json!({ "title": "Shop" })));
    assert_eq!(call.join().unwrap()["title"], "Shop");
}

#[test]
fn each_failure_of_the_browser_says_what_to_do() {
    let server = Server::start();
    let mut socket = browser(&server, json!({}));
    for (code, error, hint) in [
        ("QUERY_TIMEOUT", "browser_timeout", "may block the page"),
        ("TAB_NOT_FOUND", "not_found", "tab_id of one of: 7 (http://localhost:3000/)"),
        ("TAB_RESTRICTED", "browser_error", "tab_id of one of: 7"),
        ("TAB_DISCARDED", "browser_error", "click that tab"),
        ("TAB_CRASHED", "browser_error", "reload that tab"),
        ("TAB_HIDDEN", "browser_error", "to the front"),
        ("SITE_NOT_ENABLED", "disabled", "enable this site"),
        ("INVALID_SELECTOR", "invalid_params", "correct"),
        ("INVALID_TAGS", "invalid_params", "correct"),
        ("PAGE_CHANGED", "browser_error", "call again"),
        ("USER_SCRIPTS_OFF", "disabled", "Allow User Scripts"),
        ("EXECUTE_JS_OFF", "disabled", "Allow AI to run JavaScript"),
        ("CONSENT_NEEDED", "browser_error", "click the Gasoline icon"),
        ("RECORDING", "browser_error", "action stop"),
        ("NOT_RECORDING", "browser_error", "action start"),
        ("TOO_LARGE", "browser_error", "ask for less"),
        ("OTHER", "browser_error", "get_status"),
    ] {
        let call = asking(&server, PAGE, json!({}));
        let query = asked(&mut socket);
        reply(&mut socket, failure(&query, code));
        let told = call.join().unwrap();
        assert_eq!(told["error"], error, "{told}");
        assert!(told["hint"].as_str().unwrap().contains(hint), "{told}");
        assert!(told["message"].as_str().unwrap().contains("it did not work"), "{told}");
    }
}

#[test]
fn a_script_is_not_even_sent_unless_allowed() {
    let server = Server::start();
    let mut socket = browser(&server, json!({ "settings": { "allowExecuteJs": false } }));
    let mut client = server.client();
    let told = client.tool("execute_js", json!({ "script": "1" }));
    assert_eq!(told["error"], "disabled", "{told}");
    assert!(told["hint"].as_str().unwrap().contains("Allow AI to run JavaScript"), "{told}");
    socket.send(&json!({ "type": "heartbeat" }));
    assert_eq!(socket.receive().unwrap()["type"], "heartbeat", "the page was asked");
    socket.send(&json!({ "type": "status", "settings": { "allowExecuteJs": true } }));
    wait_for("the switch", || {
        (client.tool("get_status", json!({}))["settings"]["allowExecuteJs"] == true).then_some(())
    });
    for (timeout, fits) in [(0, false), (1, true), (30_000, true), (30_001, false)] {
        client
            .ask("tools/call", json!({ "name": "execute_js", "arguments": { "script": "1", "timeout_ms": timeout } }));
        if fits {
            let query = asked(&mut socket);
            assert_eq!(query["timeout_ms"], timeout);
            reply(&mut socket, answer(&query, json!(2)));
        }
        let told = client.read()["result"]["structuredContent"].clone();
        match fits {
            // A millisecond and the margin may have passed before we answer.
            true if timeout == 1 && told["error"] == "browser_timeout" => {}
            true => assert_eq!((&told["success"], &told["value"]), (&json!(true), &json!(2)), "{told}"),
            false => assert_eq!(told["error"], "invalid_params", "{told}"),
        }
    }
}

#[test]
fn no_secret_of_the_page_is_passed_on() {
    let server = Server::start();
    let mut socket = browser(&server, json!({}));
    let call = asking(&server, "query_dom", json!({ "selector": "a" }));
    let query = asked(&mut socket);
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).unwrap());
    let value = json!({ "matches": [
        { "text": format!("token {key}"), "attributes": { "data-password": "hunter2secret" } },
        { "tag": "input", "attributes": { "type": "password", "name": "p" }, "value": "hunter3secret" },
        { "tag": "input", "attributes": { "type": "text", "id": "api_key" }, "value": "hunter4secret" },
        { "tag": "meta", "attributes": { "name": "csrf-token", "content": "9f8e7d6c5b4a39281706" } },
        { "tag": "input", "attributes": { "name": "city" }, "value": "Hamburg" },
    ] });
    let mut result = answer(&query, value);
    result["url"] = json!(format!("http://localhost/?access_token={key}"));
    reply(&mut socket, result);
    let told = call.join().unwrap();
    let completed =
        server.get(&format!("/completed-results?correlation_id={}", query["correlation_id"].as_str().unwrap()));
    for text in [told.to_string(), completed.body] {
        for secret in [&key, "hunter2secret", "hunter3secret", "hunter4secret", "9f8e7d6c5b4a39281706"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        assert!(text.contains("Hamburg"), "{text}");
        assert!(text.contains("[secret:"), "{text}");
    }
}

#[test]
fn large_answers_lose_their_end_and_say_so() {
    let server = Server::start();
    let mut socket = browser(&server, json!({}));
    let call = asking(&server, "query_dom", json!({ "selector": "*" }));
    let query = asked(&mut socket);
    let matches: Vec<Value> =
        (0..50).map(|n| json!({ "selector": format!("#e{n}"), "text": "plain words ".repeat(120) })).collect();
    // Too large for the socket of these tests.
    let value = json!({ "matches": matches, "matchCount": 80, "returnedCount": 50 });
    server.post("/dom-result", &answer(&query, value));
    let told = call.join().unwrap();
    assert!(told.to_string().len() <= 50 * 1024);
    let shown = told["matches"].as_array().unwrap().len();
    assert!((25..50).contains(&shown), "{shown}");
    assert_eq!((&told["returnedCount"], &told["matchCount"]), (&json!(shown), &json!(80)));
    assert_eq!(told["matches"][0]["text"].as_str().unwrap().len(), 12 * 120, "no text is shortened to make room");
    assert!(told["left_out"].as_str().unwrap().starts_with(&format!("{} more", 50 - shown)), "{}", told["left_out"]);

    let call = asking(&server, "run_accessibility_audit", json!({}));
    let query = asked(&mut socket);
    let node = json!({ "selector": "#a", "html": "<a>".repeat(60), "failureSummary": "because ".repeat(30) });
    let rule = |n: usize| json!({ "id": format!("rule-{n}"), "nodes": vec![node.clone(); 10], "nodeCount": 77 });
    let rules: Vec<Value> = (0..40).map(rule).collect();
    server.post("/dom-result", &answer(&query, json!({ "violations": rules, "summary": { "violations": 40 } })));
    let told = call.join().unwrap();
    assert!(told.to_string().len() <= 50 * 1024);
    let violations = told["violations"].as_array().unwrap();
    assert_eq!(violations.len(), 40, "every rule is named");
    assert_eq!((&violations[39]["nodeCount"], violations[39]["nodes"].as_array().unwrap().len()), (&json!(77), 1));
}

#[test]
fn audits_are_kept_for_half_a_minute() {
    let server = Server::start();
    let mut socket = browser(&server, json!({}));
    let mut client = server.client();
    let mut run = |client: McpProcess, arguments: Value, count: i64| -> McpProcess {
        let call = thread::spawn(move || {
            let mut client = client;
            let told = client.tool("run_accessibility_audit", arguments);
            (client, told)
        });
        let query = asked(&mut socket);
        assert_eq!(query["action"], "execute_a11y_audit");
        reply(&mut socket, answer(&query, json!({ "violations": [], "count": count })));
        let (client, told) = call.join().unwrap();
        assert_eq!(told["count"], count);
        assert!(told.get("cached").is_none(), "{told}");
        client
    };
    client = run(client, json!({}), 1);
    let cached = client.tool("run_accessibility_audit", json!({}));
    assert_eq!((&cached["count"], cached["cached"].is_string()), (&json!(1), true), "{cached}");
    // Every parameter that makes it a different audit.
    client = run(client, json!({ "scope": "#a" }), 2);
    client = run(client, json!({ "tags": ["wcag2a"] }), 3);
    client = run(client, json!({ "include_passes": true }), 4);
    client = run(client, json!({ "force_refresh": true }), 5);
    let cached = client.tool("run_accessibility_audit", json!({ "tab_id": 7 }));
    assert_eq!(cached["count"], 5);
}

#[test]
fn a_screenshot_is_shown_and_saved() {
    let server = Server::start();
    let mut socket = browser(&server, json!({}));
    // The smallest JPEG header; the image does not matter here.
    let picture = "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ==";
    let mut client = server.client();
    client.ask("tools/call", json!({ "name": "take_screenshot", "arguments": { "full_page": true } }));
    let query = asked(&mut socket);
    assert_eq!((&query["action"], &query["full_page"]), (&json!("take_screenshot"), &json!(true)));
    assert_eq!(query["timeout_ms"], 45_000, "it is composed of many screenshots");
    reply(&mut socket, answer(&query, json!({ "data_url": picture, "width": 10, "height": 20 })));
    let content = client.read()["result"]["content"].clone();
    let told: Value = serde_json::from_str(content[0]["text"].as_str().unwrap()).unwrap();
    assert_eq!((&told["width"], &told["height"], told.get("data_url")), (&json!(10), &json!(20), None));
    let saved = std::fs::read(told["path"].as_str().unwrap()).unwrap();
    assert!(saved.starts_with(b"\xff\xd8\xff"));
    assert_eq!((&content[1]["type"], &content[1]["mimeType"]), (&json!("image"), &json!("image/jpeg")));
    assert_eq!(content[1]["data"], "/9j/4AAQSkZJRgABAQ==");

    client.ask("tools/call", json!({ "name": "take_screenshot", "arguments": {} }));
    let query = asked(&mut socket);
    assert_eq!(query["timeout_ms"], 20_000);
    let fake = "data:image/png;base64,/9j/4AAQSkZJRgABAQ==";
    reply(&mut socket, answer(&query, json!({ "data_url": fake, "width": 10, "height": 20 })));
    let told = client.read()["result"]["structuredContent"].clone();
    assert_eq!(told["error"], "internal", "{told}");
}

#[test]
fn waiting_pollers_are_woken_and_bad_requests_rejected() {
    let server = Server::start();
    poll(&server);
    let began = Instant::now();
    let empty = server.get("/pending-queries?wait_ms=300").json();
    assert!(began.elapsed() >= Duration::from_millis(300));
    assert_eq!(empty, json!({ "queries": [], "cursor": "0:0", "settings": {} }));
    let call = asking(&server, PAGE, json!({}));
    // Without being woken, the poll would return empty.
    let query = next(&server);
    server.post("/dom-result", &answer(&query, json!({ "title": "x" })));
    call.join().unwrap();

    assert_eq!(server.get("/pending-queries?wait_ms=soon").status, 400);
    assert_eq!(server.get("/completed-results").status, 400);
    assert_eq!(server.get("/completed-results?correlation_id=unknown").json()["status"], "expired");
    assert_eq!(server.post("/dom-result", &json!({ "result": {} })).status, 400);
    assert_eq!(server.request("POST", "/dom-result").body("{").send().status, 400);
    assert_eq!(server.request("GET", "/pending-queries").token(None).send().status, 401);
    let unknown = server.post("/dom-result", &json!({ "query_id": "q-1", "result": {} })).json();
    assert_eq!(unknown["status"], "expired");
}
