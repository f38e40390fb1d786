//! What keeps people from using the page.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use wire::limits;
use wire::query::{QueryAction, QueryParams};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool, live};
use crate::audits::Key;

pub(super) struct RunAccessibilityAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// CSS selector of the part to look at; else the whole page.
    scope: Option<String>,
    /// axe-core tags, such as wcag2a or wcag2aa.
    tags: Option<Vec<String>>,
    /// Passed checks too.
    include_passes: Option<bool>,
    /// Do not answer from the last 30 seconds.
    force_refresh: Option<bool>,
    /// Else the tab in front.
    tab_id: Option<i64>,
}

impl Tool for RunAccessibilityAudit {
    const NAME: &'static str = "run_accessibility_audit";
    const TITLE: &'static str = "Accessibility audit";
    const DESCRIPTION: &'static str = "Runs axe-core on the live page: violations by impact, each with its elements, the \
        WCAG criterion and a fix.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let Params { scope, tags, include_passes, force_refresh, tab_id } = params;
        let scope = scope.filter(|scope| !scope.is_empty());
        let key = |tab_id: i64, url: &str| Key {
            tab_id,
            url: url.to_owned(),
            scope: scope.clone(),
            tags: tags.clone(),
            include_passes: include_passes == Some(true),
        };
        let audits = &context.app.audits;
        if force_refresh != Some(true)
            && let Some((id, url)) = context.app.extension.tab(tab_id)
            && let Some((mut answer, age)) = audits.get(&key(id, &url))
        {
            let note = format!("this is from {} s ago; force_refresh runs it again", age.as_secs());
            answer.insert("cached".to_owned(), json!(note));
            return Ok(answer.into());
        }
        let asked = QueryParams { scope: scope.clone(), tags: tags.clone(), include_passes, ..QueryParams::default() };
        let timeout = Duration::from_secs(limits::AUDIT_SECONDS);
        let live = live::ask(context, QueryAction::ExecuteA11yAudit, asked, tab_id, timeout).await?;
        let key = live.page().map(|(id, url)| key(id, url));
        let answer = live.into_fields();
        if let Some(key) = key {
            audits.keep(key, answer.clone());
        }
        Ok(answer.into())
    }
}
