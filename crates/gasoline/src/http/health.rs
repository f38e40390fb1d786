//! `GET /health`: whether the server is running and, with the token, its full status.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::get;
use axum::{Json, Router};
use engine::Kind;
use engine::store::{BufferReport, Pressure};
use serde::Serialize;
use serde_json::{Value, json};

use super::unknown::UnknownReport;
use super::{Shared, auth};
use crate::app::{App, VERSION};
use crate::clients::ClientReport;
use crate::clock;
use crate::extension::ExtensionReport;
use crate::journal::JournalReport;
use crate::memory;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/health", get(health))
}

#[derive(Debug, Serialize)]
struct Health {
    status: &'static str,
    service: &'static str,
    version: &'static str,
    uptime_seconds: u64,
    extension: ExtensionReport,
    clients: Vec<ClientReport>,
    buffers: BTreeMap<&'static str, BufferReport>,
    memory_mb: f64,
    memory_mode: Pressure,
    /// Entries rejected because memory was low.
    refused: u64,
    journal: JournalReport,
    unknown_fields: UnknownReport,
    tests: Value,
    limits: Value,
}

async fn health(State(app): State<Shared>, headers: HeaderMap) -> Json<Value> {
    if !auth::has_token(&app, &headers) {
        return Json(json!({ "status": "ok", "service": "gasoline", "version": VERSION }));
    }
    let (pressure, refused, tests) = {
        let session = app.session();
        let tests = json!({
            "known": session.tests.len(),
            "open": session.tests.open().len(),
            "forgotten": session.tests.dropped(),
            "evicted": session.store.evicted_tests(),
            "memory_bytes": session.tests.bytes(),
        });
        (session.store.pressure(), session.store.refused(), tests)
    };
    let journal = app.journal.report();
    let status = if pressure == Pressure::Normal && journal.ok { "ok" } else { "degraded" };
    Json(json!(Health {
        status,
        service: "gasoline",
        version: VERSION,
        uptime_seconds: app.started.elapsed().as_secs(),
        extension: app.extension.report(),
        clients: app.clients.report(),
        buffers: buffers(&app),
        memory_mb: (memory::resident_bytes(&app) as f64 / 1024.0 / 1024.0 * 10.0).round() / 10.0,
        memory_mode: pressure,
        refused,
        journal,
        unknown_fields: app.unknown_fields.report(),
        tests,
        limits: limits(&app),
    }))
}

pub(crate) fn buffers(app: &App) -> BTreeMap<&'static str, BufferReport> {
    let mut session = app.session();
    session.forget(clock::now());
    Kind::ALL.into_iter().map(|kind| (kind.name(), session.store.report(kind))).collect()
}

fn limits(app: &App) -> Value {
    json!({
        "events_per_second": app.rate.per_second(),
        "request_bytes": wire::limits::REQUEST_BYTES,
        "entry_bytes": wire::limits::ENTRY_BYTES,
        "text_bytes": wire::limits::TEXT_BYTES,
        "memory_soft_mb": app.memory_limits.soft / (1024 * 1024),
        "memory_hard_mb": app.memory_limits.hard / (1024 * 1024),
    })
}
