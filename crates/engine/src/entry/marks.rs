//! The names that an error's `_enrichments` lists: one for each context that was added to it.

use serde_json::Value;
use wire::Json;

use super::Log;

/// All names in the order of the list, and whether each applies: the page's first, then the server's.
fn marks_of(entry: &Log) -> [(&'static str, bool); 6] {
    let has_metadata = |name: &str| {
        entry.metadata.as_ref().is_some_and(|metadata| {
            metadata.text().contains(name) && metadata.value().get(name).is_some_and(|value| !value.is_null())
        })
    };
    let is_given = |json: &Option<Json>| json.as_ref().is_some_and(|json| json.value() != Value::Null);
    let context = entry.ai_context.as_ref();
    let is_mapped = context.is_some_and(|context| context.mapped_stack.is_some() || context.source_snippets.is_some());
    [
        ("context", is_given(&entry.context)),
        ("userActions", is_given(&entry.actions)),
        ("networkWaterfall", has_metadata("networkWaterfall")),
        ("performanceMarks", has_metadata("performanceMarks")),
        ("sourceMap", is_mapped),
        ("aiContext", context.is_some()),
    ]
}

/// Adds the missing names; those from the sender stay.
pub(crate) fn complete(entry: &mut Log) {
    let marks = marks_of(entry);
    let sent = entry.enrichments.take().unwrap_or_default();
    let known = marks.iter().filter(|(mark, applies)| *applies || sent.iter().any(|own| own == mark));
    let known: Vec<String> = known.map(|(mark, _)| (*mark).to_owned()).collect();
    let own = sent.into_iter().filter(|own| marks.iter().all(|(mark, _)| own != mark));
    let all: Vec<String> = own.chain(known).collect();
    entry.enrichments = (!all.is_empty()).then_some(all);
}
