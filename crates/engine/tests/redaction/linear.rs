//! Hostile text costs no more than plain text: twice the length takes about twice the time.

use std::time::{Duration, Instant};

use engine::redact::Redactor;
use serde_json::json;

const PIECES: &[&str] = &[
    "eyJ", "eyJ.", "eyJa.eyJ", "eyJhbGciOiJ.", "token=", "token=token", "token:", "token: ", "token:[", "token:{", "\"token\":[", "\"token\":{",
    "\"token\":[\"", "\"password\":\"", "\"password\":", "'password':\"", "\\\"password\\\":\\\"", "password\\", "Bearer ",
    "bearer+", "bearer%20", "bearer+eyJ", "basic ", "basic%20A", "Basic QQ", "\\", "\\\\\"", "\"", "'", "`", "://a:", "://", "a://b:c@",
    "a://:", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----END ", "\\u00", "\\u0041", "\\u0022", "\\x41", "\\/", "%", "%4", "%41", "%25",
    "%2525", "%70w=", "%70w", "&quot;", "&#", "&amp;", "&", "aws", "awsQ9/", "secret", "secretA1b", "secret=", "sk-", "sk-a1", "SG.", "SG.a.",
    "SK", "/bot", "/bot123456:", "AKIA", "ghp_", "ghp_gho_ghu_", "xoxb-", "xoxe.", "AIza", "hf_", "npm_", "key-", "key", "keykey=",
    "pass", "pw", "sid=", "auth", "name=\"token\" ", "name=\"token\" value", "\"name\":\"token\",", "<token>", "<token", "</token>",
    "name=\"token\"\r\n\r\n", "user[password]", "[token]=", "[[[[", "{\"token\":{", "]", "}", "[secret:", "[secret:jwt#1]", "[REDACTED]",
    "…", "é", "🎉", "a", " ", "=", "?", "?a=%41&", "\u{0}", "pass:\"", "pass:\\\"", "pass:'\\\"", "token:\"a\",", "AccountKey=", "hooks.slack.com/services/",
];

fn best_of(runs: usize, text: &str) -> Duration {
    let redactor = Redactor::new();
    let entry: wire::NetworkBody = serde_json::from_value(json!({ "responseBody": text })).unwrap();
    let once = || {
        let entry = entry.clone();
        let start = Instant::now();
        std::hint::black_box(redactor.redact(entry));
        start.elapsed()
    };
    (0..runs).map(|_| once()).min().unwrap()
}

#[test]
fn twice_the_text_takes_about_twice_the_time() {
    let mut slow = Vec::new();
    let mut worst = (Duration::ZERO, "");
    // The pieces alone, at increasing depths of escaping, and one after a head that opens something.
    for piece in PIECES {
        for head in ["", "\"token\":\"", "eyJ", "Bearer ", "?pw=", "token:\"x "] {
            let of = |length: usize| -> String {
                let text = format!("{head}{}", piece.repeat(length / piece.len() + 1));
                let end = (0..=length).rev().find(|end| text.is_char_boundary(*end)).unwrap();
                text[..end].to_owned()
            };
            let (half, whole) = (of(8 * 1024), of(16 * 1024));
            // A busy machine may slow any run; only a text that is slow every time is slow.
            let is_slow = || {
                let (half, whole) = (best_of(3, &half), best_of(3, &whole));
                (whole > half * 3 && whole > Duration::from_millis(4) || whole > Duration::from_millis(250)).then_some((half, whole))
            };
            let once = best_of(1, &whole);
            if once > worst.0 {
                worst = (once, piece);
            }
            if once > Duration::from_millis(4)
                && let Some((half, whole)) = (0..4).map(|_| is_slow()).collect::<Option<Vec<_>>>().and_then(|all| all.first().copied())
            {
                slow.push(format!("{head:?} and {piece:?}: {half:?}, {whole:?}"));
            }
        }
    }
    println!("the slowest was {worst:?}");
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn deeper_and_deeper_escapes() {
    let quotes: String = (0..120).map(|depth| format!("token:{}\" ", "\\".repeat(depth))).collect();
    let text: String = quotes.chars().cycle().take(16 * 1024).collect();
    assert!(best_of(5, &text) < Duration::from_millis(250));
}
