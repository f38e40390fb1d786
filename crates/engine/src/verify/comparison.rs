//! What happened to each issue after a fix.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;
use wire::limits;

use super::answer::{Compared, LoadTimes, SocketChange};
use super::calls::{Calls, Fate};
use super::coverage::Trust;
use super::doubts;
use super::issue::Issue;
use super::missing::Missing;
use super::observed::Observed;
use super::otherwise::{self, Otherwise};
use super::repetition::Between;
use super::verdict::Verdict;
use super::{loads, sockets};

const NOT_SEEN: &str = "(not seen)";
const NOT_CALLED: &str = "(not called)";
const CONSOLE: &str = "console";
const NETWORK: &str = "network";

/// What happened to one issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Outcome {
    /// It no longer happens, although what led to it was repeated.
    Resolved,
    /// It happens only after the change.
    New,
    /// It happens in another form, for example with another status.
    Changed,
    /// It still happens.
    Unchanged,
    /// Nothing is known: the request was not repeated, or the error would not have been captured.
    NotExercised,
}

/// One issue, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Change {
    /// What happened to it.
    #[serde(rename = "type")]
    pub outcome: Outcome,
    /// `console` or `network`.
    pub category: &'static str,
    /// The issue before the change.
    pub before: String,
    /// What was captured after it.
    pub after: String,
    /// What to do again before anything can be said about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
    /// It was repeated, and only needs more time. Seconds to wait.
    #[serde(skip)]
    pub wait_seconds: Option<i64>,
    /// Nothing can be done that would show whether it persists; `repeat` says why.
    #[serde(skip)]
    pub is_unprovable: bool,
}

impl Change {
    /// Whether it is an error instead of a failed request.
    pub(super) fn is_error(&self) -> bool {
        self.category == CONSOLE
    }
}

/// How reliable the data from after the change is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Whether a repeated error would have been captured.
    pub shows_errors: bool,
    /// How the two spans of time relate.
    pub between: Between,
}

/// How often something failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Totals {
    /// Errors.
    pub console_errors: u64,
    /// Failed requests.
    pub network_errors: u64,
    /// Both together.
    pub total_issues: u64,
    /// Failures that match a noise rule.
    #[serde(skip_serializing_if = "is_none")]
    pub noise_left_out: usize,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

impl From<&Observed> for Totals {
    fn from(observed: &Observed) -> Self {
        let (console_errors, network_errors) = observed.failures();
        let total_issues = console_errors + network_errors;
        Self { console_errors, network_errors, total_issues, noise_left_out: observed.noise }
    }
}

/// The comparison of the time before a change with the time after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The result in one word.
    pub verdict: Verdict,
    /// Counts of failures before the change.
    pub before: Totals,
    /// Counts of failures after it.
    pub after: Totals,
    /// What happened to the issues of the baseline.
    pub changes: Vec<Change>,
    /// Issues that are not in the baseline.
    pub new_issues: Vec<Change>,
    /// Issues of the baseline that were not exercised.
    pub not_exercised: Vec<Change>,
    /// Why an issue that is called resolved may persist.
    pub doubts: Vec<String>,
    performance: Option<LoadTimes>,
    connections: Vec<SocketChange>,
}

impl Comparison {
    /// Compares two observations.
    pub fn between(before: &Observed, after: &Observed, evidence: &Evidence) -> Self {
        let mut doubts = Vec::new();
        let errors = before.errors.iter().map(|was| {
            let change = error_change(was, before, after, evidence);
            if change.outcome == Outcome::Resolved {
                doubts.extend(was.doubts(&after.exercise, &evidence.between));
                doubts.extend(otherwise::doubts(was, before, after));
                let similar = after.errors.iter().find(|now| was.is_similar(now) && before.find_error(now).is_none());
                doubts.extend(
                    similar.map(|now| format!("{} came, and differs from {} in names alone", now.name(), was.name())),
                );
            }
            change
        });
        let errors: Vec<Change> = errors.collect();
        let failed = before.endpoints.iter().filter(|was| was.failed.is_some());
        let requests = failed.map(|was| {
            let (change, more) = request_change(was, after);
            doubts.extend(more);
            change
        });
        let requests: Vec<Change> = requests.collect();
        let (not_exercised, changes): (Vec<_>, Vec<_>) =
            errors.into_iter().chain(requests).partition(|change| change.outcome == Outcome::NotExercised);
        let mut new_issues = Vec::new();
        let wrapping: HashSet<&str> = before
            .errors
            .iter()
            .filter_map(|was| match Otherwise::find(was, before, after)? {
                Otherwise::Wrapped(now) => Some(now.key.as_str()),
                _ => None,
            })
            .collect();
        let is_new = |now: &&Issue| before.find_error(now).is_none() && !wrapping.contains(now.key.as_str());
        for now in after.errors.iter().filter(is_new) {
            new_issues.push(appeared(CONSOLE, now.text()));
        }
        let failed_before = |now: &Calls| before.endpoints.iter().any(|was| was.key == now.key && was.failed.is_some());
        for now in after.endpoints.iter().filter(|now| now.failed.is_some() && !failed_before(now)) {
            new_issues.push(appeared(NETWORK, now.text()));
        }
        let resolved = changes.iter().filter(|change| change.outcome == Outcome::Resolved).count();
        let known = changes.len() + not_exercised.len() + before.left_out;
        if before.left_out > 0 {
            // This comes first, because it concerns issues that are not in the lists.
            let note = format!(
                "the baseline had no room for {} of the oldest issues: nothing is known about them{}",
                before.left_out,
                if new_issues.is_empty() { "" } else { ", and what is called new may be one of them" }
            );
            doubts.insert(0, note);
        }
        Self {
            doubts: doubts::bounded(doubts),
            verdict: Verdict::from_counts(known, resolved, new_issues.len()),
            before: before.into(),
            after: after.into(),
            performance: loads::load_times(&before.loads, &after.loads),
            connections: sockets::changes(&before.sockets, &after.sockets),
            changes,
            new_issues,
            not_exercised,
        }
    }

    /// Whether no issue persists, but some were not exercised.
    pub fn is_open(&self) -> bool {
        let is_known_wrong = self.changes.iter().any(|change| change.outcome != Outcome::Resolved);
        !self.not_exercised.is_empty() && self.new_issues.is_empty() && !is_known_wrong
    }

    /// The issues that are resolved.
    pub fn resolved(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.outcome == Outcome::Resolved)
    }

    /// The answer for callers. `warnings` say why the verdict may be wrong.
    pub fn answer(&self, confidence: Trust, warnings: Vec<String>) -> Compared {
        let mut left_out = Vec::new();
        let mut list = |name: &'static str, changes: &[Change]| {
            if let more @ 1.. = changes.len().saturating_sub(limits::COMPARISON_LIST) {
                left_out.push((name, more));
            }
            changes.iter().take(limits::COMPARISON_LIST).cloned().collect::<Vec<_>>()
        };
        // Issues that persist go first.
        let mut changes = self.changes.clone();
        changes.sort_by_key(|change| change.outcome == Outcome::Resolved);
        let (changes, new_issues, not_exercised) = (
            list("changes", &changes),
            list("new_issues", &self.new_issues),
            list("not_exercised", &self.not_exercised),
        );
        Compared {
            verdict: self.verdict,
            confidence,
            warnings: Some(warnings).filter(|warnings| !warnings.is_empty()),
            before: self.before,
            after: self.after,
            changes,
            new_issues,
            not_exercised: Some(not_exercised).filter(|list| !list.is_empty()),
            performance_diff: self.performance.clone(),
            connection_changes: Some(self.connections.clone()).filter(|list| !list.is_empty()),
            left_out: (!left_out.is_empty()).then(|| left_out.into_iter().collect()),
        }
    }
}

fn error_change(was: &Issue, before: &Observed, after: &Observed, evidence: &Evidence) -> Change {
    let now = after.find_error(was);
    let missing = was.missing(&after.exercise, &evidence.between);
    let otherwise = Otherwise::find(was, before, after);
    let outcome = match now {
        None if otherwise.is_some() => Outcome::Changed,
        None if evidence.shows_errors && missing.is_none() => Outcome::Resolved,
        None => Outcome::NotExercised,
        Some(now) if now.count == was.count => Outcome::Unchanged,
        Some(_) => Outcome::Changed,
    };
    let after = match now {
        Some(now) => now.text(),
        None => otherwise.map_or_else(|| NOT_SEEN.to_owned(), |otherwise| otherwise.text(&was.message)),
    };
    let missing = missing.filter(|_| outcome == Outcome::NotExercised);
    let wait_seconds = missing.as_ref().and_then(Missing::wait_seconds);
    let is_unprovable = missing.as_ref().is_some_and(Missing::is_unprovable);
    let repeat = missing.as_ref().map(Missing::text);
    Change { outcome, category: CONSOLE, before: was.text(), after, repeat, wait_seconds, is_unprovable }
}

/// The change of a request, with reasons why it may not be resolved.
fn request_change(was: &Calls, after: &Observed) -> (Change, Vec<String>) {
    let now = after.find_calls(&was.key);
    let (outcome, missing, doubts) = match was.fate(after) {
        Fate::Failing if now.is_some_and(|now| now.failed == was.failed) => (Outcome::Unchanged, None, Vec::new()),
        Fate::Failing => (Outcome::Changed, None, Vec::new()),
        Fate::Answered(doubts) => (Outcome::Resolved, None, doubts),
        Fate::Unknown(missing) => (Outcome::NotExercised, Some(missing), Vec::new()),
    };
    let after = match now {
        Some(now) if now.answered.is_some() || now.failed.is_some() => now.text(),
        _ => NOT_CALLED.to_owned(),
    };
    let wait_seconds = missing.as_ref().and_then(Missing::wait_seconds);
    let is_unprovable = missing.as_ref().is_some_and(Missing::is_unprovable);
    let repeat = missing.as_ref().map(Missing::text);
    (Change { outcome, category: NETWORK, before: was.text(), after, repeat, wait_seconds, is_unprovable }, doubts)
}

fn appeared(category: &'static str, after: String) -> Change {
    Change {
        outcome: Outcome::New,
        category,
        before: NOT_SEEN.to_owned(),
        after,
        repeat: None,
        wait_seconds: None,
        is_unprovable: false,
    }
}
