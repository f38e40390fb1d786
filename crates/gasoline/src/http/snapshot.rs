//! `/snapshot` and `/clear`: all that happened, and a clean table.

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
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::{Level, Timestamp};

use super::body::Body;
use super::logs::{added_id, end_list, write_entry};
use super::{HttpError, Shared};
use crate::app::App;
use crate::clock;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/snapshot", get(snapshot)).route("/clear", post(clear).delete(clear))
}

/// A misspelt parameter must not mean "all of it".
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    since: Option<String>,
    #[serde(alias = "testId")]
    test_id: Option<String>,
}

/// The same for `/clear`, in its address or in its body.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cleared {
    #[serde(alias = "testId")]
    test_id: Option<String>,
    /// There is no configuration here that clearing could touch.
    #[serde(rename = "preserve_config", alias = "preserveConfig")]
    _preserve_config: Option<bool>,
}

#[derive(Debug, Default, Serialize)]
struct Stats {
    total_logs: usize,
    error_count: usize,
    warning_count: usize,
    network_failures: usize,
    ws_connections: usize,
}

async fn snapshot(State(app): State<Shared>, part: Result<Query<Part>, QueryRejection>) -> Result<Response, HttpError> {
    let Query(part) = part.map_err(bad_query)?;
    let since = match part.since.as_deref() {
        None => Since::Ever,
        Some(text) => Since::Time(read_time(text)?),
    };
    // Tags were looked through for credentials before they were stored; the two must stay the same.
    let test_id = part.test_id.map(|test_id| app.redactor.text(&test_id));
    let filter = Filter { since, test_id, ..Filter::default() };
    let at_most = at_most(&app.session(), filter.test_id.as_deref());
    app.unread.json(at_most, |out| write_snapshot(&app, &filter, out)).await
}

/// The buffers count more for an entry than its text takes.
pub(super) fn at_most(session: &Session, test_id: Option<&str>) -> usize {
    session.store.logs.bytes_of(test_id)
        + session.store.websocket.bytes_of(test_id)
        + session.store.network.bytes_of(test_id)
        + session.store.actions.bytes_of(test_id)
        + session.store.dom_snapshots.bytes_of(test_id)
}

fn write_snapshot(app: &App, filter: &Filter, mut out: Vec<u8>) -> Vec<u8> {
    let test_id = filter.test_id.as_deref();
    let mut stats = Stats::default();
    let session = app.session();

    out.extend_from_slice(format!("{{\"timestamp\":\"{}\",", clock::now()).as_bytes());
    if let Some(test_id) = test_id {
        out.extend_from_slice(format!("\"test_id\":{},", json!(test_id)).as_bytes());
        if let Some(test) = session.tests.find(test_id) {
            out.extend_from_slice(format!("\"test\":{},", json!(test)).as_bytes());
        }
    } else if !session.tests.is_empty() {
        out.extend_from_slice(b"\"tests\":[");
        for test in session.tests.iter() {
            write_entry(&mut out, None, test);
        }
        end_list(&mut out);
        out.push(b',');
    }

    out.extend_from_slice(b"\"logs\":[");
    for stored in session.store.logs.iter_of(test_id).filter(|stored| filter.admits(stored)) {
        stats.total_logs += 1;
        stats.error_count += usize::from(stored.entry.level == Level::Error);
        stats.warning_count += usize::from(stored.entry.level == Level::Warn);
        write_entry(&mut out, added_id(app, stored).as_deref(), &stored.entry);
    }
    end_list(&mut out);

    out.extend_from_slice(b",\"websocket_events\":[");
    let mut connections = std::collections::HashSet::new();
    for stored in session.store.websocket.iter_of(test_id).filter(|stored| filter.admits(stored)) {
        connections.insert(&stored.entry.connection_id);
        write_entry(&mut out, Some(&app.ids.format(IdKind::WebSocket, stored.cursor)), &stored.entry);
    }
    stats.ws_connections = connections.len();
    end_list(&mut out);

    out.extend_from_slice(b",\"network_bodies\":[");
    for stored in session.store.network.iter_of(test_id).filter(|stored| filter.admits(stored)) {
        write_entry(&mut out, Some(&app.ids.format(IdKind::Network, stored.cursor)), &stored.entry);
    }
    end_list(&mut out);

    out.extend_from_slice(b",\"enhanced_actions\":[");
    for stored in session.store.actions.iter_of(test_id).filter(|stored| filter.admits(stored)) {
        write_entry(&mut out, Some(&app.ids.format(IdKind::Action, stored.cursor)), &stored.entry);
    }
    end_list(&mut out);

    out.extend_from_slice(b",\"dom_snapshots\":[");
    for stored in session.store.dom_snapshots.iter_of(test_id).filter(|stored| filter.admits(stored)) {
        write_entry(&mut out, None, &stored.entry);
    }
    end_list(&mut out);

    out.extend_from_slice(b",\"odd_answers\":[");
    for odd in odd_answers(&session, filter) {
        write_entry(&mut out, None, &odd);
    }
    end_list(&mut out);

    stats.network_failures = failures(&session, filter)
        .iter()
        .filter(|failure| match failure {
            Failure::Request(_) => true,
            Failure::Log(stored, _) => stored.entry.kind == LogKind::Network,
        })
        .count();
    drop(session);
    out.extend_from_slice(format!(",\"stats\":{}}}", json!(stats)).as_bytes());
    out
}

/// ISO 8601, or milliseconds as everywhere else.
pub(super) fn read_time(text: &str) -> Result<Timestamp, HttpError> {
    let number = text.parse().ok().map(Timestamp::from_millis);
    number.or_else(|| Timestamp::parse_iso(text)).ok_or_else(|| {
        HttpError::BadRequest(format!("`since` is no time: {text}; use ISO 8601, such as {}", clock::now()))
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
            .map_err(|error| HttpError::BadRequest(format!("the body was not understood: {error}")))?,
    };
    let test_id = asked.test_id.or(in_body.test_id).map(|test_id| app.redactor.text(&test_id));
    let removed = app.session().clear(test_id.as_deref(), clock::now());
    Ok(Json(json!({ "cleared": true, "entries_removed": removed })))
}

pub(super) fn bad_query(rejection: QueryRejection) -> HttpError {
    HttpError::BadRequest(rejection.body_text())
}
