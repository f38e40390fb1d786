//! Recognises a user's step when it is taken again.

use super::likeness::Likeness;
use super::page::Page;
use super::same::{hash, same_address};
use super::target::Target;
use crate::entry::{Action, ActionKind};
use crate::moments::action_text;
use crate::redact::INPUT_PLACEHOLDER;
use crate::text::shorten;

const TEXT_CHARS: usize = 80;
/// A user who scrolls again stops at this share of the depth at least.
const DEPTH_SHARE: f64 = 0.9;
/// A user who clicks the same thing again hits it within this many pixels.
const SAME_PLACE_PIXELS: f64 = 16.0;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    kind: ActionKind,
    page: Option<Page>,
    /// A hash of the page's address, with identifiers and query.
    address: Option<u64>,
    /// The pressed key, or the address that the page navigated to.
    key: Option<String>,
    target: Target,
    /// How far it scrolled down.
    depth: Option<f64>,
    /// Where it was clicked, for elements without a role and a text: a canvas, a map.
    place: Option<(f64, f64)>,
    /// The state of a checkbox or a radio button after it.
    checked: Option<bool>,
    /// Its text in answers.
    text: String,
    /// A hash of the typed or chosen value. The value itself may be personal and is not kept.
    value: Option<u64>,
    /// Whether the typed value was redacted before it was stored.
    is_hidden: bool,
}

impl Step {
    pub(super) fn from_action(action: &Action) -> Self {
        Self {
            kind: action.kind.clone(),
            page: action.url.as_deref().map(Page::from_url),
            address: action.url.as_deref().map(same_address),
            key: match action.kind {
                ActionKind::Keypress => action.key.clone(),
                ActionKind::Navigate => action.to_url.as_deref().map(|url| Page::from_url(url).text()),
                _ => None,
            },
            depth: action.scroll_y.filter(|_| action.is_scroll()),
            place: place_of(action),
            checked: action.checked,
            text: shorten(&without_value(action), TEXT_CHARS),
            value: action.value.as_ref().or(action.selected_value.as_ref()).map(hash),
            is_hidden: action.value.as_deref() == Some(INPUT_PLACEHOLDER),
            target: Target::from_action(action),
        }
    }

    /// Whether it is a weak step: users scroll all the time, and an address change mostly follows from a click. Weak
    /// steps count as a trigger only where nothing else was done.
    pub(super) fn is_weak(&self) -> bool {
        matches!(self.kind, ActionKind::Scroll | ActionKind::Navigate)
    }

    /// Whether it filled a field of a form.
    pub(super) fn is_field(&self) -> bool {
        is_field(&self.kind)
    }

    /// Whether a form is empty again after it.
    pub(super) fn ends_a_form(&self) -> bool {
        matches!(self.kind, ActionKind::Submit | ActionKind::Navigate)
    }

    pub(super) fn may_send_a_form(&self) -> bool {
        matches!(self.kind, ActionKind::Click | ActionKind::Submit | ActionKind::Keypress)
    }

    pub(super) fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    pub(super) fn page(&self) -> Option<&Page> {
        self.page.as_ref()
    }

    /// A hash of its value: the same step may be taken with another one.
    pub(super) fn value(&self) -> Option<u64> {
        self.value
    }

    /// How similar the `later` step is to this one.
    pub(super) fn likeness(&self, later: &Self) -> Likeness {
        if self.kind != later.kind || self.page != later.page || self.key != later.key {
            return Likeness::Other;
        }
        // Unchecking is not checking.
        if self.checked.is_some() && later.checked.is_some() && self.checked != later.checked {
            return Likeness::Other;
        }
        let is_as_far = match (self.depth, later.depth) {
            (Some(depth), Some(later)) => later >= depth * DEPTH_SHARE,
            _ => true,
        };
        let is_there = match (self.place, later.place) {
            (Some((x, y)), Some((later_x, later_y))) => (x - later_x).hypot(y - later_y) <= SAME_PLACE_PIXELS,
            _ => true,
        };
        let is_as_checked = self.checked == later.checked;
        let is_exact = is_as_far && is_there && is_as_checked && self.address == later.address;
        self.target.likeness(&later.target).min(Likeness::same_if(is_exact))
    }

    /// Whether it is the same step in another row of a list.
    pub(super) fn is_of_next_row(&self, other: &Self) -> bool {
        self.kind == other.kind && self.page == other.page && self.target.is_of_next_row(&other.target)
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.likeness(other) > Likeness::Other
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn bytes(&self) -> usize {
        let page = self.page.as_ref().map_or(0, Page::bytes);
        self.kind.name().len() + self.key.as_ref().map_or(0, String::len) + self.target.bytes() + page + self.text.len()
    }
}

fn place_of(action: &Action) -> Option<(f64, f64)> {
    let has_name = action.text.is_some()
        || action
            .selectors
            .as_ref()
            .is_some_and(|known| known.role.is_some() || known.text.is_some() || known.aria_label.is_some());
    let position = action.position.as_ref().filter(|_| action.kind == ActionKind::Click && !has_name)?;
    Some((position.x?, position.y?))
}

/// Whether actions of this kind fill a field of a form.
fn is_field(kind: &ActionKind) -> bool {
    matches!(kind, ActionKind::Input | ActionKind::Select)
}

/// The text without the typed or chosen value, which may be personal, and which need not be the same again.
fn without_value(action: &Action) -> String {
    let text = action_text(action);
    if is_field(&action.kind) { text.split(" = \"").next().unwrap_or(&text).to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Step;

    #[test]
    fn typed_values_are_not_kept() {
        let action = json!({ "type": "input", "value": "Ada", "selectors": { "id": "name" } });
        let step = Step::from_action(&crate::entry::from_test(action));
        assert_eq!(step.text(), "input #name");
    }
}
