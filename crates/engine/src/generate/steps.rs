//! The user's actions as steps of a script, before they are written for a test runner.

use super::address::{Address, Addresses, has_placeholder};
use super::literal::comment;
use super::locator::{Locator, Target, last_tag};
use crate::entry::{Action, ActionKind};

/// Replaces the value that was typed into a sensitive input.
pub(super) const USER_PROVIDED: &str = "[user-provided]";
/// Pauses longer than this are mentioned.
const PAUSE_MILLIS: i64 = 2_000;
/// The longest time between a click or key and the submit that it causes.
const SUBMIT_MILLIS: i64 = 2_000;
/// The longest time between an action and the address change that it causes: a request may lie between.
pub(super) const CAUSED_MILLIS: i64 = 10_000;
/// An address change this soon after another is a redirect.
const REDIRECT_MILLIS: i64 = 1_000;
pub(super) const VALUE_CHARS: usize = 4_000;
/// The capture cuts values at this many UTF-16 units.
const CAPTURED_VALUE_UNITS: usize = 1_000;
const NAME_CHARS: usize = 60;
/// Longest text that is checked. A text with digits contains a count, which may differ the next time.
const STEADY_TEXT_CHARS: usize = 50;

/// Keys by the names that test runners know. Other key names of a page are not repeated.
const KEYS: &[&str] = &[
    "Enter",
    "Escape",
    "Tab",
    "Backspace",
    "Delete",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
];

#[derive(Debug, Clone)]
pub(super) enum Step<'a> {
    /// A page that no action in the page leads to.
    Open(Address),
    Back(Address),
    /// A page that an earlier step leads to.
    Arrive {
        at: Address,
        /// Whether without a page load.
        by_history: bool,
    },
    Click {
        target: Target<'a>,
        /// The text that it showed.
        text: Option<&'a str>,
    },
    /// Only the element's position is known.
    ClickAt {
        x: i64,
        y: i64,
    },
    Fill {
        target: Target<'a>,
        value: String,
    },
    Check {
        target: Target<'a>,
        on: bool,
    },
    Choose {
        target: Target<'a>,
        options: Vec<&'a str>,
    },
    Press {
        key: &'static str,
        /// The element that has to have the focus, unless it certainly has it.
        focus: Option<Target<'a>>,
    },
    Submit {
        target: Target<'a>,
        /// Whether the target is the button instead of the form.
        is_button: bool,
    },
    /// A comment, without an action.
    Note,
}

/// A step, with what the reader should know before it.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    /// Milliseconds since the step before, if that was long.
    pub(super) pause: Option<i64>,
    pub(super) comment: String,
    pub(super) step: Step<'a>,
    /// When it was done. A page load is not captured as an action: the first action on the page reveals it.
    pub(super) at: i64,
    /// Whether the time is that of the first action that revealed it.
    pub(super) told_later: bool,
    /// The page load that the action happened in.
    pub(super) page_id: Option<&'a str>,
}

pub(super) struct Steps<'a> {
    pub(super) lines: Vec<Line<'a>>,
    pub(super) warnings: Vec<String>,
    /// The page that they end on.
    pub(super) here: Option<&'a str>,
}

/// The page that the actions begin on.
pub(super) fn first_page<'a>(actions: &[&'a Action]) -> Option<&'a str> {
    let leading = actions.iter().take_while(|action| action.kind == ActionKind::Navigate).count();
    match actions.get(leading) {
        Some(first) => page_before(first, actions.get(leading + 1..).unwrap_or_default()),
        None => actions.last().and_then(|last| last.to_url.as_deref()),
    }
}

/// `end` is the page where the error happened, and its time.
pub(super) fn steps<'a>(actions: &[&'a Action], addresses: &Addresses<'_>, end: Option<(&'a str, i64)>) -> Steps<'a> {
    let leading = actions.iter().take_while(|action| action.kind == ActionKind::Navigate).count();
    let mut walk = Walk {
        addresses,
        here: first_page(actions),
        came_from: None,
        cause: None,
        arrived: None,
        focused: None,
        before: None,
        lines: Vec::new(),
        warnings: Vec::new(),
    };
    for (place, action) in actions.iter().enumerate().skip(leading) {
        walk.take(action, actions.get(place + 1..).unwrap_or_default());
    }
    if let Some((page, at)) = end.filter(|_| !actions.is_empty()) {
        walk.end(page, at);
    }
    Steps { lines: walk.lines, warnings: walk.warnings, here: walk.here }
}

/// The state that decides how the next action is written.
struct Walk<'a, 's> {
    addresses: &'s Addresses<'s>,
    here: Option<&'a str>,
    /// The previous page, to recognise going back.
    came_from: Option<&'a str>,
    /// The latest action that can have caused an address change, until the address changes.
    cause: Option<&'a Action>,
    /// When the address changed last.
    arrived: Option<i64>,
    /// The action whose element has the focus.
    focused: Option<&'a Action>,
    before: Option<i64>,
    lines: Vec<Line<'a>>,
    warnings: Vec<String>,
}

impl<'a> Walk<'a, '_> {
    fn take(&mut self, action: &'a Action, later: &[&'a Action]) {
        let now = millis(action);
        let pause = self.before.map(|before| now - before).filter(|gap| *gap > PAUSE_MILLIS);
        let first_new = self.lines.len();
        if action.kind == ActionKind::Navigate {
            self.navigate(action, now);
        } else {
            self.load(page_before(action, later), now);
            self.act(action, now);
        }
        for line in self.lines.iter_mut().skip(first_new) {
            line.at = now;
            line.page_id = action.page_id.as_deref();
        }
        if let Some(line) = self.lines.get_mut(first_new) {
            line.pause = pause;
        }
        self.before = Some(now);
    }

    fn push(&mut self, comment: String, step: Step<'a>) {
        self.lines.push(Line { pause: None, comment, step, at: 0, told_later: false, page_id: None });
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn address(&mut self, url: &str) -> Option<Address> {
        let address = self.addresses.read(url)?;
        if address.stripped {
            self.warn(stripped_warning(&address));
        }
        Some(address)
    }

    /// Handles an address change within the same document.
    fn navigate(&mut self, action: &'a Action, now: i64) {
        let Some(to) = action.to_url.as_deref().or(action.url.as_deref()) else { return };
        if self.here == Some(to) {
            return;
        }
        let by_step = self.cause.is_some_and(|cause| now - millis(cause) <= CAUSED_MILLIS);
        let redirected = self.arrived.is_some_and(|arrived| now - arrived <= REDIRECT_MILLIS);
        let back = self.came_from == Some(to);
        if let Some(at) = self.address(to) {
            let shown = comment(&at.text, NAME_CHARS * 2);
            if by_step || redirected {
                // Only the end of a redirect can be waited for: the addresses before it may be gone by then.
                if redirected && matches!(self.lines.last(), Some(Line { step: Step::Arrive { .. }, .. })) {
                    self.lines.pop();
                }
                self.push(String::new(), Step::Arrive { at, by_history: true });
            } else if back {
                self.push(format!("Go back to {shown}"), Step::Back(at));
            } else {
                self.push(format!("Go to {shown}"), Step::Open(at));
            }
        }
        self.move_to(to, now);
    }

    /// Handles an action on another page than the one before: a page was loaded in between without an action.
    fn load(&mut self, page: Option<&'a str>, now: i64) {
        let Some(page) = page.filter(|page| self.here != Some(*page)) else { return };
        if self.here.is_some()
            && let Some(at) = self.address(page)
        {
            if self.cause.is_some() {
                self.push(String::new(), Step::Arrive { at, by_history: false });
            } else {
                self.push(format!("Go to {}", comment(&at.text, NAME_CHARS * 2)), Step::Open(at));
            }
            if let Some(line) = self.lines.last_mut() {
                line.told_later = true;
            }
        }
        self.move_to(page, now);
    }

    /// Handles an error on a page without actions. A page that an action leads to opens by itself; any other the user
    /// opened.
    fn end(&mut self, page: &'a str, at: i64) {
        let led_there = self.cause.is_some_and(|cause| at - millis(cause) <= CAUSED_MILLIS)
            || self.arrived.is_some_and(|arrived| at - arrived <= REDIRECT_MILLIS);
        if !led_there && self.here != Some(page) {
            self.cause = None;
            self.load(Some(page), at);
        }
    }

    fn move_to(&mut self, page: &'a str, now: i64) {
        self.came_from = self.here;
        self.here = Some(page);
        self.cause = None;
        self.arrived = Some(now);
        self.focused = None;
    }

    fn act(&mut self, action: &'a Action, now: i64) {
        let target = Target::from_selectors(action.selectors.as_ref());
        let name = target.as_ref().map(|target| target.name.clone()).unwrap_or_default();
        let cause = self.cause;
        match (&action.kind, target) {
            (ActionKind::Click, Some(target)) => {
                let text = action.text.as_deref().filter(|text| shows(action, text));
                self.push(format!("Click \"{name}\""), Step::Click { target, text });
                self.focused = Some(action);
            }
            (ActionKind::Click, None) => {
                let place = action.position.as_ref().and_then(|at| Some((at.x?, at.y?)));
                let Some((x, y)) = place else { return self.skip(action, "nothing finds its element again") };
                self.warn("A click is repeated by its position: nothing else finds its element again".to_owned());
                self.push("Click where the user clicked".to_owned(), Step::ClickAt { x: x as i64, y: y as i64 });
            }
            (ActionKind::Input, Some(target)) => {
                self.fill(action, target, &name);
                self.focused = Some(action);
            }
            (ActionKind::Select, Some(mut target)) => {
                let options = chosen(action);
                if options.len() > 1 && target.ways.len() > 1 {
                    // The capture calls every list a combobox; one that takes several options is a listbox.
                    target.ways.retain(|way| !matches!(way, Locator::Role { .. }));
                }
                if options.iter().any(|option| has_placeholder(option)) {
                    self.warn(redacted_warning(&name));
                    self.push(format!("Choose in \"{name}\""), Step::Choose { target, options: vec![USER_PROVIDED] });
                } else {
                    self.push(format!("Choose in \"{name}\""), Step::Choose { target, options });
                }
            }
            (ActionKind::Submit, Some(target)) => {
                // The click or the key that submits a form is a separate step.
                let sent = cause.is_some_and(|cause| now - millis(cause) <= SUBMIT_MILLIS && sends_forms(cause));
                if sent {
                    return;
                }
                let is_button = is_button(action);
                self.push(format!("Submit \"{name}\""), Step::Submit { target, is_button });
            }
            (ActionKind::Keypress, target) => {
                let key = KEYS.iter().find(|key| action.key.as_deref() == Some(**key));
                let Some(key) = key else { return self.skip(action, "scripts cannot press its key") };
                let elsewhere = self.focused.is_none_or(|focused| focused.selectors != action.selectors);
                let focus = target.filter(|target| elsewhere && target.takes_keys());
                self.push(format!("Press {key}"), Step::Press { key, focus });
                // Tab focuses an element that only the next action reveals.
                self.focused = (*key != "Tab").then_some(action);
            }
            (ActionKind::Scroll, _) => {
                let y = action.scroll_y.unwrap_or_default() as i64;
                self.push(format!("User scrolled to y={y}"), Step::Note);
                return;
            }
            (ActionKind::Input | ActionKind::Select | ActionKind::Submit, None) => {
                return self.skip(action, "nothing finds its element again");
            }
            _ => return self.skip(action, "actions of this type are not known"),
        }
        self.cause = Some(action);
    }

    fn fill(&mut self, action: &Action, target: Target<'a>, name: &str) {
        let kind = action.input_type.as_deref().unwrap_or_default();
        let value = action.value.as_deref().unwrap_or_default();
        match kind {
            "checkbox" | "radio" => {
                let on = !matches!(value, "false" | "off" | "0");
                let verb = if on { "Check" } else { "Uncheck" };
                return self.push(format!("{verb} \"{name}\""), Step::Check { target, on });
            }
            "file" => {
                self.warn(format!("Files are not captured: choose one for \"{name}\" yourself, with setInputFiles"));
                return self.push(format!("Not repeated: a file was chosen for \"{name}\""), Step::Note);
            }
            _ => {}
        }
        let value = if kind == "password" || has_placeholder(value) {
            let label = if kind == "password" && target.ways.len() == 1 { "Password" } else { name };
            self.warn(redacted_warning(label));
            USER_PROVIDED.to_owned()
        } else {
            if value.encode_utf16().count() == CAPTURED_VALUE_UNITS || value.chars().count() > VALUE_CHARS {
                self.warn(format!("The value of \"{name}\" was long, and only its beginning was captured"));
            }
            value.chars().take(VALUE_CHARS).collect()
        };
        self.push(format!("Fill \"{name}\""), Step::Fill { target, value });
    }

    fn skip(&mut self, action: &Action, why: &str) {
        let what = comment(action.kind.name(), NAME_CHARS);
        self.warn(format!("An action ({what}) is not repeated: {why}"));
        self.push(format!("Not repeated ({why}): {what}"), Step::Note);
    }
}

pub(super) fn stripped_warning(address: &Address) -> String {
    let shown = comment(&address.text, NAME_CHARS * 2);
    format!("Token parameters were stripped from the URL {shown} — sign in first or add them yourself")
}

fn redacted_warning(name: &str) -> String {
    format!("{name} field value redacted — replace '{USER_PROVIDED}' with test credentials")
}

pub(super) fn millis(action: &Action) -> i64 {
    action.at.millis()
}

/// The page that an action began on. Typing is reported when it ends, with the address that it led to.
fn page_before<'a>(action: &'a Action, later: &[&'a Action]) -> Option<&'a str> {
    let page = action.url.as_deref();
    let led_to =
        later.iter().find(|next| !matches!(next.kind, ActionKind::Input | ActionKind::Scroll)).filter(|next| {
            action.kind == ActionKind::Input && next.kind == ActionKind::Navigate && next.to_url.as_deref() == page
        });
    led_to.map_or(page, |navigation| navigation.from_url.as_deref().or(page))
}

fn sends_forms(action: &Action) -> bool {
    match action.kind {
        ActionKind::Click => true,
        ActionKind::Keypress => action.key.as_deref() == Some("Enter"),
        _ => false,
    }
}

/// Senders differ in whether a submit action names the form or its button.
fn is_button(action: &Action) -> bool {
    let Some(selectors) = &action.selectors else { return false };
    let role = selectors.role.as_ref().and_then(|role| role.role.as_deref());
    match (role, selectors.css_path.as_deref()) {
        (Some("button"), _) | (_, None) => true,
        (_, Some(path)) => matches!(last_tag(path), Some("button" | "input")),
    }
}

/// Whether the text is worth checking: the page shows it as text, and it will be the same the next time.
fn shows(action: &Action, text: &str) -> bool {
    let path = action.selectors.as_ref().and_then(|selectors| selectors.css_path.as_deref());
    let tag = path.and_then(last_tag).unwrap_or_default();
    matches!(tag, "button" | "a" | "label" | "summary" | "h1" | "h2" | "h3" | "td" | "li" | "span" | "p")
        && !text.is_empty()
        && text.chars().count() <= STEADY_TEXT_CHARS
        && !text.contains(|c: char| c.is_ascii_digit())
        && !has_placeholder(text)
}

/// Several chosen options are joined with commas, values and texts alike; an option may contain commas itself.
fn chosen(action: &Action) -> Vec<&str> {
    let texts: Vec<&str> = action.selected_text.as_deref().map(|text| text.split(", ").collect()).unwrap_or_default();
    let Some(value) = action.selected_value.as_deref().or(action.value.as_deref()) else {
        return action.selected_text.as_deref().into_iter().collect();
    };
    if action.input_type.as_deref() == Some("select-one") {
        return vec![value];
    }
    let values: Vec<&str> = value.split(',').collect();
    if values.len() > 1 && values.len() == texts.len() { values } else { vec![value] }
}
