//! Where the user is, and what the page is made of.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use wire::limits;
use wire::query::{QueryAction, QueryParams};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool, live};

pub(super) struct GetPageInfo;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// (the tab in front)
    tab_id: Option<i64>,
}

impl Tool for GetPageInfo {
    const NAME: &'static str = "get_page_info";
    const TITLE: &'static str = "Page info";
    const DESCRIPTION: &'static str = "The page in front: URL, title, viewport, headings, forms, counts. Use it \
        before query_dom on an unknown page.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let timeout = Duration::from_secs(limits::QUERY_SECONDS);
        let asked = QueryParams::default();
        let live = live::ask(context, QueryAction::GetPageInfo, asked, params.tab_id, timeout).await?;
        Ok(live.into_fields().into())
    }
}
