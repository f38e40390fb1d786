//! What the dashboard shows, whole or as far as it changed.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use engine::Store;
use engine::store::Pressure;
use engine::view::connections::{self, ConnectionFilter};
use engine::view::picture::{self, Reach, Row};
use serde_json::{Map, Value, json};

use super::super::{Shared, health};
use crate::app::{App, VERSION};
use crate::{clock, memory};

/// The audit reads everything; it is not made anew for every line.
const AUDIT_PAUSE: Duration = Duration::from_secs(2);
/// The latest errors may still be explained: their rows are told again when they are.
const WATCHED_ROWS: usize = 64;

pub(super) async fn picture(State(app): State<Shared>) -> Response {
    let text = Shown::default().news(&app, true).map(|news| news.text).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
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
    /// Sections as they were told, by name.
    sections: Map<String, Value>,
    /// Errors whose text may still change.
    watched: VecDeque<Row>,
    calls: u64,
    audited: Option<(Instant, u64)>,
}

impl Shown {
    /// For one that comes back and knows the rest.
    pub(super) fn up_to(mark: Mark, app: &App) -> Self {
        let dropped = picture::reach(&app.store()).dropped;
        Self { mark: Some(mark), dropped, ..Self::default() }
    }

    /// What it has not been told yet; `None` when there is nothing. `is_tick`: also what changes by itself.
    pub(super) fn news(&mut self, app: &App, is_tick: bool) -> Option<News> {
        let now = clock::now();
        let mut out = Map::new();
        let mark = {
            let mut store = app.store();
            store.forget(now);
            let reach = picture::reach(&store);
            let mark = Mark { run: store.ids.run().to_owned(), cursor: store.cursor(), removed: reach.removed };
            let known = self.known(app, &mark, reach);
            let mut rows = picture::rows(&store, known);
            rows.extend(self.explained(&store, known, &rows));
            if known == 0 {
                out.insert("reset".to_owned(), json!(true));
            }
            if !rows.is_empty() || known == 0 {
                out.insert("rows".to_owned(), json!(rows));
            }
            self.section(&mut out, "reach", json!(reach));
            self.section(&mut out, "updates", picture::code_updates(&store));
            self.section(&mut out, "errors", picture::errors(&store));
            self.section(&mut out, "performance", picture::performance(&store, now));
            let (open, closed) = connections::status(&store, &ConnectionFilter::default(), now);
            self.section(&mut out, "sockets", json!({ "open": open, "closed": closed }));
            let is_due = self.audited.is_none_or(|(at, of)| at.elapsed() >= AUDIT_PAUSE && of != mark.cursor);
            if is_due || known == 0 {
                self.audited = Some((Instant::now(), mark.cursor));
                self.section(&mut out, "security", picture::security(&store));
            }
            self.dropped = reach.dropped;
            mark
        };
        self.calls(&mut out, app);
        if is_tick || !out.is_empty() {
            self.section(&mut out, "status", status(app));
        }
        self.mark = Some(mark.clone());
        if out.is_empty() {
            return None;
        }
        out.insert("now".to_owned(), json!(now.millis()));
        out.insert("mark".to_owned(), json!(mark.text()));
        Some(News { mark: mark.text(), text: Value::Object(out).to_string() })
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
    fn explained(&mut self, store: &Store, known: u64, new: &[Row]) -> Vec<Row> {
        let mut told = Vec::new();
        if known == 0 {
            self.watched.clear();
        }
        for watched in &mut self.watched {
            if let Some(row) = picture::log_row(store, watched.c).filter(|row| row != watched) {
                watched.clone_from(&row);
                told.push(row);
            }
        }
        self.watched.extend(new.iter().filter(|row| row.k == "error").cloned());
        while self.watched.len() > WATCHED_ROWS {
            self.watched.pop_front();
        }
        told
    }

    fn calls(&mut self, out: &mut Map<String, Value>, app: &App) {
        let calls = app.dashboard.calls();
        let is_first = !self.sections.contains_key("calls");
        if is_first || calls.made() != self.calls {
            let list = calls.after(if is_first { 0 } else { self.calls });
            self.calls = calls.made();
            self.sections.insert("calls".to_owned(), Value::Null);
            out.insert("calls".to_owned(), json!({ "from": calls.oldest(), "list": list, "whole": is_first }));
        }
    }

    fn section(&mut self, out: &mut Map<String, Value>, name: &str, value: Value) {
        if self.sections.get(name) != Some(&value) {
            self.sections.insert(name.to_owned(), value.clone());
            out.insert(name.to_owned(), value);
        }
    }
}

fn status(app: &App) -> Value {
    let browser = app.extension.report();
    let (pressure, refused) = {
        let store = app.store();
        (store.pressure(), store.refused())
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
        },
        "clients": app.clients.report(),
        "buffers": health::buffers(app),
        "memoryMb": memory::resident_bytes().map(|bytes| (bytes as f64 / 1024.0 / 1024.0).round()),
        "memoryMode": mode,
        "refused": refused,
        "journalError": app.journal.report().error,
    })
}
