//! MCP: one handler behind stdio and Streamable HTTP.

mod backpressure;
#[cfg(feature = "conformance")]
mod conformance;
mod handler;
mod prompts;
mod sessions;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::{Router, middleware};
use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncRead, AsyncWrite};
use wire::limits;

use crate::app::App;
use crate::clients::Transport;

use backpressure::Disconnectable;
use handler::Handler;
use sessions::Sessions;

/// Serves one client on a stream of newline-delimited JSON-RPC until it disconnects or the server shuts down.
pub(crate) async fn serve_stream(
    app: Arc<App>,
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    transport: Transport,
    directory: Option<Arc<Path>>,
) {
    // A child token: the SDK cancels the token of a session that ends, which must not end the others.
    let shutdown = app.shutdown.child_token();
    let handler = Handler::attached(app, transport, directory);
    let stream = Disconnectable::new(stream, handler.connection());
    match handler.serve_with_ct(tokio::io::split(stream), shutdown).await {
        Ok(running) => {
            let _ = running.waiting().await;
        }
        Err(error) => tracing::debug!(%error, "an MCP client disconnected before it had initialized"),
    }
}

/// MCP over HTTP at `/mcp`. The guard of all routes has already checked Host, Origin and token.
pub(crate) fn routes(app: Arc<App>) -> Router<Arc<App>> {
    let mut manager = LocalSessionManager::default();
    // By default the SDK drops a session after five minutes, but users may pause for longer.
    manager.session_config.keep_alive = Some(Duration::from_secs(limits::IDLE_EXIT_SECONDS));
    let manager = Arc::new(manager);
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(app.shutdown.child_token())
        .with_allowed_hosts(["127.0.0.1", "localhost", "[::1]", "::1"])
        .with_max_request_body_bytes(limits::REQUEST_BYTES);
    let sessions = Sessions::new(Arc::clone(&manager));
    let handler = move || Ok(Handler::attached(Arc::clone(&app), Transport::Http, None));
    let service = StreamableHttpService::new(handler, manager, config);
    Router::new().route_service("/mcp", service).layer(middleware::from_fn_with_state(sessions, sessions::around))
}
