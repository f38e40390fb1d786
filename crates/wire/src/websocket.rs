//! WebSocket life cycle and messages.

entry! {
    /// One event of one connection. On input `id` is the connection; answers call that `connection_id`.
    pub struct WebSocketEvent {
        /// Always `websocket` on output.
        #[serde(rename = "type")]
        pub kind: String,
        /// `connecting`, `open`, `message`, `close`, `error`; `stats` only updates the connection's totals.
        pub event: String,
        #[serde(rename = "connection_id", alias = "id", alias = "connectionId")]
        pub connection_id: String,
        pub url: String,
        /// `incoming` or `outgoing`, for messages.
        pub direction: String,
        /// The message, at most 4 KB of it, or a preview of a binary one.
        pub data: String,
        /// The message's whole size in bytes.
        #[serde(alias = "data_size", alias = "dataSize")]
        pub size: u64,
        pub truncated: bool,
        pub sampled: Sampling,
        pub code: u16,
        pub reason: String,
        /// What the page counted on this connection so far; messages that were sampled out are in it.
        pub stats: ConnectionStats,
    }
}

shape! {
    /// Why not every message of a fast connection is here.
    pub struct Sampling {
        /// Messages a second, such as `48.2/s`.
        pub rate: String,
        /// The share that was kept, such as `1/5`.
        pub logged: String,
        pub window: String,
    }
}

shape! {
    /// The totals of one connection, as the page counted them.
    pub struct ConnectionStats {
        pub incoming: DirectionStats,
        pub outgoing: DirectionStats,
        pub schema: MessageSchema,
        pub sampling: SamplingState,
    }
}

shape! {
    pub struct DirectionStats {
        pub total: u64,
        pub bytes: u64,
        /// Over the last five seconds.
        #[serde(rename = "perSecond", alias = "per_second")]
        pub per_second: f64,
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
        #[serde(rename = "detectedKeys", alias = "detected_keys")]
        pub detected_keys: Vec<String>,
        #[serde(rename = "messageCount", alias = "message_count")]
        pub message_count: u64,
        pub consistent: bool,
        /// Such as `message (89%)`, the most frequent first.
        pub variants: Vec<String>,
    }
}

shape! {
    pub struct SamplingState {
        pub active: bool,
        /// Such as `1/5`.
        pub rate: String,
        pub reason: String,
    }
}
