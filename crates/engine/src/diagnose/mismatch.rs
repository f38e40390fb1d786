//! Finds out whether a response lacks what the failing line reads, or has it in another form.

use serde_json::Value;

use super::scene::Scene;
use crate::symbolicate::summary::{nothing_read, owner_of};
use crate::text::shorten;

const LIST_METHODS: [&str; 16] = [
    "map",
    "filter",
    "forEach",
    "reduce",
    "find",
    "findIndex",
    "some",
    "every",
    "slice",
    "sort",
    "join",
    "flatMap",
    "at",
    "push",
    "splice",
    "concat",
];
const NUMBER_METHODS: [&str; 2] = ["toFixed", "toPrecision"];
const TEXT_METHODS: [&str; 8] =
    ["trim", "split", "toUpperCase", "toLowerCase", "startsWith", "endsWith", "replace", "charAt"];
const KEYS: usize = 8;

/// What the failing code expected of a value.
enum Wanted<'s> {
    /// A member of a value that is null or undefined.
    Something {
        owner: Option<&'s str>,
        member: &'s str,
    },
    List {
        owner: Option<&'s str>,
    },
    Number {
        owner: Option<&'s str>,
    },
    Text {
        owner: Option<&'s str>,
    },
}

/// How a body differs from what the failing code needed.
#[derive(Debug, PartialEq)]
pub(super) struct Mismatch {
    pub(super) text: String,
    /// Whether the code reads a name that the body contains.
    pub(super) shares_a_name: bool,
}

/// How a body differs from what the failing code needed; `None` when it does not.
pub(super) fn mismatch(scene: &Scene<'_>, body: &str) -> Option<Mismatch> {
    let wanted = wanted(scene)?;
    let trimmed = body.trim();
    if trimmed.is_empty() {
        return Some(Mismatch { text: "its body is empty".to_owned(), shares_a_name: false });
    }
    let body: Value = serde_json::from_str(trimmed).ok()?;
    let owner = match wanted {
        Wanted::Something { owner, .. }
        | Wanted::List { owner }
        | Wanted::Number { owner }
        | Wanted::Text { owner } => owner,
    };
    let shares_a_name = owner.is_some_and(|owner| follow(&body, &names(owner)).is_some());
    let text = match wanted {
        Wanted::Something { owner, member } => lacks(&body, owner, member),
        Wanted::List { owner } => is_other(&body, owner, "a list", Value::is_array),
        Wanted::Number { owner } => is_other(&body, owner, "a number", Value::is_number),
        Wanted::Text { owner } => is_other(&body, owner, "a text", Value::is_string),
    };
    text.map(|text| Mismatch { text, shares_a_name })
}

fn wanted<'s>(scene: &'s Scene<'_>) -> Option<Wanted<'s>> {
    let code = scene.code.as_deref();
    let column = scene.place.as_ref().map_or(0, |(_, _, column)| *column);
    let message = scene.message.as_str();
    if let Some((_, member)) = nothing_read(message) {
        let owner = code.and_then(|code| owner_of(code, member, column));
        // `undefined.map`: the list itself is missing.
        return Some(Wanted::Something { owner, member });
    }
    if let Some((called, _)) = message.split_once(" is not a function") {
        let called = called.rsplit([' ', '(']).next().unwrap_or(called);
        let (owner, method) = called.rsplit_once('.').unwrap_or(("", called));
        let owner =
            code.and_then(|code| owner_of(code, method, column)).or(Some(owner)).filter(|owner| !owner.is_empty());
        let is = |methods: &[&str]| methods.contains(&method);
        return match method {
            _ if is(&LIST_METHODS) => Some(Wanted::List { owner }),
            _ if is(&NUMBER_METHODS) => Some(Wanted::Number { owner }),
            _ if is(&TEXT_METHODS) => Some(Wanted::Text { owner }),
            _ => None,
        };
    }
    if let Some((value, _)) = message.split_once(" is not iterable") {
        let owner = value.rsplit([' ', '(']).next().filter(|owner| *owner != "object" && *owner != "undefined");
        return Some(Wanted::List { owner });
    }
    None
}

/// The names of an expression, without calls and indices: `load(x).rows[0].price` is `load`, `rows`, `price`.
fn names(expression: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let parts = expression.split(['.', '?', '!', '[', ']']).filter(|part| !part.is_empty());
    parts.map(|part| part.split(|c| !is_word(c)).next().unwrap_or_default()).filter(|name| !name.is_empty()).collect()
}

/// Follows the names as far as the body has them. `None` when it has none of them.
fn follow<'b, 'n>(body: &'b Value, names: &[&'n str]) -> Option<(&'b Value, Vec<&'n str>)> {
    let start = names.iter().position(|name| step(body, name).is_some())?;
    let mut value = body;
    let mut rest = names.get(start..)?;
    while let Some((name, after)) = rest.split_first() {
        let Some(next) = step(value, name) else { break };
        value = next;
        rest = after;
    }
    Some((value, rest.to_vec()))
}

/// One step into a value. A list is represented by its first element, and a number as a name is an index.
fn step<'b>(value: &'b Value, name: &str) -> Option<&'b Value> {
    match value {
        Value::Object(fields) => fields.get(name),
        Value::Array(items) => match name.parse::<usize>() {
            Ok(index) => items.get(index),
            Err(_) => items.first().and_then(|first| first.get(name)),
        },
        _ => None,
    }
}

fn lacks(body: &Value, owner: Option<&str>, member: &str) -> Option<String> {
    if body.is_null() {
        return Some("its body is `null`".to_owned());
    }
    let names = owner.map(names).unwrap_or_default();
    match follow(body, &names) {
        Some((value, _)) if value.is_null() => {
            let name = names.iter().rev().find(|name| step_anywhere(body, name)).copied().unwrap_or(member);
            Some(format!("`{name}` is null in its body"))
        }
        Some((value, rest)) => rest
            .first()
            .filter(|_| value.is_object())
            .map(|name| format!("its body has no `{name}` there, only {}", keys(value))),
        // `user.profile.name` where the whole body is `user`.
        None => {
            let wanted = names.last().filter(|_| names.len() > 1)?;
            (body.is_object() || body.is_array()).then(|| format!("its body has no `{wanted}`, only {}", keys(body)))
        }
    }
}

fn step_anywhere(body: &Value, name: &str) -> bool {
    match body {
        Value::Object(fields) => fields.contains_key(name) || fields.values().any(|value| step_anywhere(value, name)),
        Value::Array(items) => items.first().is_some_and(|first| step_anywhere(first, name)),
        _ => false,
    }
}

fn is_other(body: &Value, owner: Option<&str>, expected: &str, fits: fn(&Value) -> bool) -> Option<String> {
    let names = owner.map(names).unwrap_or_default();
    let (value, name) = match follow(body, &names) {
        // A value that is as expected did not fail: the code uses that name for the whole body.
        Some((value, rest)) if rest.is_empty() && fits(value) && names.len() == 1 => (body, None),
        Some((value, rest)) if rest.is_empty() => (value, names.last().copied()),
        Some(_) => return None,
        // The expression may be the whole body, under a name that the code chose.
        None if names.len() <= 1 => (body, None),
        None => return None,
    };
    if fits(value) {
        return None;
    }
    let place = name.map_or("its body".to_owned(), |name| format!("`{name}` in its body"));
    Some(format!("{place} is {}, not {expected}", describe(value)))
}

fn describe(value: &Value) -> String {
    match value {
        Value::Object(_) => format!("an object with {}", keys(value)),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::String(text) => format!("the text \"{}\"", shorten(text, 40)),
        Value::Null => "null".to_owned(),
        other => other.to_string(),
    }
}

fn keys(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.is_empty() => "no fields".to_owned(),
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().take(KEYS).map(|name| format!("`{}`", shorten(name, 30))).collect();
            names.join(", ")
        }
        Value::Array(items) => format!("a list of {}", items.len()),
        other => describe(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_are_found_in_bodies() {
        for (body, owner, member, expected) in [
            ("null", Some("user"), "name", Some("its body is `null`")),
            (r#"{"data":null}"#, Some("result.data"), "user", Some("`data` is null in its body")),
            (r#"{"error":"x"}"#, Some("result.data"), "user", Some("its body has no `data`, only `error`")),
            (r#"{"data":{"id":1}}"#, Some("result.data.user"), "name", Some("its body has no `user` there, only `id`")),
            (r#"{"data":{"user":{"name":"x"}}}"#, Some("result.data.user"), "name", None),
            (r#"[{"id":1}]"#, Some("rows[0].price"), "toFixed", Some("its body has no `price` there, only `id`")),
            (r#"{"ok":true}"#, Some("x"), "y", None),
        ] {
            let body: Value = serde_json::from_str(body).unwrap();
            assert_eq!(lacks(&body, owner, member).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn values_of_another_form_are_found_in_bodies() {
        let list = |body: &str, owner: Option<&str>| {
            is_other(&serde_json::from_str(body).unwrap(), owner, "a list", Value::is_array)
        };
        assert_eq!(
            list(r#"{"items":[],"total":0}"#, Some("items")).as_deref(),
            Some("its body is an object with `items`, `total`, not a list")
        );
        assert_eq!(list(r#"{"items":[],"total":0}"#, Some("answer.items")), None);
        assert_eq!(
            list(r#"{"items":{"a":1}}"#, Some("data.items")).as_deref(),
            Some("`items` in its body is an object with `a`, not a list")
        );
        assert_eq!(
            list(r#"{"rows":[]}"#, Some("products")).as_deref(),
            Some("its body is an object with `rows`, not a list")
        );
        assert_eq!(list("[]", Some("products")), None);
        let number =
            is_other(&serde_json::json!({ "price": "12.50" }), Some("item.price"), "a number", Value::is_number);
        assert_eq!(number.as_deref(), Some("`price` in its body is the text \"12.50\", not a number"));
    }
}
