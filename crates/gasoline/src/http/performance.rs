//! `/performance-snapshot`: one page load at a time.

use axum::extract::{Query, State};
use axum::routing::post;
use axum::{Json, Router};
use engine::url::path_of;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Shared, ingest};

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/performance-snapshot", post(ingest::performance_snapshot).get(latest))
}

#[derive(Debug, Deserialize)]
struct Wanted {
    url: Option<String>,
}

/// The latest load of a page, and the baseline it is compared with.
async fn latest(State(app): State<Shared>, Query(wanted): Query<Wanted>) -> Json<Value> {
    let session = app.session();
    let page = match wanted.url.as_deref() {
        Some(url) => session.store.performance.page(path_of(url)),
        None => session.store.performance.newest(),
    };
    Json(match page {
        Some(page) => json!({ "snapshot": page.latest, "baseline": page.compared_with }),
        None => json!({ "snapshot": null, "baseline": null, "hint": "no load of this page was captured" }),
    })
}
