//! Finds the significant events among new entries.

use std::collections::HashMap;

use wire::{Timestamp, limits};

use super::frustration::Frustration;
use super::{Category, Context, Event, Severity};
use crate::analysis::security;
use crate::contracts::{Endpoint, endpoint_name};
use crate::entry::{ActionKind, Entry as _, Log, LogKind, PageLoad, Request};
use crate::failures::{Failure, failures};
use crate::fingerprint::normalize_message;
use crate::session::Session;
use crate::store::{Filter, Since};
use crate::store::{PageLoads, Stored};
use crate::text::shorten;
use crate::url::path_of;

/// Remembers successes, because a 4xx status is significant only after a success of the same endpoint.
#[derive(Debug, Default)]
pub struct Watcher {
    looked_to: u64,
    /// The latest success of each endpoint.
    successes: HashMap<String, u16>,
    frustration: Frustration,
}

impl Watcher {
    /// A watcher that starts now: entries that are already stored are not reported.
    pub fn new(session: &Session) -> Self {
        let mut watcher = Self { looked_to: session.store.cursor(), ..Self::default() };
        for stored in session.store.network.iter() {
            watcher.note_success(&stored.entry);
        }
        watcher
    }

    /// The significant events among the entries that arrived since the last call.
    pub fn look(&mut self, session: &Session, now: Timestamp) -> Vec<Event> {
        let since = self.looked_to;
        self.looked_to = session.store.cursor();
        let mut found = Vec::new();
        if self.looked_to != since {
            self.look_at_failures(session, since, &mut found);
            let actions = session.store.actions.iter().rev().take_while(|stored| stored.cursor > since);
            let mut has_forms = false;
            for stored in actions.collect::<Vec<_>>().into_iter().rev() {
                let at = stored.entry.at();
                has_forms |= stored.entry.kind == ActionKind::Submit;
                let event = self.frustration.note(&stored.entry, at, stored.arrived);
                found.extend(event.map(|event| (stored.cursor, event)));
            }
            // The response to a form may arrive in the same batch as the form, or in an earlier one.
            let answers_since = if has_forms { 0 } else { since };
            for stored in session.store.network.iter().rev().take_while(|stored| stored.cursor > answers_since) {
                let began = stored.entry.at().millis();
                let took = stored.entry.duration.map_or(0, |duration| duration as i64);
                self.frustration.answered(stored.entry.tab_id, began + took);
                if stored.cursor > since {
                    found.extend(exposed(stored).map(|event| (stored.cursor, event)));
                }
            }
            for load in session.store.performance.iter().filter(|load| load.cursor > answers_since) {
                self.frustration.answered(load.latest.tab_id, began(&load.latest));
                if load.cursor > since {
                    found.extend(slow(load).into_iter().map(|event| (load.cursor, event)));
                }
            }
        }
        found.sort_by_key(|(cursor, _)| *cursor);
        let mut events: Vec<Event> = found.into_iter().map(|(_, event)| event).collect();
        events.extend(self.frustration.unanswered(now));
        events
    }

    /// Goes through failures and successes in order of arrival: a 4xx status counts only after a success.
    fn look_at_failures(&mut self, session: &Session, since: u64, found: &mut Vec<(u64, Event)>) {
        let filter = Filter { since: Since::Cursor(since), without_noise: true, ..Filter::default() };
        let mut successes = session.store.network.iter().filter(|stored| stored.cursor > since).peekable();
        for failure in failures(session, &filter) {
            while let Some(stored) = successes.next_if(|stored| stored.cursor < failure.cursor()) {
                self.note_success(&stored.entry);
            }
            let event = match failure.request() {
                Some((method, url, status)) => self.refused(&failure, method, url, status),
                None => match failure {
                    Failure::Log(stored, _) => Some(error(&failure, stored)),
                    Failure::Request(_) => None,
                },
            };
            found.extend(event.map(|event| (failure.cursor(), event)));
        }
        for stored in successes {
            self.note_success(&stored.entry);
        }
    }

    fn refused(&mut self, failure: &Failure<'_>, method: &str, url: &str, status: u16) -> Option<Event> {
        let body = match failure {
            Failure::Log(_, body) => *body,
            Failure::Request(stored) => Some(*stored),
        };
        let endpoint = match body {
            Some(stored) => endpoint_name(&stored.entry),
            None => Endpoint::of_address(method, url).name,
        };
        let previous = self.successes.get(&endpoint).copied();
        let path = path_of(url);
        let (severity, message) = match (status, previous) {
            (500.., _) => (Severity::Error, format!("Server error: {method} {path} → {status}")),
            (400..500, Some(before)) => {
                (Severity::Warning, format!("Auth/access issue: {method} {path} → {status} (was {before})"))
            }
            _ => return None,
        };
        let preview = body
            .and_then(|stored| stored.entry.response_body.as_deref())
            .map(|text| shorten(text, limits::STREAM_PREVIEW_CHARS));
        let context = Context::Request {
            method: method.to_owned(),
            url: url.to_owned(),
            status,
            response_preview: preview,
            previous_status: previous,
        };
        Some(
            Event::new(Category::NetworkErrors, severity, message, failure.time(), context)
                .at([Some(url), failure.page()]),
        )
    }

    fn note_success(&mut self, request: &Request) {
        let Some(status) = request.status.filter(|status| (200..300).contains(status)) else { return };
        let endpoint = endpoint_name(request);
        if self.successes.len() >= limits::STREAM_KNOWN {
            self.successes.clear();
        }
        self.successes.insert(endpoint, status);
    }
}

/// The stored errors, by their [`Event::once`] key, with the addresses involved.
pub(super) fn known_errors(session: &Session) -> Vec<(String, Vec<String>)> {
    let failures = failures(session, &Filter::default());
    let known = failures.iter().filter(|failure| failure.request().is_none());
    known
        .map(|failure| (normalize_message(&failure.message()), failure.page().map(str::to_owned).into_iter().collect()))
        .collect()
}

fn error(failure: &Failure<'_>, stored: &Stored<Log>) -> Event {
    let entry = &stored.entry;
    let is_rejection = entry.kind == LogKind::Rejection;
    let message = failure.message();
    let lead = if is_rejection { "Unhandled rejection" } else { "New error" };
    let at = failure.location().map(|(file, line)| match line {
        Some(line) => format!("{file}:{line}"),
        None => file,
    });
    let page = failure.page();
    let context = Context::Error { url: page.map(str::to_owned), source: at, kind: entry.kind.clone() };
    let event =
        Event::new(Category::Errors, Severity::Error, format!("{lead}: {message}"), failure.time(), context).at([page]);
    Event { once: (!is_rejection).then(|| normalize_message(&message)), ..event }
}

/// A credential in a place where it is exposed. The redacted entry no longer holds it, only what kind it was.
fn exposed(stored: &Stored<Request>) -> Option<Event> {
    let kind = security::exposed_in_request(stored)?;
    let request = &stored.entry;
    let url = request.url.as_str();
    let method = request.method.as_str();
    let message = format!("Possible credential exposure in {method} {}", path_of(url));
    let context = Context::Credential { method: method.to_owned(), url: url.to_owned(), kind };
    Some(
        Event::new(Category::Security, Severity::Critical, message, request.at, context)
            .at([Some(url), request.page_url.as_deref()]),
    )
}

/// When the navigation began. A load is reported a while after it ends.
fn began(page: &PageLoad) -> i64 {
    let took = page.timing.as_ref().and_then(|timing| timing.load).unwrap_or(0.0) as i64;
    page.at.millis() - limits::PERFORMANCE_AFTER_LOAD_MILLIS as i64 - took
}

fn slow(load: &PageLoads) -> Vec<Event> {
    let page = &load.latest;
    let url = page.url.as_str();
    let at = page.at;
    let addresses = [Some(page.url.as_str()), page.page_url.as_deref()];
    let mut events = Vec::new();
    let time = page.timing.as_ref().and_then(|timing| timing.load);
    let before = load.compared_with.as_ref().and_then(|baseline| baseline.timing.as_ref()?.load);
    if let (Some(time), Some(before)) = (time, before)
        && before > 0.0
        && time > before * 2.0
    {
        let message = format!(
            "Performance regression: {url} loaded in {} (baseline: {})",
            crate::metric::millis(time),
            crate::metric::millis(before)
        );
        let context = Context::SlowLoad { url: url.to_owned(), load: time, baseline: before };
        events.push(Event::new(Category::Performance, Severity::Warning, message, at, context).at(addresses));
    }
    let longest = page.long_tasks.as_ref().and_then(|tasks| tasks.longest);
    if let Some(longest) = longest.filter(|longest| *longest > limits::STREAM_LONG_TASK_MILLIS as f64) {
        let message = format!("Main thread blocked for {longest:.0}ms");
        let context = Context::LongTask { url: url.to_owned(), duration: longest };
        events.push(Event::new(Category::Performance, Severity::Warning, message, at, context).at(addresses));
    }
    events
}
