//! What keeps people from using the page.

use std::time::Duration;

use engine::Kind;
use engine::answer::fit::{fit_list, json_len};
use engine::text::shorten;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use wire::limits;
use wire::query::{QueryAction, QueryParams};

use super::answer::{Answer, LIST_BYTES, ToolError};
use super::{Context, Effect, Tool, live};
use crate::audits::Key;

pub(super) struct RunAccessibilityAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// CSS selector (the whole page).
    scope: Option<String>,
    /// Such as wcag2aa.
    tags: Option<Vec<String>>,
    /// Passed checks too.
    include_passes: Option<bool>,
    /// No cached answer.
    force_refresh: Option<bool>,
    /// (the tab in front)
    tab_id: Option<i64>,
}

impl Tool for RunAccessibilityAudit {
    const NAME: &'static str = "run_accessibility_audit";
    const TITLE: &'static str = "Accessibility audit";
    const DESCRIPTION: &'static str = "Runs axe-core on the live page: violations by impact with elements, WCAG \
        criterion and fix.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let Params { scope, tags, include_passes, force_refresh, tab_id } = params;
        let scope = scope.filter(|scope| !scope.is_empty());
        let key = |tab_id: i64, url: &str| Key {
            tab_id,
            // Tabs are known by the start of their address.
            url: shorten(url, limits::TAB_CHARS),
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
        let mut answer = live.into_fields();
        fit(&mut answer);
        if let Some(key) = key {
            audits.keep(key, answer.clone());
        }
        Ok(answer.into())
    }
}

/// Every rule that is broken matters more than every element that breaks it; how many those are is told anyway.
fn fit(answer: &mut Map<String, Value>) {
    let size = |answer: &Map<String, Value>| answer.values().map(json_len).sum::<usize>();
    for nodes in [5, 3, 1] {
        if size(answer) <= LIST_BYTES {
            return;
        }
        for name in ["violations", "incomplete", "passes"] {
            for rule in answer.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(list) = rule.get_mut("nodes").and_then(Value::as_array_mut) {
                    list.truncate(nodes);
                }
            }
        }
    }
    for name in ["passes", "incomplete", "violations"] {
        let left_out = fit_list(answer, name, LIST_BYTES);
        if left_out > 0 {
            let note = format!("{left_out} rules did not fit: use scope or tags to see them");
            answer.insert(format!("{name}_left_out"), json!(note));
        }
    }
}
