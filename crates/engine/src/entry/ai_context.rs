//! Context of an error, found by the page and the server after the error was sent.

use wire::Json;
use wire::log::AiContext;

use crate::redact::{INPUT_PLACEHOLDER, Redact, Scrubber, is_card_number, names};

/// Fields of the patch win; fields that it leaves out stay.
pub(crate) fn merge_context(own: &mut AiContext, patch: AiContext) {
    let AiContext { summary, mapped_stack, source_snippets, component_ancestry, state_snapshot } = patch;
    own.summary = summary.or(own.summary.take());
    own.mapped_stack = mapped_stack.or(own.mapped_stack.take());
    own.source_snippets = source_snippets.or(own.source_snippets.take());
    own.component_ancestry = component_ancestry.or(own.component_ancestry.take());
    own.state_snapshot = state_snapshot.or(own.state_snapshot.take());
}

impl Redact for AiContext {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self { summary, mapped_stack, source_snippets, component_ancestry, state_snapshot } = self;
        scrubber.opt_text("_aiContext", summary);
        for frame in mapped_stack.iter_mut().flatten() {
            scrubber.text("_aiContext", frame);
        }
        for json in [source_snippets, component_ancestry] {
            scrubber.json("_aiContext", json);
        }
        scrubber.json_beside_names("_aiContext", state_snapshot, "keys");
        hide_private_state(state_snapshot);
    }
}

/// Hides private values of a page's state, recognised by the last part of their name or as a card number.
fn hide_private_state(state_snapshot: &mut Option<Json>) {
    let Some(mut value) = state_snapshot.as_ref().map(Json::value) else { return };
    let Some(slice) = value.get_mut("relevantSlice").and_then(serde_json::Value::as_object_mut) else { return };
    let mut hidden = false;
    for (name, value) in slice.iter_mut() {
        let is_text = value.as_str().is_some_and(|text| !text.is_empty());
        let text = value.as_str().map(str::to_owned).unwrap_or_else(|| value.to_string());
        if (is_text || value.is_number()) && (names::is_state_name(name) || is_card_number(&text)) {
            *value = serde_json::Value::from(INPUT_PLACEHOLDER);
            hidden = true;
        }
    }
    if hidden {
        *state_snapshot = Some(Json::from_value(&value));
    }
}
