//! How fast a page loads, and whether that got worse.

use engine::Kind;
use engine::analysis::performance::report;
use engine::store::PageLoads;
use engine::url::path_of;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool, hint};
use crate::{clock, directory};

/// Other pages that are named.
const OTHERS: usize = 10;

pub(super) struct CheckPerformance;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Part of the page's URL (the latest page).
    #[serde(alias = "url_filter")]
    url: Option<String>,
}

impl Tool for CheckPerformance {
    const NAME: &'static str = "check_performance";
    const TITLE: &'static str = "Performance";
    const DESCRIPTION: &'static str = "Report of a page's latest load: timing, web vitals, network, main thread, \
        regressions, budgets. Use it after a change that may slow a page.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Performance];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let budgets = match context.directory.clone() {
            Some(folder) => tokio::task::spawn_blocking(move || directory::budgets(&folder)).await.ok().flatten(),
            None => None,
        };
        let wanted = params.url.as_deref().filter(|url| !url.is_empty());
        let (told, known) = {
            let session = context.app.session();
            let pages: Vec<&PageLoads> = session.store.performance.pages().collect();
            let path = wanted.map(path_of);
            let is_exactly = |page: &&PageLoads| path.is_none_or(|path| page.latest.url == path);
            let is_about = |page: &&PageLoads| wanted.is_some_and(|part| page.latest.url.contains(part));
            let page = pages.iter().copied().find(is_exactly).or_else(|| pages.iter().copied().find(is_about));
            let others: Vec<String> = pages
                .iter()
                .filter(|other| page.is_none_or(|page| page.cursor != other.cursor))
                .take(OTHERS)
                .map(|other| name(other))
                .collect();
            (page.map(|page| report(page, &others, budgets.as_ref(), clock::now())).ok_or(others), pages.len())
        };
        Ok(match told {
            Ok(told) => Answer::from(told.fields).with_report(told.text),
            Err(others) => {
                let mut why = hint::for_empty(context, Self::READS, known, wanted.is_some());
                let mut fields = Map::new();
                if let (Some(wanted), false) = (wanted, others.is_empty()) {
                    why = format!("no load of {wanted:?} is known; measured: {}", others.join(", "));
                    fields.insert("other_pages".to_owned(), json!(others));
                }
                fields.insert("hint".to_owned(), json!(why));
                Answer::from(fields).with_report(format!("Nothing measured: {why}\n"))
            }
        })
    }
}

fn name(page: &PageLoads) -> String {
    let url = &page.latest.url;
    if page.latest.soft_navigation == Some(true) { format!("{url} (route change)") } else { url.clone() }
}
