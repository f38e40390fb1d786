//! Errors, always JSON, always with what to do.

use axum::Json;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

#[derive(Debug)]
pub(crate) enum HttpError {
    /// What is wrong and where.
    BadRequest(String),
    Unauthorized,
    Forbidden(&'static str),
    NotFound(&'static str),
    TooLarge {
        limit: usize,
    },
    /// More events than this in one batch.
    TooManyEvents {
        most: usize,
    },
    RecordingTooLarge {
        limit: u64,
    },
    TooSlow,
    /// Too many bytes of earlier answers are unread.
    NoResponseBudget,
    /// The disk is full.
    InsufficientStorage,
    RateLimited {
        retry_after_ms: u64,
    },
    Internal(String),
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        match self {
            Self::BadRequest(message) => (StatusCode::BAD_REQUEST, Json(json!({ "error": message }))).into_response(),
            Self::Unauthorized => (
                StatusCode::UNAUTHORIZED,
                [(header::WWW_AUTHENTICATE, "Bearer")],
                Json(json!({
                    "error": "Invalid or expired token",
                    "status": "unauthorized",
                })),
            )
                .into_response(),
            Self::Forbidden(message) => (StatusCode::FORBIDDEN, Json(json!({ "error": message }))).into_response(),
            Self::NotFound(message) => (StatusCode::NOT_FOUND, Json(json!({ "error": message }))).into_response(),
            Self::TooLarge { limit } => {
                let message = format!("the body is over the limit of {limit} bytes; send smaller batches");
                (StatusCode::PAYLOAD_TOO_LARGE, Json(json!({ "error": message }))).into_response()
            }
            Self::TooManyEvents { most } => {
                let message = format!("more than {most} events in one batch; send smaller batches");
                (StatusCode::PAYLOAD_TOO_LARGE, Json(json!({ "error": message }))).into_response()
            }
            Self::RecordingTooLarge { limit } => {
                let message = format!("the video is over the limit of {limit} bytes; record less at once");
                (StatusCode::PAYLOAD_TOO_LARGE, Json(json!({ "error": message }))).into_response()
            }
            Self::InsufficientStorage => (
                StatusCode::INSUFFICIENT_STORAGE,
                Json(json!({
                    "error": "the disk is full, so the recording was not saved; free some space, then save it again",
                    "status": "insufficient_storage",
                })),
            )
                .into_response(),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, Json(json!({ "error": "the body did not arrive in time" })))
                .into_response(),
            Self::NoResponseBudget => (
                StatusCode::SERVICE_UNAVAILABLE,
                [(header::RETRY_AFTER, "5")],
                Json(json!({
                    "error": "too many earlier answers are unread; read them or close their connections, then try again",
                })),
            )
                .into_response(),
            Self::RateLimited { retry_after_ms } => (
                StatusCode::TOO_MANY_REQUESTS,
                [(header::RETRY_AFTER, retry_after_ms.div_ceil(1000).max(1).to_string())],
                Json(json!({ "error": "Rate limit exceeded", "retry_after_ms": retry_after_ms })),
            )
                .into_response(),
            Self::Internal(message) => {
                (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({ "error": message, "status": "error" })))
                    .into_response()
            }
        }
    }
}

pub(super) async fn not_found(request: Request) -> Response {
    let message = format!("no such path: {}", request.uri().path());
    (StatusCode::NOT_FOUND, Json(json!({ "error": message }))).into_response()
}

pub(super) async fn method_not_allowed(request: Request) -> Response {
    let message = format!("{} is not allowed on {}", request.method(), request.uri().path());
    (StatusCode::METHOD_NOT_ALLOWED, Json(json!({ "error": message }))).into_response()
}
