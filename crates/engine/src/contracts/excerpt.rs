//! Which values an answer shows: the whole body of an error, and a sample of a value that broke a contract, as far as
//! its type permits.
//!
//! Bodies come from the store, so their credentials are redacted. Of data, only the form is kept: `19.99` in quotes
//! explains a changed type, a customer's name does not.

use serde_json::{Map, Value, json};
use wire::limits;

use super::brief::bounded;
use super::endpoint::normalize_key;
use super::learned::WHOLE;
use super::shape::Shape;
use crate::answer::fit::json_len;
use crate::text::shorten;

const TEXT_CHARS: usize = 200;
/// Size of the part of an error's body that is shown.
const ERROR_BYTES: usize = 600;
/// Size of a sample.
const SAMPLE_BYTES: usize = 200;
const SAMPLE_CHARS: usize = 40;
/// A number with more digits may identify someone, so only its magnitude is shown.
const PLAIN_DIGITS: u32 = 6;
const ELEMENTS: usize = 3;

/// The message of an error response: its JSON, else the start of its text. `None` when it is empty.
pub(super) fn of_error(body: &str) -> Option<Value> {
    let body = body.trim();
    if body.is_empty() {
        return None;
    }
    Some(serde_json::from_str(body).map_or_else(|_| json!(shorten(body, TEXT_CHARS)), |value| cut(&value, ERROR_BYTES)))
}

/// A sample of the value of this type at a difference's path: `a.b`, `list[].a` or `(response)`.
pub(super) fn at_path(body: &Value, path: &str, type_name: &str) -> Option<Value> {
    let is_meant = |value: &Value| type_of(value) == type_name;
    let path = if path == WHOLE { "" } else { path };
    find(body, path, &is_meant).map(sample)
}

/// A sample of the element with this shape, of the list at the path.
pub(super) fn element_at(body: &Value, path: &str, shape: &Value) -> Option<Value> {
    let path = if path == WHOLE { "" } else { path };
    let elements = find(body, path, &Value::is_array)?.as_array()?;
    let has_shape = |element: &&Value| {
        // The list may be on any of the levels that shapes have.
        (0..=limits::API_SHAPE_LEVELS + 1)
            .any(|levels| Shape::read(&element.to_string(), levels).is_some_and(|found| found.to_json() == *shape))
    };
    elements.iter().find(has_shape).map(sample)
}

/// Follows a path to the first value that `is_meant` accepts. Names may contain dots, and may stand for several keys.
fn find<'v>(value: &'v Value, path: &str, is_meant: &dyn Fn(&Value) -> bool) -> Option<&'v Value> {
    if path.is_empty() {
        return is_meant(value).then_some(value);
    }
    if let Some(rest) = path.strip_prefix("[]") {
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        return value.as_array()?.iter().find_map(|element| find(element, rest, is_meant));
    }
    value.as_object()?.iter().find_map(|(key, inner)| {
        let rest = path.strip_prefix(normalize_key(key))?;
        let rest = match rest.strip_prefix('.') {
            Some(rest) => rest,
            None if rest.is_empty() || rest.starts_with("[]") => rest,
            None => return None,
        };
        find(inner, rest, is_meant)
    })
}

/// The part of a value that its type permits to show.
fn sample(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.abs() >= 10_f64.powi(PLAIN_DIGITS as i32) => {
                json!(10_f64.powf(float.abs().log10().floor()).copysign(float))
            }
            _ => value.clone(),
        },
        Value::String(text) => json!(form(text)),
        Value::Array(_) | Value::Object(_) => {
            let shape = Shape::read(&value.to_string(), limits::API_SHAPE_LEVELS);
            shape.map_or(Value::Null, |shape| bounded(&shape.to_json(), SAMPLE_BYTES))
        }
    }
}

/// A text that is a short number or a JSON word is shown as it is; any other by its form: `Ann-7` becomes `Aaa-0`.
fn form(text: &str) -> String {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_number = text.parse::<f64>().is_ok_and(f64::is_finite) && digits <= PLAIN_DIGITS as usize;
    if is_number || matches!(text, "true" | "false" | "null" | "undefined" | "NaN") {
        return text.to_owned();
    }
    let masked: String = text
        .chars()
        .take(SAMPLE_CHARS + 1)
        .map(|c| match c {
            '0'..='9' => '0',
            c if c.is_uppercase() => 'A',
            c if c.is_alphanumeric() => 'a',
            c => c,
        })
        .collect();
    shorten(&masked, SAMPLE_CHARS)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The value in about this many bytes. Scalars stay what they are, because their type matters.
fn cut(value: &Value, bytes: usize) -> Value {
    match value {
        Value::String(text) => json!(shorten(text, TEXT_CHARS.min(bytes))),
        Value::Object(fields) => {
            let mut shown = Map::new();
            let mut left = bytes;
            for (name, inner) in fields {
                let inner = cut(inner, left / 2);
                let used = name.len() + json_len(&inner) + 4;
                if used > left {
                    shown.insert("…".to_owned(), json!("more"));
                    break;
                }
                left -= used;
                shown.insert(name.clone(), inner);
            }
            Value::Object(shown)
        }
        Value::Array(elements) => {
            let mut shown: Vec<Value> =
                elements.iter().take(ELEMENTS).map(|element| cut(element, bytes / ELEMENTS)).collect();
            if elements.len() > ELEMENTS {
                shown.push(json!(format!("… {} more", elements.len() - ELEMENTS)));
            }
            Value::Array(shown)
        }
        scalar => scalar.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_at_their_paths() {
        let body = json!({ "a.b": { "c": 1 }, "list": [{ "n": 1 }, { "n": null }], "byId": { "17": { "x": "y" } }, "deep": [[1, "two"]] });
        for (path, type_name, expected) in [
            ("a.b.c", "number", Some(json!(1))),
            ("list[].n", "null", Some(json!(null))),
            ("list[].n", "number", Some(json!(1))),
            ("byId.:id.x", "string", Some(json!("a"))),
            ("deep[][]", "string", Some(json!("aaa"))),
            ("deep", "array", Some(json!([["number", "string"]]))),
            ("(response)", "array", None),
            ("a", "object", None),
            ("list[].m", "null", None),
        ] {
            assert_eq!(at_path(&body, path, type_name), expected, "{path}");
        }
        assert_eq!(element_at(&body, "list", &json!({ "n": "null" })), Some(json!({ "n": "null" })));
    }

    #[test]
    fn samples_depend_on_the_type() {
        for (value, expected) in [
            (json!(null), json!(null)),
            (json!(true), json!(true)),
            (json!(-19.99), json!(-19.99)),
            (json!(999_999), json!(999_999)),
            (json!(-12_345_678), json!(-10_000_000.0)),
            (json!("19.99"), json!("19.99")),
            (json!(""), json!("")),
            (json!("12345678"), json!("00000000")),
            (json!("Ann Smith-7 <ä@x.io>"), json!("Aaa Aaaaa-0 <a@a.aa>")),
            (json!("x".repeat(41)), json!(format!("{}…", "a".repeat(40)))),
            (json!({ "id": 1, "name": "ada" }), json!({ "id": "number", "name": "string" })),
            (json!(["ada"]), json!(["string"])),
        ] {
            assert_eq!(sample(&value), expected, "{value}");
        }
    }

    #[test]
    fn error_messages_are_bounded() {
        assert_eq!(of_error(" "), None);
        assert_eq!(of_error("Bad gateway"), Some(json!("Bad gateway")));
        assert_eq!(of_error(r#"{"error":"no","code":5}"#), Some(json!({ "error": "no", "code": 5 })));
        let wide: Map<String, Value> = (0..500).map(|n| (format!("field{n}"), json!("x".repeat(500)))).collect();
        let long = [
            Value::Object(wide),
            json!(vec!["x".repeat(1_000); 100]),
            json!({ "a": { "b": { "c": "x".repeat(9_000) } } }),
            json!("x".repeat(9_000)),
        ];
        for body in long {
            let told = of_error(&body.to_string()).unwrap();
            assert!(json_len(&told) <= ERROR_BYTES + 100, "{} bytes: {told}", json_len(&told));
        }
    }
}
