//! Answers about endpoints: what breaks a contract, and what was learned.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;
use wire::Timestamp;

use super::tracker::Severity;
use crate::answer::Counts;

/// Everything that breaks a contract, the worst and newest first.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Analysis {
    /// Always `analyzed`.
    pub action: &'static str,
    /// The worst and newest first.
    pub violations: Vec<Broken>,
    /// Endpoints that were analyzed.
    pub tracked_endpoints: usize,
    /// Requests to them.
    pub total_requests_analyzed: u64,
    /// Endpoints without violations whose shape is established.
    pub clean_endpoints: usize,
    /// Endpoints whose shape is not established yet.
    pub learning_endpoints: Option<usize>,
    /// Endpoints with violations that did not fit.
    pub left_out_endpoints: Option<Vec<String>>,
    /// Violations that did not fit or were evicted.
    pub violations_left_out: Option<u64>,
    /// Endpoints that were evicted to make room.
    pub endpoints_forgotten: Option<u64>,
}

/// An endpoint whose responses break its contract.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Broken {
    /// Method and path, and the operation for GraphQL.
    pub endpoint: String,
    /// How the contract is broken, with what was expected and what was received.
    #[serde(flatten)]
    pub how: How,
    /// How bad it is.
    pub severity: Severity,
    /// In one sentence.
    pub description: String,
    /// The value that broke it; of data, only its form.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub sample_value: Option<Value>,
    /// Whether the latest response breaks it, too.
    pub still_so: Option<bool>,
    /// How often and when.
    pub occurrences: Option<Occurrences>,
    /// The latest request that broke it, for `get_network_bodies`.
    pub request_id: Option<String>,
    #[serde(skip)]
    pub(super) last: Timestamp,
}

/// What kind of violation it is.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum How {
    /// Fields are missing.
    ShapeChange {
        /// The shape of earlier responses.
        expected_shape: Option<Value>,
        /// The shape of this response.
        actual_shape: Option<Value>,
        /// The fields that are missing.
        missing_fields: Vec<String>,
        /// How many more are missing.
        missing_fields_left_out: Option<usize>,
    },
    /// A field has another type.
    TypeChange {
        /// The field.
        field: String,
        /// Its type before.
        expected_type: &'static str,
        /// Its type now.
        actual_type: &'static str,
    },
    /// Fields are new.
    NewField {
        /// The new fields and their types.
        new_fields: BTreeMap<String, &'static str>,
        /// How many more are new.
        new_fields_left_out: Option<usize>,
    },
    /// The elements of a list have another shape.
    ArrayShapeChange {
        /// The list.
        field: String,
        /// The earlier shape of its elements.
        expected_shape: Value,
        /// The shape of one of them now.
        actual_shape: Value,
    },
    /// A field is null for the first time.
    NullField {
        /// The field.
        field: String,
        /// Its type before.
        expected_type: &'static str,
    },
    /// Errors since the endpoint last succeeded.
    ErrorSpike {
        /// The latest statuses, oldest first.
        status_history: Vec<u16>,
        /// What the last error response said, without credentials.
        last_error_body: Option<Value>,
    },
}

/// How often a contract was kept and broken.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Occurrences {
    /// Responses that kept it before it was first broken.
    pub expected_count: u64,
    /// Responses that broke it in this way.
    pub violation_count: u64,
    /// When the endpoint was first called.
    pub first_seen: Timestamp,
    /// When it was last broken in this way.
    pub last_violation: Timestamp,
}

/// Every endpoint, the latest called first.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ContractReport {
    /// Always `report`.
    pub action: &'static str,
    /// The latest called first.
    pub endpoints: Vec<EndpointReport>,
    /// Endpoints that did not fit.
    pub endpoints_left_out: Option<u64>,
    /// Endpoints that were evicted to make room.
    pub endpoints_forgotten: Option<u64>,
}

/// What is known about one endpoint.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EndpointReport {
    /// Method and path, and the operation for GraphQL.
    pub endpoint: String,
    /// HTTP method.
    pub method: String,
    /// How often it was called.
    pub call_count: u64,
    /// How often it answered with each status.
    #[schemars(with = "Counts")]
    pub status_codes: BTreeMap<u16, u64>,
    /// The shape of its responses, once enough of them agree.
    pub established_shape: Option<Value>,
    /// The shape that its responses seem to have.
    pub shape_so_far: Option<Value>,
    /// How many responses agree so far.
    pub learning: Option<String>,
    /// The share of compared responses that agree.
    pub consistency: Option<String>,
    /// Successful responses whose body was not captured, or was cut.
    pub not_compared: Option<u64>,
    /// When it was last called.
    pub last_called: Timestamp,
}
