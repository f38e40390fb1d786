//! What was exercised in a stretch of time: pages that were used, steps that were taken, requests that were sent, messages
//! that sockets brought.

use std::collections::{HashMap, HashSet};

use wire::{Entry, Timestamp, limits};

use super::heard::Heard;
use super::page::Page;
use super::step::Step;
use super::trigger::{Asked, Trigger, ended, load_of};
use crate::store::{Ring, Store};

/// Requests and messages that are kept.
const REQUESTS: usize = 200;
const MESSAGES: usize = 200;
/// Entries travel for about a second. One that says it is older than this has another clock.
const TRAVEL_MILLIS: i64 = 10_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exercise {
    /// Each page that was used, with the loads of it.
    pages: HashMap<Option<Page>, HashSet<String>>,
    steps: Vec<Done>,
    /// Each with when it was answered last.
    requests: Vec<(Asked, Timestamp)>,
    /// What sockets brought.
    messages: Vec<(Heard, Timestamp)>,
    /// When all of this was looked at.
    now: Timestamp,
}

/// A step, however often it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Done {
    step: Step,
    first: Timestamp,
    last: Timestamp,
    /// The page load that it was taken in last.
    load: Option<String>,
    /// What was typed or chosen, hashed.
    values: Vec<Option<u64>>,
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
/// How long an answer to a repeated step is waited for. The fix may have removed the request.
const ANSWER_MILLIS: i64 = 10_000;
/// Pages report a repeated error once in this time.
const HELD_BACK_MILLIS: i64 = limits::DEDUPE_MILLIS as i64;

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
            if let Some(step) = Step::of(&stored.entry) {
                let load = stored.entry.page_id.as_deref().map(|id| load_of(id).to_owned());
                exercise.did(step, load, stored.entry.time().unwrap_or(stored.arrived));
            }
        }
        for stored in recent(&store.websocket, after, since) {
            if let Some(heard) = Heard::of(&stored.entry)
                && exercise.messages.len() < MESSAGES
                && !exercise.messages.iter().any(|(known, _)| *known == heard)
            {
                exercise.messages.push((heard, stored.entry.time().unwrap_or(stored.arrived)));
            }
        }
        exercise
    }

    fn did(&mut self, step: Step, load: Option<String>, at: Timestamp) {
        match self.steps.iter_mut().find(|known| known.step.is_same(&step)) {
            Some(known) => {
                known.first = known.first.min(at);
                known.values.push(step.value());
                if at > known.last {
                    (known.last, known.load) = (at, load);
                }
            }
            None => {
                let values = vec![step.value()];
                self.steps.push(Done { step, first: at, last: at, load, values });
            }
        }
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
            if let Some(done) = self.steps_again(trigger) {
                return self.since(done.last, done.load.as_deref(), trigger);
            }
            let again = {
                let sent = |asked: &Asked| {
                    let same = self.requests.iter().find(|(known, _)| known.by_user && known.is_same(asked));
                    same.filter(|_| !asked.is_shared()).map(|(_, at)| *at)
                };
                latest(trigger.requests.iter().map(sent))
            };
            return again.map_or(Repeated::No, |at| self.since(at, None, trigger));
        }
        // Something may have led to it that is not known any more.
        if trigger.is_cut {
            return Repeated::No;
        }
        if !trigger.requests.is_empty() || !trigger.messages.is_empty() {
            let sent = |asked: &Asked| self.requests.iter().find(|(known, _)| known.is_same(asked)).map(|(_, at)| *at);
            let heard = |heard: &Heard| self.messages.iter().find(|(known, _)| known == heard).map(|(_, at)| *at);
            let again = latest(trigger.requests.iter().map(sent).chain(trigger.messages.iter().map(heard)));
            return again.map_or(Repeated::No, |at| self.since(at, None, trigger));
        }
        let is_used = self.pages.get(&trigger.page).is_some_and(|loads| {
            // The same load of the page, with the same code, has no reason to fail again; nor has one that ran before.
            let is_new = |load: &String| !between.known_loads.contains(load);
            let is_loaded_again = |id: &String| loads.is_empty() || loads.iter().any(|load| load != id && is_new(load));
            between.has_new_code(trigger.tab) || trigger.page_id.as_ref().is_none_or(is_loaded_again)
        });
        if is_used { Repeated::Yes } else { Repeated::No }
    }

    /// Whether the steps alone were repeated, as [`Exercise::repeats`] does, but without looking at requests.
    pub(super) fn repeats_steps(&self, trigger: &Trigger) -> Repeated {
        let again = self.steps_again(trigger);
        again.map_or(Repeated::No, |done| self.since(done.last, done.load.as_deref(), trigger))
    }

    /// The last step, if it was taken again. All others have to come before it: a form that is filled after it was sent is not
    /// the same form.
    fn steps_again(&self, trigger: &Trigger) -> Option<&Done> {
        let find = |step: &Step| self.steps.iter().find(|known| known.step.is_same(step));
        let (last, others) = trigger.steps.split_first()?;
        let done = find(last)?;
        others.iter().all(|step| find(step).is_some_and(|known| known.first <= done.last)).then_some(done)
    }

    /// Steps of this that were taken again, but never with the same value.
    pub(super) fn other_values<'t>(&self, trigger: &'t Trigger) -> impl Iterator<Item = &'t str> {
        trigger.steps.iter().filter_map(|step| {
            let known = self.steps.iter().find(|known| known.step.is_same(step))?;
            (!known.values.contains(&step.value())).then(|| step.text())
        })
    }

    /// Whether an error that once came some time after something had the time to come again.
    /// `load`: the page load that it happened in again, where that is known.
    fn since(&self, at: Timestamp, load: Option<&str>, trigger: &Trigger) -> Repeated {
        let at = at.millis();
        let mut until = at.saturating_add(trigger.delay).saturating_add(MARGIN_MILLIS);
        if !trigger.steps.is_empty() {
            for asked in &trigger.requests {
                let answered = self.requests.iter().find(|(known, ended)| known.is_same(asked) && ended.millis() >= at);
                until = until.max(match answered {
                    Some((_, ended)) => ended.millis().saturating_add(MARGIN_MILLIS),
                    None => at.saturating_add(ANSWER_MILLIS),
                });
            }
        }
        // Compared backwards, the repetition came before the error, which then held nothing back.
        let held_back = trigger.at.millis()..trigger.at.millis().saturating_add(HELD_BACK_MILLIS);
        let is_same_load = load.is_none() || trigger.page_id.is_none() || load == trigger.page_id.as_deref();
        if is_same_load && held_back.contains(&at) {
            until = until.max(held_back.end.saturating_add(MARGIN_MILLIS));
        }
        let left = until.saturating_sub(self.now.millis());
        if left > 0 { Repeated::Just(left) } else { Repeated::Yes }
    }

    pub(super) fn bytes(&self) -> usize {
        let pages = self
            .pages
            .iter()
            .map(|(page, loads)| page.as_ref().map_or(0, Page::bytes) + loads.iter().map(String::len).sum::<usize>());
        let steps = self.steps.iter().map(|done| done.step.bytes() + done.values.len() * size_of::<u64>());
        let messages = self.messages.iter().map(|(heard, _)| heard.bytes());
        pages.chain(steps).chain(messages).chain(self.requests.iter().map(|(asked, _)| asked.bytes())).sum()
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
    let after = ring.iter().rev().take_while(move |stored| stored.cursor > after);
    after.filter(move |stored| !is_late(stored.entry.time().unwrap_or(stored.arrived), since))
}

/// Whether something happened before this time and was still on its way.
pub(super) fn is_late(at: Timestamp, since: Option<Timestamp>) -> bool {
    since.is_some_and(|since| (1..=TRAVEL_MILLIS).contains(&(since.millis().saturating_sub(at.millis()))))
}
