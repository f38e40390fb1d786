//! `/logs`: console output and errors.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use serde_json::{Value, json};

use super::entries::{Each, Named, added_id};
use super::{HttpError, Shared, ingest};
use crate::app::App;
use crate::clock;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/logs", get(list).post(ingest::logs).delete(clear))
}

async fn list(State(app): State<Shared>) -> Result<Response, HttpError> {
    let at_most = app.session().store.logs.bytes();
    app.response_budget.json(at_most, |out| all(&app, out)).await
}

#[derive(Serialize)]
struct Logs<L> {
    entries: L,
    count: usize,
}

fn all(app: &App, mut out: Vec<u8>) -> Vec<u8> {
    let session = app.session();
    let logs = &session.store.logs;
    let entries = Each(|| logs.iter().map(|stored| Named { id: added_id(app, stored), entry: &stored.entry }));
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(&mut out, &Logs { entries, count: logs.len() });
    out
}

async fn clear(State(app): State<Shared>, RawQuery(query): RawQuery) -> Result<Json<Value>, HttpError> {
    // A client that wants to delete some of the logs must not lose all of them.
    if query.is_some_and(|query| !query.is_empty()) {
        return Err(HttpError::BadRequest(
            "DELETE /logs takes no parameters; use /clear?test_id=… for one test".to_owned(),
        ));
    }
    app.session().store.clear_logs(clock::now());
    Ok(Json(json!({ "cleared": true })))
}
