//! Summarizes a time span of the browser, so that another one can be compared with it.

use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};

use wire::{Level, Timestamp};

use super::answer::{Baseline, LoadSummary, SnapshotSummary};
use super::calls::{Call, Calls, Told};
use super::coverage::{page_loads, page_loads_by};
use super::exercise::Exercise;
use super::issue::Issue;
use super::late::Late;
use super::loads::{self, Load};
use super::otherwise::{Elsewhere, Said};
use super::page::{origin, request_origin};
use super::places::{self, Places};
use super::same::{body_of, endpoint, endpoint_of, hash, same_message, same_request};
use super::sockets::{self, Socket};
use super::tries::{Tries, runs_since};
use super::trigger::{Trigger, ended};
use crate::contracts::Endpoint;
use crate::entry::{Entry, LogKind};
use crate::failures::{Failure, failures};
use crate::noise::{Facts, NoiseRules};
use crate::session::Session;
use crate::store::{Filter, Since};
use crate::text::shorten;
use crate::url::{path_of, without_query};

/// Length of addresses in answers.
const ADDRESS_CHARS: usize = 120;
/// Length of a request's address that is kept.
const KEPT_ADDRESS_CHARS: usize = 300;
/// Where memory is short, each item keeps this many places before any item is dropped.
const FEW_PLACES: usize = 2;
/// The same for different triggers of an error.
const FEW_TRIGGERS: usize = 2;
/// A failed request belongs to a step this long before it.
const STEP_MILLIS: i64 = 2_000;
/// Memory of an entry besides its texts.
const OVERHEAD_BYTES: usize = 64;

/// How much a summary covers.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'s> {
    /// A part of the page's or the request's address.
    pub url: Option<&'s str>,
    /// Only entries stored after this cursor.
    pub after: u64,
    /// The time of that cursor.
    pub since: Option<Timestamp>,
    /// Most errors to keep.
    pub errors: usize,
    /// Most endpoints to keep.
    pub endpoints: usize,
    /// Console lines below errors to keep: one of them may report an error that was caught.
    pub lines: usize,
    /// Whether to count how often the trigger of an error occurred.
    pub tries: bool,
    /// Whether to leave out endpoints without failures.
    pub only_failing: bool,
    /// Places to keep for each item.
    pub places: usize,
    /// Memory limit of the summary.
    pub bytes: usize,
}

impl Scope<'_> {
    /// Everything, for a comparison that is made at once.
    pub const ALL: Self = Self {
        url: None,
        after: 0,
        since: None,
        errors: usize::MAX,
        endpoints: usize::MAX,
        lines: 1_000,
        tries: false,
        only_failing: false,
        places: usize::MAX,
        bytes: usize::MAX,
    };
    /// For a summary that is kept.
    pub const KEPT: Self = Self { places: places::KEPT, tries: true, lines: 50, ..Self::ALL };
}

/// A summary of a time span.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// When it was made.
    pub at: Timestamp,
    /// The page of the latest event.
    pub page: Option<String>,
    /// Errors that are not failed requests, the latest first.
    pub errors: Vec<Issue>,
    /// Requests by endpoint, the latest called first.
    pub endpoints: Vec<Calls>,
    /// The number of requests.
    pub requests: u64,
    /// The number of warnings in the console.
    pub warnings: u64,
    /// The sockets.
    pub sockets: Vec<Socket>,
    /// Page loads, the latest first.
    pub loads: Vec<Load>,
    /// Failures that match a noise rule.
    pub noise: usize,
    noise_places: Places,
    /// Hashes of those errors and calls.
    hidden: HashSet<u64>,
    /// Console lines that are not errors.
    pub(super) said: Said,
    /// Errors that the filter left out.
    pub(super) elsewhere: Elsewhere,
    /// Errors and endpoints that did not fit.
    pub left_out: usize,
    /// Whether console entries of this time span were evicted, so that the absence of an error proves nothing.
    pub(super) lost_errors: bool,
    /// Whether requests of this time span were evicted.
    pub(super) lost_requests: bool,
    /// Page loads that ran until then, and those that ran when the time span began.
    pub(super) page_loads: HashSet<String>,
    pub(super) earlier_loads: HashSet<String>,
    /// What pages and users did meanwhile. A baseline has none, because nothing is repeated before it.
    pub(super) exercise: Exercise,
}

impl Observed {
    /// Summarizes what the scope covers.
    pub fn take(session: &Session, scope: Scope<'_>, now: Timestamp) -> Self {
        let url = scope.url.filter(|url| !url.is_empty());
        let since = if scope.after > 0 { Since::Cursor(scope.after) } else { Since::Ever };
        let filter = Filter { url: url.map(str::to_owned), since, ..Filter::default() };
        let filter_without_address = Filter { url: None, ..filter.clone() };
        let late = Late::from_session(session, scope.since);
        let is_in_window = |failure: &Failure<'_>| !late.is_certainly(ended_at(failure), failure.page_id());
        let found: Vec<Failure<'_>> = failures(session, &filter).into_iter().filter(is_in_window).collect();
        let (noise, found): (Vec<_>, Vec<_>) =
            found.iter().partition(|failure: &&Failure<'_>| session.noise.rule_for(*failure).is_some());
        let mut noise_places = Places::default();
        let hidden = noise.iter().map(hidden_key).collect();
        for failure in noise.iter().rev() {
            if let Some(tally) = noise_places.at(failure.request().map(|(_, url, _)| url), failure.page()) {
                tally.fail(None, 1);
            }
        }
        let mut book = Book::default();
        // Newest first, so that a group shows its latest occurrence.
        for failure in found.iter().rev() {
            book.add_failure(session, failure);
        }
        let answered = session
            .store
            .network
            .iter()
            .rev()
            .filter(|stored| filter.admits(stored) && session.noise.rule_for(&stored.entry).is_none());
        for stored in answered {
            let body = &stored.entry;
            // Failures are handled above, and a request that the page cancelled means nothing.
            let is_reported = matches!(body.status, Some(0 | 400..)) || body.is_aborted();
            // A request from before the time span says nothing about the code that runs in it.
            let is_late = late.is(body.at, body.page_id());
            if !is_reported && !is_late {
                let (endpoint, url) = endpoint(body);
                let page = body.page_url.as_deref();
                let told =
                    Told { url: &url, page, at: ended(stored), since: None, body: Some(body), duration: body.duration };
                book.call(endpoint, (&url, page), stored.cursor).answer(&told, body.status);
            }
        }
        let lines = session.store.logs.iter().filter(|stored| {
            stored.entry.level < Level::Error
                && stored.entry.kind != LogKind::Network
                && filter_without_address.admits(stored)
                && session.noise.rule_for(&stored.entry).is_none()
                && !late.is(stored.entry.at, stored.entry.page_id())
        });
        let mut said = Said::default();
        let mut warnings = 0;
        for stored in lines {
            let entry = &stored.entry;
            if entry.level == Level::Warn && filter.admits(stored) {
                warnings += u64::from(entry.count.unwrap_or(1).max(1));
            }
            // Lines of every page: an error may be caught on another page than the filter selects.
            said.add(entry, scope.lines);
        }
        let elsewhere = url.map(|_| {
            let all = failures(session, &filter_without_address);
            Elsewhere::from_failures(all.iter().filter(|failure| is_in_window(failure)), &found)
        });
        let begins = scope.after.max(session.store.cleared_to());
        let mut observed = Self {
            at: now,
            lost_errors: session.store.logs.overflowed_after(begins) || session.store.logs.cleared_after(begins),
            lost_requests: session.store.network.overflowed_after(begins)
                || session.store.network.cleared_after(begins),
            page: latest_page(session, &filter),
            requests: book.calls.values().map(|call| call.calls).sum(),
            errors: book.errors(),
            endpoints: book.endpoints(scope.only_failing),
            warnings,
            sockets: sockets::taken(session, url, now),
            loads: loads::taken(session, url, scope.after),
            noise: noise.len(),
            noise_places,
            hidden,
            said,
            elsewhere: elsewhere.unwrap_or_default(),
            left_out: 0,
            page_loads: page_loads(session, 0),
            earlier_loads: if scope.after > 0 { page_loads_by(session, scope.after) } else { HashSet::new() },
            exercise: match scope.only_failing {
                true => Exercise::default(),
                false => Exercise::taken(session, scope.after, scope.since, now),
            },
        };
        observed.exercise.lost_requests = observed.lost_requests;
        if scope.tries && !observed.errors.is_empty() {
            let tries = Tries::from_session(session);
            for error in &mut observed.errors {
                error.leave_out_chance_steps(&tries);
                error.count_tries(&tries);
            }
        }
        observed.errors.iter_mut().for_each(Issue::keep_latest_triggers);
        observed.bound(scope);
        observed
    }

    /// Drops the oldest items beyond the limits.
    fn bound(&mut self, scope: Scope<'_>) {
        self.left_out += self.errors.len().saturating_sub(scope.errors);
        self.errors.truncate(scope.errors);
        self.left_out += self.endpoints.len().saturating_sub(scope.endpoints);
        self.endpoints.truncate(scope.endpoints);
        self.keep_places(scope.places);
        if self.bytes() > scope.bytes {
            self.keep_places(FEW_PLACES);
            for error in &mut self.errors {
                error.keep_triggers(FEW_TRIGGERS);
            }
        }
        while self.bytes() > scope.bytes {
            let went = if self.errors.len() > self.endpoints.len() {
                self.errors.pop().is_some()
            } else {
                self.endpoints.pop().is_some()
            };
            if !went {
                break;
            }
            self.left_out += 1;
        }
    }

    fn keep_places(&mut self, most: usize) {
        self.errors.iter_mut().for_each(|error| error.places.keep(most));
        self.endpoints.iter_mut().for_each(|call| call.places.keep(most));
        self.noise_places.keep(most);
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        let errors = self.errors.iter().map(Issue::bytes);
        let endpoints = self.endpoints.iter().map(Calls::bytes);
        errors.chain(endpoints).map(|bytes| bytes + OVERHEAD_BYTES).sum::<usize>()
            + self.noise_places.bytes()
            + self.hidden.len() * size_of::<u64>()
            + self.said.bytes()
            + self.elsewhere.bytes()
            + self.exercise.bytes()
    }

    /// Marks the triggers of these errors as incomplete: causes may be missing.
    pub(super) fn doubt_triggers(&mut self) {
        let errors = self.errors.iter_mut().flat_map(|error| &mut error.triggers);
        errors.for_each(|trigger| trigger.is_cut = true);
    }

    /// The counterpart of this error in `errors`. Senders may omit the page's address.
    pub(super) fn find_error(&self, was: &Issue) -> Option<&Issue> {
        let exactly = self.errors.iter().find(|now| now.key == was.key);
        exactly.or_else(|| self.errors.iter().find(|now| now.is_same(was)))
    }

    pub(super) fn find_calls(&self, key: &str) -> Option<&Calls> {
        self.endpoints.iter().find(|call| call.key == key)
    }

    /// The summary without failures that were proven fixed and did not happen since.
    pub(super) fn without_fixed(mut self, since: impl Fn(&str) -> Option<u64>) -> Self {
        let came = |key: &str, last: u64| since(key).is_none_or(|since| last > since);
        self.errors.retain(|error| came(&error.key, error.newest));
        self.endpoints.retain(|call| call.failed.is_none() || came(&call.key, call.failed_cursor));
        self
    }

    /// Keys of its errors and failed requests.
    pub(super) fn failure_keys(&self) -> impl Iterator<Item = &str> {
        let errors = self.errors.iter().map(|error| error.key.as_str());
        errors.chain(self.endpoints.iter().filter(|call| call.failed.is_some()).map(|call| call.key.as_str()))
    }

    /// The summary without failures that a noise rule hides on the other side, even if none is left there.
    pub(super) fn without_hidden(mut self, other: &Self) -> Self {
        if other.hidden.is_empty() {
            return self;
        }
        let mut went = 0;
        self.errors.retain(|error| {
            let is_kept = !other.hidden.contains(&hash(&error.words)) || other.find_error(error).is_some();
            went += if is_kept { 0 } else { error.count };
            is_kept
        });
        self.endpoints.retain(|call| {
            let is_kept = !other.hidden.contains(&hash(&call.key)) || other.find_calls(&call.key).is_some();
            went += if is_kept { 0 } else { call.failed.map_or(0, |(_, count)| count) };
            is_kept
        });
        self.noise += usize::try_from(went).unwrap_or(usize::MAX);
        self
    }

    /// How often errors happened, and how often requests failed.
    pub fn failures(&self) -> (u64, u64) {
        let errors = self.errors.iter().map(|error| error.count).sum();
        (errors, self.endpoints.iter().filter_map(|call| Some(call.failed?.1)).sum())
    }

    /// The summary without what is noise now: rules may have been added since it was made.
    pub(super) fn without_noise(mut self, rules: &NoiseRules) -> Self {
        let is_noise = |message: &str, address: &str| {
            rules.rule_for(Facts { message, address, is_error: true, ..Facts::default() }).is_some()
        };
        let (late_errors, errors) =
            self.errors.into_iter().partition::<Vec<_>, _>(|error| is_noise(&error.message, ""));
        let (late_calls, endpoints) =
            self.endpoints.into_iter().partition::<Vec<_>, _>(|call| is_noise("", &call.address));
        (self.errors, self.endpoints) = (errors, endpoints);
        let late = late_errors.iter().map(|error| (error.count, &error.places));
        let late = late.chain(late_calls.iter().filter_map(|call| Some((call.failed?.1, &call.places))));
        for (count, places) in late {
            self.noise += usize::try_from(count).unwrap_or(usize::MAX);
            self.noise_places.add(places);
        }
        self
    }

    /// Both summaries, narrowed to a part of an address. If one side dropped some of an item's places, the item may
    /// have happened there, too: where it did on the other side, it is not a difference.
    pub(super) fn narrowed(one: Self, other: Self, url: Option<&str>) -> (Self, Self) {
        let Some(part) = url.filter(|url| !url.is_empty()) else { return (one, other) };
        let (in_one, in_other) = (one.happened_at(part), other.happened_at(part));
        (one.narrowed_to(part, &in_other), other.narrowed_to(part, &in_one))
    }

    fn happened_at(&self, part: &str) -> HashSet<String> {
        let errors = self.errors.iter().map(|error| (&error.key, &error.places));
        let all = errors.chain(self.endpoints.iter().map(|call| (&call.key, &call.places)));
        all.filter(|(_, places)| places.with(part).is_some()).map(|(key, _)| key.clone()).collect()
    }

    fn narrowed_to(mut self, part: &str, elsewhere: &HashSet<String>) -> Self {
        let kept_out = &mut self.elsewhere;
        self.errors.retain_mut(|error| match error.places.with(part) {
            Some(tally) => {
                error.count = tally.failures;
                true
            }
            None => {
                let is_kept = error.places.is_cut() && elsewhere.contains(&error.key);
                if !is_kept {
                    kept_out.add(&error.origin, &error.words, error.page());
                }
                is_kept
            }
        });
        self.endpoints.retain_mut(|call| match call.places.with(part) {
            Some(tally) => {
                call.failed = tally.status.map(|status| (status, tally.failures));
                call.answered = tally.answered;
                true
            }
            None => call.places.is_cut() && elsewhere.contains(&call.key),
        });
        self.noise =
            self.noise_places.with(part).map_or(0, |tally| usize::try_from(tally.failures).unwrap_or(usize::MAX));
        self.sockets.retain(|socket| socket.url.contains(part));
        let path = if part.contains("://") { path_of(part) } else { part };
        self.loads.retain(|load| load.page.contains(path));
        self
    }

    /// The baseline as the start of a session reports it.
    pub fn baseline(&self) -> Baseline {
        let (console_errors, network_errors) = self.failures();
        let failed = self.endpoints.iter().filter(|call| call.failed.is_some());
        Baseline {
            captured_at: self.at,
            console_errors,
            network_errors,
            error_details: self.errors.iter().map(Issue::brief).chain(failed.map(Calls::brief_failure)).collect(),
            page_url: self.page.clone(),
            performance: self.performance(),
            noise_left_out: some(self.noise),
            left_out: some(self.left_out),
        }
    }

    /// The summary of a named snapshot.
    pub fn summary(&self) -> SnapshotSummary {
        let (console_errors, network_errors) = self.failures();
        SnapshotSummary {
            captured_at: self.at,
            console_errors,
            console_warnings: self.warnings,
            network_requests: self.requests,
            network_errors,
            websocket_connections: self.sockets.iter().map(|socket| socket.live).sum(),
            performance: self.performance(),
            unique_endpoints: self.endpoints.len(),
            page_url: self.page.clone(),
            noise_left_out: some(self.noise),
            left_out: some(self.left_out),
            window: None,
        }
    }

    fn performance(&self) -> Option<LoadSummary> {
        Some(self.loads.first()?.summary()).filter(|summary| *summary != LoadSummary::default())
    }

    /// The number of errors and endpoints.
    pub(super) fn len(&self) -> usize {
        self.errors.len() + self.endpoints.len()
    }
}

fn some(count: usize) -> Option<usize> {
    (count > 0).then_some(count)
}

/// Errors and calls while they are being counted.
#[derive(Debug, Default)]
struct Book {
    issues: HashMap<String, (u64, Issue)>,
    calls: HashMap<String, Call>,
}

impl Book {
    fn add_failure(&mut self, session: &Session, failure: &Failure<'_>) {
        let (cursor, page) = (failure.cursor(), failure.page());
        let status = failure.request().map(|(_, _, status)| status).filter(|status| matches!(status, 0 | 400..));
        if let (Some(status), Some((endpoint, url))) = (status, endpoint_of(failure)) {
            let call = self.call(endpoint, (&url, page), cursor);
            let told = Told {
                url: &url,
                page,
                at: ended_at(failure),
                since: runs_since(session, failure.page_id(), failure.tab_id(), failure.time()),
                body: body_of(failure),
                duration: duration(failure),
            };
            call.fail(&told, status, failure.times());
            call.kept.failed_cursor = call.kept.failed_cursor.max(cursor);
            if call.kept.trigger.is_none() {
                let trigger = Trigger::from_failure(session, failure);
                let is_near = !trigger.steps.is_empty() && trigger.delay <= STEP_MILLIS;
                let nothing_else =
                    Trigger { requests: Vec::new(), followed: Vec::new(), messages: Vec::new(), ..trigger };
                call.kept.trigger = is_near.then_some(nothing_else);
            }
            return;
        }
        let message = failure.message();
        // The same message of two applications is two errors.
        let (origin, words) = (origin(page), same_message(&message));
        let issue = match self.issues.entry(format!("{origin} {words}")) {
            Slot::Occupied(known) => &mut known.into_mut().1,
            Slot::Vacant(free) => {
                let issue = Issue::new(free.key().clone(), origin, words, &message);
                &mut free.insert((cursor, issue)).1
            }
        };
        issue.newest = issue.newest.max(cursor);
        issue.came(failure.times(), Trigger::from_failure(session, failure));
        if let Some(tally) = issue.places.at(failure.request().map(|(_, url, _)| url), page) {
            tally.fail(None, failure.times());
        }
    }

    fn call(&mut self, endpoint: Endpoint, (url, page): (&str, Option<&str>), cursor: u64) -> &mut Call {
        let origin = request_origin(url, page);
        let key = format!("{origin} {}", same_request(&endpoint, url));
        let call = self.calls.entry(key).or_insert_with_key(|key| {
            let address = shorten(without_query(url), KEPT_ADDRESS_CHARS);
            let pattern = format!("{origin} {}", endpoint.name);
            Call::new(key.clone(), pattern, endpoint.method, address, endpoint.operation)
        });
        call.newest = call.newest.max(cursor);
        call
    }

    fn errors(&mut self) -> Vec<Issue> {
        let mut issues: Vec<_> = self.issues.drain().map(|(_, issue)| issue).collect();
        issues.sort_by_key(|(cursor, _)| std::cmp::Reverse(*cursor));
        issues.into_iter().map(|(_, issue)| issue).collect()
    }

    fn endpoints(&mut self, only_failing: bool) -> Vec<Calls> {
        let mut calls: Vec<_> = self.calls.drain().map(|(_, call)| call).collect();
        calls.retain(|call| !only_failing || call.kept.failed.is_some());
        // Failures must not be dropped in favour of successes.
        calls.sort_by_key(|call| (call.kept.failed.is_none(), std::cmp::Reverse(call.newest)));
        calls.into_iter().map(Call::done).collect()
    }
}

/// The time of a failure; for a request, its end.
fn ended_at(failure: &Failure<'_>) -> Timestamp {
    match failure {
        Failure::Log(..) => failure.time(),
        Failure::Request(stored) => ended(stored),
    }
}

/// Identifies an error or a call that matches a noise rule.
fn hidden_key(failure: &Failure<'_>) -> u64 {
    match endpoint_of(failure) {
        Some((endpoint, url)) if failure.request().is_some() => {
            hash(&format!("{} {}", request_origin(&url, failure.page()), same_request(&endpoint, &url)))
        }
        _ => hash(&same_message(&failure.message())),
    }
}

fn duration(failure: &Failure<'_>) -> Option<f64> {
    match failure {
        Failure::Log(stored, body) => stored.entry.duration.or(body.and_then(|body| body.entry.duration)),
        Failure::Request(stored) => stored.entry.duration,
    }
}

/// The address of the page that was last in use, within a filter: the page of the last user action after this cursor,
/// because other applications may poll meanwhile. Without a user action, the page of the latest event.
pub(super) fn current_page(session: &Session, url: Option<&str>, after: u64) -> Option<String> {
    let filter = Filter { url: url.map(str::to_owned), ..Filter::default() };
    let actions = session.store.actions.iter().rev().take_while(|stored| stored.cursor > after);
    let used = actions.filter(|stored| filter.admits(stored)).find_map(|stored| stored.entry.url.as_deref());
    let opened = session.store.dom_snapshots.iter().rev().take_while(|stored| stored.cursor > after);
    let opened = opened.filter(|stored| filter.admits(stored)).map(|stored| stored.entry.url.as_str()).next();
    let page = used.or(opened).map(|page| shorten(without_query(page), ADDRESS_CHARS));
    page.or_else(|| latest_page(session, &filter))
}

/// The address of the page of the latest event.
fn latest_page(session: &Session, filter: &Filter) -> Option<String> {
    fn newest<'s, T: Entry + 's>(
        entries: impl DoubleEndedIterator<Item = &'s crate::store::Stored<T>>,
        filter: &Filter,
        page: impl Fn(&'s T) -> Option<&'s str>,
    ) -> Option<(u64, &'s str)> {
        entries.rev().find_map(|stored| {
            let page = page(&stored.entry);
            filter.admits_as(stored, [page]).then(|| Some((stored.cursor, page?))).flatten()
        })
    }
    let pages = [
        newest(session.store.logs.iter(), filter, |entry| entry.url.as_deref()),
        newest(session.store.network.iter(), filter, |entry| entry.page_url.as_deref()),
        newest(session.store.actions.iter(), filter, |entry| entry.url.as_deref()),
        newest(session.store.dom_snapshots.iter(), filter, |entry| Some(&entry.url)),
    ];
    let (_, page) = pages.into_iter().flatten().max_by_key(|(cursor, _)| *cursor)?;
    Some(shorten(without_query(page), ADDRESS_CHARS))
}
