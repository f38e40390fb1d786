//! What was exercised in a time span: pages that were opened and left, steps that were taken, requests that were sent,
//! messages that sockets received.

use std::collections::{HashMap, HashSet};

use wire::Timestamp;

use super::asked::Asked;
use super::heard::Heard;
use super::late::Late;
use super::likeness::Likeness;
use super::page::{Page, origin};
use super::same::same_address;
use super::step::Step;
use super::trigger::{Trigger, ended};
use crate::entry::Entry;
use crate::session::Session;
use crate::store::{Ring, Stored, load_of};

/// Requests and messages that are kept.
const REQUESTS: usize = 300;
const MESSAGES: usize = 200;
/// How many forms of one request are distinguished by address and content.
const FORMS: usize = 10;
/// Pages of one load that are kept, in the order in which they were shown.
const ROUTE: usize = 50;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Exercise {
    /// Each page that was used, with its loads.
    pages: HashMap<Option<Page>, Vec<Visit>>,
    /// Each page load.
    loads: HashMap<String, Load>,
    /// Different steps, and each time that one of them was taken, the latest first.
    forms: Vec<Step>,
    taken: Vec<Taken>,
    requests: Vec<Sent>,
    messages: Vec<Came>,
    /// Whether requests of this time were evicted.
    pub(super) lost_requests: bool,
    /// When this was computed.
    pub(super) now: Timestamp,
}

/// A load of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Visit {
    /// Senders may omit it.
    pub(super) load: Option<String>,
    pub(super) tab: Option<i64>,
    /// Its first known event.
    pub(super) first: Timestamp,
    /// Hashes of its addresses, with identifiers and queries.
    pub(super) addresses: HashSet<u64>,
}

/// The facts about a page load.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Load {
    tab: Option<i64>,
    origin: String,
    first: Timestamp,
    last: Timestamp,
    /// The pages that it showed with their times, in order. Frames have other addresses and are left out.
    route: Vec<(Timestamp, Page)>,
}

/// A step that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taken {
    /// Its index in the forms.
    form: usize,
    /// A hash of the typed or chosen value.
    value: Option<u64>,
    pub(super) load: Option<String>,
    pub(super) at: Timestamp,
}

/// The steps of a trigger when they were taken again.
#[derive(Debug, Clone)]
pub(super) struct Again<'e> {
    pub(super) last: &'e Taken,
    /// The steps whose target was not quite the same.
    pub(super) near: Vec<&'e Step>,
    /// How the values of its fields differ.
    pub(super) other_fields: Vec<String>,
}

/// A request, which may have been sent several times in one page load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    /// Its forms, the latest first.
    forms: Vec<Asked>,
    pub(super) times: u64,
    pub(super) load: Option<String>,
    /// When it first got a response; `last` is the latest.
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
}

/// A socket message, which may have been received several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Came {
    heard: Heard,
    /// The shapes of its contents.
    contents: HashSet<u64>,
    pub(super) last: Timestamp,
}

impl Came {
    pub(super) fn has_content_of(&self, heard: &Heard) -> bool {
        self.contents.contains(&heard.content)
    }
}

impl Sent {
    pub(super) fn likeness(&self, asked: &Asked) -> Likeness {
        self.forms.iter().map(|form| asked.likeness(form)).max().unwrap_or(Likeness::Other)
    }

    pub(super) fn has_content_of(&self, asked: &Asked) -> bool {
        self.forms.iter().any(|form| form.has_same_content(asked))
    }

    fn by_user(&self) -> bool {
        self.forms.first().is_some_and(|form| form.by_user)
    }

    pub(super) fn has_only_failed(&self) -> bool {
        self.forms.iter().all(|form| form.is_failed)
    }

    /// Whether its last form failed.
    pub(super) fn is_failed(&self) -> bool {
        self.forms.first().is_some_and(|form| form.is_failed)
    }
}

impl Exercise {
    /// What happened after this cursor. Events from before `since` that arrived late are left out.
    pub(super) fn taken(session: &Session, after: u64, since: Option<Timestamp>, now: Timestamp) -> Self {
        let mut exercise = Self { now, ..Self::default() };
        let noise = &session.noise;
        let late = &Late::from_session(session, since);
        let ahead = &Ahead::from_session(session);
        for stored in recent(&session.store.actions, after, late) {
            exercise.visited(stored, stored.entry.url.as_deref(), ahead);
            exercise.did(Step::from_action(&stored.entry), load(stored), ahead.settled(stored, time(stored)));
        }
        for stored in recent(&session.store.dom_snapshots, after, late) {
            exercise.visited(stored, Some(&stored.entry.url), ahead);
        }
        for stored in
            recent(&session.store.network, after, late).filter(|stored| noise.rule_for(&stored.entry).is_none())
        {
            exercise.visited(stored, stored.entry.page_url.as_deref(), ahead);
            exercise.sent(Asked::from_request(&stored.entry), load(stored), ahead.settled(stored, ended(stored)));
        }
        // Messages of development servers come with the edit and are not use.
        for stored in recent(&session.store.logs, after, late).filter(|stored| noise.rule_for(&stored.entry).is_none())
        {
            exercise.visited(stored, stored.entry.url.as_deref(), ahead);
        }
        for stored in recent(&session.store.websocket, after, late) {
            if let Some(heard) = Heard::from_event(&stored.entry) {
                exercise.heard(heard, ahead.settled(stored, time(stored)));
            }
        }
        for load in exercise.loads.values_mut() {
            load.route.sort_by_key(|(at, _)| *at);
            load.route.dedup_by(|later, earlier| later.1 == earlier.1);
            load.route.drain(..load.route.len().saturating_sub(ROUTE));
        }
        exercise.taken.sort_by_key(|taken| std::cmp::Reverse(taken.at));
        exercise
    }

    fn visited<T: Entry>(&mut self, stored: &Stored<T>, url: Option<&str>, ahead: &Ahead) {
        let (load, at, tab) = (load(stored), ahead.settled(stored, time(stored)), stored.entry.tab_id());
        let page = url.map(Page::from_url);
        if let Some(load) = &load {
            let known = self.loads.entry(load.clone()).or_insert_with(|| Load { first: at, ..Load::default() });
            (known.first, known.last) = (known.first.min(at), known.last.max(at));
            known.tab = known.tab.or(tab);
            let is_of_frame = stored.entry.page_id() != Some(load.as_str());
            if let Some(page) = page.clone().filter(|_| !is_of_frame) {
                known.origin = origin(url);
                known.route.push((at, page));
            }
        }
        let visits = self.pages.entry(page).or_default();
        let known = visits.iter().position(|visit| visit.load == load);
        let place = known.unwrap_or(visits.len());
        if known.is_none() {
            visits.push(Visit { load, tab, first: at, addresses: HashSet::new() });
        }
        if let Some(visit) = visits.get_mut(place) {
            visit.first = visit.first.min(at);
            visit.tab = visit.tab.or(tab);
            if visit.addresses.len() < FORMS {
                visit.addresses.extend(url.map(same_address));
            }
        }
    }

    fn did(&mut self, step: Step, load: Option<String>, at: Timestamp) {
        let value = step.value();
        let known = self.forms.iter().position(|known| known.likeness(&step) == Likeness::Same);
        let form = known.unwrap_or(self.forms.len());
        if known.is_none() {
            self.forms.push(step);
        }
        self.taken.push(Taken { form, value, load, at });
    }

    /// Adds a request. They come newest first.
    fn sent(&mut self, asked: Asked, load: Option<String>, at: Timestamp) {
        let is_full = self.requests.len() >= REQUESTS;
        let known = self.requests.iter_mut().find(|known| {
            let is_like = known.forms.first().is_some_and(|form| form.is_same(&asked) && form.by_user == asked.by_user);
            is_like && known.load == load
        });
        match known {
            Some(known) => {
                known.times += 1;
                (known.first, known.last) = (known.first.min(at), known.last.max(at));
                if known.forms.len() < FORMS && !known.forms.contains(&asked) {
                    known.forms.push(asked);
                }
            }
            None if !is_full => {
                self.requests.push(Sent { forms: vec![asked], times: 1, load, first: at, last: at });
            }
            None => {}
        }
    }

    /// Adds a message. They come newest first.
    fn heard(&mut self, heard: Heard, at: Timestamp) {
        if let Some(known) = self.messages.iter_mut().find(|known| known.heard.is_same(&heard)) {
            if known.contents.len() < FORMS {
                known.contents.insert(heard.content);
            }
        } else if self.messages.len() < MESSAGES {
            self.messages.push(Came { contents: HashSet::from([heard.content]), heard, last: at });
        }
    }

    /// Each time that all steps of a trigger were taken again, the latest first. The other steps have to precede the
    /// last one: filling a form after it was submitted is not the same. If the steps belonged to one page load, they
    /// have to again.
    pub(super) fn steps_again<'e>(&'e self, trigger: &'e Trigger) -> impl Iterator<Item = Again<'e>> {
        let last = trigger.steps.first();
        let all = self.taken.iter().filter_map(move |taken| Some((taken, last?)));
        let all = all.filter(|(taken, last)| self.likeness(taken, last) > Likeness::Other);
        all.filter_map(move |(taken, last)| self.all_steps(trigger, taken, last))
    }

    /// All steps of a trigger, with this one as the last.
    fn all_steps<'e>(&'e self, trigger: &'e Trigger, last: &'e Taken, step: &'e Step) -> Option<Again<'e>> {
        let mut near: Vec<&Step> = Vec::new();
        near.extend((self.likeness(last, step) == Likeness::Near).then_some(step));
        // A step that was taken counts for one step only.
        let mut used = vec![last];
        for step in trigger.steps.iter().skip(1) {
            let before =
                self.before(trigger, last, step).filter(|taken| !used.iter().any(|one| std::ptr::eq(*one, *taken)));
            // A field has the value that was typed last.
            let found = if step.is_field() {
                before.max_by_key(|taken| taken.at)
            } else {
                before.max_by_key(|taken| (self.likeness(taken, step), taken.at))
            };
            let found = found?;
            near.extend((self.likeness(found, step) == Likeness::Near).then_some(step));
            used.push(found);
        }
        Some(Again { last, near, other_fields: self.other_fields(trigger, last) })
    }

    /// The times that a step like this was taken before the last one, in the same page load if the trigger requires
    /// that.
    fn before<'e>(&'e self, trigger: &Trigger, last: &'e Taken, step: &'e Step) -> impl Iterator<Item = &'e Taken> {
        let is_of_one_load = trigger.is_of_one_load;
        let before = self.taken.iter().filter(move |taken| taken.at <= last.at);
        let of_load = before.filter(move |taken| !is_of_one_load || taken.load == last.load);
        of_load.filter(|taken| self.likeness(taken, step) > Likeness::Other)
    }

    fn likeness(&self, taken: &Taken, step: &Step) -> Likeness {
        let Some(form) = self.forms.get(taken.form) else { return Likeness::Other };
        match step.likeness(form) {
            Likeness::Other if form.is_of_next_row(step) => Likeness::Near,
            likeness => likeness,
        }
    }

    /// How the values of its fields differ.
    fn other_fields(&self, trigger: &Trigger, last: &Taken) -> Vec<String> {
        let differs = |step: &Step| {
            let filled = self.before(trigger, last, step).max_by_key(|taken| taken.at);
            match filled {
                None => Some(format!("{} was not repeated", step.text())),
                Some(filled) if filled.value != step.value() => {
                    Some(format!("{} was repeated with another value", step.text()))
                }
                Some(_) => None,
            }
        };
        trigger.fields().filter_map(differs).collect()
    }

    /// Whether the step was taken at all.
    pub(super) fn has_step(&self, step: &Step) -> bool {
        self.taken.iter().any(|taken| self.likeness(taken, step) > Likeness::Other)
    }

    /// Whether another step was taken on this step's page, but none of the known ones.
    pub(super) fn has_other_step_beside(&self, step: &Step, known: &[&Step]) -> bool {
        let forms = self.taken.iter().filter_map(|taken| self.forms.get(taken.form));
        let others = forms.filter(|form| !form.is_field() && !form.is_weak() && form.page() == step.page());
        others.filter(|form| !known.iter().any(|known| known.is_same(form))).count() > 0
    }

    /// The page loads in which anything was done.
    pub(super) fn page_loads(&self) -> impl Iterator<Item = &str> {
        self.loads.keys().map(String::as_str)
    }

    /// The browser tab of a page load.
    pub(super) fn tab_of(&self, load: &str) -> Option<i64> {
        self.loads.get(load)?.tab
    }

    /// When, after this time, a page load stopped showing any of these pages: another load came into its tab, or it
    /// navigated to another page.
    pub(super) fn left(&self, load: &str, pages: &[&Page], from: Timestamp) -> Option<Timestamp> {
        let own = self.loads.get(load)?;
        // Pages that only frames show are not in the route.
        let is_known = own.route.iter().any(|(_, page)| pages.contains(&page));
        let went_on = own.route.iter().find(|(at, page)| is_known && *at > from && !pages.contains(&page));
        let is_next = |(name, other): &(&String, &Load)| {
            let is_of_tab = other.tab == own.tab && (own.tab.is_some() || other.origin == own.origin);
            // Without tabs, two pages may be open at once.
            name.as_str() != load && is_of_tab && other.first > from.max(own.first) && other.first >= own.last
        };
        let replaced = self.loads.iter().filter(is_next).map(|(_, other)| other.first).min();
        went_on.map(|(at, _)| *at).into_iter().chain(replaced).min()
    }

    /// The request that is most like this one; among equals, the latest.
    pub(super) fn request(&self, asked: &Asked, admits: impl Fn(&Sent) -> bool) -> Option<&Sent> {
        let meant = self.requests.iter().filter(|sent| sent.likeness(asked) > Likeness::Other && admits(sent));
        meant.max_by_key(|sent| (sent.likeness(asked), sent.last))
    }

    /// The same, sent by the handler of a user event.
    pub(super) fn request_by_user(&self, asked: &Asked) -> Option<&Sent> {
        self.request(asked, Sent::by_user)
    }

    pub(super) fn message(&self, heard: &Heard) -> Option<&Came> {
        self.messages.iter().find(|known| known.heard.is_same(heard))
    }

    pub(super) fn visits(&self, page: &Option<Page>) -> &[Visit] {
        self.pages.get(page).map_or(&[], Vec::as_slice)
    }

    pub(super) fn bytes(&self) -> usize {
        let pages = self.pages.iter().map(|(page, visits)| {
            let visits = visits
                .iter()
                .map(|visit| visit.load.as_ref().map_or(0, String::len) + visit.addresses.len() * size_of::<u64>());
            page.as_ref().map_or(0, Page::bytes) + visits.sum::<usize>()
        });
        let taken = self.taken.iter().map(|taken| taken.load.as_ref().map_or(0, String::len) + size_of::<Taken>());
        let steps = self.forms.iter().map(Step::bytes).chain(taken);
        let loads = self.loads.iter().map(|(name, load)| {
            let route = load.route.iter().map(|(_, page)| page.bytes() + size_of::<Timestamp>());
            name.len() + load.origin.len() + size_of::<Load>() + route.sum::<usize>()
        });
        let requests = self.requests.iter().flat_map(|sent| &sent.forms).map(Asked::bytes);
        let messages = self.messages.iter().map(|came| came.heard.bytes() + came.contents.len() * size_of::<u64>());
        pages.chain(steps).chain(loads).chain(requests).chain(messages).sum()
    }
}

/// How far the clocks of page loads are ahead of the server's: nothing can happen after it arrived.
#[derive(Debug, Default)]
struct Ahead {
    millis: HashMap<String, i64>,
}

impl Ahead {
    fn from_session(session: &Session) -> Self {
        let mut ahead = Self::default();
        let store = &session.store;
        store.network.iter().for_each(|stored| ahead.add(stored));
        store.logs.iter().for_each(|stored| ahead.add(stored));
        store.actions.iter().for_each(|stored| ahead.add(stored));
        store.websocket.iter().for_each(|stored| ahead.add(stored));
        store.dom_snapshots.iter().for_each(|stored| ahead.add(stored));
        ahead
    }

    fn add<T: Entry>(&mut self, stored: &Stored<T>) {
        let millis = time(stored).millis().saturating_sub(stored.arrived.millis());
        if let Some(load) = load(stored).filter(|_| millis > 0) {
            let known = self.millis.entry(load).or_default();
            *known = millis.max(*known);
        }
    }

    /// A time of a page's clock, converted to the server's.
    fn settled<T: Entry>(&self, stored: &Stored<T>, at: Timestamp) -> Timestamp {
        let own = || time(stored).millis().saturating_sub(stored.arrived.millis()).max(0);
        let ahead = load(stored).map_or_else(own, |load| self.millis.get(&load).copied().unwrap_or(0));
        Timestamp::from_millis(at.millis().saturating_sub(ahead))
    }
}

fn load<T: Entry>(stored: &Stored<T>) -> Option<String> {
    stored.entry.page_id().map(|id| load_of(id).to_owned())
}

fn time<T: Entry>(stored: &Stored<T>) -> Timestamp {
    stored.entry.at()
}

fn recent<'s, T: Entry>(ring: &'s Ring<T>, after: u64, late: &'s Late) -> impl Iterator<Item = &'s Stored<T>> {
    let after = ring.iter().rev().take_while(move |stored| stored.cursor > after);
    after.filter(|stored| !late.is(time(stored), stored.entry.page_id()))
}
