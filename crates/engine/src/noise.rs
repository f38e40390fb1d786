//! Recognises entries that do not concern the developer. They are marked, never deleted.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use wire::{Level, limits};

use crate::entry::{Log, LogKind, Request};
use crate::url::without_query;

/// A noise rule as lists show it.
#[derive(Debug, Clone)]
pub struct NoiseRule {
    /// Its id, by which it can be removed.
    pub id: String,
    /// The text or `/pattern/` that was added; for a built-in rule, what it matches.
    pub text: String,
    /// Whether it is built in.
    pub is_built_in: bool,
    matcher: Matcher,
}

#[derive(Debug, Clone)]
enum Matcher {
    BuiltIn(IsNoise),
    /// In lower case; part of a message or an address.
    Text(String),
    Pattern(regex_lite::Regex),
}

type IsNoise = fn(&Facts<'_>) -> bool;

/// The facts about an entry that rules look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts<'a> {
    /// The message; empty for requests.
    pub message: &'a str,
    /// The address of a request or a resource.
    pub address: &'a str,
    /// The stack; empty when there is none.
    pub stack: &'a str,
    /// The script that the entry comes from; empty when unknown.
    pub filename: &'a str,
    /// The status of a request, if known.
    pub status: Option<u16>,
    /// Whether it is a console line.
    pub is_console: bool,
    /// Whether it is an error.
    pub is_error: bool,
}

impl<'a> From<&'a Log> for Facts<'a> {
    fn from(entry: &'a Log) -> Self {
        Self {
            message: entry.message.as_str(),
            address: entry.request_url.as_deref().unwrap_or_default(),
            stack: entry.stack.as_deref().unwrap_or_default(),
            filename: entry.filename.as_deref().unwrap_or_default(),
            status: entry.status,
            is_console: entry.kind == LogKind::Console,
            is_error: entry.level == Level::Error,
        }
    }
}

impl<'a> From<&'a Request> for Facts<'a> {
    fn from(request: &'a Request) -> Self {
        Self { address: request.url.as_str(), status: request.status, is_error: true, ..Self::default() }
    }
}

/// The built-in rules: an id, what it matches, and the test for it.
const BUILT_IN: [(&str, &str, IsNoise); 6] = [
    ("analytics", "beacons of analytics, ads and error trackers", is_analytics),
    ("extensions", "errors of browser extensions", is_extension),
    ("favicon", "a missing favicon", is_favicon),
    ("source-maps", "a missing source map", is_source_map),
    ("hot-updates", "chatter of development servers", is_hot_update),
    ("devtools", "hints of frameworks and developer tools", is_devtools_hint),
];

const TRACKERS: [&str; 34] = [
    "google-analytics.com",
    "googletagmanager.com",
    "analytics.google.com",
    "doubleclick.net",
    "googlesyndication.com",
    "googleadservices.com",
    "connect.facebook.net",
    "facebook.com/tr",
    "segment.io",
    "segment.com",
    "mixpanel.com",
    "amplitude.com",
    "hotjar.com",
    "hotjar.io",
    "clarity.ms",
    "fullstory.com",
    "logrocket.io",
    "lr-ingest.io",
    "posthog.com",
    "plausible.io",
    "matomo.cloud",
    "heapanalytics.com",
    "cloudflareinsights.com",
    "sentry.io",
    "ingest.sentry.io",
    "bugsnag.com",
    "rollbar.com",
    "nr-data.net",
    "newrelic.com",
    "browser-intake-datadoghq",
    "intercom.io",
    "px.ads.linkedin.com",
    "bat.bing.com",
    "analytics.tiktok.com",
];

/// Only requests and resources, by their own address: an exception that names a tracker comes from the page.
fn is_analytics(facts: &Facts<'_>) -> bool {
    let Some((_, host)) = facts.address.split_once("://") else { return false };
    TRACKERS.iter().any(|tracker| host.match_indices(tracker).any(|(at, _)| is_whole(host, at, tracker)))
}

/// `notsegment.io` is another host, and so are `segment.io.example` and `facebook.com/trending`.
fn is_whole(host: &str, at: usize, tracker: &str) -> bool {
    let before = host.get(..at).unwrap_or_default();
    let after = host.get(at + tracker.len()..).unwrap_or_default();
    let begins = before.is_empty() || (before.ends_with('.') && !before.contains(['/', '?', '#']));
    // A tracker without a dot is the start of several hosts.
    begins && (after.is_empty() || after.starts_with(['/', '?', '#', ':']) || !tracker.contains('.'))
}

// These are searched for in every entry of an answer, so they are prepared once.
static OF_EXTENSIONS: LazyLock<[Finder<'static>; 4]> = LazyLock::new(|| {
    [
        "Extension context invalidated",
        "Could not establish connection. Receiving end does not exist",
        "The message port closed before a response was received",
        "A listener indicated an asynchronous response by returning true, but the message channel closed",
    ]
    .map(Finder::new)
});
static OF_DEVTOOLS: LazyLock<[Finder<'static>; 5]> = LazyLock::new(|| {
    [
        "Download the React DevTools",
        "You are running a development build of Vue",
        "You are running Vue in development mode",
        "Angular is running in development mode",
        "Download the Apollo DevTools",
    ]
    .map(Finder::new)
});

fn holds_one_of(words: &[Finder<'_>], text: &str) -> bool {
    words.iter().any(|words| words.find(text.as_bytes()).is_some())
}

fn is_extension(facts: &Facts<'_>) -> bool {
    let ours = ["chrome-extension://", "moz-extension://", "safari-web-extension://", "safari-extension://"];
    let top = facts.stack.lines().find(|line| line.contains("://")).unwrap_or_default();
    ours.iter()
        .any(|scheme| top.contains(scheme) || facts.filename.starts_with(scheme) || facts.address.starts_with(scheme))
        || (holds_one_of(&*OF_EXTENSIONS, facts.message) && !has_page_frame(facts))
}

/// Whether the page's own code took part: pages may talk to extensions, too.
fn has_page_frame(facts: &Facts<'_>) -> bool {
    let is_message = |line: &str| facts.message.contains(line.trim()) || line.contains(facts.message);
    let mut frames = facts.stack.lines().filter(|line| !is_message(line));
    frames.any(|frame| frame.contains("http://") || frame.contains("https://"))
}

/// Whether the resource is only missing. No page needs it, but a server error on it matters.
fn is_merely_missing(facts: &Facts<'_>) -> bool {
    matches!(facts.status, Some(404 | 1..=399))
}

fn is_favicon(facts: &Facts<'_>) -> bool {
    is_merely_missing(facts) && without_query(facts.address).ends_with("/favicon.ico")
}

fn is_source_map(facts: &Facts<'_>) -> bool {
    let path = without_query(facts.address);
    (is_merely_missing(facts) && [".js.map", ".css.map", ".mjs.map"].iter().any(|end| path.ends_with(end)))
        || facts.message.starts_with("DevTools failed to load source map")
}

/// Errors are excluded: a failed update matters.
fn is_hot_update(facts: &Facts<'_>) -> bool {
    let starts = ["[vite] ", "[HMR]", "[webpack-dev-server]", "[WDS]", "[Fast Refresh]", "[parcel]", "✨ [parcel]"];
    facts.is_console && !facts.is_error && starts.iter().any(|start| facts.message.starts_with(start))
}

fn is_devtools_hint(facts: &Facts<'_>) -> bool {
    facts.is_console && !facts.is_error && holds_one_of(&*OF_DEVTOOLS, facts.message)
}

/// Why a rule was not added or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The rule is empty.
    Empty,
    /// The rule exceeds [`limits::NOISE_RULE_CHARS`].
    TooLong,
    /// There are [`limits::NOISE_RULES`] rules already.
    TooMany,
    /// The pattern is not valid, with the reason.
    BadPattern(String),
    /// An equal rule exists, with its id.
    Known(String),
    /// No rule has that id or text.
    Unknown,
}

/// The noise rules in force.
#[derive(Debug, Clone)]
pub struct NoiseRules {
    rules: Vec<NoiseRule>,
    added: u32,
}

impl Default for NoiseRules {
    fn default() -> Self {
        let rules = BUILT_IN.iter().map(|(id, text, is_noise)| NoiseRule {
            id: (*id).to_owned(),
            text: (*text).to_owned(),
            is_built_in: true,
            matcher: Matcher::BuiltIn(*is_noise),
        });
        Self { rules: rules.collect(), added: 0 }
    }
}

impl NoiseRules {
    /// All rules, built-in ones first.
    pub fn iter(&self) -> impl Iterator<Item = &NoiseRule> {
        self.rules.iter()
    }

    /// The id of the rule that matches, if one does.
    pub fn rule_for<'a>(&self, facts: impl Into<Facts<'a>>) -> Option<&str> {
        let facts = facts.into();
        self.rules.iter().find(|rule| rule.matches(&facts)).map(|rule| rule.id.as_str())
    }

    /// Adds a text, or a `/pattern/` (followed by `i` to ignore case).
    pub fn add(&mut self, rule: &str) -> Result<&NoiseRule, Refusal> {
        if rule.trim().is_empty() {
            return Err(Refusal::Empty);
        }
        if rule.chars().count() > limits::NOISE_RULE_CHARS {
            return Err(Refusal::TooLong);
        }
        if let Some(known) = self.rules.iter().find(|known| !known.is_built_in && known.text == rule) {
            return Err(Refusal::Known(known.id.clone()));
        }
        if self.rules.iter().filter(|rule| !rule.is_built_in).count() >= limits::NOISE_RULES {
            return Err(Refusal::TooMany);
        }
        let matcher = match pattern(rule) {
            Some((pattern, any_case)) => {
                let built = regex_lite::RegexBuilder::new(pattern)
                    .case_insensitive(any_case)
                    .size_limit(limits::NOISE_PATTERN_BYTES)
                    .build();
                Matcher::Pattern(built.map_err(|error| Refusal::BadPattern(error.to_string()))?)
            }
            None => Matcher::Text(rule.to_lowercase()),
        };
        self.added += 1;
        let id = format!("rule-{}", self.added);
        self.rules.push(NoiseRule { id, text: rule.to_owned(), is_built_in: false, matcher });
        self.rules.last().ok_or(Refusal::Unknown)
    }

    /// Removes the rule with this id or this text.
    pub fn remove(&mut self, rule: &str) -> Result<NoiseRule, Refusal> {
        let place = self.rules.iter().position(|known| known.id == rule || known.text == rule);
        place.map(|place| self.rules.remove(place)).ok_or(Refusal::Unknown)
    }

    /// Removes the added rules and restores the built-in ones.
    pub fn reset(&mut self) {
        *self = Self { added: self.added, ..Self::default() };
    }
}

impl NoiseRule {
    fn matches(&self, facts: &Facts<'_>) -> bool {
        match &self.matcher {
            Matcher::BuiltIn(is_noise) => is_noise(facts),
            Matcher::Text(text) => {
                [facts.message, facts.address].iter().any(|own| own.to_lowercase().contains(text.as_str()))
            }
            Matcher::Pattern(pattern) => [facts.message, facts.address].iter().any(|own| pattern.is_match(own)),
        }
    }
}

/// `/words/` or `/words/i`.
fn pattern(rule: &str) -> Option<(&str, bool)> {
    let inside = rule.strip_prefix('/')?;
    match inside.strip_suffix("/i") {
        Some(pattern) if !pattern.is_empty() => Some((pattern, true)),
        _ => inside.strip_suffix('/').filter(|pattern| !pattern.is_empty()).map(|pattern| (pattern, false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule_of(facts: Facts<'_>) -> Option<String> {
        NoiseRules::default().rule_for(facts).map(str::to_owned)
    }

    #[test]
    fn built_in_rules_match_only_what_they_are_for() {
        let address = |address| Facts { address, is_error: true, ..Facts::default() };
        let missing = |url| Facts { status: Some(404), ..address(url) };
        let said = |message| Facts { message, is_error: true, ..Facts::default() };
        const GONE: &str = "Could not establish connection. Receiving end does not exist.";
        let console = |message| Facts { message, is_console: true, ..Facts::default() };
        for (facts, rule) in [
            (address("https://www.google-analytics.com/g/collect?v=2"), Some("analytics")),
            (address("https://o1.ingest.sentry.io/api/1/envelope/"), Some("analytics")),
            (address("https://www.facebook.com/tr?id=1"), Some("analytics")),
            (address("https://notsegment.io/x"), None),
            (address("https://shop.test/api?ref=google-analytics.com"), None),
            (address("https://shop.test/segment.io/x"), None),
            (address("https://www.facebook.com/tr/?id=1"), Some("analytics")),
            (address("https://www.facebook.com/trending"), None),
            (address("https://segment.io.shop.test/x"), None),
            (address("https://browser-intake-datadoghq.eu/api/v2/rum"), Some("analytics")),
            (said("TypeError: bad answer of https://api.segment.com/v1/track"), None),
            (said("checkout failed, see https://sentry.io/issues/1"), None),
            (missing("http://localhost:3000/favicon.ico?v=2"), Some("favicon")),
            (Facts { status: Some(500), ..address("http://localhost:3000/favicon.ico") }, None),
            (Facts { status: Some(0), ..address("http://localhost:3000/favicon.ico") }, None),
            (missing("http://localhost:3000/api/favicon"), None),
            (missing("http://localhost:3000/assets/a.js.map"), Some("source-maps")),
            (Facts { status: Some(500), ..address("http://localhost:3000/assets/a.js.map") }, None),
            (missing("http://localhost:3000/api/site.map"), None),
            (
                Facts {
                    stack: "Error: x\n    at a (chrome-extension://abc/b.js:1:1)\n    at http://localhost/c.js:1:1",
                    ..Facts::default()
                },
                Some("extensions"),
            ),
            (
                Facts {
                    stack: "Error: x\n    at http://localhost/c.js:1:1\n    at a (chrome-extension://abc/b.js:1:1)",
                    ..Facts::default()
                },
                None,
            ),
            (said("Extension context invalidated."), Some("extensions")),
            (
                Facts { stack: "Error: Could not establish connection. Receiving end does not exist.", ..said(GONE) },
                Some("extensions"),
            ),
            (
                Facts {
                    stack: "Error: Could not establish connection. Receiving end does not exist.\n    at pay (http://localhost/pay.js:1:1)",
                    ..said(GONE)
                },
                None,
            ),
            (console("[vite] connected."), Some("hot-updates")),
            (Facts { is_error: true, ..console("[vite] Internal Server Error") }, None),
            (console("Download the React DevTools for a better development experience"), Some("devtools")),
            (console("the cart is empty"), None),
        ] {
            assert_eq!(rule_of(facts).as_deref(), rule, "{facts:?}");
        }
    }

    #[test]
    fn rules_are_added_removed_and_reset() {
        let mut rules = NoiseRules::default();
        let said = |message| Facts { message, ..Facts::default() };
        let id = rules.add("ResizeObserver loop").unwrap().id.clone();
        assert_eq!(rules.rule_for(said("resizeobserver LOOP limit exceeded")), Some(id.as_str()));
        rules.add(r"/^beacon \d+ lost$/").unwrap();
        assert!(rules.rule_for(said("beacon 17 lost")).is_some() && rules.rule_for(said("a beacon 17 lost")).is_none());
        rules.add("/LOST in/i").unwrap();
        assert!(rules.rule_for(said("it was lost in space")).is_some());
        assert_eq!(rules.add("ResizeObserver loop").unwrap_err(), Refusal::Known(id.clone()));
        assert_eq!(rules.add("  ").unwrap_err(), Refusal::Empty);
        assert!(matches!(rules.add("/(/").unwrap_err(), Refusal::BadPattern(_)));
        assert_eq!(rules.remove(&id).unwrap().text, "ResizeObserver loop");
        assert_eq!(rules.remove(&id).unwrap_err(), Refusal::Unknown);
        assert!(rules.remove("favicon").unwrap().is_built_in);
        let favicon = Facts { address: "http://a/favicon.ico", status: Some(404), ..Facts::default() };
        assert_eq!(rules.rule_for(favicon), None);
        rules.reset();
        assert_eq!(rules.iter().count(), BUILT_IN.len());
        assert_eq!(rules.rule_for(favicon), Some("favicon"));
    }

    #[test]
    fn limits_hold_at_below_and_above() {
        let mut rules = NoiseRules::default();
        let long = |chars: usize| "x".repeat(chars);
        assert!(rules.add(&long(limits::NOISE_RULE_CHARS)).is_ok());
        assert_eq!(rules.add(&long(limits::NOISE_RULE_CHARS + 1)).unwrap_err(), Refusal::TooLong);
        for number in 1..limits::NOISE_RULES {
            assert!(rules.add(&format!("text {number}")).is_ok(), "{number}");
        }
        assert_eq!(rules.add("one more").unwrap_err(), Refusal::TooMany);
    }
}
