//! What the browser side sends. Every kind walks the same way: parse, inherit tags, normalize, redact, store, journal.

use std::time::Instant;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use engine::normalize::Normalize;
use engine::redact::Redact;
use engine::store::{Refused, Store};
use engine::Redacted;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serde_json::value::RawValue;
use wire::batch::{ActionBatch, Batch, BodyBatch, EventBatch, ExtensionLogBatch, LogBatch, SnapshotBatch};
use wire::extension::ExtensionLog;
use wire::sync::{SyncHead, SyncKind, SyncReply};
use wire::{DomSnapshot, EnhancedAction, LogEntry, NetworkBody, PerformanceSnapshot, Timestamp, WebSocketEvent, limits};

use super::body::Body;
use super::{HttpError, Shared, metrics, rate, unknown};
use crate::app::App;
use crate::clock;
use crate::journal::Line;

/// A body larger than this is worked through outside the threads that answer requests.
const LARGE_BODY: usize = 256 * 1024;
/// So many reasons for rejected entries are told.
const REASONS: usize = 3;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/websocket-events", post(websocket_events))
        .route("/network-bodies", post(network_bodies))
        .route("/enhanced-actions", post(enhanced_actions))
        .route("/dom-snapshots", post(dom_snapshots))
        .route("/sync", post(sync))
        .route("/extension-logs", post(extension_logs))
}

pub(super) async fn logs(State(app): State<Shared>, headers: HeaderMap, body: Body) -> Result<Response, HttpError> {
    take_in::<LogBatch<'_>>(app, headers, body, entry::<LogEntry>, |outcome, app| {
        let total = app.store().logs.len();
        outcome.reply(json!({ "received": outcome.stored, "rejected": outcome.rejected, "entries": total }))
    })
    .await
}

async fn websocket_events(State(app): State<Shared>, headers: HeaderMap, body: Body) -> Result<Response, HttpError> {
    take_in::<EventBatch<'_>>(app, headers, body, entry::<WebSocketEvent>, Outcome::counts).await
}

async fn network_bodies(State(app): State<Shared>, headers: HeaderMap, body: Body) -> Result<Response, HttpError> {
    take_in::<BodyBatch<'_>>(app, headers, body, entry::<NetworkBody>, Outcome::counts).await
}

async fn enhanced_actions(State(app): State<Shared>, headers: HeaderMap, body: Body) -> Result<Response, HttpError> {
    take_in::<ActionBatch<'_>>(app, headers, body, entry::<EnhancedAction>, Outcome::counts).await
}

async fn dom_snapshots(State(app): State<Shared>, headers: HeaderMap, body: Body) -> Result<Response, HttpError> {
    take_in::<SnapshotBatch<'_>>(app, headers, body, entry::<DomSnapshot>, Outcome::counts).await
}

async fn extension_logs(State(app): State<Shared>, headers: HeaderMap, body: Body) -> Result<Response, HttpError> {
    take_in::<ExtensionLogBatch<'_>>(app, headers, body, entry::<ExtensionLog>, |outcome, _| {
        outcome.reply(json!({ "status": "received", "log_count": outcome.stored }))
    })
    .await
}

async fn sync(State(app): State<Shared>, headers: HeaderMap, body: Body) -> Result<Response, HttpError> {
    take_in::<EventBatch<'_>>(app, headers, body, event, |outcome, app| {
        let reply = SyncReply {
            status: "received".to_owned(),
            event_count: outcome.stored,
            rejected: outcome.rejected,
            buffer_status: app.store().buffer_status(),
        };
        outcome.reply(json!(reply))
    })
    .await
}

/// How one raw entry of a batch is prepared.
type Prepare = fn(&mut Intake<'_>, &RawValue) -> Result<(), String>;
/// How the reply is worded.
type Reply = fn(Outcome, &App) -> Response;

/// A batch type whose borrow of the body can be named.
trait BatchShape {
    fn read<'a>(text: &'a str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<Batch<'a>>;
}

macro_rules! batch_shapes {
    ($($name:ident),*) => {
        $(
            impl BatchShape for $name<'_> {
                fn read<'a>(text: &'a str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<Batch<'a>> {
                    let mut deserializer = serde_json::Deserializer::from_str(text);
                    let batch: $name<'a> = serde_ignored::deserialize(&mut deserializer, |path| unknown(path.to_string()))?;
                    deserializer.end()?;
                    Ok(batch.into())
                }
            }
        )*
    };
}

batch_shapes!(LogBatch, EventBatch, BodyBatch, ActionBatch, SnapshotBatch, ExtensionLogBatch);

async fn take_in<B: BatchShape>(
    app: Shared,
    headers: HeaderMap,
    Body(body): Body,
    prepare: Prepare,
    reply: Reply,
) -> Result<Response, HttpError> {
    let source = rate::source(&headers);
    if body.len() > LARGE_BODY {
        let work = tokio::task::spawn_blocking(move || work_through::<B>(&app, &source, &body, prepare).map(|done| reply(done, &app)));
        return work.await.map_err(|error| HttpError::Internal(format!("the batch could not be read: {error}")))?;
    }
    Ok(reply(work_through::<B>(&app, &source, &body, prepare)?, &app))
}

fn work_through<B: BatchShape>(app: &App, source: &str, body: &[u8], prepare: Prepare) -> Result<Outcome, HttpError> {
    let text = std::str::from_utf8(body)
        .map_err(|error| HttpError::BadRequest(format!("the body is not UTF-8: {error}")))?;
    let batch = B::read(text, &mut |path| unknown::note(app, "batch", &path)).map_err(bad_json)?;
    app.rate.take(source, batch.entries.len(), Instant::now()).inspect_err(|_| metrics::count(&app.metrics.rate_limited))?;

    let mut intake = Intake { app, batch: &batch, arrival: clock::now(), pushes: Vec::with_capacity(batch.entries.len()) };
    let mut outcome = Outcome::default();
    for (index, raw) in batch.entries.iter().enumerate() {
        if let Err(reason) = prepare(&mut intake, raw) {
            outcome.reject(format!("entry {index}: {reason}"));
        }
    }
    let arrival = intake.arrival;
    let pushes = intake.pushes;
    let mut lines = Vec::with_capacity(pushes.len());
    {
        let mut store = app.store();
        for push in pushes {
            let Push { item, text } = push;
            let is_body = matches!(item, Item::Network(_));
            let journaled = item.is_journaled();
            match item.store(&mut store, arrival, text.len()) {
                Ok(()) => {
                    outcome.stored += 1;
                    if journaled {
                        lines.push(Line { text, is_body });
                    }
                }
                Err(Refused::MemoryPressure) => outcome.reject("not stored: the server is short of memory".to_owned()),
            }
        }
    }
    app.journal.append(lines);
    metrics::add(&app.metrics.ingested, outcome.stored as u64);
    metrics::add(&app.metrics.rejected, outcome.rejected as u64);
    Ok(outcome)
}

/// What became of a batch.
#[derive(Debug, Default)]
struct Outcome {
    stored: usize,
    rejected: usize,
    reasons: Vec<String>,
}

impl Outcome {
    fn reject(&mut self, reason: String) {
        self.rejected += 1;
        if self.reasons.len() < REASONS {
            self.reasons.push(reason);
        }
    }

    fn counts(self, _: &App) -> Response {
        let counts = json!({ "received": self.stored, "rejected": self.rejected });
        self.reply(counts)
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

pub(super) fn bad_json(error: serde_json::Error) -> HttpError {
    HttpError::BadRequest(format!("not the JSON expected here: {error}"))
}

/// A redacted entry of any kind.
enum Item {
    Log(Redacted<LogEntry>),
    WebSocket(Redacted<WebSocketEvent>),
    Network(Redacted<NetworkBody>),
    Action(Redacted<EnhancedAction>),
    Dom(Redacted<DomSnapshot>),
    Performance(Redacted<PerformanceSnapshot>),
    Extension(Redacted<ExtensionLog>),
}

macro_rules! items {
    ($($variant:ident($ty:ty)),*) => {
        $(
            impl From<Redacted<$ty>> for Item {
                fn from(redacted: Redacted<$ty>) -> Self {
                    Self::$variant(redacted)
                }
            }
        )*
    };
}

items!(
    Log(LogEntry), WebSocket(WebSocketEvent), Network(NetworkBody), Action(EnhancedAction), Dom(DomSnapshot),
    Performance(PerformanceSnapshot), Extension(ExtensionLog)
);

impl Item {
    fn is_journaled(&self) -> bool {
        matches!(self, Self::Log(_) | Self::WebSocket(_) | Self::Network(_))
    }

    fn store(self, store: &mut Store, arrival: Timestamp, bytes: usize) -> Result<(), Refused> {
        match self {
            Self::Log(entry) => store.push_log(entry, arrival, bytes),
            Self::WebSocket(entry) => store.push_websocket(entry, arrival, bytes),
            Self::Network(entry) => store.push_network(entry, arrival, bytes),
            Self::Action(entry) => store.push_action(entry, arrival, bytes),
            Self::Dom(entry) => store.push_dom_snapshot(entry, arrival, bytes),
            Self::Performance(entry) => store.push_performance(entry, bytes),
            Self::Extension(entry) => store.push_extension_log(entry, arrival, bytes),
        }
    }
}

/// An entry ready to be stored, with its serialized form.
struct Push {
    item: Item,
    text: Vec<u8>,
}

/// One batch on its way in.
struct Intake<'b> {
    app: &'b App,
    batch: &'b Batch<'b>,
    arrival: Timestamp,
    pushes: Vec<Push>,
}

fn entry<T>(intake: &mut Intake<'_>, raw: &RawValue) -> Result<(), String>
where
    T: Kinded + DeserializeOwned + Normalize + Redact + Serialize,
    Item: From<Redacted<T>>,
{
    if raw.get().len() > limits::ENTRY_BYTES {
        return Err(format!("larger than {} bytes", limits::ENTRY_BYTES));
    }
    let mut entry: T = unknown::parse(intake.app, T::PLACE, raw.get()).map_err(|error| error.to_string())?;
    entry.inherit(&intake.batch.tags);
    entry.normalize(intake.arrival, intake.batch.url.as_deref())?;
    let redacted = intake.app.redactor.redact(entry);
    let mut text = Vec::with_capacity(raw.get().len() + 64);
    serde_json::to_writer(&mut text, redacted.entry()).map_err(|error| error.to_string())?;
    intake.pushes.push(Push { item: redacted.into(), text });
    Ok(())
}

fn event(intake: &mut Intake<'_>, raw: &RawValue) -> Result<(), String> {
    let head: SyncHead = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    match head.kind {
        SyncKind::Console | SyncKind::Error => entry::<LogEntry>(intake, raw),
        SyncKind::Network => entry::<NetworkBody>(intake, raw),
        SyncKind::WebSocket => entry::<WebSocketEvent>(intake, raw),
        SyncKind::Action => entry::<EnhancedAction>(intake, raw),
        SyncKind::Performance => entry::<PerformanceSnapshot>(intake, raw),
        SyncKind::DomSnapshot => entry::<DomSnapshot>(intake, raw),
    }
}

/// What unknown fields of a kind are listed under.
trait Kinded {
    const PLACE: &'static str;
}

macro_rules! places {
    ($($ty:ty => $place:literal),*) => {
        $( impl Kinded for $ty { const PLACE: &'static str = $place; } )*
    };
}

places!(
    LogEntry => "logs", WebSocketEvent => "websocket_events", NetworkBody => "network_bodies",
    EnhancedAction => "enhanced_actions", DomSnapshot => "dom_snapshots", PerformanceSnapshot => "performance",
    ExtensionLog => "extension_logs"
);

/// The one object of `POST /performance-snapshot`, which comes without a batch around it.
pub(super) fn performance_snapshot(app: &App, source: &str, body: &[u8]) -> Result<(), HttpError> {
    let text = std::str::from_utf8(body)
        .map_err(|error| HttpError::BadRequest(format!("the body is not UTF-8: {error}")))?;
    let raw: &RawValue = serde_json::from_str(text).map_err(bad_json)?;
    app.rate.take(source, 1, Instant::now())?;
    let batch = Batch { entries: Vec::new(), tags: wire::batch::Tags::default(), url: None };
    let mut intake = Intake { app, batch: &batch, arrival: clock::now(), pushes: Vec::new() };
    entry::<PerformanceSnapshot>(&mut intake, raw).map_err(HttpError::BadRequest)?;
    let arrival = intake.arrival;
    for Push { item, text } in intake.pushes {
        if item.store(&mut app.store(), arrival, text.len()).is_err() {
            return Err(HttpError::BadRequest("not stored: the server is short of memory".to_owned()));
        }
    }
    metrics::count(&app.metrics.ingested);
    Ok(())
}
