//! One attempt at a test: what went wrong in the browser during it.

use std::collections::HashMap;

use serde::Serialize;
use wire::test_run::{TestRecord, TestStatus};
use wire::{Level, Timestamp};

use super::judge::{self, Verdict};
use super::plain::{self, one_line};
use super::snapshot::Run;
use super::timeline::{self, Line};
use super::{Options, tokens};
use crate::entry::{Log, LogKind, Request, SocketEvent, SocketEventKind};
use crate::failures::{Failure, Grouped, failures};
use crate::moments::address;
use crate::store::{Filter, Since};
use crate::symbolicate::explain::location;
use crate::symbolicate::original_path::is_dependency;
use crate::symbolicate::stack::frames;
use crate::symbolicate::summary::{component_words, error_type};
use crate::text::shorten;

const MESSAGE_CHARS: usize = 400;
const CODE_CHARS: usize = 160;
const BODY_CHARS: usize = 400;
const FRAMES: usize = 3;
/// How many entries of each kind are listed.
const LISTED: usize = 20;
const RUNNER_ERROR_CHARS: usize = 2_000;

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The test passed.
    Pass,
    /// The test failed.
    Fail,
    /// The test runner reported no result, but something went wrong in the browser.
    Error,
    /// The test was skipped.
    Skip,
}

/// One attempt at a test, and what happened in its browser.
#[derive(Debug, Clone, Serialize)]
pub struct Attempt {
    /// The tag of its entries. Absent for what happened outside of tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_id: Option<String>,
    /// The test's title.
    pub title: String,
    /// How it ended.
    pub status: Status,
    /// The test's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The Playwright project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// 0 for the first attempt.
    pub retry: u32,
    /// Which run of a repeated test it is, from 0.
    #[serde(skip_serializing_if = "is_none")]
    pub repeat: u32,
    /// The CI worker that ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The shard that ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// How long it took, such as `1.2s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<String>,
    /// The same in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// When it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// The test runner's error message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner_error: Option<String>,
    /// Whether the test failed and passed in different attempts.
    #[serde(skip_serializing_if = "std::ops::Not::not", rename = "flaky")]
    pub is_flaky: bool,
    /// How many attempts the test had.
    #[serde(skip_serializing_if = "is_one")]
    pub attempts: usize,
    /// The likely cause of the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Verdict>,
    /// Facts that help to understand the failure, in order of importance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Errors of the browser, without noise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ReportedError>,
    /// Failed requests, without noise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub network_failures: Vec<ReportedRequest>,
    /// Lost connections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ws_errors: Vec<ReportedSocket>,
    /// Warnings and messages, if the caller asked for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<ReportedLine>,
    /// Entries that match a noise rule.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<ReportedNoise>,
    /// What happened in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<Line>,
    #[serde(skip)]
    pub(super) entries: usize,
    #[serde(skip)]
    pub(super) entries_removed: usize,
    #[serde(skip)]
    pub(super) is_last: bool,
    #[serde(skip)]
    pub(super) is_reported: bool,
}

fn is_none(number: &u32) -> bool {
    *number == 0
}

fn is_one(number: &usize) -> bool {
    *number == 1
}

#[derive(Debug, Clone, Serialize)]
pub struct ReportedError {
    /// `exception`, `rejection`, `console` and the like.
    #[serde(rename = "type")]
    pub kind: String,
    pub message: String,
    /// In the developer's own file, if a source map is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    /// The error in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    pub count: u64,
    pub ts: Timestamp,
}

#[derive(Debug, Clone, Serialize)]
pub struct ReportedRequest {
    pub method: String,
    pub url: String,
    /// 0 when no response arrived.
    pub status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    pub count: u64,
    pub ts: Timestamp,
}

impl ReportedRequest {
    /// `POST /api/orders → 500 (234 ms)`
    pub fn text(&self) -> String {
        let outcome = match (self.status, self.error.as_deref()) {
            (0, Some(error)) => format!("0 ({})", shorten(error, 80)),
            (0, None) => "0 (no answer)".to_owned(),
            (status, _) => status.to_string(),
        };
        let time = self.duration_ms.map(|millis| format!(" ({millis:.0} ms)")).unwrap_or_default();
        format!("{} {} → {outcome}{time}", self.method, self.url)
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct ReportedSocket {
    pub url: String,
    pub event: SocketEventKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub ts: Timestamp,
}

impl ReportedSocket {
    pub fn text(&self) -> String {
        let code = self.code.map(|code| format!(" with {code}")).unwrap_or_default();
        let reason = self.reason.as_deref().map(|reason| format!(" ({})", shorten(reason, 80))).unwrap_or_default();
        let what = if self.event == SocketEventKind::Close { "closed" } else { self.event.name() };
        format!("{} {what}{code}{reason}", self.url)
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct ReportedLine {
    pub level: Level,
    pub message: String,
    pub count: u64,
    pub ts: Timestamp,
}

#[derive(Debug, Clone, Serialize)]
pub struct ReportedNoise {
    pub rule: String,
    pub message: String,
    pub count: usize,
}

impl Attempt {
    pub(super) fn is(&self, wanted: &str) -> bool {
        self.test_id.as_deref() == Some(wanted) || self.title == wanted
    }

    pub(super) fn mentions(&self, wanted: &str) -> bool {
        self.test_id.as_deref().is_some_and(|id| id.contains(wanted)) || self.title.contains(wanted)
    }

    pub(super) fn is_same_test(&self, other: &Self) -> bool {
        (&self.file, &self.title, &self.project, self.repeat)
            == (&other.file, &other.title, &other.project, other.repeat)
    }

    pub(super) fn has_content(&self) -> bool {
        let counts = [self.errors.len(), self.network_failures.len(), self.ws_errors.len(), self.console.len()];
        counts.into_iter().chain([self.noise.len()]).any(|count| count > 0)
    }

    /// Orders tests by their place in the files and attempts by number; entries outside of tests come last.
    pub(super) fn order(&self) -> (bool, &str, Option<u32>, &str, Option<&str>, u32, u32) {
        let file = self.file.as_deref().unwrap_or_default();
        (self.test_id.is_none(), file, self.line, &self.title, self.project.as_deref(), self.repeat, self.retry)
    }

    /// Whether it has something to report although nothing failed.
    pub(super) fn has_only_warned(&self) -> bool {
        self.is_last && !self.is_flaky && !self.has_failed() && !self.console.is_empty()
    }

    /// Whether the test failed, or something went wrong in the browser and the runner reported no result.
    pub fn has_failed(&self) -> bool {
        matches!(self.status, Status::Fail | Status::Error)
    }

    /// `shop.spec.ts:12 · chromium · worker 2 · attempt 2 of 2`
    pub fn place(&self) -> String {
        let mut parts = Vec::new();
        if let Some(file) = &self.file {
            parts.push(self.line.map_or(file.clone(), |line| format!("{file}:{line}")));
        }
        parts.extend(self.project.clone().filter(|project| !project.is_empty()));
        parts.extend(self.shard.as_ref().map(|shard| format!("shard {shard}")));
        if self.repeat > 0 {
            parts.push(format!("repeat {}", self.repeat));
        }
        if self.attempts > 1 {
            parts.push(format!("attempt {} of {}", self.retry + 1, self.attempts));
        }
        parts.extend(self.duration.clone());
        parts.join(" · ")
    }

    /// The first telling line of the runner's message.
    pub fn runner_line(&self) -> Option<&str> {
        self.runner_error.as_deref()?.lines().map(str::trim).find(|line| !line.is_empty())
    }
}

pub(super) fn look_at(run: &Run, options: &Options) -> Attempt {
    let session = &run.session;
    let since = options.since.map_or(Since::Ever, Since::Time);
    let filter = Filter { since, ..Filter::default() };
    let all = failures(session, &filter);
    let (noisy, telling): (Vec<Failure<'_>>, Vec<Failure<'_>>) =
        all.iter().copied().partition(|failure| session.noise.rule_for(failure).is_some());
    let grouped = Grouped::from_failures(&telling);
    // Each group once, at its first occurrence.
    let mut seen: Vec<String> = Vec::new();
    let firsts: Vec<(&Failure<'_>, u64)> = telling
        .iter()
        .filter(|failure| {
            let fingerprint = failure.fingerprint();
            let is_new = !seen.contains(&fingerprint);
            seen.push(fingerprint);
            is_new
        })
        .map(|failure| (failure, grouped.group(failure).map_or(1, |group| group.count)))
        .collect();
    let status = status_of(&run.record, !telling.is_empty());
    let verdict = judge::judge(run, &telling, options.since);
    let noise = noise_of(&noisy, run);
    let record = &run.record;
    // Runners that only mark the start and the end of a test imply its duration.
    let between =
        record.started.zip(record.ended).map(|(began, ended)| (ended.millis() - began.millis()).max(0) as f64);
    let duration_ms = record.duration_ms.or(between);
    Attempt {
        test_id: run.test_id().map(str::to_owned),
        title: title_of(record),
        status,
        file: record.file.as_deref().map(one_line),
        line: record.line,
        project: record.project.as_deref().map(one_line),
        retry: record.retry.unwrap_or(0),
        repeat: record.repeat.unwrap_or(0),
        worker: record.worker.clone(),
        shard: record.shard.as_deref().map(one_line),
        duration: duration_ms.map(duration_text),
        duration_ms,
        started: record.started,
        runner_error: runner_error(record),
        is_flaky: false,
        attempts: 1,
        hints: judge::hints(run, verdict.as_ref(), &telling, &noise, options),
        cause: verdict,
        errors: firsts.iter().filter_map(|(failure, count)| error_of(failure, *count)).take(LISTED).collect(),
        network_failures: firsts
            .iter()
            .filter_map(|(failure, count)| request_of(failure, *count))
            .take(LISTED)
            .collect(),
        ws_errors: session
            .store
            .websocket
            .iter()
            .filter(|stored| filter.admits(stored))
            .filter_map(|stored| socket_of(&stored.entry))
            .take(LISTED)
            .collect(),
        console: console_of(run, &filter, options.severity),
        noise,
        timeline: timeline::lines(session, &filter, record.started),
        entries: run.entries(),
        entries_removed: usize::try_from(run.removed()).unwrap_or(usize::MAX),
        is_last: true,
        is_reported: status != Status::Pass && status != Status::Skip,
    }
}

/// The test runner's error message, or one in its style.
fn runner_error(record: &TestRecord) -> Option<String> {
    let is_surprise = record.status == Some(TestStatus::Passed)
        && record.expected_status.is_some_and(|expected| expected != TestStatus::Passed);
    match record.error.as_deref().map(plain::lines) {
        Some(error) => Some(shorten(error.trim(), RUNNER_ERROR_CHARS)),
        None => is_surprise.then(|| "The test was expected to fail, and passed.".to_owned()),
    }
}

fn title_of(record: &TestRecord) -> String {
    match (&record.title, record.test_id.as_str()) {
        (Some(title), _) => one_line(title),
        (None, "") => "outside of tests".to_owned(),
        (None, id) => one_line(id),
    }
}

fn status_of(record: &TestRecord, has_failures: bool) -> Status {
    match (record.status, record.expected_status.unwrap_or(TestStatus::Passed)) {
        (Some(TestStatus::Skipped), _) => Status::Skip,
        (Some(status), expected) if status == expected => Status::Pass,
        (Some(_), _) => Status::Fail,
        // The runner reported nothing, so the browser's errors decide.
        (None, _) if has_failures => Status::Error,
        (None, _) => Status::Pass,
    }
}

/// `850ms`, `1.2s`, `2m 5s`
pub(super) fn duration_text(millis: f64) -> String {
    match millis {
        ..1_000.0 => format!("{millis:.0}ms"),
        ..60_000.0 => format!("{:.1}s", millis / 1_000.0),
        _ => format!("{}m {}s", (millis / 60_000.0) as u64, (millis / 1_000.0) as u64 % 60),
    }
}

fn error_of(failure: &Failure<'_>, count: u64) -> Option<ReportedError> {
    if failure.request().is_some() {
        return None;
    }
    let Failure::Log(stored, _) = failure else { return None };
    let entry = &stored.entry;
    let message = entry.message.as_str();
    let named = error_type(entry);
    let is_thrown = matches!(entry.kind, LogKind::Exception | LogKind::Rejection);
    let message = match is_thrown && !message.starts_with(named) {
        true => format!("{named}: {message}"),
        false => message.to_owned(),
    };
    let components = entry.ai_context.as_ref().and_then(|context| context.component_ancestry.as_ref());
    let at = location(entry).map(|(file, line, column)| format!("{file}:{line}:{column}")).or_else(|| entry.place());
    Some(ReportedError {
        kind: entry.kind.name().to_owned(),
        message: shorten(&message, MESSAGE_CHARS),
        at,
        code: crate::diagnose::code_line(entry).map(|code| shorten(code.trim(), CODE_CHARS)),
        stack: stack_of(entry),
        component: components.and_then(|tree| component_words(&tree.value())),
        summary: entry.ai_context.as_ref().and_then(|context| context.summary.clone()),
        count,
        ts: failure.time(),
    })
}

/// The developer's own frames, in their own files if a source map is known.
fn stack_of(entry: &Log) -> Vec<String> {
    let mapped = entry.ai_context.as_ref().and_then(|context| context.mapped_stack.as_deref());
    if let Some(mapped) = mapped {
        return mapped
            .iter()
            .filter(|frame| !is_dependency(frame))
            .take(FRAMES)
            .map(|frame| shorten(frame, 160))
            .collect();
    }
    let raw = frames(entry.stack.as_deref().unwrap_or_default()).filter(|frame| !is_dependency(frame.url)).take(FRAMES);
    raw.map(|frame| {
        let file = frame.url.rsplit('/').next().unwrap_or(frame.url);
        let function = if frame.function.is_empty() { "(anonymous)" } else { frame.function };
        shorten(&format!("{function} ({file}:{}:{})", frame.line, frame.column), 160)
    })
    .collect()
}

fn request_of(failure: &Failure<'_>, count: u64) -> Option<ReportedRequest> {
    let (method, url, status) = failure.request()?;
    let body: Option<&Request> = match failure {
        Failure::Log(_, body) => body.map(|stored| &stored.entry),
        Failure::Request(stored) => Some(&stored.entry),
    };
    let log = match failure {
        Failure::Log(stored, _) => Some(&stored.entry),
        Failure::Request(_) => None,
    };
    let text = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(|text| shorten(text, BODY_CHARS))
    };
    Some(ReportedRequest {
        method: one_line(method),
        url: body.map_or_else(|| shorten(url, 160), address),
        status,
        duration_ms: body.and_then(|body| body.duration).or_else(|| log.and_then(|entry| entry.duration)),
        error: body.and_then(|body| body.error.clone()),
        request: body.and_then(|body| text(&body.request_body)),
        response: body.and_then(|body| text(&body.response_body)),
        count,
        ts: failure.time(),
    })
}

fn socket_of(event: &SocketEvent) -> Option<ReportedSocket> {
    (event.severity() >= Level::Warn).then(|| ReportedSocket {
        url: shorten(event.url.as_deref().unwrap_or("a socket"), 120),
        event: event.event,
        code: event.code,
        reason: event.reason.clone().filter(|reason| !reason.is_empty()),
        ts: event.at,
    })
}

/// The page's console lines below errors, from the requested severity on; the newest.
fn console_of(run: &Run, filter: &Filter, least: Level) -> Vec<ReportedLine> {
    let lines = run.session.store.logs.iter().rev().filter(|stored| filter.admits(stored));
    let mut found: Vec<ReportedLine> = lines
        .filter(|stored| (least..Level::Error).contains(&stored.entry.level))
        .filter(|stored| stored.entry.kind == LogKind::Console)
        .filter(|stored| run.session.noise.rule_for(&stored.entry).is_none())
        .map(|stored| ReportedLine {
            level: stored.entry.level,
            message: shorten(stored.entry.message.as_str(), MESSAGE_CHARS),
            count: u64::from(stored.entry.count.unwrap_or(1)),
            ts: stored.entry.at,
        })
        .take(LISTED)
        .collect();
    found.reverse();
    found
}

fn noise_of(noisy: &[Failure<'_>], run: &Run) -> Vec<ReportedNoise> {
    let mut found: Vec<ReportedNoise> = Vec::new();
    for failure in noisy {
        let rule = run.session.noise.rule_for(failure).unwrap_or_default().to_owned();
        match found.iter_mut().find(|noise| noise.rule == rule) {
            Some(noise) => noise.count += 1,
            None => found.push(ReportedNoise { rule, message: tokens::shorten_to(&failure.message(), 40), count: 1 }),
        }
    }
    found
}

/// Marks the last attempt of each test, and tests that failed before they passed. Expects attempts in order.
pub(super) fn mark_flaky(tests: &mut [Attempt]) {
    let key =
        |attempt: &Attempt| (attempt.file.clone(), attempt.title.clone(), attempt.project.clone(), attempt.repeat);
    let mut of_test: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, attempt) in tests.iter().enumerate() {
        // Without a record, nothing shows that two attempts belong to the same test.
        let is_known = attempt.test_id.is_some() && (attempt.file.is_some() || attempt.started.is_some());
        let own = if is_known { key(attempt) } else { (attempt.test_id.clone(), index.to_string(), None, 0) };
        of_test.entry(own).or_default().push(index);
    }
    for places in of_test.values() {
        let attempts: Vec<(usize, u32, bool)> = places
            .iter()
            .filter_map(|index| tests.get(*index).map(|attempt| (*index, attempt.retry, attempt.has_failed())))
            .collect();
        let Some(&(last, tries, last_failed)) = attempts.iter().max_by_key(|(_, retry, _)| *retry) else { continue };
        let last_failure = attempts.iter().filter(|(.., failed)| *failed).max_by_key(|(_, retry, _)| *retry);
        let has_passed = tests.get(last).is_some_and(|attempt| attempt.status == Status::Pass);
        // Runners repeat only failed tests, even where the failed attempt itself is unknown.
        let is_flaky = !last_failed && (last_failure.is_some() || (has_passed && tries > 0));
        for (index, ..) in &attempts {
            let Some(attempt) = tests.get_mut(*index) else { continue };
            attempt.is_last = *index == last;
            attempt.is_flaky = is_flaky;
            attempt.attempts = tries as usize + 1;
            attempt.is_reported = attempt.is_reported && last_failure.is_some_and(|(last, ..)| last == index);
        }
    }
}
