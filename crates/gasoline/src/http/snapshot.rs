//! `/snapshot` returns everything that was captured; `/clear` clears the buffers.

use std::collections::HashSet;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use engine::Session;
use engine::entry::LogKind;
use engine::failures::{Failure, failures};
use engine::report::odd_answers;
use engine::store::id::IdKind;
use engine::store::{Filter, Since};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::snapshot::SnapshotStats;
use wire::{Level, Snapshot, Timestamp};

use super::body::Body;
use super::entries::{Each, Named, added_id};
use super::{HttpError, Shared};
use crate::app::App;
use crate::clock;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/snapshot", get(snapshot)).route("/clear", post(clear).delete(clear))
}

/// Unknown parameters are rejected: a misspelt filter must not return everything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    since: Option<String>,
    #[serde(alias = "testId")]
    test_id: Option<String>,
}

/// The parameters of `/clear`, in its URL or its body.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cleared {
    #[serde(alias = "testId")]
    test_id: Option<String>,
    /// Accepted for compatibility: the server has no configuration that clearing could change.
    #[serde(rename = "preserve_config", alias = "preserveConfig")]
    _preserve_config: Option<bool>,
}

async fn snapshot(State(app): State<Shared>, part: Result<Query<Part>, QueryRejection>) -> Result<Response, HttpError> {
    let Query(part) = part.map_err(bad_query)?;
    let since = match part.since.as_deref() {
        None => Since::Ever,
        Some(text) => Since::Time(read_time(text)?),
    };
    // Tags were redacted before they were stored, so redact this one in the same way.
    let test_id = part.test_id.map(|test_id| app.redactor.text(&test_id));
    let filter = Filter { since, test_id, ..Filter::default() };
    let at_most = at_most(&app.session(), filter.test_id.as_deref());
    app.response_budget.json(at_most, |out| write_snapshot(&app, &filter, out)).await
}

/// The buffers count more bytes for an entry than its text has.
pub(super) fn at_most(session: &Session, test_id: Option<&str>) -> usize {
    session.store.logs.bytes_of(test_id)
        + session.store.websocket.bytes_of(test_id)
        + session.store.network.bytes_of(test_id)
        + session.store.actions.bytes_of(test_id)
        + session.store.dom_snapshots.bytes_of(test_id)
}

fn write_snapshot(app: &App, filter: &Filter, mut out: Vec<u8>) -> Vec<u8> {
    let test_id = filter.test_id.as_deref();
    let (session, ids) = (app.session(), &app.ids);
    let store = &session.store;
    let of_all = test_id.is_none() && !session.tests.is_empty();
    let id_of = |kind: IdKind, cursor: u64| Some(ids.format(kind, cursor));
    let snapshot = Snapshot {
        timestamp: Some(clock::now()),
        test_id: test_id.map(str::to_owned),
        test: test_id.and_then(|test_id| session.tests.find(test_id)),
        tests: of_all.then(|| session.tests.iter().collect()),
        logs: Each(|| {
            let found = store.logs.iter_of(test_id).filter(|stored| filter.admits(stored));
            found.map(|stored| Named { id: added_id(app, stored), entry: &stored.entry })
        }),
        websocket_events: Each(|| {
            let found = store.websocket.iter_of(test_id).filter(|stored| filter.admits(stored));
            found.map(|stored| Named { id: id_of(IdKind::WebSocket, stored.cursor), entry: &stored.entry })
        }),
        network_bodies: Each(|| {
            let found = store.network.iter_of(test_id).filter(|stored| filter.admits(stored));
            found.map(|stored| Named { id: id_of(IdKind::Network, stored.cursor), entry: &stored.entry })
        }),
        enhanced_actions: Each(|| {
            let found = store.actions.iter_of(test_id).filter(|stored| filter.admits(stored));
            found.map(|stored| Named { id: id_of(IdKind::Action, stored.cursor), entry: &stored.entry })
        }),
        dom_snapshots: Each(|| {
            let found = store.dom_snapshots.iter_of(test_id).filter(|stored| filter.admits(stored));
            found.map(|stored| &stored.entry)
        }),
        odd_answers: odd_answers(&session, filter),
        stats: stats(&session, filter),
    };
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(&mut out, &snapshot);
    out
}

fn stats(session: &Session, filter: &Filter) -> SnapshotStats {
    let test_id = filter.test_id.as_deref();
    let mut stats = SnapshotStats::default();
    for stored in session.store.logs.iter_of(test_id).filter(|stored| filter.admits(stored)) {
        stats.total_logs += 1;
        stats.error_count += usize::from(stored.entry.level == Level::Error);
        stats.warning_count += usize::from(stored.entry.level == Level::Warn);
    }
    let events = session.store.websocket.iter_of(test_id).filter(|stored| filter.admits(stored));
    stats.ws_connections = events.map(|stored| &stored.entry.connection_id).collect::<HashSet<_>>().len();
    let of_requests = |failure: &&Failure<'_>| match failure {
        Failure::Request(_) => true,
        Failure::Log(stored, _) => stored.entry.kind == LogKind::Network,
    };
    stats.network_failures = failures(session, filter).iter().filter(of_requests).count();
    stats
}

/// Parses ISO 8601, or milliseconds since 1970.
pub(super) fn read_time(text: &str) -> Result<Timestamp, HttpError> {
    let number = text.parse().ok().map(Timestamp::from_millis);
    number.or_else(|| Timestamp::parse_iso(text)).ok_or_else(|| {
        HttpError::BadRequest(format!("invalid `since` \"{text}\": expected ISO 8601, for example {}", clock::now()))
    })
}

async fn clear(
    State(app): State<Shared>,
    asked: Result<Query<Cleared>, QueryRejection>,
    Body(body): Body,
) -> Result<Json<Value>, HttpError> {
    let Query(asked) = asked.map_err(bad_query)?;
    let in_body: Cleared = match body.trim_ascii() {
        b"" => Cleared::default(),
        text => serde_json::from_slice(text)
            .map_err(|error| HttpError::BadRequest(format!("cannot read the body: {error}")))?,
    };
    let test_id = asked.test_id.or(in_body.test_id).map(|test_id| app.redactor.text(&test_id));
    let removed = app.session().clear(test_id.as_deref(), clock::now());
    Ok(Json(json!({ "cleared": true, "entries_removed": removed })))
}

pub(super) fn bad_query(rejection: QueryRejection) -> HttpError {
    HttpError::BadRequest(rejection.body_text())
}
