//! Symbolicates errors with source maps, and lists the maps that are missing for it.

use wire::log::AiContext;
use wire::{Timestamp, limits};

use super::Session;
use crate::entry::{complete_marks, merge_context};
use crate::redact::Redactor;
use crate::symbolicate::explain::{Allowed, awaits_names_from, explain, is_explainable, scripts_of};
use crate::symbolicate::{SourceMapResult, SourceMaps};

impl Session {
    /// Adds to errors what source maps and pages revealed about them since the last call. Returns the scripts whose
    /// maps are missing, if anyone can upload them: then `ask` is the time.
    pub fn explain_errors(&mut self, redactor: &Redactor, allowed: Allowed, ask: Option<Timestamp>) -> Vec<String> {
        let mut wanted: Vec<String> = Vec::new();
        for cursor in std::mem::take(&mut self.unsymbolicated) {
            let Some(stored) = self.store.logs.find(cursor) else { continue };
            if let (true, Some(now)) = (allowed.snippets, ask) {
                for url in scripts_of(&stored.entry) {
                    // A map that another page waits for need not be uploaded twice.
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
            self.store.amend_log(cursor, added, |stored| {
                stored.findings.extend(findings);
                stored.findings.truncate(limits::FINDINGS_PER_ENTRY);
                stored.entry.ai_context = Some(whole);
                complete_marks(&mut stored.entry);
            });
        }
        wanted
    }

    /// Takes a script's map, or the fact that it has none, for a page load if one is given. Errors that point into the
    /// script are explained by the next call.
    pub fn add_source_map(&mut self, url: &str, result: SourceMapResult, page: Option<&str>, now: Timestamp) {
        if !self.source_maps.add(url, result, page, now) {
            return;
        }
        // Other page loads may have run other code. Errors of these that an older map explained are explained again.
        let concerned = self.store.logs.iter().rev().filter(|stored| {
            is_explainable(&stored.entry)
                && self.source_maps.has(url, stored.entry.page_id.as_deref())
                && (scripts_of(&stored.entry).contains(&url) || awaits_names_from(&stored.entry, url))
        });
        // No answer lists more errors than that.
        let concerned: Vec<u64> = concerned.map(|stored| stored.cursor).take(limits::EXPLAINED_AGAIN).collect();
        self.unsymbolicated.extend(concerned);
        self.unsymbolicated.sort_unstable();
        self.unsymbolicated.dedup();
    }

    /// The source maps that are kept.
    pub fn source_maps(&self) -> &SourceMaps {
        &self.source_maps
    }
}
