//! Counts how often a trigger occurred, from the page load of the error's first occurrence on. An error that always
//! followed its trigger is gone when it is absent once; an intermittent one is not.

use std::collections::HashSet;

use wire::Timestamp;

use super::asked::Asked;
use super::page::Page;
use super::step::Step;
use super::trigger::Trigger;
use crate::code_changes::ChangeKind;
use crate::entry::{Entry, Request};
use crate::session::Session;
use crate::store::{Ring, load_of};

pub(super) struct Tries<'s> {
    session: &'s Session,
    steps: Vec<(Timestamp, Step)>,
    requests: Vec<(Timestamp, Asked)>,
}

impl<'s> Tries<'s> {
    pub(super) fn from_session(session: &'s Session) -> Self {
        let steps = session.store.actions.iter().map(|stored| (stored.entry.at, Step::from_action(&stored.entry)));
        let requests = session.store.network.iter().map(|stored| (stored.entry.at, Asked::from_request(&stored.entry)));
        Self { session, steps: steps.collect(), requests: requests.collect() }
    }

    /// How often this trigger occurred.
    pub(super) fn count(&self, trigger: &Trigger) -> Option<u64> {
        let since = runs_since(self.session, trigger.first_load.as_deref(), trigger.tab, trigger.first)?;
        let count = if let Some(last) = trigger.steps.first() {
            self.steps.iter().filter(|(at, step)| *at >= since && last.is_same(step)).count()
        } else if let Some(last) = trigger.requests.first() {
            self.requests.iter().filter(|(at, asked)| *at >= since && last.is_same(asked)).count()
        } else if trigger.messages.is_empty() {
            self.loads(trigger.page.as_ref()?, since)
        } else {
            return None;
        };
        u64::try_from(count).ok()
    }

    /// How often a request was sent, from the one before the first of these times to the last.
    pub(super) fn requests_between(&self, asked: &Asked, first: Timestamp, last: Timestamp) -> u64 {
        let sent = self.requests.iter().filter(|(_, known)| known.is_same(asked)).map(|(at, _)| *at);
        let from = sent.clone().filter(|at| *at <= first).max().unwrap_or(first);
        u64::try_from(sent.filter(|at| (from..=last).contains(at)).count()).unwrap_or(u64::MAX)
    }

    /// Loads of a page that are not older than this.
    fn loads(&self, page: &Page, since: Timestamp) -> usize {
        let mut loads = HashSet::new();
        let session = self.session;
        add(&mut loads, &session.store.logs, page, |entry| &entry.url);
        add(&mut loads, &session.store.network, page, |entry: &Request| &entry.page_url);
        add(&mut loads, &session.store.actions, page, |entry| &entry.url);
        loads.into_iter().filter(|load| session.store.opened(load).is_some_and(|opened| opened >= since)).count()
    }
}

/// Since when a page ran the code that it ran at this time: when it was opened, or received that code.
pub(super) fn runs_since(session: &Session, load: Option<&str>, tab: Option<i64>, at: Timestamp) -> Option<Timestamp> {
    let opened = session.store.opened(load?)?;
    let updates = session.code_changes.iter();
    let updates = updates
        .filter(|change| change.kind == ChangeKind::HotUpdate && change.at <= at && change.tab == tab)
        .map(|change| change.at);
    Some(updates.fold(opened, Timestamp::max))
}

fn add<'s, T: Entry>(
    loads: &mut HashSet<&'s str>,
    ring: &'s Ring<T>,
    page: &Page,
    url: impl Fn(&T) -> &Option<String>,
) {
    for stored in ring.iter() {
        if let Some(load) = stored.entry.page_id()
            && url(&stored.entry).as_deref().is_some_and(|url| Page::from_url(url) == *page)
        {
            loads.insert(load_of(load));
        }
    }
}
