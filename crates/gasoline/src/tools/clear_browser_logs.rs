//! A clean table before the user tries again.

use engine::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool};
use crate::clock;

pub(super) struct ClearBrowserLogs;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {}

impl Tool for ClearBrowserLogs {
    const NAME: &'static str = "clear_browser_logs";
    const TITLE: &'static str = "Clear logs";
    const DESCRIPTION: &'static str = "Empties the buffer of console output and errors, for all clients. Use it \
        before a scenario is repeated.";
    const EFFECT: Effect = Effect::Destroys;
    const READS: &'static [Kind] = &[Kind::Logs];
    type Params = Params;

    async fn call(context: &Context, _: Params) -> Result<Answer, ToolError> {
        let removed = context.app.session().store.clear_logs(clock::now());
        let mut fields = Map::new();
        fields.insert("cleared".to_owned(), json!(true));
        fields.insert("entries_removed".to_owned(), json!(removed));
        Ok(fields.into())
    }
}
