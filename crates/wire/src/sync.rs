//! `POST /sync`: one batch with everything the page did in the last second.

use serde::{Deserialize, Serialize};

/// What an event of a sync batch is; the rest of it has the shape of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SyncKind {
    Console,
    Error,
    Network,
    #[serde(rename = "websocket", alias = "web_socket")]
    WebSocket,
    Action,
    Performance,
    DomSnapshot,
}

/// Just the type of an event, read before its shape is known.
#[derive(Debug, Deserialize)]
pub struct SyncHead {
    #[serde(rename = "type")]
    pub kind: SyncKind,
}

/// The reply to `POST /sync`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SyncReply {
    pub status: String,
    pub event_count: usize,
    pub rejected: usize,
    pub buffer_status: BufferStatus,
    /// Scripts that errors point into and whose source maps are not known: `POST /source-maps` brings them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub source_maps_wanted: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BufferStatus {
    pub logs: BufferFill,
    pub network: BufferFill,
    pub actions: BufferFill,
    pub websocket: BufferFill,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BufferFill {
    pub count: usize,
    /// When its oldest entry happened; 0 when empty.
    pub oldest_ms: i64,
    pub memory_bytes: usize,
}
