//! What requests, answers and messages hold, as far as two of them can be told apart by it.

use serde_json::Value;
use wire::NetworkBody;

use super::same::hash;
use crate::analysis::api::is_identifier;
use crate::view::fingerprint::{is_only_uuid, is_time};

/// Fields that say what a request is about, where one address serves many.
const REQUEST_KINDS: [&str; 8] =
    ["method", "operationName", "operation", "op", "action", "command", "cmd", "procedure"];
/// The same of socket messages.
const MESSAGE_KINDS: [&str; 11] =
    ["type", "event", "method", "action", "op", "kind", "command", "cmd", "topic", "channel", "operation"];
const KIND_CHARS: usize = 64;
/// Fields of a message without a kind that are looked at.
const FIELDS: usize = 8;
/// Digits of a time in milliseconds.
const TIME_DIGITS: f64 = 1e11;
/// The longest packet type of engine.io and socket.io.
const PACKET_CHARS: usize = 3;
const VARYING: &str = "<varying>";

/// What a request says that it is about: `cart.pay` of `{"jsonrpc":"2.0","method":"cart.pay"}`.
pub(super) fn request_kind(body: &str) -> Option<String> {
    if !body.trim_start().starts_with('{') {
        return None;
    }
    let Value::Object(fields) = serde_json::from_str(body).ok()? else { return None };
    REQUEST_KINDS.iter().find_map(|name| kind(fields.get(*name)?)).map(str::to_owned)
}

/// A word of programmers, not of users.
fn kind(value: &Value) -> Option<&str> {
    let text = value.as_str()?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/-[]<>#".contains(&byte);
    (!text.is_empty() && text.len() <= KIND_CHARS && text.bytes().all(is_name) && !is_only_uuid(text)).then_some(text)
}

/// What a socket's message is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum About {
    /// A sign of life.
    Nothing,
    Kind(String),
    /// JSON without a kind, known by its fields.
    Fields(String),
    Unknown,
}

impl About {
    pub(super) fn of(message: &str) -> Self {
        let message = message.trim();
        let packet = message.bytes().take_while(u8::is_ascii_digit).count();
        let rest = message.get(packet..).unwrap_or_default();
        if rest.is_empty() && packet > 0 && packet <= PACKET_CHARS {
            return Self::Nothing;
        }
        // `42["order:updated",{"id":1}]`, `42/shop,["order:updated"]`: socket.io.
        let json = match rest.strip_prefix('/') {
            Some(named) if packet > 0 => named.split_once(',').map_or(rest, |(_, json)| json),
            _ if packet <= PACKET_CHARS => rest,
            _ => message,
        };
        match serde_json::from_str(json) {
            Ok(Value::Object(fields)) => {
                if let Some(kind) = MESSAGE_KINDS.iter().find_map(|name| kind(fields.get(*name)?)) {
                    return Self::Kind(kind.to_owned());
                }
                // What is keyed by what it holds has other keys each time.
                let mut names: Vec<&str> =
                    fields.keys().map(String::as_str).filter(|name| !is_identifier(name)).collect();
                names.sort_unstable();
                names.truncate(FIELDS);
                if names.is_empty() { Self::Unknown } else { Self::Fields(names.join(", ")) }
            }
            Ok(Value::Array(parts)) => {
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

/// A hash of a request's body without what is another each time: moments, random identifiers, the number of a call.
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
            fields.values_mut().for_each(settle);
            false
        }
        _ => false,
    };
    if varies {
        *value = Value::from(VARYING);
    }
}

/// Why an answer whose status says that all is well may not be what the page needs.
pub(super) fn odd_answer(body: &NetworkBody) -> Option<String> {
    // 304 says that what the browser has is still right.
    if let Some(status @ 300..=399) = body.status.filter(|status| *status != 304) {
        return Some(format!("was answered with {status}"));
    }
    let answer = body.response_body.as_deref().unwrap_or_default();
    // Only GraphQL says so beside its data.
    let has_errors = answer.contains("\"errors\"")
        && matches!(serde_json::from_str(answer), Ok(Value::Object(fields)) if fields.contains_key("data")
            && fields.get("errors").and_then(Value::as_array).is_some_and(|errors| !errors.is_empty()));
    has_errors.then(|| "was answered with errors beside its data".to_owned())
}

/// The kind of an answer without what follows it: `text/html`.
pub(super) fn media_type(body: &NetworkBody) -> Option<&str> {
    let kind = body.content_type.as_deref()?.split(';').next()?.trim();
    (!kind.is_empty()).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::{About, request_kind, same_content};

    #[test]
    fn requests_say_what_they_are_about() {
        assert_eq!(request_kind(r#"{"jsonrpc":"2.0","method":"cart.pay"}"#).as_deref(), Some("cart.pay"));
        assert_eq!(request_kind(r#"{"action":"a note that the user wrote"}"#), None);
        assert_eq!(request_kind(r#"{"qty":3}"#), None);
        assert_eq!(request_kind("method=pay"), None);
    }

    #[test]
    fn messages_say_what_they_are_about() {
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
            assert_eq!(About::of(message), about, "{message}");
        }
    }

    #[test]
    fn content_is_the_same_but_for_moments_and_random_names() {
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
