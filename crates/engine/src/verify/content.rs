//! Compares requests, responses and messages by their content.

use serde_json::Value;

use super::same::hash;
use crate::contracts::is_identifier;
use crate::entry::Request;
use crate::fingerprint::{is_only_uuid, is_time};

/// Fields that name a request's purpose, where one address serves many.
const REQUEST_KINDS: [&str; 8] =
    ["method", "operationName", "operation", "op", "action", "command", "cmd", "procedure"];
/// The same for socket messages.
const MESSAGE_KINDS: [&str; 11] =
    ["type", "event", "method", "action", "op", "kind", "command", "cmd", "topic", "channel", "operation"];
const KIND_CHARS: usize = 64;
/// How many fields of a message without a kind are looked at.
const FIELDS: usize = 8;
/// Digits of a time in milliseconds.
const TIME_DIGITS: f64 = 1e11;
/// The longest packet type of engine.io and socket.io.
const PACKET_CHARS: usize = 3;
const VARYING: &str = "<varying>";
/// Names of fields whose value is generated for each request.
const USED_ONCE: [&str; 4] = ["csrf", "xsrf", "nonce", "idempotency"];
const USED_ONCE_EXACTLY: [&str; 5] =
    ["requestid", "correlationid", "traceid", "authenticitytoken", "requestverificationtoken"];
/// A response that reports a failure has one of these fields.
const FAILURE_WORDS: [&str; 7] =
    ["\"errors\"", "\"error\"", "\"success\"", "\"ok\"", "\"status\"", "\"statusCode\"", "\"code\""];
/// The start of a whole HTML page.
const PAGE_STARTS: [&str; 2] = ["<!doctype html", "<html"];
/// Levels of a message that its shape covers.
const SHAPE_LEVELS: usize = 4;

/// A request's stated purpose: `cart.pay` of `{"jsonrpc":"2.0","method":"cart.pay"}`.
pub(super) fn request_kind(body: &str) -> Option<String> {
    if !body.trim_start().starts_with('{') {
        return None;
    }
    let Value::Object(fields) = serde_json::from_str(body).ok()? else { return None };
    REQUEST_KINDS.iter().find_map(|name| kind(fields.get(*name)?)).map(str::to_owned)
}

/// The value, if it looks like a programmer's identifier instead of a user's text.
fn kind(value: &Value) -> Option<&str> {
    let text = value.as_str()?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/-[]<>#".contains(&byte);
    (!text.is_empty() && text.len() <= KIND_CHARS && text.bytes().all(is_name) && !is_only_uuid(text)).then_some(text)
}

/// The purpose of a socket message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum About {
    /// A heartbeat.
    Nothing,
    Kind(String),
    /// JSON without a kind, identified by its fields.
    Fields(String),
    Unknown,
}

impl About {
    pub(super) fn from_message(message: &str) -> Self {
        let message = message.trim();
        let packet = message.bytes().take_while(u8::is_ascii_digit).count();
        let rest = message.get(packet..).unwrap_or_default();
        if rest.is_empty() && packet > 0 && packet <= PACKET_CHARS {
            return Self::Nothing;
        }
        match json_of(message) {
            Some(Value::Object(fields)) => {
                if let Some(kind) = MESSAGE_KINDS.iter().find_map(|name| kind(fields.get(*name)?)) {
                    return Self::Kind(kind.to_owned());
                }
                // Keys that are values differ each time.
                let mut names: Vec<&str> =
                    fields.keys().map(String::as_str).filter(|name| !is_identifier(name)).collect();
                names.sort_unstable();
                names.truncate(FIELDS);
                if names.is_empty() { Self::Unknown } else { Self::Fields(names.join(", ")) }
            }
            Some(Value::Array(parts)) => {
                // `["4", "4", "room:lobby", "new_message", {…}]`: Phoenix.
                let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                let names = parts.iter().filter_map(kind).filter(|text| !is_number(text)).take(2);
                match names.collect::<Vec<_>>().join(" ") {
                    name if name.is_empty() => Self::Unknown,
                    name => Self::Kind(name),
                }
            }
            _ => Self::Unknown,
        }
    }
}

/// A hash of a request body without the parts that differ each time: times, random identifiers, the number of a call.
pub(super) fn same_content(body: &str) -> u64 {
    match serde_json::from_str::<Value>(body) {
        Ok(mut value) => {
            if let Value::Object(fields) = &mut value
                && fields.contains_key("jsonrpc")
            {
                fields.remove("id");
            }
            settle(&mut value);
            value.sort_all_objects();
            hash(&value.to_string())
        }
        Err(_) => hash(&body.to_owned()),
    }
}

fn settle(value: &mut Value) {
    let varies = match value {
        Value::String(text) => is_only_uuid(text) || is_time(text),
        Value::Number(number) => number.as_f64().is_some_and(|number| number >= TIME_DIGITS),
        Value::Array(values) => {
            values.iter_mut().for_each(settle);
            false
        }
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                if is_used_once(name) { *value = Value::from(VARYING) } else { settle(value) }
            }
            false
        }
        _ => false,
    };
    if varies {
        *value = Value::from(VARYING);
    }
}

/// Whether a field's value differs in each request.
fn is_used_once(name: &str) -> bool {
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    USED_ONCE.iter().any(|part| name.contains(part)) || USED_ONCE_EXACTLY.contains(&name.as_str())
}

/// A hash of a message's shape: names and types, and what is missing. Its values differ each time.
pub(super) fn same_shape(message: &str) -> u64 {
    fn write(out: &mut String, value: &Value, levels: usize) {
        match value {
            Value::Null => out.push('0'),
            Value::Bool(_) => out.push('b'),
            Value::Number(_) => out.push('n'),
            Value::String(_) => out.push('s'),
            Value::Array(_) | Value::Object(_) if levels == 0 => out.push('…'),
            Value::Array(values) => {
                out.push('[');
                // The first represents all of them.
                values.first().into_iter().for_each(|value| write(out, value, levels - 1));
                out.push(']');
            }
            Value::Object(fields) => {
                let mut names: Vec<_> = fields.iter().filter(|(name, _)| !is_identifier(name)).collect();
                names.sort_unstable_by_key(|(name, _)| *name);
                out.push('{');
                for (name, value) in names {
                    out.push_str(name);
                    out.push(':');
                    write(out, value, levels - 1);
                }
                out.push('}');
            }
        }
    }
    let mut shape = String::new();
    if let Some(value) = json_of(message) {
        write(&mut shape, &value, SHAPE_LEVELS);
    }
    hash(&shape)
}

/// The JSON of a message; packets of engine.io and socket.io have it after a number.
fn json_of(message: &str) -> Option<Value> {
    let message = message.trim();
    let packet = message.bytes().take_while(u8::is_ascii_digit).count();
    let rest = message.get(packet..).unwrap_or_default();
    // `42["order:updated",{"id":1}]`, `42/shop,["order:updated"]`: socket.io.
    let json = match rest.strip_prefix('/') {
        Some(named) if packet > 0 => named.split_once(',').map_or(rest, |(_, json)| json),
        _ if packet <= PACKET_CHARS => rest,
        _ => message,
    };
    serde_json::from_str(json).ok()
}

/// Why a response with a successful status may not be what the page needs.
pub(super) fn odd_answer(body: &Request) -> Option<String> {
    // 304 says that the browser's cached response is still valid.
    if let Some(status @ 300..=399) = body.status.filter(|status| *status != 304) {
        return Some(format!("was answered with {status}"));
    }
    let answer = body.response_body.as_deref().unwrap_or_default();
    if !FAILURE_WORDS.iter().any(|word| answer.contains(word)) {
        return None;
    }
    let Ok(Value::Object(fields)) = serde_json::from_str(answer) else { return None };
    let errors = fields.get("errors").and_then(Value::as_array);
    let is_error = |error: &Value| error.get("message").is_some_and(Value::is_string);
    if errors.is_some_and(|errors| !errors.is_empty() && (fields.contains_key("data") || errors.iter().all(is_error))) {
        return Some("was answered with errors".to_owned());
    }
    let is_denied = ["success", "ok"].iter().any(|name| fields.get(*name) == Some(&Value::Bool(false)));
    let has_error = match fields.get("error") {
        Some(Value::String(error)) => !error.is_empty(),
        Some(Value::Object(error)) => !error.is_empty(),
        Some(error) => *error == Value::Bool(true),
        None => false,
    };
    // `{"status":"error","message":…}` and `{"code":500,"message":…}` are common error envelopes.
    let says_why = fields.get("message").is_some_and(|why| why.as_str().is_some_and(|why| !why.is_empty()));
    let status = fields.get("status").and_then(Value::as_str).unwrap_or_default();
    let has_failed_status = ["error", "fail", "failed", "failure"].iter().any(|word| status.eq_ignore_ascii_case(word));
    let has_failed_code =
        says_why && ["code", "status", "statusCode"].iter().any(|name| is_failed_status(fields.get(*name)));
    (is_denied || has_error || has_failed_status || has_failed_code)
        .then(|| "was answered with a body that says that it failed".to_owned())
}

fn is_failed_status(value: Option<&Value>) -> bool {
    value.and_then(Value::as_u64).is_some_and(|status| (400..600).contains(&status))
}

/// Whether a script requested it and the response is a whole page, as far as that is known.
pub(super) fn is_page_for_script(body: &Request) -> bool {
    let is_html = media_type(body).is_some_and(|kind| kind.eq_ignore_ascii_case("text/html"));
    let is_asked_by_script = matches!(body.initiator.as_deref(), Some("fetch" | "xhr"));
    let is_page = body.response_body.as_deref().is_none_or(|text| {
        let start = text.trim_start().get(..PAGE_STARTS[0].len()).unwrap_or_default().to_ascii_lowercase();
        PAGE_STARTS.iter().any(|mark| start.starts_with(mark))
    });
    is_asked_by_script && is_html && is_page
}

/// The media type of a response without parameters: `text/html`.
pub(super) fn media_type(body: &Request) -> Option<&str> {
    let kind = body.content_type.as_deref()?.split(';').next()?.trim();
    (!kind.is_empty()).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::{About, request_kind, same_content};

    #[test]
    fn the_purpose_of_requests_is_recognised() {
        assert_eq!(request_kind(r#"{"jsonrpc":"2.0","method":"cart.pay"}"#).as_deref(), Some("cart.pay"));
        assert_eq!(request_kind(r#"{"action":"a note that the user wrote"}"#), None);
        assert_eq!(request_kind(r#"{"qty":3}"#), None);
        assert_eq!(request_kind("method=pay"), None);
    }

    #[test]
    fn the_purpose_of_messages_is_recognised() {
        let kind = |text: &str| About::Kind(text.to_owned());
        for (message, about) in [
            (r#"{"type":"price"}"#, kind("price")),
            (r#"42["order:updated",{"id":1}]"#, kind("order:updated")),
            (r#"42/shop,["order:updated"]"#, kind("order:updated")),
            (r#"["4","4","room:lobby","new_message",{"a":1}]"#, kind("room:lobby new_message")),
            ("2", About::Nothing),
            (r#"{"price":1,"at":2}"#, About::Fields("at, price".to_owned())),
            ("tick 17", About::Unknown),
            ("1770600000000", About::Unknown),
        ] {
            assert_eq!(About::from_message(message), about, "{message}");
        }
    }

    #[test]
    fn content_is_compared_without_times_and_random_names() {
        for (one, other, is_same) in [
            (r#"{"qty":1,"at":1770600000000}"#, r#"{"at":1770699999999,"qty":1}"#, true),
            (r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#, r#"{"jsonrpc":"2.0","id":2,"method":"a"}"#, true),
            (r#"{"qty":1}"#, r#"{"qty":-1}"#, false),
            ("a=1", "a=2", false),
        ] {
            assert_eq!(same_content(one) == same_content(other), is_same, "{one} {other}");
        }
    }
}
