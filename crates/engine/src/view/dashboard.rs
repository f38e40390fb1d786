//! The whole session as the dashboard shows it: rows of the timeline, and the sections beside them.
//!
//! Tools and the dashboard share every judgement. This module only arranges the results.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use wire::{Level, Timestamp, limits};

use crate::analysis::performance::{Facts, report};
use crate::analysis::security::{Audit, CHECKS, Check, Scope, Severity, audit};
use crate::answer::fit::{Budget, Extent, Fitted, List, fit};
use crate::entry::{Direction, Entry};
use crate::failures::error_groups;
use crate::metric::Metric;
use crate::moments::{Include, Moment, MomentKind, What, change_text, moments};
use crate::session::Session;
use crate::store::{Filter, Ring, Since, Store};
use crate::view::errors::{ErrorBrief, brief_group};

/// A moment on the timeline. Names are short because there are thousands of rows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Row {
    /// Its cursor: unique, and greater for what came later.
    pub c: u64,
    /// The buffer that holds it.
    pub b: Buffer,
    /// When it happened, in milliseconds.
    pub t: i64,
    /// What kind of moment it is.
    pub k: MomentKind,
    /// The entry's id.
    pub id: String,
    /// How severe it is.
    pub l: Level,
    /// What happened, in one line.
    pub x: String,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub d: Option<f64>,
    /// The request that it reports. A log entry and a body may report the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r: Option<String>,
    /// How often it happened, if more than once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// The socket's connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s: Option<String>,
    /// Whether a socket message went from the page to the server.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
}

/// A buffer whose entries are rows, by its first letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Buffer {
    /// Console lines and errors.
    #[serde(rename = "l")]
    Logs,
    /// Requests.
    #[serde(rename = "n")]
    Network,
    /// Socket events.
    #[serde(rename = "w")]
    WebSocket,
    /// User actions.
    #[serde(rename = "a")]
    Actions,
}

/// The newest rows after a cursor, oldest first; 0 for all of them.
pub fn rows(session: &Session, after: u64) -> Vec<Row> {
    let since = if after == 0 { Since::Ever } else { Since::Cursor(after) };
    let found = moments(session, &Filter { since, ..Filter::default() }, Include::ALL);
    let mut rows: Vec<Row> =
        found.iter().rev().filter_map(|moment| row(moment, session)).take(limits::DASHBOARD_MOMENTS).collect();
    rows.reverse();
    rows
}

/// The row of one log entry as it is now. Errors are explained after they arrive.
pub fn log_row(session: &Session, cursor: u64) -> Option<Row> {
    let stored = session.store.logs.find(cursor)?;
    let at = stored.entry.at();
    row(&Moment { at, what: What::Console(stored) }, session)
}

fn row(moment: &Moment<'_>, session: &Session) -> Option<Row> {
    let plain = |c: u64, b: Buffer| {
        let (t, k, l) = (moment.at.millis(), moment.kind(), moment.severity());
        let id = moment.id(&session.store.ids).unwrap_or_default();
        Row { c, b, t, k, id, l, x: moment.text(), d: None, r: None, n: None, s: None, out: false }
    };
    Some(match moment.what {
        What::Action(stored) => plain(stored.cursor, Buffer::Actions),
        What::Request(stored) => Row {
            d: stored.entry.duration.filter(|millis| millis.is_finite()),
            r: stored.entry.request_id.clone(),
            ..plain(stored.cursor, Buffer::Network)
        },
        What::Console(stored) => Row {
            d: stored.entry.duration.filter(|millis| millis.is_finite()),
            r: stored.entry.request_id.clone(),
            n: stored.entry.count.filter(|count| *count > 1),
            ..plain(stored.cursor, Buffer::Logs)
        },
        What::Socket(stored) => Row {
            s: stored.entry.connection_id.clone(),
            out: stored.entry.direction == Some(Direction::Outgoing),
            ..plain(stored.cursor, Buffer::WebSocket)
        },
        // No buffer holds it; see `code_updates`.
        What::Update(_) => return None,
    })
}

/// A change of the code that a page runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CodeUpdate {
    /// When it happened, in milliseconds.
    pub t: i64,
    /// What changed, in one line.
    pub x: String,
}

/// When pages received new code.
pub fn code_updates(session: &Session) -> Vec<CodeUpdate> {
    session.code_changes.iter().map(|change| CodeUpdate { t: change.at.millis(), x: change_text(change) }).collect()
}

/// How far the buffers reach back: the cursor of the oldest entry of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reach {
    /// Of console lines and errors.
    pub l: u64,
    /// Of requests.
    pub n: u64,
    /// Of socket events.
    pub w: u64,
    /// Of user actions.
    pub a: u64,
    /// How many entries were removed on purpose.
    #[serde(skip)]
    pub removed: u64,
    /// How many entries were evicted for lack of room.
    #[serde(skip)]
    pub dropped: u64,
}

/// How far the buffers reach back now.
pub fn reach(session: &Session) -> Reach {
    fn oldest<T: Entry>(ring: &Ring<T>, session: &Session) -> u64 {
        ring.iter().next().map_or(session.store.cursor() + 1, |stored| stored.cursor)
    }
    fn removed<T: Entry>(ring: &Ring<T>) -> u64 {
        ring.received().saturating_sub(ring.dropped() + ring.len() as u64)
    }
    let Store { logs, network, websocket, actions, .. } = &session.store;
    Reach {
        l: oldest(logs, session),
        n: oldest(network, session),
        w: oldest(websocket, session),
        a: oldest(actions, session),
        removed: removed(logs) + removed(network) + removed(websocket) + removed(actions),
        dropped: logs.dropped() + network.dropped() + websocket.dropped() + actions.dropped(),
    }
}

/// What went wrong, each failure once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Errors {
    /// How many there are.
    #[serde(flatten)]
    pub extent: Extent,
    /// The newest first. Noise is among them, and marked.
    pub errors: Vec<Fitted<ErrorBrief>>,
}

/// What went wrong, each failure once.
pub fn errors(session: &Session) -> Errors {
    let groups: Vec<_> =
        error_groups(session, &Filter::default()).into_iter().map(|group| (Level::Error, group)).collect();
    let budget =
        Budget { entries: limits::DASHBOARD_ERRORS, bytes: limits::DASHBOARD_SECTION_BYTES, severe_first: false };
    let List { entries, extent } = fit(&groups, |group, texts| brief_group(group, session, texts), budget);
    Errors { extent, errors: entries }
}

/// What all checks of the audit found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Security {
    /// The findings.
    #[serde(flatten)]
    pub audit: Audit,
    /// Whether bodies were captured. Without them, several checks see nothing.
    #[serde(rename = "hasBodies")]
    pub has_bodies: bool,
}

/// Runs all checks of the audit.
pub fn security(session: &Session) -> Security {
    let checks: Vec<&Check> = CHECKS.iter().collect();
    let scope = Scope::from_session(session, &Filter::default());
    Security {
        audit: audit(&scope, &checks, Severity::Info, limits::DASHBOARD_SECTION_BYTES),
        has_bodies: scope.has_bodies(),
    }
}

/// The latest load of a page against those before it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PageHistory {
    /// The latest load.
    #[serde(flatten)]
    pub facts: Facts,
    /// All loads that are known, oldest first.
    pub history: Loads,
}

/// Figures of a page's loads, oldest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Loads {
    /// When each was measured, in milliseconds.
    pub at: Vec<i64>,
    /// The web vitals of each.
    #[serde(flatten)]
    pub vitals: BTreeMap<Metric, Vec<Option<f64>>>,
}

/// The latest load of each page against those before it, the latest page first.
pub fn performance(session: &Session, now: Timestamp) -> Vec<PageHistory> {
    let pages = session.store.performance.pages().map(|page| {
        let vital = |metric: Metric| (metric, page.history().map(|sample| sample.value(metric)).collect());
        PageHistory {
            // Its age grows while nothing happens.
            facts: Facts { age_seconds: None, ..report(page, &[], None, now).facts },
            history: Loads {
                at: page.history().map(|sample| sample.at.millis()).collect(),
                vitals: Metric::VITALS.into_iter().map(vital).collect(),
            },
        }
    });
    pages.collect()
}
