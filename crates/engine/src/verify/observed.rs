//! What the browser shows at a moment, as far as another moment can be held against it.

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

/// What is shown of addresses.
const ADDRESS_CHARS: usize = 120;
/// What is kept of a request's address.
const KEPT_ADDRESS_CHARS: usize = 300;
/// Where memory is short, each keeps so many places before any has to go.
const FEW_PLACES: usize = 2;
/// The same of different ways to an error.
const FEW_TRIGGERS: usize = 2;
/// A step belongs to a request that failed so long after it.
const STEP_MILLIS: i64 = 2_000;
/// What an entry takes besides its texts.
const OVERHEAD_BYTES: usize = 64;

/// How much is taken in.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'s> {
    /// A part of the page's or the request's address.
    pub url: Option<&'s str>,
    /// Only what was stored after this cursor.
    pub after: u64,
    /// When that was.
    pub since: Option<Timestamp>,
    pub errors: usize,
    pub endpoints: usize,
    /// Lines of the console that are no errors: one of them may tell of an error that was caught.
    pub lines: usize,
    /// How often what led to an error was done is counted.
    pub tries: bool,
    /// Requests that went well are of no interest.
    pub only_failing: bool,
    /// Places that are remembered of each.
    pub places: usize,
    pub bytes: usize,
}

impl Scope<'_> {
    /// All there is: for what is compared at once and not kept.
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
    /// For what is kept.
    pub const KEPT: Self = Self { places: places::KEPT, tries: true, lines: 50, ..Self::ALL };
}

#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    pub at: Timestamp,
    /// The page that something happened on last.
    pub page: Option<String>,
    /// Errors that are no failed requests, the latest first.
    pub errors: Vec<Issue>,
    /// Requests by endpoint, the latest called first.
    pub endpoints: Vec<Calls>,
    /// All requests.
    pub requests: u64,
    pub warnings: u64,
    pub sockets: Vec<Socket>,
    /// The latest first.
    pub loads: Vec<Load>,
    /// Failures that fell under a noise rule.
    pub noise: usize,
    noise_places: Places,
    /// Hashes of the errors and calls among them.
    hidden: HashSet<u64>,
    /// What the page said that is no error.
    pub(super) said: Said,
    /// Errors that a filter kept out of this.
    pub(super) elsewhere: Elsewhere,
    /// Errors and endpoints for which there was no room.
    pub left_out: usize,
    /// Console entries of this window are gone, so that an error is not in it shows nothing.
    pub(super) lost_errors: bool,
    /// Requests of this window are gone.
    pub(super) lost_requests: bool,
    /// Page loads that ran by then, and those that ran when the window began.
    pub(super) page_loads: HashSet<String>,
    pub(super) earlier_loads: HashSet<String>,
    /// What pages and users did meanwhile. A baseline has none: nothing is repeated before it.
    pub(super) exercise: Exercise,
}

impl Observed {
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
        // The newest first: what is shown of a group is its latest.
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
            // Failures are told above, and what the page gave up itself tells nothing.
            let is_told = matches!(body.status, Some(0 | 400..)) || body.is_aborted();
            // What was sent before the window says nothing of the code that runs in it.
            let is_late = late.is(body.at, body.page_id());
            if !is_told && !is_late {
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
            // Wherever it was said: an error may be caught on another page than the filter means.
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

    /// The oldest have to go.
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

    /// About what it takes in memory.
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

    /// Something may have led to these errors that was not captured.
    pub(super) fn doubt_triggers(&mut self) {
        let errors = self.errors.iter_mut().flat_map(|error| &mut error.triggers);
        errors.for_each(|trigger| trigger.is_cut = true);
    }

    /// The error of `errors` that this one is. Senders may leave out the page's address.
    pub(super) fn find_error(&self, was: &Issue) -> Option<&Issue> {
        let exactly = self.errors.iter().find(|now| now.key == was.key);
        exactly.or_else(|| self.errors.iter().find(|now| now.is_same(was)))
    }

    pub(super) fn find_calls(&self, key: &str) -> Option<&Calls> {
        self.endpoints.iter().find(|call| call.key == key)
    }

    /// The same without what was proven fixed, and did not come since then.
    pub(super) fn without_fixed(mut self, since: impl Fn(&str) -> Option<u64>) -> Self {
        let came = |key: &str, last: u64| since(key).is_none_or(|since| last > since);
        self.errors.retain(|error| came(&error.key, error.newest));
        self.endpoints.retain(|call| call.failed.is_none() || came(&call.key, call.failed_cursor));
        self
    }

    /// What it has of errors and failed requests.
    pub(super) fn failure_keys(&self) -> impl Iterator<Item = &str> {
        let errors = self.errors.iter().map(|error| error.key.as_str());
        errors.chain(self.endpoints.iter().filter(|call| call.failed.is_some()).map(|call| call.key.as_str()))
    }

    /// The same without what a rule hides on the other side, though nothing of it is shown there.
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

    /// How often something failed: errors, and requests.
    pub fn failures(&self) -> (u64, u64) {
        let errors = self.errors.iter().map(|error| error.count).sum();
        (errors, self.endpoints.iter().filter_map(|call| Some(call.failed?.1)).sum())
    }

    /// The same without what is noise by now: rules may have been added since it was taken.
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

    /// Both, narrowed to a part of an address. What happened in more places than one side kept may have happened there
    /// too: if it did on the other side, it is no difference.
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

    /// What a session's start tells of its baseline.
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

    /// What is told of a named snapshot.
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

    /// Errors and endpoints.
    pub(super) fn len(&self) -> usize {
        self.errors.len() + self.endpoints.len()
    }
}

fn some(count: usize) -> Option<usize> {
    (count > 0).then_some(count)
}

/// Errors and calls while they are counted.
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
        // What failed must not be left out for what did not.
        calls.sort_by_key(|call| (call.kept.failed.is_none(), std::cmp::Reverse(call.newest)));
        calls.into_iter().map(Call::done).collect()
    }
}

/// When a failure was there: of a request, when it ended.
fn ended_at(failure: &Failure<'_>) -> Timestamp {
    match failure {
        Failure::Log(..) => failure.time(),
        Failure::Request(stored) => ended(stored),
    }
}

/// What an error or a call under a noise rule is known by.
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

/// The address of the page that was in use last, within a filter: the one that a user did something on after this cursor.
/// Other applications may poll beside it. Without such a page it is the one that anything happened on.
pub(super) fn current_page(session: &Session, url: Option<&str>, after: u64) -> Option<String> {
    let filter = Filter { url: url.map(str::to_owned), ..Filter::default() };
    let actions = session.store.actions.iter().rev().take_while(|stored| stored.cursor > after);
    let used = actions.filter(|stored| filter.admits(stored)).find_map(|stored| stored.entry.url.as_deref());
    let opened = session.store.dom_snapshots.iter().rev().take_while(|stored| stored.cursor > after);
    let opened = opened.filter(|stored| filter.admits(stored)).map(|stored| stored.entry.url.as_str()).next();
    let page = used.or(opened).map(|page| shorten(without_query(page), ADDRESS_CHARS));
    page.or_else(|| latest_page(session, &filter))
}

/// The address of the page that something happened on last.
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
