//! What a dashboard does not know yet: everything at first, then what changed.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{Hash as _, Hasher as _};
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use engine::Session;
use engine::store::{BufferReport, Pressure};
use engine::view::connections::{self, ClosedConnection, ConnectionFilter, OpenConnection};
use engine::view::dashboard::{self, CodeUpdate, Errors, PageHistory, Reach, Row, Security};
use engine::view::extension_logs::troubles;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_with::skip_serializing_none;
use wire::extension::{ExtensionCounts, Tab};
use wire::settings::Settings;

use super::super::{HttpError, Shared, health, snapshot};
use crate::app::{App, VERSION};
use crate::clients::ClientReport;
use crate::dashboard::CallBrief;
use crate::{clock, memory};

/// The audit reads everything, so it does not run again for every line.
const AUDIT_PAUSE: Duration = Duration::from_secs(2);
/// How many of the latest errors are watched: their rows are sent again once they are explained.
const WATCHED_ROWS: usize = 64;

/// `GET /dashboard/{session}/state`: everything, for a page that was just opened.
pub(super) async fn state(State(app): State<Shared>) -> Result<Response, HttpError> {
    let at_most = snapshot::at_most(&app.session(), None);
    app.response_budget
        .json(at_most, |_| Shown::default().news(&app, true).map(|news| news.text().into()).unwrap_or_default())
        .await
}

/// A message to a dashboard. What did not change is left out; after `reset` nothing that was sent before counts.
#[skip_serializing_none]
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct News {
    /// The server's clock, in milliseconds.
    now: i64,
    /// Where the dashboard stands after this message.
    pub(super) mark: String,
    /// Whether all rows were sent, so that those of before must go.
    reset: Option<bool>,
    /// New and changed rows of the timeline, oldest first.
    rows: Option<Vec<Row>>,
    /// How far the buffers reach back.
    reach: Option<Section<Reach>>,
    /// When pages received new code.
    updates: Option<Section<Vec<CodeUpdate>>>,
    /// What went wrong.
    errors: Option<Section<Errors>>,
    /// Load times and web vitals by page.
    performance: Option<Section<Vec<PageHistory>>>,
    /// Open and closed sockets.
    sockets: Option<Section<Sockets>>,
    /// What the security audit found.
    security: Option<Section<Security>>,
    /// Calls by AI clients.
    calls: Option<Calls>,
    /// The server and the browser.
    status: Option<Section<Status>>,
}

impl News {
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        let Self {
            now: _,
            mark: _,
            reset,
            rows,
            reach,
            updates,
            errors,
            performance,
            sockets,
            security,
            calls,
            status,
        } = self;
        (reset.is_none() && rows.is_none() && reach.is_none() && updates.is_none() && errors.is_none())
            && (performance.is_none() && sockets.is_none() && security.is_none() && calls.is_none() && status.is_none())
    }
}

/// A part of the message that is rendered once: to see whether it changed, and to be sent.
#[derive(Debug, Serialize)]
#[serde(transparent, bound = "")]
struct Section<T> {
    text: Box<RawValue>,
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

impl<T: JsonSchema> JsonSchema for Section<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// Sockets, newest first.
#[derive(Debug, Serialize, JsonSchema)]
struct Sockets {
    /// Those that are open or being opened.
    open: Vec<OpenConnection>,
    /// Those that ended.
    closed: Vec<ClosedConnection>,
}

/// Calls by AI clients.
#[derive(Debug, Serialize, JsonSchema)]
struct Calls {
    /// The number of the oldest call that the server still knows.
    from: u64,
    /// New calls, oldest first.
    list: Vec<CallBrief>,
    /// Whether these are all calls.
    whole: bool,
}

/// The server and the browser.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Status {
    /// The server's version.
    version: &'static str,
    /// The port that it listens on.
    port: u16,
    /// The browser.
    extension: Browser,
    /// AI clients that are connected.
    clients: Vec<ClientReport>,
    /// How full each buffer is.
    buffers: BTreeMap<&'static str, BufferReport>,
    /// Memory of the server's process.
    memory_mb: f64,
    /// How much the server takes in at this use of memory.
    memory_mode: Pressure,
    /// Entries that were turned away for lack of memory.
    refused: u64,
    /// Why the journal can't be written.
    journal_error: Option<String>,
}

/// What the extension last reported.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
struct Browser {
    /// Whether a browser is connected.
    connected: bool,
    /// The extension's version.
    version: Option<String>,
    /// Its tabs.
    tabs: Vec<Tab>,
    /// What it captured, sent and lost.
    counts: Option<ExtensionCounts>,
    /// Its settings.
    settings: Settings,
    /// What went wrong in the extension itself.
    troubles: Vec<String>,
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

/// What one dashboard knows.
#[derive(Default)]
pub(super) struct Shown {
    mark: Option<Mark>,
    dropped: u64,
    /// A hash of each section as it was last sent. Sections are long, and there may be many dashboards.
    sections: HashMap<&'static str, u64>,
    /// Errors whose text may still change.
    watched: VecDeque<Row>,
    /// The number of the last call that was sent; `None` before the first message.
    calls: Option<u64>,
    audited: Option<(Instant, u64)>,
}

impl Shown {
    /// For a dashboard that reconnects and knows the rest.
    pub(super) fn up_to(mark: Mark, app: &App) -> Self {
        let dropped = dashboard::reach(&app.session()).dropped;
        Self { mark: Some(mark), dropped, ..Self::default() }
    }

    /// What it does not know yet; `None` when there is nothing. `is_tick`: also what changes by itself.
    pub(super) fn news(&mut self, app: &App, is_tick: bool) -> Option<News> {
        let now = clock::now();
        let mut news = News::default();
        let mark = {
            let mut session = app.session();
            session.forget(now);
            let reach = dashboard::reach(&session);
            let mark = Mark {
                run: session.store.ids.run().to_owned(),
                cursor: session.store.cursor(),
                removed: reach.removed,
            };
            let known = self.known(app, &mark, reach);
            let mut rows = dashboard::rows(&session, known);
            rows.extend(self.explained(&session, known, &rows));
            news.reset = (known == 0).then_some(true);
            news.rows = (!rows.is_empty() || known == 0).then_some(rows);
            news.reach = self.section("reach", &reach);
            news.updates = self.section("updates", &dashboard::code_updates(&session));
            news.errors = self.section("errors", &dashboard::errors(&session));
            news.performance = self.section("performance", &dashboard::performance(&session, now));
            let sockets = connections::status(&session.store, &ConnectionFilter::default(), now);
            news.sockets = self.section("sockets", &Sockets { open: sockets.connections, closed: sockets.closed });
            let is_due = self.audited.is_none_or(|(at, of)| at.elapsed() >= AUDIT_PAUSE && of != mark.cursor);
            if is_due || known == 0 {
                self.audited = Some((Instant::now(), mark.cursor));
                news.security = self.section("security", &dashboard::security(&session));
            }
            self.dropped = reach.dropped;
            mark
        };
        news.calls = self.calls(app);
        if is_tick || !news.is_empty() {
            news.status = self.section("status", &status(app));
        }
        self.mark = Some(mark.clone());
        if news.is_empty() {
            return None;
        }
        (news.now, news.mark) = (now.millis(), mark.text());
        Some(news)
    }

    /// The cursor up to which rows were sent; 0 when all have to be sent again.
    fn known(&self, app: &App, mark: &Mark, reach: Reach) -> u64 {
        // Where each test has its own room, the evicted entries are not the oldest of all.
        let evicted_anywhere = app.ingest_token.is_some() && reach.dropped != self.dropped;
        match &self.mark {
            Some(sent) if sent.run == mark.run && sent.removed == mark.removed && !evicted_anywhere => sent.cursor,
            _ => 0,
        }
    }

    /// Rows of errors that were explained since they were sent; `new` ones are watched from now on.
    fn explained(&mut self, session: &Session, known: u64, new: &[Row]) -> Vec<Row> {
        let mut explained = Vec::new();
        if known == 0 {
            self.watched.clear();
        }
        for watched in &mut self.watched {
            if let Some(row) = dashboard::log_row(session, watched.c).filter(|row| row != watched) {
                watched.clone_from(&row);
                explained.push(row);
            }
        }
        self.watched.extend(new.iter().filter(|row| row.k == engine::moments::MomentKind::Error).cloned());
        while self.watched.len() > WATCHED_ROWS {
            self.watched.pop_front();
        }
        explained
    }

    fn calls(&mut self, app: &App) -> Option<Calls> {
        let calls = app.dashboard.calls();
        let (known, made) = (self.calls.replace(calls.made()), calls.made());
        (known != Some(made)).then(|| Calls {
            from: calls.oldest(),
            list: calls.after(known.unwrap_or(0)),
            whole: known.is_none(),
        })
    }

    /// The section, if it changed since it was sent.
    fn section<T: Serialize>(&mut self, name: &'static str, value: &T) -> Option<Section<T>> {
        let text = to_raw_value(value).ok()?;
        let mut hasher = DefaultHasher::new();
        text.get().hash(&mut hasher);
        let hash = hasher.finish();
        (self.sections.insert(name, hash) != Some(hash)).then_some(Section { text, of: PhantomData })
    }
}

fn status(app: &App) -> Status {
    let browser = app.extension.report();
    let (memory_mode, refused, troubles) = {
        let session = app.session();
        (session.store.pressure(), session.store.refused(), troubles(&session.store, clock::now()))
    };
    Status {
        version: VERSION,
        port: app.port,
        extension: Browser {
            connected: browser.connected,
            version: browser.version,
            tabs: browser.tabs,
            counts: browser.counts,
            settings: browser.settings,
            troubles,
        },
        clients: app.clients.report(),
        buffers: health::buffers(app),
        memory_mb: (memory::resident_bytes(app) as f64 / 1024.0 / 1024.0).round(),
        memory_mode,
        refused,
        journal_error: app.journal.report().error,
    }
}
