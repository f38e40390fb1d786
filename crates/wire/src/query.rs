//! Questions to the live page and their answers.

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::time::EpochMillis;

/// What the extension is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
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

shape! {
    /// What a question asks for; which of it matters depends on the action.
    pub struct QueryParams {
        /// `execute_js`: what runs.
        pub script: String,
        /// `query_dom`: which elements.
        pub selector: String,
        #[serde(alias = "includeStyles")]
        pub include_styles: bool,
        #[serde(alias = "includeChildren")]
        pub include_children: bool,
        #[serde(alias = "maxDepth")]
        pub max_depth: u32,
        /// Styles to include.
        pub properties: Vec<String>,
        /// `execute_a11y_audit`: the part of the page that is looked at.
        pub scope: String,
        pub tags: Vec<String>,
        #[serde(alias = "includePasses")]
        pub include_passes: bool,
        /// `take_screenshot`: not only what is in view.
        #[serde(alias = "fullPage")]
        pub full_page: bool,
        /// `record_start`: what the file is called.
        pub name: String,
    }
}

/// One question, as `GET /pending-queries` and the extension's socket hand it out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PendingQuery {
    pub id: String,
    #[serde(alias = "correlationId")]
    pub correlation_id: String,
    pub action: QueryAction,
    #[serde(flatten)]
    pub params: QueryParams,
    #[serde(alias = "tabId", skip_serializing_if = "Option::is_none")]
    pub tab_id: Option<i64>,
    /// How long the browser may take.
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
        /// One of [`code`], or whatever another client calls it.
        pub code: String,
    }
}

/// The codes of [`QueryError`] that mean something to the server. The extension gets the same list.
pub mod code {
    macro_rules! codes {
        ($( $(#[$meta:meta])* $name:ident, )*) => {
            $( $(#[$meta])* pub const $name: &str = stringify!($name); )*
            pub const ALL: &[&str] = &[ $( $name, )* ];
        };
    }

    codes! {
        QUERY_TIMEOUT,
        TAB_NOT_FOUND,
        /// A page that Chrome lets no extension into.
        TAB_RESTRICTED,
        TAB_DISCARDED,
        TAB_CRASHED,
        /// Not in front of its window, where that is needed.
        TAB_HIDDEN,
        /// The user has not enabled this page's site.
        SITE_NOT_ENABLED,
        INVALID_SELECTOR,
        INVALID_TAGS,
        /// The page went away while it was asked.
        PAGE_CHANGED,
        /// The page forbids code from texts, and user scripts are not allowed.
        USER_SCRIPTS_OFF,
        EXECUTE_JS_OFF,
        /// Chrome wants a click of the user first.
        CONSENT_NEEDED,
        /// A recording is running already.
        RECORDING,
        NOT_RECORDING,
        /// The answer is larger than the server takes.
        TOO_LARGE,
    }
}
