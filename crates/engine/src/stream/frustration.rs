//! Signs that a page does not do what its user wants: repeated clicks on one element, and forms that get no response. It
//! goes by the times of the actions, not by when they arrive.

use std::collections::VecDeque;

use wire::{Timestamp, limits};

use super::{Category, Context, Event, Severity};
use crate::entry::{Action, ActionKind};
use crate::url::path_of;

/// How long a response may take from the page to the server.
const GRACE_MILLIS: i64 = 1_000;

#[derive(Debug, Default)]
pub(super) struct Frustration {
    clicks: VecDeque<Click>,
    forms: VecDeque<Form>,
}

#[derive(Debug)]
struct Click {
    tab_id: Option<i64>,
    element: String,
    at: i64,
}

#[derive(Debug)]
struct Form {
    tab_id: Option<i64>,
    action: String,
    page: Option<String>,
    at: i64,
    arrived: i64,
}

impl Frustration {
    pub(super) fn note(&mut self, action: &Action, at: Timestamp, arrived: Timestamp) -> Option<Event> {
        match action.kind {
            ActionKind::Click => self.note_click(action, at),
            ActionKind::Submit => {
                let form = action.form_action.as_deref().or(action.url.as_deref()).unwrap_or_default();
                self.forms.push_back(Form {
                    tab_id: action.tab_id,
                    action: path_of(form).to_owned(),
                    page: action.url.clone(),
                    at: at.millis(),
                    arrived: arrived.millis(),
                });
                if self.forms.len() > limits::STREAM_FORMS {
                    self.forms.pop_front();
                }
                None
            }
            // A navigation is a response, too.
            ActionKind::Navigate => {
                self.answered(action.tab_id, at.millis());
                None
            }
            _ => None,
        }
    }

    fn note_click(&mut self, action: &Action, at: Timestamp) -> Option<Event> {
        let element = element(action)?;
        let now = at.millis();
        // These are the page's times, so they may arrive out of order.
        self.clicks.retain(|click| (now - click.at).abs() < limits::STREAM_CLICK_MILLIS as i64);
        self.clicks.push_back(Click { tab_id: action.tab_id, element: element.clone(), at: now });
        if self.clicks.len() > limits::STREAM_CLICKS_KEPT {
            self.clicks.pop_front();
        }
        let same = self.clicks.iter().filter(|click| click.tab_id == action.tab_id && click.element == element).count();
        (same >= limits::STREAM_CLICKS).then(|| {
            let message = format!("Repeated clicks on {element} — handler may be broken");
            let context = Context::Clicks { selector: element.clone(), clicks: same, url: action.url.clone() };
            Event::new(Category::UserFrustration, Severity::Warning, message, at, context).at([action.url.as_deref()])
        })
    }

    /// A response reached this tab: forms sent before it are answered.
    pub(super) fn answered(&mut self, tab_id: Option<i64>, at: i64) {
        self.forms.retain(|form| form.tab_id != tab_id || form.at > at);
    }

    /// Forms that got no response in time.
    pub(super) fn unanswered(&mut self, now: Timestamp) -> Vec<Event> {
        let patience = limits::STREAM_FORM_MILLIS as i64;
        let is_late = |form: &Form| (form.at + patience).max(form.arrived) + GRACE_MILLIS <= now.millis();
        let mut late = Vec::new();
        self.forms.retain(|form| {
            if is_late(form) {
                let message = format!("Form submit to {} — no response after 5s", form.action);
                let at = Timestamp::from_millis(form.at);
                let context = Context::Form { form_action: form.action.clone(), url: form.page.clone() };
                let event = Event::new(Category::UserFrustration, Severity::Warning, message, at, context);
                late.push(event.at([form.page.as_deref(), Some(form.action.as_str())]));
            }
            !is_late(form)
        });
        late
    }
}

/// The most stable selector of the element, as a person would write it.
fn element(action: &Action) -> Option<String> {
    let selectors = action.selectors.as_ref();
    let test_id = selectors.and_then(|of| of.test_id.as_ref()).map(|id| format!("[data-testid=\"{id}\"]"));
    let id = || selectors.and_then(|of| of.id.as_ref()).map(|id| format!("#{id}"));
    let path = || selectors.and_then(|of| of.css_path.clone()).or_else(|| action.target.clone());
    let text = || selectors.and_then(|of| of.text.as_ref()).map(|text| format!("\"{text}\""));
    test_id.or_else(id).or_else(path).or_else(text)
}
