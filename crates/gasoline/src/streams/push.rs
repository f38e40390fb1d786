//! Delivers messages to an AI client over its connection.

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

/// Passes messages on until they end or the client stops accepting them.
pub(crate) async fn push_events(
    app: Arc<App>,
    client: Arc<Client>,
    peer: Peer<RoleServer>,
    mut messages: mpsc::Receiver<Notification>,
) {
    // A weak reference: pending messages must not keep a disconnected client alive.
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
                tracing::info!("disconnecting an AI client that does not accept messages");
                app.streams.leave(&client);
                client.hang_up();
                return;
            }
        }
    }
}

/// Whether the client accepted the message in time.
pub(super) async fn send(peer: &Peer<RoleServer>, notification: ServerNotification) -> bool {
    let patience = Duration::from_secs(limits::STREAM_PATIENCE_SECONDS);
    matches!(tokio::time::timeout(patience, peer.send_notification(notification)).await, Ok(Ok(())))
}
