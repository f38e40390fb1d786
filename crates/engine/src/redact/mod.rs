//! Removes credentials before anything is stored.
//!
//! Only a [`Redactor`] can make a [`Redacted`], and the store accepts nothing else: forgetting to redact does not
//! compile. Each credential becomes a stable placeholder such as `[secret:jwt#1]`. The same secret always gets the same
//! one, so that "this is not the token that the login returned" can still be seen. A [`Finding`] beside the entry
//! describes each credential, with at most its first 6 and last 3 characters.

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

/// Data that may contain credentials. Every `scrub` destructures its struct field by field, without `..`: a new field
/// does not compile until someone decides what it may contain.
pub trait Redact {
    /// Redacts every field that may contain a credential.
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>);
}

/// Replaces the value of a sensitive header.
pub const HEADER_PLACEHOLDER: &str = "[REDACTED]";
/// Replaces the value that was typed into a sensitive input.
pub const INPUT_PLACEHOLDER: &str = "[redacted]";

/// A credential that was redacted from an entry.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Finding {
    /// `jwt`, `github_token`, `password` and the like.
    pub kind: &'static str,
    /// The field that contained it, such as `responseBody`.
    pub field: &'static str,
    /// The name of the JSON field, query parameter or header whose value it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The placeholder that replaces it.
    pub placeholder: String,
    /// Its first 6 and last 3 characters; absent for a short secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// When a JWT expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// Its length in characters. It is never reported: it would make short secrets easier to guess.
    #[serde(skip)]
    pub length: usize,
    /// Whether it is made up: it contains a word like `test` or `example`, and its format is not one that only real
    /// keys have.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub example: bool,
    /// Whether only its name makes it a credential, and it reads as words: `token=refreshed`,
    /// `key=checkout.button.label`.
    #[serde(skip)]
    pub words: bool,
}

/// An entry without credentials, and what was redacted from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Redacted<T> {
    entry: T,
    findings: Vec<Finding>,
}

impl<T> Redacted<T> {
    /// The redacted entry.
    pub fn entry(&self) -> &T {
        &self.entry
    }

    /// The credentials that were redacted from it.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Changes the entry without adding text, or with text that is redacted already.
    pub(crate) fn map(self, change: impl FnOnce(T) -> T) -> Self {
        Self { entry: change(self.entry), findings: self.findings }
    }

    /// The entry and its findings.
    pub fn into_parts(self) -> (T, Vec<Finding>) {
        (self.entry, self.findings)
    }
}

/// Redacts credentials and remembers, only by keyed hash, which placeholder each one got.
#[derive(Debug, Default)]
pub struct Redactor {
    registry: std::sync::Mutex<registry::Registry>,
}

impl Redactor {
    /// A redactor with a new random key and no placeholders yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Redacts an entry whose fields are normalized; see [`crate::entry`].
    pub fn redact<T: Redact>(&self, mut entry: T) -> Redacted<T> {
        let mut scrubber = Scrubber::new(self);
        entry.scrub(&mut scrubber);
        // A value that only its name revealed may be elsewhere in the entry without the name.
        if scrubber.look_for_echoes() {
            entry.scrub(&mut scrubber);
        }
        Redacted { entry, findings: scrubber.into_findings() }
    }

    /// Redacts a single text that is not part of an entry: titles and addresses of tabs, names of clients.
    pub fn text(&self, text: &str) -> String {
        let mut scrubber = Scrubber::new(self);
        let mut text = text.to_owned();
        scrubber.text("text", &mut text);
        text
    }

    /// Redacts source code and keeps its lines, so that positions in it stay correct. `None` when that is impossible.
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
        // A poisoned lock only means that another thread panicked; the numbers in it are still correct.
        let mut registry = self.registry.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        registry.placeholder(kind, secret)
    }
}
