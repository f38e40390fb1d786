//! What is worth telling an AI client before it asks.
//!
//! [`Watcher`] looks at what came in and says which of it is significant; [`Throttle`] decides for one client what of that
//! it hears, and when. Both are told the time.

mod frustration;
mod throttle;
mod watcher;

use serde::Serialize;
use serde_json::{Map, Value, json};
use wire::{Timestamp, limits};

use crate::answer::object;
use crate::text::shorten;

pub use throttle::{Settings, Throttle};
pub use watcher::Watcher;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Category {
    Errors,
    NetworkErrors,
    Performance,
    UserFrustration,
    Security,
}

impl Category {
    pub const ALL: [Self; 5] =
        [Self::Errors, Self::NetworkErrors, Self::Performance, Self::UserFrustration, Self::Security];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Errors => "errors",
            Self::NetworkErrors => "network_errors",
            Self::Performance => "performance",
            Self::UserFrustration => "user_frustration",
            Self::Security => "security",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// As the levels of MCP's own log messages are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Warning,
    Error,
    Critical,
}

/// Something that happened and that a client may want to know at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub category: Category,
    pub severity: Severity,
    pub message: String,
    pub timestamp: Timestamp,
    pub context: Map<String, Value>,
    /// The addresses it has to do with, for filters.
    pub addresses: Vec<String>,
    /// What makes it the same as another: each client is told of such a thing once.
    pub once: Option<String>,
}

impl Event {
    fn new(category: Category, severity: Severity, message: String, timestamp: Timestamp) -> Self {
        let message = shorten(&message, limits::STREAM_MESSAGE_CHARS);
        Self { category, severity, message, timestamp, context: Map::new(), addresses: Vec::new(), once: None }
    }

    fn with<const N: usize>(mut self, context: [(&str, Value); N]) -> Self {
        self.context = object(context);
        self
    }

    fn at<'u>(mut self, addresses: impl IntoIterator<Item = Option<&'u str>>) -> Self {
        self.addresses = addresses.into_iter().flatten().map(str::to_owned).collect();
        self
    }

    fn told(&self) -> Value {
        let mut told = object([
            ("category", json!(self.category)),
            ("severity", json!(self.severity)),
            ("message", json!(self.message)),
            ("timestamp", json!(self.timestamp)),
        ]);
        if !self.context.is_empty() {
            told.insert("context".to_owned(), Value::Object(self.context.clone()));
        }
        Value::Object(told)
    }
}

/// One message to a client: an event, or all that gathered while it was not to be disturbed.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    events: Vec<Event>,
    /// More than can be listed, with the gravest of them.
    left_out: usize,
    gravest_left_out: Option<Severity>,
}

impl Notification {
    pub fn severity(&self) -> Severity {
        let listed = self.events.iter().map(|event| event.severity).max();
        listed.max(self.gravest_left_out).unwrap_or(Severity::Warning)
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// In the shape of `notifications/gasoline/event`. Several are named in its message and listed in its context; the
    /// gravest gives the category.
    pub fn params(&self) -> Map<String, Value> {
        let Some(gravest) = self.events.iter().rev().max_by_key(|event| event.severity) else { return Map::new() };
        let mut params = match gravest.told() {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        if self.events.len() == 1 && self.left_out == 0 {
            return params;
        }
        let messages: Vec<&str> = self.events.iter().map(|event| event.message.as_str()).collect();
        let count = self.events.len() + self.left_out;
        params.insert("message".to_owned(), json!(format!("{count} events: {}", messages.join("; "))));
        let latest = self.events.iter().map(|event| event.timestamp).max();
        params.insert("timestamp".to_owned(), json!(latest));
        let mut context = Map::new();
        context.insert("events".to_owned(), self.events.iter().map(Event::told).collect());
        if self.left_out > 0 {
            context.insert("left_out".to_owned(), json!(self.left_out));
            context.insert("rest".to_owned(), json!("get_browser_errors and security_audit show the rest"));
        }
        params.insert("context".to_owned(), Value::Object(context));
        params
    }
}
