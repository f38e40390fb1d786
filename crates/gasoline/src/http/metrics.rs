//! `GET /metrics`: counters in Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use engine::store::BufferReport;

use super::{Shared, health};
use crate::memory;

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) ingested: AtomicU64,
    pub(crate) rejected: AtomicU64,
    pub(crate) rate_limited: AtomicU64,
    pub(crate) entries_rate_limited: AtomicU64,
    /// Requests that failed authentication.
    pub(crate) refused: AtomicU64,
    tools: Mutex<BTreeMap<&'static str, ToolTimes>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ToolTimes {
    calls: u64,
    errors: u64,
    total: Duration,
}

impl Metrics {
    pub(crate) fn tool_called(&self, name: &'static str, took: Duration, failed: bool) {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let times = tools.entry(name).or_default();
        times.calls += 1;
        times.errors += u64::from(failed);
        times.total += took;
    }
}

pub(crate) fn count(counter: &AtomicU64) {
    add(counter, 1);
}

pub(crate) fn add(counter: &AtomicU64, by: u64) {
    counter.fetch_add(by, Ordering::Relaxed);
}

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/metrics", get(metrics))
}

async fn metrics(State(app): State<Shared>) -> Response {
    let mut page = Page::default();
    let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
    page.family("gasoline_events_ingested_total", "counter", "Entries stored.");
    page.value("", read(&app.metrics.ingested));
    page.family("gasoline_events_rejected_total", "counter", "Entries that could not be stored.");
    page.value("", read(&app.metrics.rejected));
    page.family("gasoline_batches_rate_limited_total", "counter", "Batches answered with 429.");
    page.value("", read(&app.metrics.rate_limited));
    page.family("gasoline_events_rate_limited_total", "counter", "Entries of those batches.");
    page.value("", read(&app.metrics.entries_rate_limited));
    page.family("gasoline_requests_refused_total", "counter", "Requests rejected for their Host, Origin or token.");
    page.value("", read(&app.metrics.refused));

    let buffers = health::buffers(&app);
    let mut of_buffers = |name, kind, help, value: fn(&BufferReport) -> f64| {
        page.family(name, kind, help);
        for (buffer, report) in &buffers {
            page.value(&format!("{{kind=\"{buffer}\"}}"), value(report));
        }
    };
    of_buffers("gasoline_buffer_entries", "gauge", "Entries in a buffer.", |of| of.count as f64);
    of_buffers("gasoline_buffer_bytes", "gauge", "Bytes in a buffer.", |of| of.memory_bytes as f64);
    of_buffers("gasoline_buffer_received_total", "counter", "Entries received.", |of| of.received as f64);
    of_buffers("gasoline_buffer_removed_total", "counter", "Entries cleared, replaced or finished.", |of| {
        of.removed as f64
    });
    of_buffers("gasoline_buffer_dropped_total", "counter", "Entries evicted from a full buffer.", |of| {
        of.dropped as f64
    });

    let journal = app.journal.report();
    page.family("gasoline_journal_lines_written_total", "counter", "Lines written to logs.jsonl.");
    page.value("", journal.written as f64);
    page.family(
        "gasoline_journal_lines_dropped_total",
        "counter",
        "Lines dropped because the disk was too slow or full.",
    );
    page.value("", journal.dropped as f64);

    let counts = &app.queries.counts;
    page.family("gasoline_queries_total", "counter", "Queries to the live page, by result.");
    for (outcome, counter) in [
        ("asked", &counts.asked),
        ("answered", &counts.answered),
        ("unanswered", &counts.unanswered),
        ("refused", &counts.refused),
    ] {
        page.value(&format!("{{outcome=\"{outcome}\"}}"), read(counter));
    }

    let tools = app.metrics.tools.lock().unwrap_or_else(PoisonError::into_inner).clone();
    page.family("gasoline_tool_calls_total", "counter", "Calls of MCP tools.");
    for (name, times) in &tools {
        page.value(&format!("{{tool=\"{name}\"}}"), times.calls as f64);
    }
    page.family("gasoline_tool_errors_total", "counter", "Calls that failed.");
    for (name, times) in &tools {
        page.value(&format!("{{tool=\"{name}\"}}"), times.errors as f64);
    }
    page.family("gasoline_tool_seconds_total", "counter", "Time spent answering.");
    for (name, times) in &tools {
        page.value(&format!("{{tool=\"{name}\"}}"), times.total.as_secs_f64());
    }

    page.family("gasoline_clients", "gauge", "Attached AI clients.");
    page.value("", app.clients.count() as f64);
    page.family("gasoline_resident_bytes", "gauge", "Memory the process holds.");
    page.value("", memory::resident_bytes(&app) as f64);
    page.family("gasoline_uptime_seconds", "gauge", "Seconds since the start.");
    page.value("", app.started.elapsed().as_secs_f64());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], page.text).into_response()
}

#[derive(Default)]
struct Page {
    text: String,
    name: &'static str,
}

impl Page {
    fn family(&mut self, name: &'static str, kind: &str, help: &str) {
        self.name = name;
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn value(&mut self, labels: &str, value: f64) {
        let _ = writeln!(self.text, "{}{labels} {value}", self.name);
    }
}
