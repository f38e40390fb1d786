//! Bounds the number of MCP sessions over HTTP: clients disappear without closing theirs, and each session holds
//! memory.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::json;
use wire::limits;

const SESSION_HEADER: &str = "mcp-session-id";

/// The sessions in use, the least recently used first.
#[derive(Debug, Clone)]
pub(crate) struct Sessions {
    manager: Arc<LocalSessionManager>,
    order: Arc<Mutex<Vec<String>>>,
}

impl Sessions {
    pub(super) fn new(manager: Arc<LocalSessionManager>) -> Self {
        Self { manager, order: Arc::default() }
    }

    /// Marks a session as the most recently used. Returns the session that must be evicted for it, if any.
    fn used(&self, id: &str) -> Option<String> {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        order.retain(|known| known != id);
        order.push(id.to_owned());
        (order.len() > limits::HTTP_SESSIONS).then(|| order.remove(0))
    }
}

fn session_id(headers: &HeaderMap) -> Option<String> {
    headers.get(SESSION_HEADER).and_then(|id| id.to_str().ok()).map(str::to_owned)
}

/// Wraps the SDK's service: bounds the number of sessions, and turns its errors into our format.
pub(crate) async fn around(State(sessions): State<Sessions>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.status().is_success()
        && let Some(id) = session_id(response.headers())
        && let Some(oldest) = sessions.used(&id)
    {
        let _ = sessions.manager.close_session(&oldest.into()).await;
    }
    if response.status().is_client_error() { as_json(response).await } else { response }
}

/// The SDK's errors are plain text; all other errors here are JSON.
async fn as_json(response: Response) -> Response {
    let is_json = |value: &axum::http::HeaderValue| value.as_bytes().starts_with(b"application/json");
    if response.headers().get(header::CONTENT_TYPE).is_some_and(is_json) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let text = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let mut message = String::from_utf8_lossy(&text).trim().to_owned();
    if message.contains("Session") {
        message.push_str(
            "; send an `initialize` request first, then send the `Mcp-Session-Id` of its answer with every request",
        );
    }
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.remove(header::CONTENT_TYPE);
    (head, axum::Json(json!({ "error": message }))).into_response()
}
