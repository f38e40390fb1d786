//! How far the data captured after `watch` can be trusted: whether the page was used, whether all entries are still
//! stored, and whether it ran the new code. That an error was not captured means little if nobody used the page.

use std::collections::HashSet;

use wire::Timestamp;

use crate::code_changes::ChangeKind;
use crate::code_changes::hot_update;
use crate::entry::Entry;
use crate::session::Session;
use crate::store::Ring;
use crate::url::path_of;

/// How well the captured data supports a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Trust {
    /// Nothing is missing.
    High,
    /// Some data from after the change is missing.
    Low,
    /// No data was captured after the change.
    None,
}

impl Trust {
    /// The word that answers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Low => "low",
            Self::None => "none",
        }
    }
}

/// The start of the time after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: Timestamp,
    pub(super) cursor: u64,
    /// Entries that were refused for lack of memory until then.
    pub(super) refused: u64,
}

/// What was captured after `watch`, and what is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Whether the page was used or did something, within the filters if there are any.
    pub was_used: bool,
    /// Captured entries, whatever the filters select.
    pub captured: usize,
    /// Whether console entries are missing, so that the absence of an error proves nothing.
    pub lost_errors: bool,
    /// Whether the only issues left are those that were not exercised.
    pub is_open: bool,
    /// What may make the verdict wrong.
    pub warnings: Vec<String>,
}

impl Coverage {
    /// How well the captured data supports a verdict.
    pub fn trust(&self) -> Trust {
        match (self.was_used, self.warnings.is_empty() && !self.is_open) {
            (false, _) => Trust::None,
            (true, true) => Trust::High,
            (true, false) => Trust::Low,
        }
    }

    /// Whether an error that did not happen again is gone.
    pub(super) fn would_show_errors(&self) -> bool {
        self.was_used && !self.lost_errors
    }

    /// The coverage since `mark`, for entries that match all `filters`.
    pub(super) fn after(session: &Session, mark: Mark, filters: &[&str]) -> Self {
        let mut warnings = Vec::new();
        for (name, overflowed, cleared) in [
            (
                "console entries",
                session.store.logs.overflowed_after(mark.cursor),
                session.store.logs.cleared_after(mark.cursor),
            ),
            (
                "requests",
                session.store.network.overflowed_after(mark.cursor),
                session.store.network.cleared_after(mark.cursor),
            ),
        ] {
            if overflowed {
                warnings.push(format!(
                    "so many {name} came after watch that the first of them were evicted: they are not compared"
                ));
            }
            if cleared {
                warnings.push(format!("{name} that came after watch were cleared: they are not compared"));
            }
        }
        if let refused @ 1.. = session.store.refused().saturating_sub(mark.refused) {
            warnings
                .push(format!("{refused} entries were refused after watch for lack of memory: they are not compared"));
        }
        let lost_errors =
            session.store.logs.overflowed_after(mark.cursor) || session.store.logs.cleared_after(mark.cursor);
        let used = Used::after(session, mark.cursor, filters);
        Self { was_used: used.meant > 0, captured: used.all, lost_errors, is_open: false, warnings }
    }
}

/// The page loads of the entries after this cursor, the newest.
pub(super) fn page_loads(session: &Session, after: u64) -> HashSet<String> {
    session.store.page_loads(|cursor| cursor > after)
}

/// The same for entries up to a cursor.
pub(super) fn page_loads_by(session: &Session, last: u64) -> HashSet<String> {
    session.store.page_loads(|cursor| cursor <= last)
}

/// Whether pages have received new code since that time.
pub(super) fn has_new_code(session: &Session, since: Timestamp) -> bool {
    session.code_changes.iter().any(|change| change.at >= since)
}

/// The tabs whose pages received new code in this time without being reloaded, and when.
pub(super) fn hot_updates(session: &Session, from: Timestamp, to: Timestamp) -> Vec<(Option<i64>, Timestamp)> {
    let updates = session.code_changes.iter().filter(|change| change.kind == ChangeKind::HotUpdate);
    updates.filter(|change| (from..=to).contains(&change.at)).map(|change| (change.tab, change.at)).collect()
}

/// Whether all pages used after `watch` are older than the session, without any sign of new code since.
pub(super) fn runs_old_code(session: &Session, mark: Mark, known: &HashSet<String>, since: Timestamp) -> bool {
    let used = page_loads(session, mark.cursor);
    let is_new_code = has_new_code(session, since);
    // Clearing the buffers also removes the signs of new code.
    let is_forgotten = session.store.cleared().is_some_and(|at| at >= since);
    !used.is_empty() && used.is_subset(known) && !is_new_code && !is_forgotten
}

/// Entries that show that a page was used. Messages of development servers do not count: they come with the edit.
struct Used<'f> {
    cursor: u64,
    filters: &'f [&'f str],
    all: usize,
    /// Entries that the filters select.
    meant: usize,
}

impl<'f> Used<'f> {
    fn after(session: &Session, cursor: u64, filters: &'f [&'f str]) -> Self {
        let mut used = Self { cursor, filters, all: 0, meant: 0 };
        let noise = &session.noise;
        used.add(&session.store.actions, |entry| [entry.url.as_deref(), entry.to_url.as_deref()], |_| true);
        used.add(&session.store.dom_snapshots, |entry| [Some(&entry.url), None], |_| true);
        used.add(
            &session.store.network,
            |entry| [Some(&entry.url), entry.page_url.as_deref()],
            |entry| noise.rule_for(entry).is_none(),
        );
        used.add(
            &session.store.logs,
            |entry| [entry.url.as_deref(), entry.request_url.as_deref()],
            |entry| noise.rule_for(entry).is_none(),
        );
        let is_no_update = |data: Option<&str>| data.and_then(hot_update::of_socket).is_none();
        used.add(
            &session.store.websocket,
            |entry| [entry.url.as_deref(), None],
            |entry| is_no_update(entry.data.as_deref()),
        );
        for page in session.store.performance.iter().filter(|page| page.cursor > cursor) {
            // A page load has a path without a host.
            let path = |part: &'f str| if part.contains("://") { path_of(part) } else { part };
            used.count(|part| page.latest.url.contains(path(part)));
        }
        used
    }

    fn add<T: Entry>(
        &mut self,
        ring: &Ring<T>,
        addresses: impl for<'e> Fn(&'e T) -> [Option<&'e str>; 2],
        counts: impl Fn(&T) -> bool,
    ) {
        let after = ring.iter().rev().take_while(|stored| stored.cursor > self.cursor);
        let entries: Vec<&T> = after.map(|stored| &stored.entry).filter(|entry| counts(entry)).collect();
        for entry in entries {
            self.count(|part| addresses(entry).into_iter().flatten().any(|address| address.contains(part)));
        }
    }

    fn count(&mut self, mut is_meant: impl FnMut(&'f str) -> bool) {
        self.all += 1;
        self.meant += usize::from(self.filters.iter().all(|part| is_meant(part)));
    }
}
