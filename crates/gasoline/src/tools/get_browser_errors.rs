//! What went wrong.

use engine::Kind;
use engine::answer::fit::fit;
use engine::failures::{error_groups, failures};
use engine::store::Filter;
use engine::view::errors::brief_group;
use serde_json::json;
use wire::{Level, limits};

use super::answer::{Answer, ToolError};
use super::list::list_params;
use super::{Context, Effect, Tool, entry, hint};

pub(super) struct GetBrowserErrors;

list_params! {
    Params {
        /// How many (20).
        limit: Option<u32>,
        /// Show noise too, marked (false).
        include_noise: Option<bool>,
    }
}

impl Tool for GetBrowserErrors {
    const NAME: &'static str = "get_browser_errors";
    const TITLE: &'static str = "Browser errors";
    const DESCRIPTION: &'static str = "Exceptions, rejections, console.error and failed requests, grouped, with \
        source location and whether new since the last code update.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Logs, Kind::NetworkBodies];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let mut filter = common.filter(context, Self::NAME)?;
        filter.without_noise = params.include_noise != Some(true);
        let budget = common.budget(params.limit, limits::ERROR_LIST_DEFAULT)?;
        let app = &context.app;
        let (mut answer, empty, known, noise) = {
            let session = app.session();
            let groups: Vec<_> =
                error_groups(&session, &filter).into_iter().map(|group| (Level::Error, group)).collect();
            let mut answer = fit("errors", &groups, |group, texts| brief_group(group, &session, texts), budget);
            let changes = groups.iter().filter_map(|(_, group)| group.since_update(&session)).map(|(_, change)| change);
            if let Some(last) = changes.max_by_key(|change| change.at) {
                answer.insert("last_update".to_owned(), json!(last));
            }
            let left_out = if filter.without_noise {
                let all = Filter { without_noise: false, ..filter.clone() };
                failures(&session, &all).iter().filter(|failure| session.noise.of(*failure).is_some()).count()
            } else {
                0
            };
            if left_out > 0 {
                answer.insert("noise_left_out".to_owned(), json!(left_out));
            }
            (answer, groups.is_empty(), session.store.logs.len() + session.store.network.len(), left_out)
        };
        if empty {
            let all_errors = failures(&app.session(), &Default::default()).len();
            let text = match (filter.is_set() && all_errors > 0, known) {
                (true, _) => format!("the filter matched none of {all_errors} errors; widen it or leave it out"),
                // Failed requests come without bodies too: that bodies are off is no reason.
                (false, 0) => hint::for_empty(context, &[Kind::Logs], 0, false),
                (false, known) if noise > 0 => {
                    format!("no errors among {known} captured entries but noise: include_noise shows it")
                }
                (false, known) => format!("no errors among {known} captured entries"),
            };
            answer.insert("hint".to_owned(), json!(text));
        }
        Ok(answer.into())
    }
}
