//! Errors and failed requests, each kind of failure once.

use std::borrow::Cow;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;
use wire::{Level, Timestamp};

use crate::code_changes::CodeChange;
use crate::entry::{Entry, Log, LogKind, Request};
use crate::fingerprint::{normalize_message, top_frame, top_mapped_frame};
use crate::noise::Facts;
use crate::session::Session;
use crate::store::{Filter, Since, Stored};
use crate::symbolicate::explain;
use crate::text::shorten;
use crate::url::{Url, without_query};

/// The log entry and the body of the same request may differ in time by this much.
const SAME_REQUEST_MILLIS: i64 = 2_000;
const CAUSE_CHARS: usize = 300;

/// One failure, whether it was captured as a log entry, a request or both.
#[derive(Debug, Clone, Copy)]
pub enum Failure<'a> {
    /// A log entry; for a failed request with its body, if that was captured.
    Log(&'a Stored<Log>, Option<&'a Stored<Request>>),
    /// A failed request without a log entry.
    Request(&'a Stored<Request>),
}

/// All occurrences of the same failure.
#[derive(Debug, Clone)]
pub struct ErrorGroup<'a> {
    /// The latest occurrence.
    pub newest: Failure<'a>,
    /// How often it happened.
    pub count: u64,
    /// When it first happened, as far as the buffers reach back.
    pub first_seen: Timestamp,
    /// When it last happened.
    pub last_seen: Timestamp,
    /// Addresses of the pages where it happened, the latest first.
    pub pages: Vec<&'a str>,
    /// When it last happened in each tab.
    tabs: Vec<(Option<i64>, Timestamp)>,
}

/// When a failure happened, relative to the last code change of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub enum SinceUpdate {
    /// Only after the change.
    #[serde(rename = "new")]
    New,
    /// Before and after.
    #[serde(rename = "still there")]
    StillThere,
    /// Only before.
    #[serde(rename = "gone")]
    Gone,
}

impl std::fmt::Display for SinceUpdate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::New => "new",
            Self::StillThere => "still there",
            Self::Gone => "gone",
        })
    }
}

impl<'a> From<&Failure<'a>> for Facts<'a> {
    fn from(failure: &Failure<'a>) -> Self {
        match failure {
            Failure::Log(stored, _) => (&stored.entry).into(),
            Failure::Request(stored) => (&stored.entry).into(),
        }
    }
}

/// All failures since the logs were last cleared, oldest first. A failure with a log entry and a body is listed once.
pub fn failures<'a>(session: &'a Session, filter: &Filter) -> Vec<Failure<'a>> {
    let cleared = session.store.logs_cleared().map_or(0, |(_, cursor)| cursor);
    let mut found: Vec<Failure<'a>> = Vec::new();
    // Each request that has a log entry, with that entry's index in `found`.
    let mut told: Vec<(RequestKey<'_>, Option<usize>)> = Vec::new();
    // The same request from two tests is two requests.
    let test_id = filter.test_id.as_deref();
    for stored in session.store.logs.iter_of(test_id) {
        let request = RequestKey::of_log(&stored.entry);
        let is_failure = stored.entry.level == Level::Error || request.as_ref().is_some_and(RequestKey::failed);
        let shown = is_failure && filter.admits(stored);
        told.extend(request.map(|request| (request, shown.then_some(found.len()))));
        if shown {
            found.push(Failure::Log(stored, None));
        }
    }
    for stored in session.store.network.iter_of(test_id).filter(|stored| stored.cursor > cleared) {
        let request = RequestKey::of_body(&stored.entry);
        // A request that the page itself cancelled did not fail.
        if !request.failed() || stored.entry.is_aborted() {
            continue;
        }
        match told.iter().rev().find(|(told, _)| told.is_same(&request)) {
            Some((_, place)) => {
                if let Some(Failure::Log(_, body)) = place.and_then(|place| found.get_mut(place)) {
                    *body = Some(stored);
                }
            }
            None if filter.admits(stored) => {
                found.push(Failure::Request(stored));
            }
            None => {}
        }
    }
    if filter.without_noise {
        found.retain(|failure| session.noise.rule_for(failure).is_none());
    }
    found.sort_by_key(Failure::cursor);
    found
}

/// The failures in groups of the same failure, the newest group first.
pub fn error_groups<'a>(session: &'a Session, filter: &Filter) -> Vec<ErrorGroup<'a>> {
    let mut groups = Grouped::from_failures(&failures(session, filter)).groups;
    groups.sort_by_key(|group| std::cmp::Reverse(group.newest.cursor()));
    groups
}

/// Failures and their groups. Fingerprints are computed once, because messages are long.
#[derive(Debug)]
pub struct Grouped<'a> {
    groups: Vec<ErrorGroup<'a>>,
    group_of: HashMap<u64, usize>,
}

impl<'a> Grouped<'a> {
    /// Groups these failures.
    pub fn from_failures(failures: &[Failure<'a>]) -> Self {
        let mut groups: Vec<ErrorGroup<'a>> = Vec::new();
        let mut by_fingerprint: HashMap<String, usize> = HashMap::new();
        let mut group_of = HashMap::with_capacity(failures.len());
        for failure in failures {
            let (time, times) = (failure.time(), failure.times());
            let index = *by_fingerprint.entry(failure.fingerprint()).or_insert(groups.len());
            group_of.insert(failure.cursor(), index);
            if groups.len() == index {
                groups.push(ErrorGroup {
                    newest: *failure,
                    count: 0,
                    first_seen: time,
                    last_seen: time,
                    pages: Vec::new(),
                    tabs: Vec::new(),
                });
            }
            let Some(group) = groups.get_mut(index) else { continue };
            group.newest = *failure;
            group.count += times;
            group.first_seen = group.first_seen.min(time);
            group.last_seen = group.last_seen.max(time);
            group.pages.retain(|known| Some(*known) != failure.page_path());
            group.pages.splice(0..0, failure.page_path());
            match group.tabs.iter_mut().find(|(tab, _)| *tab == failure.tab_id()) {
                Some((_, last)) => *last = time.max(*last),
                None => group.tabs.push((failure.tab_id(), time)),
            }
        }
        Self { groups, group_of }
    }

    /// The group of a failure; `None` for a failure that is not among those grouped.
    pub fn group(&self, failure: &Failure<'_>) -> Option<&ErrorGroup<'a>> {
        self.groups.get(*self.group_of.get(&failure.cursor())?)
    }
}

/// How many errors and failed requests were stored after `cursor`.
pub fn count_since(session: &Session, cursor: u64) -> (usize, usize) {
    let filter = Filter { since: Since::Cursor(cursor), without_noise: true, ..Filter::default() };
    let requests = |failure: &Failure<'_>| match failure {
        Failure::Request(_) => true,
        Failure::Log(stored, _) => stored.entry.kind == LogKind::Network,
    };
    let found = failures(session, &filter);
    let failed = found.iter().filter(|failure| requests(failure)).count();
    (found.len() - failed, failed)
}

impl<'a> Failure<'a> {
    /// The address of the page it happened on.
    pub fn page(&self) -> Option<&'a str> {
        match self {
            Self::Log(stored, _) => stored.entry.url.as_deref(),
            Self::Request(stored) => stored.entry.page_url.as_deref(),
        }
    }

    /// The test that it happened in.
    pub fn test_id(&self) -> Option<&'a str> {
        match self {
            Self::Log(stored, _) => stored.entry.test_id(),
            Self::Request(stored) => stored.entry.test_id(),
        }
    }

    /// The page load it happened in.
    pub fn page_id(&self) -> Option<&'a str> {
        match self {
            Self::Log(stored, _) => stored.entry.page_id(),
            Self::Request(stored) => stored.entry.page_id(),
        }
    }

    /// The page's address without the parts that change from visit to visit.
    fn page_path(&self) -> Option<&'a str> {
        self.page().map(without_query)
    }
}

impl Failure<'_> {
    /// Its position in the order of arrival.
    pub fn cursor(&self) -> u64 {
        match self {
            Self::Log(stored, _) => stored.cursor,
            Self::Request(stored) => stored.cursor,
        }
    }

    /// When it happened.
    pub fn time(&self) -> Timestamp {
        match self {
            Self::Log(stored, _) => stored.entry.at(),
            Self::Request(stored) => stored.entry.at(),
        }
    }

    /// The failure in one line.
    pub fn message(&self) -> Cow<'_, str> {
        match self {
            Self::Log(stored, _) => Cow::Borrowed(stored.entry.message.as_str()),
            Self::Request(stored) => Cow::Owned(request_message(&stored.entry)),
        }
    }

    /// The browser tab that it happened in.
    pub fn tab_id(&self) -> Option<i64> {
        match self {
            Self::Log(stored, _) => stored.entry.tab_id(),
            Self::Request(stored) => stored.entry.tab_id(),
        }
    }

    /// Where in the code it happened: file and line.
    pub fn location(&self) -> Option<(String, Option<u32>)> {
        match self {
            Self::Log(stored, _) => error_location(&stored.entry),
            Self::Request(_) => None,
        }
    }

    /// Method, address and status of the failed request, if the failure is a request.
    pub(crate) fn request(&self) -> Option<(&str, &str, u16)> {
        let request = match self {
            Self::Log(stored, _) => RequestKey::of_log(&stored.entry)?,
            Self::Request(stored) => RequestKey::of_body(&stored.entry),
        };
        Some((request.method, request.url, request.status))
    }

    /// How often it happened: pages count repeated errors instead of sending them again.
    pub(crate) fn times(&self) -> u64 {
        match self {
            Self::Log(stored, _) => u64::from(stored.entry.count.unwrap_or(1).max(1)),
            Self::Request(_) => 1,
        }
    }

    /// Equal for failures that a developer would call the same error.
    pub fn fingerprint(&self) -> String {
        let request = match self {
            Self::Log(stored, _) => RequestKey::of_log(&stored.entry),
            Self::Request(stored) => Some(RequestKey::of_body(&stored.entry)),
        };
        if let Some(request) = request.filter(RequestKey::failed) {
            return format!(
                "network|{}|{}|{}",
                request.method,
                normalize_message(without_query(request.url)),
                request.status
            );
        }
        let Self::Log(stored, _) = self else { return String::new() };
        let entry = &stored.entry;
        let message = normalize_message(entry.message.as_str());
        let mapped = entry.ai_context.as_ref().and_then(|context| context.mapped_stack.as_deref());
        let frame = mapped.and_then(top_mapped_frame);
        let frame = frame.or_else(|| entry.stack.as_deref().and_then(top_frame)).unwrap_or_default();
        format!("{}|{message}|{frame}", entry.kind.name())
    }
}

/// Where in the code an error happened: file and line, in the developer's own files if a source map is known, else as
/// the browser reported them.
pub fn error_location(entry: &Log) -> Option<(String, Option<u32>)> {
    if let Some((file, line, _)) = explain::location(entry) {
        return Some((file, Some(line)));
    }
    entry.filename.as_ref().filter(|file| !file.is_empty()).map(|file| (file.clone(), entry.lineno))
}

pub(crate) fn request_message(entry: &Request) -> String {
    let method = entry.method.as_str();
    let url = entry.url.as_str();
    let outcome = match (entry.status.unwrap_or(0), &entry.error) {
        (0, Some(error)) => format!("failed: {}", shorten(error, CAUSE_CHARS)),
        (0, None) => "no response".to_owned(),
        (status, _) => status.to_string(),
    };
    format!("{method} {url} → {outcome}")
}

impl ErrorGroup<'_> {
    /// How it relates to the last code change of its page: `new`, `still there` or `gone`. `None` when there was no
    /// change, or when the entries before it were evicted. A tab with older code says nothing about the change.
    pub fn since_update<'s>(&self, session: &'s Session) -> Option<(SinceUpdate, &'s CodeChange)> {
        let page = self.newest.page();
        let changed =
            self.tabs.iter().filter_map(|(tab, last)| Some((session.code_changes.latest(*tab, page)?, *last)));
        let (change, last_seen) = changed.max_by_key(|(change, _)| change.at)?;
        if session.store.logs_cleared().is_some_and(|(cleared, _)| cleared >= change.at) {
            return None;
        }
        let label = if self.first_seen >= change.at {
            SinceUpdate::New
        } else if last_seen >= change.at {
            SinceUpdate::StillThere
        } else {
            SinceUpdate::Gone
        };
        Some((label, change))
    }
}

/// The fields that identify a request.
struct RequestKey<'a> {
    method: &'a str,
    url: &'a str,
    status: u16,
    at: Timestamp,
    id: Option<&'a str>,
}

impl<'a> RequestKey<'a> {
    /// Only entries of kind `network` describe a request; older senders put it only into the message.
    fn of_log(entry: &'a Log) -> Option<Self> {
        if entry.kind != LogKind::Network {
            return None;
        }
        let (method, rest) = entry.message.split_once(' ').unwrap_or_default();
        let (url, outcome) = rest.split_once(" → ").unwrap_or((rest, ""));
        Some(Self {
            method: entry.method.as_deref().unwrap_or(method),
            url: entry.request_url.as_deref().unwrap_or(url),
            status: entry.status.or_else(|| outcome.parse().ok()).unwrap_or(0),
            at: entry.at,
            id: entry.request_id.as_deref(),
        })
    }

    fn of_body(entry: &'a Request) -> Self {
        Self {
            method: &entry.method,
            url: &entry.url,
            // A sender that does not know the status omits it; only an explicit 0 is a failure.
            status: entry.status.unwrap_or(200),
            at: entry.at,
            id: entry.request_id.as_deref(),
        }
    }

    fn failed(&self) -> bool {
        self.status == 0 || self.status >= 400
    }

    fn is_same(&self, other: &Self) -> bool {
        if let (Some(own), Some(others)) = (self.id, other.id) {
            return own == others;
        }
        let is_near = (self.at.millis() - other.at.millis()).abs() <= SAME_REQUEST_MILLIS;
        is_near
            && self.method.eq_ignore_ascii_case(other.method)
            && self.status == other.status
            && same_address(self.url, other.url)
    }
}

/// Whether two addresses are the same. One may lack its origin, but they cannot have different ones.
fn same_address(one: &str, other: &str) -> bool {
    let (one, other) = (Url::new(one), Url::new(other));
    let is_same =
        one.path_or_root() == other.path_or_root() && one.query == other.query && one.fragment == other.fragment;
    is_same && (one.origin() == other.origin() || one.origin().is_none() || other.origin().is_none())
}
