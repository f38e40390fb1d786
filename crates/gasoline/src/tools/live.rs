//! Queries to the live page, shared by the tools that need them, and errors that explain a missing answer.

use std::marker::PhantomData;
use std::time::Duration;

use engine::answer::fit::fit_list;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use wire::limits;
use wire::query::{QueryAction, QueryError, QueryParams, QueryResult, code};

use super::Context;
use super::answer::ToolError;
use crate::extension::NoBrowser;
use crate::query_broker::{Question, Unanswered};

/// The browser's answer in the shape of `T`, passed on unchanged: another browser may add fields.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(transparent, bound = "")]
pub(super) struct PassedOn<T> {
    #[schemars(with = "T")]
    pub(super) fields: Map<String, Value>,
    #[serde(skip)]
    shape: PhantomData<fn() -> T>,
}

impl<T> PassedOn<T> {
    /// Cuts the end of one of its lists until the whole fits. Returns how many entries were left out.
    pub(super) fn fit_list(&mut self, name: &str, most_bytes: usize) -> usize {
        #[derive(Serialize)]
        struct Split<'f> {
            #[serde(flatten)]
            rest: &'f Map<String, Value>,
            list: Vec<Value>,
        }
        let Some(Value::Array(list)) = self.fields.get_mut(name) else { return 0 };
        let list = std::mem::take(list);
        let mut split = Split { rest: &self.fields, list };
        let left_out = fit_list(&mut split, |split| &mut split.list, most_bytes);
        let Split { list, .. } = split;
        self.fields.insert(name.to_owned(), Value::Array(list));
        left_out
    }
}

/// The tab that answered.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct AskedTab {
    /// Pass it as `tab_id` to ask the same tab again.
    id: Option<i64>,
    /// Its URL.
    url: Option<String>,
}

/// An answer of the browser.
pub(super) struct Live {
    pub(super) value: Value,
    pub(super) kind: String,
    pub(super) success: bool,
    url: Option<String>,
    tab_id: Option<i64>,
}

impl Live {
    /// The value's fields, and the tab that answered.
    pub(super) fn pass_on<T>(self) -> (PassedOn<T>, AskedTab) {
        let tab = AskedTab { id: self.tab_id, url: self.url };
        let fields = match self.value {
            Value::Object(fields) => fields,
            other => Map::from_iter([("value".to_owned(), other)]),
        };
        (PassedOn { fields, shape: PhantomData }, tab)
    }

    /// The page that was asked; `None` if the tab has navigated since.
    pub(super) fn page(&self) -> Option<(i64, &str)> {
        let (asked, now) = (self.value.get("url").and_then(Value::as_str), self.url.as_deref()?);
        asked.is_none_or(|asked| asked == now).then_some((self.tab_id?, now))
    }
}

pub(super) async fn ask(
    context: &Context,
    action: QueryAction,
    params: QueryParams,
    tab_id: Option<i64>,
    timeout: Duration,
) -> Result<Live, ToolError> {
    let app = &context.app;
    let socket = app.extension.whom_to_ask(tab_id).map_err(|NoBrowser| no_browser())?;
    let question = Question { action, params, tab_id, timeout };
    let answered = app.queries.ask(question, socket).await.map_err(|reason| unanswered(reason, timeout))?;
    let QueryResult { result, error, tab_id, url, .. } = answered.into_parts().0;
    if let Some(error) = error {
        return Err(failed(context, error));
    }
    let Some(result) = result else {
        return Err(ToolError::browser_error("the browser sent an empty answer", "call again"));
    };
    let success = result.success != Some(false);
    if !success && action != QueryAction::ExecuteJs {
        return Err(ToolError::browser_error("the browser reported a failure without a reason", "call again"));
    }
    let value = result.value.map(|value| value.value()).unwrap_or_default();
    Ok(Live { value, success, kind: result.kind.unwrap_or_default(), url, tab_id })
}

pub(super) fn no_browser() -> ToolError {
    ToolError::no_browser(
        "no browser with the Gasoline extension is connected",
        "ask the user to open the browser that has the extension; its popup shows whether it is connected",
    )
}

fn unanswered(reason: Unanswered, timeout: Duration) -> ToolError {
    match reason {
        Unanswered::Full => ToolError::rate_limited(
            "the browser is already busy with five queries",
            "wait for their answers, then call again",
        ),
        Unanswered::TooLarge => ToolError::invalid_params(
            format!("the pending queries exceed {} KB together", limits::PENDING_QUERIES_BYTES / 1024),
            "use a shorter script or selector",
        ),
        Unanswered::Blocked => ToolError::browser_error(
            "the browser failed ten times within a minute, so the server no longer queries it",
            "ask the user to reload the extension: chrome://extensions, the reload arrow on Gasoline's card",
        ),
        Unanswered::NotPickedUp => ToolError::browser_timeout(
            "the browser did not pick up the query",
            "it may be busy or asleep: call again, and call get_status if that fails too",
        ),
        Unanswered::TimedOut => ToolError::browser_timeout(
            format!("the browser picked up the query but did not answer within {} s", timeout.as_secs_f64()),
            "a long-running script may block the page: ask the user whether it still responds, or try another tab",
        ),
        Unanswered::Lost => ToolError::browser_error(
            "the browser disconnected while it worked on this; the query may or may not have run",
            "check the page's state before you call again",
        ),
    }
}

/// Turns the browser's error into ours. The codes are ours; messages of other clients are passed on unchanged.
fn failed(context: &Context, error: QueryError) -> ToolError {
    let message = error.message.unwrap_or_else(|| "the browser reported an error without a message".to_owned());
    let tabs = || {
        let tabs: Vec<String> = context
            .app
            .extension
            .report()
            .tabs
            .iter()
            .filter(|tab| tab.captured == Some(true))
            .take(5)
            .map(|tab| format!("{} ({})", tab.id.unwrap_or(-1), tab.url.as_deref().unwrap_or_default()))
            .collect();
        match tabs.as_slice() {
            [] => "no tab with an enabled site is open: ask the user to open the app".to_owned(),
            tabs => format!("pass tab_id of one of: {}", tabs.join(", ")),
        }
    };
    match error.code.as_deref().unwrap_or_default() {
        code::QUERY_TIMEOUT => ToolError::browser_timeout(
            message,
            "a long-running script may block the page: ask the user whether it still responds",
        ),
        code::TAB_NOT_FOUND => ToolError::not_found(message, tabs()),
        code::TAB_RESTRICTED => ToolError::browser_error(message, tabs()),
        code::TAB_DISCARDED => ToolError::browser_error(message, "ask the user to click that tab, which reloads it"),
        code::TAB_CRASHED => ToolError::browser_error(message, "ask the user to reload that tab"),
        code::TAB_HIDDEN => ToolError::browser_error(
            message,
            "ask the user to bring that tab to the front; Gasoline does not steal focus",
        ),
        code::SITE_NOT_ENABLED => ToolError::disabled(
            message,
            format!("ask the user to enable this site in the extension's popup; or {}", tabs()),
        ),
        code::INVALID_SELECTOR | code::INVALID_TAGS => {
            ToolError::invalid_params(message, "correct the parameters and call again")
        }
        code::PAGE_CHANGED => ToolError::browser_error(message, "call again to query the new page"),
        code::USER_SCRIPTS_OFF => ToolError::disabled(
            message,
            "ask the user to open chrome://extensions, Gasoline, Details, and turn on \"Allow User Scripts\"; or use \
             query_dom instead",
        ),
        code::EXECUTE_JS_OFF => execute_js_off(message),
        code::CONSENT_NEEDED => ToolError::browser_error(
            message,
            "ask the user to click the Gasoline icon in the toolbar while that tab is in front, then call again",
        ),
        code::RECORDING => {
            ToolError::browser_error(message, "stop that recording first: call record_video with action stop")
        }
        code::TOO_LARGE => ToolError::browser_error(message, "ask for less: a part of the page, fewer values"),
        code::NOT_RECORDING => ToolError::browser_error(message, "start one: call record_video with action start"),
        _ => ToolError::browser_error(message, "call again; get_status shows whether the browser is still connected"),
    }
}

pub(super) fn execute_js_off(message: impl Into<String>) -> ToolError {
    ToolError::disabled(
        message,
        "ask the user to turn on \"Allow AI to run JavaScript\" in the extension's popup; query_dom and get_page_info \
         work without it",
    )
}
