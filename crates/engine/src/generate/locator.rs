//! Chooses the captured selectors that can find an element again.

use wire::action::Selectors;

use super::literal::comment;

/// A longer text is not an element's name, and would make unreadable lines.
const LONGEST: usize = 500;
const NAME_CHARS: usize = 60;
/// The capture cuts accessible names at this length; a cut name is only the start of the name.
const NAME_CUT: usize = 100;

/// One way to find an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Locator<'a> {
    TestId(&'a str),
    Role { role: &'a str, name: &'a str },
    Label(&'a str),
    Text(&'a str),
    Id(&'a str),
    Css(&'a str),
}

impl Locator<'_> {
    /// The name of the selector on the wire.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::TestId(_) => "testId",
            Self::Role { .. } => "role",
            Self::Label(_) => "ariaLabel",
            Self::Text(_) => "text",
            Self::Id(_) => "id",
            Self::Css(_) => "cssPath",
        }
    }
}

/// Whether a name was not cut, so that it can be compared exactly.
pub(super) fn is_whole(name: &str) -> bool {
    // The page counts UTF-16 units.
    name.encode_utf16().count() < NAME_CUT
}

/// An element that a step needs.
#[derive(Debug, Clone)]
pub(super) struct Target<'a> {
    /// From the most to the least stable; never empty.
    pub(super) ways: Vec<Locator<'a>>,
    /// The CSS path, if other elements may look the same: rows of a list do, and so do the buttons in them.
    pub(super) place: Option<&'a str>,
    /// The element's name for people.
    pub(super) name: String,
}

impl<'a> Target<'a> {
    pub(super) fn from_selectors(selectors: Option<&'a Selectors>) -> Option<Self> {
        let Selectors { test_id, aria_label, role, id, text, css_path } = selectors?;
        // The capture calls a summary a button; test runners, like the standard, give it no role.
        let is_summary = css_path.as_deref().and_then(last_tag) == Some("summary");
        let role = role.as_ref().filter(|_| !is_summary).and_then(|role| {
            let name = usable(&role.name)?;
            let role = usable(&role.role).filter(|role| role.bytes().all(|byte| byte.is_ascii_lowercase()))?;
            Some(Locator::Role { role, name })
        });
        let ways: Vec<Locator<'a>> = [
            usable(test_id).map(Locator::TestId),
            role,
            usable(aria_label).map(Locator::Label),
            usable(text).map(Locator::Text),
            usable(id).map(Locator::Id),
            usable(css_path).map(Locator::Css),
        ]
        .into_iter()
        .flatten()
        .collect();
        if ways.is_empty() {
            return None;
        }
        let named = ways.iter().find_map(|way| match *way {
            Locator::Role { name, .. } | Locator::Label(name) | Locator::Text(name) => Some(name),
            _ => None,
        });
        let name = named.or_else(|| {
            ways.first().map(|way| match *way {
                Locator::TestId(text) | Locator::Id(text) | Locator::Css(text) => text,
                _ => "element",
            })
        });
        // Test ids repeat only in rows; names and texts repeat anywhere.
        let repeated = |path: &&str| path.contains(":nth-child(") && (test_id.is_none() || has_row(path));
        let place = usable(css_path).filter(|path| id.is_none() && repeated(path));
        Some(Self { ways, place, name: comment(name.unwrap_or("element"), NAME_CHARS) })
    }

    /// Whether its element takes keyboard input, judging by its selectors.
    pub(super) fn takes_keys(&self) -> bool {
        self.ways.iter().any(|way| match way {
            Locator::Role { role, .. } => {
                ["textbox", "searchbox", "combobox", "spinbutton", "slider", "checkbox", "radio", "button", "link"]
                    .contains(role)
            }
            Locator::Css(path) => {
                ["input", "textarea", "select", "button", "a"].contains(&last_tag(path).unwrap_or_default())
            }
            _ => false,
        })
    }
}

/// A selector that can match: not empty, and not redacted or cut.
fn usable(text: &Option<String>) -> Option<&str> {
    let text = text.as_deref()?;
    (!text.trim().is_empty() && text.len() <= LONGEST && !super::address::has_placeholder(text)).then_some(text)
}

/// Whether a step of the path looks like one of many: a list item, a table row, or a class shared with a sibling.
fn has_row(path: &str) -> bool {
    path.split(" > ").filter(|step| step.contains(":nth-child(")).any(|step| {
        let tag = last_tag(step).unwrap_or_default();
        step.contains('.') || matches!(tag, "li" | "tr" | "td" | "article" | "section" | "option")
    })
}

/// The tag in a path's last step, if it has one.
pub(super) fn last_tag(path: &str) -> Option<&str> {
    let step = path.rsplit([' ', '>', '+', '~']).next()?;
    let tag = step.split(['.', '#', '[', ':']).next()?;
    (!tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')).then_some(tag)
}
