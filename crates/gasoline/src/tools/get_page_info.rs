//! Which page is open, and what it consists of.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wire::limits;
use wire::live_page::PageInfo;
use wire::query::{QueryAction, QueryParams};

use super::live::{AskedTab, PassedOn};
use super::{Context, Effect, Outcome, Tool, live};

pub(super) struct GetPageInfo;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// (active tab)
    tab_id: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    page: PassedOn<PageInfo>,
    /// The tab that answered.
    tab: AskedTab,
}

impl Tool for GetPageInfo {
    const NAME: &'static str = "get_page_info";
    const TITLE: &'static str = "Page info";
    const DESCRIPTION: &'static str = "The open page: URL, title, viewport, headings, forms, counts. Use it \
        before query_dom on an unknown page.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let timeout = Duration::from_secs(limits::QUERY_SECONDS);
        let asked = QueryParams::default();
        let live = live::ask(context, QueryAction::GetPageInfo, asked, params.tab_id, timeout).await?;
        let (page, tab) = live.pass_on();
        Ok(Answered { page, tab }.into())
    }
}
