//! What was exercised in a stretch of time: pages that were used, steps that were taken, requests that were sent.

use std::collections::{HashMap, HashSet};

use wire::{Entry, Timestamp};

use super::page::Page;
use super::step::Step;
use super::trigger::{Asked, Trigger, load_of};
use crate::store::{Ring, Store};

/// Requests that are kept.
const REQUESTS: usize = 200;
/// Entries travel for about a second. One that says it is older than this has another clock.
const TRAVEL_MILLIS: i64 = 10_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exercise {
    /// Each page that was used, with the loads of it.
    pages: HashMap<Option<Page>, HashSet<String>>,
    steps: Vec<Step>,
    requests: Vec<Asked>,
}

impl Exercise {
    /// What came after this cursor, but for what was done before this time and was still on its way.
    pub(super) fn taken(store: &Store, after: u64, since: Option<Timestamp>) -> Self {
        let mut exercise = Self::default();
        let noise = &store.noise;
        exercise.visit(&store.actions, (after, since), |entry| (&entry.url, &entry.page_id));
        exercise.visit(&store.dom_snapshots, (after, since), |entry| (&entry.url, &entry.page_id));
        for stored in recent(&store.network, after, since).filter(|stored| noise.of(&stored.entry).is_none()) {
            exercise.visited(stored.entry.page_url.as_deref(), stored.entry.page_id.as_deref());
            if let Some(asked) = Asked::of(&stored.entry)
                && exercise.requests.len() < REQUESTS
                && !exercise.requests.iter().any(|known| known.is_same(&asked) && known.by_user == asked.by_user)
            {
                exercise.requests.push(asked);
            }
        }
        // Chatter of development servers comes with the edit and is not use.
        for stored in recent(&store.logs, after, since).filter(|stored| noise.of(&stored.entry).is_none()) {
            exercise.visited(stored.entry.url.as_deref(), stored.entry.page_id.as_deref());
        }
        for stored in recent(&store.actions, after, since) {
            if let Some(step) = Step::of(&stored.entry)
                && !exercise.steps.iter().any(|known| known.is_same(&step))
            {
                exercise.steps.push(step);
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

    /// Whether what led to an error happened again. `has_new_code`: pages received new code without being loaded again.
    pub(super) fn repeats(&self, trigger: &Trigger, has_new_code: bool) -> bool {
        if !trigger.steps.is_empty() {
            let is_sent = |asked: &Asked| self.requests.iter().any(|known| known.by_user && known.is_same(asked));
            return trigger.steps.iter().all(|step| self.steps.iter().any(|known| known.is_same(step)))
                || (!trigger.requests.is_empty() && trigger.requests.iter().all(is_sent));
        }
        // Something may have led to it that is not known any more.
        if trigger.is_cut {
            return false;
        }
        if !trigger.requests.is_empty() {
            let is_sent = |asked: &Asked| self.requests.iter().any(|known| known.is_same(asked));
            return trigger.requests.iter().all(is_sent);
        }
        self.pages.get(&trigger.page).is_some_and(|loads| {
            // The same load of the page, with the same code, has no reason to fail again.
            let is_loaded_again = |id: &String| loads.is_empty() || loads.iter().any(|load| load != id);
            has_new_code || trigger.page_id.as_ref().is_none_or(is_loaded_again)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        let pages = self
            .pages
            .iter()
            .map(|(page, loads)| page.as_ref().map_or(0, Page::bytes) + loads.iter().map(String::len).sum::<usize>());
        let steps = self.steps.iter().map(Step::bytes);
        pages.chain(steps).chain(self.requests.iter().map(Asked::bytes)).sum()
    }
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
