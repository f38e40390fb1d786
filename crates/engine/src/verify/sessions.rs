//! Sessions of `verify_fix`: a baseline, a mark from which on things count as after, and a time to live.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use wire::{Timestamp, limits};

use super::comparison::{Change, Comparison, Evidence, Outcome};
use super::coverage::{Coverage, Mark, hot_updates, page_loads, runs_old_code};
use super::observed::{Observed, Scope};
use super::owner::{Caller, Owner};
use super::repetition::{Between, OLD_CODE};
use super::verdict::Verdict;
use crate::store::Store;
use crate::view::object;

const PREFIX: &str = "verify";
const LIFE_MILLIS: i64 = limits::VERIFY_SESSION_SECONDS as i64 * 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    BaselineCaptured,
    Watching,
    Compared,
}

impl Stage {
    pub const fn name(self) -> &'static str {
        match self {
            Self::BaselineCaptured => "baseline_captured",
            Self::Watching => "watching",
            Self::Compared => "compared",
        }
    }
}

#[derive(Debug)]
pub struct Session {
    pub id: String,
    pub label: Option<String>,
    pub url: Option<String>,
    pub owner: Owner,
    pub created: Timestamp,
    pub stage: Stage,
    pub baseline: Observed,
    /// The page loads that the baseline came from.
    pages: HashSet<String>,
    /// The cursor at its start.
    cursor: u64,
    watch: Option<Watch>,
}

/// Where the after-window begins, and what was there by then.
#[derive(Debug)]
struct Watch {
    mark: Mark,
    loads: HashSet<String>,
    /// Errors of the baseline that came again since the start, with when they last did.
    came_again: Vec<(String, Timestamp)>,
}

/// What a session begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    pub label: Option<String>,
    pub url: Option<String>,
    /// What users do is captured. Where it is not, what led to an error is not known.
    pub sees_actions: bool,
}

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    Full,
    LabelTooLong,
    FilterTooLong,
    /// Cancelled, or its time was over.
    Ended,
    /// Of a run of the server before this one.
    EarlierRun,
    Unknown,
    NotWatching,
    /// It belongs to the client of this name.
    NotYours(String),
}

/// The open sessions, the oldest first.
#[derive(Debug, Default)]
pub struct Sessions {
    open: Vec<Session>,
    made: u64,
}

impl Sessions {
    /// Lets go of those whose time is over.
    pub fn forget(&mut self, now: Timestamp) {
        self.open.retain(|session| now < session.expires());
    }

    pub fn iter(&self) -> impl Iterator<Item = &Session> {
        self.open.iter()
    }

    /// Takes the baseline: all that is buffered. Beyond the limit, the oldest session whose client is gone is replaced.
    pub fn start<'s>(
        store: &'s mut Store,
        wanted: Start,
        caller: &Caller<'_>,
        now: Timestamp,
    ) -> Result<&'s Session, Refusal> {
        let Start { label, url, sees_actions } = wanted;
        store.verifications.forget(now);
        if label.as_ref().is_some_and(|label| label.chars().count() > limits::VERIFY_LABEL_CHARS) {
            return Err(Refusal::LabelTooLong);
        }
        if url.as_ref().is_some_and(|url| url.chars().count() > limits::VERIFY_FILTER_CHARS) {
            return Err(Refusal::FilterTooLong);
        }
        if store.verifications.open.len() >= limits::VERIFY_SESSIONS {
            let abandoned = store.verifications.open.iter().position(|session| !(caller.is_here)(session.owner.client));
            store.verifications.open.remove(abandoned.ok_or(Refusal::Full)?);
        }
        let scope = Scope {
            url: url.as_deref(),
            errors: limits::VERIFY_BASELINE_ERRORS,
            endpoints: limits::VERIFY_BASELINE_REQUESTS,
            only_failing: true,
            bytes: limits::VERIFY_BASELINE_BYTES,
            ..Scope::KEPT
        };
        let (mut baseline, pages) = (Observed::take(store, scope, now), page_loads(store, 0));
        if !sees_actions {
            baseline.doubt_triggers();
        }
        let (run, cursor) = (store.ids.run().to_owned(), store.cursor());
        let sessions = &mut store.verifications;
        sessions.made += 1;
        sessions.open.push(Session {
            id: format!("{PREFIX}-{run}-{}", sessions.made),
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
        sessions.open.last().ok_or(Refusal::Unknown)
    }

    /// From here on things count as after. Done again it begins anew. When it begins is the owner's to say: a mark set
    /// too early takes the broken code for the fixed one. `force`: another client may say it, too.
    pub fn watch<'s>(
        store: &'s mut Store,
        id: &str,
        caller: &Caller<'_>,
        force: bool,
        now: Timestamp,
    ) -> Result<&'s Session, Refusal> {
        let mark = Mark { at: now, cursor: store.cursor(), refused: store.refused() };
        let place = Self::place(store, id, now)?;
        let loads = page_loads(store, 0);
        let session = store.verifications.open.get(place).ok_or(Refusal::Unknown)?;
        let came_again = session.came_again(store, now);
        let session = store.verifications.open.get_mut(place).ok_or(Refusal::Unknown)?;
        if !force && !caller.may_change(&session.owner) {
            return Err(Refusal::NotYours(caller.calls(&session.owner)));
        }
        session.watch = Some(Watch { mark, loads, came_again });
        session.stage = Stage::Watching;
        Ok(session)
    }

    /// Holds what came after the mark against the baseline. `url` narrows both.
    pub fn compare(
        store: &mut Store,
        id: &str,
        url: Option<&str>,
        now: Timestamp,
    ) -> Result<(Comparison, Coverage), Refusal> {
        let place = Self::place(store, id, now)?;
        let compared = {
            let session = store.verifications.open.get(place).ok_or(Refusal::Unknown)?;
            let watch = session.watch.as_ref().ok_or(Refusal::NotWatching)?;
            session.compared(store, watch, url, now)
        };
        if let Some(session) = store.verifications.open.get_mut(place) {
            session.stage = Stage::Compared;
        }
        Ok(compared)
    }

    pub fn find<'s>(store: &'s mut Store, id: &str, now: Timestamp) -> Result<&'s Session, Refusal> {
        let place = Self::place(store, id, now)?;
        store.verifications.open.get(place).ok_or(Refusal::Unknown)
    }

    /// `force`: also if it belongs to a client that is still here.
    pub fn cancel(
        store: &mut Store,
        id: &str,
        caller: &Caller<'_>,
        force: bool,
        now: Timestamp,
    ) -> Result<Session, Refusal> {
        let place = Self::place(store, id, now)?;
        let session = store.verifications.open.get(place).ok_or(Refusal::Unknown)?;
        if !force && !caller.may_change(&session.owner) {
            return Err(Refusal::NotYours(caller.calls(&session.owner)));
        }
        Ok(store.verifications.open.remove(place))
    }

    /// Where a session is, or what became of it.
    fn place(store: &mut Store, id: &str, now: Timestamp) -> Result<usize, Refusal> {
        store.verifications.forget(now);
        if let Some(place) = store.verifications.open.iter().position(|session| session.id == id) {
            return Ok(place);
        }
        let mut parts = id.splitn(3, '-');
        let (Some(PREFIX), Some(run), Some(number)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Refusal::Unknown);
        };
        Err(match number.parse::<u64>() {
            Ok(number) if run == store.ids.run() && (1..=store.verifications.made).contains(&number) => Refusal::Ended,
            Ok(_) if run != store.ids.run() => Refusal::EarlierRun,
            _ => Refusal::Unknown,
        })
    }
}

impl Session {
    pub fn expires(&self) -> Timestamp {
        Timestamp::from_millis(self.created.millis().saturating_add(LIFE_MILLIS))
    }

    /// Errors of the baseline that came again since it was taken.
    fn came_again(&self, store: &Store, now: Timestamp) -> Vec<(String, Timestamp)> {
        let scope = Scope { url: self.url.as_deref(), after: self.cursor, since: Some(self.created), ..Scope::ALL };
        let since = Observed::take(store, scope, now);
        let again = since.errors.iter().filter_map(|error| {
            let known = self.baseline.find_error(error)?;
            let last = error.triggers.iter().map(|trigger| trigger.at).max()?;
            Some((known.key.clone(), last))
        });
        again.collect()
    }

    fn compared(&self, store: &Store, watch: &Watch, url: Option<&str>, now: Timestamp) -> (Comparison, Coverage) {
        let (own, mark) = (self.url.as_deref(), watch.mark);
        let before = self.baseline.clone().without_noise(&store.noise);
        let ruled_out = before.noise.saturating_sub(self.baseline.noise);
        let after =
            Observed::take(store, Scope { url: own, after: mark.cursor, since: Some(mark.at), ..Scope::ALL }, now);
        // Both filters hold: the session's own when a side is taken, the narrower one after, for both sides alike.
        let (before, after) = Observed::narrowed(before, after, url);
        let filters: Vec<&str> = [own, url].into_iter().flatten().filter(|filter| !filter.is_empty()).collect();
        let mut coverage = Coverage::after(store, mark, &filters);
        let between = Between {
            known_loads: before.page_loads.union(&watch.loads).cloned().collect(),
            old_loads: self.pages.clone(),
            updates: hot_updates(store, self.created, now),
        };
        let known = before.noise;
        let before = before.without_hidden(&after);
        if let hidden @ 1.. = ruled_out + before.noise.saturating_sub(known) {
            coverage.warnings.push(format!(
                "{hidden} failures of the baseline fall under a noise rule that was added since: nothing is said about them"
            ));
        }
        let evidence = Evidence { shows_errors: coverage.would_show_errors(), between };
        let comparison = Comparison::of(&before, &after, &evidence);
        coverage.is_open = comparison.is_open();
        coverage.warnings.extend(comparison.doubts.iter().cloned());
        for (key, last) in &watch.came_again {
            // What came with the error is the code that it came from.
            let later = Timestamp::from_millis(last.millis().saturating_add(1));
            let is_gone = before.errors.iter().find(|error| error.key == *key && after.find_error(error).is_none());
            if let Some(error) = is_gone.filter(|_| runs_old_code(store, mark, &watch.loads, later)) {
                coverage.warnings.push(format!(
                    "{} came again between start and watch, and the page was neither reloaded nor hot-updated since",
                    error.name()
                ));
            }
        }
        let is_still_there = comparison.changes.iter().any(|change| change.outcome != Outcome::Resolved);
        let may_be_old = matches!(comparison.verdict, Verdict::Unchanged | Verdict::Improved) && is_still_there;
        // A page can be well again because its server is. That an error of the page itself is gone is another matter.
        let is_said_gone = comparison.resolved().any(Change::is_error);
        let is_said = coverage.warnings.iter().any(|warning| warning.contains(OLD_CODE));
        if (may_be_old || is_said_gone) && !is_said && runs_old_code(store, mark, &self.pages, self.created) {
            coverage.warnings.push(format!("the page was neither reloaded nor hot-updated since start: it {OLD_CODE}"));
        }
        (comparison, coverage)
    }

    /// What is told of it in a list.
    pub fn brief(&self, caller: &Caller<'_>) -> Map<String, Value> {
        let (console, network) = self.baseline.failures();
        object([
            ("session_id", json!(self.id)),
            ("status", json!(self.stage.name())),
            ("label", json!(self.label)),
            ("url_filter", json!(self.url)),
            ("made_by", json!(caller.calls(&self.owner))),
            ("created_at", json!(self.created)),
            ("watch_started_at", json!(self.watch.as_ref().map(|watch| watch.mark.at))),
            ("expires_at", json!(self.expires())),
            ("baseline_issues", json!(console + network)),
        ])
    }
}
