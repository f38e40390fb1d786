//! Chooses which of several failures to explain.

use std::cmp::Reverse;

use wire::Timestamp;

use super::best;
use super::request::asks_the_same;
use super::scene::Scene;
use crate::entry::{Entry, LogKind};
use crate::failures::{Failure, Grouped, SinceUpdate};
use crate::session::Session;
use crate::store::id::{IdKind, Lookup};
use crate::url::without_query;
use crate::view::logs;

/// Errors this close together have the same cause; the most telling one is explained.
const TOGETHER_MILLIS: i64 = 2_000;

/// Which failure a diagnosis is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'s> {
    /// The error or request of this id.
    Id(&'s str),
    /// The last failure; in a running test, its first failure.
    Latest,
    /// The first failure of a test, where the store holds only that test.
    FirstOfTest {
        /// Earlier failures are ignored.
        since: Option<Timestamp>,
    },
}

impl Subject<'_> {
    pub(super) fn find<'a>(self, session: &Session, all: &[Failure<'a>], grouped: &Grouped<'a>) -> Option<Failure<'a>> {
        if let Self::Id(id) = self {
            return with_id(session, all, id);
        }
        // Noise is considered only when there is nothing else.
        let telling: Vec<Failure<'a>> =
            all.iter().filter(|failure| session.noise.rule_for(*failure).is_none()).copied().collect();
        let telling = if telling.is_empty() { all } else { &telling };
        if let Self::FirstOfTest { since } = self {
            let is_late = |failure: &&Failure<'_>| since.is_none_or(|since| happened(failure) >= since);
            return first_of_test(session, telling.iter().filter(is_late).copied().collect(), all);
        }
        let latest = telling.iter().max_by_key(|failure| happened(failure))?;
        if let Some(test) = latest.test_id() {
            let of_test = telling.iter().filter(|failure| failure.test_id() == Some(test)).copied().collect();
            return first_of_test(session, of_test, all);
        }
        let (at, tab) = (happened(latest).millis(), latest.tab_id());
        let together = telling.iter().filter(|failure| {
            failure.tab_id() == tab && failure.test_id().is_none() && at - happened(failure).millis() <= TOGETHER_MILLIS
        });
        // The developer is after what the latest code change broke.
        let is_new = |failure: &Failure<'_>| {
            grouped
                .group(failure)
                .and_then(|group| group.since_update(session))
                .is_some_and(|(since, _)| since == SinceUpdate::New)
        };
        // The first among equals: the others may be its consequences.
        together
            .max_by_key(|failure| {
                let lasted = !was_repeated_well(session, failure);
                (is_new(failure), lasted, weight(failure), Reverse(happened(failure)))
            })
            .copied()
    }
}

fn with_id<'a>(session: &Session, all: &[Failure<'a>], id: &str) -> Option<Failure<'a>> {
    let cursor = match session.store.ids.read(id) {
        Lookup::Entry(IdKind::Log | IdKind::Network, cursor) => Some(cursor),
        _ => logs::by_page_id(&session.store, id).map(|stored| stored.cursor),
    };
    let of_body = |failure: &Failure<'_>| matches!(failure, Failure::Log(_, Some(body)) if Some(body.cursor) == cursor);
    all.iter().find(|failure| Some(failure.cursor()) == cursor || of_body(failure)).copied()
}

/// The first failure of a test; later ones may be its consequences. Responses of 4xx and console errors are often
/// expected, so they count only when nothing worse happened. When the first failure is a request and an error resulted
/// from it, that error is explained: its diagnosis covers both.
fn first_of_test<'a>(session: &Session, mut failures: Vec<Failure<'a>>, all: &[Failure<'a>]) -> Option<Failure<'a>> {
    failures.sort_by_key(happened);
    let lasted = |failure: &&Failure<'_>| !was_repeated_well(session, failure);
    let grave = failures.iter().filter(lasted).find(|failure| is_grave(failure));
    let first = grave.or_else(|| failures.iter().find(lasted)).or(failures.first())?;
    let request = match first {
        Failure::Request(stored) => stored,
        Failure::Log(_, Some(stored)) => stored,
        Failure::Log(_, None) => return Some(*first),
    };
    let comes_of_it = |failure: &&Failure<'a>| {
        let after = happened(failure).millis() - happened(first).millis();
        (0..=TOGETHER_MILLIS).contains(&after)
            && failure.request().is_none()
            && best(&Scene::new(session, **failure, all))
                .and_then(|cause| cause.request)
                .is_some_and(|named| named.cursor == request.cursor)
    };
    failures.iter().find(comes_of_it).or(Some(first)).copied()
}

/// Whether the same request was sent again later and succeeded.
fn was_repeated_well(session: &Session, failure: &Failure<'_>) -> bool {
    let Some((method, url, _)) = failure.request() else { return false };
    let own = match failure {
        Failure::Request(stored) | Failure::Log(_, Some(stored)) => Some(&stored.entry),
        Failure::Log(_, None) => None,
    };
    let later = session.store.network.iter().rev().take_while(|stored| stored.ended() > happened(failure));
    later
        .filter(|stored| stored.entry.test_id() == failure.test_id() && stored.entry.tab_id == failure.tab_id())
        .filter(|stored| stored.entry.status.is_some_and(|status| (200..400).contains(&status)))
        .any(|stored| match own {
            Some(own) => asks_the_same(own, &stored.entry),
            None => stored.entry.method == method && without_query(&stored.entry.url) == without_query(url),
        })
}

fn is_grave(failure: &Failure<'_>) -> bool {
    match failure.request() {
        Some((_, _, status)) => status == 0 || status >= 500,
        None => weight(failure) >= THROWN,
    }
}

/// When the failure became known.
fn happened(failure: &Failure<'_>) -> Timestamp {
    match failure {
        Failure::Log(..) => failure.time(),
        Failure::Request(stored) => stored.ended(),
    }
}

const THROWN: u32 = 3;

/// How much a failure says about what went wrong.
fn weight(failure: &Failure<'_>) -> u32 {
    let Failure::Log(stored, _) = failure else { return 1 };
    match stored.entry.kind {
        LogKind::Exception | LogKind::Rejection if stored.entry.stack.is_some() => THROWN + 1,
        LogKind::Exception | LogKind::Rejection => THROWN,
        LogKind::Console if stored.entry.stack.is_some() => 2,
        _ => 1,
    }
}
