//! What was exercised in a stretch of time: pages that were used, steps that were taken, requests that were sent.

use std::collections::{HashMap, HashSet};

use wire::{Entry, Timestamp};

use super::page::Page;
use super::step::Step;
use super::trigger::{Asked, Trigger, ended, load_of};
use crate::store::{Ring, Store};

/// Requests that are kept.
const REQUESTS: usize = 200;
/// Entries travel for about a second. One that says it is older than this has another clock.
const TRAVEL_MILLIS: i64 = 10_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exercise {
    /// Each page that was used, with the loads of it.
    pages: HashMap<Option<Page>, HashSet<String>>,
    /// Each with when it was done last.
    steps: Vec<(Step, Timestamp)>,
    /// Each with when it was answered last.
    requests: Vec<(Asked, Timestamp)>,
    /// When all of this was looked at.
    now: Timestamp,
}

/// What is known of the time between two states, besides what was done in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Between {
    /// Page loads that ran before it already.
    pub(super) known_loads: HashSet<String>,
    /// Tabs that received new code without being loaded again.
    pub(super) tabs_with_new_code: HashSet<Option<i64>>,
}

impl Between {
    fn has_new_code(&self, tab: Option<i64>) -> bool {
        let changed = &self.tabs_with_new_code;
        !changed.is_empty() && (tab.is_none() || changed.contains(&None) || changed.contains(&tab))
    }
}

/// Whether what led to an error happened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    No,
    /// It did, and the error may still come: this many milliseconds are left.
    Just(i64),
    Yes,
}

/// Errors travel for about a second, and machines stall.
const MARGIN_MILLIS: i64 = 1_000;

impl Exercise {
    /// What came after this cursor, but for what was done before this time and was still on its way.
    pub(super) fn taken(store: &Store, after: u64, since: Option<Timestamp>, now: Timestamp) -> Self {
        let mut exercise = Self { now, ..Self::default() };
        let noise = &store.noise;
        exercise.visit(&store.actions, (after, since), |entry| (&entry.url, &entry.page_id));
        exercise.visit(&store.dom_snapshots, (after, since), |entry| (&entry.url, &entry.page_id));
        for stored in recent(&store.network, after, since).filter(|stored| noise.of(&stored.entry).is_none()) {
            exercise.visited(stored.entry.page_url.as_deref(), stored.entry.page_id.as_deref());
            if let Some(asked) = Asked::of(&stored.entry)
                && exercise.requests.len() < REQUESTS
                && !exercise.requests.iter().any(|(known, _)| known.is_same(&asked) && known.by_user == asked.by_user)
            {
                exercise.requests.push((asked, ended(stored)));
            }
        }
        // Chatter of development servers comes with the edit and is not use.
        for stored in recent(&store.logs, after, since).filter(|stored| noise.of(&stored.entry).is_none()) {
            exercise.visited(stored.entry.url.as_deref(), stored.entry.page_id.as_deref());
        }
        for stored in recent(&store.actions, after, since) {
            if let Some(step) = Step::of(&stored.entry)
                && !exercise.steps.iter().any(|(known, _)| known.is_same(&step))
            {
                exercise.steps.push((step, stored.entry.time().unwrap_or(stored.arrived)));
            }
        }
        exercise
    }

    fn visit<T: Entry>(
        &mut self,
        ring: &Ring<T>,
        (after, since): (u64, Option<Timestamp>),
        page: impl Fn(&T) -> (&Option<String>, &Option<String>),
    ) {
        for stored in recent(ring, after, since) {
            let (url, page_id) = page(&stored.entry);
            self.visited(url.as_deref(), page_id.as_deref());
        }
    }

    fn visited(&mut self, url: Option<&str>, page_id: Option<&str>) {
        let loads = self.pages.entry(url.map(Page::of)).or_default();
        loads.extend(page_id.map(|id| load_of(id).to_owned()));
    }

    pub(super) fn repeats(&self, trigger: &Trigger, between: &Between) -> Repeated {
        if !trigger.steps.is_empty() {
            let done = |step: &Step| self.steps.iter().find(|(known, _)| known.is_same(step)).map(|(_, at)| *at);
            let sent = |asked: &Asked| {
                let same = self.requests.iter().find(|(known, _)| known.by_user && known.is_same(asked));
                same.filter(|_| !asked.is_shared()).map(|(_, at)| *at)
            };
            let again = latest(trigger.steps.iter().map(done)).or_else(|| latest(trigger.requests.iter().map(sent)));
            return again.map_or(Repeated::No, |at| self.since(at, trigger.delay));
        }
        // Something may have led to it that is not known any more.
        if trigger.is_cut {
            return Repeated::No;
        }
        if !trigger.requests.is_empty() {
            let sent = |asked: &Asked| self.requests.iter().find(|(known, _)| known.is_same(asked)).map(|(_, at)| *at);
            let again = latest(trigger.requests.iter().map(sent));
            return again.map_or(Repeated::No, |at| self.since(at, trigger.delay));
        }
        let is_used = self.pages.get(&trigger.page).is_some_and(|loads| {
            // The same load of the page, with the same code, has no reason to fail again; nor has one that ran before.
            let is_new = |load: &String| !between.known_loads.contains(load);
            let is_loaded_again = |id: &String| loads.is_empty() || loads.iter().any(|load| load != id && is_new(load));
            between.has_new_code(trigger.tab) || trigger.page_id.as_ref().is_none_or(is_loaded_again)
        });
        if is_used { Repeated::Yes } else { Repeated::No }
    }

    /// Whether an error that once came so long after something had the time to come again.
    fn since(&self, at: Timestamp, delay: i64) -> Repeated {
        let left = delay + MARGIN_MILLIS - self.now.millis().saturating_sub(at.millis());
        if left > 0 { Repeated::Just(left) } else { Repeated::Yes }
    }

    pub(super) fn bytes(&self) -> usize {
        let pages = self
            .pages
            .iter()
            .map(|(page, loads)| page.as_ref().map_or(0, Page::bytes) + loads.iter().map(String::len).sum::<usize>());
        let steps = self.steps.iter().map(|(step, _)| step.bytes());
        pages.chain(steps).chain(self.requests.iter().map(|(asked, _)| asked.bytes())).sum()
    }
}

/// When the last of them was, if there are any and all of them were.
fn latest(times: impl Iterator<Item = Option<Timestamp>>) -> Option<Timestamp> {
    times.collect::<Option<Vec<Timestamp>>>()?.into_iter().max()
}

fn recent<T: Entry>(
    ring: &Ring<T>,
    after: u64,
    since: Option<Timestamp>,
) -> impl Iterator<Item = &crate::store::Stored<T>> {
    let is_late = move |at: Timestamp| {
        since.is_some_and(|since| (1..=TRAVEL_MILLIS).contains(&(since.millis().saturating_sub(at.millis()))))
    };
    let after = ring.iter().rev().take_while(move |stored| stored.cursor > after);
    after.filter(move |stored| !is_late(stored.entry.time().unwrap_or(stored.arrived)))
}
