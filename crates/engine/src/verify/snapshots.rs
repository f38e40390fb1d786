//! Named snapshots of the browser. Each covers a time span: what happened since the same client's previous snapshot of
//! the same origin, or since the buffers were last cleared. Otherwise an error from an hour ago would be in every
//! snapshot, and nothing would ever be resolved.

use std::collections::HashSet;

use serde::Serialize;
use wire::{Timestamp, limits};

use super::answer::{SnapshotBrief, SnapshotSummary};
use super::caller::{Caller, Owner};
use super::coverage::hot_updates;
use super::diff::Diff;
use super::observed::{Observed, Scope, current_page};
use super::page::origin;
use super::repetition::{Between, OLD_CODE};
use crate::session::Session;
use crate::url::path_of;

/// The name of the live state. No snapshot can have it, in upper or lower case.
pub const LIVE: &str = "current";
const LIFE_MILLIS: i64 = limits::SAVED_SNAPSHOT_SECONDS as i64 * 1_000;

/// A named snapshot.
#[derive(Debug)]
pub struct Snapshot {
    /// Its name, unique on the server.
    pub name: String,
    /// The URL filter that it was taken with.
    pub url: Option<String>,
    /// The client that took it.
    pub owner: Owner,
    /// What happened in its time span.
    pub observed: Observed,
    /// The time span that it covers.
    pub window: Window,
    /// The origin of the page in use; empty if there was none.
    origin: String,
    /// The cursor up to which everything is in this snapshot or an earlier one.
    cursor: u64,
}

/// The time span that a snapshot covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct Window {
    /// Its start.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
}

/// Why a snapshot was not taken, found or deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotRefusal {
    /// The name is empty.
    NoName,
    /// The name exceeds its limit.
    NameTooLong,
    /// The URL filter exceeds its limit.
    FilterTooLong,
    /// The name is that of the live state.
    Reserved,
    /// No snapshot has this name; it may have expired.
    Unknown(String),
    /// It belongs to the client of this name.
    NotYours(String),
}

/// The effects of storing a snapshot.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Whether it replaced an older one of the same name.
    pub replaced: bool,
    /// The name of the snapshot that was evicted for it.
    pub evicted: Option<String>,
}

/// The named snapshots, the least recently used first.
#[derive(Debug, Default)]
pub struct Snapshots {
    kept: Vec<Snapshot>,
}

impl Snapshots {
    /// Forgets expired snapshots.
    pub fn forget(&mut self, now: Timestamp) {
        self.kept.retain(|snapshot| now.millis() - snapshot.observed.at.millis() < LIFE_MILLIS);
    }

    /// All snapshots, the latest captured first.
    pub fn list(&self) -> Vec<&Snapshot> {
        let mut all: Vec<&Snapshot> = self.kept.iter().rev().collect();
        all.sort_by_key(|snapshot| std::cmp::Reverse(snapshot.observed.at));
        all
    }

    /// Stores what happened since the previous snapshot. An older one of the same name is replaced, and does not count
    /// as the previous one. It has to belong to the caller or to a client that is gone.
    pub fn capture(
        &mut self,
        session: &Session,
        name: &str,
        url: Option<String>,
        caller: &Caller<'_>,
        now: Timestamp,
    ) -> Result<(SnapshotSummary, Stored), SnapshotRefusal> {
        self.forget(now);
        check_name(name)?;
        check_filter(url.as_deref())?;
        let known = self.kept.iter().position(|snapshot| snapshot.name == name);
        if let Some(known) = known.and_then(|place| self.kept.get(place))
            && !caller.may_change(&known.owner)
        {
            return Err(SnapshotRefusal::NotYours(caller.calls(&known.owner)));
        }
        let of_caller = self.kept.iter().filter(|snapshot| caller.is(&snapshot.owner));
        let latest = of_caller.map(|snapshot| snapshot.cursor).max().unwrap_or(0);
        let origin = origin(current_page(session, url.as_deref(), latest).as_deref());
        let previous = self.kept.iter().filter(|snapshot| {
            let is_of_caller = caller.is(&snapshot.owner) && snapshot.name != name;
            is_of_caller && snapshot.origin == origin && snapshot.url == url
        });
        let previous =
            previous.max_by_key(|snapshot| snapshot.cursor).map(|snapshot| (snapshot.cursor, snapshot.window.to));
        let (after, since) = previous.unzip();
        let scope = Scope {
            url: url.as_deref(),
            after: after.unwrap_or(0),
            since,
            errors: limits::SAVED_SNAPSHOT_ERRORS,
            endpoints: limits::SAVED_SNAPSHOT_REQUESTS,
            bytes: limits::SAVED_SNAPSHOT_BYTES,
            ..Scope::KEPT
        };
        let observed = Observed::take(session, scope, now);
        let window = Window { from: beginning(session, since, now), to: now };
        let summary = SnapshotSummary { window: Some(window), ..observed.summary() };
        let cursor = session.store.cursor();
        let kept = &mut self.kept;
        let mut stored = Stored { replaced: known.is_some(), evicted: None };
        if let Some(place) = known {
            kept.remove(place);
        } else if kept.len() >= limits::SAVED_SNAPSHOTS {
            stored.evicted = Some(kept.remove(0).name);
        }
        let (name, owner) = (name.to_owned(), caller.owner.clone());
        kept.push(Snapshot { name, url, owner, observed, window, origin, cursor });
        Ok((summary, stored))
    }

    /// How `b` differs from `a`; each is a name, or [`LIVE`]. `url` narrows both.
    pub fn compare(
        &mut self,
        session: &Session,
        a: &str,
        b: &str,
        url: Option<&str>,
        now: Timestamp,
    ) -> Result<Diff, SnapshotRefusal> {
        self.forget(now);
        check_filter(url)?;
        let (a, b) = (canonical(a), canonical(b));
        let filters = [self.used(a)?, self.used(b)?];
        // The live state is filtered like the other side.
        let live = filters.iter().flatten().find_map(Clone::clone);
        let named = |name: &str| self.kept.iter().find(|snapshot| snapshot.name == name);
        // The live state covers what happened after the other side.
        let mark = [a, b].into_iter().find_map(named).map(|other| (other.cursor, other.window.to));
        let side = |name: &str| {
            let (observed, window) = match named(name) {
                Some(kept) => (kept.observed.clone(), kept.window),
                None if name == LIVE => {
                    let (after, since) = mark.unzip();
                    let scope = Scope { url: live.as_deref(), after: after.unwrap_or(0), since, ..Scope::ALL };
                    (Observed::take(session, scope, now), Window { from: beginning(session, since, now), to: now })
                }
                None => return Err(SnapshotRefusal::Unknown(name.to_owned())),
            };
            Ok((observed.without_noise(&session.noise), window))
        };
        let ((one, one_window), (other, other_window)) = (side(a)?, side(b)?);
        let one = one.without_hidden(&other);
        let all = [one.len(), other.len()];
        let (one, other) = Observed::narrowed(one, other, url);
        let between = Between {
            known_loads: one.page_loads.union(&other.earlier_loads).cloned().collect(),
            // A fix in the backend needs no new code in the page.
            old_loads: HashSet::new(),
            updates: hot_updates(session, one_window.to, other_window.to),
        };
        let mut diff = Diff::between(&one, &other, &between, [one_window, other_window]);
        let since = match [a, b].into_iter().find(|name| *name != LIVE) {
            _ if session.store.cleared() > mark.map(|(_, to)| to) => " since the buffers were cleared".to_owned(),
            Some(name) => format!(" since \"{name}\" was captured"),
            None => String::new(),
        };
        if one_window.to > other_window.to {
            diff.warnings.push(format!(
                "\"{b}\" is the earlier one: what is called new was there before, what is called resolved came later"
            ));
        } else if other_window.from < one_window.to && one_window.to < other_window.to {
            diff.warnings.push(format!(
                "the windows overlap, so what happened before \"{a}\" was captured is in both: capture both while the same application is in use"
            ));
        }
        if diff.is_error_gone && ran_old_code(session, &one, one_window.to, &other, other_window.to) {
            let since = format!("since \"{a}\" was captured");
            diff.warnings.push(format!("the page was neither reloaded nor hot-updated {since}: it {OLD_CODE}"));
        }
        diff.warnings.extend(lost_entries([(a, &one), (b, &other)]));
        let sides = [(a, &one), (b, &other)].into_iter().zip(all);
        let is_empty = |((name, side), _): &((&str, &Observed), usize)| {
            // If anything is resolved, the side proves it by what was done there.
            side.len() == 0 && (*name != b || diff.summary.resolved_errors == 0)
        };
        let sides: Vec<_> = sides.filter(is_empty).collect();
        for ((name, _), all) in sides {
            diff.is_live_empty |= name == LIVE;
            let why = match (all, live.as_deref().filter(|_| name == LIVE)) {
                (1.., _) => format!("url_filter matched none of the {all} errors and endpoints of \"{name}\""),
                (0, Some(filter)) => format!("\"{name}\" has no error and no request that match \"{filter}\"{since}"),
                (0, None) if name == LIVE => format!("\"{name}\" has no error and no request{since}"),
                (0, None) => format!("\"{name}\" has no error and no request"),
            };
            let warning = format!("{why}: the absence of an error proves nothing");
            if !diff.warnings.contains(&warning) {
                diff.warnings.push(warning);
            }
        }
        if let [Some(one), Some(other)] = &filters
            && one != other
        {
            diff.warnings.push("the two were captured with different url_filters".to_owned());
        }
        Ok(diff)
    }

    /// `force` also deletes the snapshot of another client that is still connected.
    pub fn delete(
        &mut self,
        name: &str,
        caller: &Caller<'_>,
        force: bool,
        now: Timestamp,
    ) -> Result<Snapshot, SnapshotRefusal> {
        self.forget(now);
        check_name(name)?;
        let place = self.kept.iter().position(|snapshot| snapshot.name == name);
        let place = place.ok_or_else(|| SnapshotRefusal::Unknown(name.to_owned()))?;
        match self.kept.get(place) {
            Some(known) if !force && !caller.may_change(&known.owner) => {
                Err(SnapshotRefusal::NotYours(caller.calls(&known.owner)))
            }
            _ => Ok(self.kept.remove(place)),
        }
    }

    /// Marks a snapshot as used and returns its filter; `None` for the live state.
    fn used(&mut self, name: &str) -> Result<Option<Option<String>>, SnapshotRefusal> {
        if name == LIVE {
            return Ok(None);
        }
        check_name(name)?;
        let place = self.kept.iter().position(|snapshot| snapshot.name == name);
        let snapshot = self.kept.remove(place.ok_or_else(|| SnapshotRefusal::Unknown(name.to_owned()))?);
        let url = snapshot.url.clone();
        self.kept.push(snapshot);
        Ok(Some(url))
    }
}

impl Snapshot {
    /// The snapshot as a list shows it.
    pub fn brief(&self, caller: &Caller<'_>) -> SnapshotBrief {
        let (errors, requests) = self.observed.failures();
        SnapshotBrief {
            name: self.name.clone(),
            captured_at: self.observed.at,
            window: self.window,
            page_url: self.observed.page.as_deref().map(|page| path_of(page).to_owned()),
            error_count: errors,
            network_errors: requests,
            url_filter: self.url.clone(),
            made_by: caller.calls(&self.owner),
        }
    }
}

/// Whether everything in the second time span was done in earlier page loads, without any sign of new code since.
fn ran_old_code(session: &Session, one: &Observed, from: Timestamp, other: &Observed, to: Timestamp) -> bool {
    let mut used = other.exercise.page_loads().peekable();
    // Clearing the buffers also removes the signs of new code.
    let is_forgotten = session.store.cleared().is_some_and(|at| at >= from);
    let has_new_code = session.code_changes.iter().any(|change| (from..=to).contains(&change.at));
    used.peek().is_some() && used.all(|load| one.page_loads.contains(load)) && !has_new_code && !is_forgotten
}

/// The start of a time span: the previous snapshot or the last clearing, whichever is later; else the oldest entry.
fn beginning(session: &Session, previous: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let oldest = [
        session.store.logs.iter().next().map(|stored| stored.arrived),
        session.store.network.iter().next().map(|stored| stored.arrived),
        session.store.actions.iter().next().map(|stored| stored.arrived),
    ];
    previous.max(session.store.cleared()).or_else(|| oldest.into_iter().flatten().min()).unwrap_or(now)
}

/// Warnings about entries that were evicted before they could be compared.
fn lost_entries(sides: [(&str, &Observed); 2]) -> Vec<String> {
    let lost = sides.into_iter().flat_map(|(name, side)| {
        let errors = "console entries of \"{}\" left the buffers: errors that are not in it are not called resolved";
        let requests = "requests of \"{}\" left the buffers: they are not compared";
        [(side.lost_errors, errors), (side.lost_requests, requests)]
            .into_iter()
            .filter(|(is_lost, _)| *is_lost)
            .map(move |(_, text)| text.replace("{}", name))
    });
    let mut warnings: Vec<String> = Vec::new();
    for warning in lost {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

fn canonical(name: &str) -> &str {
    if name.trim().eq_ignore_ascii_case(LIVE) { LIVE } else { name }
}

fn check_name(name: &str) -> Result<(), SnapshotRefusal> {
    if name.trim().is_empty() {
        return Err(SnapshotRefusal::NoName);
    }
    if name.chars().count() > limits::SAVED_SNAPSHOT_NAME_CHARS {
        return Err(SnapshotRefusal::NameTooLong);
    }
    if canonical(name) == LIVE { Err(SnapshotRefusal::Reserved) } else { Ok(()) }
}

fn check_filter(url: Option<&str>) -> Result<(), SnapshotRefusal> {
    let is_long = url.is_some_and(|url| url.chars().count() > limits::VERIFY_FILTER_CHARS);
    if is_long { Err(SnapshotRefusal::FilterTooLong) } else { Ok(()) }
}
