//! `POST /screenshots`: a picture of the page, often of an error.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use axum::{Json, Router};
use std::time::Instant;
use wire::screenshot::{Screenshot, ScreenshotReply};

use super::body::{Body, read_json};
use super::{HttpError, Shared, metrics, rate};
use crate::app::App;
use crate::clock;
use crate::screenshots::read_data_url;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/screenshots", post(take_in))
}

async fn take_in(
    State(app): State<Shared>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Json<ScreenshotReply>, HttpError> {
    app.rate
        .take(&rate::source(&headers), 1, Instant::now())
        .inspect_err(|_| metrics::count(&app.metrics.rate_limited))?;
    // Megabytes are decoded and written: not in a thread that answers requests.
    let work = tokio::task::spawn_blocking(move || save(&app, &body));
    work.await.map_err(|error| HttpError::Internal(format!("the screenshot could not be saved: {error}")))?.map(Json)
}

fn save(app: &App, body: &[u8]) -> Result<ScreenshotReply, HttpError> {
    let sent: Screenshot = read_json(body)
        .map_err(|_| HttpError::BadRequest("not the JSON expected here: an object with `data_url`".to_owned()))?;
    let (format, bytes) = read_data_url(sent.data_url.as_deref().unwrap_or_default()).map_err(HttpError::BadRequest)?;
    let path = app
        .screenshots
        .save(&bytes, format, clock::now())
        .map_err(|error| HttpError::Internal(format!("{error:#}")))?;
    let filename = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = path.display().to_string();
    if let Some(id) = &sent.error_id {
        // Entries' ids were looked through before they were stored; the two must stay the same.
        app.session().store.link_screenshot(&app.redactor.text(id), &path);
    }
    Ok(ScreenshotReply { filename, path })
}
