//! `POST /screenshots`: a picture of the page, often of an error.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Instant;
use wire::screenshot::{Screenshot, ScreenshotReply};

use super::body::Body;
use super::{HttpError, Shared, metrics, rate};
use crate::app::App;
use crate::clock;
use crate::screenshots::Format;

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
    let sent: Screenshot = serde_json::from_slice(body)
        .map_err(|_| HttpError::BadRequest("not the JSON expected here: an object with `data_url`".to_owned()))?;
    let (format, bytes) = picture(sent.data_url.as_deref().unwrap_or_default()).map_err(HttpError::BadRequest)?;
    let path = app
        .screenshots
        .save(&bytes, format, clock::now())
        .map_err(|error| HttpError::Internal(format!("{error:#}")))?;
    let filename = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = path.display().to_string();
    if let Some(id) = &sent.error_id {
        // Entries' ids were looked through before they were stored; the two must stay the same.
        app.store().link_screenshot(&app.redactor.text(id), &path);
    }
    Ok(ScreenshotReply { filename, path })
}

/// Reads a data address; what it says it is must be what it is.
fn picture(data_url: &str) -> Result<(Format, Vec<u8>), String> {
    const WANTED: &str = "`data_url` is data:image/png, image/jpeg or image/webp, in base64";
    let (head, data) =
        data_url.strip_prefix("data:").and_then(|rest| rest.split_once(',')).ok_or_else(|| WANTED.to_owned())?;
    let media_type = head.strip_suffix(";base64").ok_or_else(|| WANTED.to_owned())?;
    let format =
        Format::ALL.into_iter().find(|format| format.media_type() == media_type).ok_or_else(|| WANTED.to_owned())?;
    let bytes = STANDARD.decode(data).map_err(|error| format!("`data_url` is no base64: {error}"))?;
    if !format.fits(&bytes) {
        return Err(format!("`data_url` does not hold what it says: no {media_type}"));
    }
    Ok((format, bytes))
}
