//! Recognises the element of a step when a step is taken on it again.

use wire::action::Selectors;

use super::likeness::Likeness;
use super::same::hash;
use crate::contracts::is_identifier;
use crate::entry::Action;
use crate::fingerprint::normalize_message;
use crate::text::shorten;

const SELECTOR_CHARS: usize = 160;
/// Replaces the number of a row.
const ROW: &str = "<row>";

/// What identifies an element, the most stable first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Target {
    test_id: Option<Name>,
    id: Option<Name>,
    role: Option<Name>,
    label: Option<Name>,
    text: Option<Name>,
    path: Option<Name>,
    /// The identifiers in its path, which distinguish two lists with the same buttons.
    inside: Option<Name>,
    /// Its path, which distinguishes two rows with the same buttons.
    row: Option<Name>,
    /// Its test id without numbers.
    numbered: Option<String>,
}

/// A name without its varying parts, and a hash that includes most of these.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    same: String,
    exact: u64,
}

impl Name {
    fn exactly(text: String) -> Self {
        Self { exact: hash(&text), same: text }
    }

    /// Reads a visible text. It may contain counters and prices: `Checkout (1)`. A number alone is a name: a day of a
    /// calendar, a page of a list.
    fn read(text: &str) -> Self {
        let is_number = text.trim().bytes().all(|byte| byte.is_ascii_digit());
        let same = if is_number { text.to_owned() } else { normalize_message(text) };
        Self { same, exact: hash(&without_counters(text)) }
    }

    fn likeness(&self, other: &Self) -> Likeness {
        if self.same == other.same { Likeness::same_if(self.exact == other.exact) } else { Likeness::Other }
    }
}

impl Target {
    pub(super) fn from_action(action: &Action) -> Self {
        let none = Selectors::default();
        let selectors = action.selectors.as_ref().unwrap_or(&none);
        let kept =
            |text: Option<&String>| text.filter(|text| !text.is_empty()).map(|text| shorten(text, SELECTOR_CHARS));
        let read = |text: Option<&String>| kept(text).map(|text| Name::read(&text));
        let role = selectors.role.as_ref().and_then(|role| {
            let name = read(role.name.as_ref())?;
            Some(Name { same: format!("{} {}", role.role.as_deref().unwrap_or_default(), name.same), ..name })
        });
        let role_name = selectors.role.as_ref().and_then(|role| role.name.as_ref());
        let path = kept(selectors.css_path.as_ref().or(action.target.as_ref()));
        Self {
            test_id: kept(selectors.test_id.as_ref()).map(|id| Name { same: without_row(&id), exact: hash(&id) }),
            id: kept(selectors.id.as_ref()).map(Name::exactly),
            role,
            label: read(selectors.aria_label.as_ref()),
            text: read(selectors.text.as_ref().or(action.text.as_ref()).or(role_name)),
            inside: path.as_deref().and_then(identifiers).map(|inside| Name::read(&inside)),
            row: path.as_deref().map(|path| Name { same: normalize_message(path), exact: hash(&path.to_owned()) }),
            path: path.map(Name::exactly),
            numbered: kept(selectors.test_id.as_ref()).map(|id| without_numbers(&id)),
        }
    }

    /// The most stable selector that both have decides. An id alone does not identify an element, because frameworks
    /// generate ids at each load.
    pub(super) fn likeness(&self, other: &Self) -> Likeness {
        fn pair(one: &Option<Name>, other: &Option<Name>) -> Option<Likeness> {
            Some(one.as_ref()?.likeness(other.as_ref()?))
        }
        let by_identifier = pair(&self.test_id, &other.test_id)
            .or_else(|| pair(&self.id, &other.id).filter(|likeness| *likeness > Likeness::Other));
        by_identifier
            .or_else(|| {
                let is_at_same_place = pair(&self.path, &other.path) == Some(Likeness::Same);
                let named = pair(&self.role, &other.role)
                    .or_else(|| pair(&self.label, &other.label))
                    .or_else(|| pair(&self.text, &other.text));
                let named = match (named, &self.text, &other.text) {
                    // `Pay` may have become `Pay now`.
                    (Some(Likeness::Other), Some(one), Some(other)) if is_at_same_place && is_longer(one, other) => {
                        Likeness::Near
                    }
                    (named, ..) => named.or_else(|| pair(&self.path, &other.path))?,
                };
                // Another list, or another row, may have a button of the same name.
                let is_inside_same = pair(&self.inside, &other.inside) != Some(Likeness::Other);
                let is_other_row = pair(&self.row, &other.row) == Some(Likeness::Near);
                Some(named.min(Likeness::same_if(is_inside_same && !is_other_row)))
            })
            .unwrap_or(match (self == &Self::default(), other == &Self::default()) {
                (true, true) => Likeness::Same,
                _ => Likeness::Other,
            })
    }

    /// Whether it is the same element in another row: `todo-delete-17` and `todo-delete-18`, both called "Delete".
    pub(super) fn is_of_next_row(&self, other: &Self) -> bool {
        self.numbered.is_some() && self.numbered == other.numbered && self.role.is_some() && self.role == other.role
    }

    pub(super) fn bytes(&self) -> usize {
        let Self { test_id, id, role, label, text, path, inside, row, numbered } = self;
        let names = [test_id, id, role, label, text, path, inside, row].into_iter().flatten();
        names.map(|name| name.same.len() + size_of::<u64>()).sum::<usize>() + numbered.as_ref().map_or(0, String::len)
    }
}

/// `Checkout (12)` without its number.
fn without_counters(text: &str) -> String {
    let mut pieces = text.split('(');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|letter: char| letter.is_ascii_digit());
        out.push('(');
        out.push_str(if rest.starts_with(')') { rest } else { piece });
    }
    out
}

/// Whether one of two texts begins with the other and a space: `Pay` and `Pay now`.
fn is_longer(one: &Name, other: &Name) -> bool {
    let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '));
    begins(&one.same, &other.same) || begins(&other.same, &one.same)
}

/// `#invoices` of `#invoices > li:nth-child(3) > button`.
fn identifiers(path: &str) -> Option<String> {
    let names = path.split(" > ").filter(|part| part.starts_with('#')).collect::<Vec<_>>().join(" ");
    (!names.is_empty()).then_some(names)
}

/// `todo-delete-17` without its number.
fn without_numbers(test_id: &str) -> String {
    test_id.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// `todo-delete-1017` without its number: the next row has another one. Numbers of one or two digits are hand-written.
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Likeness, Target};

    fn likeness(one: &Value, other: &Value) -> Likeness {
        let target = |selectors: &Value| {
            let action = json!({ "type": "click", "selectors": selectors });
            Target::from_action(&crate::entry::from_test(action))
        };
        target(one).likeness(&target(other))
    }

    #[test]
    fn elements_are_recognised_by_stable_selectors() {
        let button = |name: &str, path: &str| json!({ "role": { "role": "button", "name": name }, "cssPath": path });
        for (one, other) in [
            (button("Checkout (1)", "main > a"), button("Checkout (2)", "main > b")),
            (json!({ "testId": "pay", "text": "Pay" }), json!({ "testId": "pay", "text": "Buy" })),
            (json!({ "id": "pay", "text": "Pay" }), json!({ "id": "pay", "text": "Buy" })),
            (json!({ "id": "r1", "text": "Pay" }), json!({ "id": "r2", "text": "Pay" })),
            (json!({ "cssPath": "main > a" }), json!({ "cssPath": "main > a" })),
            (json!({}), json!({})),
        ] {
            assert_eq!(likeness(&one, &other), Likeness::Same, "{one} {other}");
        }
        for (one, other) in [
            (button("Page 3", "main > a"), button("Page 4", "main > a")),
            (button("Delete", "#drafts > button"), button("Delete", "#invoices > button")),
            (json!({ "testId": "row-1017" }), json!({ "testId": "row-1018" })),
        ] {
            assert_eq!(likeness(&one, &other), Likeness::Near, "{one} {other}");
        }
        for (one, other) in [
            (button("Save", "main > a"), button("Cancel", "main > a")),
            (button("31", "main > a"), button("15", "main > a")),
            (json!({ "testId": "pay", "text": "Pay" }), json!({ "testId": "buy", "text": "Pay" })),
            (json!({ "id": "r1" }), json!({ "id": "r2" })),
            (json!({ "cssPath": "main > a" }), json!({})),
        ] {
            assert_eq!(likeness(&one, &other), Likeness::Other, "{one} {other}");
        }
    }
}
