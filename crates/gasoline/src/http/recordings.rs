//! `POST /recordings/save`: the video of a tab, written to disk as it arrives.

use axum::extract::{Request, State};
use axum::http::header;
use axum::routing::post;
use axum::{Json, Router};
use std::io;
use std::time::Instant;
use wire::limits;
use wire::recording::{RecordingMetadata, RecordingReply, RecordingStatus};

use super::body::read_json;
use super::drain::drain;
use super::upload::{Part, Upload};
use super::{HttpError, Shared, metrics, rate};
use crate::app::App;
use crate::clock;
use crate::recordings::{Draft, Name, is_full, unique_name};

/// The first bytes of every WebM: the start of the EBML header.
const MAGIC: [u8; 4] = [0x1a, 0x45, 0xdf, 0xa3];
/// How many bytes a body may have besides the video: metadata, part headers, boundaries.
const BESIDE_THE_VIDEO: u64 = 2 * limits::RECORDING_METADATA_BYTES as u64;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/recordings/save", post(take_in))
}

async fn take_in(State(app): State<Shared>, request: Request) -> Result<Json<RecordingReply>, HttpError> {
    app.rate
        .take(&rate::source(request.headers()), 1, Instant::now())
        .inspect_err(|_| metrics::count(&app.metrics.rate_limited))?;
    let (head, body) = request.into_parts();
    let stated: Option<u64> =
        head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let limit = app.recordings.limits.bytes;
    if stated.is_some_and(|length| length > limit + BESIDE_THE_VIDEO) {
        drain(body).await;
        return Err(HttpError::RecordingTooLarge { limit });
    }
    let mut upload = Upload::new(&head.headers, body, app.recordings.limits.stall)?;
    match receive(&app, &mut upload).await {
        Ok((draft, metadata)) => save(app, draft, metadata).await.map(Json),
        Err(refusal) => {
            if !matches!(refusal, HttpError::TooSlow) {
                upload.drain().await;
            }
            Err(refusal)
        }
    }
}

/// Reads both parts, in the order in which they arrive.
async fn receive(app: &App, upload: &mut Upload) -> Result<(Draft, RecordingMetadata), HttpError> {
    let (mut video, mut metadata) = (None, None);
    while let Some(part) = upload.next_part().await? {
        match part.name() {
            "video" if video.is_none() => video = Some(read_video(app, part).await?),
            "metadata" if metadata.is_none() => metadata = Some(read_metadata(part).await?),
            _ => {
                return Err(HttpError::BadRequest(
                    "unexpected part: expected one part `metadata` and one part `video`".to_owned(),
                ));
            }
        }
    }
    let missing = |part: &str| HttpError::BadRequest(format!("the part `{part}` is missing"));
    Ok((video.ok_or_else(|| missing("video"))?, metadata.ok_or_else(|| missing("metadata"))?))
}

async fn read_video(app: &App, mut part: Part) -> Result<Draft, HttpError> {
    let limit = app.recordings.limits.bytes;
    let mut start = Vec::new();
    let mut draft: Option<Draft> = None;
    while let Some(chunk) = part.chunk().await? {
        // Write nothing before the first bytes have been recognised as a video.
        if draft.is_none() {
            start.extend_from_slice(&chunk);
            if start.len() < MAGIC.len() {
                continue;
            }
            if !start.starts_with(&MAGIC) {
                break;
            }
            draft = Some(app.recordings.begin().map_err(unsaved)?);
        }
        let bytes = if start.is_empty() { &chunk[..] } else { start.as_slice() };
        if let Some(draft) = &mut draft {
            if draft.size + bytes.len() as u64 > limit {
                return Err(HttpError::RecordingTooLarge { limit });
            }
            draft.write(bytes).await.map_err(unwritten)?;
        }
        start.clear();
    }
    let mut draft =
        draft.ok_or_else(|| HttpError::BadRequest("`video` is not a WebM file: it has no EBML header".to_owned()))?;
    draft.flush().await.map_err(unwritten)?;
    Ok(draft)
}

async fn read_metadata(mut part: Part) -> Result<RecordingMetadata, HttpError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await? {
        if bytes.len() + chunk.len() > limits::RECORDING_METADATA_BYTES {
            return Err(HttpError::BadRequest(format!(
                "`metadata` is over the limit of {} bytes",
                limits::RECORDING_METADATA_BYTES
            )));
        }
        bytes.extend_from_slice(&chunk);
    }
    let metadata: RecordingMetadata = read_json(&bytes)
        .map_err(|error| HttpError::BadRequest(format!("`metadata` is not the JSON expected here: {error}")))?;
    // Check the name before reading the video, so that a rejected name does not waste an upload.
    metadata.name.as_deref().map(Name::parse).transpose().map_err(HttpError::BadRequest)?;
    Ok(metadata)
}

async fn save(app: Shared, draft: Draft, metadata: RecordingMetadata) -> Result<RecordingReply, HttpError> {
    let work = tokio::task::spawn_blocking(move || name_and_keep(&app, &draft, metadata));
    work.await.map_err(|error| HttpError::Internal(format!("cannot save the recording: {error}")))?
}

fn name_and_keep(app: &App, draft: &Draft, mut metadata: RecordingMetadata) -> Result<RecordingReply, HttpError> {
    let now = clock::now();
    let name = match metadata.name.as_deref() {
        Some(name) => Name::parse(name).map_err(HttpError::BadRequest)?,
        None => unique_name(None, now),
    };
    for text in [&mut metadata.url, &mut metadata.resolution, &mut metadata.mime_type].into_iter().flatten() {
        *text = app.redactor.text(text);
    }
    let duration_seconds = metadata.duration_seconds;
    let saved = app.recordings.finish(draft, &name, metadata, now).map_err(unsaved)?;
    Ok(RecordingReply {
        status: RecordingStatus::Saved,
        name: saved.name,
        path: saved.path.display().to_string(),
        metadata_path: saved.metadata_path.display().to_string(),
        size_bytes: draft.size,
        duration_seconds,
    })
}

fn unwritten(error: io::Error) -> HttpError {
    unsaved(anyhow::Error::new(error).context("cannot write the recording"))
}

fn unsaved(error: anyhow::Error) -> HttpError {
    if error.downcast_ref::<io::Error>().is_some_and(is_full) {
        return HttpError::InsufficientStorage;
    }
    HttpError::Internal(format!("{error:#}"))
}
