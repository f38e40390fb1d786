//! WebSocket life cycle and messages.

entry! {
    /// One event of one connection. On input `id` is the connection; answers call that `connection_id`.
    pub struct WebSocketEvent {
        /// Always `websocket` on output.
        #[serde(rename = "type")]
        pub kind: String,
        /// `connecting`, `open`, `message`, `close`, `error`.
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
