//! Cuts credentials out of a Playwright trace, file by file.
//!
//! What gives itself away is found in any text. The rest (cookies, what sensitive headers and stores hold, what was typed
//! into password fields) is known by where it stands: [`TraceScrubber::learn`] goes through the trace's events first, so
//! that such a value is found in bodies, pages and messages too.

use std::collections::{BTreeMap, HashMap, HashSet};

use aho_corasick::{AhoCorasick, MatchKind};
use serde_json::{Map, Value};

use super::{HEADER_PLACEHOLDER, INPUT_PLACEHOLDER, Redactor, Scrubber, names, scan};

/// A shorter value is not looked for inside of other texts: it would be found in ordinary words.
const SHORTEST_INSIDE: usize = 8;
/// One that stands by itself, or in quotes, may be this short.
const SHORTEST: usize = 3;
/// Deeper than this a trace is not nested; what is, is dropped.
const DEEPEST: usize = 200;

/// Members that hold the trace together: names of files, calls and pages.
const STRUCTURE: &[&str] = &[
    "type",
    "class",
    "method",
    "phase",
    "callId",
    "stepId",
    "parentId",
    "beforeSnapshot",
    "afterSnapshot",
    "inputSnapshot",
    "pageId",
    "frameId",
    "pageref",
    "_frameref",
    "sha1",
    "_sha1",
    "_file",
    "file",
    "browserName",
    "platform",
    "version",
    "playwrightVersion",
    "sdkLanguage",
    "startedDateTime",
    "httpVersion",
    "mimeType",
    "channel",
    "guid",
    "apiName",
];

#[derive(Debug)]
pub struct TraceScrubber<'r> {
    redactor: &'r Redactor,
    /// Values that are credentials because of where they stand.
    known: HashMap<String, &'static str>,
    /// Calls that were found to aim at a password field, and what each call typed.
    secret_calls: HashSet<String>,
    typed: HashMap<String, String>,
    finder: Option<(AhoCorasick, Vec<(String, &'static str)>)>,
    replaced: BTreeMap<String, usize>,
}

impl<'r> TraceScrubber<'r> {
    pub fn new(redactor: &'r Redactor) -> Self {
        Self {
            redactor,
            known: HashMap::new(),
            secret_calls: HashSet::new(),
            typed: HashMap::new(),
            finder: None,
            replaced: BTreeMap::new(),
        }
    }

    /// How many values were replaced, by kind.
    pub fn replaced(&self) -> &BTreeMap<String, usize> {
        &self.replaced
    }

    /// Takes note of the credentials that an event tells by where they stand.
    pub fn learn(&mut self, line: &str) {
        if let Ok(event) = serde_json::from_str::<Value>(line) {
            self.learn_call(&event);
            self.learn_in(&event, "", 0);
        }
    }

    /// To be called when all events were learned from, before anything is scrubbed.
    pub fn learned(&mut self) {
        for call in std::mem::take(&mut self.secret_calls) {
            if let Some(typed) = self.typed.remove(&call) {
                self.know(&typed, "password");
            }
        }
        let mut written: Vec<(String, &'static str)> = Vec::new();
        for (secret, kind) in &self.known {
            for form in forms(secret) {
                written.push((form, kind));
            }
        }
        written.sort();
        written.dedup();
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(written.iter().map(|(secret, _)| secret));
        // Too many to search for at once: then only what stands by itself is found.
        self.finder = finder.ok().map(|finder| (finder, written));
    }

    fn know(&mut self, value: &str, kind: &'static str) {
        let value = value.trim();
        if value.len() >= SHORTEST && !is_hidden(value) && !names::is_word(value) && !names::is_no_value(value) {
            self.known.entry(value.to_owned()).or_insert(kind);
        }
    }

    /// Cookies and headers hold words too; those are cut where they stand, and not looked for elsewhere.
    fn know_if_drawn(&mut self, value: &str, kind: &'static str) {
        if value.len() >= SHORTEST_INSIDE && (names::is_opaque(value, SHORTEST_INSIDE) || value.len() >= 24) {
            self.know(value, kind);
        }
    }

    /// `fill` on what the log calls a password field.
    fn learn_call(&mut self, event: &Value) {
        let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
        let Some(call) = text("/callId").or_else(|| text("/stepId")) else { return };
        if let Some(typed) = text("/params/value").or_else(|| text("/params/text")) {
            self.typed.insert(call.to_owned(), typed.to_owned());
            let selector = text("/params/selector").unwrap_or_default();
            if names::is_input_name(selector) {
                self.secret_calls.insert(call.to_owned());
            }
        }
        if text("/message").is_some_and(|message| message.contains("type=\"password\"")) {
            self.secret_calls.insert(call.to_owned());
        }
    }

    fn learn_in(&mut self, value: &Value, place: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::Array(items) => {
                if let Some(typed) = typed_in_secret(items) {
                    self.know(typed, "password");
                }
                items.iter().for_each(|item| self.learn_in(item, place, depth + 1));
            }
            Value::Object(fields) => {
                if let Some((name, value)) = pair(fields) {
                    self.learn_pair(place, name, value);
                }
                for (name, inner) in fields {
                    match inner {
                        Value::String(text) if is_secret_member(name) => self.know(text, "password"),
                        Value::String(text) if place == "headers" => self.learn_pair(place, name, text),
                        _ => self.learn_in(inner, name, depth + 1),
                    }
                }
            }
            _ => {}
        }
    }

    fn learn_pair(&mut self, place: &str, name: &str, value: &str) {
        match kind_of_pair(place, name) {
            Some("cookie") if place == "headers" => {
                let first_only = name.eq_ignore_ascii_case("set-cookie");
                let parts = value.split(['\n', ';']).take(if first_only { 1 } else { usize::MAX });
                for (_, value) in parts.filter_map(|part| part.split_once('=')) {
                    self.know_if_drawn(value.trim(), "cookie");
                }
            }
            Some("header") => {
                let token = value.split_once(' ').map_or(value, |(_, token)| token);
                self.know_if_drawn(token.trim(), "header");
            }
            Some("cookie") => self.know_if_drawn(value, "cookie"),
            Some(kind) => self.know(value, kind),
            None => {}
        }
    }

    /// One event, as it may be kept. What is no JSON is a text like any other.
    pub fn event(&mut self, line: &str) -> String {
        match serde_json::from_str::<Value>(line) {
            Ok(mut event) => {
                self.scrub(&mut event, "", 0);
                event.to_string()
            }
            Err(_) => self.text(line),
        }
    }

    /// A body, a source file, a message: any text.
    pub fn text(&mut self, text: &str) -> String {
        let text = self.without_known(text);
        let mut scrubber = Scrubber::new(self.redactor);
        let mut text = text;
        // Nothing is cut off: who looks at a trace wants the whole body.
        scrubber.bounded("text", &mut text, usize::MAX);
        for finding in scrubber.into_findings() {
            self.count(finding.kind);
        }
        text
    }

    fn count(&mut self, kind: &str) {
        *self.replaced.entry(kind.to_owned()).or_default() += 1;
    }

    fn without_known(&mut self, text: &str) -> String {
        if let Some(kind) = self.known.get(text.trim()).copied() {
            self.count(kind);
            return self.redactor.placeholder(kind, text.trim());
        }
        let Some((finder, written)) = self.finder.take() else { return text.to_owned() };
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for found in finder.find_iter(text) {
            let Some((secret, kind)) = written.get(found.pattern().as_usize()) else { continue };
            out.push_str(text.get(from..found.start()).unwrap_or_default());
            out.push_str(&self.redactor.placeholder(kind, secret));
            self.count(kind);
            from = found.end();
        }
        out.push_str(text.get(from..).unwrap_or_default());
        self.finder = Some((finder, written));
        out
    }

    fn scrub(&mut self, value: &mut Value, place: &str, depth: usize) {
        if depth > DEEPEST {
            *value = Value::Null;
            return;
        }
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => {
                if let Some(typed) = typed_in_secret_mut(items).filter(|typed| !is_hidden(typed)) {
                    INPUT_PLACEHOLDER.clone_into(typed);
                    self.count("password");
                }
                items.iter_mut().for_each(|item| self.scrub(item, place, depth + 1));
            }
            Value::Object(fields) => self.scrub_members(fields, place, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn scrub_members(&mut self, fields: &mut Map<String, Value>, place: &str, depth: usize) {
        let kind = pair(fields).and_then(|(name, _)| kind_of_pair(place, name));
        if let (Some(kind), Some(Value::String(value))) = (kind, fields.get_mut("value")) {
            self.hide(value, kind);
        }
        for (name, inner) in fields.iter_mut() {
            match inner {
                Value::String(_) if STRUCTURE.contains(&name.as_str()) => {}
                Value::String(text) if is_secret_member(name) => self.hide(text, "password"),
                Value::String(text) if place == "headers" && kind_of_pair(place, name).is_some() => {
                    self.hide(text, "header");
                }
                _ => self.scrub(inner, name, depth + 1),
            }
        }
    }

    fn hide(&mut self, value: &mut String, kind: &'static str) {
        if is_hidden(value) {
            return;
        }
        self.count(kind);
        *value = match kind {
            "header" => HEADER_PLACEHOLDER.to_owned(),
            kind => self.redactor.placeholder(kind, value),
        };
    }
}

/// Whether it was scrubbed before, or is empty.
fn is_hidden(value: &str) -> bool {
    value.is_empty() || value == HEADER_PLACEHOLDER || value == INPUT_PLACEHOLDER || scan::is_placeholder(value)
}

/// `{"name": …, "value": …}`, as headers, cookies and stores are written.
fn pair(fields: &Map<String, Value>) -> Option<(&str, &str)> {
    Some((fields.get("name")?.as_str()?, fields.get("value")?.as_str()?))
}

/// What the value beside this name is, if it is a credential.
fn kind_of_pair(place: &str, name: &str) -> Option<&'static str> {
    match place {
        "cookies" => Some("cookie"),
        "headers" | "extraHTTPHeaders" => match name.to_ascii_lowercase().as_str() {
            "cookie" | "set-cookie" => Some("cookie"),
            name => names::is_sensitive_header(name).then_some("header"),
        },
        "queryString" | "params" => names::parameter_kind(name),
        "localStorage" | "sessionStorage" => {
            names::field_kind(name).or_else(|| names::opaque_kind(name).map(|(kind, _)| kind))
        }
        _ => None,
    }
}

fn is_secret_member(name: &str) -> bool {
    matches!(names::field_kind(name), Some("password" | "secret"))
}

/// What stands in a password field of a page's picture: `["INPUT", {"type": "password", "__playwright_value_": …}]`.
fn typed_in_secret(element: &[Value]) -> Option<&str> {
    let attributes = secret_input(element)?;
    TYPED.iter().find_map(|name| attributes.get(*name)?.as_str()).filter(|typed| !typed.is_empty())
}

fn typed_in_secret_mut(element: &mut [Value]) -> Option<&mut String> {
    secret_input(element)?;
    let attributes = element.get_mut(1)?.as_object_mut()?;
    let (_, typed) = attributes.iter_mut().find(|(name, _)| TYPED.contains(&name.as_str()))?;
    match typed {
        Value::String(typed) if !typed.is_empty() => Some(typed),
        _ => None,
    }
}

const TYPED: [&str; 2] = ["__playwright_value_", "value"];

fn secret_input(element: &[Value]) -> Option<&Map<String, Value>> {
    let [Value::String(tag), Value::Object(attributes), ..] = element else { return None };
    let text = |name: &str| attributes.get(name).and_then(Value::as_str).unwrap_or_default();
    let is_secret = text("type").eq_ignore_ascii_case("password")
        || text("autocomplete").to_ascii_lowercase().starts_with("cc-")
        || names::is_input_name(text("name"));
    (tag.eq_ignore_ascii_case("input") && is_secret).then_some(attributes)
}

/// A value as it may be written elsewhere: in JSON, in an address, in HTML. A short one only in quotes.
fn forms(secret: &str) -> Vec<String> {
    if secret.len() < SHORTEST_INSIDE {
        return vec![format!("\"{secret}\"")];
    }
    let json = Value::from(secret).to_string();
    let json = json.trim_matches('"').to_owned();
    let encoded: String = secret
        .bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    vec![secret.to_owned(), json, encoded, html]
}
