//! The answers of `verify_fix` and `diff_sessions`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Number;
use serde_with::skip_serializing_none;
use wire::Timestamp;

use super::comparison::{Change, Totals};
use super::coverage::Trust;
use super::snapshots::Window;
use super::verdict::{DiffVerdict, Verdict};
use super::verifications::Stage;
use crate::answer::Counts;

/// An error or a request, as lists show it.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Listed {
    /// `console` or `network`, in lists of errors.
    #[serde(rename = "type")]
    pub(super) kind: Option<&'static str>,
    /// The error's message.
    pub(super) message: Option<String>,
    /// Method of the request.
    pub(super) method: Option<String>,
    /// Path of the request.
    pub(super) url: Option<String>,
    /// GraphQL operation of the request.
    pub(super) operation: Option<String>,
    /// Status of the request; 0 when no response arrived.
    pub(super) status: Option<u16>,
    /// How often it happened.
    pub(super) count: Option<u64>,
    /// What to repeat before anything can be said about it.
    pub(super) repeat: Option<String>,
}

/// A page's latest load.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct LoadSummary {
    /// Milliseconds until the page was loaded.
    pub(super) load_time: Option<Number>,
    /// How many requests.
    pub(super) request_count: Option<Number>,
    /// Bytes over the network.
    pub(super) transfer_size: Option<Number>,
}

/// What was wrong when the session started.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Baseline {
    /// When it was taken.
    pub captured_at: Timestamp,
    /// How often errors happened.
    pub console_errors: u64,
    /// How often requests failed.
    pub network_errors: u64,
    /// Each of them once.
    pub error_details: Vec<Listed>,
    /// The page in use.
    pub page_url: Option<String>,
    /// Its latest load.
    pub performance: Option<LoadSummary>,
    /// Failures that a noise rule matches.
    pub noise_left_out: Option<usize>,
    /// Issues that did not fit.
    pub left_out: Option<usize>,
}

/// What a named snapshot holds.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SnapshotSummary {
    /// When it was taken.
    pub captured_at: Timestamp,
    /// How often errors happened.
    pub console_errors: u64,
    /// How many warnings the console showed.
    pub console_warnings: u64,
    /// How many requests were made.
    pub network_requests: u64,
    /// How often requests failed.
    pub network_errors: u64,
    /// Sockets that are open.
    pub websocket_connections: usize,
    /// The page's latest load.
    pub performance: Option<LoadSummary>,
    /// Different endpoints.
    pub unique_endpoints: usize,
    /// The page in use.
    pub page_url: Option<String>,
    /// Failures that a noise rule matches.
    pub noise_left_out: Option<usize>,
    /// Errors and endpoints that did not fit.
    pub left_out: Option<usize>,
    /// The time span that it covers.
    pub window: Option<Window>,
}

/// An open session, as a list shows it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SessionBrief {
    /// Pass it as `session_id`.
    pub session_id: String,
    /// The session's stage.
    pub status: Stage,
    /// Name of the fix.
    pub label: Option<String>,
    /// The URL filter.
    pub url_filter: Option<String>,
    /// The client that started it.
    pub made_by: String,
    /// When it was started.
    pub created_at: Timestamp,
    /// When `watch` was called.
    pub watch_started_at: Option<Timestamp>,
    /// When it expires.
    pub expires_at: Timestamp,
    /// How many failures its baseline contains.
    pub baseline_issues: u64,
}

/// A named snapshot, as a list shows it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SnapshotBrief {
    /// Its name.
    pub name: String,
    /// When it was taken.
    pub captured_at: Timestamp,
    /// The time span that it covers.
    pub window: Window,
    /// Path of the page in use.
    pub page_url: Option<String>,
    /// How often errors happened.
    pub error_count: u64,
    /// How often requests failed.
    pub network_errors: u64,
    /// The URL filter.
    pub url_filter: Option<String>,
    /// The client that took it.
    pub made_by: String,
}

/// The result of a verification.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Compared {
    /// The result in one word.
    pub verdict: Verdict,
    /// How well the captured data supports the verdict.
    pub confidence: Trust,
    /// Why the verdict may be wrong.
    pub warnings: Option<Vec<String>>,
    /// How often something failed before the change.
    pub before: Totals,
    /// How often something failed after it.
    pub after: Totals,
    /// What happened to each issue of the baseline; issues that persist come first.
    pub changes: Vec<Change>,
    /// Issues that are not in the baseline.
    pub new_issues: Vec<Change>,
    /// Issues of the baseline that were not exercised, with what to repeat.
    pub not_exercised: Option<Vec<Change>>,
    /// How load times changed.
    pub performance_diff: Option<LoadTimes>,
    /// Sockets whose state changed.
    pub connection_changes: Option<Vec<SocketChange>>,
    /// How many entries of each list are not shown.
    pub left_out: Option<Counts>,
}

/// Load times of the same page, before and after.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct LoadTimes {
    /// Before the change.
    pub load_time_before: String,
    /// After it.
    pub load_time_after: String,
    /// The difference in percent.
    pub change: Option<String>,
    /// Whether the difference exceeds chance.
    pub regression: Option<bool>,
}

/// A figure of the same page, before and after.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct FigureChange {
    /// In the first snapshot.
    pub before: Number,
    /// In the second.
    pub after: Number,
    /// The difference in percent.
    pub change: Option<String>,
    /// Whether it got worse by more than chance.
    pub regression: bool,
}

/// A socket whose state changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SocketChange {
    /// Its address.
    pub url: String,
    /// Its state before.
    pub before: &'static str,
    /// Its state after.
    pub after: &'static str,
}

/// What differs between two snapshots.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Differences {
    /// Errors and failed requests.
    pub errors: ErrorDifferences,
    /// Requests.
    pub network: NetworkDifferences,
    /// Load figures that both have.
    pub performance: BTreeMap<&'static str, FigureChange>,
    /// Sockets.
    pub websockets: SocketDifferences,
    /// How many entries of each list are not shown.
    pub left_out: Option<Counts>,
}

/// Errors and failed requests of two snapshots.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct ErrorDifferences {
    /// Only in the second.
    pub new: Vec<Listed>,
    /// Only in the first, and what led to them was repeated.
    pub resolved: Vec<Listed>,
    /// In both.
    pub unchanged: Vec<Listed>,
    /// Only in the first, and not exercised since.
    pub not_exercised: Option<Vec<Listed>>,
}

/// Requests of two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct NetworkDifferences {
    /// Endpoints that fail only in the second.
    pub new_errors: Vec<Listed>,
    /// Endpoints whose status or duration changed.
    pub status_changes: Vec<StatusChange>,
    /// Endpoints that are only in the second.
    pub new_endpoints: Vec<Listed>,
    /// Endpoints that are only in the first.
    pub missing_endpoints: Vec<Listed>,
}

/// An endpoint whose status or duration changed.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct StatusChange {
    /// HTTP method.
    pub method: String,
    /// Path.
    pub url: String,
    /// GraphQL operation.
    pub operation: Option<String>,
    /// Status in the first.
    pub before: Option<u16>,
    /// Status in the second.
    pub after: Option<u16>,
    /// How much longer it took.
    pub duration_change: Option<String>,
}

/// Sockets of two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct SocketDifferences {
    /// Those whose state changed.
    pub connection_changes: Vec<SocketChange>,
}

/// A summary of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Summary {
    /// The result in one word.
    pub verdict: DiffVerdict,
    /// Occurrences of errors that the first does not have.
    pub new_errors: u64,
    /// Occurrences of errors and failed requests that are resolved.
    pub resolved_errors: u64,
    /// Load figures that got worse.
    pub performance_regressions: usize,
    /// Failures of requests that did not fail in the first.
    pub new_network_errors: u64,
}
