//! The result of a test run: for every failed test its cause, in few words.
//!
//! A [`Snapshot`] contains what a server captured, or what a file kept of it. [`report`] groups its entries by test and
//! explains each test with `diagnose`. A [`Format`] writes the report.

mod ai_context;
mod attempt;
mod difference;
mod format;
mod groups;
mod judge;
mod junit;
mod markdown;
mod plain;
mod snapshot;
mod text;
mod timeline;
pub mod tokens;

use serde::Serialize;
use wire::{Level, Timestamp, limits};

use crate::noise::NoiseRules;
use crate::redact::Redactor;
use crate::text::shorten;

pub use attempt::{Attempt, Status};
pub use difference::difference;
pub use format::Format;
pub use groups::Group;
use plain::one_line;
pub use snapshot::{Snapshot, odd_answers};

/// What the caller asks for.
#[derive(Debug, Clone)]
pub struct Options {
    /// A test's id or title, or a part of either. Absent: all tests.
    pub test: Option<String>,
    /// Only what happened at or after this time.
    pub since: Option<Timestamp>,
    /// The least severity that is listed.
    pub severity: Level,
    /// The noise rules to apply.
    pub noise: NoiseRules,
}

impl Default for Options {
    fn default() -> Self {
        Self { test: None, since: None, severity: Level::Error, noise: NoiseRules::default() }
    }
}

/// Counts of a whole report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Tests; several attempts at one test count once.
    pub tests: usize,
    /// Tests that passed.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
    /// Tests that failed first and passed in a later attempt.
    pub flaky: usize,
    /// Tests that were skipped.
    pub skipped: usize,
    /// Errors in browsers, without noise.
    pub browser_errors: usize,
    /// Failed requests, without noise.
    pub network_failures: usize,
    /// Entries that match a noise rule, and are left out elsewhere.
    pub noise: usize,
    /// All captured entries, errors or not.
    pub entries: usize,
    /// Entries of these tests that the server removed, for example those of passed Playwright tests.
    #[serde(skip_serializing_if = "is_zero")]
    pub entries_removed: usize,
    /// Entries of files that could not be parsed.
    #[serde(skip_serializing_if = "is_zero")]
    pub unreadable: usize,
}

impl Summary {
    /// The message when no error is known.
    fn nothing_wrong(&self) -> &'static str {
        match (self.entries, self.entries_removed) {
            (0, 0) => "nothing was captured from a browser",
            (0, _) => "nothing is left of what was captured",
            (_, 0) => "no browser errors",
            _ => "no browser errors in what is left of what was captured",
        }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A report, before it is written in a format.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Counts.
    pub summary: Summary,
    /// Failures with the same cause.
    pub causes: Vec<Group>,
    /// Every attempt at every test.
    pub tests: Vec<Attempt>,
    /// Why the report is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How many titles to suggest when no test matches.
const TITLES: usize = 5;

/// Explains every attempt, and finds what they have in common.
pub fn report(snapshots: Vec<Snapshot>, options: &Options, redactor: &Redactor) -> Report {
    let unreadable = snapshots.iter().map(|snapshot| snapshot.unreadable).sum();
    let mut runs = snapshot::runs(snapshots, redactor);
    runs.iter_mut().for_each(|run| run.session.noise.clone_from(&options.noise));
    let mut tests: Vec<Attempt> = runs.iter().map(|run| attempt::look_at(run, options)).collect();
    let mut note = None;
    if let Some(wanted) = options.test.as_deref() {
        if !tests.iter().any(|attempt| attempt.mentions(wanted)) {
            note = Some(no_such_test(wanted, &tests));
        }
        let is_exact = tests.iter().any(|attempt| attempt.is(wanted));
        tests.retain(|attempt| if is_exact { attempt.is(wanted) } else { attempt.mentions(wanted) });
    }
    let entries = tests.iter().map(|attempt| attempt.entries).sum();
    let entries_removed = tests.iter().map(|attempt| attempt.entries_removed).sum();
    // Outside of tests there is often nothing; and what was captured there is not a test's failure.
    tests.retain(|attempt| attempt.test_id.is_some() || attempt.has_content());
    tests.sort_by(|one, other| one.order().cmp(&other.order()));
    attempt::mark_flaky(&mut tests);
    let summary = Summary { entries, entries_removed, unreadable, ..summarize(&tests) };
    Report { summary, causes: groups::group(&tests), tests, note }
}

fn no_such_test(wanted: &str, tests: &[Attempt]) -> String {
    let mut titles: Vec<&str> = Vec::new();
    for attempt in tests.iter().filter(|attempt| attempt.test_id.is_some()) {
        if !titles.contains(&attempt.title.as_str()) {
            titles.push(&attempt.title);
        }
    }
    let wanted = shorten(&one_line(wanted), 100);
    let known: Vec<String> = titles.iter().take(TITLES).map(|title| format!("\"{}\"", shorten(title, 80))).collect();
    match titles.len() {
        0 => format!("No test matches \"{wanted}\": no test is known"),
        1..=TITLES => format!("No test matches \"{wanted}\". Known: {}", known.join(", ")),
        count => format!("No test matches \"{wanted}\". Known: {}, and {} more", known.join(", "), count - TITLES),
    }
}

fn summarize(tests: &[Attempt]) -> Summary {
    let mut summary = Summary::default();
    for attempt in tests {
        summary.browser_errors += attempt.errors.len();
        summary.network_failures += attempt.network_failures.len();
        summary.noise += attempt.noise.iter().map(|noise| noise.count).sum::<usize>();
        if attempt.test_id.is_none() || !attempt.is_last {
            continue;
        }
        summary.tests += 1;
        match attempt.status {
            Status::Pass if attempt.is_flaky => summary.flaky += 1,
            Status::Pass => summary.passed += 1,
            Status::Skip => summary.skipped += 1,
            Status::Fail | Status::Error => summary.failed += 1,
        }
    }
    summary
}

impl Report {
    /// The attempts to report: the last failure of each test.
    pub fn failures(&self) -> impl Iterator<Item = &Attempt> {
        self.tests.iter().filter(|attempt| attempt.is_reported)
    }

    /// Attempts without failures that logged something, if the caller asked for more than errors.
    fn warned(&self) -> impl Iterator<Item = &Attempt> {
        self.tests.iter().filter(|attempt| attempt.has_only_warned())
    }

    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Text => text::write(self),
            Format::Json => serde_json::to_string_pretty(self).unwrap_or_default(),
            Format::AiContext => ai_context::write(self, limits::REPORT_TOKENS),
            Format::Junit => junit::write(self),
            Format::Markdown => markdown::write(self),
        }
    }
}
