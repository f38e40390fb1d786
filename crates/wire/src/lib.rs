//! Every JSON shape that crosses between the page, the server and the model, and every limit.
//!
//! This crate holds no logic: a field's doc says what the field means, the engine decides what to do with it.
//! TypeScript is generated from these types (`cargo xtask gen`), so both sides cannot drift apart.
//!
//! Input accepts camelCase and snake_case alike, and `ts` or `timestamp` in ISO 8601 or epoch milliseconds.
//! Output has exactly one spelling for each field: the one written here.

#![warn(missing_docs)]

#[macro_use]
mod macros;

pub mod action;
pub mod batch;
pub mod dom_snapshot;
pub mod extension;
pub mod headers;
pub mod identity;
pub mod json;
pub mod limits;
pub mod live_page;
pub mod log;
pub mod network;
pub mod performance;
pub mod query;
pub mod recording;
pub mod screenshot;
pub mod sensitive;
pub mod settings;
pub mod snapshot;
pub mod source_map;
pub mod sync;
pub mod test_run;
pub mod time;
pub mod websocket;

#[cfg(feature = "typescript")]
pub mod typescript;

pub use action::EnhancedAction;
pub use dom_snapshot::DomSnapshot;
pub use headers::Headers;
pub use json::Json;
pub use log::{Level, LogEntry};
pub use macros::Sent;
pub use network::NetworkBody;
pub use performance::PerformanceSnapshot;
pub use snapshot::Snapshot;
pub use test_run::TestRecord;
pub use time::Timestamp;
pub use websocket::WebSocketEvent;
