//! The query broker over HTTP, for browsers that do not use the socket.

use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::limits;
use wire::query::QueryResult;

use super::body::{Body, read_json};
use super::{HttpError, Shared};
use crate::app::App;
use crate::clock;
use crate::query_broker::{Holder, Receipt};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/pending-queries", get(pending))
        .route("/dom-result", post(receive))
        .route("/a11y-result", post(receive))
        .route("/completed-results", get(completed))
}

#[derive(Debug, Deserialize)]
struct Wait {
    wait_ms: Option<u64>,
}

/// The pending queries. With `wait_ms` it waits for the first one.
async fn pending(
    State(app): State<Shared>,
    wait: Result<Query<Wait>, QueryRejection>,
) -> Result<Json<Value>, HttpError> {
    let Query(wait) =
        wait.map_err(|error| HttpError::BadRequest(format!("invalid `wait_ms`, expected a number: {error}")))?;
    if app.extension.polled() {
        app.queries.browser_came();
    }
    let wait = Duration::from_millis(wait.wait_ms.unwrap_or(0).min(limits::POLL_WAIT_MILLIS));
    let queries = if wait.is_zero() {
        app.queries.take(Holder::Poller)
    } else {
        tokio::select! {
            () = app.shutdown.cancelled() => Vec::new(),
            queries = tokio::time::timeout(wait, app.queries.next(Holder::Poller)) => queries.unwrap_or_default(),
        }
    };
    // A browser that waits counts as connected, too.
    app.extension.polled();
    let newest = queries.last().map_or(0, |query| query.created_at.0.millis());
    let cursor = format!("{newest}:{}", queries.len());
    Ok(Json(json!({ "queries": queries, "cursor": cursor, "settings": {} })))
}

async fn receive(State(app): State<Shared>, Body(body): Body) -> Result<Json<Value>, HttpError> {
    let result: QueryResult =
        read_json(&body).map_err(|error| HttpError::BadRequest(format!("not the JSON expected here: {error}")))?;
    if result.query_id.is_none() && result.correlation_id.is_none() {
        return Err(HttpError::BadRequest("`query_id` is missing: expected the id of the answered query".to_owned()));
    }
    Ok(Json(take_in(&app, result)))
}

/// Also for results that come over the socket.
pub(super) fn take_in(app: &App, result: QueryResult) -> Value {
    let id = result.query_id.clone();
    let mut reply = json!({ "status": "received", "query_id": id, "ttl_seconds": limits::QUERY_RESULT_SECONDS });
    match app.queries.receive(app.redactor.redact(result)) {
        Receipt::Received => {}
        Receipt::Known(known) => {
            if let Some(fields) = reply.as_object_mut() {
                fields.insert("result".to_owned(), json!(known.result));
                fields.insert("error".to_owned(), json!(known.error));
            }
        }
        Receipt::Expired => {
            let message = "no client waits for this answer any more; it was not stored";
            reply = json!({ "status": "expired", "query_id": id, "message": message });
        }
    }
    reply
}

#[derive(Debug, Deserialize)]
struct Which {
    #[serde(alias = "correlationId")]
    correlation_id: Option<String>,
}

async fn completed(
    State(app): State<Shared>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Json<Value>, HttpError> {
    let id = which.ok().and_then(|Query(which)| which.correlation_id).filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| HttpError::BadRequest("`correlation_id` is missing: which result?".to_owned()))?;
    if let Some(known) = app.queries.completed(&id) {
        return Ok(Json(json!({
            "status": "complete", "correlation_id": id, "result": known.result, "error": known.error,
            "expires_at": known.expires_at,
        })));
    }
    if app.queries.is_pending(&id) {
        let message = "the browser has not answered yet";
        return Ok(Json(json!({ "status": "pending", "correlation_id": id, "message": message })));
    }
    let message = format!("no such result; results are kept for {} s", limits::QUERY_RESULT_SECONDS);
    let now = clock::now().millis();
    Ok(Json(json!({ "status": "expired", "correlation_id": id, "message": message, "expired_at": now })))
}
