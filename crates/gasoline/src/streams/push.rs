//! The way of a message to an AI client: over the connection that it has.

use std::sync::Arc;
use std::time::Duration;

use engine::stream::Notification;
use rmcp::model::{CustomNotification, ServerNotification};
use rmcp::service::{Peer, RoleServer};
use serde_json::json;
use tokio::sync::mpsc;
use wire::limits;

use crate::app::App;
use crate::clients::Client;

const METHOD: &str = "notifications/gasoline/event";
const LOG_METHOD: &str = "notifications/message";
const LOGGER: &str = "gasoline";

/// Passes messages on until there are no more of them or the client takes none.
pub(crate) async fn push_events(
    app: Arc<App>,
    client: Arc<Client>,
    peer: Peer<RoleServer>,
    mut messages: mpsc::Receiver<Notification>,
) {
    // Held weakly: a client that left must not be kept by what it would have been told.
    let client_of = Arc::downgrade(&client);
    drop(client);
    while let Some(message) = messages.recv().await {
        let Some(client) = client_of.upgrade() else { return };
        let params = json!(message);
        let severity = json!(message.severity());
        let as_log = client.hears(severity.as_str().unwrap_or_default());
        let mut all = vec![CustomNotification::new(METHOD, Some(params.clone()))];
        if as_log {
            let log = json!({ "level": severity, "logger": LOGGER, "data": params });
            all.push(CustomNotification::new(LOG_METHOD, Some(log)));
        }
        for notification in all {
            if !send(&peer, ServerNotification::CustomNotification(notification)).await {
                tracing::info!("an AI client takes no messages and is let go");
                app.streams.leave(&client);
                client.hang_up();
                return;
            }
        }
    }
}

/// Whether it was taken, in time.
pub(super) async fn send(peer: &Peer<RoleServer>, notification: ServerNotification) -> bool {
    let patience = Duration::from_secs(limits::STREAM_PATIENCE_SECONDS);
    matches!(tokio::time::timeout(patience, peer.send_notification(notification)).await, Ok(Ok(())))
}
