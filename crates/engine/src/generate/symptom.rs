//! How a script detects that the captured error happened again.

use serde_json::Value;

use super::address::{mark_placeholders, path_parts};
use super::literal::pattern;
use crate::entry::{Log, LogKind};
use crate::failures::Failure;

/// Marks a part that varies, or that may be written differently; no captured text contains it.
const GAP: char = '\u{1}';
/// Marks the place of a value in a console call's format.
const DIRECTIVE: char = '\u{2}';
/// This much of a message is enough to recognise it.
const PART_CHARS: usize = 200;
/// A message with fewer letters could be any.
const LEAST_LETTERS: usize = 3;
/// A number with fewer digits is a status or a count, and part of what went wrong.
const DRAWN_DIGITS: usize = 5;

/// A text as the parts of it that stay the same, in order. There is at least one: without any, it would match
/// everything.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parts(Vec<String>);

impl Parts {
    fn from_text(text: &str) -> Option<Self> {
        let parts = text.split(GAP).map(|part| part.chars().take(PART_CHARS).collect::<String>());
        // `Error`, `5` and `null` are in many unrelated messages.
        let is_name = |part: &str| part.ends_with("Error") && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let says_something = |part: &String| {
            part.starts_with(['{', '['])
                || (part.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_LETTERS
                    && !is_name(part)
                    && !["null", "undefined", "true", "false"].contains(&part.as_str()))
        };
        let parts: Vec<String> = parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
        parts.iter().any(says_something).then_some(Self(parts))
    }

    /// The text, if all of it stays the same.
    pub(super) fn whole(&self) -> Option<&str> {
        if let [only] = self.0.as_slice() { Some(only) } else { None }
    }

    /// A regular expression's source.
    pub(super) fn source(&self) -> String {
        self.0.iter().map(|part| pattern(part)).collect::<Vec<_>>().join("[^]*")
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Symptom {
    /// An uncaught exception or rejection.
    Thrown { parts: Parts, is_object: bool },
    /// Written to the console.
    Logged { parts: Parts, is_object: bool },
    /// A request's line, `METHOD /path outcome`, where the outcome is a status or `failed`.
    Request {
        /// The whole line, where nothing varies.
        line: Option<String>,
        source: String,
        /// No response arrived at all.
        unanswered: bool,
    },
}

impl Symptom {
    /// `None` where no part of the failure's text stays the same. `is_object`: what was thrown or logged has no text,
    /// so it is compared as JSON.
    pub(super) fn from_failure(failure: &Failure<'_>) -> Option<Self> {
        let entry = match failure {
            Failure::Request(stored) => {
                let entry = &stored.entry;
                let url = entry.url.as_str();
                return Some(request(entry.method.as_str(), url, entry.status));
            }
            Failure::Log(stored, _) => &stored.entry,
        };
        let message = entry.message.as_str();
        match entry.kind {
            LogKind::Network => match failure.request() {
                Some((method, url, status)) => Some(request(method, url, Some(status))),
                None => Some(Self::Logged { parts: Parts::from_text(&steady(message))?, is_object: false }),
            },
            LogKind::Resource if entry.request_url.is_some() => {
                Some(resource(entry.request_url.as_deref().unwrap_or_default()))
            }
            LogKind::Csp => {
                Some(Self::Logged { parts: Parts::from_text("Content Security Policy")?, is_object: false })
            }
            LogKind::Exception | LogKind::Rejection => {
                let (text, is_object) = thrown(message);
                Some(Self::Thrown { parts: Parts::from_text(&text)?, is_object })
            }
            _ => match Parts::from_text(&logged(entry)) {
                Some(parts) => Some(Self::Logged { parts, is_object: false }),
                None => Some(Self::Logged { parts: Parts::from_text(&logged_objects(entry))?, is_object: true }),
            },
        }
    }
}

fn request(method: &str, url: &str, status: Option<u16>) -> Symptom {
    let unanswered = matches!(status, None | Some(0));
    let outcome = if unanswered { "failed".to_owned() } else { status.unwrap_or_default().to_string() };
    let method: String = method.chars().filter(char::is_ascii_alphabetic).take(20).collect();
    let parts = path_parts(url);
    let line = (parts.len() == 1).then(|| format!("{method} {} {outcome}", parts.concat()));
    let path: Vec<String> = parts.iter().map(|part| pattern(part)).collect();
    let source = format!("^{method} {} {outcome}$", path.join("[^/ ]+"));
    Symptom::Request { line, source, unanswered }
}

/// An image or a script that did not load: pages do not learn why.
fn resource(url: &str) -> Symptom {
    let path: Vec<String> = path_parts(url).iter().map(|part| pattern(part)).collect();
    let source = format!("^GET {} (?:[45]\\d\\d|failed)$", path.join("[^/ ]+"));
    Symptom::Request { line: None, source, unanswered: false }
}

/// The message as the error object has it, without what senders and consoles prefix to it; and whether an object was
/// thrown.
fn thrown(message: &str) -> (String, bool) {
    let mut message = message;
    for prefix in ["Uncaught ", "(in promise) ", "Unhandled rejection: ", "Error: "] {
        message = message.strip_prefix(prefix).unwrap_or(message);
    }
    if let Some((name, rest)) = message.split_once(": ")
        && name.ends_with("Error")
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    {
        message = rest;
    }
    match serde_json::from_str(message) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => (object(&value), true),
        _ => (steady(message), false),
    }
}

/// What `JSON.stringify` writes for an object, with gaps for parts that vary or were captured differently.
fn object(value: &Value) -> String {
    fn add(out: &mut String, name: &str, value: &Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                out.push_str(name);
                fields
                    .iter()
                    .for_each(|(name, value)| add(out, &format!("{GAP}{}:", Value::from(name.as_str())), value));
            }
            Value::Array(items) if !items.is_empty() => {
                out.push_str(name);
                items.iter().for_each(|value| add(out, &GAP.to_string(), value));
            }
            // `[Function]`, `undefined` and the like represent values that JSON leaves out.
            Value::String(text) if text.starts_with('[') || text == "undefined" => {}
            _ => {
                out.push_str(name);
                out.push_str(&steady(&value.to_string()));
            }
        }
        out.push(GAP);
    }
    let mut out = String::new();
    add(&mut out, "", value);
    out
}

/// The objects of a console call without text.
fn logged_objects(entry: &Log) -> String {
    let args = entry.args.as_ref().map(wire::Json::value).unwrap_or_default();
    args.as_array().into_iter().flatten().map(object).collect::<Vec<_>>().join(&GAP.to_string())
}

/// The texts of a console call; objects among its arguments are written differently everywhere.
fn logged(entry: &Log) -> String {
    let message = entry.message.as_str();
    let message = message.strip_prefix("Assertion failed:").unwrap_or(message);
    let Some(Value::Array(args)) = entry.args.as_ref().map(wire::Json::value) else { return steady(message) };
    if args.iter().all(Value::is_string) {
        return steady(message);
    }
    let mut texts = args.iter().map(|arg| match arg {
        Value::String(text) => steady(text),
        // Every console writes an error with its message.
        Value::Object(fields) if fields.contains_key("stack") => {
            format!("{GAP}{}{GAP}", steady(fields.get("message").and_then(Value::as_str).unwrap_or_default()))
        }
        _ => GAP.to_string(),
    });
    let mut out = texts.next().unwrap_or_default();
    for directive in ["%s", "%d", "%i", "%f", "%o", "%O", "%c"] {
        out = out.replace(directive, &DIRECTIVE.to_string());
    }
    while let Some((before, after)) = out.split_once(DIRECTIVE) {
        out = format!("{before}{}{after}", texts.next().unwrap_or_else(|| GAP.to_string()));
    }
    for text in texts {
        out.push(GAP);
        out.push_str(&text);
    }
    out
}

/// The first line, with gaps where the next run will differ: ids, times, long numbers, credentials.
fn steady(text: &str) -> String {
    let marked = mark_placeholders(text, GAP);
    let line = marked.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut out = String::with_capacity(line.len());
    let mut word = String::new();
    for c in line.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.') {
            word.push(c);
            continue;
        }
        flush(&mut out, &mut word);
        if c != '\n' {
            out.push(if c.is_control() { GAP } else { c });
        }
    }
    out
}

fn flush(out: &mut String, word: &mut String) {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let hex = word.len() >= 24 && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if digits >= DRAWN_DIGITS && (letters <= 2 || hex) {
        out.push(GAP);
    } else {
        out.push_str(word);
    }
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_recognised_by_their_lasting_parts() {
        for (message, source) in [
            (
                "Cannot read properties of undefined (reading 'user')",
                r"Cannot read properties of undefined \(reading 'user'\)",
            ),
            ("Uncaught TypeError: x is not a function", "x is not a function"),
            ("Uncaught (in promise) Error: boom", "boom"),
            ("Order 8123456 of 7 is gone", "Order[^]*of 7 is gone"),
            ("User 3f2504e0-4f89-11d3-9a0c-0305e82c3301 not found", "User[^]*not found"),
            ("at 2026-02-07T10:00:00.123Z it broke", "at[^]*it broke"),
            ("bad [secret:jwt#1] token", "bad[^]*token"),
            ("status 500", "status 500"),
            ("\n\nfirst\nsecond", "first"),
            (r#"{"code":5}"#, r#""code":5"#),
            (
                r#"Uncaught {"code":5,"at":1770600000000,"by":{"who":"Ada","then":"[Function: then]"}}"#,
                r#""code":5[^]*"at":[^]*"by":[^]*"who":"Ada""#,
            ),
            ("{}", r"\{\}"),
            ("[1,[]]", r"1[^]*\[\]"),
        ] {
            assert_eq!(Parts::from_text(&thrown(message).0).unwrap().source(), source, "{message}");
        }
        assert_eq!((thrown("{\"code\":5}").1, thrown("{code: 5}").1), (true, false));
    }

    #[test]
    fn a_message_without_lasting_parts_gives_no_symptom() {
        for message in ["", "8123456", "[secret:jwt#1]", " - ", "Uncaught Error", "Error", "Uncaught 5", "null", "no"] {
            assert_eq!(Parts::from_text(&thrown(message).0), None, "{message}");
        }
    }

    #[test]
    fn console_lines_are_recognised_by_their_texts() {
        let entry = |args: &str| {
            let args: serde_json::Value = serde_json::from_str(args).unwrap();
            crate::entry::from_test::<Log>(serde_json::json!({ "message": "shown", "args": args }))
        };
        for (args, source) in [
            (r#"["saving failed", {"code":5}]"#, "saving failed"),
            (r#"["%s failed: %o", "saving", {"code":5}]"#, "saving failed:"),
            (
                r#"["saving failed", {"name":"Error","message":"disk full","stack":"Error: disk full"}]"#,
                "saving failed[^]*disk full",
            ),
            (r#"["a","b"]"#, "shown"),
        ] {
            assert_eq!(Parts::from_text(&logged(&entry(args))).unwrap().source(), source, "{args}");
        }
        let only_objects = entry(r#"[{"code":5},{"why":"full"}]"#);
        assert_eq!(Parts::from_text(&logged(&only_objects)), None);
        assert_eq!(Parts::from_text(&logged_objects(&only_objects)).unwrap().source(), r#""code":5[^]*"why":"full""#);
    }

    #[test]
    fn requests_are_recognised_by_method_path_and_outcome() {
        let Symptom::Request { line, source, unanswered } = request("POST", "http://a:1/api/pay?x=1", Some(500)) else {
            panic!()
        };
        assert_eq!((line.as_deref(), unanswered), (Some("POST /api/pay 500"), false));
        assert_eq!(source, "^POST /api/pay 500$");
        let Symptom::Request { line, source, unanswered } = request("GET", "/orders/81234", None) else { panic!() };
        assert_eq!((line, source.as_str(), unanswered), (None, "^GET /orders/[^/ ]+ failed$", true));
    }
}
