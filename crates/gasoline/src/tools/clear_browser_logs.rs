//! Clears the log buffer before the user tries again.

use engine::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Effect, Outcome, Tool};
use crate::clock;

pub(super) struct ClearBrowserLogs;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cleared {
    /// Always true.
    cleared: bool,
    /// How many entries were removed.
    entries_removed: usize,
}

impl Tool for ClearBrowserLogs {
    const NAME: &'static str = "clear_browser_logs";
    const TITLE: &'static str = "Clear logs";
    const DESCRIPTION: &'static str = "Clears the buffer of console output and errors, for all clients. Use it \
        before a scenario is repeated.";
    const EFFECT: Effect = Effect::Destroys;
    const READS: &'static [Kind] = &[Kind::Logs];
    type Params = Params;
    type Answer = Cleared;

    async fn call(context: &Context, _: Params) -> Outcome<Cleared> {
        let entries_removed = context.app.session().store.clear_logs(clock::now());
        Ok(Cleared { cleared: true, entries_removed }.into())
    }
}
