//! The elements of the live page.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serde_with::skip_serializing_none;
use wire::limits;
use wire::live_page::DomAnswer;
use wire::query::{QueryAction, QueryParams};

use super::answer::{LIST_BYTES, ToolError};
use super::live::{AskedTab, PassedOn};
use super::{Context, Effect, Outcome, Tool, live};

pub(super) struct QueryDom;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// CSS selector.
    selector: String,
    /// Include computed styles.
    include_styles: Option<bool>,
    /// Include children.
    include_children: Option<bool>,
    /// Of children (3; at most 5).
    max_depth: Option<u32>,
    /// Styles (layout).
    properties: Option<Vec<String>>,
    /// (active tab)
    tab_id: Option<i64>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    found: PassedOn<DomAnswer>,
    /// The tab that answered.
    tab: AskedTab,
    /// What did not fit.
    left_out: Option<String>,
}

impl Tool for QueryDom {
    const NAME: &'static str = "query_dom";
    const TITLE: &'static str = "Query the DOM";
    const DESCRIPTION: &'static str = "Elements of the live page by CSS selector, also in open shadow roots and frames: \
        attributes, text, position, visibility, styles.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let Params { selector, include_styles, include_children, max_depth, properties, tab_id } = params;
        if selector.trim().is_empty() {
            return Err(ToolError::invalid_params(
                "`selector` is empty",
                "give a CSS selector, such as `#root button`",
            ));
        }
        let asked = QueryParams {
            selector: Some(selector),
            include_styles: include_styles.or(properties.as_ref().map(|_| true)),
            include_children,
            max_depth,
            properties,
            ..QueryParams::default()
        };
        let timeout = Duration::from_secs(limits::QUERY_SECONDS);
        let live = live::ask(context, QueryAction::QueryDom, asked, tab_id, timeout).await?;
        let (mut found, tab) = live.pass_on::<DomAnswer>();
        let left_out = match found.fit_list("matches", LIST_BYTES) {
            0 => None,
            left_out => {
                let shown = found.fields.get("matches").and_then(Value::as_array).map_or(0, Vec::len);
                found.fields.insert("returnedCount".to_owned(), json!(shown));
                Some(format!("{left_out} more did not fit: narrow the selector, or ask for fewer styles and children"))
            }
        };
        Ok(Answered { found, tab, left_out }.into())
    }
}
