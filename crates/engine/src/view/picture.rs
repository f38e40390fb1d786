//! All there is, for a person who watches it as it comes: rows that a page draws, and the sections beside them.
//!
//! What things mean is decided where tools ask for it, too; here it is only put into rows.

use serde::Serialize;
use serde_json::{Map, Value, json};
use wire::{Level, Timestamp, limits};

use crate::analysis::performance::{Facts, report};
use crate::analysis::security::{CHECKS, Check, Scope, Severity, audit};
use crate::answer::fit::{Budget, List, fit};
use crate::entry::{Direction, Entry};
use crate::failures::error_groups;
use crate::metric::Metric;
use crate::moments::{Include, Moment, MomentKind, What, change_text, moments};
use crate::session::Session;
use crate::store::{Filter, Ring, Since, Store};
use crate::view::errors;

/// A moment on the timeline. Names are short: there are thousands of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its cursor.
    pub c: u64,
    /// The buffer it lies in: logs, network, websocket or actions, by its first letter.
    pub b: char,
    /// When it happened, in milliseconds.
    pub t: i64,
    pub k: MomentKind,
    pub id: String,
    pub l: &'static str,
    pub x: String,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub d: Option<f64>,
    /// The request it tells of: a log entry and a body may both do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r: Option<String>,
    /// How often it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// The socket's connection, and whether a message went out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
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

/// The row of one log entry as it is now: errors are explained after they came.
pub fn log_row(session: &Session, cursor: u64) -> Option<Row> {
    let stored = session.store.logs.find(cursor)?;
    let at = stored.entry.at();
    row(&Moment { at, what: What::Console(stored) }, session)
}

fn row(moment: &Moment<'_>, session: &Session) -> Option<Row> {
    let plain = |c: u64, b: char| {
        let (t, k, l) = (moment.at.millis(), moment.kind(), moment.severity().name());
        let id = moment.id(&session.store.ids).unwrap_or_default();
        Row { c, b, t, k, id, l, x: moment.text(), d: None, r: None, n: None, s: None, out: false }
    };
    Some(match moment.what {
        What::Action(stored) => plain(stored.cursor, 'a'),
        What::Request(stored) => Row {
            d: stored.entry.duration.filter(|millis| millis.is_finite()),
            r: stored.entry.request_id.clone(),
            ..plain(stored.cursor, 'n')
        },
        What::Console(stored) => Row {
            d: stored.entry.duration.filter(|millis| millis.is_finite()),
            r: stored.entry.request_id.clone(),
            n: stored.entry.count.filter(|count| *count > 1),
            ..plain(stored.cursor, 'l')
        },
        What::Socket(stored) => Row {
            s: stored.entry.connection_id.clone(),
            out: stored.entry.direction == Some(Direction::Outgoing),
            ..plain(stored.cursor, 'w')
        },
        // Has no place in a buffer; see `code_updates`.
        What::Update(_) => return None,
    })
}

/// When pages received new code.
pub fn code_updates(session: &Session) -> Value {
    session.code_changes.iter().map(|change| json!({ "t": change.at.millis(), "x": change_text(change) })).collect()
}

/// How far the buffers reach back, and how often something was taken out of their middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reach {
    pub l: u64,
    pub n: u64,
    pub w: u64,
    pub a: u64,
    /// Entries that were removed on purpose.
    #[serde(skip)]
    pub removed: u64,
    /// Entries that left for lack of room.
    #[serde(skip)]
    pub dropped: u64,
}

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

/// What went wrong, each failure once, noise among it and marked.
pub fn errors(session: &Session) -> Value {
    let groups: Vec<_> =
        error_groups(session, &Filter::default()).into_iter().map(|group| (Level::Error, group)).collect();
    let budget =
        Budget { entries: limits::DASHBOARD_ERRORS, bytes: limits::DASHBOARD_SECTION_BYTES, severe_first: false };
    let List { entries, extent } = fit(&groups, |group, texts| errors::brief_group(group, session, texts), budget);
    let mut section = json!(extent);
    if let Value::Object(fields) = &mut section {
        fields.insert("errors".to_owned(), json!(entries));
    }
    section
}

/// What all checks of the audit found.
pub fn security(session: &Session) -> Value {
    let checks: Vec<&Check> = CHECKS.iter().collect();
    let scope = Scope::from_session(session, &Filter::default());
    let mut found = json!(audit(&scope, &checks, Severity::Info, limits::DASHBOARD_SECTION_BYTES));
    if let Value::Object(fields) = &mut found {
        fields.insert("hasBodies".to_owned(), json!(scope.has_bodies()));
    }
    found
}

/// The latest load of each page against those before it, the latest page first.
pub fn performance(session: &Session, now: Timestamp) -> Value {
    let pages = session.store.performance.pages().map(|page| {
        // Its age grows while nothing happens.
        let facts = Facts { age_seconds: None, ..report(page, &[], None, now).facts };
        let mut history = Map::new();
        history.insert("at".to_owned(), page.history().map(|sample| json!(sample.at.millis())).collect());
        for metric in Metric::VITALS {
            let values: Value = page.history().map(|sample| json!(sample.value(metric))).collect();
            history.insert(metric.key().to_owned(), values);
        }
        let mut section = json!(facts);
        if let Value::Object(fields) = &mut section {
            fields.insert("history".to_owned(), Value::Object(history));
        }
        section
    });
    pages.collect()
}
