//! Questions to the live page and their answers.

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::time::EpochMillis;

/// What the extension is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum QueryAction {
    QueryDom,
    GetPageInfo,
    ExecuteA11yAudit,
    ExecuteJs,
    TakeScreenshot,
    RecordStart,
    RecordStop,
}

/// One question, as `GET /pending-queries` and the extension's socket hand it out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PendingQuery {
    pub id: String,
    #[serde(alias = "correlationId")]
    pub correlation_id: String,
    pub action: QueryAction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// The action's other parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(alias = "tabId", skip_serializing_if = "Option::is_none")]
    pub tab_id: Option<i64>,
    #[serde(alias = "timeoutMs")]
    pub timeout_ms: u64,
    #[serde(alias = "createdAt")]
    pub created_at: EpochMillis,
}

shape! {
    /// An answer, as `POST /dom-result` and the extension's socket bring it.
    pub struct QueryResult {
        #[serde(alias = "queryId")]
        pub query_id: String,
        #[serde(alias = "correlationId")]
        pub correlation_id: String,
        pub action: QueryAction,
        pub result: QueryValue,
        pub error: QueryError,
        #[serde(alias = "executionTimeMs")]
        pub execution_time_ms: f64,
        #[serde(alias = "tabId")]
        pub tab_id: i64,
        pub url: String,
        pub timestamp: EpochMillis,
    }
}

shape! {
    pub struct QueryValue {
        pub success: bool,
        pub value: Json,
        #[serde(rename = "type")]
        pub kind: String,
    }
}

shape! {
    pub struct QueryError {
        pub message: String,
        #[serde(rename = "type")]
        pub kind: String,
        pub stack: String,
        pub code: String,
    }
}
