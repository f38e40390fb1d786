//! Goes through the fields of one entry and cuts credentials out of each.

use base64::Engine as _;
use serde_json::Value;
use wire::{Headers, Json, Timestamp, limits};

use super::edges::slice;
use super::scan::{self, Span};
use super::{Finding, HEADER_PLACEHOLDER, INPUT_PLACEHOLDER, Redactor, names, url};

/// Beyond a text's limit this much more is looked at, so that a credential across the limit is recognised.
const LOOK_AHEAD: usize = 1024;
const CUT_MARK: &str = "… [truncated]";
/// Deeper than this, JSON is not looked into but dropped.
const DEEPEST_JSON: usize = 64;

/// Words that mark a credential as made up.
const EXAMPLE_WORDS: &[&str] = &["test", "dev", "example", "sample", "demo", "dummy"];

pub struct Scrubber<'r> {
    redactor: &'r Redactor,
    findings: Vec<Finding>,
}

impl<'r> Scrubber<'r> {
    pub(super) fn new(redactor: &'r Redactor) -> Self {
        Self { redactor, findings: Vec::new() }
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// A text of the general limit; what was cut is marked in the text.
    pub fn text(&mut self, field: &'static str, text: &mut String) {
        if self.bounded(field, text, limits::TEXT_BYTES) {
            text.push_str(CUT_MARK);
        }
    }

    pub fn opt_text(&mut self, field: &'static str, text: &mut Option<String>) {
        if let Some(text) = text {
            self.text(field, text);
        }
    }

    /// A text with a limit of its own. Tells whether it was cut.
    pub fn bounded(&mut self, field: &'static str, text: &mut String, limit: usize) -> bool {
        let cut = text.len() > limit;
        let window = floor(text, limit.saturating_add(LOOK_AHEAD));
        if !scan::is_suspicious(slice(text, 0, window)) {
            text.truncate(floor(text, limit));
            return cut;
        }
        let mut looked_at = slice(text, 0, window).to_owned();
        let undone = undo_escapes(&mut looked_at);
        let mut spans = scan::spans(&looked_at);
        let keep = floor(&looked_at, if cut { limit } else { looked_at.len() });
        if cut {
            spans.retain(|span| span.start < keep);
        }
        if spans.is_empty() && !cut && !undone {
            return false;
        }
        *text = self.replace(field, &looked_at, &spans, keep);
        cut
    }

    /// An address: a text whose parameters may be percent-encoded.
    pub fn url(&mut self, field: &'static str, url: &mut Option<String>) {
        let Some(url) = url else { return };
        for (span, decoded) in url::encoded_spans(url).into_iter().rev() {
            let placeholder = self.note(field, &decoded, &span);
            url.replace_range(span.start..span.end, &placeholder);
        }
        self.text(field, url);
    }

    /// Sensitive headers lose their value; the others are texts. Tells whether one of them authenticated.
    pub fn headers(&mut self, field: &'static str, headers: &mut Option<Headers>) -> bool {
        let Some(headers) = headers else { return false };
        let mut authenticated = false;
        // Header names come from the page too, and may be anything.
        let names: Vec<String> = headers
            .0
            .keys()
            .filter(|name| scan::is_suspicious(name) && !names::is_sensitive_header(name))
            .cloned()
            .collect();
        for name in names {
            let mut cleaned = name.clone();
            self.text(field, &mut cleaned);
            if cleaned != name
                && let Some(value) = headers.0.remove(&name)
            {
                headers.0.insert(cleaned, value);
            }
        }
        for (name, value) in &mut headers.0 {
            authenticated |= name.eq_ignore_ascii_case("authorization");
            if names::is_sensitive_header(name) {
                HEADER_PLACEHOLDER.clone_into(value);
            } else {
                self.text(field, value);
            }
        }
        authenticated
    }

    /// JSON of any shape. Clean JSON is not even parsed.
    pub fn json(&mut self, field: &'static str, json: &mut Option<Json>) {
        let Some(json) = json else { return };
        let text = json.text();
        let one_line = memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none();
        if text.len() <= limits::TEXT_BYTES && one_line && !scan::is_suspicious(text) {
            return;
        }
        let mut value = json.value();
        self.value(field, &mut value, None, 0);
        *json = Json::from_value(&value);
    }

    /// What was typed into an input that must not be shown.
    pub fn input(&mut self, value: &mut Option<String>) {
        if value.as_ref().is_some_and(|value| !value.is_empty()) {
            *value = Some(INPUT_PLACEHOLDER.to_owned());
        }
    }

    fn value(&mut self, field: &'static str, value: &mut Value, name: Option<(&str, &'static str)>, depth: usize) {
        if depth > DEEPEST_JSON {
            *value = Value::Null;
            return;
        }
        match value {
            Value::String(text) => match name {
                Some((name, kind)) if !text.is_empty() && !scan::is_placeholder(text) => {
                    // The scheme before a token is no secret; see `scan::Value`.
                    let start = ["bearer ", "basic ", "token "]
                        .iter()
                        .find(|scheme| text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)))
                        .map_or(0, |scheme| scheme.len());
                    let span = Span::by_name(start, text.len(), kind, Some(name.to_owned()));
                    *text = self.replace(field, &text.clone(), &[span], text.len());
                }
                Some(_) => {}
                None => self.text(field, text),
            },
            Value::Number(number) => {
                if let Some((name, kind @ ("password" | "secret"))) = name {
                    let secret = number.to_string();
                    let span = Span::by_name(0, secret.len(), kind, Some(name.to_owned()));
                    *value = Value::String(self.note(field, &secret, &span));
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.value(field, item, name, depth + 1);
                }
            }
            Value::Object(fields) => {
                for (key, mut inner) in std::mem::take(fields) {
                    let kind = names::field_kind(&key);
                    self.value(field, &mut inner, kind.map(|kind| (key.as_str(), kind)).or(name), depth + 1);
                    let mut key = key;
                    self.text(field, &mut key);
                    fields.insert(key, inner);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `text` up to `keep`, with each span replaced.
    fn replace(&mut self, field: &'static str, text: &str, spans: &[Span], keep: usize) -> String {
        let mut out = String::with_capacity(keep.min(text.len()));
        let mut from = 0;
        for span in spans {
            out.push_str(slice(text, from, span.start));
            let placeholder = self.note(field, slice(text, span.start, span.end), span);
            out.push_str(&placeholder);
            from = span.end;
        }
        if from < keep {
            out.push_str(slice(text, from, keep));
        }
        out
    }

    fn note(&mut self, field: &'static str, secret: &str, span: &Span) -> String {
        let placeholder = self.redactor.placeholder(span.kind, secret);
        if self.findings.len() < limits::FINDINGS_PER_ENTRY {
            let lower = secret.to_ascii_lowercase();
            self.findings.push(Finding {
                kind: span.kind,
                field,
                name: span.name.clone(),
                placeholder: placeholder.clone(),
                preview: preview(secret),
                expires: jwt_expiry(secret),
                example: EXAMPLE_WORDS.iter().any(|word| lower.contains(word)),
            });
        }
        placeholder
    }
}

/// The first 6 and last 3 characters of what is long enough to stay secret all the same.
fn preview(secret: &str) -> Option<String> {
    let count = secret.chars().count();
    if count < limits::SECRET_PREVIEW_MIN_CHARS {
        return None;
    }
    let head: String = secret.chars().take(6).collect();
    let tail: String = secret.chars().skip(count - 3).collect();
    Some(format!("{head}…{tail}"))
}

fn jwt_expiry(secret: &str) -> Option<Timestamp> {
    let payload = secret.strip_prefix("eyJ")?.split('.').nth(1)?;
    let decoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(payload).ok()?;
    let claims: Value = serde_json::from_slice(&decoded).ok()?;
    let seconds = claims.get("exp")?.as_f64()?;
    (0.0..1e11).contains(&seconds).then_some(Timestamp::from_millis((seconds * 1000.0) as i64))
}

/// The largest character boundary that is not above `index`.
fn floor(text: &str, index: usize) -> usize {
    text.floor_char_boundary(index.min(text.len()))
}

/// Turns `\u0041` into `A`: a JSON text inside a text could hide a credential's letters that way.
fn undo_escapes(text: &mut String) -> bool {
    if memchr::memmem::find(text.as_bytes(), b"\\u00").is_none() {
        return false;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\\u00") {
        let code = rest.get(at + 4..at + 6).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|code| (0x20..0x7f).contains(code)) {
            Some(code @ (b'"' | b'\\')) => {
                out.push_str(slice(rest, 0, at));
                out.push('\\');
                out.push(char::from(code));
            }
            Some(code) => {
                // However often it was escaped: the escapes go with it.
                out.push_str(slice(rest, 0, at).trim_end_matches('\\'));
                out.push(char::from(code));
            }
            None => {
                out.push_str(slice(rest, 0, at + 4));
                rest = slice(rest, at + 4, rest.len());
                continue;
            }
        }
        rest = slice(rest, at + 6, rest.len());
    }
    out.push_str(rest);
    *text = out;
    true
}
