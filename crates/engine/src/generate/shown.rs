//! What a page showed after a step, written so that a test can look for it.

use wire::dom_snapshot::SnapshotElement;
use wire::limits;

use super::address::has_placeholder;
use super::literal::pattern;
use crate::entry::DomSnapshot;

/// Shorter texts, without their numbers, could be anywhere.
const LEAST_LETTERS: usize = 3;
/// In a text that the capture cut, the last word may be incomplete.
const CUT_CHARS: usize = 80;
/// Roles of elements that appear because something happened.
const MESSAGES: &[&str] = &["alert", "status", "dialog"];
/// Texts that pages show while they load.
const WAITING: &[&str] = &["loading", "please wait", "one moment", "fetching", "signing in", "redirecting"];
const TIMES: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "am",
    "pm",
    "today",
    "yesterday",
    "tomorrow",
    "morning",
    "afternoon",
    "evening",
    "night",
    "ago",
];

/// An element that was shown and will be shown again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shown<'a> {
    pub(super) place: Place<'a>,
    pub(super) text: Text,
    /// Whether it is new: it was absent before the step, or had another text.
    pub(super) is_new: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place<'a> {
    /// A heading of this level; 0 for an element that is a heading only by its role.
    Heading(u8),
    TestId(&'a str),
    /// A message or a dialog.
    Role(&'a str),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Text {
    Whole(String),
    /// The source of a regular expression: numbers and dates will differ.
    Pattern(String),
    /// No part of the text stays the same.
    Any,
}

/// The few most telling elements: first what the step changed, then headings, the highest first, then elements with a
/// test id. `before` is what the page showed before the step, if known.
pub(super) fn shown<'a>(snapshot: &'a DomSnapshot, before: Option<&DomSnapshot>) -> Vec<Shown<'a>> {
    let elements = snapshot.elements.as_deref().unwrap_or_default();
    let known = before.map(|before| before.elements.as_deref().unwrap_or_default());
    let mut found: Vec<Shown<'_>> = Vec::new();
    for element in elements.iter().filter(|element| element.visible != Some(false)) {
        let Some(place) = place_of(element, elements) else { continue };
        let Some(text) = element.text.as_deref().and_then(text_of) else { continue };
        if text == Text::Any && !matches!(place, Place::TestId(_)) {
            continue;
        }
        let is_new = known.is_some_and(|known| !known.iter().any(|other| is_same(element, other)));
        // Messages come and go: one that was already shown may be gone by now.
        if matches!(place, Place::Role(_)) && !is_new {
            continue;
        }
        let one = Shown { place, text, is_new };
        if !found.iter().any(|other| other.place == one.place && other.text == one.text) {
            found.push(one);
        }
    }
    found.sort_by_key(|one| {
        let rank = match one.place {
            Place::Heading(0) => u8::MAX - 2,
            Place::Heading(level) => level,
            Place::Role(_) => u8::MAX - 1,
            Place::TestId(_) => u8::MAX,
        };
        (!one.is_new, rank)
    });
    found.truncate(limits::TEST_ELEMENTS_PER_STEP);
    found
}

fn is_same(one: &SnapshotElement, other: &SnapshotElement) -> bool {
    one.test_id == other.test_id && one.role == other.role && one.level == other.level && one.text == other.text
}

/// A test id that several elements share identifies none of them.
fn place_of<'a>(element: &'a SnapshotElement, all: &[SnapshotElement]) -> Option<Place<'a>> {
    if let Some(level @ 1..=6) = element.level {
        return Some(Place::Heading(level));
    }
    if element.role.as_deref() == Some("heading") && element.test_id.is_none() {
        return Some(Place::Heading(0));
    }
    if element.test_id.is_none() {
        let role = element.role.as_deref().filter(|role| MESSAGES.contains(role))?;
        return Some(Place::Role(role));
    }
    let id = element.test_id.as_deref().filter(|id| !id.is_empty() && !has_placeholder(id))?;
    (all.iter().filter(|other| other.test_id.as_deref() == Some(id)).count() == 1).then_some(Place::TestId(id))
}

fn text_of(text: &str) -> Option<Text> {
    let lower = text.to_lowercase();
    if text.trim().is_empty() || has_placeholder(text) || WAITING.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let is_cut = text.encode_utf16().count() >= limits::SNAPSHOT_TEXT_CHARS;
    let mut text = text.trim();
    if is_cut {
        let end = text.char_indices().nth(CUT_CHARS).map_or(text.len(), |(end, _)| end);
        let part = text.get(..end).unwrap_or(text);
        text = part.rsplit_once(' ').map_or(part, |(whole_words, _)| whole_words);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    if !words.iter().any(|word| is_of_moment(word)) {
        return Some(Text::Whole(words.join(" ")));
    }
    let steady = words.iter().filter(|word| !is_of_moment(word));
    if steady.flat_map(|word| word.chars()).filter(|c| c.is_alphabetic()).count() < LEAST_LETTERS {
        return Some(Text::Any);
    }
    let words: Vec<String> =
        words.iter().map(|word| if is_of_moment(word) { of_moment(word).to_owned() } else { pattern(word) }).collect();
    Some(Text::Pattern(words.join("\\s+")))
}

/// The pattern that replaces a word with a count or a date. A count stays a number: `NaN items` does not match.
fn of_moment(word: &str) -> &'static str {
    if word.contains(|c: char| c.is_ascii_digit()) { r"\S*\d\S*" } else { r"\S+" }
}

/// Whether a word contains a count or a date.
fn is_of_moment(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    word.contains(|c: char| c.is_numeric()) || TIMES.contains(&bare.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_lasting_part_of_a_text_is_kept() {
        let whole = |text: &str| Some(Text::Whole(text.to_owned()));
        let parts = |text: &str| Some(Text::Pattern(text.to_owned()));
        for (text, expected) in [
            ("Your  cart", whole("Your cart")),
            ("Order #81234 confirmed", parts(r"Order\s+\S*\d\S*\s+confirmed")),
            ("Cart (2)", parts(r"Cart\s+\S*\d\S*")),
            ("Tuesday, March 5", Some(Text::Any)),
            ("News of Friday", parts(r"News\s+of\s+\S+")),
            ("$20.00", Some(Text::Any)),
            ("Loading…", None),
            ("Hello [secret:jwt#1]", None),
            (" ", None),
        ] {
            assert_eq!(text_of(text), expected, "{text}");
        }
        let cut = format!("{} end", "word ".repeat(20));
        let Some(Text::Whole(kept)) = text_of(cut.get(..100).unwrap()) else { panic!() };
        assert!(kept.len() < 80 && kept.ends_with("word"), "{kept}");
    }

    #[test]
    fn three_elements_are_chosen_headings_first() {
        let elements = json!([
            { "testId": "total", "text": "Sum of all" }, { "testId": "row", "text": "Apples" }, { "testId": "row", "text": "Pears" },
            { "level": 2, "text": "Second" }, { "level": 1, "text": "First" }, { "level": 1, "text": "Hidden", "visible": false },
        ]);
        let places = |elements: serde_json::Value| {
            let snapshot: DomSnapshot = crate::entry::from_test(json!({ "url": "/", "elements": elements }));
            shown(&snapshot, None).iter().map(|one| format!("{:?}", one.place)).collect::<Vec<_>>()
        };
        assert_eq!(places(elements), ["Heading(1)", "Heading(2)", "TestId(\"total\")"]);
        for (count, kept) in [(2, 2), (3, 3), (4, 3)] {
            let many: Vec<_> =
                (0..count).map(|n| json!({ "level": 2, "text": format!("{} words", "x".repeat(n + 1)) })).collect();
            assert_eq!(places(json!(many)).len(), kept);
        }
    }

    #[test]
    fn changed_elements_come_first() {
        let snapshot = |elements: serde_json::Value| -> DomSnapshot {
            crate::entry::from_test(json!({ "url": "/", "elements": elements }))
        };
        let before = snapshot(json!([
            { "level": 1, "text": "Shop" }, { "testId": "count", "text": "No articles" },
            { "role": "status", "text": "Welcome back" },
        ]));
        let after = snapshot(json!([
            { "level": 1, "text": "Shop" }, { "testId": "count", "text": "One article" }, { "testId": "hint", "text": "Free" },
            { "role": "status", "text": "Welcome back" }, { "role": "alert", "text": "Added to your cart" },
        ]));
        let places = |before: Option<&DomSnapshot>| {
            shown(&after, before).iter().map(|one| (format!("{:?}", one.place), one.is_new)).collect::<Vec<_>>()
        };
        let new = |place: &str| (place.to_owned(), true);
        assert_eq!(places(Some(&before)), [new("Role(\"alert\")"), new("TestId(\"count\")"), new("TestId(\"hint\")")]);
        let old = |place: &str| (place.to_owned(), false);
        assert_eq!(places(None), [old("Heading(1)"), old("TestId(\"count\")"), old("TestId(\"hint\")")]);
    }
}
