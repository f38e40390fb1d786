//! Console output.

use engine::Kind;
use engine::answer::fit::{Extent, Fitted, Texts, fit};
use engine::entry::Log;
use engine::store::Stored;
use engine::view::logs::{LogBrief, LogFilter, brief, logs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::limits;

use super::entry::{self, Listing};
use super::list::list_params;
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct GetBrowserLogs;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Debug,
    Log,
    Info,
    Warn,
    Error,
}

list_params! {
    Params {
        /// How many (100).
        limit: Option<u32>,
        /// Only this level.
        level: Option<Level>,
        /// Text in the message.
        search: Option<String>,
    }
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Logs {
    /// Newest first.
    logs: Vec<Fitted<LogBrief>>,
    #[serde(flatten)]
    extent: Extent,
    /// Why nothing is listed, or what is missing.
    hint: Option<String>,
}

impl Tool for GetBrowserLogs {
    const NAME: &'static str = "get_browser_logs";
    const TITLE: &'static str = "Browser console";
    const DESCRIPTION: &'static str =
        "Console output, newest first. Use it to see what the page logged around an error.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Logs];
    type Params = Params;
    type Answer = Listing<Logs>;

    async fn call(context: &Context, params: Params) -> Outcome<Listing<Logs>> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let budget = common.budget(params.limit, limits::LOG_LIST_DEFAULT)?;
        let filter = LogFilter {
            common: common.filter(context, Self::NAME)?,
            level: params.level.map(|level| match level {
                Level::Debug => wire::Level::Debug,
                Level::Log => wire::Level::Log,
                Level::Info => wire::Level::Info,
                Level::Warn => wire::Level::Warn,
                Level::Error => wire::Level::Error,
            }),
            search: params.search.clone().filter(|search| !search.is_empty()),
        };
        let app = &context.app;
        let (list, known) = {
            let session = app.session();
            let entries = logs(&session.store, &filter);
            let shown = |stored: &&Stored<Log>, texts: &Texts| {
                let noise = session.noise.rule_for(&stored.entry).map(str::to_owned);
                LogBrief { noise, ..brief(stored, &app.ids, texts) }
            };
            (fit(&entries, shown, budget), session.store.logs.len())
        };
        let is_filtered = filter.common.is_set() || filter.level.is_some() || filter.search.is_some();
        let hint = list.is_empty().then(|| hint::for_empty(context, Self::READS, known, is_filtered));
        Ok(Listing::List(Logs { logs: list.entries, extent: list.extent, hint }).into())
    }
}
