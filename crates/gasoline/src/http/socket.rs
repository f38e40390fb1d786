//! `GET /extension/socket`: the extension's WebSocket. "Connected" means that this socket is open.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use engine::text::shorten;
use engine::whole_characters;
use tokio::time::Instant;
use wire::extension::{FromExtension, Hello, ToExtension};
use wire::limits;

use super::{HttpError, Shared, auth, queries};
use crate::app::VERSION;
use crate::query_broker::Holder;

/// The first message must arrive within this time.
const HELLO_SECONDS: u64 = 5;
/// A close frame has room for 123 bytes of reason.
const CLOSE_CHARS: usize = 100;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/extension/socket", get(upgrade))
}

async fn upgrade(
    State(app): State<Shared>,
    headers: HeaderMap,
    socket: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let socket = socket.map_err(|error| HttpError::BadRequest(format!("this path expects a WebSocket: {error}")))?;
    let known = auth::has_token(&app, &headers);
    Ok(socket.max_message_size(limits::SOCKET_MESSAGE_BYTES).on_upgrade(move |socket| hold(app, socket, known)))
}

async fn hold(app: Shared, mut socket: WebSocket, known: bool) {
    let first = tokio::time::timeout(Duration::from_secs(HELLO_SECONDS), next_text(&mut socket)).await;
    let hello = match first.ok().flatten().map(|text| FromExtension::read(&text)) {
        Some(Ok(FromExtension::Hello(hello))) => hello,
        Some(Err(error)) => return refuse(socket, &format!("invalid hello: {error}")).await,
        Some(Ok(_)) | None => return refuse(socket, "the first message must be hello").await,
    };
    let token_fits = match (&app.token, &hello.token) {
        (None, _) => true,
        (Some(expected), Some(given)) => auth::same_token(given, expected),
        (Some(_), None) => known,
    };
    if !token_fits {
        return refuse(socket, "Invalid or expired token").await;
    }
    let id = app.extension.connect(clean(&app, hello));
    app.queries.browser_came();
    app.dashboard.nudge();
    if send(&mut socket, &ToExtension::Welcome { version: VERSION.to_owned() }).await {
        serve(&app, &mut socket, id).await;
    }
    app.extension.disconnect(id);
    app.queries.browser_left(id);
    app.dashboard.nudge();
}

async fn serve(app: &Shared, socket: &mut WebSocket, id: u64) {
    // A sleeping laptop leaves dead sockets behind: after two missed heartbeats the socket counts as closed.
    let silence = Duration::from_secs(limits::HEARTBEAT_SECONDS * 5 / 2);
    let mut heard = Instant::now();
    loop {
        let message = tokio::select! {
            () = app.shutdown.cancelled() => return,
            queries = app.queries.next(Holder::Socket(id)) => {
                for query in queries {
                    if !send(socket, &ToExtension::Query { query: Box::new(query) }).await {
                        return;
                    }
                }
                continue;
            }
            message = tokio::time::timeout_at(heard + silence, receive(socket)) => message,
        };
        heard = Instant::now();
        match message {
            Ok(Some(FromExtension::Heartbeat)) => {
                app.extension.heartbeat();
                if !send(socket, &ToExtension::Heartbeat).await {
                    return;
                }
            }
            Ok(Some(FromExtension::Status(status))) => {
                let cleaned = clean(app, Hello { tabs: status.tabs, settings: status.settings, ..Hello::default() });
                let status =
                    wire::extension::Status { tabs: cleaned.tabs, settings: cleaned.settings, counts: status.counts };
                app.extension.update(id, status);
                app.dashboard.nudge();
            }
            Ok(Some(FromExtension::Result(result))) => {
                app.extension.heartbeat();
                let reply = queries::take_in(app, *result);
                tracing::debug!(%reply, "a result over the socket");
            }
            Ok(Some(FromExtension::Hello(_))) => app.extension.heartbeat(),
            Ok(None) | Err(_) => return,
        }
    }
}

/// Redacts the URLs and titles of tabs, which are captured text like any other.
fn clean(app: &Shared, mut hello: Hello) -> Hello {
    let clean = |text: &mut Option<String>| {
        if let Some(text) = text {
            *text = shorten(&app.redactor.text(text), limits::TAB_CHARS);
        }
    };
    clean(&mut hello.version);
    if let Some(tabs) = &mut hello.tabs {
        // If there are too many tabs, keep those that matter.
        tabs.sort_by_key(|tab| (tab.active != Some(true), tab.captured != Some(true)));
        tabs.truncate(limits::TABS);
        for tab in tabs {
            clean(&mut tab.url);
            clean(&mut tab.title);
        }
    }
    hello
}

/// The next valid message; invalid ones are logged and skipped.
async fn receive(socket: &mut WebSocket) -> Option<FromExtension> {
    loop {
        match FromExtension::read(&whole_characters(&next_text(socket).await?)) {
            Ok(message) => return Some(message),
            Err(error) => tracing::warn!(%error, "ignored an invalid message of the extension"),
        }
    }
}

async fn next_text(socket: &mut WebSocket) -> Option<String> {
    loop {
        match socket.recv().await?.ok()? {
            Message::Text(text) => return Some(text.as_str().to_owned()),
            Message::Close(_) => return None,
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => {}
        }
    }
}

async fn send(socket: &mut WebSocket, message: &ToExtension) -> bool {
    match serde_json::to_string(message) {
        Ok(text) => socket.send(Message::text(text)).await.is_ok(),
        Err(_) => false,
    }
}

async fn refuse(mut socket: WebSocket, reason: &str) {
    let frame = CloseFrame { code: axum::extract::ws::close_code::POLICY, reason: shorten(reason, CLOSE_CHARS).into() };
    let _ = socket.send(Message::Close(Some(frame))).await;
}
