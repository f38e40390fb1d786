//! `POST /sync`: one batch with everything the page did in the last second.

use serde::{Deserialize, Serialize};

/// The kind of an event in a sync batch. Its other fields are those of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SyncKind {
    /// A console line.
    Console,
    /// An uncaught error, a rejection or a failed request.
    Error,
    /// A request with its response.
    Network,
    /// An event of a WebSocket or event stream.
    #[serde(rename = "websocket", alias = "web_socket")]
    WebSocket,
    /// A user action.
    Action,
    /// A page load, or one web vital.
    Performance,
    /// What the page showed at one time.
    DomSnapshot,
}

/// Only the type of an event, read before the rest.
#[derive(Debug, Deserialize)]
pub struct SyncHead {
    /// What the event is.
    #[serde(rename = "type")]
    pub kind: SyncKind,
}

/// The reply to `POST /sync`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SyncReply {
    /// Always `received`.
    pub status: String,
    /// Entries that were stored.
    pub event_count: usize,
    /// Entries that were refused.
    pub rejected: usize,
    /// How full the buffers are now.
    pub buffer_status: BufferStatus,
    /// Scripts that errors point into and whose source maps the server lacks. `POST /source-maps` uploads them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub source_maps_wanted: Vec<String>,
}

/// How full the buffers are that a sync batch fills.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BufferStatus {
    /// Console lines and errors.
    pub logs: BufferFill,
    /// Requests.
    pub network: BufferFill,
    /// User actions.
    pub actions: BufferFill,
    /// Socket events.
    pub websocket: BufferFill,
}

/// How full one buffer is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BufferFill {
    /// Entries in it.
    pub count: usize,
    /// Time of its oldest entry in milliseconds since 1970; 0 when it is empty.
    pub oldest_ms: i64,
    /// Memory that its entries take.
    pub memory_bytes: usize,
}
