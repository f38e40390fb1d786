//! How fast a page loads, and whether that got worse.

use engine::Kind;
use engine::analysis::performance::{Facts, report};
use engine::store::PageLoads;
use engine::url::path_of;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::answer::Answer;
use super::{Context, Effect, Outcome, Tool, hint};
use crate::{clock, directory};

/// How many other pages an answer names.
const OTHERS: usize = 10;

pub(super) struct CheckPerformance;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Part of the page's URL (the latest page).
    #[serde(alias = "url_filter")]
    url: Option<String>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Answered {
    /// The latest load of a page.
    Measured(Box<Facts>),
    /// No load was measured, or none of this page.
    Nothing {
        /// Pages that were measured.
        other_pages: Option<Vec<String>>,
        /// Why there is no report.
        hint: String,
    },
}

impl Tool for CheckPerformance {
    const NAME: &'static str = "check_performance";
    const TITLE: &'static str = "Performance";
    const DESCRIPTION: &'static str = "Report of a page's latest load: timing, web vitals, network, main thread, \
        regressions, budgets. Use it after a change that may slow the page.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Performance];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let budgets = match context.directory.clone() {
            Some(folder) => tokio::task::spawn_blocking(move || directory::budgets(&folder)).await.ok().flatten(),
            None => None,
        };
        let wanted = params.url.as_deref().filter(|url| !url.is_empty());
        let (found, known) = {
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
        Ok(match found {
            Ok(report) => Answer::from(Answered::Measured(Box::new(report.facts))).with_report(report.text),
            Err(others) => {
                let (hint, other_pages) = match wanted {
                    Some(wanted) if !others.is_empty() => {
                        let known = others.join(", ");
                        (format!("no load of {wanted:?} was measured; measured pages: {known}"), Some(others))
                    }
                    _ => (hint::for_empty(context, Self::READS, known, wanted.is_some()), None),
                };
                let report = format!("Nothing measured: {hint}\n");
                Answer::from(Answered::Nothing { other_pages, hint }).with_report(report)
            }
        })
    }
}

fn name(page: &PageLoads) -> String {
    let url = &page.latest.url;
    if page.latest.soft_navigation == Some(true) { format!("{url} (route change)") } else { url.clone() }
}
