//! What is on the page right now.

use std::time::Duration;

use engine::Kind;
use engine::answer::fit::fit_list;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::limits;
use wire::query::{QueryAction, QueryParams};

use super::answer::{Answer, LIST_BYTES, ToolError};
use super::{Context, Effect, Tool, live};

pub(super) struct QueryDom;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// CSS selector.
    selector: String,
    /// Computed styles too.
    include_styles: Option<bool>,
    /// Children too.
    include_children: Option<bool>,
    /// Of children (3, at most 5).
    max_depth: Option<u32>,
    /// Styles (layout).
    properties: Option<Vec<String>>,
    /// (the tab in front)
    tab_id: Option<i64>,
}

impl Tool for QueryDom {
    const NAME: &'static str = "query_dom";
    const TITLE: &'static str = "Query the DOM";
    const DESCRIPTION: &'static str = "Elements of the live page by CSS selector: attributes, text, position, \
        visibility, styles. Also in open shadow roots and frames.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
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
        let mut fields = live.into_fields();
        let left_out = fit_list(&mut fields, "matches", LIST_BYTES);
        if left_out > 0 {
            let shown = fields.get("matches").and_then(Value::as_array).map_or(0, Vec::len);
            fields.insert("returnedCount".to_owned(), json!(shown));
            let note =
                format!("{left_out} more did not fit: narrow the selector, or ask for fewer styles and children");
            fields.insert("left_out".to_owned(), json!(note));
        }
        Ok(fields.into())
    }
}
