//! User actions.

use serde::Serialize as _;
use wire::Timestamp;
use wire::action::{EnhancedAction, Position, Role, Selectors};
use wire::time::EpochMillis;

use super::sensitive_input::{is_button, is_named_key, is_sensitive_input};
use super::{Arrival, Parse, Refusal, page_of, time_of};
use crate::redact::{Redact, Scrubber, is_card_number};

open_names! {
    /// What a user did with an element or a page.
    pub enum ActionKind {
        Click = "click",
        Input = "input",
        Select = "select",
        Keypress = "keypress",
        Submit = "submit",
        Navigate = "navigate",
        Scroll = "scroll",
    }
}

entry! {
    /// One user action, with every selector that could find its element again.
    pub struct Action from EnhancedAction {
        #[serde(flatten, serialize_with = "as_text_and_millis")]
        at: Timestamp,
        #[serde(rename = "type")]
        kind: ActionKind,
    } optional {
        selectors: Selectors,
        position: Position,
        url: String,
        #[serde(rename = "inputType")]
        input_type: String,
        value: String,
        autocomplete: String,
        name: String,
        text: String,
        key: String,
        #[serde(rename = "fromUrl")]
        from_url: String,
        #[serde(rename = "toUrl")]
        to_url: String,
        #[serde(rename = "scrollX")]
        scroll_x: f64,
        #[serde(rename = "scrollY")]
        scroll_y: f64,
        target: String,
        #[serde(rename = "selectedValue")]
        selected_value: String,
        #[serde(rename = "selectedText")]
        selected_text: String,
        #[serde(rename = "formAction")]
        form_action: String,
        method: String,
        /// Of a checkbox or a radio button: its state after the click.
        checked: bool,
    } addresses {
        action => [action.url.as_deref(), action.from_url.as_deref(), action.to_url.as_deref()]
    }
}

/// Actions carry their time in both forms: `ts` and `timestamp`.
fn as_text_and_millis<S: serde::Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Both {
        ts: Timestamp,
        timestamp: EpochMillis,
    }
    Both { ts: *at, timestamp: EpochMillis(*at) }.serialize(serializer)
}

impl Action {
    /// Whether this is an action that users do all the time without intent.
    pub(crate) fn is_scroll(&self) -> bool {
        self.kind == ActionKind::Scroll
    }
}

impl Parse for Action {
    type Wire = EnhancedAction;

    fn parse(mut wire: EnhancedAction, arrival: Arrival<'_>) -> Result<Self, Refusal> {
        let kind = wire.action_type.take().or(wire.kind.take()).filter(|kind| !kind.is_empty() && kind != "action");
        let kind = ActionKind::named(&kind.ok_or("an action needs `type` (in /sync: `action_type`)")?);
        if wire.position.is_none() && (wire.x.is_some() || wire.y.is_some()) {
            wire.position = Some(Position { x: wire.x, y: wire.y });
        }
        if wire.selectors.is_none() && kind != ActionKind::Scroll {
            wire.selectors = wire.target.clone().map(|path| Selectors { css_path: Some(path), ..Selectors::default() });
        }
        wire.url = page_of(&mut wire.url, arrival);
        Ok(Self::with(time_of(&wire, arrival), kind, wire))
    }
}

impl Redact for Action {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        if is_sensitive_input(self) {
            for typed in [&mut self.value, &mut self.selected_value, &mut self.selected_text] {
                scrubber.input(typed);
            }
            // The text of a button is its label, which nobody typed.
            if !is_button(self) || self.text.as_deref().is_some_and(is_card_number) {
                scrubber.input(&mut self.text);
            }
            // Single keys add up to the password; `Enter` and `Tab` reveal nothing.
            if self.key.as_deref().is_some_and(|key| !key.split('+').all(is_named_key)) {
                scrubber.input(&mut self.key);
            }
        }
        let Self {
            at: _,
            kind,
            selectors,
            position: _,
            checked: _,
            url,
            input_type,
            value,
            autocomplete,
            name,
            text,
            key,
            from_url,
            to_url,
            scroll_x: _,
            scroll_y: _,
            target,
            selected_value,
            selected_text,
            form_action,
            method,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        kind.scrub(scrubber);
        for (field, address) in [("url", url), ("fromUrl", from_url), ("toUrl", to_url), ("formAction", form_action)] {
            scrubber.url(field, address);
        }
        for (field, content) in [
            ("inputType", input_type),
            ("value", value),
            ("autocomplete", autocomplete),
            ("name", name),
            ("text", text),
            ("key", key),
            ("target", target),
            ("selectedValue", selected_value),
            ("selectedText", selected_text),
            ("method", method),
            ("test_id", test_id),
            ("page_id", page_id),
            ("worker", worker),
        ] {
            scrubber.opt_text(field, content);
        }
        if let Some(Selectors { test_id, aria_label, role, id, text, css_path }) = selectors {
            for content in [test_id, aria_label, id, text, css_path] {
                scrubber.opt_text("selectors", content);
            }
            if let Some(Role { role, name }) = role {
                scrubber.opt_text("selectors", role);
                scrubber.opt_text("selectors", name);
            }
        }
    }
}
