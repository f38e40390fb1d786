//! `/extension-logs`: the extension's own errors and warnings.

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use super::entries::Each;
use super::{HttpError, Shared, ingest};
use crate::app::App;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/extension-logs", get(list).post(ingest::extension_logs))
}

async fn list(State(app): State<Shared>) -> Result<Response, HttpError> {
    let at_most = app.session().store.extension_logs.bytes();
    app.response_budget.json(at_most, |out| all(&app, out)).await
}

#[derive(Serialize)]
struct ExtensionLogs<L> {
    logs: L,
    count: usize,
}

fn all(app: &App, mut out: Vec<u8>) -> Vec<u8> {
    let session = app.session();
    let logs = &session.store.extension_logs;
    let answer = ExtensionLogs { logs: Each(|| logs.iter().map(|stored| &stored.entry)), count: logs.len() };
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(&mut out, &answer);
    out
}
