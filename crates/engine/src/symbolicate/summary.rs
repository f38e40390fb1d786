//! Describes an error in one sentence, from what is known.

use serde_json::Value;

use crate::entry::{Log, LogKind};
use crate::text::shorten;

const MESSAGE_CHARS: usize = 300;
const STATE_VALUES: usize = 4;
const VALUE_CHARS: usize = 60;
const SUMMARY_CHARS: usize = 900;

/// The facts that the sentence is made from.
pub struct Facts<'f> {
    /// The error.
    pub entry: &'f Log,
    /// File, line and column.
    pub place: Option<(&'f str, u32, u32)>,
    /// The source line of that position.
    pub error_line: Option<&'f str>,
    /// The components that it happened in.
    pub ancestry: Option<&'f Value>,
    /// The state of the application's stores.
    pub state: Option<&'f Value>,
}

/// `{ErrorType} in {file}:{line} — {what is wrong}. {state}. {components}.`
pub fn sentence(facts: &Facts<'_>) -> String {
    let kind = error_type(facts.entry);
    let mut text = match facts.place {
        Some((file, line, _)) => format!("{kind} in {file}:{line}"),
        None => kind.to_owned(),
    };
    let message = facts.entry.message.as_str().trim();
    let message = message.strip_prefix("Uncaught ").unwrap_or(message);
    let message = message.strip_prefix(kind).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message);
    let column = facts.place.map_or(0, |(_, _, column)| column);
    let problem = facts.error_line.and_then(|line| what_is_wrong(message, line, column));
    match problem {
        Some(problem) => text.push_str(&format!(" — {problem}")),
        None => text.push_str(&format!(" — {}", shorten(message, MESSAGE_CHARS))),
    }
    end_sentence(&mut text);
    if let Some(state) = facts.state.and_then(state_words) {
        text.push_str(&format!(" State: {state}."));
    }
    if let Some(components) = facts.ancestry.and_then(component_words) {
        text.push_str(&format!(" Component tree: {components}."));
    }
    shorten(&text, SUMMARY_CHARS)
}

fn end_sentence(text: &mut String) {
    if !text.ends_with(['.', '!', '?', '…']) {
        text.push('.');
    }
}

/// The type of the error, such as `TypeError`.
pub fn error_type(entry: &Log) -> &str {
    let named = |text: &'_ str| -> Option<usize> {
        let text = text.strip_prefix("Uncaught ").unwrap_or(text);
        let (name, _) = text.split_once(':')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && (name.ends_with("Error") || name.ends_with("Exception"))).then_some(name.len())
    };
    let stack = entry.stack.as_deref().map(|stack| stack.strip_prefix("Uncaught ").unwrap_or(stack));
    if let Some(name) = stack.and_then(|stack| stack.get(..named(stack)?)) {
        return name;
    }
    let message = entry.message.strip_prefix("Uncaught ").unwrap_or(&entry.message);
    if let Some(name) = named(message).and_then(|length| message.get(..length)) {
        return name;
    }
    match entry.kind {
        LogKind::Rejection => "Unhandled rejection",
        LogKind::Console => "console.error",
        LogKind::Resource => "Failed resource",
        LogKind::Csp => "Blocked by content security policy",
        _ => "Error",
    }
}

/// The browser's message, with the expression that it is about.
fn what_is_wrong(message: &str, line: &str, column: u32) -> Option<String> {
    let (value, member) = nothing_read(message)?;
    let owner = owner_of(line, member, column)?;
    Some(format!("`{owner}` is {value} when reading `{member}` in `{}`", shorten(line.trim(), 160)))
}

/// `undefined` and `user` of "Cannot read properties of undefined (reading 'user')"; also from Firefox's and Safari's
/// messages.
pub fn nothing_read(message: &str) -> Option<(&'static str, &str)> {
    let value = if message.contains("undefined") { "undefined" } else { "null" };
    for (start, end) in [("(reading '", "')"), ("(setting '", "')"), ("can't access property \"", "\"")] {
        if let Some((_, rest)) = message.split_once(start) {
            return rest.split_once(end).map(|(member, _)| (value, member));
        }
    }
    None
}

/// The expression before `.member` in a line of code: `result.data` in `setUser(result.data.user)`.
pub fn owner_of<'l>(line: &'l str, member: &str, column: u32) -> Option<&'l str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut places: Vec<usize> = line
        .match_indices(member)
        .filter(|(at, _)| {
            let rest = line.get(at + member.len()..).unwrap_or_default();
            line.get(..*at).is_some_and(|before| before.ends_with('.')) && !rest.starts_with(is_word)
        })
        .map(|(at, _)| at)
        .collect();
    // Browsers point at the member or at the start of the expression.
    places.sort_by_key(|at| at.abs_diff(column.saturating_sub(1) as usize));
    let dot = line.get(..*places.first()?)?.trim_end_matches(['.', '?']);
    let mut depth = 0_i32;
    let mut start = dot.len();
    for (at, c) in dot.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            c if is_word(c) || matches!(c, '.' | '?' | '!') => {}
            _ => break,
        }
        start = at;
    }
    let owner = dot.get(start..)?.trim_start_matches(['!', '.']);
    (!owner.is_empty() && depth == 0).then_some(owner)
}

fn state_words(state: &Value) -> Option<String> {
    let slice = state.get("relevantSlice")?.as_object()?;
    let words: Vec<String> = slice
        .iter()
        .take(STATE_VALUES)
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}='{}'", shorten(text, VALUE_CHARS)),
            other => format!("{name}={}", shorten(&other.to_string(), VALUE_CHARS)),
        })
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// `App > Panel > Details`
pub fn component_words(ancestry: &Value) -> Option<String> {
    let components = ancestry.get("components")?.as_array()?;
    let names: Vec<&str> =
        components.iter().filter_map(|component| component.get("name").and_then(Value::as_str)).collect();
    (!names.is_empty()).then(|| names.join(" > "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::entry::from_test;

    fn entry(message: &str, stack: &str) -> Log {
        from_test(json!({ "message": message, "stack": stack, "type": "exception" }))
    }

    #[test]
    fn a_sentence_uses_all_known_facts() {
        let message = "Cannot read properties of undefined (reading 'user')";
        let entry = entry(message, &format!("TypeError: {message}\n    at save (http://a/b.js:1:2)"));
        let ancestry = json!({ "framework": "react", "components": [{ "name": "App" }, { "name": "LoginForm" }] });
        let state = json!({ "source": "redux", "relevantSlice": { "auth.loading": false, "auth.error": "401", "auth.user": null } });
        let all = Facts {
            entry: &entry,
            place: Some(("src/LoginForm.tsx", 42, 27)),
            error_line: Some("      setUser(result.data.user)"),
            ancestry: Some(&ancestry),
            state: Some(&state),
        };
        assert_eq!(
            sentence(&all),
            "TypeError in src/LoginForm.tsx:42 — `result.data` is undefined when reading `user` in \
             `setUser(result.data.user)`. State: auth.loading=false, auth.error='401', auth.user=null. \
             Component tree: App > LoginForm."
        );
        let some = Facts { error_line: None, state: None, ..all };
        assert_eq!(
            sentence(&some),
            "TypeError in src/LoginForm.tsx:42 — Cannot read properties of undefined (reading 'user'). \
             Component tree: App > LoginForm."
        );
        let little = Facts { place: None, ancestry: None, ..some };
        assert_eq!(sentence(&little), "TypeError — Cannot read properties of undefined (reading 'user').");
    }

    #[test]
    fn the_undefined_expression_is_named() {
        for (line, member, column, owner) in [
            ("setUser(result.data.user)", "user", 21, Some("result.data")),
            ("return items[0].price * items[1].price", "price", 34, Some("items[1]")),
            ("const a = load(x, y).rows.length", "length", 27, Some("load(x, y).rows")),
            ("if (!cart.total.toFixed) x()", "toFixed", 17, Some("cart.total")),
            ("cart?.lines.map(f)", "map", 13, Some("cart?.lines")),
            ("const { user } = result", "user", 9, None),
            ("größe.wert.x", "x", 12, Some("größe.wert")),
            ("a.username + a.user", "user", 1, Some("a")),
        ] {
            assert_eq!(owner_of(line, member, column), owner, "{line}");
        }
    }

    #[test]
    fn every_kind_of_error_has_a_name() {
        let named =
            |kind: &str, message: &str| error_type(&from_test(json!({ "type": kind, "message": message }))).to_owned();
        assert_eq!(named("console", "Warning: x"), "console.error");
        assert_eq!(named("console", "TypeError: x"), "TypeError");
        assert_eq!(named("rejection", "no"), "Unhandled rejection");
        assert_eq!(named("exception", "Uncaught RangeError: x"), "RangeError");
        assert_eq!(named("exception", "a b Error: x"), "Error");
    }
}
