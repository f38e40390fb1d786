//! `serve --ci`: pages under test write with the ingest token, and read nothing.

use serde_json::{Value, json};

use crate::support::{EXTENSION, Server, TOKEN, gasoline};

const PAGE: &str = "https://shop.test";
const ROUTES: [(&str, &str); 7] = [
    ("/logs", r#"{"entries":[{"message":"x"}]}"#),
    ("/websocket-events", r#"{"events":[{"event":"open","id":"c"}]}"#),
    ("/network-bodies", r#"{"bodies":[{"url":"/x","status":200}]}"#),
    ("/enhanced-actions", r#"{"actions":[{"type":"click"}]}"#),
    ("/performance-snapshot", r#"{"url":"/x"}"#),
    ("/dom-snapshots", r#"{"snapshots":[{"url":"/x"}]}"#),
    ("/sync", r#"{"events":[{"type":"console","level":"log","message":"x"}]}"#),
];

fn ci() -> (Server, String) {
    let server = Server::with(&["--ci"]);
    let token = server.ingest_token.clone().expect("printed at the start");
    (server, token)
}

#[test]
fn pages_of_any_origin_write_with_it() {
    let (server, token) = ci();
    assert_eq!(token.len(), 64);
    assert_ne!(token, TOKEN);
    for origin in [Some(PAGE), Some("null"), Some("http://localhost:3000"), Some(EXTENSION), None] {
        for (path, body) in ROUTES {
            let mut request = server.request("POST", path).token(Some(&token)).body(body);
            if let Some(origin) = origin {
                request = request.header("Origin", origin).header("Sec-Fetch-Site", "cross-site");
            }
            let reply = request.send();
            assert_eq!(reply.status, 200, "{path} from {origin:?}: {reply:?}");
            if let Some(origin) = origin {
                assert!(reply.head.contains(&format!("access-control-allow-origin: {origin}\r\n")), "{reply:?}");
            }
        }
    }
    assert_eq!(server.health()["buffers"]["logs"]["received"], 10);
}

#[test]
fn preflights_are_answered_there_and_only_there() {
    let (server, _) = ci();
    for (path, _) in ROUTES {
        let reply = server.request("OPTIONS", path).token(None).header("Origin", PAGE).send();
        assert_eq!(reply.status, 204, "{path}");
        for line in [
            "access-control-allow-origin: https://shop.test",
            "access-control-allow-methods: post",
            "access-control-allow-headers: authorization, content-type",
            "access-control-allow-private-network: true",
        ] {
            assert!(reply.head.contains(line), "{path}: {reply:?}");
        }
        assert!(!reply.has_header("access-control-allow-credentials"));
    }
    for path in
        ["/snapshot", "/clear", "/screenshots", "/health", "/pair", "/mcp", "/extension-logs", "/logs/", "/nowhere"]
    {
        let reply = server.request("OPTIONS", path).token(None).header("Origin", PAGE).send();
        assert_eq!(reply.status, 403, "{path}");
        assert!(!reply.has_header("access-control-allow-origin"), "{path}");
    }
    let plain = server.request("OPTIONS", "/logs").token(None).send();
    assert_eq!(plain.status, 401, "no browser, no preflight");
}

#[test]
fn it_reads_nothing() {
    let (server, token) = ci();
    server.log(json!([{ "message": "of another test" }]));
    for (method, path) in [
        ("GET", "/logs"),
        ("HEAD", "/logs"),
        ("DELETE", "/logs"),
        ("GET", "/performance-snapshot"),
        ("GET", "/sync"),
        ("PUT", "/logs"),
        ("GET", "/snapshot"),
        ("POST", "/clear"),
        ("POST", "/screenshots"),
        ("POST", "/extension-logs"),
        ("POST", "/mcp"),
        ("GET", "/metrics"),
        ("POST", "/shutdown"),
        ("GET", "/events/stream"),
        ("GET", "/pending-queries"),
    ] {
        let reply = server.request(method, path).token(Some(&token)).send();
        assert_eq!(reply.status, 401, "{method} {path}");
        let from_page = server.request(method, path).token(Some(&token)).header("Origin", PAGE).send();
        assert_eq!(from_page.status, 403, "{method} {path} from a page");
        assert!(!from_page.has_header("access-control-allow-origin"), "{method} {path}");
    }
    let health = server.request("GET", "/health").token(Some(&token)).send().json();
    assert_eq!(health.as_object().unwrap().len(), 3, "no more than anyone is told: {health}");
    assert_eq!(server.get("/logs").json()["count"], 1, "and nothing was cleared");
}

#[test]
fn answers_report_only_the_results_of_the_senders_own_entries() {
    let (server, token) = ci();
    server.log(json!([{ "message": "of another" }, { "message": "and another" }]));
    let send = |path: &str, body: &str| server.request("POST", path).token(Some(&token)).body(body).send().json();
    let error = r#"{"message":"x is not a function","level":"error","stack":"Error: x\n    at f (http://localhost:3000/app.js:1:1)"}"#;
    let logs = send("/logs", &format!(r#"{{"entries":[{error},5]}}"#));
    assert_eq!((&logs["received"], &logs["rejected"]), (&json!(1), &json!(1)));
    assert!(logs["reasons"][0].is_string());
    assert_eq!(logs["source_maps_wanted"], json!(["http://localhost:3000/app.js"]), "which it named itself");
    assert_eq!(logs.as_object().unwrap().len(), 4, "{logs}");
    let sync = send("/sync", r#"{"events":[{"type":"console","message":"x"}]}"#);
    assert_eq!(sync, json!({ "status": "received", "event_count": 1, "rejected": 0 }));
    let trusted = server.post("/logs", &json!({ "entries": [{ "message": "y" }] })).json();
    assert_eq!(trusted["entries"], 5, "senders with the access token still get the total");
}

#[test]
fn nothing_is_written_without_the_token_or_with_it_in_the_url() {
    let (server, token) = ci();
    for given in [None, Some(""), Some("wrong"), Some(TOKEN), Some(&token[..63])] {
        let reply = server.request("POST", "/logs").token(given).header("Origin", PAGE).body(ROUTES[0].1).send();
        assert_eq!(reply.status, 401, "{given:?}");
    }
    for address in [format!("/logs?token={token}"), format!("/logs?ingest_token={token}&access_token={token}")] {
        let reply = server.request("POST", &address).token(None).header("Origin", PAGE).body(ROUTES[0].1).send();
        assert_eq!(reply.status, 401, "{address}");
    }
    // Host first, and before the body is looked at.
    let reply = server.request("POST", "/logs").token(Some(&token)).host(Some("evil.example")).body("not JSON").send();
    assert_eq!(reply.status, 403);
    let reply = server.request("POST", "/logs").token(Some("wrong")).header("Origin", PAGE).body("not JSON").send();
    assert_eq!(reply.status, 401);
    let both = server
        .request("POST", "/logs")
        .token(Some(&token))
        .header("Origin", PAGE)
        .header("Origin", "https://other.test")
        .body(ROUTES[0].1)
        .send();
    assert_eq!(both.status, 403, "one request, one origin");
    assert_eq!(server.health()["buffers"]["logs"]["received"], 0);
}

#[test]
fn a_page_can_read_why_it_is_rejected() {
    let server = Server::with(&["--ci", "--max-events-per-second", "10"]);
    let token = server.ingest_token.clone().unwrap();
    let send = |path: &str, token: Option<&str>, body: &str| {
        let reply = server.request("POST", path).token(token).header("Origin", PAGE).body(body).send();
        assert!(reply.head.contains("access-control-allow-origin: https://shop.test\r\n"), "{path}: {reply:?}");
        assert!(!reply.has_header("access-control-allow-credentials"), "{path}");
        reply.status
    };
    for (path, body) in ROUTES {
        assert_eq!(send(path, Some("wrong"), body), 401, "{path}");
        assert_eq!(send(path, None, body), 401, "{path}");
        assert_eq!(send(path, Some(&token), "{"), 400, "{path}");
    }
    let large = format!(r#"{{"entries":[{{"message":"{}"}}]}}"#, "x".repeat(20 * 1024 * 1024));
    assert_eq!(send("/logs", Some(&token), &large), 413);
    let entries = vec![json!({ "message": "x" }); 50];
    let burst = json!({ "entries": entries }).to_string();
    assert_eq!(send("/logs", Some(&token), &burst), 200);
    assert_eq!(send("/logs", Some(&token), &burst), 429);
    // No other route, no other host, no other method.
    for (method, path, host) in [
        ("POST", "/clear", None),
        ("POST", "/snapshot", None),
        ("GET", "/logs", None),
        ("GET", "/health", None),
        ("POST", "/logs", Some("evil.example")),
    ] {
        let mut request = server.request(method, path).token(Some("wrong")).header("Origin", PAGE);
        if host.is_some() {
            request = request.host(host);
        }
        let reply = request.send();
        assert_eq!(reply.status, 403, "{method} {path}");
        assert!(!reply.has_header("access-control-allow-origin"), "{method} {path}");
    }
}

#[test]
fn without_ci_the_token_is_rejected() {
    let server = Server::with_variable(&[], "GASOLINE_INGEST_TOKEN", "chosen-by-the-pipeline");
    assert_eq!(server.ingest_token, None);
    for (path, body) in ROUTES {
        let plain = server.request("POST", path).token(Some("chosen-by-the-pipeline")).body(body).send();
        assert_eq!(plain.status, 401, "{path}");
        let page = server.request("POST", path).token(Some("chosen-by-the-pipeline")).header("Origin", PAGE);
        assert_eq!(page.body(body).send().status, 403, "{path}");
        let preflight = server.request("OPTIONS", path).token(None).header("Origin", PAGE).send();
        assert_eq!(preflight.status, 403, "{path}");
    }
}

#[test]
fn the_environment_may_set_it_but_not_to_the_access_token() {
    let server = Server::with_variable(&["--ci"], "GASOLINE_INGEST_TOKEN", "chosen-by-the-pipeline");
    assert_eq!(server.ingest_token, None, "a token from the environment is not printed: many people read CI logs");
    let reply = server.request("POST", "/logs").token(Some("chosen-by-the-pipeline")).header("Origin", PAGE);
    assert_eq!(reply.body(ROUTES[0].1).send().status, 200);

    let state = tempfile::TempDir::new().unwrap();
    let refused = gasoline(state.path())
        .args(["serve", "--port", "0", "--ci"])
        .env("GASOLINE_INGEST_TOKEN", TOKEN)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let says = String::from_utf8(refused.stderr).unwrap();
    assert!(says.contains("set another one") && !says.contains(TOKEN), "{says}");
}

#[test]
fn no_auth_does_not_open_it_to_pages() {
    let server = Server::with(&["--ci", "--no-auth"]);
    let token = server.ingest_token.clone().unwrap();
    let page = |token: Option<&str>| {
        server.request("POST", "/logs").token(token).header("Origin", PAGE).body(ROUTES[0].1).send().status
    };
    assert_eq!((page(None), page(Some(&token))), (401, 200));
    assert_eq!(server.request("GET", "/logs").token(None).header("Origin", PAGE).send().status, 403);
    assert_eq!(server.request("GET", "/logs").token(None).send().status, 200);
}

#[test]
fn a_page_that_floods_does_not_starve_the_others() {
    let server = Server::with(&["--ci", "--max-events-per-second", "10"]);
    let token = server.ingest_token.clone().unwrap();
    let send = |origin: &str, worker: Option<&str>, count: usize| {
        let entries = vec![json!({ "message": "x" }); count];
        let body = json!({ "worker": worker, "entries": entries }).to_string();
        server.request("POST", "/logs").token(Some(&token)).header("Origin", origin).body(body).send().status
    };
    assert_eq!(send(PAGE, Some("1"), 50), 200);
    assert_eq!(send(PAGE, Some("1"), 50), 429, "its burst is used up");
    assert_eq!(send(PAGE, Some("2"), 50), 200, "another worker of the same origin");
    assert_eq!(send("https://other.test", Some("1"), 50), 200, "another origin");
    assert_eq!(send(PAGE, None, 50), 200, "a page that names no worker");
}

/// Without maps, errors of pages under test would point into bundles.
#[test]
fn pages_are_asked_only_for_the_maps_of_their_own_scripts() {
    let (server, token) = ci();
    let error = |script: &str| json!({ "type": "exception", "level": "error", "message": "boom", "stack": format!("Error: boom\n    at f (http://shop.test/{script}:1:10)") });
    // An entry of another test, sent by the fixture, which is trusted.
    let trusted = server.post("/logs", &json!({ "entries": [error("secret.js")] })).json();
    assert_eq!(trusted["source_maps_wanted"], json!(["http://shop.test/secret.js"]));
    let send = |path: &str, body: Value| {
        let request = server.request("POST", path).token(Some(&token)).header("Origin", PAGE);
        request.body(body.to_string()).send()
    };
    let reply = send("/logs", json!({ "entries": [error("app.js")] })).json();
    assert_eq!(reply["source_maps_wanted"], json!(["http://shop.test/app.js"]));
    let map = json!({ "version": 3, "sources": ["src/app.ts"], "names": [], "mappings": "AAAA", "sourcesContent": ["boom()"] });
    let brought = send("/source-maps", json!({ "url": "http://shop.test/app.js", "map": map.to_string() }));
    assert_eq!(brought.status, 200, "{brought:?}");
    let told = server.get("/report?format=text").body;
    assert!(told.contains("src/app.ts"), "{told}");
}

#[test]
fn it_reports_on_tests_that_it_started_and_no_others() {
    let (server, token) = ci();
    let send = |token: &str, boundary: Value| {
        server
            .request("POST", "/test-boundary")
            .token(Some(token))
            .header("Origin", PAGE)
            .body(boundary.to_string())
            .send()
    };
    let started = server.post("/test-boundary", &json!({ "test_id": "runner's", "action": "start", "worker": "1" }));
    assert_eq!(started.status, 200);
    let own = send(&token, json!({ "test_id": "page's", "action": "start", "worker": "2" }));
    assert_eq!((own.status, &own.json()["test_id"]), (200, &json!("page's")), "{own:?}");
    assert!(own.has_header("access-control-allow-origin"));
    for other in [
        json!({ "test_id": "runner's", "action": "end", "status": "passed" }),
        json!({ "test_id": "runner's", "action": "start" }),
        // It would end the test of that worker.
        json!({ "test_id": "page's second", "action": "start", "worker": "1" }),
    ] {
        let refused = send(&token, other.clone());
        assert_eq!(refused.status, 403, "{other} {refused:?}");
        assert!(refused.body.contains("belongs to another"), "{refused:?}");
    }
    let ended =
        send(&token, json!({ "test_id": "page's", "action": "end", "status": "failed", "expected_status": "passed" }));
    assert_eq!(ended.status, 200);
    let tests = server.get("/snapshot").json()["tests"].clone();
    let found: Vec<(&Value, bool)> =
        tests.as_array().unwrap().iter().map(|test| (&test["test_id"], test.get("ended").is_some())).collect();
    assert_eq!(found, [(&json!("runner's"), false), (&json!("page's"), true)], "{tests}");
}
