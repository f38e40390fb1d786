//! `security_audit`, over the real binary.

use serde_json::{Value, json};

use crate::socket::Socket;
use crate::support::{EXTENSION, Server, TOKEN};

/// Concatenated here, so that no repository scanner takes it for a real key.
fn key(prefix: &str, length: usize) -> String {
    let body: String = "Q7w2X9r4K1z8".chars().cycle().take(length).collect();
    format!("{prefix}{body}")
}

fn sync(server: &Server, events: Value) {
    let sent = events.as_array().unwrap().len();
    let reply = server.post("/sync", &json!({ "events": events })).json();
    assert_eq!(reply["event_count"], sent, "{reply}");
}

fn titles(answer: &Value) -> Vec<String> {
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
    findings
        .iter()
        .map(|finding| format!("{}: {}", finding["category"].as_str().unwrap(), finding["title"].as_str().unwrap()))
        .collect()
}

#[test]
fn a_session_with_every_kind_of_issue() {
    let server = Server::start();
    let (github, stripe) = (key("ghp_", 36), key("sk_live_", 24));
    let jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "c2lnbmF0dXJlLW9mLWl0cw"].join(".");
    sync(
        &server,
        json!([
            { "type": "network", "method": "GET", "url": format!("https://api.example.net/data?api_key={stripe}&page=2"), "status": 200, "pageUrl": "https://shop.example.net/" },
            { "type": "network", "method": "GET", "url": "https://shop.example.net/api/users/profile", "status": 200, "hasAuthHeader": false, "contentType": "application/json",
              "responseBody": r#"{"email":"ada@lovelace.org","phone":"+49 30 901820"}"#, "pageUrl": "https://shop.example.net/" },
            { "type": "network", "method": "GET", "url": "http://cdn.example.net/lib.js", "status": 200, "contentType": "text/javascript", "pageUrl": "https://shop.example.net/" },
            { "type": "network", "method": "POST", "url": "https://shop.example.net/api/echo", "status": 200, "hasAuthHeader": true, "responseBody": json!({ "debug": github }).to_string(),
              "responseHeaders": { "set-cookie": "sessionid=Q7w2X9r4K1z8Q7w2; Path=/" }, "pageUrl": "https://shop.example.net/" },
            { "type": "console", "level": "log", "message": format!("Token: {jwt}"), "args": ["Token:", jwt], "source": "console", "url": "https://shop.example.net/" },
            { "type": "websocket", "event": "open", "id": "c1", "url": "ws://live.example.net/feed" },
        ]),
    );
    let mut client = server.client();
    let answer = client.tool("security_audit", json!({}));
    let found = titles(&answer);
    for expected in [
        "credentials: API key exposed in URL query parameter",
        "credentials: GitHub token in response body",
        "auth_patterns: Endpoint returns user data without authentication",
        "pii_exposure: Auth token logged to console",
        "pii_exposure: Personal data in unauthenticated response",
        "transport: Mixed content: HTTPS page loading HTTP resource",
        "transport: API call over unencrypted HTTP",
        "transport: WebSocket over unencrypted ws://",
        "cookie_security: Session cookie without HttpOnly",
        "security_headers: No Strict-Transport-Security",
    ] {
        assert!(found.iter().any(|title| title == expected), "{expected} in {found:#?}");
    }
    for secret in
        [github.as_str(), stripe.as_str(), jwt.as_str(), "lovelace.org", "901820", "Q7w2X9r4K1z8Q7w2", "[secret:"]
    {
        assert!(!answer.to_string().contains(secret), "{secret} in {answer}");
    }
    let severities: Vec<&str> =
        answer["findings"].as_array().unwrap().iter().map(|finding| finding["severity"].as_str().unwrap()).collect();
    let mut sorted = severities.clone();
    sorted.sort_by_key(|severity| ["critical", "warning", "info"].iter().position(|known| known == severity));
    assert_eq!(severities, sorted);
    assert_eq!(
        answer["summary"]["scanned"],
        json!({ "network_requests": 4, "console_entries": 1, "unique_endpoints": 4 })
    );
    let in_url = answer["findings"].as_array().unwrap().iter().find(|finding| finding["cwe"] == "CWE-598").unwrap();
    assert_eq!(
        in_url["evidence"]["url"],
        "https://api.example.net/data?api_key=sk_liv…1z8&page=2"
            .replace("1z8&", &format!("{}&", &stripe[stripe.len() - 3..]))
    );
    let full = client.tool("get_network_bodies", json!({ "id": in_url["evidence"]["id"] }));
    assert!(full["entry"]["url"].as_str().unwrap().starts_with("https://api.example.net/data"), "{full}");
    for (arguments, expected) in [
        (
            json!({ "checks": ["transport"], "severity_min": "critical" }),
            vec!["transport: Mixed content: HTTPS page loading HTTP resource"],
        ),
        (
            json!({ "checks": ["credentials"], "url_filter": "echo" }),
            vec!["credentials: GitHub token in response body"],
        ),
        (json!({ "checks": ["credentials"], "since": "checkpoint" }), vec![]),
    ] {
        assert_eq!(titles(&client.tool("security_audit", arguments.clone())), expected, "{arguments}");
    }
}

#[test]
fn wrong_parameters_are_reported() {
    let server = Server::start();
    let mut client = server.client();
    let wrong = client.tool("security_audit", json!({ "checks": ["transport", "nonsense"] }));
    assert_eq!(wrong["error"], "invalid_params");
    for known in
        ["nonsense", "credentials", "auth_patterns", "pii_exposure", "transport", "security_headers", "cookie_security"]
    {
        assert!(wrong.to_string().contains(known), "{known}: {wrong}");
    }
    for bad in [json!({ "severity_min": "high" }), json!({ "since": "yesterday" }), json!({ "nonsense": 1 })] {
        assert_eq!(client.tool("security_audit", bad.clone())["error"], "invalid_params", "{bad}");
    }
}

#[test]
fn an_empty_answer_says_why() {
    let server = Server::start();
    let mut client = server.client();
    let hint = |answer: Value| {
        assert_eq!(answer["findings"], json!([]), "{answer}");
        answer["hint"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    assert!(hint(client.tool("security_audit", json!({}))).contains("no browser is connected"));
    sync(
        &server,
        json!([{ "type": "network", "url": "https://shop.example.net/a", "status": 200, "responseBody": "{}", "test_id": "t" }]),
    );
    assert_eq!(hint(client.tool("security_audit", json!({}))), "nothing found in 1 requests and 0 console entries");
    assert_eq!(
        hint(client.tool("security_audit", json!({ "test_id": "other" }))),
        "the filter matched none of 1 entries; widen it or leave it out"
    );
    sync(&server, json!([{ "type": "console", "level": "log", "message": "hello ada@lovelace.org" }]));
    let mild = hint(client.tool("security_audit", json!({ "test_id": null, "checks": ["pii_exposure"] })));
    assert!(mild.contains("1 below it: set severity_min to info"), "{mild}");
    let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
    let tabs = json!([{ "id": 1, "url": "http://localhost/", "captured": true }]);
    socket
        .send(&json!({ "type": "hello", "token": TOKEN, "tabs": tabs, "settings": { "captureNetworkBodies": false } }));
    socket.receive().unwrap();
    server.request("POST", "/clear").send();
    sync(&server, json!([{ "type": "network", "url": "https://shop.example.net/a", "status": 200 }]));
    let blind = hint(client.tool("security_audit", json!({})));
    assert!(
        blind.starts_with("credentials, auth_patterns, pii_exposure could not see bodies: bodies are off"),
        "{blind}"
    );
    let seeing = hint(client.tool("security_audit", json!({ "checks": ["transport"] })));
    assert_eq!(seeing, "nothing found in 1 requests and 0 console entries");
}
