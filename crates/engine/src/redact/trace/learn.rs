//! Learns from a trace's events and texts which values in it are secret.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::forms::{argument, is_secret_member, kind_of_pair, pair, picture_kind, place_in_list, placed};
use super::{DEEPEST, SHORTEST, SHORTEST_INSIDE, is_hidden};
use crate::redact::edges::slice;
use crate::redact::names;

/// Values that are credentials because of their place, and the calls that reveal some of them.
#[derive(Debug, Default)]
pub(super) struct Learner {
    known: HashMap<String, &'static str>,
    calls: Calls,
}

/// What was typed where. The kind of field is known only later, from a call's log.
#[derive(Debug, Default)]
struct Calls {
    /// Calls whose target is a password field.
    secret: HashSet<String>,
    /// The selector of each call: one that found no element has no log with the kind of field.
    selectors: HashMap<String, String>,
    /// The values that each call typed into its field, or expected or found there.
    values: HashMap<String, Vec<String>>,
    /// The test step of each call, which also contains the call's arguments.
    steps: HashMap<String, String>,
    /// For each page the call that last focused a field, and the calls that typed into the focused field.
    focus: HashMap<String, String>,
    follows: HashMap<String, String>,
}

impl Calls {
    fn is_secret(&self, call: &str) -> bool {
        let is = |call: &str| self.secret.contains(call);
        is(call) || self.follows.get(call).is_some_and(|before| is(before))
    }
}

impl Learner {
    pub(super) fn event(&mut self, line: &str) {
        if let Ok(event) = serde_json::from_str::<Value>(line) {
            self.call(&event);
            self.look_into(&event, "", 0);
        } else {
            self.text(line);
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        for placed in placed(text) {
            let value = slice(text, placed.range.start, placed.range.end);
            self.know_unless_word(value, placed.kind);
        }
    }

    /// All known values, after every event was seen.
    pub(super) fn into_known(mut self) -> HashMap<String, &'static str> {
        let mut calls = std::mem::take(&mut self.calls);
        let aimed_at: HashSet<&String> = calls.secret.iter().filter_map(|call| calls.selectors.get(call)).collect();
        let alike = calls.selectors.iter().filter(|(_, selector)| aimed_at.contains(selector));
        let alike: Vec<String> = alike.map(|(call, _)| call.clone()).collect();
        calls.secret.extend(alike);
        let of_secret_calls = calls.steps.iter().filter(|(call, _)| calls.is_secret(call));
        let steps: Vec<String> = of_secret_calls.map(|(_, step)| step.clone()).collect();
        calls.secret.extend(steps);
        for (call, values) in &calls.values {
            if calls.is_secret(call) {
                values.iter().for_each(|value| self.know(value, "password"));
            }
        }
        self.known
    }

    fn know(&mut self, value: &str, kind: &'static str) {
        let value = value.trim();
        if value.len() >= SHORTEST && !is_hidden(value) && !names::is_no_value(value) {
            self.known.entry(value.to_owned()).or_insert(kind);
        }
    }

    /// The value beside a name may be another name or a label, and users may well type such a word.
    fn know_unless_word(&mut self, value: &str, kind: &'static str) {
        if !names::is_word(value.trim()) {
            self.know(value, kind);
        }
    }

    /// Cookies and headers contain words, too; those are redacted in place and not searched for elsewhere.
    fn know_if_drawn(&mut self, value: &str, kind: &'static str) {
        if value.len() >= SHORTEST_INSIDE && (names::is_opaque(value, SHORTEST_INSIDE) || value.len() >= 24) {
            self.know(value, kind);
        }
    }

    /// Learns what a call typed into a field, and how its log describes that field.
    fn call(&mut self, event: &Value) {
        let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
        let Some(call) = text("/callId").or_else(|| text("/stepId")) else { return };
        if let Some(step) = text("/stepId").filter(|step| *step != call) {
            self.calls.steps.insert(call.to_owned(), step.to_owned());
        }
        let selector = text("/params/selector");
        if selector.is_some_and(names::is_input_name)
            || text("/message").is_some_and(|it| it.contains("type=\"password\""))
        {
            self.calls.secret.insert(call.to_owned());
        }
        if let Some(selector) = selector {
            self.calls.selectors.insert(call.to_owned(), selector.to_owned());
        }
        let method = text("/method").unwrap_or_default();
        self.follow_focus(call, method, selector, event);

        let mut values = Vec::new();
        values.extend(text("/params/value").or_else(|| text("/params/text")).map(str::to_owned));
        if is_about_value(event) {
            for member in ["expected", "expectedText", "expectedValue"] {
                collect(event.pointer("/params").and_then(|params| params.get(member)), &mut values, 0);
            }
        }
        // The value that such a call found is in the event of its end.
        if self.calls.values.contains_key(call) {
            for pointer in ["/result/received", "/result/value"] {
                collect(event.pointer(pointer), &mut values, 0);
            }
        }
        if !values.is_empty() || method == "inputValue" {
            self.calls.values.entry(call.to_owned()).or_default().extend(values);
        }
    }

    fn follow_focus(&mut self, call: &str, method: &str, selector: Option<&str>, event: &Value) {
        let page = event.get("pageId").and_then(Value::as_str).unwrap_or_default();
        let key = event.pointer("/params/key").and_then(Value::as_str);
        if key == Some("Tab") || method.starts_with("mouse") {
            // The trace does not say where the focus went.
            self.calls.focus.remove(page);
        } else if method.starts_with("keyboard") {
            if let Some(before) = self.calls.focus.get(page) {
                self.calls.follows.insert(call.to_owned(), before.clone());
            }
        } else if selector.is_some() || event.get("class").and_then(Value::as_str) == Some("ElementHandle") {
            self.calls.focus.insert(page.to_owned(), call.to_owned());
        }
    }

    fn look_into(&mut self, value: &Value, place: &str, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::Array(items) => {
                self.element(items);
                for (index, item) in items.iter().enumerate() {
                    self.look_into(item, place_in_list(items, index, place), depth + 1);
                }
            }
            Value::Object(fields) => self.members(fields, place, depth),
            Value::String(text) => self.text(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn element(&mut self, items: &[Value]) {
        let Some((kind, members)) = picture_kind(items) else { return };
        let held = members.iter().filter_map(|member| items.get(1)?.get(member)?.as_str());
        for value in held {
            if kind == "password" { self.know(value, kind) } else { self.know_unless_word(value, kind) }
        }
    }

    fn members(&mut self, fields: &Map<String, Value>, place: &str, depth: usize) {
        if let Some((name, value)) = pair(fields).or_else(|| argument(fields)) {
            self.pair(place, name, value);
        }
        for (name, inner) in fields {
            match inner {
                Value::String(text) if is_secret_member(name) => self.know_unless_word(text, "password"),
                Value::String(text) if place == "headers" => self.pair(place, name, text),
                _ => self.look_into(inner, name, depth + 1),
            }
        }
    }

    fn pair(&mut self, place: &str, name: &str, value: &str) {
        match kind_of_pair(place, name, value) {
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
}

/// Whether an assertion is about a field's value, not about its appearance.
fn is_about_value(event: &Value) -> bool {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
    if let Some(expression) = text("/params/expression") {
        return expression.starts_with("to.have.value");
    }
    let title = text("/title").or_else(|| text("/apiName")).unwrap_or_default();
    title.contains("toHaveValue") || !(title.contains("toHave") || title.contains("toBe"))
}

/// All texts in it that can be a field's value. A test's steps contain them as JSON.
fn collect(value: Option<&Value>, found: &mut Vec<String>, depth: usize) {
    match value {
        Some(Value::String(text)) => {
            found.push(serde_json::from_str(text).unwrap_or_else(|_| text.clone()));
        }
        Some(Value::Array(items)) if depth < DEEPEST => {
            items.iter().for_each(|item| collect(Some(item), found, depth + 1));
        }
        Some(Value::Object(fields)) if depth < DEEPEST => {
            let is_text = |name: &str| matches!(name, "s" | "string" | "value" | "values" | "a" | "normalizedText");
            fields
                .iter()
                .filter(|(name, _)| is_text(name))
                .for_each(|(_, inner)| collect(Some(inner), found, depth + 1));
        }
        _ => {}
    }
}
