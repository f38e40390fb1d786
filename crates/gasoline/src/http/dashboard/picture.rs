//! What the dashboard shows, whole or as far as it changed.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::hash::{Hash as _, Hasher as _};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use engine::Session;
use engine::store::Pressure;
use engine::view::connections::{self, ConnectionFilter};
use engine::view::extension_logs::troubles;
use engine::view::picture::{self, Reach, Row};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::{HttpError, Shared, health, snapshot};
use crate::app::{App, VERSION};
use crate::{clock, memory};

/// The audit reads everything; it is not made anew for every line.
const AUDIT_PAUSE: Duration = Duration::from_secs(2);
/// The latest errors may still be explained: their rows are told again when they are.
const WATCHED_ROWS: usize = 64;

pub(super) async fn picture(State(app): State<Shared>) -> Result<Response, HttpError> {
    let at_most = snapshot::at_most(&app.session(), None);
    app.unread
        .json(at_most, |_| Shown::default().news(&app, true).map(|news| news.text.into()).unwrap_or_default())
        .await
}

/// Where a dashboard stands: `<run>-<cursor>-<removed>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    run: String,
    cursor: u64,
    removed: u64,
}

impl Mark {
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let run = parts.next()?.to_owned();
        Some(Self { run, cursor: parts.next()?.parse().ok()?, removed: parts.next()?.parse().ok()? })
    }

    fn text(&self) -> String {
        format!("{}-{}-{}", self.run, self.cursor, self.removed)
    }
}

/// What there is to tell.
pub(super) struct News {
    pub(super) mark: String,
    pub(super) text: String,
}

/// What one dashboard has been told.
#[derive(Default)]
pub(super) struct Shown {
    mark: Option<Mark>,
    dropped: u64,
    /// Sections as they were told: a hash of each. They are long, and there may be many dashboards.
    sections: HashMap<&'static str, u64>,
    /// Errors whose text may still change.
    watched: VecDeque<Row>,
    /// The number of the last call; `None` before the first look.
    calls: Option<u64>,
    audited: Option<(Instant, u64)>,
}

impl Shown {
    /// For one that comes back and knows the rest.
    pub(super) fn up_to(mark: Mark, app: &App) -> Self {
        let dropped = picture::reach(&app.session()).dropped;
        Self { mark: Some(mark), dropped, ..Self::default() }
    }

    /// What it has not been told yet; `None` when there is nothing. `is_tick`: also what changes by itself.
    pub(super) fn news(&mut self, app: &App, is_tick: bool) -> Option<News> {
        let now = clock::now();
        let mut out = Fields::default();
        let mark = {
            let mut session = app.session();
            session.forget(now);
            let reach = picture::reach(&session);
            let mark = Mark {
                run: session.store.ids.run().to_owned(),
                cursor: session.store.cursor(),
                removed: reach.removed,
            };
            let known = self.known(app, &mark, reach);
            let mut rows = picture::rows(&session, known);
            rows.extend(self.explained(&session, known, &rows));
            if known == 0 {
                out.put("reset", &true);
            }
            if !rows.is_empty() || known == 0 {
                out.put("rows", &rows);
            }
            self.section(&mut out, "reach", &reach);
            self.section(&mut out, "updates", &picture::code_updates(&session));
            self.section(&mut out, "errors", &picture::errors(&session));
            self.section(&mut out, "performance", &picture::performance(&session, now));
            let sockets = connections::status(&session.store, &ConnectionFilter::default(), now);
            self.section(&mut out, "sockets", &json!({ "open": sockets.connections, "closed": sockets.closed }));
            let is_due = self.audited.is_none_or(|(at, of)| at.elapsed() >= AUDIT_PAUSE && of != mark.cursor);
            if is_due || known == 0 {
                self.audited = Some((Instant::now(), mark.cursor));
                self.section(&mut out, "security", &picture::security(&session));
            }
            self.dropped = reach.dropped;
            mark
        };
        self.calls(&mut out, app);
        if is_tick || !out.is_empty() {
            self.section(&mut out, "status", &status(app));
        }
        self.mark = Some(mark.clone());
        if out.is_empty() {
            return None;
        }
        out.put("now", &now.millis());
        out.put("mark", &mark.text());
        Some(News { mark: mark.text(), text: out.into_object() })
    }

    /// The cursor up to which rows were told; 0 when all have to be told again.
    fn known(&self, app: &App, mark: &Mark, reach: Reach) -> u64 {
        // Where each test has its own room, it is not the oldest of all that leave.
        let left_anywhere = app.ingest_token.is_some() && reach.dropped != self.dropped;
        match &self.mark {
            Some(told) if told.run == mark.run && told.removed == mark.removed && !left_anywhere => told.cursor,
            _ => 0,
        }
    }

    /// Rows of errors that were explained since they were told; `new` ones are watched from now on.
    fn explained(&mut self, session: &Session, known: u64, new: &[Row]) -> Vec<Row> {
        let mut told = Vec::new();
        if known == 0 {
            self.watched.clear();
        }
        for watched in &mut self.watched {
            if let Some(row) = picture::log_row(session, watched.c).filter(|row| row != watched) {
                watched.clone_from(&row);
                told.push(row);
            }
        }
        self.watched.extend(new.iter().filter(|row| row.k == engine::moments::MomentKind::Error).cloned());
        while self.watched.len() > WATCHED_ROWS {
            self.watched.pop_front();
        }
        told
    }

    fn calls(&mut self, out: &mut Fields, app: &App) {
        let calls = app.dashboard.calls();
        if self.calls != Some(calls.made()) {
            let list = calls.after(self.calls.unwrap_or(0));
            out.put("calls", &json!({ "from": calls.oldest(), "list": list, "whole": self.calls.is_none() }));
            self.calls = Some(calls.made());
        }
    }

    fn section(&mut self, out: &mut Fields, name: &'static str, value: &impl Serialize) {
        let text = serde_json::to_string(value).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        if self.sections.insert(name, hash) != Some(hash) {
            out.put_text(name, &text);
        }
    }
}

/// An object in the making, each field written once.
#[derive(Default)]
struct Fields(String);

impl Fields {
    fn put(&mut self, name: &str, value: &impl Serialize) {
        self.put_text(name, &serde_json::to_string(value).unwrap_or_default());
    }

    fn put_text(&mut self, name: &str, text: &str) {
        let comma = if self.0.is_empty() { "" } else { "," };
        // Writing to a text can't fail.
        let _ = write!(self.0, "{comma}\"{name}\":{text}");
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn into_object(self) -> String {
        format!("{{{}}}", self.0)
    }
}

fn status(app: &App) -> Value {
    let browser = app.extension.report();
    let (pressure, refused, troubles) = {
        let session = app.session();
        (session.store.pressure(), session.store.refused(), troubles(&session.store, clock::now()))
    };
    let mode = match pressure {
        Pressure::Normal => "normal",
        Pressure::NoBodies => "no_bodies",
        Pressure::Minimal => "minimal",
    };
    json!({
        "version": VERSION,
        "port": app.port,
        "extension": {
            "connected": browser.connected,
            "version": browser.version,
            "tabs": browser.tabs,
            "counts": browser.counts,
            "settings": browser.settings,
            "troubles": troubles,
        },
        "clients": app.clients.report(),
        "buffers": health::buffers(app),
        "memoryMb": (memory::resident_bytes(app) as f64 / 1024.0 / 1024.0).round(),
        "memoryMode": mode,
        "refused": refused,
        "journalError": app.journal.report().error,
    })
}
