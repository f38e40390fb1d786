//! Recognises inputs for values that nobody should read: passwords, one-time codes, cards.

use wire::sensitive::{AUTOCOMPLETE_PARTS, AUTOCOMPLETE_STARTS};

use crate::redact::{is_card_number, names};

use super::Action;

/// A longer text is not a label.
const LONGEST_LABEL: usize = 64;

/// Whether the input takes such a value, by its type, its `autocomplete`, its names, or the value itself.
pub(super) fn is_sensitive_input(action: &Action) -> bool {
    let is = |text: &Option<String>, test: &dyn Fn(&str) -> bool| {
        text.as_deref().is_some_and(|text| test(&text.to_ascii_lowercase()))
    };
    let named = |text: &Option<String>| text.as_deref().is_some_and(names::is_input_name);
    // Only the part of a selector that names the element itself: an address form in a `div.card` is not a card.
    let selected = |text: &Option<String>| {
        text.as_deref().is_some_and(|text| names::is_input_name(&own_names(text)) || has_input_class(text))
    };
    // A longer text is a paragraph about passwords, not the label of an input.
    let labelled = |text: &Option<String>| named(&text.clone().filter(|text| text.len() <= LONGEST_LABEL));
    let selectors = action.selectors.as_ref();
    let is_hint = |hint: &str| {
        AUTOCOMPLETE_STARTS.iter().any(|start| hint.starts_with(start))
            || AUTOCOMPLETE_PARTS.iter().any(|part| hint.contains(part))
    };
    is(&action.input_type, &|kind| kind == "password")
        || is(&action.autocomplete, &|hints| hints.split_ascii_whitespace().any(is_hint))
        || named(&action.name)
        || selected(&action.target)
        || selectors.is_some_and(|of| {
            named(&of.id)
                || named(&of.aria_label)
                || named(&of.test_id)
                || labelled(&of.text)
                || selected(&of.css_path)
                || of.role.as_ref().is_some_and(|role| named(&role.name))
        })
        || [&action.value, &action.selected_value, &action.selected_text, &action.text]
            .into_iter()
            .flatten()
            .any(|value| is_card_number(value))
}

/// Whether the element is pressed rather than filled in.
pub(super) fn is_button(action: &Action) -> bool {
    let is_one = |text: Option<&str>, of: &[&str]| {
        text.is_some_and(|text| of.iter().any(|known| text.trim().eq_ignore_ascii_case(known)))
    };
    let tag = |selector: &Option<String>| {
        let step = last_step(selector.as_deref().unwrap_or_default());
        step.split(['.', '#', '[', ':']).next().unwrap_or_default().to_owned()
    };
    let selectors = action.selectors.as_ref();
    let role = selectors.and_then(|of| of.role.as_ref()).and_then(|role| role.role.as_deref());
    is_one(action.input_type.as_deref(), &["submit", "button", "reset", "image"])
        || is_one(role, &["button", "link", "tab", "menuitem", "heading"])
        || is_one(Some(&tag(&action.target)), &["button", "a", "label"])
        || selectors.is_some_and(|of| is_one(Some(&tag(&of.css_path)), &["button", "a", "label"]))
}

/// Whether this is a key that types no character.
pub(super) fn is_named_key(key: &str) -> bool {
    const NAMED: &[&str] = &[
        "",
        "Enter",
        "Escape",
        "Esc",
        "Tab",
        "Backspace",
        "Delete",
        "Del",
        "Insert",
        "Home",
        "End",
        "PageUp",
        "PageDown",
        "Up",
        "Down",
        "Left",
        "Right",
        "ArrowUp",
        "ArrowDown",
        "ArrowLeft",
        "ArrowRight",
        "Shift",
        "Control",
        "Ctrl",
        "Alt",
        "AltGraph",
        "Meta",
        "CapsLock",
        "NumLock",
        "ScrollLock",
        "ContextMenu",
        "Unidentified",
        "Dead",
        "Process",
    ];
    let is_function_key =
        key.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok_and(|n| (1..=24).contains(&n)));
    NAMED.contains(&key) || is_function_key
}

/// The last step of a CSS selector: the element itself.
fn last_step(selector: &str) -> String {
    let own = match selector.rsplit_once(['>', '+', '~']) {
        Some((_, last)) => last.trim(),
        None => selector.trim(),
    };
    let mut depth = 0_usize;
    let mut last_step = String::new();
    for c in own.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 {
            last_step.clear();
        } else {
            last_step.push(c);
        }
    }
    last_step
}

fn has_input_class(selector: &str) -> bool {
    let classes = last_step(selector);
    classes
        .split('.')
        .skip(1)
        .any(|class| names::is_input_class(class.split(['#', '[', ':']).next().unwrap_or_default()))
}

/// The id and the attributes in the last step of a CSS selector; the whole text if it is only a name.
fn own_names(selector: &str) -> String {
    // What follows a dot, up to the next separator, is a class.
    let mut is_class = false;
    last_step(selector)
        .chars()
        .filter(|c| {
            match c {
                '.' => is_class = true,
                '#' | '[' | ':' => is_class = false,
                _ => {}
            }
            !is_class
        })
        .collect()
}
