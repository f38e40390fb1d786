//! The extension's answers about the live page, which the server passes on to the model. Other clients that answer
//! questions may add fields.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A struct that the extension builds: fields that it may leave out are `Option`.
macro_rules! answer {
    ($(#[$meta:meta])* pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident : $ty:ty, )* }) => {
        $(#[$meta])*
        #[serde_with::skip_serializing_none]
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(inline)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
        pub struct $name { $( $(#[$field_meta])* pub $field: $ty, )* }
    };
}

answer! {
    /// An overview of the page.
    pub struct PageInfo {
        /// Address.
        pub url: String,
        /// Title.
        pub title: String,
        /// `loading`, `interactive` or `complete`.
        pub ready_state: String,
        /// Language.
        pub lang: Option<String>,
        /// Size of the visible part.
        pub viewport: Size,
        /// How far it is scrolled.
        pub scroll: Point,
        /// Height of the whole page.
        pub document_height: f64,
        /// Selector of the focused element.
        pub focused: Option<String>,
        /// Texts of open dialogs.
        pub dialogs: Option<Vec<String>>,
        /// Forms and their fields.
        pub forms: Vec<Form>,
        /// Texts of visible headings.
        pub headings: Vec<String>,
        /// How many links.
        pub links: u32,
        /// How many images.
        pub images: u32,
        /// How many elements the user can interact with.
        pub interactive_elements: u32,
    }
}

answer! {
    /// A width and a height, in CSS pixels.
    pub struct Size {
        /// In CSS pixels.
        pub width: f64,
        /// In CSS pixels.
        pub height: f64,
    }
}

answer! {
    /// A place, in CSS pixels.
    pub struct Point {
        /// From the left.
        pub x: f64,
        /// From the top.
        pub y: f64,
    }
}

answer! {
    /// A form.
    pub struct Form {
        /// Its id, else its name.
        pub id: String,
        /// Where it is sent.
        pub action: String,
        /// Names of its fields.
        pub fields: Vec<String>,
    }
}

answer! {
    /// What a selector finds.
    pub struct DomAnswer {
        /// Address of the page.
        pub url: String,
        /// Title of the page.
        pub title: String,
        /// The elements.
        pub matches: Vec<Match>,
        /// How many elements match.
        pub match_count: u32,
        /// How many are described.
        pub returned_count: u32,
        /// What was left out or not searched, and why.
        pub partial: Option<String>,
        /// Why nothing matches.
        pub hint: Option<String>,
    }
}

answer! {
    /// An element that the selector matches.
    pub struct Match {
        /// A selector that finds only this element.
        pub selector: String,
        /// Address of the frame it is in.
        pub frame: Option<String>,
        /// Name of the element.
        pub tag: String,
        /// Its attributes, without the values of secret fields.
        pub attributes: BTreeMap<String, String>,
        /// Its visible text.
        pub text: String,
        /// The field's current value.
        pub value: Option<String>,
        /// Whether it is checked now.
        pub checked: Option<bool>,
        /// Whether it is disabled.
        pub disabled: Option<bool>,
        /// Where it is in the page.
        pub bounding_box: Box,
        /// Whether the user can see it.
        pub visible: bool,
        /// Computed styles, with `include_styles`.
        pub styles: Option<BTreeMap<String, String>>,
        /// Its children, with `include_children`.
        #[schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")]
        pub children: Option<Vec<Child>>,
    }
}

answer! {
    /// A place and a size, in CSS pixels.
    pub struct Box {
        /// From the left.
        pub x: f64,
        /// From the top.
        pub y: f64,
        /// In CSS pixels.
        pub width: f64,
        /// In CSS pixels.
        pub height: f64,
    }
}

answer! {
    /// A child of an element that matches.
    pub struct Child {
        /// Name of the element.
        pub tag: String,
        /// Its attributes.
        pub attributes: BTreeMap<String, String>,
        /// Its visible text.
        pub text: String,
        /// Its own children.
        #[schemars(with = "Option<Vec<serde_json::Map<String, serde_json::Value>>>")]
        pub children: Option<Vec<Child>>,
    }
}

answer! {
    /// What axe-core found on the page.
    pub struct AuditReport {
        /// Address of the page.
        pub url: String,
        /// When it was audited.
        pub timestamp: String,
        /// How many rules passed and failed.
        pub summary: AuditSummary,
        /// Rules that the page breaks, the worst first.
        pub violations: Vec<ReportedRule>,
        /// Rules that a person has to check.
        pub incomplete: Option<Vec<ReportedRule>>,
        /// Rules that the page keeps, with `include_passes`.
        pub passes: Option<Vec<PassedRule>>,
        /// What could not be audited, and why.
        pub partial: Option<String>,
    }
}

answer! {
    /// How many rules passed and failed.
    pub struct AuditSummary {
        /// Rules that the page breaks.
        pub violations: u32,
        /// Rules that it keeps.
        pub passes: u32,
        /// Rules that a person has to check.
        pub incomplete: u32,
        /// Rules that do not apply.
        pub inapplicable: u32,
    }
}

answer! {
    /// A rule that is broken, or that a person has to check.
    pub struct ReportedRule {
        /// axe's name for it.
        pub id: String,
        /// `critical`, `serious`, `moderate` or `minor`.
        #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
        pub impact: Option<String>,
        /// What the rule requires.
        pub description: String,
        /// Where it is explained.
        pub help_url: String,
        /// Criteria of the Web Content Accessibility Guidelines.
        pub wcag: Vec<String>,
        /// Elements that break it.
        pub nodes: Vec<ReportedNode>,
        /// How many elements break it.
        pub node_count: u32,
    }
}

answer! {
    /// An element that breaks a rule.
    pub struct ReportedNode {
        /// A selector that finds it.
        pub selector: String,
        /// The start of its HTML.
        pub html: String,
        /// What is wrong with it.
        pub failure_summary: String,
        /// How to fix it.
        pub fix: Option<String>,
    }
}

answer! {
    /// A rule that the page keeps.
    pub struct PassedRule {
        /// axe's name for it.
        pub id: String,
        /// What the rule requires.
        pub description: String,
        /// How many elements keep it.
        pub node_count: u32,
    }
}

/// The result of a script.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ScriptOutcome {
    /// Whether it ran to its end.
    pub success: bool,
    /// What it returned, as JSON.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub value: serde_json::Value,
    /// Type of that value.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it threw.
    pub error: Option<Thrown>,
    /// What it logged.
    pub console: Vec<Said>,
    /// `page`, or `user script` where the page forbids code from text.
    pub ran_in: Option<String>,
}

answer! {
    /// An error that a script threw.
    pub struct Thrown {
        /// Its type.
        pub name: String,
        /// Its message.
        pub message: String,
        /// Its stack.
        pub stack: Option<String>,
    }
}

answer! {
    /// A line that a script logged.
    pub struct Said {
        /// Its level.
        pub level: String,
        /// Its text.
        pub message: String,
    }
}

/// A screenshot of the page.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ScreenshotAnswer {
    /// The image itself, which the server removes from the answer and saves.
    #[schemars(skip)]
    pub data_url: String,
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// Which part of the page is missing.
    pub cut: Option<String>,
}

/// A recording that has begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordingStarted {
    /// Always `recording`.
    pub status: String,
    /// Name of the file.
    pub name: String,
    /// The tab.
    pub tab_id: i64,
}
