//! The console.

use engine::Kind;
use engine::answer::fit::{Texts, fit};
use engine::entry::Log;
use engine::store::Stored;
use engine::view::logs::{LogFilter, brief, logs};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::limits;

use super::answer::{Answer, ToolError};
use super::list::list_params;
use super::{Context, Effect, Tool, entry, hint};

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
        /// Exactly this level.
        level: Option<Level>,
        /// Text in the message.
        search: Option<String>,
    }
}

impl Tool for GetBrowserLogs {
    const NAME: &'static str = "get_browser_logs";
    const TITLE: &'static str = "Browser console";
    const DESCRIPTION: &'static str = "The console, newest first. Use it to see what the page said around an error.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Logs];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
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
        let (mut answer, empty, known) = {
            let session = app.session();
            let entries = logs(&session.store, &filter);
            let shown = |stored: &&Stored<Log>, texts: &Texts| {
                let mut value = brief(stored, &app.ids, texts);
                if let Some(rule) = session.noise.of(&stored.entry) {
                    value.insert("noise".to_owned(), json!(rule));
                }
                Value::Object(value)
            };
            let answer = fit("logs", &entries, shown, budget);
            (answer, entries.is_empty(), session.store.logs.len())
        };
        if empty {
            let filtered = filter.common.is_set() || filter.level.is_some() || filter.search.is_some();
            answer.insert("hint".to_owned(), json!(hint::for_empty(context, Self::READS, known, filtered)));
        }
        Ok(answer.into())
    }
}
