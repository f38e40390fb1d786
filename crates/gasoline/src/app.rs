//! The state that the server's parts share.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::Result;
use engine::store::id::Ids;
use engine::verify::{Snapshots, Verifications};
use engine::{Redactor, Session};
use serde_json::json;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::audits::Audits;
use crate::clients::Clients;
use crate::clock;
use crate::dashboard::Dashboard;
use crate::extension::Extension;
use crate::http::batches::KnownBatches;
use crate::http::ingest::Outcome;
use crate::http::metrics::Metrics;
use crate::http::rate::RateLimiter;
use crate::http::response_budget::ResponseBudget;
use crate::http::unknown::UnknownFields;
use crate::journal::Journal;
use crate::memory::MemoryLimits;
use crate::query_broker::QueryBroker;
use crate::recordings::{RecordingLimits, Recordings};
use crate::screenshots::Screenshots;
use crate::state::{IngestToken, StateDir, private_options, random_hex};
use crate::streams::Streams;
use crate::tools::announced::Announced;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// For test runs: every test has its own buffers, and pages under test may write.
    pub(crate) ci: bool,
    pub(crate) no_auth: bool,
    /// Events per second; 0 means no limit.
    pub(crate) max_events_per_second: u32,
    pub(crate) memory_limits: MemoryLimits,
    pub(crate) recording_limits: RecordingLimits,
}

/// Snapshots and verifications that AI clients compare with later. Clearing the buffers keeps them.
#[derive(Debug, Default)]
pub(crate) struct Comparisons {
    pub(crate) verifications: Verifications,
    pub(crate) snapshots: Snapshots,
}

#[derive(Debug)]
pub(crate) struct App {
    session: Mutex<Session>,
    comparisons: Mutex<Comparisons>,
    /// Notified whenever a batch has been stored.
    pub(crate) stored: Notify,
    pub(crate) redactor: Redactor,
    pub(crate) ids: Ids,
    pub(crate) journal: Journal,
    pub(crate) screenshots: Screenshots,
    pub(crate) recordings: Recordings,
    /// `None` when the server was started with `--no-auth`.
    pub(crate) token: Option<String>,
    /// The write-only token of pages under test. `None` unless the server was started with `--ci`.
    pub(crate) ingest_token: Option<IngestToken>,
    pub(crate) rate: RateLimiter,
    pub(crate) batches: KnownBatches<Outcome>,
    pub(crate) extension: Extension,
    pub(crate) queries: QueryBroker,
    pub(crate) audits: Audits,
    pub(crate) clients: Clients,
    pub(crate) streams: Streams,
    pub(crate) dashboard: Dashboard,
    pub(crate) port: u16,
    pub(crate) unknown_fields: UnknownFields,
    pub(crate) response_budget: ResponseBudget,
    pub(crate) announced: Announced,
    pub(crate) metrics: Metrics,
    pub(crate) memory_limits: MemoryLimits,
    pub(crate) started: Instant,
    pub(crate) shutdown: CancellationToken,
    stop_marker: PathBuf,
}

impl App {
    pub(crate) fn new(state: &StateDir, port: u16, options: Options) -> Result<Self> {
        let stop_marker = state.stop_marker(port);
        let _ = std::fs::remove_file(&stop_marker);
        let marker = json!({
            "type": "gasoline:start", "ts": clock::now(), "version": VERSION, "pid": std::process::id(),
        });
        let run = random_hex(2)?;
        let session = if options.ci { Session::per_test(&run) } else { Session::new(&run) };
        let token = (!options.no_auth).then(|| state.token()).transpose()?;
        let ingest_token = options.ci.then(|| IngestToken::find(token.as_deref())).transpose()?;
        Ok(Self {
            ids: session.store.ids.clone(),
            session: Mutex::new(session),
            comparisons: Mutex::default(),
            stored: Notify::new(),
            redactor: Redactor::new(),
            journal: Journal::start(state.journal(), marker.to_string().into_bytes())?,
            screenshots: Screenshots::new(state.screenshots()),
            recordings: Recordings::new(state.recordings(), options.recording_limits),
            token,
            ingest_token,
            rate: RateLimiter::new(options.max_events_per_second),
            batches: KnownBatches::default(),
            extension: Extension::default(),
            queries: QueryBroker::default(),
            audits: Audits::default(),
            clients: Clients::default(),
            streams: Streams::default(),
            dashboard: Dashboard::default(),
            port,
            unknown_fields: UnknownFields::default(),
            response_budget: ResponseBudget::default(),
            announced: Announced::default(),
            metrics: Metrics::default(),
            memory_limits: options.memory_limits,
            started: Instant::now(),
            shutdown: CancellationToken::new(),
            stop_marker,
        })
    }

    /// Shuts the server down cleanly. The marker is written first: bridges look for it when their pipe closes, and then
    /// start a new server only when they need one.
    pub(crate) fn end(&self) {
        let _ = private_options().write(true).create(true).truncate(true).open(&self.stop_marker);
        self.shutdown.cancel();
    }

    /// Locks the session. Hold it briefly: parse and redact before, serialize for files after.
    pub(crate) fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the comparisons. If both locks are needed, lock the session first.
    pub(crate) fn comparisons(&self) -> MutexGuard<'_, Comparisons> {
        self.comparisons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
