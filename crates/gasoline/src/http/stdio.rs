//! The pipe between a stdio process and this server: after an HTTP upgrade both sides speak newline-delimited
//! JSON-RPC, so the server can also speak first. Also `POST /shutdown`, for `gasoline stop`.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};

use super::{HttpError, Shared};
use crate::clients::Transport;
use crate::directory;
use crate::mcp;

pub(crate) const STDIO_PATH: &str = "/mcp-stdio";
pub(crate) const STDIO_PROTOCOL: &str = "gasoline-stdio";
/// The folder that the AI client was started from, which may have the project's settings.
pub(crate) const DIRECTORY_HEADER: &str = "x-gasoline-directory";

pub(super) fn routes() -> Router<Shared> {
    Router::new().route(STDIO_PATH, get(upgrade)).route("/shutdown", post(shutdown))
}

async fn upgrade(State(app): State<Shared>, mut request: Request) -> Result<Response, HttpError> {
    let wanted = request.headers().get(header::UPGRADE).and_then(|value| value.to_str().ok());
    if wanted != Some(STDIO_PROTOCOL) {
        return Err(HttpError::BadRequest(format!(
            "this path expects `Upgrade: {STDIO_PROTOCOL}`; for MCP over HTTP use /mcp"
        )));
    }
    let directory = request.headers().get(DIRECTORY_HEADER).and_then(|value| directory::read(value.as_bytes()));
    let upgrading = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        match upgrading.await {
            Ok(connection) => mcp::serve_stream(app, TokioIo::new(connection), Transport::Stdio, directory).await,
            Err(error) => tracing::debug!(%error, "a stdio client did not finish its upgrade"),
        }
    });
    let headers = [(header::UPGRADE, STDIO_PROTOCOL), (header::CONNECTION, "upgrade")];
    Ok((StatusCode::SWITCHING_PROTOCOLS, headers).into_response())
}

async fn shutdown(State(app): State<Shared>) -> Json<Value> {
    app.end();
    Json(json!({ "status": "stopping", "pid": std::process::id() }))
}
