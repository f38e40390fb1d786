//! `/performance-snapshot`: one page load at a time.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::routing::post;
use axum::{Json, Router};
use engine::normalize::path_of;
use serde::Deserialize;
use serde_json::{Value, json};

use super::body::Body;
use super::{HttpError, Shared, ingest, rate};

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/performance-snapshot", post(receive).get(latest))
}

async fn receive(State(app): State<Shared>, headers: HeaderMap, Body(body): Body) -> Result<Json<Value>, HttpError> {
    ingest::performance_snapshot(&app, &rate::source(&headers), &body)?;
    Ok(Json(json!({ "received": true, "baseline_updated": true })))
}

#[derive(Debug, Deserialize)]
struct Wanted {
    url: Option<String>,
}

/// The latest load of a page, and the baseline it is compared with.
async fn latest(State(app): State<Shared>, Query(wanted): Query<Wanted>) -> Json<Value> {
    let store = app.store();
    let page = match wanted.url.as_deref() {
        Some(url) => store.performance.page(path_of(url)),
        None => store.performance.newest(),
    };
    Json(match page {
        Some(page) => json!({ "snapshot": page.latest, "baseline": page.compared_with }),
        None => json!({ "snapshot": null, "baseline": null, "hint": "no load of this page was captured" }),
    })
}
