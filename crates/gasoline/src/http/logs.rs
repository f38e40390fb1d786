//! `/logs`: console output and errors.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use engine::entry::Log;
use engine::store::Stored;
use engine::store::id::IdKind;
use serde::Serialize;
use serde_json::{Value, json};

use super::{HttpError, Shared, ingest};
use crate::app::App;
use crate::clock;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/logs", get(list).post(ingest::logs).delete(clear))
}

async fn list(State(app): State<Shared>) -> Result<Response, HttpError> {
    let at_most = app.session().store.logs.bytes();
    app.unread.json(at_most, |out| all(&app, out)).await
}

fn all(app: &App, mut out: Vec<u8>) -> Vec<u8> {
    out.extend_from_slice(b"{\"entries\":[");
    let session = app.session();
    for stored in session.store.logs.iter() {
        write_entry(&mut out, added_id(app, stored).as_deref(), &stored.entry);
    }
    let count = session.store.logs.len();
    drop(session);
    end_list(&mut out);
    out.extend_from_slice(format!(",\"count\":{count}}}").as_bytes());
    out
}

async fn clear(State(app): State<Shared>, RawQuery(query): RawQuery) -> Result<Json<Value>, HttpError> {
    // Someone who means a part of the logs must not lose all of them.
    if query.is_some_and(|query| !query.is_empty()) {
        return Err(HttpError::BadRequest(
            "DELETE /logs takes no parameters; use /clear?test_id=… for one test".to_owned(),
        ));
    }
    app.session().store.clear_logs(clock::now());
    Ok(Json(json!({ "cleared": true })))
}

/// Appends an entry and a comma, with our id in front unless it has its own. Written by hand: copying the entry to add
/// a field would double the work of a large answer.
pub(super) fn write_entry(out: &mut Vec<u8>, id: Option<&str>, entry: &impl Serialize) {
    let start = out.len();
    if let Some(id) = id {
        out.extend_from_slice(b"{\"id\":");
        let _ = serde_json::to_writer(&mut *out, id);
        out.push(b',');
    }
    let fields = out.len();
    if serde_json::to_writer(&mut *out, entry).is_err() {
        out.truncate(start);
        return;
    }
    if id.is_some() {
        // The entry's own opening brace is the one too many.
        out.remove(fields);
    }
    out.push(b',');
}

/// The log entry's id, if it is ours to write.
pub(super) fn added_id(app: &App, stored: &Stored<Log>) -> Option<String> {
    stored.entry.id.is_none().then(|| app.ids.format(IdKind::Log, stored.cursor))
}

/// Replaces the last comma with the list's end.
pub(super) fn end_list(out: &mut Vec<u8>) {
    if out.last() == Some(&b',') {
        out.pop();
    }
    out.push(b']');
}
