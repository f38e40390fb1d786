//! A user's step, as far as it can be recognised when it is done again.

use wire::EnhancedAction;

use super::likeness::Likeness;
use super::page::Page;
use super::same::{hash, same_address};
use super::target::Target;
use crate::moments::action_text;
use crate::redact::INPUT_PLACEHOLDER;
use crate::text::shorten;

const TEXT_CHARS: usize = 80;
const SCROLL: &str = "scroll";
const NAVIGATE: &str = "navigate";
/// Who scrolls again stops near the same place.
const DEPTH_SHARE: f64 = 0.9;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    kind: String,
    page: Option<Page>,
    /// A hash of the page's address, identifiers and query included.
    address: Option<u64>,
    /// The key that was pressed, or where the page went.
    key: Option<String>,
    target: Target,
    /// How far down it scrolled.
    depth: Option<f64>,
    /// How it is shown.
    text: String,
    /// A hash of what was typed or chosen. The value itself may be personal and is not kept.
    value: Option<u64>,
    /// What was typed was hidden before it was stored.
    is_hidden: bool,
}

impl Step {
    pub(super) fn of(action: &EnhancedAction) -> Option<Self> {
        let kind = action.kind.as_deref()?;
        Some(Self {
            kind: kind.to_owned(),
            page: action.url.as_deref().map(Page::of),
            address: action.url.as_deref().map(same_address),
            key: match kind {
                "keypress" => action.key.clone(),
                NAVIGATE => action.to_url.as_deref().map(|url| Page::of(url).text()),
                _ => None,
            },
            depth: action.scroll_y.filter(|_| kind == SCROLL),
            text: shorten(&without_value(action, kind), TEXT_CHARS),
            value: action.value.as_ref().or(action.selected_value.as_ref()).map(hash),
            is_hidden: action.value.as_deref() == Some(INPUT_PLACEHOLDER),
            target: Target::of(action),
        })
    }

    /// Scrolling happens all the time, and changes of the address mostly follow from a click: they led to something only
    /// where nothing else was done.
    pub(super) fn is_weak(&self) -> bool {
        matches!(self.kind.as_str(), SCROLL | NAVIGATE)
    }

    /// It filled a field of a form.
    pub(super) fn is_field(&self) -> bool {
        is_field(&self.kind)
    }

    /// After it, a form is empty again.
    pub(super) fn ends_a_form(&self) -> bool {
        matches!(self.kind.as_str(), "submit" | NAVIGATE)
    }

    pub(super) fn may_send_a_form(&self) -> bool {
        matches!(self.kind.as_str(), "click" | "submit" | "keypress")
    }

    pub(super) fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    pub(super) fn page(&self) -> Option<&Page> {
        self.page.as_ref()
    }

    /// The same step may be taken with another value.
    pub(super) fn value(&self) -> Option<u64> {
        self.value
    }

    /// How like this one the `later` one is.
    pub(super) fn likeness(&self, later: &Self) -> Likeness {
        if self.kind != later.kind || self.page != later.page || self.key != later.key {
            return Likeness::Other;
        }
        let is_as_far = match (self.depth, later.depth) {
            (Some(depth), Some(later)) => later >= depth * DEPTH_SHARE,
            _ => true,
        };
        self.target.likeness(&later.target).min(Likeness::of(is_as_far && self.address == later.address))
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.likeness(other) > Likeness::Other
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn bytes(&self) -> usize {
        let page = self.page.as_ref().map_or(0, Page::bytes);
        self.kind.len() + self.key.as_ref().map_or(0, String::len) + self.target.bytes() + page + self.text.len()
    }
}

/// Whether an action of this kind fills a field of a form.
pub(super) fn is_field(kind: &str) -> bool {
    matches!(kind, "input" | "select")
}

/// What was typed or chosen may be personal, and need not be the same again.
fn without_value(action: &EnhancedAction, kind: &str) -> String {
    let text = action_text(action);
    if is_field(kind) { text.split(" = \"").next().unwrap_or(&text).to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Step;

    #[test]
    fn what_was_typed_is_not_kept() {
        let action = json!({ "type": "input", "value": "Ada", "selectors": { "id": "name" } });
        let step = Step::of(&serde_json::from_value(action).unwrap()).unwrap();
        assert_eq!(step.text(), "input #name");
    }
}
