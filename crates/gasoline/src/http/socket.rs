//! `GET /extension/socket`: the extension's line to us. An open socket is what "connected" means.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use wire::extension::{FromExtension, Hello, ToExtension};
use wire::limits;

use super::{Shared, guard};
use crate::app::VERSION;

/// The first message must come within this time.
const HELLO_SECONDS: u64 = 5;
/// Room for some hundred tabs.
const MESSAGE_BYTES: usize = 1024 * 1024;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/extension/socket", get(upgrade))
}

async fn upgrade(State(app): State<Shared>, headers: HeaderMap, socket: WebSocketUpgrade) -> Response {
    let known = guard::has_token(&app, &headers);
    socket.max_message_size(MESSAGE_BYTES).on_upgrade(move |socket| hold(app, socket, known))
}

async fn hold(app: Shared, mut socket: WebSocket, known: bool) {
    let first = tokio::time::timeout(Duration::from_secs(HELLO_SECONDS), receive(&mut socket)).await;
    let Ok(Some(FromExtension::Hello(hello))) = first else {
        return refuse(socket, "the first message must be hello").await;
    };
    let token_fits = match (&app.token, &hello.token) {
        (None, _) => true,
        (Some(expected), Some(given)) => guard::same_token(given, expected),
        (Some(_), None) => known,
    };
    if !token_fits {
        return refuse(socket, "Invalid or expired token").await;
    }
    let id = app.extension.connect(clean(&app, hello));
    if send(&mut socket, &ToExtension::Welcome { version: VERSION.to_owned() }).await {
        serve(&app, &mut socket, id).await;
    }
    app.extension.disconnect(id);
}

async fn serve(app: &Shared, socket: &mut WebSocket, id: u64) {
    // A sleeping laptop leaves dead sockets behind: silence of two beats and a bit means gone.
    let silence = Duration::from_secs(limits::HEARTBEAT_SECONDS * 5 / 2);
    loop {
        let message = tokio::select! {
            () = app.shutdown.cancelled() => return,
            message = tokio::time::timeout(silence, receive(socket)) => message,
        };
        match message {
            Ok(Some(FromExtension::Heartbeat)) => {
                app.extension.heartbeat();
                if !send(socket, &ToExtension::Heartbeat).await {
                    return;
                }
            }
            Ok(Some(FromExtension::Status(status))) => {
                let cleaned = clean(app, Hello { tabs: status.tabs, settings: status.settings, ..Hello::default() });
                let status = wire::extension::Status { tabs: cleaned.tabs, settings: cleaned.settings };
                app.extension.update(id, status);
            }
            Ok(Some(FromExtension::Hello(_) | FromExtension::Result(_))) => app.extension.heartbeat(),
            Ok(None) | Err(_) => return,
        }
    }
}

/// Addresses and titles of tabs are captured text like any other.
fn clean(app: &Shared, mut hello: Hello) -> Hello {
    for tab in hello.tabs.iter_mut().flatten() {
        for text in [&mut tab.url, &mut tab.title].into_iter().flatten() {
            *text = app.redactor.text(text);
        }
    }
    hello
}

/// The next message that can be understood; what can't is passed over.
async fn receive(socket: &mut WebSocket) -> Option<FromExtension> {
    loop {
        match socket.recv().await?.ok()? {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(message) => return Some(message),
                Err(error) => tracing::debug!(%error, "a message of the extension was not understood"),
            },
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

async fn refuse(mut socket: WebSocket, reason: &'static str) {
    let frame = CloseFrame { code: axum::extract::ws::close_code::POLICY, reason: reason.into() };
    let _ = socket.send(Message::Close(Some(frame))).await;
}
