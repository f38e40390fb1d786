//! Events that are near an error, or sound like it, but did not cause it.

use serde_json::{Value, json};

use super::{PAGE, asked_by, at, click, exception, request, session};

const APP: &str = "    at render (http://localhost:3000/app.js:10:5)";
const LOADED: &str = "    at async loadCart (http://localhost:3000/app.js:10:5)";

fn diagnosed(events: &Value) -> Value {
    session(events.clone()).tool("diagnose", json!({}))
}

/// The cause must not name this, or at least not with confidence "high".
fn check_not_blamed(cases: &[(&str, Value, &str)]) {
    let mut wrong = Vec::new();
    for (name, events, words) in cases {
        let answer = diagnosed(events);
        if answer["cause"].as_str().unwrap().contains(words) {
            wrong.push(format!("{name}: {} ({})", answer["cause"], answer["confidence"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn check_confidence(cases: &[(&str, Value, &str, &str)]) {
    let mut wrong = Vec::new();
    for (name, events, words, confidence) in cases {
        let answer = diagnosed(events);
        if !answer["cause"].as_str().unwrap().contains(words) || answer["confidence"] != *confidence {
            wrong.push(format!("{name}: {} ({}), {}", answer["cause"], answer["confidence"], answer["because"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn closed(millis: u32, url: &str) -> Value {
    json!({ "type": "websocket", "ts": at(millis), "event": "close", "id": "c1", "url": url, "code": 1006 })
}

#[test]
fn a_number_is_a_status_only_where_the_message_says_so() {
    let failed = |status: u16| request(1_000, 20, "GET", "/api/stats", status, None);
    let said = |status: u16, message: &str| json!([failed(status), exception(1_030, message, APP)]);
    let as_status = [
        (500, "Request failed with status code 500"),
        (500, "HTTP 500"),
        (500, "HTTP error! status: 500"),
        (500, "500 Internal Server Error"),
        (404, "Http failure response for (unknown url): 404 Not Found"),
        (503, "server responded with a status of 503 (Service Unavailable)"),
        (500, "got 500."),
        (500, "stats could not be loaded (500)"),
        (404, "[404] no such thing"),
        (502, "E502: HTTP/1.1 502"),
    ];
    let cases: Vec<_> =
        as_status.iter().map(|(status, message)| (*message, said(*status, message), "/api/stats", "high")).collect();
    check_confidence(&cases);
    let as_number = [
        (500, "cannot sort 500 items"),
        (500, "timeout of 500ms exceeded"),
        (404, "line 404 is not closed"),
        (404, "index 404 is out of range"),
        (500, "expected at most 500 rows, got 700"),
        (500, "price 1.500 is too high"),
        (500, "the price (500) is too high"),
        (500, "value out of range: 500"),
        (500, "order #500 is gone"),
    ];
    for (status, message) in as_number {
        let answer = diagnosed(&said(status, message));
        assert_ne!(answer["confidence"], "high", "{message}: {answer:#}");
        assert!(!answer["because"].to_string().contains("status"), "{message}: {answer:#}");
    }
}

#[test]
fn an_address_counts_only_if_the_message_names_all_of_it() {
    let failed = |path: &str| request(1_000, 20, "GET", path, 500, None);
    let said = |path: &str, message: &str| json!([failed(path), exception(1_030, message, APP)]);
    check_confidence(&[
        ("relative", said("/api/cart", "could not load /api/cart"), "/api/cart", "high"),
        ("quoted", said("/api/cart?page=2", "\"/api/cart\": no answer"), "/api/cart", "high"),
        ("absolute", said("/api/cart", "http://localhost:3000/api/cart failed."), "/api/cart", "high"),
        ("with a query", said("/api/cart?page=2", "GET /api/cart?page=2 failed"), "/api/cart", "high"),
    ]);
    for (path, message) in [
        ("/api/cart", "could not load /api/cart-items"),
        ("/api/cart", "could not load /api/carts"),
        ("/api/cart", "could not load /api/cart/7"),
        ("/api/cart", "could not load /v2/api/cart"),
        ("/api/cart", "http://shop.example/api/cart failed"),
        ("/a", "no such file: src/a"),
    ] {
        let answer = diagnosed(&said(path, message));
        assert_ne!(answer["confidence"], "high", "{path}, {message}: {answer:#}");
        assert!(!answer["because"].to_string().contains("address"), "{path}, {message}: {answer:#}");
    }
}

#[test]
fn a_function_that_calls_everything_proves_nothing() {
    let mut tracked = request(1_000, 20, "POST", "/api/track", 500, None);
    tracked["stack"] =
        json!("    at track (http://localhost:3000/app.js:3:9)\n    at main (http://localhost:3000/app.js:40:3)");
    let drawn = "    at draw (http://localhost:3000/app.js:10:5)\n    at main (http://localhost:3000/app.js:41:3)";
    let answer = diagnosed(&json!([tracked, exception(1_030, "total is not a function", drawn)]));
    assert_ne!(answer["confidence"], "high", "{answer:#}");
    // The function sent the request itself.
    let mut asked = request(1_000, 20, "GET", "/api/cart", 500, None);
    asked["stack"] = json!("    at main (http://localhost:3000/app.js:40:3)");
    let reading = "Cannot read properties of undefined (reading 'lines')";
    let main = "    at main (http://localhost:3000/app.js:41:3)";
    check_confidence(&[("itself", json!([asked, exception(1_030, reading, main)]), "/api/cart", "high")]);
    // A helper sent it for a function that has its own task.
    let mut helped = request(1_000, 20, "GET", "/api/cart", 500, None);
    helped["stack"] =
        json!("    at getJson (http://localhost:3000/app.js:3:9)\n    at loadCart (http://localhost:3000/app.js:7:3)");
    check_confidence(&[("helped", json!([helped, exception(1_030, reading, LOADED)]), "/api/cart", "high")]);
}

/// Two requests failed in the same way just before: the message fits both.
#[test]
fn if_two_requests_fit_equally_neither_is_certain() {
    let failed = |path: &str, started: u32| request(started, 20, "GET", path, 500, None);
    let lost = |path: &str, started: u32| {
        json!({ "type": "network", "ts": at(started), "duration": 10, "method": "GET", "status": 0, "error": "Failed to fetch",
            "url": format!("http://localhost:3000{path}"), "pageUrl": PAGE })
    };
    let fetching = exception(1_060, "Failed to fetch", "    at load (http://localhost:3000/app.js:3:9)");
    check_confidence(&[
        (
            "the same status",
            json!([failed("/api/cart", 1_000), failed("/api/ads", 1_010), exception(1_060, "HTTP 500", APP)]),
            "failed on the server with 500",
            "medium",
        ),
        ("no answer", json!([lost("/api/cart", 1_000), lost("/api/ads", 1_010), fetching]), "got no answer", "medium"),
        (
            "the same request twice",
            json!([failed("/api/cart", 1_000), failed("/api/cart", 1_025), exception(1_060, "HTTP 500", APP)]),
            "/api/cart failed on the server with 500",
            "high",
        ),
        (
            "one long before",
            json!([failed("/api/ads", 1_000), failed("/api/cart", 5_000), exception(5_060, "HTTP 500", APP)]),
            "/api/cart failed on the server with 500",
            "high",
        ),
    ]);
    let both =
        json!([failed("/api/cart", 1_000), asked_by(failed("/api/ads", 1_010)), exception(1_060, "HTTP 500", LOADED)]);
    check_confidence(&[("its stack shows which", both, "/api/ads", "high")]);
}

#[test]
fn noise_is_not_a_cause() {
    let reading = "Cannot read properties of undefined (reading 'lines')";
    let beacon = |url: &str, status: u16| request(1_000, 5, "POST", url, status, Some("{}"));
    check_not_blamed(&[
        (
            "a beacon that failed",
            json!([beacon("https://www.google-analytics.com/g/collect", 500), exception(1_015, reading, APP)]),
            "google-analytics",
        ),
        (
            "one that got no answer",
            json!([beacon("https://o1.ingest.sentry.io/api/1/envelope/", 0), exception(1_015, reading, APP)]),
            "sentry.io",
        ),
        (
            "a missing source map",
            json!([request(1_000, 5, "GET", "/app.js.map", 404, None), exception(1_015, reading, APP)]),
            "app.js.map",
        ),
    ]);
    let server =
        session(json!([request(1_000, 5, "GET", "/api/heartbeat", 500, None), exception(1_015, reading, APP)]));
    assert!(server.tool("diagnose", json!({}))["cause"].as_str().unwrap().contains("heartbeat"));
    server.tool("configure_noise", json!({ "action": "add", "rule": "/api/heartbeat" }));
    let answer = server.tool("diagnose", json!({}));
    assert!(!answer["cause"].as_str().unwrap().contains("heartbeat"), "{answer:#}");
}

#[test]
fn a_connection_counts_if_the_message_mentions_it_in_words_not_in_identifiers() {
    let socket = || closed(1_000, "ws://localhost:3000/live");
    let said = |message: &str| json!([socket(), exception(1_020, message, APP)]);
    for message in [
        "connectionString is not defined",
        "streamId.map is not a function",
        "Cannot read properties of undefined (reading 'connection')",
        "Cannot read properties of null (reading 'socket')",
        "stream is not defined",
        "disconnectButton.focus is not a function",
        "upstream value 3 is negative",
    ] {
        let answer = diagnosed(&said(message));
        assert_ne!(answer["confidence"], "high", "{message}: {answer:#}");
        assert!(!answer["because"].to_string().contains("mentions the connection"), "{message}: {answer:#}");
    }
    for handler in ["onCloseDialog", "Modal.onClose", "HTMLImageElement.onerror", "disconnectButtons"] {
        let stack = format!("    at {handler} (http://localhost:3000/app.js:10:5)");
        let answer = diagnosed(&json!([socket(), exception(1_020, "total is negative", &stack)]));
        assert_ne!(answer["confidence"], "high", "{handler}: {answer:#}");
    }
    let cases: Vec<_> = ["the socket is closed", "WebSocket is already in CLOSING or CLOSED state.", "connection lost"]
        .map(|message| (message, said(message), "was closed with 1006", "high"))
        .into();
    check_confidence(&cases);
    for handler in ["WebSocket.onclose", "socket.onclose", "onDisconnect", "WebSocket.ws.onerror"] {
        let stack = format!("    at {handler} (http://localhost:3000/app.js:10:5)");
        let events = json!([socket(), exception(1_020, "total is negative", &stack)]);
        check_confidence(&[(handler, events, "was closed with 1006", "high")]);
    }
}

/// A development server that restarts closes its own connection; the application has nothing to do with it.
#[test]
fn the_socket_of_a_development_server_is_not_a_cause() {
    let message = "the connection is gone";
    let dev_server = |url: &str| (json!([closed(1_000, url), exception(1_020, message, APP)]), "was closed");
    let urls = [
        "ws://localhost:5173/?token=Kx8bYtZ-pQ1r",
        "ws://localhost:3000/_next/webpack-hmr?id=7",
        "ws://localhost:3000/_next/webpack-hmr",
        "ws://localhost:8080/sockjs-node/1/a/websocket",
        "ws://localhost:3000/__webpack_hmr",
        "ws://localhost:4200/ng-cli-ws",
        "ws://localhost:3000/_nuxt/?token=abc",
        "ws://localhost:35729/livereload",
    ];
    let cases: Vec<_> = urls
        .iter()
        .map(|url| {
            let (events, words) = dev_server(url);
            (*url, events, words)
        })
        .collect();
    check_not_blamed(&cases);
    // Its messages show what it is, whatever its address.
    let told = json!([
        { "type": "websocket", "ts": at(500), "event": "message", "id": "c1", "url": "ws://localhost:3000/x", "direction": "incoming",
          "data": "{\"type\":\"update\",\"updates\":[{\"type\":\"js-update\",\"path\":\"/src/App.jsx\"}]}" },
        closed(1_000, "ws://localhost:3000/x"),
        exception(1_020, message, APP),
    ]);
    check_not_blamed(&[("by its messages", told, "was closed")]);
}

/// No response can define a name, or take a variable out of its temporal dead zone.
#[test]
fn no_request_makes_a_name_undefined() {
    let failed = || request(1_000, 20, "GET", "/api/cart", 500, None);
    for message in [
        "totl is not defined",
        "Cannot access 'total' before initialization",
        "Assignment to constant variable.",
        "can't access lexical declaration 'total' before initialization",
        "Can't find variable: totl",
    ] {
        let mut thrown = exception(1_030, message, LOADED);
        thrown["stack"] = json!(format!("ReferenceError: {message}\n{LOADED}"));
        for request in [failed(), asked_by(failed())] {
            let answer = diagnosed(&json!([request, closed(1_025, "ws://localhost:3000/live"), thrown]));
            let cause = answer["cause"].as_str().unwrap();
            assert!(!cause.contains("/api/cart") && !cause.contains("1006"), "{message}: {answer:#}");
            assert_eq!(answer["confidence"], "low", "{message}: {answer:#}");
        }
    }
}

#[test]
fn a_failed_request_that_was_repeated_successfully_is_not_the_cause() {
    let attempt = |started: u32, status: u16| request(started, 20, "GET", "/api/cart", status, None);
    let of_test = |events: Value| {
        let server = crate::support::Server::start();
        assert_eq!(server.post("/sync", &json!({ "test_id": "pays", "events": events })).status, 200);
        server.tool("diagnose", json!({}))
    };
    let warned =
        json!({ "type": "console", "level": "error", "ts": at(5_000), "url": PAGE, "message": "total missing" });
    for (name, last, words) in [
        ("an exception", exception(5_000, "total is negative", APP), "total is negative"),
        ("a console error", warned, "total missing"),
        ("an answer 404", request(5_000, 10, "GET", "/api/order", 404, None), "/api/order"),
    ] {
        let answer = of_test(json!([attempt(1_000, 503), attempt(1_500, 200), last]));
        assert!(answer["error"]["message"].as_str().unwrap().contains(words), "{name}: {answer:#}");
    }
    // It succeeded once, and failed after.
    let answer = of_test(json!([attempt(1_000, 200), attempt(1_500, 503), exception(5_000, "total is negative", APP)]));
    assert!(answer["error"]["message"].as_str().unwrap().contains("/api/cart"), "{answer:#}");
    // There is no more severe candidate.
    let answer = of_test(json!([attempt(1_000, 503), attempt(1_500, 200)]));
    assert!(answer["error"]["message"].as_str().unwrap().contains("/api/cart"), "{answer:#}");
}

/// Pages also parse stored or typed text, and have their own error messages for it.
#[test]
fn invalid_json_that_no_server_sent_blames_no_request() {
    let failed = |message: &str| json!({ "type": "error", "source": "exception", "ts": at(5_000), "message": message, "url": PAGE });
    let answered = |content_type: &str, status: u16, started: u32, body: Option<&str>| {
        let mut asked = request(started, 20, "POST", "/api/me", status, body);
        asked["contentType"] = json!(content_type);
        asked["responseSize"] = body.map_or(json!(900), |body| json!(body.len()));
        asked
    };
    let page = Some("<!doctype html><p>we are busy</p>");
    check_not_blamed(&[
        (
            "the page's own words",
            json!([answered("text/html", 200, 4_900, page), failed("The configuration you entered is not valid JSON")]),
            "instead of JSON",
        ),
        (
            "the whole text stands in a page",
            json!([
                answered("text/html", 200, 4_900, page),
                failed("Unexpected token 'b', \"busy\" is not valid JSON")
            ]),
            "instead of JSON",
        ),
        (
            "a picture",
            json!([
                answered("image/png", 200, 4_900, None),
                failed("JSON.parse: unexpected character at line 1 column 1 of the JSON data")
            ]),
            "instead of JSON",
        ),
        (
            "a style sheet",
            json!([
                answered("text/css", 200, 4_900, None),
                failed("Unexpected token 'b', \"body { col\"... is not valid JSON")
            ]),
            "instead of JSON",
        ),
    ]);
    // An answer without a body, some time before: the text may be from elsewhere.
    let events = json!([answered("", 204, 4_000, Some("")), failed("Unexpected end of JSON input")]);
    assert_eq!(diagnosed(&events)["confidence"], "low", "{:#}", diagnosed(&events));
}

#[test]
fn a_failure_that_was_repaired_before_the_error_is_not_blamed() {
    let events = json!([
        request(1_000, 20, "GET", "/api/user", 500, None),
        request(1_200, 20, "GET", "/api/user", 200, None),
        exception(2_000, "Cannot read properties of null (reading 'focus')", APP),
    ]);
    check_not_blamed(&[("retried", events, "/api/user")]);
}

#[test]
fn a_click_right_before_an_error_makes_an_earlier_failure_doubtful() {
    let failed = request(1_000, 20, "GET", "/api/config", 500, None);
    let error = exception(2_402, "menuRef.current.open is not a function", APP);
    let events = json!([failed, click(2_400, "Menu"), error]);
    check_confidence(&[("a click 2 ms before", events.clone(), "", "low")]);
    // Whatever is blamed, the answer names the click.
    let answer = diagnosed(&events);
    let told = format!("{} {}", answer["action"], answer["around"]);
    assert!(told.contains("Menu"), "{answer}");
    check_confidence(&[("no click", json!([failed, error]), "/api/config", "medium")]);
}

#[test]
fn errors_of_browser_and_framework_rules_are_caused_by_the_code() {
    let failed = request(1_000, 20, "GET", "/api/config", 500, None);
    let cases = [
        "Failed to execute 'querySelector' on 'Document': '#' is not a valid selector.",
        "NotFoundError: Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
        "QuotaExceededError: Failed to execute 'setItem' on 'Storage': Setting the value of 'a' exceeded the quota.",
        "Invalid hook call. Hooks can only be called inside of the body of a function component.",
        "Minified React error #418; visit https://react.dev/errors/418?args[]=text for the full message",
        "Rendered more hooks than during the previous render.",
        "Hydration failed because the server rendered HTML didn't match the client.",
    ];
    let cases: Vec<_> =
        cases.map(|message| (message, json!([failed, exception(1_320, message, APP)]), "/api/config")).to_vec();
    check_not_blamed(&cases);
    // A request that was itself rejected is a different case.
    let own = exception(1_030, "Failed to execute 'json' on 'Response': Unexpected end of JSON input", APP);
    check_confidence(&[("json", json!([failed, own]), "/api/config", "medium")]);
}

/// The cause must not claim what the answer did not say.
#[test]
fn the_cause_of_a_rejected_request_says_only_what_was_captured() {
    let asked = |path: &str, status: u16, body: Option<&str>| {
        let mut asked = request(1_000, 20, "GET", path, status, body);
        asked["hasAuthHeader"] = json!(true);
        asked["contentType"] =
            json!(if body.is_some_and(|body| body.starts_with('<')) { "text/html" } else { "application/json" });
        asked
    };
    let said = |answered: &[Value]| {
        let answer = session(json!(answered)).tool("diagnose", json!({}));
        answer["cause"].as_str().unwrap().to_owned()
    };
    let (missing, expired, refused) =
        ("no such address", "token has expired", "credentials it was sent with are not accepted");
    let known = || asked("/api/users/1", 200, Some(r#"{"id":1}"#));
    let earlier = |mut asked: Value| {
        asked["ts"] = json!(at(500));
        asked
    };
    for (answered, words, is_said) in [
        (vec![asked("/api/users/999", 404, Some(r#"{"error":"user 999 not found"}"#))], missing, false),
        (vec![known(), asked("/api/users/999", 404, None)], missing, false),
        (vec![asked("/api/usres", 404, Some("<!doctype html><pre>Cannot GET /api/usres</pre>"))], missing, true),
        (vec![asked("/api/usres", 404, Some(""))], missing, true),
        (vec![asked("/api/buy", 403, Some(r#"{"message":"Your trial has expired, please upgrade"}"#))], expired, false),
        (vec![asked("/api/buy", 403, Some(r#"{"message":"Coupon expired"}"#))], expired, false),
        (vec![asked("/api/buy", 403, Some(r#"{"error":"Coupon expired","sessionId":"s-1"}"#))], expired, false),
        (vec![asked("/api/buy", 403, Some(r#"{"message":"Coupon expired"}"#))], refused, false),
        (vec![asked("/api/me", 401, Some(r#"{"message":"jwt expired"}"#))], expired, true),
        (vec![asked("/api/me", 401, Some(r#"{"message":"your session has expired"}"#))], expired, true),
        (vec![asked("/api/me", 401, Some(r#"{"message":"no"}"#))], refused, true),
        (vec![asked("/api/me", 0, None)], "the server is not running", true),
        (vec![asked("/api/me", 0, None), known()], "the server is not running", false),
        (vec![earlier(known()), asked("/api/me", 0, None)], "answered another request at that time", false),
    ] {
        let cause = said(&answered);
        assert_eq!(cause.contains(words), is_said, "{answered:?}: {cause}");
    }
}
