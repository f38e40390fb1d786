//! The part of a body that matters for a diagnosis, in one line.

use serde_json::{Map, Value};

use crate::text::shorten;

const CHARS: usize = 240;
const VALUE_CHARS: usize = 100;
const KEYS: usize = 12;

/// Fields that usually say what went wrong.
const TELLING: [&str; 12] = [
    "error",
    "errors",
    "message",
    "msg",
    "detail",
    "details",
    "reason",
    "code",
    "title",
    "status",
    "error_description",
    "field",
];

/// What a body says about the error: fields that usually say what went wrong and fields that the error names, else an
/// outline.
pub(super) fn that_matters(body: &str, words: &[&str]) -> String {
    let trimmed = body.trim();
    if trimmed.is_empty() {
        return "(empty)".to_owned();
    }
    match serde_json::from_str::<Value>(trimmed) {
        Ok(Value::Object(fields)) => shorten(&of_object(&fields, words), CHARS),
        Ok(Value::Array(items)) => {
            let first = items.first().map(|first| format!(", first {}", shorten(&first.to_string(), VALUE_CHARS)));
            format!("a list of {}{}", items.len(), first.unwrap_or_default())
        }
        Ok(other) => shorten(&other.to_string(), CHARS),
        // Error pages of servers are mostly markup; their title or first words say what happened.
        Err(_) if trimmed.starts_with('<') => shorten(&without_tags(trimmed), VALUE_CHARS),
        Err(_) => shorten(trimmed, CHARS),
    }
}

fn of_object(fields: &Map<String, Value>, words: &[&str]) -> String {
    let is_telling = |name: &str| TELLING.contains(&name.to_ascii_lowercase().as_str()) || words.contains(&name);
    let mut shown = Map::new();
    for (name, value) in fields.iter().filter(|(name, _)| is_telling(name)) {
        shown.insert(name.clone(), brief(value));
    }
    let others: Vec<&str> = fields.keys().map(String::as_str).filter(|name| !shown.contains_key(*name)).collect();
    if shown.is_empty() {
        return Value::Object(fields.iter().take(KEYS).map(|(name, value)| (name.clone(), brief(value))).collect())
            .to_string();
    }
    let mut text = Value::Object(shown).to_string();
    if !others.is_empty() {
        let named: Vec<&str> = others.iter().take(KEYS).copied().collect();
        text.push_str(&format!(" (with {})", named.join(", ")));
    }
    text
}

fn brief(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(shorten(text, VALUE_CHARS)),
        Value::Array(items) if value.to_string().len() > VALUE_CHARS => {
            Value::String(format!("[{} items]", items.len()))
        }
        Value::Object(fields) if value.to_string().len() > VALUE_CHARS => {
            let keys: Vec<&str> = fields.keys().take(KEYS).map(String::as_str).collect();
            Value::String(format!("{{{}}}", keys.join(", ")))
        }
        other => other.clone(),
    }
}

fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars().take(4_000) {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::that_matters;

    #[test]
    fn fields_that_say_what_went_wrong_come_first() {
        for (body, words, expected) in [
            ("", &[][..], "(empty)"),
            ("null", &[], "null"),
            (r#"{"id":1,"error":"boom","rows":[1,2]}"#, &[], r#"{"error":"boom"} (with id, rows)"#),
            (r#"{"id":1,"name":"x"}"#, &[], r#"{"id":1,"name":"x"}"#),
            (r#"{"id":1,"user":null}"#, &["user"], r#"{"user":null} (with id)"#),
            ("[]", &[], "a list of 0"),
            (r#"[{"a":1},2]"#, &[], r#"a list of 2, first {"a":1}"#),
            ("<html><title>502 Bad Gateway</title></html>", &[], "502 Bad Gateway"),
            ("plain words", &[], "plain words"),
        ] {
            assert_eq!(that_matters(body, words), expected, "{body}");
        }
        assert!(that_matters(&format!(r#"{{"error":"{}"}}"#, "x".repeat(5_000)), &[]).len() < 400);
    }
}
