//! Accessibility problems of the live page.

use std::time::Duration;

use engine::Kind;
use engine::answer::fit::json_len;
use engine::text::shorten;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use wire::limits;
use wire::live_page::AuditReport;
use wire::query::{QueryAction, QueryParams};

use super::answer::LIST_BYTES;
use super::live::{AskedTab, PassedOn};
use super::{Context, Effect, Outcome, Tool, live};
use crate::audits::Key;

pub(super) struct RunAccessibilityAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// CSS selector (the whole page).
    scope: Option<String>,
    /// Such as wcag2aa.
    tags: Option<Vec<String>>,
    /// Include passed checks.
    include_passes: Option<bool>,
    /// Skip the cache.
    force_refresh: Option<bool>,
    /// (active tab)
    tab_id: Option<i64>,
}

#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    report: PassedOn<AuditReport>,
    /// The tab that answered.
    tab: AskedTab,
    /// How many violated rules did not fit.
    violations_left_out: Option<String>,
    /// How many rules that a person must check did not fit.
    incomplete_left_out: Option<String>,
    /// How many passed rules did not fit.
    passes_left_out: Option<String>,
    /// The audit's age, if it was run for an earlier call.
    cached: Option<String>,
}

impl Tool for RunAccessibilityAudit {
    const NAME: &'static str = "run_accessibility_audit";
    const TITLE: &'static str = "Accessibility audit";
    const DESCRIPTION: &'static str = "Runs axe-core on the live page: violations by impact with elements, WCAG \
        criterion and fix.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let Params { scope, tags, include_passes, force_refresh, tab_id } = params;
        let scope = scope.filter(|scope| !scope.is_empty());
        let key = |tab_id: i64, url: &str| Key {
            tab_id,
            // Tabs are known by the start of their URL.
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
            let note = format!("this audit is {} s old; force_refresh runs it again", age.as_secs());
            answer.cached = Some(note);
            return Ok(answer.into());
        }
        let asked = QueryParams { scope: scope.clone(), tags: tags.clone(), include_passes, ..QueryParams::default() };
        let timeout = Duration::from_secs(limits::AUDIT_SECONDS);
        let live = live::ask(context, QueryAction::ExecuteA11yAudit, asked, tab_id, timeout).await?;
        let key = live.page().map(|(id, url)| key(id, url));
        let (report, tab) = live.pass_on();
        let answer = fitted(report, tab);
        if let Some(key) = key {
            audits.keep(key, answer.clone());
        }
        Ok(answer.into())
    }
}

/// Listing every violated rule matters more than listing every element. Each rule has the count of its elements.
fn fitted(mut report: PassedOn<AuditReport>, tab: AskedTab) -> Answered {
    for nodes in [5, 3, 1] {
        if json_len(&report) <= LIST_BYTES {
            break;
        }
        for name in ["violations", "incomplete", "passes"] {
            for rule in report.fields.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(list) = rule.get_mut("nodes").and_then(Value::as_array_mut) {
                    list.truncate(nodes);
                }
            }
        }
    }
    let mut left_out = |name: &str| match report.fit_list(name, LIST_BYTES) {
        0 => None,
        left_out => Some(format!("{left_out} rules did not fit: use scope or tags to see them")),
    };
    let (passes_left_out, incomplete_left_out, violations_left_out) =
        (left_out("passes"), left_out("incomplete"), left_out("violations"));
    Answered { report, tab, violations_left_out, incomplete_left_out, passes_left_out, cached: None }
}
