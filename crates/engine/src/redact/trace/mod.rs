//! Redacts the credentials in a Playwright trace, file by file.
//!
//! Credentials with a known format are found in any text. The others (cookies, values of sensitive headers and stores,
//! text typed into password fields) are known by their place: [`TraceScrubber::learn`] reads the trace's events first,
//! so that such a value is then found in bodies, pages and messages, too.

mod forms;
mod learn;

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use serde_json::{Map, Value};

use self::forms::{Form, argument, forms, is_secret_member, kind_of_pair, pair, picture_kind, place_in_list, placed};
use self::learn::Learner;
use super::edges::slice;
use super::{HEADER_PLACEHOLDER, INPUT_PLACEHOLDER, Redactor, Scrubber, scan};

/// A shorter value is not searched for inside other texts: it would match in ordinary words.
const SHORTEST_INSIDE: usize = 8;
/// A value by itself, or in quotes, may be this short.
const SHORTEST: usize = 3;
/// Traces are not nested deeper than this; anything deeper is dropped.
const DEEPEST: usize = 200;

/// Members that connect the parts of a trace: names of files, calls and pages.
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

/// Redacts one trace. Call [`Self::learn`] for all events first, then [`Self::learned`], then redact.
#[derive(Debug)]
pub struct TraceScrubber<'r> {
    redactor: &'r Redactor,
    learner: Learner,
    /// Values that are credentials because of their place.
    known: HashMap<String, &'static str>,
    finder: Option<Finder>,
    replaced: BTreeMap<String, usize>,
}

/// Searches for all known values at once, in text and in binary data.
#[derive(Debug)]
struct Finder {
    in_text: AhoCorasick,
    /// The automaton for binary data, made on first use: it is three times as large, and many traces contain only text
    /// and images.
    in_bytes: OnceCell<Option<AhoCorasick>>,
    forms: Vec<Form>,
}

impl Finder {
    /// `None` if there are too many values to search for at once: then only values by themselves are found.
    fn new(forms: Vec<Form>) -> Option<Self> {
        let in_text = search_for(forms.iter().map(|form| form.written.as_bytes()))?;
        Some(Self { in_text, in_bytes: OnceCell::new(), forms })
    }

    /// The values as they are written, then in both kinds of UTF-16.
    fn in_bytes(&self) -> Option<&AhoCorasick> {
        let build = || {
            let plain = self.forms.iter().map(|form| form.written.as_bytes().to_vec());
            let wide = |of: fn(u16) -> [u8; 2]| {
                self.forms.iter().map(move |form| form.written.encode_utf16().flat_map(of).collect::<Vec<u8>>())
            };
            search_for(plain.chain(wide(u16::to_le_bytes)).chain(wide(u16::to_be_bytes)))
        };
        self.in_bytes.get_or_init(build).as_ref()
    }
}

/// An automaton that is small and quickly built, however many patterns there are. For a few patterns the library would
/// prefer a table with a cell for every state and byte.
fn search_for<P: AsRef<[u8]>>(patterns: impl Iterator<Item = P>) -> Option<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    builder.match_kind(MatchKind::LeftmostLongest).kind(Some(AhoCorasickKind::ContiguousNFA));
    builder.build(patterns).ok()
}

impl<'r> TraceScrubber<'r> {
    /// A scrubber that has learned nothing yet. Placeholders come from this redactor.
    pub fn new(redactor: &'r Redactor) -> Self {
        Self { redactor, learner: Learner::default(), known: HashMap::new(), finder: None, replaced: BTreeMap::new() }
    }

    /// How many values were replaced, by kind.
    pub fn replaced(&self) -> &BTreeMap<String, usize> {
        &self.replaced
    }

    /// Learns the credentials that an event reveals by their place.
    pub fn learn(&mut self, line: &str) {
        self.learner.event(line);
    }

    /// The same for any other text of the trace.
    pub fn learn_text(&mut self, text: &str) {
        self.learner.text(text);
    }

    /// Ends learning. Must be called before anything is redacted.
    pub fn learned(&mut self) {
        self.known = std::mem::take(&mut self.learner).into_known();
        let mut written: Vec<Form> = self.known.iter().flat_map(|(secret, kind)| forms(secret, kind)).collect();
        written.sort();
        written.dedup_by(|a, b| a.written == b.written);
        self.finder = Finder::new(written);
    }

    /// Redacts one event. A line that is not JSON is redacted as text.
    pub fn event(&mut self, line: &str) -> String {
        match serde_json::from_str::<Value>(line) {
            Ok(mut event) => {
                self.scrub(&mut event, "", 0);
                event.to_string()
            }
            Err(_) => self.text(line),
        }
    }

    /// Redacts any text: a body, a source file, a message.
    pub fn text(&mut self, text: &str) -> String {
        let text = self.without_placed(text);
        let mut text = self.without_known(&text);
        let mut scrubber = Scrubber::new(self.redactor);
        // The text is not cut: readers of a trace want the whole body.
        scrubber.bounded("text", &mut text, usize::MAX);
        for finding in scrubber.into_findings() {
            self.count(finding.kind);
        }
        text
    }

    /// Redacts binary data if it contains a known value. All offsets stay the same.
    pub fn bytes(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let finder = self.finder.take()?;
        let mut clean: Option<Vec<u8>> = None;
        for found in finder.in_bytes().into_iter().flat_map(|known| known.find_iter(bytes)) {
            let pattern = found.pattern().as_usize();
            let Some(form) = finder.forms.get(pattern % finder.forms.len()) else { continue };
            let width = if pattern < finder.forms.len() { 1 } else { 2 };
            let range = found.start() + form.before * width..found.end() - form.after * width;
            if let Some(secret) = clean.get_or_insert_with(|| bytes.to_vec()).get_mut(range) {
                secret.fill(b'*');
            }
            self.count(form.kind);
        }
        self.finder = Some(finder);
        clean
    }

    fn count(&mut self, kind: &str) {
        *self.replaced.entry(kind.to_owned()).or_default() += 1;
    }

    fn without_placed(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for placed in placed(text) {
            out.push_str(slice(text, from, placed.range.start));
            let secret = slice(text, placed.range.start, placed.range.end);
            out.push_str(&self.redactor.placeholder(placed.kind, secret.trim()));
            self.count(placed.kind);
            from = placed.range.end;
        }
        out.push_str(slice(text, from, text.len()));
        out
    }

    fn without_known(&mut self, text: &str) -> String {
        if let Some(kind) = self.known.get(text.trim()).copied() {
            self.count(kind);
            return self.redactor.placeholder(kind, text.trim());
        }
        let Some(finder) = self.finder.take() else { return text.to_owned() };
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for found in finder.in_text.find_iter(text) {
            let Some(form) = finder.forms.get(found.pattern().as_usize()) else { continue };
            out.push_str(slice(text, from, found.start() + form.before));
            out.push_str(&self.redactor.placeholder(form.kind, &form.secret));
            self.count(form.kind);
            from = found.end() - form.after;
        }
        out.push_str(slice(text, from, text.len()));
        self.finder = Some(finder);
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
                self.scrub_element(items);
                for index in 0..items.len() {
                    let place = place_in_list(items, index, place);
                    if let Some(item) = items.get_mut(index) {
                        self.scrub(item, place, depth + 1);
                    }
                }
            }
            Value::Object(fields) => self.scrub_members(fields, place, depth),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn scrub_element(&mut self, items: &mut [Value]) {
        let Some((kind, members)) = picture_kind(items) else { return };
        let Some(Value::Object(attributes)) = items.get_mut(1) else { return };
        for member in members {
            match attributes.get_mut(*member) {
                Some(Value::String(typed)) if kind == "password" && !is_hidden(typed) => {
                    INPUT_PLACEHOLDER.clone_into(typed);
                    self.count(kind);
                }
                Some(Value::String(value)) => self.hide(value, kind),
                _ => {}
            }
        }
    }

    fn scrub_members(&mut self, fields: &mut Map<String, Value>, place: &str, depth: usize) {
        let kind_of = |(name, value): (&str, &str)| kind_of_pair(place, name, value);
        if let Some(kind) = pair(fields).and_then(kind_of) {
            if let Some(Value::String(value)) = fields.get_mut("value") {
                self.hide(value, kind);
            }
        } else if let Some(kind) = argument(fields).and_then(kind_of)
            && let Some(Value::String(value)) = fields.get_mut("v").and_then(|value| value.get_mut("s"))
        {
            self.hide(value, kind);
        }
        for (name, inner) in fields.iter_mut() {
            match inner {
                Value::String(_) if STRUCTURE.contains(&name.as_str()) => {}
                Value::String(text) if is_secret_member(name) => self.hide(text, "password"),
                Value::String(text) if place == "headers" && kind_of_pair(place, name, text).is_some() => {
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

/// Whether it was redacted before, or is empty.
fn is_hidden(value: &str) -> bool {
    value.is_empty() || value == HEADER_PLACEHOLDER || value == INPUT_PLACEHOLDER || scan::is_placeholder(value)
}
