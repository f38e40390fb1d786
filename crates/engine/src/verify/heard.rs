//! A message that a socket brought, as far as it can be recognised when it comes again.

use serde::Deserialize;
use wire::WebSocketEvent;

use super::page::origin;
use crate::normalize::path_of;
use crate::understand::hot_update;
use crate::view::shorten;

const KIND_CHARS: usize = 64;
const ADDRESS_CHARS: usize = 200;

/// The socket's address without its query, and the message's `type` if it is JSON and has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heard {
    socket: String,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type", default)]
    kind: Option<serde_json::Value>,
}

impl Heard {
    /// `None` for what went out, and for the hot updates of development servers.
    pub(super) fn of(event: &WebSocketEvent) -> Option<Self> {
        let is_incoming = event.event.as_deref() == Some("message") && event.direction.as_deref() != Some("outgoing");
        let data = event.data.as_deref().unwrap_or_default();
        if !is_incoming || hot_update::of_socket(data).is_some() {
            return None;
        }
        let url = event.url.as_deref()?;
        let kind = serde_json::from_str::<Message>(data).ok().and_then(|message| message.kind);
        let kind = kind.as_ref().and_then(serde_json::Value::as_str).map(|kind| shorten(kind, KIND_CHARS));
        Some(Self { socket: shorten(&format!("{}{}", origin(Some(url)), path_of(url)), ADDRESS_CHARS), kind })
    }

    pub(super) fn text(&self) -> String {
        match &self.kind {
            Some(kind) => format!("{} send a \"{kind}\" message", self.socket),
            None => format!("{} send a message", self.socket),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.socket.len() + self.kind.as_ref().map_or(0, String::len)
    }
}
