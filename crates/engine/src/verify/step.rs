//! A user's step, as far as it can be recognised when it is done again.

use wire::EnhancedAction;
use wire::action::Selectors;

use super::page::Page;
use super::same::hash;
use crate::analysis::api::is_identifier;
use crate::view::fingerprint::normalize_message;
use crate::view::moment::action_text;
use crate::view::shorten;

const SELECTOR_CHARS: usize = 160;
const TEXT_CHARS: usize = 80;
/// What stands for the number of a row.
const ROW: &str = "<row>";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    kind: String,
    page: Option<Page>,
    key: Option<String>,
    target: Target,
    /// How it is shown.
    text: String,
    /// A hash of what was typed or chosen. The value itself may be personal and is not kept.
    value: Option<u64>,
}

/// Ways to recognise an element, the most stable first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Target {
    test_id: Option<String>,
    id: Option<String>,
    role: Option<String>,
    label: Option<String>,
    text: Option<String>,
    path: Option<String>,
}

impl Step {
    /// What leads to something. Scrolling and changes of the address do not count as steps: the first happens all the
    /// time, the second follows from others or shows in the page.
    pub(super) fn of(action: &EnhancedAction) -> Option<Self> {
        let kind = action.kind.as_deref()?;
        if matches!(kind, "scroll" | "navigate") {
            return None;
        }
        let target = Target::of(action);
        Some(Self {
            kind: kind.to_owned(),
            page: action.url.as_deref().map(Page::of),
            key: action.key.clone().filter(|_| kind == "keypress"),
            text: shorten(&without_value(action, kind), TEXT_CHARS),
            value: action.value.as_ref().or(action.selected_value.as_ref()).map(hash),
            target,
        })
    }

    /// The same step may be taken with another value.
    pub(super) fn value(&self) -> Option<u64> {
        self.value
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.page == other.page
            && self.key == other.key
            && self.target.is_same(&other.target)
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn bytes(&self) -> usize {
        let Target { test_id, id, role, label, text, path } = &self.target;
        let target = [test_id, id, role, label, text, path].into_iter().flatten().map(String::len).sum::<usize>();
        let page = self.page.as_ref().map_or(0, Page::bytes);
        self.kind.len() + self.key.as_ref().map_or(0, String::len) + target + page + self.text.len()
    }
}

/// What was typed or chosen may be personal, and need not be the same again.
fn without_value(action: &EnhancedAction, kind: &str) -> String {
    let text = action_text(action);
    match kind {
        "input" | "select" => text.split(" = \"").next().unwrap_or(&text).to_owned(),
        _ => text,
    }
}

/// `todo-delete-1017` without its number: the next row has another one. Numbers of one or two digits were written by hand.
fn without_row(test_id: &str) -> String {
    const SEPARATORS: [char; 4] = ['-', '_', ':', '.'];
    let is_hex = |part: &str| {
        let is_long = part.len() >= 4 && part.bytes().any(|byte| byte.is_ascii_digit());
        is_long && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let is_row = |part: &str| part.len() >= 3 && (is_identifier(part) || is_hex(part));
    let parts = test_id.split_inclusive(SEPARATORS).map(|part| {
        let name = part.trim_end_matches(SEPARATORS);
        if is_row(name) { part.replacen(name, ROW, 1) } else { part.to_owned() }
    });
    parts.collect()
}

impl Target {
    fn of(action: &EnhancedAction) -> Self {
        let none = Selectors::default();
        let selectors = action.selectors.as_ref().unwrap_or(&none);
        let kept =
            |text: Option<&String>| text.filter(|text| !text.is_empty()).map(|text| shorten(text, SELECTOR_CHARS));
        // Counters and prices stand in names and texts: `Checkout (1)`.
        let varying = |text: Option<&String>| kept(text).map(|text| normalize_message(&text));
        let role = selectors.role.as_ref().and_then(|role| {
            let name = varying(role.name.as_ref())?;
            Some(format!("{} {name}", role.role.as_deref().unwrap_or_default()))
        });
        Self {
            test_id: kept(selectors.test_id.as_ref()).map(|id| without_row(&id)),
            id: kept(selectors.id.as_ref()),
            role,
            label: varying(selectors.aria_label.as_ref()),
            text: varying(selectors.text.as_ref().or(action.text.as_ref())),
            path: kept(selectors.css_path.as_ref().or(action.target.as_ref())),
        }
    }

    /// The most stable selector that both have decides. An id alone does not tell elements apart, because frameworks
    /// make ids up anew with each load.
    fn is_same(&self, other: &Self) -> bool {
        fn pair<'t>(one: &'t Option<String>, other: &'t Option<String>) -> Option<bool> {
            Some(one.as_ref()? == other.as_ref()?)
        }
        pair(&self.test_id, &other.test_id)
            .or_else(|| pair(&self.id, &other.id).filter(|is_same| *is_same))
            .or_else(|| pair(&self.role, &other.role))
            .or_else(|| pair(&self.label, &other.label))
            .or_else(|| pair(&self.text, &other.text))
            .or_else(|| pair(&self.path, &other.path))
            .unwrap_or_else(|| *self == Self::default() && *other == Self::default())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Step;

    fn step(selectors: Value) -> Step {
        let action = json!({ "type": "click", "url": "http://localhost/shop", "selectors": selectors });
        Step::of(&serde_json::from_value(action).unwrap()).unwrap()
    }

    #[test]
    fn elements_are_recognised_by_what_is_stable() {
        let button = |name: &str, path: &str| json!({ "role": { "role": "button", "name": name }, "cssPath": path });
        for (one, other) in [
            (button("Checkout (1)", "main > a"), button("Checkout (2)", "main > b")),
            (json!({ "testId": "pay", "text": "Pay" }), json!({ "testId": "pay", "text": "Buy" })),
            (json!({ "id": "pay", "text": "Pay" }), json!({ "id": "pay", "text": "Buy" })),
            (json!({ "id": "r1", "text": "Pay" }), json!({ "id": "r2", "text": "Pay" })),
            (json!({ "cssPath": "main > a" }), json!({ "cssPath": "main > a" })),
            (json!({}), json!({})),
        ] {
            assert!(step(one.clone()).is_same(&step(other.clone())), "{one} {other}");
        }
        for (one, other) in [
            (button("Save", "main > a"), button("Cancel", "main > a")),
            (json!({ "testId": "pay", "text": "Pay" }), json!({ "testId": "buy", "text": "Pay" })),
            (json!({ "id": "r1" }), json!({ "id": "r2" })),
            (json!({ "cssPath": "main > a" }), json!({})),
        ] {
            assert!(!step(one.clone()).is_same(&step(other.clone())), "{one} {other}");
        }
    }

    #[test]
    fn what_was_typed_is_not_kept() {
        let action = json!({ "type": "input", "value": "Ada", "selectors": { "id": "name" } });
        let step = Step::of(&serde_json::from_value(action).unwrap()).unwrap();
        assert_eq!(step.text(), "input #name");
        for kind in ["scroll", "navigate"] {
            assert!(Step::of(&serde_json::from_value(json!({ "type": kind })).unwrap()).is_none());
        }
    }
}
