//! Captured responses as a file that a test plays them from.

use serde_json::{Map, Value, json};
use wire::limits;

use super::cause::Asked;
use super::endpoint::fixture_key;
use super::literal;
use super::steps::USER_PROVIDED;
use crate::entry::Request;
use crate::redact::{HEADER_PLACEHOLDER, INPUT_PLACEHOLDER, field_kind};

/// Replaces a redacted token.
const TOKEN: &str = "mock-token-value";
const PASSWORD: &str = "password";
const SECRET: &str = "[secret:";
/// The name that is not a field in a JavaScript literal.
const PROTOTYPE: &str = "__proto__";

#[derive(Debug)]
pub(super) struct Fixtures {
    pub(super) file: String,
    /// Endpoints whose responses did not all fit.
    pub(super) left_out: usize,
    /// Endpoints whose responses were not captured, or were cut.
    pub(super) unknown: usize,
}

/// All responses of one endpoint, oldest first.
struct Endpoint {
    key: String,
    answers: Vec<Value>,
}

/// `None` if there is nothing to play. The last response of an endpoint is its fixture. Earlier ones that differ are
/// played before it, once each: a request that was refused before the sign-in is refused again.
pub(super) fn fixtures(asked: &[Asked<'_>]) -> Option<Fixtures> {
    let mut endpoints: Vec<Endpoint> = Vec::new();
    for one in asked {
        let Some(key) = fixture_key(one.request) else { continue };
        let answer = answer_of(one.request);
        match endpoints.iter_mut().find(|known| known.key == key) {
            Some(known) => known.answers.extend(answer),
            None => endpoints.push(Endpoint { key, answers: answer.into_iter().collect() }),
        }
    }
    let unknown = endpoints.iter().filter(|endpoint| endpoint.answers.is_empty()).count();
    let mut file: Vec<(String, Value)> = Vec::new();
    let (mut bodies, mut bytes, mut left_out) = (0, text_of(Map::new()).len(), 0);
    let mut changed: Vec<(usize, Vec<Value>)> = Vec::new();
    for Endpoint { key, mut answers } in endpoints {
        let Some(last) = answers.pop() else { continue };
        let takes = bytes_of(&key, &last);
        if bodies == limits::TEST_BODIES || bytes + takes > limits::TEST_FIXTURE_BYTES {
            left_out += 1;
            continue;
        }
        bodies += 1;
        bytes += takes;
        if answers.iter().any(|answer| *answer != last) {
            changed.push((file.len(), answers));
        }
        file.push((key, last));
    }
    for (place, answers) in changed {
        let Some((key, fixture)) = file.get_mut(place) else { continue };
        let count = answers.len();
        let mut whole = fixture.clone();
        if let Value::Object(fields) = &mut whole {
            fields.insert("earlier".to_owned(), Value::Array(answers));
        }
        let takes = bytes_of(key, &whole) - bytes_of(key, fixture);
        if bodies + count > limits::TEST_BODIES || bytes + takes > limits::TEST_FIXTURE_BYTES {
            left_out += 1;
            continue;
        }
        bodies += count;
        bytes += takes;
        *fixture = whole;
    }
    (!file.is_empty()).then(|| Fixtures { file: text_of(file.into_iter().collect()), left_out, unknown })
}

fn text_of(file: Map<String, Value>) -> String {
    format!(
        "// Answers of a captured session, without credentials. The mocked test plays them.\nexport const fixtures = {};\n",
        literal::json(&Value::Object(file))
    )
}

/// The bytes that a fixture adds to the file: its size in separate braces, without the braces.
fn bytes_of(key: &str, fixture: &Value) -> usize {
    literal::json(&json!({ key: fixture })).len() - "{}".len()
}

/// `None` for a response that was not captured as a whole.
fn answer_of(request: &Request) -> Option<Value> {
    let status = request.status.filter(|status| *status >= 200)?;
    let content_type = request.content_type.as_deref().unwrap_or_default();
    let is_empty = matches!(status, 204 | 205 | 304) || request.response_size == Some(0);
    let text = match request.response_body.as_deref() {
        Some(text) => text,
        None if is_empty => "",
        None => return None,
    };
    let is_stand_in = ["[Binary: ", "[Stream", "[Document]"].iter().any(|start| text.starts_with(start));
    if is_stand_in || (request.truncated == Some(true) && !is_whole_json(text)) {
        return None;
    }
    let is_json = content_type.to_ascii_lowercase().contains("json");
    let body = match serde_json::from_str::<Value>(text) {
        Ok(value) if is_json || (content_type.is_empty() && !value.is_string()) => value,
        _ if is_json && !text.is_empty() => return None,
        _ => Value::String(text.to_owned()),
    };
    let is_value = !body.is_string();
    let content_type = if content_type.is_empty() && is_value { "application/json" } else { content_type };
    Some(json!({ "status": status, "contentType": without_secrets(content_type), "body": clean(body, None) }))
}

/// Whether a body is whole: it may be the one that was cut.
fn is_whole_json(text: &str) -> bool {
    text.len() < limits::RESPONSE_BODY_BYTES && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// The value without credentials and without their placeholders.
fn clean(value: Value, name: Option<&str>) -> Value {
    match value {
        Value::String(text) if text.is_empty() => Value::String(text),
        Value::String(text) => Value::String(match name.and_then(field_kind) {
            Some(PASSWORD) => USER_PROVIDED.to_owned(),
            Some(_) => TOKEN.to_owned(),
            None => without_secrets(&text),
        }),
        Value::Array(values) => values.into_iter().map(|value| clean(value, name)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(name, _)| name != PROTOTYPE);
            let clean = fields.map(|(name, value)| {
                let value = clean(value, Some(&name));
                (without_secrets(&name), value)
            });
            Value::Object(clean.collect())
        }
        other => other,
    }
}

fn without_secrets(text: &str) -> String {
    let mut pieces = text.split(SECRET);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(if piece.starts_with(PASSWORD) { USER_PROVIDED } else { TOKEN });
        out.push_str(piece.split_once(']').map_or("", |(_, after)| after));
    }
    out.replace(INPUT_PLACEHOLDER, USER_PROVIDED).replace(HEADER_PLACEHOLDER, TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(fields: Value) -> Request {
        let mut request =
            json!({ "method": "GET", "url": "http://a/x", "status": 200, "contentType": "application/json" });
        request.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        crate::entry::from_test(request)
    }

    fn made(requests: &[Request]) -> Option<(Value, Fixtures)> {
        let asked: Vec<Asked<'_>> = requests
            .iter()
            .map(|request| Asked {
                request,
                endpoint: super::super::endpoint::Endpoint::from_request(request).unwrap(),
            })
            .collect();
        let made = fixtures(&asked)?;
        let literal = made.file.split_once("fixtures = ").unwrap().1.strip_suffix(";\n").unwrap();
        Some((serde_json::from_str(literal).unwrap(), made))
    }

    #[test]
    fn earlier_responses_are_played_before_the_last() {
        let bodies = ["[]", "[]", "[1]"].map(|body| request(json!({ "responseBody": body })));
        let (file, _) = made(&bodies).unwrap();
        let empty = json!({ "status": 200, "contentType": "application/json", "body": [] });
        assert_eq!(
            file,
            json!({ "GET /x": { "status": 200, "contentType": "application/json", "body": [1], "earlier": [empty, empty] } })
        );
        let (file, _) = made(&[bodies[0].clone(), bodies[1].clone()]).unwrap();
        assert_eq!(file, json!({ "GET /x": { "status": 200, "contentType": "application/json", "body": [] } }));
    }

    #[test]
    fn credentials_are_replaced_by_their_kind() {
        let body = r#"{"token":"[secret:jwt#1]","password":"[secret:password#2]","note":"Bearer [secret:token#3]!","pin":"[redacted]","name":"Ann","__proto__":{"a":1},"apiKey":"short","tokens":[""]}"#;
        let (file, _) = made(&[request(json!({ "responseBody": body }))]).unwrap();
        assert_eq!(
            file["GET /x"]["body"],
            json!({ "token": TOKEN, "password": USER_PROVIDED, "note": format!("Bearer {TOKEN}!"), "pin": USER_PROVIDED, "name": "Ann", "apiKey": TOKEN, "tokens": [""] })
        );
    }

    #[test]
    fn only_whole_responses_are_played() {
        for (fields, body) in [
            (json!({ "responseBody": "5" }), Some(json!(5))),
            (json!({ "responseBody": "\"text\"" }), Some(json!("text"))),
            (json!({ "status": 204, "contentType": "" }), Some(json!(""))),
            (json!({ "responseBody": "<p>", "contentType": "text/html" }), Some(json!("<p>"))),
            (json!({ "responseBody": "[1]", "contentType": "" }), Some(json!([1]))),
            (json!({ "responseBody": "[1]", "truncated": true }), Some(json!([1]))),
            (json!({ "responseBody": "[1" }), None),
            (json!({ "responseBody": "plain", "contentType": "text/plain", "truncated": true }), None),
            (json!({ "responseBody": "[Binary: 5 bytes, type: image/png]", "contentType": "image/png" }), None),
            (json!({}), None),
            (json!({ "status": 0, "responseBody": "" }), None),
        ] {
            let played = made(&[request(fields.clone())]).map(|(file, _)| file["GET /x"]["body"].clone());
            assert_eq!(played, body, "{fields}");
        }
    }

    #[test]
    fn limits_hold_at_below_and_above() {
        let of = |count: usize, bytes: usize| {
            let one = |place: usize| {
                request(
                    json!({ "url": format!("http://a/x{place}"), "responseBody": format!("\"{}\"", "v".repeat(bytes)) }),
                )
            };
            let requests: Vec<Request> = (0..count).map(one).collect();
            let (file, made) = made(&requests).unwrap();
            (file.as_object().unwrap().len(), made.left_out, made.file.len())
        };
        for (count, kept) in [(19, 19), (20, 20), (21, 20)] {
            assert_eq!((of(count, 10).0, of(count, 10).1), (kept, count - kept));
        }
        let least = of(5, 10).2;
        let spare = (limits::TEST_FIXTURE_BYTES - least) / 5;
        let (kept, left_out, bytes) = of(5, 10 + spare);
        assert!(kept == 5 && left_out == 0 && bytes <= limits::TEST_FIXTURE_BYTES, "{bytes}");
        let (kept, left_out, bytes) = of(5, 10 + spare + 1);
        assert!(kept == 4 && left_out == 1 && bytes <= limits::TEST_FIXTURE_BYTES, "{bytes}");
    }
}
