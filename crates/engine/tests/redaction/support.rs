//! The corpus, the places that can contain a text, and the definition of a secret that survives.

use std::collections::HashSet;

use engine::entry::{Action, Arrival, DomSnapshot, ExtensionLog, Log, PageLoad, Parse, Request, SocketEvent};
use engine::redact::{Finding, Redactor};
use serde_json::{Value, json};
use wire::Timestamp;

/// A made-up credential of the corpus.
#[derive(Debug, Clone)]
pub(crate) struct Secret {
    pub(crate) kind: String,
    pub(crate) text: String,
    /// The format's fixed prefix, which reveals nothing.
    pub(crate) prefix: String,
    /// What has to surround it to make it a credential.
    pub(crate) lead: String,
    pub(crate) tail: String,
    /// Whether it is only found outside of words.
    pub(crate) word: bool,
}

impl Secret {
    pub(crate) fn carrier(&self) -> String {
        format!("{}{}{}", self.lead, self.text, self.tail)
    }
}

pub(crate) struct Corpus {
    pub(crate) contexts: Vec<String>,
    pub(crate) secrets: Vec<Secret>,
}

pub(crate) fn corpus() -> Corpus {
    let file: Value = serde_json::from_str(include_str!("../../../../fixtures/redaction/secrets.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let secrets = file["secrets"].as_array().unwrap().iter().map(|secret| Secret {
        kind: text(&secret["kind"]),
        text: secret["parts"].as_array().unwrap().iter().map(text).collect(),
        prefix: text(&secret["prefix"]),
        lead: text(&secret["lead"]),
        tail: text(&secret["tail"]),
        word: secret["word"] == true,
    });
    Corpus { contexts: file["contexts"].as_array().unwrap().iter().map(text).collect(), secrets: secrets.collect() }
}

/// The first secret of each kind, for checks that are too slow for all.
pub(crate) fn one_of_each() -> Vec<Secret> {
    let mut seen = HashSet::new();
    corpus().secrets.into_iter().filter(|secret| seen.insert(secret.kind.clone())).collect()
}

pub(crate) fn benign() -> Vec<String> {
    serde_json::from_str(include_str!("../../../../fixtures/redaction/benign.json")).unwrap()
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Log,
    Network,
    WebSocket,
    Action,
    Snapshot,
    Performance,
    Extension,
}

/// The entry as it is stored, and the findings beside it.
pub(crate) fn redact_with(redactor: &Redactor, kind: Kind, entry: &Value) -> (Value, Vec<Finding>) {
    fn of<T: Parse>(redactor: &Redactor, entry: &Value, needed: &Value) -> (Value, Vec<Finding>) {
        let mut whole = needed.as_object().unwrap().clone();
        whole.extend(entry.as_object().unwrap().clone());
        // Parsed from text, like on the wire: raw JSON fields need it.
        let sent: T::Wire = serde_json::from_str(&Value::Object(whole).to_string()).unwrap();
        let entry = T::parse(sent, Arrival::at(Timestamp::from_millis(0))).unwrap();
        let (entry, findings) = redactor.redact(entry).into_parts();
        (serde_json::from_str(&serde_json::to_string(&entry).unwrap()).unwrap(), findings)
    }
    match kind {
        Kind::Log => of::<Log>(redactor, entry, &json!({ "message": "m" })),
        Kind::Network => of::<Request>(redactor, entry, &json!({ "url": "/" })),
        Kind::WebSocket => of::<SocketEvent>(redactor, entry, &json!({ "event": "message" })),
        Kind::Action => of::<Action>(redactor, entry, &json!({ "type": "click" })),
        Kind::Snapshot => of::<DomSnapshot>(redactor, entry, &json!({ "url": "/" })),
        Kind::Performance => of::<PageLoad>(redactor, entry, &json!({ "url": "/" })),
        Kind::Extension => of::<ExtensionLog>(redactor, entry, &json!({ "message": "" })),
    }
}

/// The stored fields that the sender wrote.
pub(crate) fn fields_of(sent: &Value, stored: &Value) -> Value {
    sent.as_object().unwrap().keys().map(|name| (name.clone(), stored[name].clone())).collect()
}

pub(crate) fn redact(kind: Kind, entry: &Value) -> (Value, Vec<Finding>) {
    redact_with(&Redactor::new(), kind, entry)
}

/// Percent-encoding as `encodeURIComponent` does it.
pub(crate) fn percent(text: &str) -> String {
    percent_but(text, |byte| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte))
}

pub(crate) fn percent_all(text: &str) -> String {
    percent_but(text, |_| false)
}

fn percent_but(text: &str, plain: fn(u8) -> bool) -> String {
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A JSON string literal with every ASCII character written as `\u0041`.
pub(crate) fn unicode_escaped(text: &str) -> String {
    let inner: String =
        text.chars().map(|c| if c.is_ascii() { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() }).collect();
    format!("\"{inner}\"")
}

/// Every place where a text of an entry may contain a credential, with the text in it.
pub(crate) fn places(text: &str) -> Vec<(&'static str, Kind, Value)> {
    let quoted = Value::from(text).to_string();
    let body = json!({ "data": { "note": text } }).to_string();
    let twice = json!({ "payload": body }).to_string();
    let thrice = json!({ "outer": twice }).to_string();
    let headers = json!({ "x-debug": text, "authorization": text, "Cookie": text, "x-api-key": text });
    vec![
        ("message", Kind::Log, json!({ "message": text })),
        ("args string", Kind::Log, json!({ "args": [text] })),
        ("args nested", Kind::Log, json!({ "args": [1, { "a": { "b": [text] } }] })),
        ("args key", Kind::Log, json!({ "args": [{ text: 1 }] })),
        ("args array", Kind::Log, json!({ "args": [["x", text], "y"] })),
        ("args with JSON in it", Kind::Log, json!({ "args": [body, twice] })),
        ("stack", Kind::Log, json!({ "message": "m", "stack": format!("Error: {text}\n    at f (a.js:1:1)") })),
        ("filename", Kind::Log, json!({ "message": "m", "filename": format!("https://a.example/{text}") })),
        ("source", Kind::Log, json!({ "message": "m", "source": text })),
        ("metadata", Kind::Log, json!({ "message": "m", "metadata": { "m": text } })),
        ("_context", Kind::Log, json!({ "message": "m", "_context": { "c": text } })),
        ("_actions", Kind::Log, json!({ "message": "m", "_actions": [{ "value": text }] })),
        ("_enrichments", Kind::Log, json!({ "message": "m", "_enrichments": [text] })),
        (
            "_aiContext",
            Kind::Log,
            json!({ "message": "m", "_aiContext": { "summary": text, "stateSnapshot": { "s": text },
                "sourceSnippets": [text], "componentAncestry": { "props": { text: text } } } }),
        ),
        ("page URL", Kind::Log, json!({ "message": "m", "url": format!("https://a.example/p?page=2&q={text}") })),
        ("URL query", Kind::Network, json!({ "url": format!("https://a.example/p?page=2&q={text}&z=1") })),
        ("URL query encoded", Kind::Network, json!({ "url": format!("https://a.example/?q={}&z=1", percent(text)) })),
        (
            "URL query all encoded",
            Kind::Network,
            json!({ "url": format!("https://a.example/?q={}", percent_all(text)) }),
        ),
        ("URL query twice encoded", Kind::Network, json!({ "url": format!("/?next={}", percent(&percent(text))) })),
        ("URL query JSON", Kind::Network, json!({ "url": format!("/?data={}&z=1", percent(&body)) })),
        ("URL fragment", Kind::Network, json!({ "url": format!("https://a.example/#state=1&x={text}") })),
        ("URL fragment encoded", Kind::Network, json!({ "url": format!("https://a.example/#{}", percent(text)) })),
        ("URL userinfo", Kind::Network, json!({ "url": format!("https://ada:{}@a.example/", percent_all(text)) })),
        ("URL path", Kind::Network, json!({ "url": format!("https://a.example/v1/{}/x", percent(text)) })),
        ("requestBody JSON", Kind::Network, json!({ "requestBody": body })),
        ("requestBody string", Kind::Network, json!({ "requestBody": quoted })),
        ("requestBody form", Kind::Network, json!({ "requestBody": format!("a=1&note={}&b=2", percent(text)) })),
        ("responseBody JSON", Kind::Network, json!({ "responseBody": body })),
        ("responseBody twice encoded", Kind::Network, json!({ "responseBody": twice })),
        ("responseBody thrice encoded", Kind::Network, json!({ "responseBody": thrice })),
        (
            "responseBody escaped",
            Kind::Network,
            json!({ "responseBody": format!("{{\"a\":{},\"b\":1}}", unicode_escaped(text)) }),
        ),
        (
            "responseBody escaped twice",
            Kind::Network,
            json!({ "responseBody": json!({ "in": format!("{{\"a\":{}}}", unicode_escaped(text)) }).to_string() }),
        ),
        ("responseBody slashes", Kind::Network, json!({ "responseBody": body.replace('/', "\\/") })),
        ("headers", Kind::Network, json!({ "requestHeaders": headers, "responseHeaders": headers })),
        ("header name", Kind::Network, json!({ "requestHeaders": { text: "1" } })),
        ("error", Kind::Network, json!({ "error": text, "contentType": text, "initiator": text })),
        ("cookie name", Kind::Network, json!({ "cookies": [{ "name": text, "sameSite": text }] })),
        ("data", Kind::WebSocket, json!({ "data": text })),
        ("data JSON", Kind::WebSocket, json!({ "data": format!("42[\"m\",{body}]") })),
        ("reason", Kind::WebSocket, json!({ "reason": text, "url": format!("wss://a.example/?x={}", percent(text)) })),
        ("value", Kind::Action, json!({ "type": "input", "value": text })),
        ("action text", Kind::Action, json!({ "type": "click", "text": text, "selectedText": text, "key": text })),
        (
            "selectors",
            Kind::Action,
            json!({ "type": "click", "target": text, "selectors": { "testId": text, "ariaLabel": text, "id": text,
                "text": text, "cssPath": text, "role": { "role": "button", "name": text } } }),
        ),
        ("action URLs", Kind::Action, json!({ "toUrl": format!("/?x={text}"), "formAction": format!("/a#{text}") })),
        ("snapshot", Kind::Snapshot, json!({ "title": text, "elements": [{ "text": text, "testId": text }] })),
        (
            "performance",
            Kind::Performance,
            json!({ "url": format!("/?x={text}"), "pageUrl": format!("https://a.example/?x={text}") }),
        ),
        ("extension log", Kind::Extension, json!({ "message": text, "context": { "c": [text] } })),
        ("tags", Kind::Log, json!({ "message": "m", "test_id": text, "page_id": text, "worker": text })),
    ]
}

/// Twelve consecutive characters of the secret that are still stored, in any notation.
pub(crate) fn survivor(secret: &Secret, stored: &Value) -> Option<String> {
    let bytes = secret.text.as_bytes();
    let windows: HashSet<&[u8]> = bytes.windows(12).skip((secret.prefix.len() + 1).saturating_sub(12)).collect();
    let mut texts = Vec::new();
    strings(stored, &mut texts);
    for mut text in texts {
        // The text as it is, and with one layer of escapes after the other decoded.
        for _ in 0..6 {
            if let Some(window) = text.as_bytes().windows(12).find(|window| windows.contains(window)) {
                return Some(String::from_utf8_lossy(window).into_owned());
            }
            let plain = plainer(&text);
            if plain == text {
                break;
            }
            text = plain;
        }
    }
    None
}

fn strings(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
        Value::Object(fields) => {
            for (key, value) in fields {
                into.push(key.clone());
                strings(value, into);
            }
        }
        Value::Number(number) => into.push(number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The text with one layer of `\u0041`, `\n`, `\/` and `%41` decoded.
fn plainer(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let code = |from: usize, to: usize| {
        let digits: String = chars.get(from..to)?.iter().collect();
        char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
    };
    let mut out = String::new();
    let mut index = 0;
    while let Some(&c) = chars.get(index) {
        let (undone, length) = match (c, chars.get(index + 1)) {
            ('\\', Some('u')) if code(index + 2, index + 6).is_some() => (code(index + 2, index + 6), 6),
            ('\\', Some('n')) => (Some('\n'), 2),
            ('\\', Some(next @ ('/' | '"' | '\\'))) => (Some(*next), 2),
            ('%', _) if code(index + 1, index + 3).is_some() => (code(index + 1, index + 3), 3),
            _ => (Some(c), 1),
        };
        out.extend(undone);
        index += length;
    }
    out
}
