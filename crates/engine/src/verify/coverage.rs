//! How far what came after `watch` can be trusted: was the page used at all, is everything still here, did it run the
//! new code. That an error was not seen means little where nobody looked.

use std::collections::HashSet;

use wire::Timestamp;

use crate::code_changes::ChangeKind;
use crate::code_changes::hot_update;
use crate::entry::Entry;
use crate::session::Session;
use crate::store::Ring;
use crate::url::path_of;

/// How sure a verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Trust {
    High,
    /// Something is missing from what came after.
    Low,
    /// Nothing came after.
    None,
}

impl Trust {
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Low => "low",
            Self::None => "none",
        }
    }
}

/// Where the after-window begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: Timestamp,
    pub(super) cursor: u64,
    /// Entries refused by then for lack of memory.
    pub(super) refused: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Something was done on the page, or it did something: within the filters, if there are any.
    pub was_used: bool,
    /// Entries that came, whatever the filters mean.
    pub captured: usize,
    /// Console entries are missing, so that an error is not seen tells nothing.
    pub lost_errors: bool,
    /// What was not exercised is all that is left of the issues.
    pub is_open: bool,
    pub warnings: Vec<String>,
}

impl Coverage {
    pub fn trust(&self) -> Trust {
        match (self.was_used, self.warnings.is_empty() && !self.is_open) {
            (false, _) => Trust::None,
            (true, true) => Trust::High,
            (true, false) => Trust::Low,
        }
    }

    /// Whether an error that did not come again is gone.
    pub(super) fn would_show_errors(&self) -> bool {
        self.was_used && !self.lost_errors
    }

    /// All of `filters` hold.
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
                    "so many {name} came after watch that the first of them had to go: they are not compared"
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

/// The page loads that entries after this cursor came from, the newest.
pub(super) fn page_loads(session: &Session, after: u64) -> HashSet<String> {
    session.store.page_loads(|cursor| cursor > after)
}

/// The same of entries that came by then.
pub(super) fn page_loads_by(session: &Session, last: u64) -> HashSet<String> {
    session.store.page_loads(|cursor| cursor <= last)
}

/// Whether pages received new code since then.
pub(super) fn has_new_code(session: &Session, since: Timestamp) -> bool {
    session.code_changes.iter().any(|change| change.at >= since)
}

/// The tabs whose pages received new code in this time without being loaded again, and when.
pub(super) fn hot_updates(session: &Session, from: Timestamp, to: Timestamp) -> Vec<(Option<i64>, Timestamp)> {
    let updates = session.code_changes.iter().filter(|change| change.kind == ChangeKind::HotUpdate);
    updates.filter(|change| (from..=to).contains(&change.at)).map(|change| (change.tab, change.at)).collect()
}

/// Whether the pages that were used after `watch` are all older than the session and nothing told of new code since.
pub(super) fn runs_old_code(session: &Session, mark: Mark, known: &HashSet<String>, since: Timestamp) -> bool {
    let used = page_loads(session, mark.cursor);
    let is_told = has_new_code(session, since);
    // Clearing forgets what was told.
    let is_forgotten = session.store.cleared().is_some_and(|at| at >= since);
    !used.is_empty() && used.is_subset(known) && !is_told && !is_forgotten
}

/// Entries that show that a page was used. Chatter of development servers is not use: it comes with the edit.
struct Used<'f> {
    cursor: u64,
    filters: &'f [&'f str],
    all: usize,
    /// Those that the filters mean.
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
            // A load has a path and no host.
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
