//! What the user did.

entry! {
    /// One user action, with every selector that could find its element again.
    pub struct EnhancedAction {
        /// `click`, `input`, `submit`, `keypress`, `navigate`, `scroll`, `select`.
        #[serde(rename = "type")]
        pub kind: String,
        pub selectors: Selectors,
        pub position: Position,
        pub url: String,
        #[serde(rename = "inputType", alias = "input_type")]
        pub input_type: String,
        /// What was typed; `[redacted]` in sensitive inputs.
        pub value: String,
        pub autocomplete: String,
        /// The input's `name` attribute.
        pub name: String,
        pub text: String,
        pub key: String,
        #[serde(rename = "fromUrl", alias = "from_url")]
        pub from_url: String,
        #[serde(rename = "toUrl", alias = "to_url")]
        pub to_url: String,
        #[serde(rename = "scrollX", alias = "scroll_x")]
        pub scroll_x: f64,
        #[serde(rename = "scrollY", alias = "scroll_y")]
        pub scroll_y: f64,
        /// A plain CSS selector, from senders that compute no others.
        pub target: String,
        #[serde(rename = "selectedValue", alias = "selected_value")]
        pub selected_value: String,
        #[serde(rename = "selectedText", alias = "selected_text")]
        pub selected_text: String,
        #[serde(rename = "formAction", alias = "form_action")]
        pub form_action: String,
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
        #[serde(rename = "testId", alias = "test_id")]
        pub test_id: String,
        #[serde(rename = "ariaLabel", alias = "aria_label")]
        pub aria_label: String,
        pub role: Role,
        pub id: String,
        pub text: String,
        #[serde(rename = "cssPath", alias = "css_path")]
        pub css_path: String,
    }
}

shape! {
    pub struct Role {
        pub role: String,
        pub name: String,
    }
}

shape! {
    pub struct Position {
        pub x: f64,
        pub y: f64,
    }
}
