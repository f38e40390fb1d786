//! A secret that was redacted from one field of an entry is not left in another.

use serde_json::json;

use crate::support::{Kind, redact};

const SECRET: &str = "Zq8vLmTr4x";

#[test]
fn a_secret_is_gone_from_the_whole_entry() {
    let body = json!({ "password": SECRET }).to_string();
    for (kind, entry) in [
        (Kind::Log, json!({ "message": format!("password {SECRET}"), "args": ["password", SECRET] })),
        (Kind::Log, json!({ "message": format!("got {SECRET}"), "metadata": { "token": SECRET } })),
        (Kind::Log, json!({ "stack": format!("Error: {SECRET}"), "_context": { "apiKey": SECRET } })),
        (Kind::Log, json!({ "url": format!("/u/{SECRET}/x"), "args": [{ "password": SECRET }, SECRET] })),
        (Kind::Log, json!({ "message": body, "args": [["a", { "b": SECRET }]] })),
        (Kind::Log, json!({ "message": SECRET, "_aiContext": { "stateSnapshot": { "secret": SECRET } } })),
        (Kind::Log, json!({ "message": "m", "_enrichments": [SECRET], "args": [{ "pwd": SECRET }] })),
        (Kind::Network, json!({ "requestBody": body, "responseBody": format!("hello {SECRET}"), "url": SECRET })),
        (Kind::Network, json!({ "requestHeaders": { "x-api-key": SECRET }, "responseBody": SECRET })),
        (Kind::Network, json!({ "requestHeaders": { "Authorization": format!("Bearer {SECRET}") }, "error": SECRET })),
        (Kind::WebSocket, json!({ "data": SECRET, "url": format!("wss://a.example/?token={SECRET}") })),
        (Kind::Action, json!({ "inputType": "password", "value": SECRET, "selectors": { "text": SECRET } })),
        (Kind::Extension, json!({ "message": format!("sent {SECRET}"), "context": { "token": SECRET } })),
    ] {
        let stored = redact(kind, &entry).0.to_string();
        assert!(!stored.contains(SECRET), "{entry} became {stored}");
    }
}

#[test]
fn a_secret_has_one_placeholder() {
    let entry = json!({ "message": format!("password {SECRET}, again {SECRET}"), "args": ["password", SECRET] });
    let (stored, _) = redact(Kind::Log, &entry);
    assert_eq!(stored["message"], "password [secret:password#1], again [secret:password#1]");
    let typed = json!({ "inputType": "password", "value": SECRET, "toUrl": format!("/x/{SECRET}") });
    assert_eq!(redact(Kind::Action, &typed).0["toUrl"], "/x/[redacted]");
}

#[test]
fn ordinary_words_and_other_entries_stay() {
    for (secret, message) in [
        ("abc12", "abc12 is short"),
        ("password", "the password is wrong"),
        ("string", "a string of strings"),
        ("letters", "newsletters"),
        ("123456", "took 1234567 ms"),
    ] {
        let (stored, _) = redact(Kind::Log, &json!({ "message": message, "args": [{ "password": secret }] }));
        assert_eq!(stored["message"], message);
    }
    let redactor = engine::redact::Redactor::new();
    assert_eq!(redactor.text("token=Zq8vLmTr4x"), "token=[secret:token#1]");
    assert_eq!(redactor.text("id Zq8vLmTr4x"), "id Zq8vLmTr4x");
}

#[test]
fn limits_hold_where_a_placeholder_is_longer() {
    let body = "a1b2c3 ".repeat(1_100);
    let (stored, _) = redact(Kind::Network, &json!({ "requestBody": body, "url": "/?token=a1b2c3" }));
    let kept = stored["requestBody"].as_str().unwrap();
    assert!(kept.len() <= wire::limits::REQUEST_BODY_BYTES && !kept.contains("a1b2c3"));
    assert_eq!(kept.matches("[secret:").count(), kept.matches("#1]").count());
}
