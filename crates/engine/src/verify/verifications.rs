//! Sessions of `verify_fix`: each has a baseline, a mark that separates before from after, and an expiry time.

use std::collections::HashSet;

use wire::{Timestamp, limits};

use super::answer::SessionBrief;
use super::caller::{Caller, Owner};
use super::comparison::{Change, Comparison, Evidence, Outcome};
use super::coverage::{Coverage, Mark, Trust, hot_updates, page_loads, runs_old_code};
use super::observed::{Observed, Scope};
use super::repetition::{Between, OLD_CODE};
use super::verdict::Verdict;
use crate::session::Session;

/// How many proven fixes are remembered, the latest.
const FIXED: usize = 200;
const PREFIX: &str = "verify";
const LIFE_MILLIS: i64 = limits::VERIFY_SESSION_SECONDS as i64 * 1_000;

/// How far a session has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Stage {
    /// The baseline was taken; `watch` has not been called.
    BaselineCaptured,
    /// `watch` was called: what happens now counts as after.
    Watching,
    /// A verdict was given. The session can go on watching.
    Compared,
}

impl Stage {
    /// The word that answers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BaselineCaptured => "baseline_captured",
            Self::Watching => "watching",
            Self::Compared => "compared",
        }
    }
}

/// A session of `verify_fix`.
#[derive(Debug)]
pub struct Verification {
    /// Its id, with the tag of this run.
    pub id: String,
    /// The name that the caller gave the fix.
    pub label: Option<String>,
    /// The URL filter.
    pub url: Option<String>,
    /// The client that started it.
    pub owner: Owner,
    /// When it was started.
    pub created: Timestamp,
    /// How far it has come.
    pub stage: Stage,
    /// What happened before the fix.
    pub baseline: Observed,
    /// The page loads of the baseline.
    pages: HashSet<String>,
    /// The cursor at its start.
    cursor: u64,
    watch: Option<Watch>,
}

/// The mark that separates before from after, and what existed at that time.
#[derive(Debug)]
struct Watch {
    mark: Mark,
    loads: HashSet<String>,
    /// Errors of the baseline that happened again since the start, with the time of their last occurrence.
    came_again: Vec<(String, Timestamp)>,
}

/// An error or a request that a client proved to be fixed. It is left out of that client's next baseline, unless it
/// happened again since.
#[derive(Debug)]
struct Fixed {
    owner: Owner,
    /// The filter of the session that proved it.
    url: Option<String>,
    key: String,
    /// The cursor from which on that session watched.
    since: u64,
}

/// The parameters of a new session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// A name for the fix.
    pub label: Option<String>,
    /// Only addresses that contain this.
    pub url: Option<String>,
    /// Whether user actions are captured. If not, the triggers of errors are unknown.
    pub sees_actions: bool,
}

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// All sessions belong to connected clients, and their number is at its limit.
    Full,
    /// The label exceeds its limit.
    LabelTooLong,
    /// The URL filter exceeds its limit.
    FilterTooLong,
    /// The session was cancelled or has expired.
    Ended,
    /// The session belongs to an earlier run of the server.
    EarlierRun,
    /// No session has this id.
    Unknown,
    /// `watch` has to be called first.
    NotWatching,
    /// It belongs to the client of this name.
    NotYours(String),
}

/// The open sessions, the oldest first.
#[derive(Debug, Default)]
pub struct Verifications {
    open: Vec<Verification>,
    made: u64,
    /// Proven fixes, the latest last.
    fixed: Vec<Fixed>,
}

impl Verifications {
    /// Forgets expired sessions.
    pub fn forget(&mut self, now: Timestamp) {
        self.open.retain(|verification| now < verification.expires());
    }

    /// The open sessions, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Verification> {
        self.open.iter()
    }

    /// Starts a session. Its baseline is everything that is buffered. Beyond the limit it replaces the oldest session
    /// whose client is gone.
    pub fn start<'s>(
        &'s mut self,
        session: &Session,
        wanted: Start,
        caller: &Caller<'_>,
        now: Timestamp,
    ) -> Result<&'s Verification, Refusal> {
        let Start { label, url, sees_actions } = wanted;
        self.forget(now);
        if label.as_ref().is_some_and(|label| label.chars().count() > limits::VERIFY_LABEL_CHARS) {
            return Err(Refusal::LabelTooLong);
        }
        if url.as_ref().is_some_and(|url| url.chars().count() > limits::VERIFY_FILTER_CHARS) {
            return Err(Refusal::FilterTooLong);
        }
        if self.open.len() >= limits::VERIFY_SESSIONS {
            let abandoned = self.open.iter().position(|verification| !(caller.is_here)(verification.owner.client));
            self.open.remove(abandoned.ok_or(Refusal::Full)?);
        }
        let scope = Scope {
            url: url.as_deref(),
            errors: limits::VERIFY_BASELINE_ERRORS,
            endpoints: limits::VERIFY_BASELINE_REQUESTS,
            only_failing: true,
            bytes: limits::VERIFY_BASELINE_BYTES,
            ..Scope::KEPT
        };
        let (baseline, pages) = (Observed::take(session, scope, now), page_loads(session, 0));
        // A proof for some addresses says nothing about others.
        let covers = |fixed: &Fixed| caller.is(&fixed.owner) && (fixed.url.is_none() || fixed.url == url);
        let fixed_since = |key: &str| {
            let known = self.fixed.iter().filter(|fixed| fixed.key == key && covers(fixed));
            known.map(|fixed| fixed.since).max()
        };
        let mut baseline = baseline.without_fixed(fixed_since);
        if !sees_actions {
            baseline.doubt_triggers();
        }
        let (run, cursor) = (session.store.ids.run().to_owned(), session.store.cursor());
        self.made += 1;
        self.open.push(Verification {
            id: format!("{PREFIX}-{run}-{}", self.made),
            label,
            url,
            owner: caller.owner.clone(),
            created: now,
            stage: Stage::BaselineCaptured,
            baseline,
            pages,
            cursor,
            watch: None,
        });
        self.open.last().ok_or(Refusal::Unknown)
    }

    /// Sets the mark: from here on, entries count as after. Calling it again moves the mark. Only the owner may set it,
    /// because a mark that is too early takes the broken code for the fixed one. `force` lets another client set it,
    /// too.
    pub fn watch<'s>(
        &'s mut self,
        session: &Session,
        id: &str,
        caller: &Caller<'_>,
        force: bool,
        now: Timestamp,
    ) -> Result<&'s Verification, Refusal> {
        let mark = Mark { at: now, cursor: session.store.cursor(), refused: session.store.refused() };
        let place = self.place(session, id, now)?;
        let loads = page_loads(session, 0);
        let verification = self.open.get(place).ok_or(Refusal::Unknown)?;
        let came_again = verification.came_again(session, now);
        let verification = self.open.get_mut(place).ok_or(Refusal::Unknown)?;
        if !force && !caller.may_change(&verification.owner) {
            return Err(Refusal::NotYours(caller.calls(&verification.owner)));
        }
        verification.watch = Some(Watch { mark, loads, came_again });
        verification.stage = Stage::Watching;
        Ok(verification)
    }

    /// Compares what happened after the mark with the baseline. `url` narrows both.
    pub fn compare(
        &mut self,
        session: &Session,
        id: &str,
        url: Option<&str>,
        now: Timestamp,
    ) -> Result<(Comparison, Coverage), Refusal> {
        let place = self.place(session, id, now)?;
        let compared = {
            let verification = self.open.get(place).ok_or(Refusal::Unknown)?;
            let watch = verification.watch.as_ref().ok_or(Refusal::NotWatching)?;
            verification.compared(session, watch, url, now)
        };
        if let Some(verification) = self.open.get_mut(place) {
            verification.stage = Stage::Compared;
            let (comparison, coverage) = &compared;
            let is_proven = comparison.verdict == Verdict::Fixed && coverage.trust() == Trust::High;
            if let Some(watch) = verification.watch.as_ref().filter(|_| is_proven && url.is_none_or(str::is_empty)) {
                let (since, owner) = (watch.mark.cursor, &verification.owner);
                let proven = verification.baseline.failure_keys().map(|key| Fixed {
                    owner: owner.clone(),
                    url: verification.url.clone(),
                    key: key.to_owned(),
                    since,
                });
                self.fixed.extend(proven);
                self.fixed.drain(..self.fixed.len().saturating_sub(FIXED));
            }
        }
        Ok(compared)
    }

    /// The session with this id.
    pub fn find<'s>(&'s mut self, session: &Session, id: &str, now: Timestamp) -> Result<&'s Verification, Refusal> {
        let place = self.place(session, id, now)?;
        self.open.get(place).ok_or(Refusal::Unknown)
    }

    /// `force` also cancels the session of another client that is still connected.
    pub fn cancel(
        &mut self,
        session: &Session,
        id: &str,
        caller: &Caller<'_>,
        force: bool,
        now: Timestamp,
    ) -> Result<Verification, Refusal> {
        let place = self.place(session, id, now)?;
        let verification = self.open.get(place).ok_or(Refusal::Unknown)?;
        if !force && !caller.may_change(&verification.owner) {
            return Err(Refusal::NotYours(caller.calls(&verification.owner)));
        }
        Ok(self.open.remove(place))
    }

    /// The index of a session, or why there is none.
    fn place(&mut self, session: &Session, id: &str, now: Timestamp) -> Result<usize, Refusal> {
        self.forget(now);
        if let Some(place) = self.open.iter().position(|verification| verification.id == id) {
            return Ok(place);
        }
        let mut parts = id.splitn(3, '-');
        let (Some(PREFIX), Some(run), Some(number)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Refusal::Unknown);
        };
        Err(match number.parse::<u64>() {
            Ok(number) if run == session.store.ids.run() && (1..=self.made).contains(&number) => Refusal::Ended,
            Ok(_) if run != session.store.ids.run() => Refusal::EarlierRun,
            _ => Refusal::Unknown,
        })
    }
}

impl Verification {
    /// When the session expires.
    pub fn expires(&self) -> Timestamp {
        Timestamp::from_millis(self.created.millis().saturating_add(LIFE_MILLIS))
    }

    /// Errors of the baseline that happened again since it was taken.
    fn came_again(&self, session: &Session, now: Timestamp) -> Vec<(String, Timestamp)> {
        let scope = Scope { url: self.url.as_deref(), after: self.cursor, since: Some(self.created), ..Scope::ALL };
        let since = Observed::take(session, scope, now);
        let again = since.errors.iter().filter_map(|error| {
            let known = self.baseline.find_error(error)?;
            let last = error.triggers.iter().map(|trigger| trigger.at).max()?;
            Some((known.key.clone(), last))
        });
        again.collect()
    }

    fn compared(&self, session: &Session, watch: &Watch, url: Option<&str>, now: Timestamp) -> (Comparison, Coverage) {
        let (own, mark) = (self.url.as_deref(), watch.mark);
        let before = self.baseline.clone().without_noise(&session.noise);
        let ruled_out = before.noise.saturating_sub(self.baseline.noise);
        let after =
            Observed::take(session, Scope { url: own, after: mark.cursor, since: Some(mark.at), ..Scope::ALL }, now);
        // Both filters hold: first the session's own, when a side is summarized; then the narrower one, for both sides
        // alike.
        let (before, after) = Observed::narrowed(before, after, url);
        let filters: Vec<&str> = [own, url].into_iter().flatten().filter(|filter| !filter.is_empty()).collect();
        let mut coverage = Coverage::after(session, mark, &filters);
        let between = Between {
            known_loads: before.page_loads.union(&watch.loads).cloned().collect(),
            old_loads: self.pages.clone(),
            updates: hot_updates(session, self.created, now),
        };
        let known = before.noise;
        let before = before.without_hidden(&after);
        if let hidden @ 1.. = ruled_out + before.noise.saturating_sub(known) {
            coverage.warnings.push(format!(
                "{hidden} failures of the baseline fall under a noise rule that was added since: nothing is said about them"
            ));
        }
        let evidence = Evidence { shows_errors: coverage.would_show_errors(), between };
        let comparison = Comparison::between(&before, &after, &evidence);
        coverage.is_open = comparison.is_open();
        coverage.warnings.extend(comparison.doubts.iter().cloned());
        for (key, last) in &watch.came_again {
            // Code that arrived at the time of the error is the code that the error came from.
            let later = Timestamp::from_millis(last.millis().saturating_add(1));
            let is_gone = before.errors.iter().find(|error| error.key == *key && after.find_error(error).is_none());
            if let Some(error) = is_gone.filter(|_| runs_old_code(session, mark, &watch.loads, later)) {
                coverage.warnings.push(format!(
                    "{} came again between start and watch, and the page was neither reloaded nor hot-updated since",
                    error.name()
                ));
            }
        }
        let is_still_there = comparison.changes.iter().any(|change| change.outcome != Outcome::Resolved);
        let may_be_old = matches!(comparison.verdict, Verdict::Unchanged | Verdict::Improved) && is_still_there;
        // A page can recover because its server did. That an error of the page itself is gone is another matter.
        let is_said_gone = comparison.resolved().any(Change::is_error);
        let is_said = coverage.warnings.iter().any(|warning| warning.contains(OLD_CODE));
        if (may_be_old || is_said_gone) && !is_said && runs_old_code(session, mark, &self.pages, self.created) {
            coverage.warnings.push(format!("the page was neither reloaded nor hot-updated since start: it {OLD_CODE}"));
        }
        (comparison, coverage)
    }

    /// The session as a list shows it.
    pub fn brief(&self, caller: &Caller<'_>) -> SessionBrief {
        let (console, network) = self.baseline.failures();
        SessionBrief {
            session_id: self.id.clone(),
            status: self.stage,
            label: self.label.clone(),
            url_filter: self.url.clone(),
            made_by: caller.calls(&self.owner),
            created_at: self.created,
            watch_started_at: self.watch.as_ref().map(|watch| watch.mark.at),
            expires_at: self.expires(),
            baseline_issues: console + network,
        }
    }
}
