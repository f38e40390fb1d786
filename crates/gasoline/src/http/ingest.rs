//! The ingest routes. The engine reads the entries; this module counts, stores and journals them.

use std::borrow::Cow;
use std::time::Instant;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use engine::intake::{Arrived, Content, Prepared};
use engine::store::Refused;
use engine::whole_characters;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use wire::Timestamp;
use wire::sync::{BufferStatus, SyncReply};

use super::auth::Sender;
use super::body::Body;
use super::{HttpError, Shared, metrics, rate};
use crate::app::App;
use crate::clock;
use crate::journal::Line;
use crate::memory;

/// Bodies larger than this are processed outside the threads that answer requests.
const LARGE_BODY: usize = 256 * 1024;
/// How many large bodies are processed at the same time. More would not be faster, because a small machine has no more
/// processors. Each needs several times its size in the meantime, and every thread keeps some of that.
static LARGE_BODIES: Semaphore = Semaphore::const_new(2);
/// How much memory processing a large body needs besides the body, in multiples of its size.
const WORK_FACTOR: usize = 3;
/// Entries are prepared in chunks of this many entries or bytes before the store is locked.
const READY_ENTRIES: usize = 1_000;
const READY_BYTES: usize = 1024 * 1024;
/// How many reasons for rejected entries an answer reports.
const REASONS: usize = 3;
/// What has a route with an answer of its own.
const OTHERS: [Content; 3] = [Content::Logs, Content::Performance, Content::ExtensionLogs];

/// The routes that answer with nothing but how much was stored, and `/sync`.
pub(super) fn routes() -> Router<Shared> {
    let counted = Content::ALL.into_iter().filter(|content| *content != Content::Sync && !OTHERS.contains(content));
    counted.fold(Router::new().route(Content::Sync.path(), post(sync)), |router, content| {
        let take = move |State(app): State<Shared>, headers: HeaderMap, body: Body| async move {
            Ok::<_, HttpError>(take_in(&app, &headers, body, content).await?.counts())
        };
        router.route(content.path(), post(take))
    })
}

pub(super) async fn logs(
    State(app): State<Shared>,
    sender: Sender,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, HttpError> {
    let text = body.0.clone();
    let outcome = take_in(&app, &headers, body, Content::Logs).await?;
    if sender == Sender::WriteOnly {
        let counts = json!({ "received": outcome.stored, "rejected": outcome.rejected });
        return Ok(outcome.reply(outcome.with_own_maps(counts, &text)));
    }
    let total = app.session().store.logs.len();
    let mut reply = json!({ "received": outcome.stored, "rejected": outcome.rejected, "entries": total });
    if let (Value::Object(fields), false) = (&mut reply, outcome.source_maps_wanted.is_empty()) {
        fields.insert("source_maps_wanted".to_owned(), json!(outcome.source_maps_wanted));
    }
    Ok(outcome.reply(reply))
}

pub(super) async fn extension_logs(
    State(app): State<Shared>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, HttpError> {
    let outcome = take_in(&app, &headers, body, Content::ExtensionLogs).await?;
    Ok(outcome.reply(json!({ "status": "received", "log_count": outcome.stored })))
}

async fn sync(
    State(app): State<Shared>,
    sender: Sender,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, HttpError> {
    let text = body.0.clone();
    let outcome = take_in(&app, &headers, body, Content::Sync).await?;
    if sender == Sender::WriteOnly {
        let counts = json!({ "status": "received", "event_count": outcome.stored, "rejected": outcome.rejected });
        return Ok(outcome.reply(outcome.with_own_maps(counts, &text)));
    }
    let reply = SyncReply {
        status: "received".to_owned(),
        event_count: outcome.stored,
        rejected: outcome.rejected,
        // The state when the batch was stored, so that a repeated answer is the same.
        buffer_status: outcome.buffers.clone().unwrap_or_else(|| app.session().store.buffer_status()),
        source_maps_wanted: outcome.source_maps_wanted.clone(),
    };
    Ok(outcome.reply(json!(reply)))
}

pub(super) async fn performance_snapshot(
    State(app): State<Shared>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, HttpError> {
    let outcome = take_in(&app, &headers, body, Content::Performance).await?;
    match outcome.reasons.into_iter().next() {
        Some(reason) => Err(HttpError::BadRequest(reason)),
        None => Ok(Json(json!({ "received": true, "baseline_updated": true })).into_response()),
    }
}

async fn take_in(app: &Shared, headers: &HeaderMap, Body(body): Body, content: Content) -> Result<Outcome, HttpError> {
    let source = rate::source(headers);
    if body.len() <= LARGE_BODY {
        return work_through(app, &source, &body, content);
    }
    let _turn = LARGE_BODIES.acquire().await;
    let app = Shared::clone(app);
    let work = tokio::task::spawn_blocking(move || {
        let working = memory::working(body.len() * WORK_FACTOR);
        let outcome = work_through(&app, &source, &body, content);
        drop((body, working));
        // Check memory here, too: ten workers can store more within a second than the guard's next check could
        // tolerate.
        if app.ingest_token.is_some() {
            memory::make_room(&app);
        }
        outcome
    });
    work.await.map_err(|error| HttpError::Internal(format!("cannot read the batch: {error}")))?
}

fn work_through(app: &App, source: &str, body: &[u8], content: Content) -> Result<Outcome, HttpError> {
    let text =
        std::str::from_utf8(body).map_err(|error| HttpError::BadRequest(format!("the body is not UTF-8: {error}")))?;
    let unknown = |name: String| app.unknown_fields.note(&app.redactor, &name);
    let split = |text| content.split(text, &mut |name| unknown(format!("batch.{name}")));
    // Entries are repaired one by one. A batch's own name is rarely cut in the middle of a character.
    let whole;
    let batch = match split(text) {
        Err(error) => match whole_characters(text) {
            Cow::Owned(text) => {
                whole = text;
                split(&whole)
            }
            Cow::Borrowed(_) => Err(error),
        },
        read => read,
    };
    let batch = batch.map_err(|error| {
        let reason = readable(&app.redactor.text(&error.to_string()));
        HttpError::BadRequest(format!("not the JSON expected here: {reason}"))
    })?;
    // The workers of a test run share an origin or have none; one that floods must not starve the others.
    let source = match batch.sender() {
        Some(sender) if app.ingest_token.is_some() => format!("{source} {sender}"),
        _ => source.to_owned(),
    };
    app.batches.once(content, batch.batch_id(), || {
        app.rate.take(&source, batch.len(), Instant::now()).inspect_err(|_| {
            metrics::count(&app.metrics.rate_limited);
            metrics::add(&app.metrics.entries_rate_limited, batch.len() as u64);
        })?;
        Ok(store(app, &batch, content))
    })
}

/// Prepares, stores and journals the entries of a batch in chunks: a prepared entry can take many times its size in the
/// request.
fn store(app: &App, batch: &Arrived<'_>, content: Content) -> Outcome {
    let mut unknown = |name: String| app.unknown_fields.note(&app.redactor, &name);
    let arrival = clock::now();
    let mut outcome = Outcome::default();
    let open = app.session().tests.open().clone();
    let (mut ready, mut bytes) = (Vec::new(), 0);
    for (index, prepared) in batch.prepare(&app.redactor, &open, arrival, &mut unknown).enumerate() {
        match prepared {
            Ok(prepared) => {
                bytes += prepared.text.len();
                ready.push(prepared);
            }
            Err(reason) => outcome.reject(|| format!("entry {index}: {}", readable(&app.redactor.text(&reason)))),
        }
        if ready.len() >= READY_ENTRIES || bytes >= READY_BYTES {
            keep(app, std::mem::take(&mut ready), arrival, &mut outcome);
            bytes = 0;
        }
    }
    keep(app, ready, arrival, &mut outcome);
    let allowed = app.extension.allowed_context();
    {
        let mut session = app.session();
        outcome.source_maps_wanted = session.explain_errors(&app.redactor, allowed, Some(arrival));
        app.streams.look(&session, arrival);
        outcome.buffers = (content == Content::Sync).then(|| session.store.buffer_status());
    }
    app.stored.notify_waiters();
    metrics::add(&app.metrics.ingested, outcome.stored as u64);
    metrics::add(&app.metrics.rejected, outcome.rejected as u64);
    outcome
}

/// Stores and journals prepared entries.
fn keep(app: &App, ready: Vec<Prepared>, arrival: Timestamp, outcome: &mut Outcome) {
    let mut lines = Vec::with_capacity(ready.len());
    {
        let mut session = app.session();
        for prepared in ready {
            let (journaled, is_body) = (prepared.is_journaled(), prepared.is_network_body());
            match session.add(prepared, arrival) {
                Ok(text) => {
                    outcome.stored += 1;
                    if journaled {
                        lines.push(Line { text, is_body });
                    }
                }
                // An earlier batch has stored it: count it as stored, so that the sender does not consider it lost.
                Err(Refused::Repeated) => outcome.stored += 1,
                Err(Refused::MemoryPressure) => outcome.reject(|| "not stored: the server is low on memory".to_owned()),
                Err(Refused::NothingToPatch) => {
                    outcome.reject(|| "no stored entry has this id, and there is no message".to_owned())
                }
            }
        }
    }
    app.journal.append(lines);
}

/// A parser's message without the values that it quotes, which may be secrets, and in words of JSON instead of Rust.
pub(super) fn readable(reason: &str) -> String {
    let mut out = String::new();
    for (index, part) in reason.split('"').enumerate() {
        out.push_str(if index % 2 == 0 { part } else { "…" });
    }
    let Some((before, rest)) = out.split_once("expected ") else {
        return out.replace("unknown variant", "unknown value");
    };
    let (expected, place) = rest.split_at(rest.find(" at line ").unwrap_or(rest.len()));
    format!("{}expected {}{place}", before.replace("unknown variant", "unknown value"), json_word(expected))
}

/// What the parser expected, in JSON's words.
fn json_word(expected: &str) -> &str {
    let is_kind = |kind: &str| expected.starts_with(kind);
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "string" | "string or map" | "str" => "text",
        "a boolean" | "bool" => "`true` or `false`",
        "a map" | "map" => "an object",
        "a sequence" | "sequence" => "a list",
        "unit" => "`null`",
        _ if is_kind("struct ") || is_kind("internally tagged enum ") => "an object",
        _ if is_kind("tuple ") => "a list",
        _ if is_kind("enum ") => "text",
        other => other,
    }
}

/// The result of a batch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outcome {
    stored: usize,
    rejected: usize,
    reasons: Vec<String>,
    /// For a sync batch: how full the buffers were after it.
    buffers: Option<BufferStatus>,
    /// Scripts whose source maps would explain errors of this batch.
    source_maps_wanted: Vec<String>,
}

impl Outcome {
    fn reject(&mut self, reason: impl FnOnce() -> String) {
        self.rejected += 1;
        if self.reasons.len() < REASONS {
            self.reasons.push(reason());
        }
    }

    /// The scripts whose source maps are wanted. Only scripts that the sender itself named are listed.
    fn with_own_maps(&self, mut fields: Value, sent: &[u8]) -> Value {
        let sent = String::from_utf8_lossy(sent);
        let own: Vec<&String> = self.source_maps_wanted.iter().filter(|url| sent.contains(url.as_str())).collect();
        if let (Value::Object(fields), false) = (&mut fields, own.is_empty()) {
            fields.insert("source_maps_wanted".to_owned(), json!(own));
        }
        fields
    }

    fn counts(&self) -> Response {
        self.reply(json!({ "received": self.stored, "rejected": self.rejected }))
    }

    fn reply(&self, mut fields: Value) -> Response {
        if !self.reasons.is_empty()
            && let Value::Object(fields) = &mut fields
        {
            fields.insert("reasons".to_owned(), json!(self.reasons));
        }
        Json(fields).into_response()
    }
}
