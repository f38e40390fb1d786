//! What was exercised in a stretch of time: pages that were opened, steps that were taken, requests that were sent, messages
//! that sockets brought.

use std::collections::{HashMap, HashSet};

use wire::Timestamp;

use super::asked::Asked;
use super::heard::Heard;
use super::late::Late;
use super::likeness::Likeness;
use super::page::Page;
use super::same::same_address;
use super::step::Step;
use super::trigger::{Trigger, ended};
use crate::entry::Entry;
use crate::session::Session;
use crate::store::{Ring, Stored, load_of};

/// Requests and messages that are kept.
const REQUESTS: usize = 300;
const MESSAGES: usize = 200;
/// Forms of one step or request that are told apart by their numbers, addresses and contents.
const FORMS: usize = 10;
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Exercise {
    /// Each page that was used, with the loads of it.
    pages: HashMap<Option<Page>, Vec<Visit>>,
    steps: Vec<Done>,
    requests: Vec<Sent>,
    messages: Vec<Came>,
    /// When all of this was looked at.
    pub(super) now: Timestamp,
}

/// A load of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Visit {
    /// Senders may leave it out.
    pub(super) load: Option<String>,
    pub(super) tab: Option<i64>,
    /// The first that is known of it.
    pub(super) first: Timestamp,
    /// Hashes of the addresses it had, identifiers and queries included.
    pub(super) addresses: HashSet<u64>,
}

/// A step, however often it was taken.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Done {
    forms: Vec<Step>,
    /// What was typed or chosen, hashed.
    values: HashSet<Option<u64>>,
    pub(super) times: u64,
    pub(super) first: Timestamp,
    /// When it was taken last in each page load.
    uses: Vec<Use>,
}

/// When something was done, and in which page load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) load: Option<String>,
    pub(super) at: Timestamp,
}

/// A request, however often it was sent in one page load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    /// The latest first.
    forms: Vec<Asked>,
    pub(super) times: u64,
    pub(super) load: Option<String>,
    /// When it was answered first and last.
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
}

/// A message of a socket, however often it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Came {
    heard: Heard,
    /// What it held, each time.
    contents: HashSet<u64>,
    pub(super) last: Timestamp,
}

impl Came {
    pub(super) fn has_content_of(&self, heard: &Heard) -> bool {
        self.contents.contains(&heard.content)
    }
}

impl Done {
    fn is(&self, step: &Step) -> bool {
        self.forms.iter().any(|form| form.is_same(step))
    }

    pub(super) fn likeness(&self, step: &Step) -> Likeness {
        let of_form = |form: &Step| match step.likeness(form) {
            Likeness::Other if form.is_of_next_row(step) => Likeness::Near,
            likeness => likeness,
        };
        self.forms.iter().map(of_form).max().unwrap_or(Likeness::Other)
    }

    /// The latest, of those that `is_preferred` if there are any.
    pub(super) fn latest(&self, is_preferred: impl Fn(&Use) -> bool) -> Option<&Use> {
        let preferred = self.uses.iter().filter(|one| is_preferred(one)).max_by_key(|one| one.at);
        preferred.or_else(|| self.uses.iter().max_by_key(|one| one.at))
    }

    /// It was taken with the same value at least once.
    fn has_value_of(&self, step: &Step) -> bool {
        self.values.contains(&step.value())
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

    /// The last of them.
    pub(super) fn is_failed(&self) -> bool {
        self.forms.first().is_some_and(|form| form.is_failed)
    }
}

impl Exercise {
    /// What came after this cursor, but for what was done before this time and was still on its way.
    pub(super) fn taken(session: &Session, after: u64, since: Option<Timestamp>, now: Timestamp) -> Self {
        let mut exercise = Self { now, ..Self::default() };
        let noise = &session.noise;
        let late = &Late::of(session, since);
        for stored in recent(&session.store.actions, after, late) {
            exercise.visited(stored, stored.entry.url.as_deref());
            exercise.did(Step::of(&stored.entry), load(stored), time(stored));
        }
        for stored in recent(&session.store.dom_snapshots, after, late) {
            exercise.visited(stored, Some(&stored.entry.url));
        }
        for stored in recent(&session.store.network, after, late).filter(|stored| noise.of(&stored.entry).is_none()) {
            exercise.visited(stored, stored.entry.page_url.as_deref());
            exercise.sent(Asked::of(&stored.entry), load(stored), ended(stored));
        }
        // Chatter of development servers comes with the edit and is not use.
        for stored in recent(&session.store.logs, after, late).filter(|stored| noise.of(&stored.entry).is_none()) {
            exercise.visited(stored, stored.entry.url.as_deref());
        }
        for stored in recent(&session.store.websocket, after, late) {
            if let Some(heard) = Heard::of(&stored.entry) {
                exercise.heard(heard, time(stored));
            }
        }
        exercise
    }

    fn visited<T: Entry>(&mut self, stored: &Stored<T>, url: Option<&str>) {
        let (load, at, tab) = (load(stored), time(stored), stored.entry.tab_id());
        let visits = self.pages.entry(url.map(Page::of)).or_default();
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
        let Some(known) = self.steps.iter_mut().find(|known| known.is(&step)) else {
            let values = HashSet::from([step.value()]);
            self.steps.push(Done { forms: vec![step], values, times: 1, first: at, uses: vec![Use { load, at }] });
            return;
        };
        known.times += 1;
        known.first = known.first.min(at);
        // Told newest first, so each load's latest use is there already.
        if known.uses.len() < FORMS && !known.uses.iter().any(|one| one.load == load) {
            known.uses.push(Use { load, at });
        }
        known.values.insert(step.value());
        if known.forms.len() < FORMS && known.likeness(&step) < Likeness::Same {
            known.forms.push(step);
        }
    }

    /// Told newest first.
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

    /// Told newest first.
    fn heard(&mut self, heard: Heard, at: Timestamp) {
        if let Some(known) = self.messages.iter_mut().find(|known| known.heard.is_same(&heard)) {
            if known.contents.len() < FORMS {
                known.contents.insert(heard.content);
            }
        } else if self.messages.len() < MESSAGES {
            self.messages.push(Came { contents: HashSet::from([heard.content]), heard, last: at });
        }
    }

    /// The last step, if it was taken again, and when; a use that `is_preferred` counts before others. All other steps have to
    /// come before it: a form that is filled after it was sent is not the same form.
    pub(super) fn steps_again(&self, trigger: &Trigger, is_preferred: impl Fn(&Use) -> bool) -> Option<(&Done, &Use)> {
        let (last, others) = trigger.steps.split_first()?;
        let place = self.place(last)?;
        let done = self.steps.get(place)?;
        let latest = done.latest(is_preferred)?;
        // One step that was taken stands for one step only.
        let mut taken = HashSet::from([place]);
        let mut is_before = |step: &Step| {
            let place = self.place(step);
            let known = place.and_then(|place| self.steps.get(place));
            known.is_some_and(|known| known.first <= latest.at) && place.is_some_and(|place| taken.insert(place))
        };
        others.iter().all(&mut is_before).then_some((done, latest))
    }

    fn place(&self, step: &Step) -> Option<usize> {
        let exactly = self.steps.iter().position(|known| known.is(step));
        exactly.or_else(|| self.steps.iter().position(|known| known.forms.iter().any(|form| form.is_of_next_row(step))))
    }

    /// The tab of a page load.
    pub(super) fn tab_of(&self, load: &str) -> Option<i64> {
        self.pages.values().flatten().find(|visit| visit.load.as_deref() == Some(load))?.tab
    }

    pub(super) fn step(&self, step: &Step) -> Option<&Done> {
        self.steps.get(self.place(step)?)
    }

    /// What differs in the fields of a form that were filled for it.
    pub(super) fn other_fields(&self, trigger: &Trigger) -> Vec<String> {
        let differs = |step: &Step| match self.step(step) {
            None => Some(format!("{} was not repeated", step.text())),
            Some(done) if !done.has_value_of(step) => Some(format!("{} was repeated with another value", step.text())),
            Some(_) => None,
        };
        trigger.fields().filter_map(differs).collect()
    }

    /// The request of these that is most like this one, and of those the latest.
    pub(super) fn request(&self, asked: &Asked, admits: impl Fn(&Sent) -> bool) -> Option<&Sent> {
        let meant = self.requests.iter().filter(|sent| sent.likeness(asked) > Likeness::Other && admits(sent));
        meant.max_by_key(|sent| (sent.likeness(asked), sent.last))
    }

    /// The same, sent by a handler of a user's event.
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
        let steps = self.steps.iter().map(|done| {
            let uses = done.uses.iter().map(|one| one.load.as_ref().map_or(0, String::len) + size_of::<Use>());
            let values = done.values.len() * size_of::<Option<u64>>();
            done.forms.iter().map(Step::bytes).sum::<usize>() + values + uses.sum::<usize>()
        });
        let requests = self.requests.iter().flat_map(|sent| &sent.forms).map(Asked::bytes);
        let messages = self.messages.iter().map(|came| came.heard.bytes() + came.contents.len() * size_of::<u64>());
        pages.chain(steps).chain(requests).chain(messages).sum()
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
