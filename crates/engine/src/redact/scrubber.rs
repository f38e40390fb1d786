//! Redacts the credentials in each field of one entry.

use base64::Engine as _;
use serde_json::Value;
use wire::{Headers, Json, Timestamp, limits};

use super::edges::{at, slice};
use super::formats::FORMATS;
use super::scan::{self, Span};
use super::{Finding, HEADER_PLACEHOLDER, INPUT_PLACEHOLDER, Redactor, names, views};

/// How far beyond a text's limit the scan looks, to recognise a credential that crosses the limit.
const LOOK_AHEAD: usize = 1024;
pub(super) const CUT_MARK: &str = "… [truncated]";
/// JSON nested deeper than this is dropped unread.
const DEEPEST_JSON: usize = 64;

/// A number with more digits may be too large to parse.
const MOST_DIGITS: usize = 300;

/// A finding omits a longer field name.
const LONGEST_NAME: usize = 100;

/// Words that mark a credential as made up.
const EXAMPLE_WORDS: &[&str] = &["test", "dev", "example", "sample", "demo", "dummy", "your", "changeme"];

/// A shorter secret is not searched for elsewhere: it would match in ordinary words.
const SHORTEST_ECHO: usize = 6;
/// At most this many secrets of one entry are searched for elsewhere in it.
const MOST_ECHOES: usize = 64;
/// Fields that connect the entries of a test. They must stay equal across entries, so they are redacted by themselves,
/// whatever other secrets an entry contains.
const TAGS: &[&str] = &["test_id", "worker"];
/// The kind of a value typed into a sensitive input, which has its own placeholder.
const INPUT_KIND: &str = "input";

/// Redacts the fields of one entry and collects its findings. [`Redact::scrub`](super::Redact::scrub) receives it.
pub struct Scrubber<'r> {
    redactor: &'r Redactor,
    findings: Vec<Finding>,
    /// The secrets that were redacted from this entry, kept only while it is being processed.
    cut: Vec<(String, &'static str)>,
    /// Whether only those are still searched for.
    echoes: bool,
}

impl<'r> Scrubber<'r> {
    pub(super) fn new(redactor: &'r Redactor) -> Self {
        Self { redactor, findings: Vec::new(), cut: Vec::new(), echoes: false }
    }

    /// From now on, only secrets that were redacted before are searched for. Returns whether there are any.
    pub(super) fn look_for_echoes(&mut self) -> bool {
        self.echoes = true;
        !self.cut.is_empty()
    }

    fn remember(&mut self, secret: &str, kind: &'static str) {
        let secret = secret.trim();
        let is_known = self.cut.iter().any(|(known, _)| known == secret);
        // The word `password` as a password is not secret, and is in every second message.
        let is_name = names::is_word(secret) || scan::is_placeholder(secret) || secret == INPUT_PLACEHOLDER;
        // Under a name such as `token` any word is redacted; elsewhere in the entry it is an ordinary word.
        let is_plain = secret.len() < 16 && secret.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if is_plain && matches!(kind, "token" | "api_key" | "secret") {
            return;
        }
        if self.echoes || self.cut.len() >= MOST_ECHOES || secret.len() < SHORTEST_ECHO || is_known || is_name {
            return;
        }
        self.cut.push((secret.to_owned(), kind));
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// Redacts a text and cuts it to the general limit; a mark in the text shows the cut.
    pub fn text(&mut self, field: &'static str, text: &mut String) {
        if self.echoes && TAGS.contains(&field) {
            return;
        }
        self.fit(field, text, limits::TEXT_BYTES, CUT_MARK);
    }

    /// The same for an optional text.
    pub fn opt_text(&mut self, field: &'static str, text: &mut Option<String>) {
        if let Some(text) = text {
            self.text(field, text);
        }
    }

    /// Redacts a text and cuts it to this limit. Returns whether it was cut.
    pub fn bounded(&mut self, field: &'static str, text: &mut String, limit: usize) -> bool {
        self.fit(field, text, limit, "")
    }

    /// Redacts an address.
    pub fn url(&mut self, field: &'static str, url: &mut Option<String>) {
        self.opt_text(field, url);
    }

    /// Redacts the text and makes it no longer than `limit`, including the `mark` that ends a cut text.
    fn fit(&mut self, field: &'static str, text: &mut String, limit: usize, mark: &str) -> bool {
        let cut = text.len() > limit;
        let room = limit.saturating_sub(mark.len());
        text.truncate(floor(text, limit.saturating_add(LOOK_AHEAD)));
        let keep = if cut { floor(text, room) } else { text.len() };
        let mut placeholders = Vec::new();
        if self.echoes {
            let spans = scan::echoes(text, &self.cut);
            if spans.is_empty() {
                return false;
            }
            (*text, placeholders) = self.replace(field, text, &spans, text.len());
        } else if scan::is_suspicious(text) {
            let mut spans = scan::spans(text);
            spans.retain(|span| span.start < keep);
            if !spans.is_empty() {
                (*text, placeholders) = self.replace(field, text, &spans, keep);
            }
        }
        // Placeholders may be longer than what they replace.
        if !cut && text.len() <= limit {
            return false;
        }
        cut_back(text, &placeholders, room);
        // The rest of a cut text may now look like a cut credential. This second scan ensures that redacting a stored
        // text again never changes it.
        let spans = if scan::is_suspicious(text) { scan::spans(text) } else { Vec::new() };
        if !spans.is_empty() {
            (*text, placeholders) = self.replace(field, text, &spans, text.len());
            cut_back(text, &placeholders, room);
        }
        text.push_str(mark);
        true
    }

    /// Removes the values of sensitive headers and redacts the others. Returns whether any header authenticated the
    /// sender.
    pub fn headers(&mut self, field: &'static str, headers: &mut Option<Headers>) -> bool {
        let Some(headers) = headers else { return false };
        let mut authenticated = false;
        for (name, value) in &mut headers.0 {
            authenticated |= name.eq_ignore_ascii_case("authorization");
            if names::is_sensitive_header(name) {
                self.remember_header(name, value);
                HEADER_PLACEHOLDER.clone_into(value);
            } else {
                self.text(field, value);
            }
        }
        // The page chooses the headers' names, too, so they may be anything.
        let names: Vec<String> = headers.0.keys().filter(|name| scan::is_suspicious(name)).cloned().collect();
        for name in names {
            let mut cleaned = name.clone();
            self.text(field, &mut cleaned);
            if cleaned != name
                && let Some(value) = headers.0.remove(&name)
            {
                headers.0.insert(cleaned, value);
            }
        }
        authenticated
    }

    /// Redacts JSON of any shape. JSON without credentials is not even parsed.
    pub fn json(&mut self, field: &'static str, json: &mut Option<Json>) {
        let Some(json) = json else { return };
        let text = json.text();
        if self.echoes {
            let mut value = json.value();
            if self.echoes_in(field, &mut value) {
                *json = Json::from_value(&value);
            }
            return;
        }
        let one_line = memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none();
        if text.len() <= limits::TEXT_BYTES && one_line && is_plain(text) && !scan::is_suspicious(text) {
            return;
        }
        let mut value = json.value();
        self.value(field, &mut value, None, 0);
        *json = Json::from_value(&value);
    }

    /// The same, but the strings of one member are names: `auth: ["user", "token"]` reveals no token.
    pub fn json_beside_names(&mut self, field: &'static str, json: &mut Option<Json>, member: &str) {
        let mut value = match json {
            Some(json) => json.value(),
            None => return,
        };
        let names = value.as_object_mut().and_then(|fields| fields.get_mut(member)).map(Value::take);
        let Some(mut names) = names else { return self.json(field, json) };
        *json = Some(Json::from_value(&value));
        self.json(field, json);
        self.texts_in(field, &mut names, 0);
        let mut value = json.as_ref().map_or(Value::Null, Json::value);
        if let Some(fields) = value.as_object_mut() {
            fields.insert(member.to_owned(), names);
        }
        *json = Some(Json::from_value(&value));
    }

    /// Redacts every text by itself, ignoring its name.
    fn texts_in(&mut self, field: &'static str, value: &mut Value, depth: usize) {
        match value {
            Value::String(text) => self.text(field, text),
            Value::Array(_) | Value::Object(_) if depth > DEEPEST_JSON => *value = Value::Null,
            Value::Array(items) => items.iter_mut().for_each(|item| self.texts_in(field, item, depth + 1)),
            Value::Object(fields) => fields.values_mut().for_each(|item| self.texts_in(field, item, depth + 1)),
            _ => {}
        }
    }

    /// Replaces the value typed or selected in a sensitive input.
    pub fn input(&mut self, value: &mut Option<String>) {
        if let Some(typed) = value.as_deref().filter(|typed| !typed.is_empty()) {
            self.remember(typed, INPUT_KIND);
            *value = Some(INPUT_PLACEHOLDER.to_owned());
        }
    }

    /// Remembers the value of a sensitive header: a token after its scheme, or the values of cookies.
    fn remember_header(&mut self, name: &str, value: &str) {
        let kind = names::field_kind(name).unwrap_or("token");
        for part in value.split(';') {
            let part = part.trim();
            let token = match part.split_once('=') {
                Some((_, value)) if kind == "cookie" => value,
                _ => slice(part, scan::scheme_len(part), part.len()),
            };
            // Many such headers contain words: only unmistakable credentials are searched for elsewhere.
            if scan::looks_like_credential(token, kind, false) {
                self.remember(token, kind);
            }
        }
    }

    /// Redacts secrets found elsewhere in the entry from every string. Returns whether there were any.
    fn echoes_in(&mut self, field: &'static str, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let found = !scan::echoes(text, &self.cut).is_empty();
                if found {
                    self.text(field, text);
                }
                found
            }
            // All items are processed; `any` would stop at the first.
            Value::Array(items) => {
                items.iter_mut().filter_map(|item| self.echoes_in(field, item).then_some(())).count() > 0
            }
            Value::Object(fields) => {
                fields.values_mut().filter_map(|inner| self.echoes_in(field, inner).then_some(())).count() > 0
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    fn value(&mut self, field: &'static str, value: &mut Value, name: Option<(&str, &'static str)>, depth: usize) {
        if depth > DEEPEST_JSON {
            *value = Value::Null;
            return;
        }
        match value {
            Value::String(text) => match name {
                Some((name, kind)) if !scan::fits(text, name, kind) => self.text(field, text),
                Some((name, kind)) if !text.is_empty() && !scan::is_placeholder(text) => {
                    self.named(field, text, name, kind);
                }
                Some(_) => {}
                None => self.text(field, text),
            },
            Value::Number(number) => {
                if let Some((name, kind)) = name
                    && names::may_be_number(name)
                    && scan::fits(&number.to_string(), name, kind)
                {
                    let secret = number.to_string();
                    let span = Span::by_name(0, secret.len(), kind, Some(name.to_owned()));
                    *value = Value::String(self.note(field, &secret, &span));
                }
            }
            Value::Array(items) => {
                // In `console.log("token:", token)`, label and value are neighbours.
                let mut label: Option<(String, &'static str)> = None;
                for item in items {
                    let next = item.as_str().and_then(|text| Some((text.to_owned(), names::label_kind(text)?)));
                    match (item, name, label) {
                        (Value::String(text), None, Some((label, kind))) if scan::is_labelled(text, kind) => {
                            let label = label.trim_end_matches([' ', ':', '=']);
                            self.named(field, text, slice(label, 0, floor(label, 64)), kind);
                        }
                        (Value::String(text), Some(_), _) if names::is_complaint(text) => self.text(field, text),
                        (item, name, _) => self.value(field, item, name, depth + 1),
                    }
                    label = next;
                }
            }
            Value::Object(fields) => {
                // Forms are listed as `{name: "password", value: "…"}`.
                let pair = ["name", "key", "field", "id", "property"].iter().find_map(|key| {
                    let name = fields.get(*key)?.as_str()?;
                    Some((name.to_owned(), names::field_kind(name)?))
                });
                let pair = pair.or_else(|| field_of(fields));
                for (key, mut inner) in std::mem::take(fields) {
                    let kind = names::field_kind(&key).map(|kind| (key.as_str(), kind));
                    let paired = pair
                        .as_ref()
                        .filter(|_| key == "value" || key == "content")
                        .map(|(name, kind)| (name.as_str(), *kind));
                    let opaque = match &inner {
                        Value::String(text) => names::opaque_kind(&key)
                            .filter(|(_, min)| names::is_opaque(text, *min))
                            .map(|(kind, _)| (key.as_str(), kind)),
                        _ => None,
                    };
                    let inherited =
                        name.filter(|(name, _)| !names::is_harmless_member(&key) && is_inherited(name, &key, &inner));
                    self.value(field, &mut inner, kind.or(paired).or(opaque).or(inherited), depth + 1);
                    let mut key = key;
                    self.text(field, &mut key);
                    fields.insert(key, inner);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Redacts a text that, as a whole, is the value of a field for credentials.
    fn named(&mut self, field: &'static str, text: &mut String, name: &str, kind: &'static str) {
        let start = scan::scheme_len(text);
        if scan::is_placeholder(slice(text, start, text.len())) {
            return;
        }
        let span = Span::by_name(start, text.len(), kind, Some(name.to_owned()));
        (*text, _) = self.replace(field, text, &[span], text.len());
    }

    /// `text` up to `keep` with each span replaced, and the positions of the placeholders.
    fn replace(
        &mut self,
        field: &'static str,
        text: &str,
        spans: &[Span],
        keep: usize,
    ) -> (String, Vec<(usize, usize)>) {
        let mut out = String::with_capacity(keep.min(text.len()));
        let mut placeholders = Vec::with_capacity(spans.len());
        let mut from = 0;
        for span in spans {
            out.push_str(slice(text, from, span.start));
            let mut placeholder = self.note(field, slice(text, span.start, span.end), span);
            if let Some(escapes) = span.quotes {
                let quote = format!("{}\"", "\\".repeat(escapes));
                placeholder = format!("{quote}{placeholder}{quote}");
            }
            let start = out.len();
            out.push_str(&placeholder);
            placeholders.push((start, out.len()));
            from = span.end;
        }
        if from < keep {
            out.push_str(slice(text, from, keep));
        }
        (out, placeholders)
    }

    fn note(&mut self, field: &'static str, written: &str, span: &Span) -> String {
        if span.kind == INPUT_KIND {
            return INPUT_PLACEHOLDER.to_owned();
        }
        let secret = views::canonical(written);
        let kind = if span.kind == "jwt" && is_service_role(&secret) { "supabase_key" } else { span.kind };
        // Both as it was written here, and without escapes.
        self.remember(written, kind);
        self.remember(&secret, kind);
        let placeholder = self.redactor.placeholder(kind, &secret);
        if self.findings.len() < limits::FINDINGS_PER_ENTRY {
            self.findings.push(Finding {
                kind,
                field,
                name: span.name.clone().filter(|name| is_clean_name(name)),
                placeholder: placeholder.clone(),
                preview: preview(&secret),
                expires: jwt_expiry(&secret),
                length: secret.chars().count(),
                example: is_example(kind, &secret),
                words: reads_as_words(kind, &secret),
            });
        }
        placeholder
    }
}

/// Whether everyone who reads the entry later can parse this JSON text: no number is too large, and nothing is nested
/// deeply. Text that only looks unsafe is parsed and written again.
fn is_plain(text: &str) -> bool {
    let (mut digits, mut opened) = (0, 0);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'e' | b'E' if digits > 0 => return false,
            b'[' | b'{' => (digits, opened) = (0, opened + 1),
            _ => digits = 0,
        }
        if digits > MOST_DIGITS || opened > DEEPEST_JSON {
            return false;
        }
    }
    true
}

/// Whether the name of an object says something about this member of it.
fn is_inherited(name: &str, member: &str, value: &Value) -> bool {
    match value {
        _ if !names::is_weak(name) => true,
        Value::String(text) => names::is_token_member(Some(member), text),
        Value::Number(_) => false,
        _ => true,
    }
}

/// Whether a finding may keep this name: a field can be named after a credential.
fn is_clean_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME && scan::spans(name).is_empty()
}

/// Makes the text no longer than `room` without cutting a placeholder in two.
fn cut_back(text: &mut String, placeholders: &[(usize, usize)], room: usize) {
    let mut end = floor(text, room);
    if let Some((start, _)) = placeholders.iter().find(|(start, after)| (*start + 1..*after).contains(&end)) {
        end = *start;
    }
    text.truncate(end);
}

/// The first 6 and last 3 characters of a secret that is long enough to stay secret.
pub(crate) fn preview(secret: &str) -> Option<String> {
    let count = secret.chars().count();
    if count < limits::SECRET_PREVIEW_MIN_CHARS {
        return None;
    }
    let head: String = secret.chars().take(6).collect();
    let tail: String = secret.chars().skip(count - 3).collect();
    Some(format!("{head}…{tail}"))
}

/// Whether only its name makes it a secret, and the value consists of ordinary words.
fn reads_as_words(kind: &str, secret: &str) -> bool {
    let is_by_name = matches!(kind, "token" | "secret" | "api_key" | "bearer");
    let mut words = secret.split(['-', '_', '.', ' ']);
    let is_word = |word: &str| {
        let rest = word.strip_prefix(|first: char| first.is_ascii_alphabetic()).unwrap_or_default();
        !word.is_empty() && word.len() <= LONGEST_WORD && rest.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    is_by_name && words.all(is_word)
}

/// Longest word that a person would write; longer runs of letters are machine-made.
const LONGEST_WORD: usize = 14;

/// Whether a word in the secret says that it is not secret. In random text such a word may occur by chance: keys of
/// live formats, tokens and private keys are never excused, except the key in Amazon's documentation.
fn is_example(kind: &str, secret: &str) -> bool {
    match kind {
        "aws_access_key" => secret.ends_with("EXAMPLE"),
        "jwt" | "private_key" | "supabase_key" => false,
        _ if ["sk_live_", "rk_live_", "ghp_", "ghs_"].iter().any(|live| secret.starts_with(live)) => false,
        _ => EXAMPLE_WORDS.iter().any(|word| has_word(secret, word)),
    }
}

/// Whether the secret contains the word by itself: in one case, and not within a longer word. Random letters easily
/// spell `dEv`, so a short word needs separators on both sides.
fn has_word(secret: &str, word: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    let bytes = secret.as_bytes();
    lower.match_indices(word).any(|(start, _)| {
        let end = start + word.len();
        let written = slice(secret, start, end);
        let (first, rest) = written.split_at_checked(1).unwrap_or_default();
        let is_lower = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_upper = |text: &str| text.bytes().all(|byte| byte.is_ascii_uppercase());
        let in_one_case = is_lower(written) || is_upper(written) || (is_upper(first) && is_lower(rest));
        let is_separator = |byte: u8| !byte.is_ascii_alphanumeric();
        let before = start.checked_sub(1).map_or(0, |index| at(bytes, index));
        let after = at(bytes, end);
        if word.len() < 4 {
            return in_one_case && is_separator(before) && is_separator(after);
        }
        // `exampleKey`, `Example2`, `test_key`, `dummykey`; not `latest` and not `demolition`.
        let ends = !after.is_ascii_alphabetic() || (after.is_ascii_uppercase() && is_lower(rest));
        let follows = slice(&lower, end, lower.len());
        let parts = ["key", "token", "secret", "password", "user", "value", word];
        let is_compound = parts.iter().any(|part| follows.starts_with(part));
        let begins =
            is_separator(before) || (start <= 4 && !before.is_ascii_lowercase()) || is_prefix(slice(secret, 0, start));
        in_one_case && begins && (ends || is_compound)
    })
}

/// Whether this is the prefix of a format: `AIza`, `sk-proj-`.
fn is_prefix(head: &str) -> bool {
    FORMATS.iter().any(|format| format.literal == head)
}

fn jwt_claims(secret: &str) -> Option<Value> {
    let payload = secret.strip_prefix("eyJ")?.split('.').nth(1)?;
    let decoded = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(payload).ok()?;
    serde_json::from_slice(&decoded).ok()
}

/// Whether this token is a Supabase key with all permissions, which browsers must not have.
fn is_service_role(secret: &str) -> bool {
    jwt_claims(secret).is_some_and(|claims| claims.get("role").is_some_and(|role| role == "service_role"))
}

fn jwt_expiry(secret: &str) -> Option<Timestamp> {
    let seconds = jwt_claims(secret)?.get("exp")?.as_f64()?;
    (0.0..1e11).contains(&seconds).then_some(Timestamp::from_millis((seconds * 1000.0) as i64))
}

/// The largest character boundary that is not above `index`.
fn floor(text: &str, index: usize) -> usize {
    (0..=index.min(text.len())).rev().find(|index| text.is_char_boundary(*index)).unwrap_or(0)
}

/// The kind of an element whose attributes say what its value is.
fn field_of(fields: &serde_json::Map<String, Value>) -> Option<(String, &'static str)> {
    let attributes = fields.get("attributes")?.as_object()?;
    let attribute = |name: &str| attributes.get(name).and_then(Value::as_str);
    if attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("password")) {
        return Some(("password".to_owned(), "password"));
    }
    ["name", "id", "autocomplete"].iter().find_map(|key| {
        let name = attribute(key)?;
        Some((name.to_owned(), names::field_kind(name)?))
    })
}
