//! Errors in the developer's own terms: what source maps tell of them, and which maps are wanted for it.

use wire::log::AiContext;
use wire::{Timestamp, limits};

use super::{Brought, SourceMaps, Store, forget_names};
use crate::redact::Redactor;
use crate::understand::explain::{Allowed, awaits_names_from, explain, is_explainable, scripts_of};
use crate::understand::marks;

impl Store {
    /// Adds to errors what source maps and pages told about them since the last call. Returns the scripts whose maps
    /// are wanted for that, if someone is there to bring them: then `ask` is the time.
    pub fn explain_errors(&mut self, redactor: &Redactor, allowed: Allowed, ask: Option<Timestamp>) -> Vec<String> {
        let mut wanted: Vec<String> = Vec::new();
        for cursor in std::mem::take(&mut self.unexplained) {
            let Some(stored) = self.logs.find(cursor) else { continue };
            if let (true, Some(now)) = (allowed.snippets, ask) {
                for url in scripts_of(&stored.entry) {
                    // For another page that waits, it need not be brought twice.
                    let is_listed = wanted.iter().any(|listed| listed == url);
                    let has_room = is_listed || wanted.len() < limits::SOURCE_MAPS_WANTED;
                    let is_new = has_room && self.source_maps.want(url, stored.entry.page_id.as_deref(), now);
                    if is_new && !is_listed {
                        wanted.push(url.to_owned());
                    }
                }
            }
            let Some(context) = explain(&stored.entry, &mut self.source_maps, redactor, allowed) else { continue };
            let size = |context: Option<&AiContext>| {
                context.and_then(|context| serde_json::to_vec(context).ok()).map_or(0, |text| text.len())
            };
            let before = size(stored.entry.ai_context.as_ref());
            let (context, findings) = context.into_parts();
            let mut whole = stored.entry.ai_context.clone().unwrap_or_default();
            merge_context(&mut whole, context);
            let added = size(Some(&whole)).saturating_sub(before);
            self.logs.amend(cursor, added, |stored| {
                stored.findings.extend(findings);
                stored.findings.truncate(limits::FINDINGS_PER_ENTRY);
                stored.entry.ai_context = Some(whole);
                marks::complete(&mut stored.entry);
            });
        }
        forget_names(&mut self.named_logs, self.logs.evict(usize::MAX));
        wanted
    }

    /// Takes a script's map, or the news that it has none, of a page load where that is told. Errors that point into it
    /// are explained next time.
    pub fn bring_source_map(&mut self, url: &str, brought: Brought, page: Option<&str>, now: Timestamp) {
        if !self.source_maps.bring(url, brought, page, now) {
            return;
        }
        // Those of other page loads ran other code, perhaps; what was explained for these by an older map is again.
        let concerned = self.logs.iter().rev().filter(|stored| {
            is_explainable(&stored.entry)
                && self.source_maps.has(url, stored.entry.page_id.as_deref())
                && (scripts_of(&stored.entry).contains(&url) || awaits_names_from(&stored.entry, url))
        });
        // Nobody looks at more of them than that.
        let concerned: Vec<u64> = concerned.map(|stored| stored.cursor).take(limits::EXPLAINED_AGAIN).collect();
        self.unexplained.extend(concerned);
        self.unexplained.sort_unstable();
        self.unexplained.dedup();
    }

    pub fn source_maps(&self) -> &SourceMaps {
        &self.source_maps
    }
}

/// What the patch brings wins; what it leaves out stays.
pub(super) fn merge_context(own: &mut AiContext, patch: AiContext) {
    let AiContext { summary, mapped_stack, source_snippets, component_ancestry, state_snapshot } = patch;
    own.summary = summary.or(own.summary.take());
    own.mapped_stack = mapped_stack.or(own.mapped_stack.take());
    own.source_snippets = source_snippets.or(own.source_snippets.take());
    own.component_ancestry = component_ancestry.or(own.component_ancestry.take());
    own.state_snapshot = state_snapshot.or(own.state_snapshot.take());
}
