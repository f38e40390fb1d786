//! Questions to the live page and their answers.

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::time::EpochMillis;

/// What the extension is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum QueryAction {
    /// Describes the elements that a selector finds.
    QueryDom,
    /// Describes the page as a whole.
    GetPageInfo,
    /// Audits the page's accessibility.
    ExecuteA11yAudit,
    /// Runs a script in the page.
    ExecuteJs,
    /// Takes a screenshot.
    TakeScreenshot,
    /// Starts a recording of the tab.
    RecordStart,
    /// Stops the recording and uploads it.
    RecordStop,
}

shape! {
    /// The parameters of a question; the action decides which of them matter.
    pub struct QueryParams {
        /// `execute_js`: the script to run.
        pub script: String,
        /// `query_dom`: selects the elements.
        pub selector: String,
        /// `query_dom`: whether to add computed styles.
        #[serde(alias = "includeStyles")]
        pub include_styles: bool,
        /// `query_dom`: whether to describe children.
        #[serde(alias = "includeChildren")]
        pub include_children: bool,
        /// `query_dom`: how many levels of children.
        #[serde(alias = "maxDepth")]
        pub max_depth: u32,
        /// `query_dom`: the styles to include.
        pub properties: Vec<String>,
        /// `execute_a11y_audit`: selects the part of the page to audit.
        pub scope: String,
        /// `execute_a11y_audit`: rule tags such as `wcag2a`.
        pub tags: Vec<String>,
        /// `execute_a11y_audit`: whether to list the rules that the page keeps.
        #[serde(alias = "includePasses")]
        pub include_passes: bool,
        /// `take_screenshot`: the whole page instead of the visible part.
        #[serde(alias = "fullPage")]
        pub full_page: bool,
        /// `record_start`: the name of the file.
        pub name: String,
    }
}

/// One question, as `GET /pending-queries` and the extension's socket deliver it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct PendingQuery {
    /// The server's id of the question.
    pub id: String,
    /// A second id of the question, by which polling clients fetch its result.
    #[serde(alias = "correlationId")]
    pub correlation_id: String,
    /// What to do.
    pub action: QueryAction,
    /// With which parameters.
    #[serde(flatten)]
    pub params: QueryParams,
    /// The tab to ask. Absent for the active one.
    #[serde(alias = "tabId", skip_serializing_if = "Option::is_none")]
    pub tab_id: Option<i64>,
    /// How long the browser may take, in milliseconds.
    #[serde(alias = "timeoutMs")]
    pub timeout_ms: u64,
    /// When the server created it.
    #[serde(alias = "createdAt")]
    pub created_at: EpochMillis,
}

shape! {
    /// An answer, as `POST /dom-result` and the extension's socket deliver it.
    pub struct QueryResult {
        /// The id of the question.
        #[serde(alias = "queryId")]
        pub query_id: String,
        /// The question's `correlation_id`.
        #[serde(alias = "correlationId")]
        pub correlation_id: String,
        /// What was done.
        pub action: QueryAction,
        /// What it returned. Absent when it failed.
        pub result: QueryValue,
        /// Why it failed. Absent when it succeeded.
        pub error: QueryError,
        /// How long it took in the browser, in milliseconds.
        #[serde(alias = "executionTimeMs")]
        pub execution_time_ms: f64,
        /// The tab that answered.
        #[serde(alias = "tabId")]
        pub tab_id: i64,
        /// The address of that tab's page.
        pub url: String,
        /// When the browser answered.
        pub timestamp: EpochMillis,
    }
}

shape! {
    /// The value that an action returned.
    pub struct QueryValue {
        /// Whether the action succeeded.
        pub success: bool,
        /// The value as JSON.
        pub value: Json,
        /// The value's JavaScript type.
        #[serde(rename = "type")]
        pub kind: String,
    }
}

shape! {
    /// Why an action failed.
    pub struct QueryError {
        /// The reason, for a reader.
        pub message: String,
        /// The type of the error that a script threw.
        #[serde(rename = "type")]
        pub kind: String,
        /// The stack of that error.
        pub stack: String,
        /// One of [`code`], or another client's own code.
        pub code: String,
    }
}

/// The codes of [`QueryError`] that mean something to the server. The extension gets the same list.
pub mod code {
    macro_rules! codes {
        ($( $(#[$meta:meta])* $name:ident, )*) => {
            $( $(#[$meta])* pub const $name: &str = stringify!($name); )*
            /// Every code.
            pub const ALL: &[&str] = &[ $( $name, )* ];
        };
    }

    codes! {
        /// The page or the browser did not answer in time.
        QUERY_TIMEOUT,
        /// No such tab is open.
        TAB_NOT_FOUND,
        /// Chrome does not let extensions into this page.
        TAB_RESTRICTED,
        /// Chrome has unloaded the tab to save memory.
        TAB_DISCARDED,
        /// The tab's page has crashed.
        TAB_CRASHED,
        /// The tab is not in front of its window, and the action needs that.
        TAB_HIDDEN,
        /// The user has not enabled this page's site.
        SITE_NOT_ENABLED,
        /// The selector is not valid CSS.
        INVALID_SELECTOR,
        /// A rule tag is unknown to the audit.
        INVALID_TAGS,
        /// The page navigated away before it answered.
        PAGE_CHANGED,
        /// The page forbids code from text, and user scripts are not allowed.
        USER_SCRIPTS_OFF,
        /// The user has not allowed scripts of AI clients.
        EXECUTE_JS_OFF,
        /// Chrome requires a click by the user first.
        CONSENT_NEEDED,
        /// A recording is running already.
        RECORDING,
        /// No recording is running.
        NOT_RECORDING,
        /// The answer is larger than the server takes.
        TOO_LARGE,
    }
}
