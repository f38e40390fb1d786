//! Credentials are gone before anything is stored.
//!
//! [`Redacted`] can only be made by a [`Redactor`], and the store takes nothing else: forgetting to redact does not
//! compile. Each credential becomes a stable placeholder such as `[secret:jwt#1]`, the same for the same secret, so
//! that "this is not the token that the login returned" can still be seen. What was found is noted beside the entry
//! as a [`Finding`], with never more than the first 6 and last 3 characters.

mod card;
mod edges;
mod formats;
pub(crate) mod names;
mod registry;
mod results;
mod scan;
mod scrubber;
mod trace;
mod views;

use serde::Serialize;
use wire::{Timestamp, limits};

pub(crate) use card::{has_check_digit, is_card_number};
pub(crate) use edges::{at, before};
pub(crate) use names::field_kind;
pub use names::{is_sensitive_header, is_sensitive_parameter};
pub(crate) use scan::placeholder_len;
pub use scrubber::Scrubber;
pub(crate) use scrubber::preview;
pub use trace::TraceScrubber;

/// What holds text that may contain credentials. Every `scrub` takes its struct apart field by field, without `..`: a new
/// field does not compile until someone decided what it may hold.
pub trait Redact {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>);
}

/// What stands in for the value of a sensitive header.
pub const HEADER_PLACEHOLDER: &str = "[REDACTED]";
/// What stands in for what was typed into a sensitive input.
pub const INPUT_PLACEHOLDER: &str = "[redacted]";

/// A credential that was cut out of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Finding {
    /// `jwt`, `github_token`, `password` and the like.
    pub kind: &'static str,
    /// The field it stood in, such as `responseBody`.
    pub field: &'static str,
    /// The JSON field, query parameter or header it was the value of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What stands in its place now.
    pub placeholder: String,
    /// First 6 and last 3 characters; nothing of a short secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// When a JWT stops being valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// How many characters it has. Not told to anyone: short ones would be easier to guess.
    #[serde(skip)]
    pub length: usize,
    /// Made up: contains a word like `test` or `example`, and is of no format that only real keys have.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub example: bool,
    /// Known by its name alone, and reads as words: `token=refreshed`, `key=checkout.button.label`.
    #[serde(skip)]
    pub words: bool,
}

/// An entry without credentials, and what was cut out of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Redacted<T> {
    entry: T,
    findings: Vec<Finding>,
}

impl<T> Redacted<T> {
    pub fn entry(&self) -> &T {
        &self.entry
    }

    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// For changes that add no text, or only text that was redacted before.
    pub(crate) fn map(self, change: impl FnOnce(T) -> T) -> Self {
        Self { entry: change(self.entry), findings: self.findings }
    }

    pub fn into_parts(self) -> (T, Vec<Finding>) {
        (self.entry, self.findings)
    }
}

/// Cuts credentials out and remembers, by hash alone, which placeholder each one got.
#[derive(Debug, Default)]
pub struct Redactor {
    registry: std::sync::Mutex<registry::Registry>,
}

impl Redactor {
    pub fn new() -> Self {
        Self::default()
    }

    /// Redacts an entry whose fields have their final meaning; see [`crate::entry`].
    pub fn redact<T: Redact>(&self, mut entry: T) -> Redacted<T> {
        let mut scrubber = Scrubber::new(self);
        entry.scrub(&mut scrubber);
        // A value that only its name gave away may stand elsewhere in the entry without the name.
        if scrubber.look_for_echoes() {
            entry.scrub(&mut scrubber);
        }
        Redacted { entry, findings: scrubber.into_findings() }
    }

    /// Redacts a single text, for what is no entry: titles and addresses of tabs, names of clients.
    pub fn text(&self, text: &str) -> String {
        let mut scrubber = Scrubber::new(self);
        let mut text = text.to_owned();
        scrubber.text("text", &mut text);
        text
    }

    /// Redacts source code, line by line where it was: places in it stay right. Nothing when that can't be.
    pub fn source_code(&self, code: &str) -> Option<String> {
        let mut inside_key = false;
        let mut kept: Vec<&str> = Vec::new();
        for line in code.split('\n') {
            inside_key |= line.contains("-----BEGIN ") && line.contains("PRIVATE KEY") && !line.contains("-----END ");
            kept.push(if inside_key { "[secret:private_key]" } else { line });
            if line.contains("-----END ") {
                inside_key = false;
            }
        }
        let mut text = kept.join("\n");
        let mut scrubber = Scrubber::new(self);
        let is_cut = scrubber.bounded("source", &mut text, limits::SOURCE_FILE_BYTES);
        (!is_cut && text.split('\n').count() == kept.len()).then_some(text)
    }

    fn placeholder(&self, kind: &'static str, secret: &str) -> String {
        // A poisoned lock only means that another thread died; the numbers in it are still right.
        let mut registry = self.registry.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        registry.placeholder(kind, secret)
    }
}
