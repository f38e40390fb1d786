//! `diagnose` and `get_session_timeline` on sessions whose cause is known. Real pages: `browser/e2e/suites/diagnose`.

mod not_blamed;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Server, once_within};

const PAGE: &str = "http://localhost:3000/shop";

fn at(millis: u32) -> String {
    format!("2026-01-01T00:00:{:02}.{:03}Z", millis / 1_000, millis % 1_000)
}

fn exception(millis: u32, message: &str, stack: &str) -> Value {
    json!({ "type": "error", "source": "exception", "ts": at(millis), "message": message, "url": PAGE,
        "stack": format!("TypeError: {message}\n{stack}") })
}

fn request(started: u32, duration: u32, method: &str, url: &str, status: u16, response: Option<&str>) -> Value {
    json!({ "type": "network", "ts": at(started), "duration": duration, "method": method, "status": status,
        "url": if url.starts_with("http") { url.to_owned() } else { format!("http://localhost:3000{url}") },
        "responseBody": response, "pageUrl": PAGE, "contentType": "application/json" })
}

/// By the function that is in the stack `loaded`.
fn asked_by(mut request: Value) -> Value {
    request["stack"] = json!("    at loadCart (http://localhost:3000/app.js:7:20)");
    request
}

fn click(millis: u32, name: &str) -> Value {
    json!({ "type": "action", "action_type": "click", "ts": at(millis), "url": PAGE,
        "selectors": { "role": { "role": "button", "name": name } } })
}

fn session(events: Value) -> Server {
    let server = Server::start();
    let reply = server.post("/sync", &json!({ "tab_id": 7, "page_id": "p1", "events": events }));
    assert_eq!((reply.status, &reply.json()["rejected"]), (200, &json!(0)), "{reply:?}");
    server
}

fn check(name: &str, events: Value, confidence: &str, says: &[&str]) -> Value {
    let server = session(events);
    let answer = server.tool("diagnose", json!({}));
    let text = answer.to_string();
    for words in says {
        assert!(text.contains(words), "{name}: no \"{words}\" in {answer:#}");
    }
    assert_eq!(answer["confidence"], confidence, "{name}: {answer:#}");
    assert!(text.len() <= 2_000, "{name}: {} bytes", text.len());
    answer
}

#[test]
fn html_where_json_was_expected_is_named() {
    let message = "Unexpected token '<', \"<!doctype \"... is not valid JSON";
    let rejection = |metadata: Value| {
        json!({ "type": "error", "source": "unhandledrejection", "ts": at(5_000), "message": message, "url": PAGE,
            "metadata": metadata })
    };
    let html = |started: u32, id: &str, path: &str| {
        let mut asked = request(started, 20, "GET", path, 200, None);
        asked["contentType"] = json!("text/html; charset=utf-8");
        asked["requestId"] = json!(id);
        asked
    };
    let read = |id: &str, url: &str| json!({ "response": { "url": url, "status": 200, "contentType": "text/html; charset=utf-8", "requestId": id } });
    // Not the last request, but the one whose answer was read. It may have been redirected to a login page.
    let events = json!([
        html(4_000, "r1", "/api/me"),
        html(4_900, "r2", "/help"),
        rejection(read("r1", "http://localhost:3000/login"))
    ]);
    let answer = check("named", events, "high", &["/api/me was answered with HTML instead of JSON (200, text/html"]);
    assert!(answer["request"]["text"].as_str().unwrap().contains("/api/me"), "{answer:#}");
    // The request has not arrived yet, or was evicted.
    let events = json!([rejection(read("r9", "http://localhost:3000/api/me"))]);
    check("alone", events, "high", &["http://localhost:3000/api/me was answered with HTML instead of JSON"]);
    // Caught and logged by the page: at most medium confidence.
    let fine = request(4_950, 20, "GET", "/api/fine", 200, Some(r#"{"fine":true}"#));
    let events = json!([html(4_800, "r1", "/api/me"), fine, rejection(Value::Null)]);
    check("near", events, "medium", &["/api/me was answered with HTML instead of JSON"]);
}

/// The answer that is blamed must contain what the parser quotes.
#[test]
fn an_answer_that_the_parser_cannot_have_read_is_not_blamed() {
    let failed = |message: &str| json!({ "type": "error", "source": "exception", "ts": at(5_000), "message": message, "url": PAGE });
    let answered = |content_type: &str, body: Option<&str>| {
        let mut asked = request(4_900, 20, "GET", "/api/me", 200, body);
        asked["contentType"] = json!(content_type);
        asked["responseSize"] = body.map_or(json!(900), |body| json!(body.len()));
        asked
    };
    let (html, page) = ("text/html", Some("<!doctype html><title>Shop</title>"));
    let cases = [
        ("\"undefined\" is not valid JSON", answered(html, page), false),
        ("\"undefined\" is not valid JSON", answered(html, None), false),
        ("\"[object Object]\" is not valid JSON", answered(html, None), false),
        ("Unexpected token '<', \"<!doctype \"... is not valid JSON", answered(html, page), true),
        ("Unexpected token '<', \"<!doctype \"... is not valid JSON", answered(html, None), true),
        ("Unexpected token '<', \"<!doctype \"... is not valid JSON", answered("text/plain", Some("busy")), false),
        ("Unexpected token 'b', \"busy\" is not valid JSON", answered("text/plain", Some("busy")), true),
        ("Unexpected token 'b', \"busy\" is not valid JSON", answered(html, None), false),
        ("Unexpected end of JSON input", answered(html, page), false),
        ("Unexpected end of JSON input", answered(html, None), false),
        ("Unexpected end of JSON input", answered("application/json", Some("")), true),
        ("Unexpected end of JSON input", answered("application/json", Some("{\"items\":[1,")), true),
        ("Unexpected end of JSON input", answered("application/json", Some("{\"items\":[1]}")), false),
        ("JSON.parse: unexpected character at line 1 column 1 of the JSON data", answered(html, page), true),
        ("JSON.parse: unexpected end of data at line 1 column 1 of the JSON data", answered(html, page), false),
        ("JSON Parse error: Unexpected identifier \"undefined\"", answered(html, page), false),
        ("JSON Parse error: Unrecognized token '<'", answered(html, page), true),
        ("JSON Parse error: Unexpected EOF", answered(html, page), false),
    ];
    for (message, answered, is_blamed) in cases {
        let server = session(json!([answered, failed(message)]));
        let answer = server.tool("diagnose", json!({}));
        let cause = answer["cause"].as_str().unwrap();
        assert_eq!(cause.contains("instead of JSON"), is_blamed, "{message}, {answered}: {answer:#}");
        assert!(is_blamed || answer["confidence"] == "low", "{message}, {answered}: {answer:#}");
    }
}

#[test]
fn a_request_that_failed_after_an_error_is_not_its_cause() {
    let failed = |ended: u32| request(ended - 100, 100, "GET", "/api/stats", 500, None);
    let thrown = || exception(5_000, "total is not a function", "    at draw (http://localhost:3000/app.js:3:1)");
    for (ended, confidence, is_blamed) in [(4_980, "medium", true), (5_020, "low", false), (5_050, "low", false)] {
        let server = session(json!([failed(ended), thrown()]));
        let answer = server.tool("diagnose", json!({}));
        assert_eq!(answer["confidence"], confidence, "{ended}: {answer:#}");
        assert_eq!(answer["cause"].as_str().unwrap().contains("/api/stats"), is_blamed, "{ended}: {answer:#}");
    }
    // Its headers arrived before its last byte: the calling code may already know about the failure.
    let mut asked = asked_by(failed(5_020));
    asked["url"] = json!("http://localhost:3000/api/cart");
    let thrown = exception(5_000, "no cart", "    at async loadCart (http://localhost:3000/app.js:10:5)");
    check("headers first", json!([asked, thrown]), "high", &["GET /api/cart failed on the server with 500"]);
}

#[test]
fn planted_causes_are_found_within_five_hundred_tokens() {
    let reading = |member: &str| format!("Cannot read properties of undefined (reading '{member}')");
    let app = "    at render (http://localhost:3000/app.js:10:5)";
    let loaded = "    at async loadCart (http://localhost:3000/app.js:10:5)";
    check(
        "null body after 500",
        json!([
            click(1_000, "Show cart"),
            { "type": "network", "ts": at(1_010), "duration": 40, "method": "GET", "url": "http://localhost:3000/api/cart", "status": 500,
              "responseBody": r#"{"error":"database is locked"}"#, "pageUrl": PAGE, "stack": "    at loadCart (http://localhost:3000/app.js:7:20)" },
            exception(1_055, &reading("lines"), loaded),
        ]),
        "high",
        &[
            "GET /api/cart failed on the server with 500",
            "database is locked",
            "`loadCart` asked for it",
            "click button \\\"Show cart\\\"",
        ],
    );
    check(
        "CORS",
        json!([
            { "type": "network", "ts": at(1_000), "duration": 12, "method": "GET", "url": "http://api.test:4000/prices", "status": 0, "error": "Failed to fetch", "pageUrl": PAGE },
            { "type": "error", "source": "unhandledrejection", "ts": at(1_014), "message": "Failed to fetch", "url": PAGE, "stack": "TypeError: Failed to fetch\n    at load (http://localhost:3000/app.js:3:9)" },
        ]),
        "high",
        &["CORS", "Access-Control-Allow-Origin", "http://api.test:4000"],
    );
    check(
        "wrong shape of an answer",
        json!([
            asked_by(request(1_000, 20, "GET", "/api/products", 200, Some(r#"{"products":[],"page":1}"#))),
            exception(1_030, "products.map is not a function", loaded)
        ]),
        "high",
        &["GET /api/products", "its body is an object with `products`, `page`, not a list"],
    );
    check(
        "expired token",
        json!([
            { "type": "network", "ts": at(1_000), "duration": 20, "method": "GET", "url": "http://localhost:3000/api/me", "status": 401, "hasAuthHeader": true,
              "responseBody": r#"{"message":"token expired"}"#, "pageUrl": PAGE },
            exception(1_030, "Request failed with status code 401", app),
        ]),
        "high",
        &["refused with 401", "token has expired", "\"auth_header\":true"],
    );
    check(
        "race of two requests",
        json!([
            asked_by(request(1_000, 500, "GET", "/api/search?q=a", 200, None)),
            asked_by(request(1_100, 100, "GET", "/api/search?q=ab", 200, None)),
            exception(1_510, &reading("title"), loaded),
        ]),
        "high",
        &["wrong order", "/api/search?q=a → 200", "asked 100 ms later"],
    );
    check(
        "socket closed with 1006",
        json!([
            { "type": "websocket", "ts": at(1_000), "event": "open", "id": "c1", "url": "ws://localhost:3000/live" },
            { "type": "websocket", "ts": at(2_000), "event": "close", "id": "c1", "code": 1006 },
            exception(2_020, "WebSocket is not connected", app),
        ]),
        "high",
        &["ws://localhost:3000/live was closed with 1006", "without a closing message"],
    );
    check(
        "chunk that is gone",
        json!([{ "type": "error", "source": "unhandledrejection", "ts": at(1_000), "url": PAGE,
            "message": "Failed to fetch dynamically imported module: http://localhost:3000/assets/Report-3f2.js" }]),
        "high",
        &["/assets/Report-3f2.js could not be loaded"],
    );
    check(
        "endless render",
        json!([exception(
            1_000,
            "Too many re-renders. React limits the number of renders to prevent an infinite loop.",
            "    at Counter (http://localhost:3000/src/Counter.jsx:5:3)"
        )]),
        "high",
        &["`Counter`", "sets state while it renders"],
    );
    check(
        "refused payload",
        json!([
            { "type": "network", "ts": at(1_000), "duration": 20, "method": "POST", "url": "http://localhost:3000/api/orders", "status": 422,
              "requestBody": r#"{"mail":"a@b.example","items":[1]}"#, "responseBody": r#"{"errors":{"email":"is required"}}"#, "pageUrl": PAGE },
        ]),
        "high",
        &["refused with 422", "is required", "\"sent\":\"{\\\"mail\\\""],
    );
}

/// `String.fromCharCode(...bytes)` fills the stack without any recursion.
#[test]
fn a_full_stack_is_an_endless_call_only_if_it_shows_one() {
    let full = "Maximum call stack size exceeded";
    let frame = |function: &str, line: u32| format!("    at {function} (http://localhost:3000/app.js:{line}:5)\n");
    let answer = check(
        "too many arguments",
        json!([exception(1_000, full, &[frame("encode", 3), frame("save", 9), frame("onClick", 20)].concat())]),
        "medium",
        &["`encode` filled the call stack", "does not show a recursion without end", "f(...list)"],
    );
    assert!(!answer["cause"].as_str().unwrap().contains("calls itself"), "{answer}");
    check(
        "an endless call",
        json!([exception(1_000, full, &frame("walk", 3).repeat(10))]),
        "high",
        &["`walk` calls itself without end", "`walk` is 10 times in the captured stack"],
    );
    check(
        "two that call each other",
        json!([exception(1_000, full, &[frame("even", 3), frame("odd", 9)].concat().repeat(5))]),
        "high",
        &["`even` and `odd` call each other without end"],
    );
}

/// When a server fails, its connections close, too. What the error itself says counts more.
#[test]
fn a_failed_request_outranks_a_socket_that_closed_later() {
    let reading = "Cannot read properties of undefined (reading 'lines')";
    let app = "    at render (http://localhost:3000/app.js:10:5)";
    let failed = || request(1_000, 40, "GET", "/api/cart", 500, Some(r#"{"error":"down"}"#));
    let closed = |millis: u32| json!({ "type": "websocket", "ts": at(millis), "event": "close", "id": "c1", "url": "ws://localhost:3000/live", "code": 1006 });
    for (error, socket) in [(1_100, 1_095), (1_100, 1_120), (1_500, 1_490), (2_500, 2_450)] {
        check(
            &format!("error {error}, socket {socket}"),
            json!([failed(), closed(socket), exception(error, reading, app)]),
            "medium",
            &["GET /api/cart failed on the server with 500", "down"],
        );
    }
    check(
        "the socket first",
        json!([closed(1_020), failed(), exception(1_060, "WebSocket is not connected", app)]),
        "high",
        &["ws://localhost:3000/live was closed with 1006", "it closed 40 ms before the error"],
    );
    check(
        "the error speaks of it",
        json!([failed(), closed(1_090), exception(1_100, "WebSocket is not connected", app)]),
        "high",
        &["ws://localhost:3000/live was closed with 1006"],
    );
    let answer = check(
        "the socket after the error",
        json!([closed(1_030), exception(1_000, "lines is not defined", app)]),
        "low",
        &["nothing captured around"],
    );
    assert!(!answer["cause"].as_str().unwrap().contains("1006"), "{answer}");
}

/// Senders without timestamps send a request when it has ended, however long it took.
#[test]
fn without_timestamps_a_request_ends_when_it_arrives() {
    for took in [0, 40, 400, 20_000] {
        let server = Server::start();
        let request = json!({ "method": "GET", "url": "http://localhost:3000/api/cart", "pageUrl": PAGE, "status": 500,
            "duration": took, "responseBody": r#"{"error":"database is locked"}"# });
        server.post("/network-bodies", &json!({ "bodies": [request] }));
        server.log(
            json!([{ "type": "exception", "level": "error", "url": PAGE, "message": "cart could not be loaded (500)",
            "stack": "Error: cart could not be loaded (500)\n    at show (http://localhost:3000/app.js:3:9)" }]),
        );
        let answer = server.tool("diagnose", json!({}));
        assert!(
            answer["cause"].as_str().unwrap().contains("GET /api/cart failed on the server with 500"),
            "{took} ms: {answer:#}"
        );
    }
}

/// Workers of a test run share a server, and their tests do the same things at the same time.
#[test]
fn a_test_gets_its_first_error_and_nothing_from_another_test() {
    let server = Server::start();
    let tagged = |test: &str, events: Value| json!({ "test_id": test, "events": events });
    let app = "    at run (http://localhost:3000/app.js:1:1)";
    for (test, events) in [
        ("pays", json!([click(900, "Pay"), exception(1_000, "first", app), exception(1_500, "second", app)])),
        ("other", json!([click(990, "Other"), exception(980, "not asked for", app)])),
        ("pays", json!([exception(9_000, "third", app)])),
    ] {
        assert_eq!(server.post("/sync", &tagged(test, events)).status, 200);
    }
    let answer = server.tool("diagnose", json!({}));
    assert_eq!(answer["error"]["message"], "first", "{answer:#}");
    assert_eq!(answer["action"]["text"], "click button \"Pay\"", "{answer:#}");
    assert!(!answer.to_string().contains("not asked for"), "{answer:#}");
}

#[test]
fn without_any_cause_it_says_so() {
    let answer = check(
        "alone",
        json!([exception(1_000, "oops", "    at run (http://localhost:3000/app.js:1:1)")]),
        "low",
        &["nothing captured around"],
    );
    assert_eq!(answer.get("request"), None);
    let server = Server::start();
    let answer = server.tool("diagnose", json!({}));
    assert!(answer["hint"].as_str().unwrap().contains("no browser is connected"), "{answer}");
    let answer = server.tool("diagnose", json!({ "error_id": "log-0000-1" }));
    assert_eq!(answer["error"], "not_found", "{answer}");
    let answer = server.tool("diagnose", json!({ "max_tokens": 99 }));
    assert_eq!(answer["error"], "invalid_params", "{answer}");
}

#[test]
fn an_earlier_successful_answer_is_not_a_cause() {
    let answer = check(
        "old and fine",
        json!([
            request(1_000, 20, "GET", "/api/ok", 200, Some("{}")),
            exception(9_000, "oops", "    at run (http://localhost:3000/app.js:1:1)")
        ]),
        "low",
        &["nothing captured around"],
    );
    assert_eq!(answer.get("request"), None);
}

#[test]
fn events_near_an_error_are_not_blamed_with_high_confidence() {
    let app = "    at render (http://localhost:3000/app.js:10:5)";
    let reading = "Cannot read properties of undefined (reading 'lines')";
    let events = [
        (
            "a beacon without a body",
            json!([request(1_000, 5, "POST", "/track", 204, Some("")), exception(1_015, reading, app)]),
        ),
        (
            "a failed beacon",
            json!([request(1_000, 5, "POST", "http://stats.example/b", 500, Some("")), exception(1_015, reading, app)]),
        ),
        (
            "a poll",
            json!([
                request(1_000, 5, "GET", "/api/poll", 200, Some(r#"{"ok":true}"#)),
                exception(1_015, "items.map is not a function", app)
            ]),
        ),
        (
            "operations side by side",
            json!([
                request(1_000, 300, "POST", "/graphql", 200, None),
                request(1_100, 50, "POST", "/graphql", 200, None),
                exception(1_400, "boom is not defined", app),
            ]),
        ),
        (
            "a list that loads its parts",
            json!([
                request(1_000, 300, "GET", "/api/item?id=1", 200, None),
                request(1_100, 50, "GET", "/api/item?id=2", 200, None),
                exception(1_400, "boom is not defined", app),
            ]),
        ),
        (
            "a socket that the page closed for a reason",
            json!([
                { "type": "websocket", "ts": at(2_000), "event": "close", "id": "c1", "url": "ws://localhost:3000/live", "code": 4001 },
                exception(2_010, "boom is not defined", app),
            ]),
        ),
        (
            "an edit of another file, and a poll",
            json!([
                { "type": "console", "level": "debug", "ts": at(500), "message": "[vite] hot updated: /src/App.jsx", "url": PAGE },
                request(1_000, 5, "GET", "/api/poll", 200, Some("{}")),
                exception(1_015, "boom is not defined", app),
            ]),
        ),
    ];
    for (name, events) in events {
        let answer = session(events).tool("diagnose", json!({}));
        assert_ne!(answer["confidence"], "high", "{name}: {answer:#}");
    }
}

#[test]
fn a_rejected_cookie_session_is_not_a_missing_header() {
    let refused =
        |status: u16| request(2_000, 10, "GET", "/api/me", status, Some(r#"{"error":"session revoked by admin"}"#));
    let answer = session(json!([refused(401)])).tool("diagnose", json!({}));
    assert!(answer["cause"].as_str().unwrap().ends_with("not signed in, or the session is not accepted"), "{answer}");
    let mut other = request(1_000, 10, "GET", "/api/other", 200, None);
    other["hasAuthHeader"] = json!(true);
    let answer = session(json!([other, refused(403)])).tool("diagnose", json!({}));
    assert!(
        answer["cause"].as_str().unwrap().contains("without the Authorization header that other requests have"),
        "{answer}"
    );
}

#[test]
#[ignore = "only with --all: asserts how fast this machine is"]
fn a_thousand_different_errors_take_no_time() {
    let errors: Vec<Value> = (0..1_000)
        .map(|number| {
            exception(
                number,
                &format!("error {}", "abcdefghij".repeat(20) + &"x".repeat(number as usize % 50)),
                "    at run (http://localhost:3000/app.js:1:1)",
            )
        })
        .collect();
    let server = session(json!(errors));
    let mut client = server.client();
    // The limit is 10 ms in a release build; quadratic work took seconds.
    once_within(Duration::from_millis(500), || {
        let began = Instant::now();
        client.tool("diagnose", json!({}));
        began.elapsed()
    });
}

#[test]
fn a_given_error_is_diagnosed_within_the_given_size() {
    let long = "x".repeat(4_000);
    let mut events = vec![
        json!({ "type": "error", "id": "mine", "source": "exception", "ts": at(1_000), "message": format!("first {long}"), "url": PAGE }),
        request(900, 50, "GET", &format!("/api/{long}"), 500, Some(&format!(r#"{{"error":"{long}"}}"#))),
    ];
    for number in 0..40 {
        events.push(json!({ "type": "console", "level": "warn", "ts": at(900 + number), "message": format!("warning {number} {long}") }));
    }
    events.push(exception(30_000, "second", "    at run (http://localhost:3000/app.js:1:1)"));
    let server = session(json!(events));
    for (tokens, most) in [(100, 400), (500, 2_000), (2_000, 8_000)] {
        let answer = server.tool("diagnose", json!({ "error_id": "mine", "max_tokens": tokens }));
        assert!(answer["error"]["message"].as_str().unwrap().starts_with("first"), "{answer}");
        assert!(answer.to_string().len() <= most, "{tokens}: {}", answer.to_string().len());
        assert!(answer["cause"].as_str().unwrap().contains("/api/"), "{answer}");
    }
    let latest = server.tool("diagnose", json!({}));
    assert_eq!(latest["error"]["message"], "second");
}

#[test]
fn the_diagnosis_says_what_changed() {
    let app = "    at render (http://localhost:3000/src/App.jsx:10:5)";
    let answer = check(
        "edited",
        json!([
            { "type": "console", "level": "debug", "ts": at(1_000), "message": "[vite] hot updated: /src/App.jsx", "url": PAGE },
            exception(3_000, "user is not defined", app),
        ]),
        "low",
        &["new since hot update by vite: src/App.jsx, 2 s before"],
    );
    assert!(answer["changed"].is_string());
    let answer = check(
        "worked before",
        json!([request(1_000, 10, "GET", "/api/me", 200, None), request(5_000, 10, "GET", "/api/me", 500, None),]),
        "high",
        &["last worked at 2026-01-01T00:00:01"],
    );
    assert!(answer["next"].as_str().unwrap().contains("Network bodies"), "{answer}");
}

#[test]
fn the_timeline_is_in_order_and_shows_what_actions_triggered() {
    let mut loaded = request(1_010, 100, "GET", "/api/cart", 200, None);
    loaded["trigger"] = json!("click");
    let server = session(json!([
        exception(1_200, "oops", "    at run (http://localhost:3000/app.js:1:1)"),
        click(1_000, "Show cart"),
        loaded,
        { "type": "console", "level": "log", "ts": at(500), "message": "started" },
        { "type": "websocket", "ts": at(600), "event": "open", "id": "c1", "url": "ws://localhost:3000/live" },
        request(5_000, 10, "GET", "/api/poll", 500, None),
    ]));
    let answer = server.tool("get_session_timeline", json!({}));
    let lines: Vec<(&str, &str)> = answer["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["type"].as_str().unwrap(), entry["text"].as_str().unwrap()))
        .collect();
    assert_eq!(
        lines,
        [
            ("console", "console.log: started"),
            ("websocket", "socket /live open"),
            ("action", "click button \"Show cart\""),
            ("network", "GET /api/cart → 200 (100 ms)"),
            ("error", "TypeError: oops"),
            ("network", "GET /api/poll → 500 (10 ms)"),
        ]
    );
    let action = &answer["timeline"][2];
    assert_eq!(action["triggered"], json!({ "requests": 1, "errors": 1 }), "{answer:#}");
    let (asked, broke) = (&answer["timeline"][3], &answer["timeline"][4]);
    assert_eq!((&asked["caused_by"], asked.get("likely_caused_by")), (&action["id"], None), "the page saw it");
    assert_eq!((&broke["likely_caused_by"], broke.get("caused_by")), (&action["id"], None), "by time alone");
    assert_eq!(answer["timeline"][5]["likely_caused_by"], Value::Null, "too long after");
    let summary = &answer["summary"];
    assert_eq!(
        (&summary["actions"], &summary["errors"], &summary["failed_requests"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(summary["duration_ms"], 4_500);
    let only = server.tool("get_session_timeline", json!({ "include": ["network"] }));
    assert_eq!((&only["total"], &only["timeline"][0]["caused_by"]), (&json!(2), &action["id"]));
    let last = server.tool("get_session_timeline", json!({ "last_n_actions": 1 }));
    assert_eq!(last["total"], 4);
    let wrong = server.tool("get_session_timeline", json!({ "include": ["mouse"] }));
    assert_eq!(wrong["error"], "invalid_params");
}

#[test]
fn the_timeline_lists_the_two_hundred_newest() {
    let line = |number: u32| json!({ "type": "console", "level": "log", "ts": at(number), "message": format!("line {number}") });
    for (lines, shown) in [(199, 199), (200, 200), (201, 200)] {
        let server = session(Value::Array((0..lines).map(line).collect()));
        let answer = server.tool("get_session_timeline", json!({}));
        assert_eq!((&answer["total"], &answer["returned"]), (&json!(lines), &json!(shown)));
        let last = answer["timeline"].as_array().unwrap().last().unwrap();
        assert_eq!(last["text"], format!("console.log: line {}", lines - 1));
    }
}

#[test]
fn a_request_blocked_by_the_content_security_policy_is_named() {
    let server = Server::start();
    let page = "http://shop.test/";
    server.post(
        "/network-bodies",
        &json!({ "bodies": [{ "ts": 1_790_000_000_000_i64, "method": "GET", "url": "http://other.test/widget", "pageUrl": page, "status": 0, "error": "Failed to fetch" }] }),
    );
    server.log(json!([{
        "ts": 1_790_000_000_009_i64, "type": "csp", "url": page, "filename": "gasoline:///node_modules/gasoline/capture.js", "lineno": 9, "colno": 3,
        "message": "Content security policy (connect-src) blocked http://other.test/widget",
    }]));
    let answer = server.tool("diagnose", json!({}));
    assert!(
        answer["cause"]
            .as_str()
            .unwrap()
            .contains("policy forbids http://other.test/widget: allow it in `connect-src`"),
        "{answer}"
    );
    assert_eq!(answer["confidence"], "high");
    assert!(!answer.to_string().contains("capture.js"), "our own script must not be named: {answer}");
}

#[test]
fn the_browsers_reason_for_a_lost_request_is_trusted() {
    for (error, cause) in [
        ("Failed to fetch (net::ERR_CONNECTION_REFUSED)", "nothing listens at that address"),
        ("net::ERR_NAME_NOT_RESOLVED", "the name of that host is not known"),
        ("no answer within 3.2 s, when the test ended", "had no answer within 3.2 s"),
        ("Failed to fetch", "most likely CORS"),
    ] {
        let server = Server::start();
        let body = json!({ "method": "GET", "url": "http://other.test/rates", "pageUrl": "http://shop.test/", "status": 0, "error": error });
        server.post("/network-bodies", &json!({ "bodies": [body] }));
        let answer = server.tool("diagnose", json!({}));
        assert!(answer["cause"].as_str().unwrap().contains(cause), "{answer}");
    }
}
