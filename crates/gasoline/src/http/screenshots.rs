//! `POST /screenshots`: a screenshot of the page, often taken at an error.

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
    // Decoding and writing megabytes must not block a thread that answers requests.
    let work = tokio::task::spawn_blocking(move || save(&app, &body));
    work.await.map_err(|error| HttpError::Internal(format!("cannot save the screenshot: {error}")))?.map(Json)
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
        // The ids of entries were redacted before they were stored, so redact this one in the same way.
        app.session().store.link_screenshot(&app.redactor.text(id), &path);
    }
    Ok(ScreenshotReply { filename, path })
}
