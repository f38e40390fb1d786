//! `POST /source-maps`: maps the stacks of stored and future errors to the developer's own files.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::time::Instant;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use axum::{Json, Router};
use engine::symbolicate::SourceMapResult;
use engine::symbolicate::source_map::SourceMap;
use tokio::sync::Semaphore;
use wire::limits;
use wire::source_map::{SourceMapReply, SourceMapUpload};

use super::body::{Body, read_json};
use super::{HttpError, Shared, metrics, rate};
use crate::app::App;
use crate::{clock, memory};

/// The most characters that are kept of a browser's reason.
const REASON_CHARS: usize = 200;
const ADDRESS_CHARS: usize = 2_000;

/// Source maps are large, and reading one needs several times its size, so they are read one at a time.
static READING: Semaphore = Semaphore::const_new(1);
/// How much memory reading a map needs besides its text, in multiples of the text: JSON within JSON is unescaped twice,
/// each time into a buffer that is then copied.
const WORK_FACTOR: usize = 4;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/source-maps", post(take_in))
}

async fn take_in(
    State(app): State<Shared>,
    headers: HeaderMap,
    Body(body): Body<{ limits::SOURCE_MAP_BYTES }>,
) -> Result<Json<SourceMapReply>, HttpError> {
    app.rate
        .take(&rate::source(&headers), 1, Instant::now())
        .inspect_err(|_| metrics::count(&app.metrics.rate_limited))?;
    let _turn = READING.acquire().await;
    let work = tokio::task::spawn_blocking(move || {
        let _working = memory::working(body.len() * WORK_FACTOR);
        let upload: SourceMapUpload =
            read_json(&body).map_err(|error| HttpError::BadRequest(format!("not the JSON expected here: {error}")))?;
        drop(body);
        keep(&app, upload)
    });
    work.await.map_err(|error| HttpError::Internal(format!("cannot read the map: {error}")))?.map(Json)
}

fn keep(app: &App, upload: SourceMapUpload) -> Result<SourceMapReply, HttpError> {
    let SourceMapUpload { url, map, map_url, script, missing, page_id } = upload;
    let bad = |what: &str| HttpError::BadRequest(what.to_owned());
    let url = url
        .filter(|url| !url.is_empty())
        .ok_or_else(|| bad("`url` is missing: expected the URL of the map's script"))?;
    if url.len() > ADDRESS_CHARS {
        return Err(bad("`url` is too long"));
    }
    // Stacks were redacted before they were stored, so redact the URL in the same way.
    let url = app.redactor.text(&url);
    let (result, sources) = match (map, script, missing) {
        (Some(text), _, _) => {
            let base = map_url.as_deref().unwrap_or(&url);
            let map = SourceMap::parse(&text, base, &url, &app.redactor)
                .map_err(|reason| bad(&app.redactor.text(&reason)))?;
            let sources = map.sources();
            (SourceMapResult::Map { map, hash: hash(&text) }, sources)
        }
        (None, Some(text), _) => {
            let map = SourceMap::of_plain_script(&url, &text, &app.redactor).map_err(|reason| bad(&reason))?;
            (SourceMapResult::Map { map, hash: hash(&text) }, 1)
        }
        (None, None, Some(reason)) => {
            let reason: String = reason.chars().take(REASON_CHARS).collect();
            (SourceMapResult::Missing(app.redactor.text(&reason)), 0)
        }
        (None, None, None) => return Err(bad("expected one of `map`, `script` and `missing`")),
    };
    let allowed = app.extension.allowed_context();
    let mut session = app.session();
    session.add_source_map(&url, result, page_id.as_deref(), clock::now());
    session.explain_errors(&app.redactor, allowed, None);
    Ok(SourceMapReply { received: true, sources })
}

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}
