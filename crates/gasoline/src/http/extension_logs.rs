//! `/extension-logs`: the extension's own errors and warnings.

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;

use super::logs::{end_list, write_entry};
use super::{HttpError, Shared, ingest};
use crate::app::App;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/extension-logs", get(list).post(ingest::extension_logs))
}

async fn list(State(app): State<Shared>) -> Result<Response, HttpError> {
    let at_most = app.session().store.extension_logs.bytes();
    app.unread.json(at_most, |out| all(&app, out)).await
}

fn all(app: &App, mut out: Vec<u8>) -> Vec<u8> {
    out.extend_from_slice(b"{\"logs\":[");
    let session = app.session();
    for stored in session.store.extension_logs.iter() {
        write_entry(&mut out, None, &stored.entry);
    }
    let count = session.store.extension_logs.len();
    drop(session);
    end_list(&mut out);
    out.extend_from_slice(format!(",\"count\":{count}}}").as_bytes());
    out
}
