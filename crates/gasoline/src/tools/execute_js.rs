//! Runs code in the page, where the user allowed it.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use wire::limits;
use wire::query::{QueryAction, QueryParams};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool, live};

pub(super) struct ExecuteJs;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Expression, or statements with `return`.
    script: String,
    /// (5000), 30000 at most.
    timeout_ms: Option<u64>,
    /// (the tab in front)
    tab_id: Option<i64>,
}

impl Tool for ExecuteJs {
    const NAME: &'static str = "execute_js";
    const TITLE: &'static str = "Run JavaScript";
    const DESCRIPTION: &'static str = "Runs JavaScript in the live page; returns its value and what it logged. Off \
        until the user allows it in the popup.";
    const EFFECT: Effect = Effect::Destroys;
    const READS: &'static [Kind] = &[];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let Params { script, timeout_ms, tab_id } = params;
        if script.trim().is_empty() {
            return Err(ToolError::invalid_params("`script` is empty", "give an expression, such as `document.title`"));
        }
        let timeout = timeout_ms.unwrap_or(limits::EXECUTE_DEFAULT_MILLIS);
        if timeout == 0 || timeout > limits::EXECUTE_MOST_MILLIS {
            return Err(ToolError::invalid_params(
                format!("`timeout_ms` is {timeout}"),
                format!("use 1 to {}", limits::EXECUTE_MOST_MILLIS),
            ));
        }
        let socket = context.app.extension.whom_to_ask(tab_id).map_err(|_| live::no_browser())?;
        if !context.app.extension.allows_execute_js(socket) {
            return Err(live::execute_js_off("the user has not allowed AI clients to run JavaScript"));
        }
        let asked = QueryParams { script: Some(script), ..QueryParams::default() };
        let timeout = Duration::from_millis(timeout);
        let live = live::ask(context, QueryAction::ExecuteJs, asked, tab_id, timeout).await?;
        let (tab, kind, success) = (live.tab(), live.kind.clone(), live.success);
        let mut fields = Map::new();
        match live.value {
            // Our extension tells more than the value: what was logged, which way it ran, what was thrown.
            Value::Object(told) if told.contains_key("ran_in") => fields.extend(told),
            value => {
                fields.insert("success".to_owned(), json!(success));
                fields.insert("value".to_owned(), value);
                fields.insert("type".to_owned(), json!(kind));
            }
        }
        fields.insert("tab".to_owned(), tab);
        Ok(fields.into())
    }
}
