//! Everything that was captured: `GET /snapshot`, and the files that test runs write.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DomSnapshot, EnhancedAction, LogEntry, NetworkBody, TestRecord, Timestamp, WebSocketEvent};

/// What was captured, of all tests or of one. The types of the lists are open: the server puts its own entries into
/// them, and reports read files whose entries may not be valid.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(
        concrete(
            Logs = Vec<LogEntry>,
            Events = Vec<WebSocketEvent>,
            Bodies = Vec<NetworkBody>,
            Actions = Vec<EnhancedAction>,
            Dom = Vec<DomSnapshot>,
            Record = TestRecord,
            Odd = Vec<OddAnswer>,
        )
    )
)]
pub struct Snapshot<
    Logs = Vec<LogEntry>,
    Events = Vec<WebSocketEvent>,
    Bodies = Vec<NetworkBody>,
    Actions = Vec<EnhancedAction>,
    Dom = Vec<DomSnapshot>,
    Record = TestRecord,
    Odd = Vec<OddAnswer>,
> {
    /// When it was made.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub timestamp: Option<Timestamp>,
    /// The test that was asked for.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub test_id: Option<String>,
    /// What is known about that test.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub test: Option<Record>,
    /// What is known about each test, if none was asked for.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tests: Option<Vec<Record>>,
    /// Console lines and errors.
    pub logs: Logs,
    /// Socket events.
    #[serde(default)]
    pub websocket_events: Events,
    /// Requests, with their bodies if those were captured.
    pub network_bodies: Bodies,
    /// Actions of the user or the test.
    #[serde(default)]
    pub enhanced_actions: Actions,
    /// What the pages showed.
    #[serde(default)]
    pub dom_snapshots: Dom,
    /// Responses that differ from the endpoint's other responses.
    #[serde(default)]
    pub odd_answers: Odd,
    /// How much was captured.
    #[serde(default)]
    pub stats: SnapshotStats,
}

/// A response that differs from what other tests got from the same endpoint.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct OddAnswer {
    /// Method and path.
    pub endpoint: String,
    /// How it differs.
    pub description: String,
    /// The test that got it. Absent outside of tests.
    pub test_id: Option<String>,
}

/// How much a snapshot holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SnapshotStats {
    /// Console lines and errors.
    pub total_logs: usize,
    /// Errors among them.
    pub error_count: usize,
    /// Warnings among them.
    pub warning_count: usize,
    /// Requests that failed.
    pub network_failures: usize,
    /// Socket connections with events.
    pub ws_connections: usize,
}
