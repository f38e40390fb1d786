//! Lists of WebSocket events for the model.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::websocket::Sampling;
use wire::{Level, Timestamp};

use crate::answer::fit::Texts;
use crate::entry::{Direction, SocketEvent, SocketEventKind};
use crate::store::Filter;
use crate::store::id::{IdKind, Ids};
use crate::store::{Store, Stored};

const DATA_CHARS: usize = 500;

/// Which events to list.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    /// The filters that every list accepts.
    pub common: Filter,
    /// Only this connection.
    pub connection_id: Option<String>,
    /// Only messages of this direction.
    pub direction: Option<Direction>,
}

impl EventFilter {
    /// Whether any filter is set.
    pub fn is_set(&self) -> bool {
        self.common.is_set() || self.connection_id.is_some() || self.direction.is_some()
    }
}

/// Matching events, newest first.
pub fn events<'a>(store: &'a Store, filter: &EventFilter) -> Vec<(Level, &'a Stored<SocketEvent>)> {
    store
        .websocket
        .iter()
        .rev()
        .filter(|stored| filter.common.admits(stored))
        .filter(|stored| filter.connection_id.is_none() || stored.entry.connection_id == filter.connection_id)
        .filter(|stored| filter.direction.is_none() || stored.entry.direction == filter.direction)
        .map(|stored| (stored.entry.severity(), stored))
        .collect()
}

/// An event of a socket, as lists show it.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SocketEventBrief {
    /// Pass it as `id` to get the whole event.
    pub id: String,
    /// When it happened.
    pub ts: Timestamp,
    /// What happened.
    pub event: SocketEventKind,
    /// The connection, as in `get_websocket_status`.
    pub connection_id: Option<String>,
    /// Address of the socket.
    pub url: Option<String>,
    /// The direction of the message.
    pub direction: Option<Direction>,
    /// The message, or a preview of a binary one.
    pub data: Option<String>,
    /// Bytes of the message.
    pub size: Option<u64>,
    /// Whether the message was cut before it was stored.
    pub truncated: Option<bool>,
    /// The share of messages that is captured of a fast connection.
    pub sampled: Option<Sampling>,
    /// Close code.
    pub code: Option<u16>,
    /// Close reason.
    pub reason: Option<String>,
    /// The browser tab.
    #[serde(rename = "tabId")]
    pub tab_id: Option<i64>,
    /// The test that it belongs to.
    pub test_id: Option<String>,
}

/// What a list shows of an event.
pub fn brief(stored: &Stored<SocketEvent>, ids: &Ids, texts: &Texts) -> SocketEventBrief {
    let event = &stored.entry;
    let cut_from = event.size.filter(|_| event.truncated == Some(true));
    SocketEventBrief {
        id: ids.format(IdKind::WebSocket, stored.cursor),
        ts: event.at,
        event: event.event,
        connection_id: event.connection_id.clone(),
        url: event.url.clone(),
        direction: event.direction,
        data: event.data.as_deref().map(|data| texts.show_cut(data, DATA_CHARS, cut_from)),
        size: event.size,
        truncated: event.truncated.filter(|truncated| *truncated),
        sampled: event.sampled.clone(),
        code: event.code,
        reason: event.reason.clone(),
        tab_id: event.tab_id,
        test_id: event.test_id.clone(),
    }
}
