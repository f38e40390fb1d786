//! WebSocket life cycle and messages.

entry! {
    /// One event of one connection. On input `id` is the connection; answers call that `connection_id`.
    pub struct WebSocketEvent {
        /// Always `websocket` on output.
        #[serde(rename = "type")]
        pub kind: String,
        /// `connecting`, `open`, `message`, `close`, `error`; `stats` only updates the connection's totals.
        pub event: String,
        /// The connection's id, unique in its page.
        #[serde(rename = "connection_id", alias = "id", alias = "connectionId")]
        pub connection_id: String,
        /// The address that the connection was opened to.
        pub url: String,
        /// `incoming` or `outgoing`, for messages.
        pub direction: String,
        /// The message, at most 4 KB of it, or a preview of a binary message.
        pub data: String,
        /// The message's size in bytes, before it was cut.
        #[serde(alias = "data_size", alias = "dataSize")]
        pub size: u64,
        /// Whether `data` was cut.
        pub truncated: bool,
        /// How the connection was sampled when this message was kept. Absent when every message is kept.
        pub sampled: Sampling,
        /// The close code, for `close`.
        pub code: u16,
        /// The close reason, for `close`.
        pub reason: String,
        /// The page's own counts for this connection so far; they include messages that sampling left out.
        pub stats: ConnectionStats,
    }
}

shape! {
    /// Why only some messages of a fast connection are captured.
    pub struct Sampling {
        /// Messages a second, such as `48.2/s`.
        pub rate: String,
        /// The share that was kept, such as `1/5`.
        pub logged: String,
        /// The window over which the rate is measured, such as `5s`.
        pub window: String,
    }
}

shape! {
    /// The totals of one connection, as counted by the page.
    pub struct ConnectionStats {
        /// Received messages.
        pub incoming: DirectionStats,
        /// Sent messages.
        pub outgoing: DirectionStats,
        /// What the messages look like. Absent when they are not JSON.
        pub schema: MessageSchema,
        /// Whether messages are being left out.
        pub sampling: SamplingState,
    }
}

shape! {
    /// The messages of one direction.
    pub struct DirectionStats {
        /// How many messages.
        pub total: u64,
        /// Their size in bytes.
        pub bytes: u64,
        /// Messages a second over the last five seconds.
        #[serde(rename = "perSecond", alias = "per_second")]
        pub per_second: f64,
        /// When the last message passed.
        #[serde(rename = "lastAt", alias = "last_at")]
        pub last_at: crate::Timestamp,
        /// The start of the last message.
        #[serde(rename = "lastPreview", alias = "last_preview")]
        pub last_preview: String,
    }
}

shape! {
    /// What the messages of a connection look like, when they are JSON.
    pub struct MessageSchema {
        /// Top-level keys seen in the messages.
        #[serde(rename = "detectedKeys", alias = "detected_keys")]
        pub detected_keys: Vec<String>,
        /// How many messages were looked at.
        #[serde(rename = "messageCount", alias = "message_count")]
        pub message_count: u64,
        /// Whether all of them have the same keys.
        pub consistent: bool,
        /// Message types with their share, such as `message (89%)`, the most frequent first.
        pub variants: Vec<String>,
    }
}

shape! {
    /// Whether a connection is being sampled now.
    pub struct SamplingState {
        /// Whether messages are being left out.
        pub active: bool,
        /// The share of messages that is kept, such as `1/5`.
        pub rate: String,
        /// Why messages are left out.
        pub reason: String,
    }
}

batch!(
    /// The body of `POST /websocket-events` and `POST /sync`.
    EventBatch,
    events
);
