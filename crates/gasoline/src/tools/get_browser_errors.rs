//! The errors, grouped.

use engine::Kind;
use engine::answer::fit::{Extent, Fitted, List, fit};
use engine::code_changes::CodeChange;
use engine::failures::{error_groups, failures};
use engine::store::Filter;
use engine::view::errors::{ErrorBrief, brief_group};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::{Level, limits};

use super::entry::{self, Listing};
use super::list::list_params;
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct GetBrowserErrors;

list_params! {
    Params {
        /// How many (20).
        limit: Option<u32>,
        /// Include noise, marked (false).
        include_noise: Option<bool>,
    }
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Errors {
    /// Newest first, each error once.
    errors: Vec<Fitted<ErrorBrief>>,
    #[serde(flatten)]
    extent: Extent,
    /// The latest code change that these errors can be compared with.
    last_update: Option<CodeChange>,
    /// How many errors a noise rule hides.
    noise_left_out: Option<usize>,
    /// Why nothing is listed.
    hint: Option<String>,
}

impl Tool for GetBrowserErrors {
    const NAME: &'static str = "get_browser_errors";
    const TITLE: &'static str = "Browser errors";
    const DESCRIPTION: &'static str = "Exceptions, rejections, console.error and failed requests, grouped, with \
        source location and whether new since the last code update.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Logs, Kind::NetworkBodies];
    type Params = Params;
    type Answer = Listing<Errors>;

    async fn call(context: &Context, params: Params) -> Outcome<Listing<Errors>> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let mut filter = common.filter(context, Self::NAME)?;
        filter.without_noise = params.include_noise != Some(true);
        let budget = common.budget(params.limit, limits::ERROR_LIST_DEFAULT)?;
        let app = &context.app;
        let (mut answer, known) = {
            let session = app.session();
            let groups: Vec<_> =
                error_groups(&session, &filter).into_iter().map(|group| (Level::Error, group)).collect();
            let list = fit(&groups, |group, texts| brief_group(group, &session, texts), budget);
            let changes = groups.iter().filter_map(|(_, group)| group.since_update(&session)).map(|(_, change)| change);
            let last_update = changes.max_by_key(|change| change.at).cloned();
            let noise = if filter.without_noise {
                let all = Filter { without_noise: false, ..filter.clone() };
                failures(&session, &all).iter().filter(|failure| session.noise.rule_for(*failure).is_some()).count()
            } else {
                0
            };
            let noise_left_out = Some(noise).filter(|noise| *noise > 0);
            let List { entries: errors, extent } = list;
            let answer = Errors { errors, extent, last_update, noise_left_out, hint: None };
            (answer, session.store.logs.len() + session.store.network.len())
        };
        if answer.errors.is_empty() {
            let all_errors = failures(&app.session(), &Default::default()).len();
            answer.hint = Some(match (filter.is_set() && all_errors > 0, known) {
                (true, _) => format!("the filter matched none of {all_errors} errors; widen it or leave it out"),
                // Failed requests are captured without bodies, too: bodies being off is not the reason.
                (false, 0) => hint::for_empty(context, &[Kind::Logs], 0, false),
                (false, known) if answer.noise_left_out.is_some() => {
                    format!("no errors among {known} captured entries except noise: set include_noise to see it")
                }
                (false, known) => format!("no errors among {known} captured entries"),
            });
        }
        Ok(Listing::List(answer).into())
    }
}
