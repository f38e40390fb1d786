//! What the user did.

entry! {
    /// One user action, with every selector that could find its element again.
    pub struct EnhancedAction {
        /// `click`, `input`, `submit`, `keypress`, `navigate`, `scroll`, `select`.
        #[serde(rename = "type")]
        pub kind: String,
        /// Selectors that the page computed for the element. Absent when the sender computes none.
        pub selectors: Selectors,
        /// Where the pointer was.
        pub position: Position,
        /// The page's address.
        pub url: String,
        /// The input's `type` attribute.
        #[serde(rename = "inputType", alias = "input_type")]
        pub input_type: String,
        /// What was typed; `[redacted]` in sensitive inputs.
        pub value: String,
        /// The input's `autocomplete` attribute.
        pub autocomplete: String,
        /// The input's `name` attribute.
        pub name: String,
        /// The element's visible text.
        pub text: String,
        /// `keypress`: the key's name, such as `Enter`.
        pub key: String,
        /// `navigate`: the address before.
        #[serde(rename = "fromUrl", alias = "from_url")]
        pub from_url: String,
        /// `navigate`: the address after.
        #[serde(rename = "toUrl", alias = "to_url")]
        pub to_url: String,
        /// `scroll`: pixels from the left edge of the page.
        #[serde(rename = "scrollX", alias = "scroll_x")]
        pub scroll_x: f64,
        /// `scroll`: pixels from the top of the page.
        #[serde(rename = "scrollY", alias = "scroll_y")]
        pub scroll_y: f64,
        /// A plain CSS selector, from senders that compute no others.
        pub target: String,
        /// `select`: the value of the chosen option.
        #[serde(rename = "selectedValue", alias = "selected_value")]
        pub selected_value: String,
        /// `select`: the text of the chosen option.
        #[serde(rename = "selectedText", alias = "selected_text")]
        pub selected_text: String,
        /// `submit`: the address that the form is sent to.
        #[serde(rename = "formAction", alias = "form_action")]
        pub form_action: String,
        /// `submit`: the form's HTTP method.
        pub method: String,
        /// Of a checkbox or a radio button: its state after the click.
        pub checked: bool,
        /// In `/sync`, where `type` is `action`, the action's own type.
        #[serde(alias = "actionType")]
        pub action_type: String,
        /// In `/sync`: another way to write `position`.
        pub x: f64,
        /// In `/sync`: another way to write `position`.
        pub y: f64,
    }
}

shape! {
    /// Ways to find the element again, the most stable first.
    pub struct Selectors {
        /// The value of `data-testid` or a similar attribute.
        #[serde(rename = "testId", alias = "test_id")]
        pub test_id: String,
        /// The `aria-label` attribute.
        #[serde(rename = "ariaLabel", alias = "aria_label")]
        pub aria_label: String,
        /// The accessible role with its name.
        pub role: Role,
        /// The `id` attribute.
        pub id: String,
        /// The visible text, at most 50 characters.
        pub text: String,
        /// A CSS path of at most five levels.
        #[serde(rename = "cssPath", alias = "css_path")]
        pub css_path: String,
    }
}

shape! {
    /// An accessible role and the accessible name that goes with it.
    pub struct Role {
        /// The role, such as `button`.
        pub role: String,
        /// The accessible name.
        pub name: String,
    }
}

shape! {
    /// A place in the visible part of the page, in CSS pixels.
    pub struct Position {
        /// Pixels from the left.
        pub x: f64,
        /// Pixels from the top.
        pub y: f64,
    }
}

batch!(
    /// The body of `POST /enhanced-actions`.
    ActionBatch,
    actions
);
