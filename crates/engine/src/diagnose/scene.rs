//! The error to explain, and what happened around it.

use std::collections::HashMap;

use wire::Timestamp;

use super::request::asks_the_same;
use super::{code_line, place_of};
use crate::entry::{ActionKind, Entry, Log, LogKind, Request};
use crate::failures::Failure;
use crate::moments::request_text;
use crate::session::Session;
use crate::store::Stored;
use crate::store::id::IdKind;
use crate::symbolicate::stack::{Frame, frames};

/// A request that ended longer than this before an error is unrelated to it.
const LONGEST_MILLIS: i64 = 30_000;
/// One page has one clock, but what is recorded slightly later may still have happened first.
const SLACK_MILLIS: i64 = 60;
/// What an event handler throws follows the event this closely.
const AT_ONCE_MILLIS: i64 = 100;

pub(super) struct Scene<'a> {
    pub(super) session: &'a Session,
    pub(super) failure: Failure<'a>,
    pub(super) entry: Option<&'a Log>,
    pub(super) at: Timestamp,
    pub(super) tab: Option<i64>,
    pub(super) test: Option<&'a str>,
    pub(super) message: String,
    pub(super) place: Option<(String, u32, u32)>,
    /// The line of source code that threw.
    pub(super) code: Option<String>,
    /// Requests of the same page that had ended by then, without noise; the latest first.
    pub(super) requests: Vec<&'a Stored<Request>>,
    answered: HashMap<u64, Timestamp>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(session: &'a Session, failure: Failure<'a>, all: &[Failure<'a>]) -> Self {
        let entry = match failure {
            Failure::Log(stored, _) => Some(&stored.entry),
            Failure::Request(_) => None,
        };
        let (tab, at, test) = (failure.tab_id(), failure.time(), failure.test_id());
        let page = failure.page_id();
        let message = match failure {
            Failure::Log(stored, _) => stored.entry.message.clone(),
            Failure::Request(stored) => request_text(&stored.entry),
        };
        // Some senders record when a request began, others when it ended; for failures the log has the exact time.
        let told = all.iter().filter_map(|failure| match failure {
            Failure::Log(stored, Some(body)) => Some((body.cursor, time_of(stored))),
            _ => None,
        });
        let answered: HashMap<u64, Timestamp> = told.collect();
        let ended = |stored: &Stored<Request>| ended(stored, &answered);
        let own = match failure {
            Failure::Request(stored) | Failure::Log(_, Some(stored)) => Some(stored.cursor),
            Failure::Log(_, None) => None,
        };
        let mut requests: Vec<&Stored<Request>> = session
            .store
            .network
            .iter()
            .filter(|stored| stored.entry.tab_id == tab && is_of_test(*stored, test))
            .filter(|stored| {
                page.is_none() || stored.entry.page_id.is_none() || stored.entry.page_id.as_deref() == page
            })
            .filter(|stored| {
                let since = at.millis() - ended(stored).millis();
                (-SLACK_MILLIS..=LONGEST_MILLIS).contains(&since)
            })
            .collect();
        // Beacons fail all the time, and no code of the page waits for them.
        requests.retain(|stored| own == Some(stored.cursor) || session.noise.rule_for(&stored.entry).is_none());
        requests.sort_by_key(|stored| std::cmp::Reverse(ended(stored)));
        Self {
            session,
            failure,
            entry,
            at,
            tab,
            test,
            message,
            place: entry.and_then(place_of),
            code: entry.and_then(code_line),
            requests,
            answered,
        }
    }

    /// Whether an entry may belong to the error's test. Workers share a server, and do the same things at the same
    /// time.
    pub(super) fn is_of_test<T: Entry>(&self, stored: &Stored<T>) -> bool {
        is_of_test(stored, self.test)
    }

    /// When a request got its response.
    pub(super) fn ended(&self, stored: &Stored<Request>) -> Timestamp {
        ended(stored, &self.answered)
    }

    /// Whether the same request was repeated after this failure, and succeeded before the error.
    pub(super) fn was_made_good(&self, failed: &Stored<Request>) -> bool {
        self.requests.iter().any(|later| {
            later.began() >= self.ended(failed)
                && self.ended(later) <= self.at
                && matches!(later.entry.status, Some(200..=399))
                && asks_the_same(&later.entry, &failed.entry)
        })
    }

    /// Whether the user acted just before the error, and after this time.
    pub(super) fn has_action_since(&self, ended: Timestamp) -> bool {
        self.session.store.actions.iter().rev().filter(|stored| self.is_of_test(*stored)).any(|stored| {
            let at = time_of(stored);
            let is_of_user = stored.entry.tab_id == self.tab && stored.entry.kind != ActionKind::Scroll;
            is_of_user && at > ended && (0..=AT_ONCE_MILLIS).contains(&self.before(at))
        })
    }

    /// Whether the failure is a request.
    pub(super) fn is_request(&self) -> bool {
        self.entry.is_none_or(|entry| entry.kind == LogKind::Network)
    }

    /// The address of the failed request, if the failure is a request.
    pub(super) fn request_address(&self) -> Option<&'a str> {
        match self.failure {
            Failure::Log(stored, _) if self.is_request() => stored.entry.request_url.as_deref(),
            Failure::Log(..) => None,
            Failure::Request(stored) => Some(&stored.entry.url),
        }
    }

    pub(super) fn id(&self) -> String {
        match self.failure {
            Failure::Log(stored, _) => stored.id(&self.session.store.ids),
            Failure::Request(stored) => self.session.store.ids.format(IdKind::Network, stored.cursor),
        }
    }

    pub(super) fn frames(&self) -> Vec<Frame<'a>> {
        self.entry.and_then(|entry| entry.stack.as_deref()).map(|stack| frames(stack).collect()).unwrap_or_default()
    }

    /// Words of the message and the line of code that may be names of fields.
    pub(super) fn words(&self) -> Vec<&str> {
        let text = [self.message.as_str(), self.code.as_deref().unwrap_or_default()];
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        text.into_iter().flat_map(|text| text.split(move |c| !is_word(c))).filter(|word| word.len() > 2).collect()
    }

    /// How many milliseconds before the error something happened.
    pub(super) fn before(&self, at: Timestamp) -> i64 {
        self.at.millis() - at.millis()
    }
}

fn is_of_test<T: Entry>(stored: &Stored<T>, test: Option<&str>) -> bool {
    test.is_none() || stored.entry.test_id().is_none_or(|own| Some(own) == test)
}

pub(crate) fn time_of<T: Entry>(stored: &Stored<T>) -> Timestamp {
    stored.entry.at()
}

fn ended(stored: &Stored<Request>, answered: &HashMap<u64, Timestamp>) -> Timestamp {
    answered.get(&stored.cursor).copied().unwrap_or_else(|| stored.ended())
}
