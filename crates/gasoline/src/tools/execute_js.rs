//! Runs JavaScript in the page, if the user has allowed it.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::limits;
use wire::live_page::ScriptOutcome;
use wire::query::{QueryAction, QueryParams};

use super::answer::ToolError;
use super::live::{AskedTab, PassedOn};
use super::{Context, Effect, Outcome, Tool, live};

pub(super) struct ExecuteJs;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Expression, or statements with `return`.
    script: String,
    /// (5000; at most 30000)
    timeout_ms: Option<u64>,
    /// (active tab)
    tab_id: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    outcome: PassedOn<ScriptOutcome>,
    /// The tab that answered.
    tab: AskedTab,
}

impl Tool for ExecuteJs {
    const NAME: &'static str = "execute_js";
    const TITLE: &'static str = "Run JavaScript";
    const DESCRIPTION: &'static str = "Runs JavaScript in the live page; returns its value and what it logged. Off \
        until the user allows it in the popup.";
    const EFFECT: Effect = Effect::Destroys;
    const READS: &'static [Kind] = &[];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let Params { script, timeout_ms, tab_id } = params;
        if script.trim().is_empty() {
            return Err(ToolError::invalid_params("`script` is empty", "give an expression, such as `document.title`"));
        }
        let timeout = timeout_ms.unwrap_or(limits::EXECUTE_DEFAULT_MILLIS);
        if timeout == 0 || timeout > limits::EXECUTE_MOST_MILLIS {
            return Err(ToolError::invalid_params(
                format!("`timeout_ms` is {timeout}: expected 1 to {}", limits::EXECUTE_MOST_MILLIS),
                "leave it out for the default",
            ));
        }
        let socket = context.app.extension.whom_to_ask(tab_id).map_err(|_| live::no_browser())?;
        if !context.app.extension.allows_execute_js(socket) {
            return Err(live::execute_js_off("the user has not allowed AI clients to run JavaScript"));
        }
        let asked = QueryParams { script: Some(script), ..QueryParams::default() };
        let timeout = Duration::from_millis(timeout);
        let live = live::ask(context, QueryAction::ExecuteJs, asked, tab_id, timeout).await?;
        let (kind, success) = (live.kind.clone(), live.success);
        // Our extension reports more than the value: what was logged, how it ran, what was thrown.
        let says_all = live.value.get("ran_in").is_some();
        let value = if says_all { Value::Null } else { live.value.clone() };
        let (mut outcome, tab) = live.pass_on::<ScriptOutcome>();
        if !says_all {
            let plain = [("success", json!(success)), ("value", value), ("type", json!(kind))];
            outcome.fields = plain.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        }
        Ok(Answered { outcome, tab }.into())
    }
}
