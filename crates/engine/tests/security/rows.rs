//! Every row of every table.

use engine::analysis::security::Severity;
use engine::intake::Content;
use serde_json::{Value, json};

use crate::support::{audited, logs, requests, store, told};

/// A valid form, assembled at run time, so that no secret scanner takes it for a key.
fn secret(prefix: &str, length: usize) -> String {
    let body: String = "Q7w2X9r4K1z8".chars().cycle().take(length).collect();
    format!("{prefix}{body}")
}

fn jwt() -> String {
    ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "c2lnbmF0dXJlLW9mLWl0cw"].join(".")
}

fn get(url: &str) -> Value {
    json!([{ "method": "GET", "url": url, "status": 200 }])
}

#[test]
fn secrets_in_addresses_are_found() {
    for name in [
        "api_key",
        "apikey",
        "API_KEY",
        "key",
        "token",
        "secret",
        "password",
        "client_secret",
        "user_password",
        "passwd",
        "access_token",
        "auth",
        "bearer",
    ] {
        let store = requests(get(&format!("https://a.example/data?{name}=Q7w2X9r4K1z8Q7w2X9r4&page=2")));
        let told = told(&store, "credentials");
        assert_eq!(told.len(), 1, "{name}: {told:?}");
        assert!(
            told[0].starts_with("critical: ") && told[0].ends_with(" exposed in URL query parameter"),
            "{name}: {told:?}"
        );
    }
    for (url, expected) in [
        ("https://a.example/?page=2&q=keys", vec![]),
        ("https://a.example/?api_key=test-key-12345678", vec![]),
        ("https://a.example/?sig=Q7w2X9r4K1z8Q7w2X9r4K1z8", vec!["warning: Signature exposed in URL query parameter"]),
        ("https://a.example/cb?code=Q7w2X9r4K1z8Q7w2X9r4", vec!["info: Token exposed in URL query parameter"]),
        ("https://ada:Q7w2X9r4K1z8@a.example/", vec!["critical: Password exposed in URL"]),
    ] {
        assert_eq!(told(&requests(get(url)), "credentials"), expected, "{url}");
    }
}

#[test]
fn tokens_that_belong_in_addresses_are_accepted() {
    let value = "Q7w2X9r4K1z8Q7w2X9r4";
    for name in ["csrf_token", "xsrfToken", "pageToken", "nextPageToken", "continuationToken"] {
        for told in told(&requests(get(&format!("https://a.example/list?{name}={value}"))), "credentials") {
            assert!(told.starts_with("info: "), "{name}: {told}");
        }
        // A key is a key, whatever its name.
        let key = secret("ghp_", 36);
        let told = told(&requests(get(&format!("https://a.example/list?{name}={key}"))), "credentials");
        assert!(told.len() == 1 && told[0].starts_with("critical: "), "{name}: {told:?}");
    }
    for (url, severity) in [
        (format!("https://a.example/list?csrf_token={value}"), "info: "),
        (format!("https://a.example/socket.io/?EIO=4&transport=polling&sid={value}"), "info: "),
        (format!("https://a.example/x?sid={value}"), "critical: "),
    ] {
        let told = told(&requests(get(&url)), "credentials");
        assert!(told.len() == 1 && told[0].starts_with(severity), "{url}: {told:?}");
    }
}

#[test]
fn fragments_are_not_query_parameters() {
    let value = "Q7w2X9r4K1z8Q7w2X9r4";
    for (url, title, field) in [
        (format!("https://a.example/cb#access_token={value}&state=1"), "Token exposed in URL fragment", "fragment"),
        (
            format!("https://a.example/cb?access_token={value}#top"),
            "Token exposed in URL query parameter",
            "query_param",
        ),
    ] {
        let answer = audited(&requests(get(&url)), &["credentials"], Severity::Info);
        let finding = &answer["findings"][0];
        assert_eq!((&finding["title"], &finding["evidence"]["field"]), (&json!(title), &json!(field)), "{answer}");
        assert_eq!(finding["evidence"]["param_name"], "access_token");
        assert_eq!(finding["description"].as_str().unwrap().contains("query parameter"), field == "query_param");
    }
    let both = format!("https://a.example/cb?api_key=Q7w2X9r4K1z9&x=1#access_token={value}");
    let mut told = told(&requests(get(&both)), "credentials");
    told.sort();
    assert_eq!(told, ["critical: API key exposed in URL query parameter", "critical: Token exposed in URL fragment"]);
}

#[test]
fn the_seeds_example() {
    let key = secret("sk-proj-", 24);
    let store = requests(json!([{ "method": "GET", "url": format!("/api/data?api_key={key}"), "status": 200 }]));
    let answer = audited(&store, &[], Severity::Warning);
    let [finding] = answer["findings"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!(
        (&finding["severity"], &finding["category"], &finding["title"], &finding["cwe"]),
        (
            &json!("critical"),
            &json!("credentials"),
            &json!("API key exposed in URL query parameter"),
            &json!("CWE-598")
        )
    );
    let evidence = &finding["evidence"];
    assert_eq!(evidence["url"], "/api/data?api_key=sk-pro…1z8");
    assert_eq!(
        (&evidence["method"], &evidence["field"], &evidence["param_name"]),
        (&json!("GET"), &json!("query_param"), &json!("api_key"))
    );
    assert_eq!(evidence["redacted_value"], "sk-pro…1z8");
    assert!(!answer.to_string().contains(&key));
    assert_eq!(
        answer["summary"]["scanned"],
        json!({ "network_requests": 1, "console_entries": 0, "unique_endpoints": 1 })
    );
    assert_eq!((&answer["summary"]["total"], &answer["summary"]["critical"]), (&json!(1), &json!(1)));
}

#[test]
fn keys_of_known_formats_are_found_anywhere() {
    let upper: String = "Q7W2X9R4K1Z8".chars().cycle().take(16).collect();
    let pem = |kind: &str| format!("-----BEGIN {kind}PRIVATE KEY-----\nQ7w2X9r4K1z8\n-----END {kind}PRIVATE KEY-----");
    for (label, key) in [
        ("AWS access key", format!("AKIA{upper}")),
        ("AWS secret key", format!("aws secret {}", "Q7w/X9r+K1z8".chars().cycle().take(40).collect::<String>())),
        ("GitHub token", secret("ghp_", 36)),
        ("GitHub token", secret("ghs_", 40)),
        ("Stripe key", secret("sk_live_", 24)),
        ("Private key", pem("RSA ")),
        ("Private key", pem("DSA ")),
        ("Private key", pem("EC ")),
        ("Private key", pem("OPENSSH ")),
    ] {
        let body = json!({ "note": key }).to_string();
        for (field, place) in [("requestBody", "request body"), ("responseBody", "response body")] {
            let store = requests(json!([{ "url": "https://a.example/x", "status": 200, field: body }]));
            assert_eq!(told(&store, "credentials"), [format!("critical: {label} in {place}")], "{label}");
        }
        let store = logs(
            json!([{ "level": "log", "type": "console", "message": format!("got {key}"), "args": [format!("got {key}")] }]),
        );
        assert_eq!(told(&store, "credentials"), [format!("critical: {label} in console output")], "{label}");
    }
    for excused in [secret("sk_test_", 24), format!("AKIA{}", "IOSFODNN7EXAMPLE"), secret("gho_dummy", 36)] {
        let store = logs(json!([{ "level": "log", "type": "console", "message": format!("got {excused}") }]));
        assert_eq!(told(&store, "credentials"), [""; 0], "{excused}");
        assert_eq!(told(&store, "pii_exposure"), [""; 0], "{excused}");
    }
    for live in [
        secret("sk_live_test", 24),
        secret("ghp_example", 36),
        format!("AKIATEST{}", upper.chars().take(12).collect::<String>()),
    ] {
        let store = logs(json!([{ "level": "log", "type": "console", "message": format!("got {live}") }]));
        assert_eq!(told(&store, "credentials").len(), 1, "{live}");
    }
}

#[test]
fn addresses_with_passwords_are_found_in_bodies_and_messages() {
    let address = ["postgres://app:Q7w2X9r4K1z8", "@db.a.example:5432/shop"].concat();
    for (field, expected) in [
        ("requestBody", "warning: URL with password in request body"),
        ("responseBody", "critical: URL with password in response body"),
    ] {
        let body = json!({ "dsn": address }).to_string();
        let store = requests(json!([{ "method": "POST", "url": "https://a.example/x", "status": 200, field: body }]));
        assert_eq!(told(&store, "credentials"), [expected]);
        assert!(!audited(&store, &[], Severity::Info).to_string().contains("Q7w2X9r4K1z8"));
    }
    for (direction, severity) in [("outgoing", "warning: "), ("incoming", "critical: ")] {
        let events = json!({ "events": [{ "event": "message", "id": "c", "url": "wss://a.example/live", "direction": direction, "data": address }] });
        let found = told(&store(&[(Content::WebsocketEvents, events)]), "credentials");
        assert!(found.len() == 1 && found[0].starts_with(severity), "{direction}: {found:?}");
    }
}

#[test]
fn credentials_that_may_be_sent_on_purpose_are_milder() {
    let body = |name: &str, value: &str| {
        told(
            &requests(
                json!([{ "method": "POST", "url": "https://a.example/x", "requestBody": json!({ name: value }).to_string() }]),
            ),
            "credentials",
        )
    };
    assert_eq!(body("data", &jwt()), ["warning: JWT in request body"]);
    for name in ["api_key", "apiKey"] {
        assert_eq!(body(name, "Q7w2X9r4"), ["warning: API key in request body"], "{name}");
        assert_eq!(body(name, "Q7w2X9r4K"), ["warning: API key in request body"], "{name}");
        assert_eq!(body(name, "Q7w2X9r"), [""; 0], "{name}");
    }
    assert_eq!(body("api_secret", "Q7w2X9r4"), ["warning: Secret in request body"]);
    // Passwords exist to be sent when signing in.
    assert_eq!(body("password", "correct horse battery"), [""; 0]);
}

#[test]
fn secrets_over_sockets_are_found() {
    let events = json!({ "events": [
        { "event": "open", "id": "c", "url": "wss://a.example/live?token=Q7w2X9r4K1z8Q7w2" },
        { "event": "message", "id": "c", "direction": "outgoing", "data": secret("ghp_", 36) },
        { "event": "message", "id": "c", "direction": "incoming", "data": secret("sk_live_", 24) },
    ] });
    let store = store(&[(Content::WebsocketEvents, events)]);
    let mut found = told(&store, "credentials");
    found.sort();
    assert_eq!(
        found,
        [
            "critical: GitHub token in socket message",
            "critical: Stripe key in socket message",
            "critical: Token exposed in URL query parameter"
        ]
    );
}

#[test]
fn user_data_without_authentication_is_found() {
    let asked = |extra: Value| {
        let mut request = json!({ "method": "GET", "url": "https://a.example/api/users/1", "status": 200, "hasAuthHeader": false,
            "contentType": "application/json", "responseBody": r#"{"email":"ada@lovelace.org","phone":"+49 30 901820"}"# });
        request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        told(&requests(json!([request])), "auth_patterns")
    };
    let warned = ["warning: Endpoint returns user data without authentication"];
    let noted = ["info: Endpoint returns user data without authentication"];
    assert_eq!(asked(json!({})), warned);
    assert_eq!(asked(json!({ "hasAuthHeader": true })), [""; 0]);
    assert_eq!(asked(json!({ "requestHeaders": { "X-Api-Key": "k" } })), [""; 0]);
    assert_eq!(asked(json!({ "status": 404 })), [""; 0]);
    assert_eq!(asked(json!({ "contentType": "text/html" })), [""; 0]);
    assert_eq!(asked(json!({ "responseBody": r#"{"id":1,"name":"Ada"}"# })), [""; 0]);
    assert_eq!(asked(json!({ "responseBody": r#"{"email":"ada@example.org"}"# })), noted);
    assert_eq!(asked(json!({ "url": "https://a.example/login", "method": "POST" })), noted);
    for body in [
        r#"{"ssn":"123-45-6789"}"#,
        r#"{"x":"4111 1111 1111 1111"}"#,
        r#"{"address":"12 Main Street"}"#,
        r#"{"dob":"1990-01-01"}"#,
        &json!({ "x": jwt() }).to_string(),
        r#"{"password":"correct-horse-7"}"#,
    ] {
        assert_eq!(asked(json!({ "responseBody": body })), warned, "{body}");
    }
}

#[test]
fn an_endpoint_that_also_answers_without_authentication_is_found() {
    let call = |auth: bool| json!({ "method": "GET", "url": "/api/me", "status": 200, "hasAuthHeader": auth, "responseBody": r#"{"email":"ada@lovelace.org"}"# });
    let answer = audited(&requests(json!([call(true), call(false), call(false)])), &["auth_patterns"], Severity::Info);
    let [finding] = answer["findings"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert!(finding["description"].as_str().unwrap().contains("does not require it"), "{finding}");
    let evidence = &finding["evidence"];
    assert_eq!(
        (&evidence["count"], &evidence["auth_header_present"], &evidence["response_contains_pii"]),
        (&json!(2), &json!(false), &json!(true))
    );
    assert_eq!(evidence["pii_fields"], json!(["email"]));
    let never = audited(&requests(json!([call(false)])), &["auth_patterns"], Severity::Info);
    assert!(never["findings"][0]["description"].as_str().unwrap().contains("never called with one"), "{never}");
}

#[test]
fn personal_data_in_the_console_is_found() {
    for (message, expected) in [
        (format!("Token: {}", jwt()), vec!["critical: Auth token logged to console"]),
        (format!("Authorization: Bearer {}", secret("", 30)), vec!["critical: Auth token logged to console"]),
        (secret("AIza", 35), vec!["critical: API key logged to console"]),
        ("apiKey: 'Q7w2X9r4K1z8Q7w2'".to_owned(), vec!["critical: API key logged to console"]),
        ("password: 'Q7w2X9r4K1'".to_owned(), vec!["warning: Password logged to console"]),
        ("signed in as ada@lovelace.org".to_owned(), vec!["info: Email address logged to console"]),
        ("call +49 30 901820".to_owned(), vec!["info: Phone number logged to console"]),
        ("ssn 123-45-6789".to_owned(), vec!["warning: Social security number logged to console"]),
        ("card 4111 1111 1111 1111".to_owned(), vec!["warning: Card number logged to console"]),
        ("wrong password, try again at 2024-01-15 10:20:30".to_owned(), vec![]),
    ] {
        for level in ["log", "info", "debug", "warn", "error"] {
            let store = logs(
                json!([{ "level": level, "type": "console", "message": message, "args": [message], "filename": "https://a.example/js/auth.js?v=1", "lineno": 45 }]),
            );
            assert_eq!(told(&store, "pii_exposure"), expected, "{message}");
        }
    }
    let message = format!("Token: {}", jwt());
    let store = logs(
        json!([{ "level": "log", "type": "console", "message": message, "filename": "https://a.example/js/auth.js?v=1", "lineno": 45 }]),
    );
    let evidence = audited(&store, &["pii_exposure"], Severity::Info)["findings"][0]["evidence"].clone();
    assert_eq!(
        (&evidence["type"], &evidence["level"], &evidence["pattern"], &evidence["source"]),
        (&json!("console"), &json!("log"), &json!("jwt_token"), &json!("auth.js:45"))
    );
    assert_eq!(evidence["redacted_preview"], "Token: eyJhbG…0cw");
}

#[test]
fn personal_data_in_responses_is_found() {
    let asked = |url: &str, auth: bool, body: &str| {
        told(
            &requests(json!([{ "url": url, "status": 200, "hasAuthHeader": auth, "responseBody": body }])),
            "pii_exposure",
        )
    };
    let email = r#"{"data":[{"email":"ada@lovelace.org"}]}"#;
    assert_eq!(asked("/u", true, email), ["info: Personal data in authenticated response"]);
    assert_eq!(asked("/u", false, email), ["warning: Personal data in unauthenticated response"]);
    assert_eq!(
        asked("/u", false, r#"{"email":"mock@lovelace.org"}"#),
        ["info: Personal data in unauthenticated response"]
    );
    assert_eq!(asked("/u", true, r#"{"password":"correct-horse-7"}"#), ["critical: Password in response body"]);
    assert_eq!(asked("/u", true, r#"{"access_token":"Q7w2X9r4K1z8Q7w2"}"#), ["critical: Token in response body"]);
    assert_eq!(asked("/u", true, &json!({ "x": jwt() }).to_string()), ["critical: Token in response body"]);
    assert_eq!(asked("/u", true, r#"{"nextPageToken":"Q7w2X9r4K1z8Q7w2","csrfToken":"Q7w2X9r4K1z8Q7w3"}"#), [""; 0]);
    assert_eq!(asked("/u", false, "mail ada@lovelace.org"), [""; 0]);
}

#[test]
fn sign_in_and_failed_requests_are_excused_alike() {
    let asked = |url: &str, status: u16| {
        let request = json!({ "method": "POST", "url": url, "status": status, "hasAuthHeader": false,
            "contentType": "application/json", "responseBody": r#"{"email":"ada@lovelace.org"}"# });
        let store = requests(json!([request]));
        ["auth_patterns", "pii_exposure"].map(|check| {
            let told = told(&store, check);
            told.first().map(|told| told.split(':').next().unwrap().to_owned())
        })
    };
    for (url, status, severity) in [
        ("https://a.example/users", 200, Some("warning")),
        ("https://a.example/login", 200, Some("info")),
        ("https://a.example/users", 401, None),
        ("https://a.example/login", 401, None),
        ("https://a.example/users", 500, None),
    ] {
        let severity = severity.map(str::to_owned);
        assert_eq!(asked(url, status), [severity.clone(), severity], "{url} {status}");
    }
}

#[test]
fn a_request_with_unknown_headers_is_not_called_unauthenticated() {
    for (auth, severity) in [(json!(false), "warning"), (json!(null), "info")] {
        let mut request = json!({ "url": "https://a.example/users", "status": 200, "contentType": "application/json",
            "responseBody": r#"{"email":"ada@lovelace.org"}"# });
        if !auth.is_null() {
            request["hasAuthHeader"] = auth.clone();
        }
        let answer = audited(&requests(json!([request])), &["auth_patterns", "pii_exposure"], Severity::Info);
        let findings = answer["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 2, "{answer}");
        for finding in findings {
            assert_eq!(finding["severity"], severity, "{finding}");
            assert_eq!(finding["evidence"].get("auth_header_present"), Some(&auth), "{finding}");
            let asserts = finding["description"].as_str().unwrap().contains("no Authorization header was present");
            assert!(!(auth.is_null() && asserts), "{finding}");
        }
    }
}

#[test]
fn unencrypted_traffic_is_found() {
    let call = "warning: API call over unencrypted HTTP";
    let mixed = |severity: &str| format!("{severity}: Mixed content: HTTPS page loading HTTP resource");
    for (page, url, content_type, initiator, expected) in [
        ("http://a.example/", "http://api.example/x", "application/json", "fetch", vec![call.to_owned()]),
        ("https://a.example/", "https://api.example/x", "application/json", "fetch", vec![]),
        ("http://localhost:3000/", "http://localhost:8080/x", "", "fetch", vec![]),
        ("https://a.example/", "http://127.0.0.1:8080/x", "", "fetch", vec![]),
        ("https://a.example/", "http://[::1]/x", "", "fetch", vec![]),
        ("http://a.example/", "/x", "", "fetch", vec![call.to_owned()]),
        (
            "https://a.example/",
            "http://cdn.example/lib.js",
            "application/javascript",
            "script",
            vec![mixed("critical"), call.to_owned()],
        ),
        (
            "https://a.example/",
            "http://cdn.example/lib.js",
            "text/javascript; charset=utf-8",
            "",
            vec![mixed("critical"), call.to_owned()],
        ),
        ("https://a.example/", "http://cdn.example/a.png", "image/png", "img", vec![call.to_owned(), mixed("warning")]),
        ("https://a.example/", "http://cdn.example/a.css", "text/css", "link", vec![call.to_owned(), mixed("warning")]),
        ("https://a.example/", "http://cdn.example/a.woff2", "font/woff2", "", vec![call.to_owned(), mixed("warning")]),
    ] {
        let store =
            requests(json!([{ "url": url, "pageUrl": page, "contentType": content_type, "initiator": initiator }]));
        let mut found = told(&store, "transport");
        found.sort();
        let mut expected = expected;
        expected.sort();
        assert_eq!(found, expected, "{page} {url}");
    }
    for (url, expected) in [
        ("ws://live.example/x", vec!["warning: WebSocket over unencrypted ws://"]),
        ("wss://live.example/x", vec![]),
        ("ws://localhost:1/x", vec![]),
    ] {
        let events = json!({ "events": [{ "event": "open", "id": "c", "url": url }, { "event": "message", "id": "c", "url": url, "data": "x" }] });
        assert_eq!(told(&store(&[(Content::WebsocketEvents, events)]), "transport"), expected, "{url}");
    }
}

#[test]
fn mixed_content_of_elements_is_found() {
    let failed = logs(json!([{ "level": "error", "type": "error", "source": "resource", "url": "https://a.example/",
        "message": "Failed to load <script> http://cdn.example/lib.js", "requestUrl": "http://cdn.example/lib.js" }]));
    assert_eq!(told(&failed, "transport"), ["critical: Mixed content: HTTPS page loading HTTP resource"]);
    let load = json!({ "url": "/", "pageUrl": "https://a.example/", "insecureResources": [
        { "url": "http://cdn.example/a.png", "type": "img" }, { "url": "http://cdn.example/lib.js", "type": "script" },
    ] });
    let store = store(&[(Content::Performance, load)]);
    assert_eq!(
        told(&store, "transport"),
        [
            "critical: Mixed content: HTTPS page loading HTTP resource",
            "warning: Mixed content: HTTPS page loading HTTP resource"
        ]
    );
    let evidence = audited(&store, &["transport"], Severity::Info)["findings"][0]["evidence"].clone();
    assert_eq!(
        evidence,
        json!({ "page_url": "https://a.example/", "resource_url": "http://cdn.example/lib.js", "resource_type": "script" })
    );
}

#[test]
fn missing_security_headers_are_found() {
    let of = |url: &str, headers: Value| {
        told(
            &requests(
                json!([{ "url": url, "pageUrl": url, "status": 200, "contentType": "text/html", "responseHeaders": headers }]),
            ),
            "security_headers",
        )
    };
    let good = json!({ "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'", "Strict-Transport-Security": "max-age=1",
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" });
    assert_eq!(of("https://a.example/", good), [""; 0]);
    assert_eq!(
        of("https://a.example/", json!({ "date": "now" })),
        [
            "warning: No Content-Security-Policy",
            "warning: Page can be framed by any site",
            "warning: No Strict-Transport-Security",
            "warning: No X-Content-Type-Options: nosniff",
            "info: No Referrer-Policy"
        ]
    );
    // The document itself, as the extension reports it: even when it has none of the headers.
    let document = |url: &str, headers: Value| {
        let load = json!({ "url": "/", "pageUrl": url, "documentHeaders": headers });
        told(&store(&[(Content::Performance, load)]), "security_headers")
    };
    let policy = json!({ "content-security-policy": "default-src; frame-ancestors", "x-content-type-options": "nosniff", "strict-transport-security": "max-age=1" });
    assert_eq!(document("https://a.example/", policy), ["info: No Referrer-Policy"]);
    assert_eq!(document("https://a.example/", json!({})).len(), 5);
    assert!(document("http://localhost/", json!({})).iter().all(|told| told.starts_with("info: ")));
    assert!(of("http://localhost:3000/", json!({ "date": "now" })).iter().all(|told| told.starts_with("info: ")));
    assert_eq!(of("https://a.example/", json!({})), [""; 0]);
    let api = |page: &str, headers: Value| {
        told(
            &requests(
                json!([{ "url": "https://a.example/api", "pageUrl": page, "contentType": "application/json", "responseHeaders": headers }]),
            ),
            "security_headers",
        )
    };
    assert_eq!(
        api("https://a.example/", json!({ "strict-transport-security": "x" })),
        ["warning: No X-Content-Type-Options: nosniff"]
    );
    assert_eq!(api("https://b.example/", json!({ "date": "now" })), [""; 0]);
    let open = json!({ "access-control-allow-origin": "*", "access-control-allow-credentials": "true", "x-content-type-options": "nosniff", "strict-transport-security": "x", "x-powered-by": "Express" });
    assert_eq!(
        api("https://a.example/", open),
        ["warning: Any site may read answers with credentials", "info: Server tells what it runs"]
    );
}

#[test]
fn missing_cookie_flags_are_found() {
    let set = |url: &str, cookie: &str| {
        told(&requests(json!([{ "url": url, "responseHeaders": { "Set-Cookie": cookie } }])), "cookie_security")
    };
    assert_eq!(
        set("https://a.example/", "sessionid=Q7w2X9r4K1z8; Path=/"),
        [
            "warning: Session cookie without HttpOnly",
            "warning: Session cookie without Secure",
            "warning: Session cookie without SameSite"
        ]
    );
    assert_eq!(set("https://a.example/", "sessionid=Q7w2X9r4K1z8; Secure; HttpOnly; SameSite=Lax"), [""; 0]);
    assert_eq!(set("https://a.example/", "theme=dark; Secure; HttpOnly"), ["info: Cookie without SameSite"]);
    assert_eq!(set("https://a.example/", "XSRF-TOKEN=Q7w2; Secure; SameSite=Lax"), [""; 0]);
    assert_eq!(set("https://a.example/", "a=b; HttpOnly; SameSite=None"), ["warning: Cookie without Secure"]);
    assert_eq!(set("https://a.example/", "__Host-a=b; HttpOnly; SameSite=Lax"), ["warning: Cookie without Secure"]);
    assert_eq!(set("http://localhost/", "sid=Q7w2; HttpOnly; SameSite=Lax"), ["info: Session cookie without Secure"]);
    let load = json!({ "url": "/", "pageUrl": "https://a.example/", "cookies": [{ "name": "connect.sid", "httpOnly": false }, { "name": "theme", "httpOnly": false }] });
    let store = store(&[(Content::Performance, load)]);
    assert_eq!(
        told(&store, "cookie_security"),
        ["warning: Session cookie without HttpOnly", "info: Cookie without HttpOnly"]
    );
    let answer = audited(
        &requests(json!([{ "url": "https://a.example/", "responseHeaders": { "Set-Cookie": "sid=Q7w2X9r4K1z8" } }])),
        &[],
        Severity::Info,
    );
    assert!(!answer.to_string().contains("Q7w2X9"), "{answer}");
}

#[test]
fn environments_are_named() {
    for (url, noted) in [
        ("https://staging.a.example/x?api_key=Q7w2X9r4K1z8", true),
        ("https://dev.a.example/x?api_key=Q7w2X9r4K1z8", true),
        ("https://a.example/devices?api_key=Q7w2X9r4K1z8", false),
    ] {
        let answer = audited(&requests(get(url)), &["credentials"], Severity::Info);
        let recommendation = answer["findings"][0]["recommendation"].as_str().unwrap();
        assert_eq!(recommendation.contains("staging or development"), noted, "{url}: {recommendation}");
    }
}

#[test]
fn ordinary_words_under_ambiguous_names_are_not_credentials() {
    for query in [
        "auth=no",
        "auth=google",
        "auth=Q7w2X9r4K1z8Q7w2X9r",
        "bearer=yes",
        "csrf_token_on=1",
        "user_password=hunter2",
        "refresh_token=Q7w2X9r",
        "passwordless=true",
    ] {
        let told = told(&requests(get(&format!("https://a.example/data?{query}&page=2"))), "credentials");
        assert!(told.is_empty(), "{query}: {told:?}");
    }
    for query in [
        "auth=Q7w2X9r4K1z8Q7w2X9r4",
        "user_password=hunter22",
        "refresh_token=Q7w2X9r4",
        "token=Q7w",
        "password=hunter2",
    ] {
        let told = told(&requests(get(&format!("https://a.example/data?{query}&page=2"))), "credentials");
        assert!(told.len() == 1 && told[0].starts_with("critical: "), "{query}: {told:?}");
    }
    let known = r#"{"auth":{"email":"ada@lovelace.org","role":"admin","path":"/admin"}}"#;
    let store = requests(json!([{ "method": "GET", "url": "/api/me", "status": 200, "responseBody": known }]));
    assert_eq!(store.store.network.iter().next().unwrap().entry.response_body.as_deref(), Some(known));
    let found = audited(&store, &[], Severity::Info);
    assert!(!found.to_string().contains("Token"), "{found}");
    // Text that is readable again is scanned again.
    assert!(found["findings"].to_string().contains("email"), "{found}");
}

#[test]
fn a_word_near_aws_is_not_a_key_of_amazons() {
    for message in ["Laws of physics violated in component aB1cD2eF3gH4", "aws build aB1cD2eF3gH4jK5L6m..."] {
        let answer = audited(&logs(json!([{ "level": "error", "message": message }])), &[], Severity::Info);
        assert_eq!(answer["summary"]["total"], 0, "{answer}");
    }
}

#[test]
fn one_secret_of_one_request_is_one_finding_with_its_places() {
    let key = secret("sk_live_", 24);
    let body = json!({ "note": key }).to_string();
    let exchange = json!({ "method": "POST", "url": format!("https://a.example/data?note={key}"), "status": 200, "requestBody": body, "responseBody": body });
    let answer = audited(&requests(json!([exchange])), &[], Severity::Info);
    let [finding] = answer["findings"].as_array().unwrap().as_slice() else { panic!("{answer:#}") };
    assert_eq!(finding["evidence"]["places"], json!(["request_body", "response_body", "url"]), "{finding:#}");
    assert_eq!((&finding["severity"], &answer["summary"]["total"]), (&json!("critical"), &json!(1)));
    // If one check finds a token worse than another does, the worse finding stays.
    let body = json!({ "data": { "token": jwt() } }).to_string();
    let exchange = json!({ "method": "GET", "url": "https://a.example/data", "status": 200, "responseBody": body });
    let answer = audited(&requests(json!([exchange])), &["credentials", "pii_exposure"], Severity::Info);
    let [finding] = answer["findings"].as_array().unwrap().as_slice() else { panic!("{answer:#}") };
    assert_eq!((&finding["severity"], &finding["title"]), (&json!("critical"), &json!("Token in response body")));
    // Two requests are two findings.
    let get = |path: &str| json!({ "method": "GET", "url": format!("https://a.example/{path}?api_key={key}"), "status": 200 });
    let answer = audited(&requests(json!([get("one"), get("two")])), &[], Severity::Info);
    assert_eq!(answer["summary"]["total"], 2, "{answer:#}");
}

#[test]
fn one_secret_of_one_console_line_is_one_finding() {
    let key = secret("sk_live_", 24);
    let line = json!({ "level": "log", "message": format!("paying with {key}"), "args": ["paying with", key, { "again": key }] });
    let answer = audited(&logs(json!([line])), &[], Severity::Info);
    let [finding] = answer["findings"].as_array().unwrap().as_slice() else { panic!("{answer:#}") };
    assert_eq!(finding["severity"], "critical", "{finding:#}");
    assert_eq!(answer["summary"]["total"], 1);
}

#[test]
fn a_token_in_the_address_of_a_navigation_is_found() {
    let url = "https://a.example/cb?access_token=Q7w2X9r4K1z8Q7w2X9r4";
    for (kind, field) in [("navigate", "toUrl"), ("navigate", "fromUrl"), ("click", "url")] {
        let store = store(&[(Content::EnhancedActions, json!({ "actions": [{ "type": kind, (field): url }] }))]);
        let answer = audited(&store, &["credentials"], Severity::Info);
        let [finding] = answer["findings"].as_array().unwrap().as_slice() else { panic!("{field}: {answer:#}") };
        assert_eq!(
            (&finding["severity"], &finding["title"]),
            (&json!("critical"), &json!("Token exposed in URL query parameter")),
            "{finding:#}"
        );
        assert_eq!(finding["evidence"]["url"], "https://a.example/cb?access_token=Q7w2X9…9r4", "{finding:#}");
    }
}

#[test]
fn a_password_in_a_sentence_of_the_console_is_found() {
    for message in ["password is hunter2", "The password was 'hunter2'.", "user ada, password is: hunter2!"] {
        let store = logs(json!([{ "level": "log", "message": message, "args": [message] }]));
        assert_eq!(told(&store, "pii_exposure"), ["warning: Password logged to console"], "{message}");
        let kept = store.store.logs.iter().next().unwrap().entry.message.clone();
        assert!(!kept.contains("hunter2"), "{kept}");
    }
    for message in ["password is required", "password is too short: 8 characters", "password was changed"] {
        assert!(told(&logs(json!([{ "level": "log", "message": message }])), "pii_exposure").is_empty(), "{message}");
    }
}

#[test]
fn short_values_under_sensitive_names_cause_no_alarm_in_the_console() {
    for message in [
        "pageToken=2",
        "nextPageToken=CAUQAAbcdefgh1",
        "token=12",
        "token=next",
        "tokens=5",
        "secret=no",
        "secret_level=3",
        "key=item-17",
        "keydown key=ArrowDown",
        "access_key=s",
        "password=true",
        "password=***",
        "password_reset_sent=true",
    ] {
        let found = told(&logs(json!([{ "level": "log", "message": message, "args": [message] }])), "pii_exposure");
        assert_eq!(found, [""; 0], "{message}");
    }
    for (message, expected) in [
        ("token=a1b2c3d4e5", "critical: Auth token logged to console"),
        ("secret=sw0rdfish", "critical: API key logged to console"),
        ("password=hunter2", "warning: Password logged to console"),
        ("api_key=0123456789abcdef", "critical: API key logged to console"),
    ] {
        let found = told(&logs(json!([{ "level": "log", "message": message, "args": [message] }])), "pii_exposure");
        assert_eq!(found, [expected], "{message}");
    }
}

#[test]
fn values_that_read_as_words_are_hints_at_most() {
    for url in ["/?token=refreshed", "/?key=products-list&sort=asc", "/?api_key=checkout.button.pay_now_label"] {
        let findings = told(&requests(get(&format!("https://a.example{url}"))), "credentials");
        assert!(findings.iter().all(|finding| finding.starts_with("info: ")), "{url}: {findings:?}");
    }
    for line in ["token=refreshed", "clientSecret=unchanged", "csrf_token=validated", "secret_santa=Margarete"] {
        let findings = told(&logs(json!([{ "message": line, "url": "https://a.example/" }])), "pii_exposure");
        assert!(findings.iter().all(|finding| finding.starts_with("info: ")), "{line}: {findings:?}");
    }
    let made = told(&requests(get("https://a.example/?token=qzjxkvwpfhgtbnmrlcds")), "credentials");
    assert!(made.iter().any(|finding| finding.starts_with("critical: ")), "{made:?}");
}
