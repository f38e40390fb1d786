//! What an AI client should hear about before it asks.
//!
//! [`Watcher`] finds the significant events among new entries. [`Throttle`] decides for one client which of them it gets,
//! and when. Neither reads a clock: callers pass the time.

mod frustration;
mod throttle;
mod watcher;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_with::skip_serializing_none;
use wire::{Timestamp, limits};

use crate::entry::LogKind;
use crate::text::shorten;

pub use throttle::{Settings, Throttle};
pub use watcher::Watcher;

/// What an event is about. Clients choose by category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Category {
    /// Exceptions, rejections and `console.error`.
    Errors,
    /// Requests that fail.
    NetworkErrors,
    /// Slow loads and a blocked main thread.
    Performance,
    /// Repeated clicks, and forms that nothing follows.
    UserFrustration,
    /// Exposed credentials.
    Security,
}

impl Category {
    /// All categories.
    pub const ALL: [Self; 5] =
        [Self::Errors, Self::NetworkErrors, Self::Performance, Self::UserFrustration, Self::Security];

    /// Its name in parameters and events.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Errors => "errors",
            Self::NetworkErrors => "network_errors",
            Self::Performance => "performance",
            Self::UserFrustration => "user_frustration",
            Self::Security => "security",
        }
    }

    /// The category of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// How severe an event is, in the names of MCP's log levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
    /// A credential is exposed.
    Critical,
}

/// Something that happened and that a client may want to know at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What it is about.
    pub category: Category,
    /// How severe it is.
    pub severity: Severity,
    /// What happened, in one sentence.
    pub message: String,
    /// When it happened.
    pub timestamp: Timestamp,
    /// The facts behind the message.
    pub context: Context,
    /// The addresses involved, for the client's URL filter.
    pub addresses: Vec<String>,
    /// Equal for events that are the same thing again: each client gets such an event once.
    pub once: Option<String>,
}

/// The facts behind an event's message.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Context {
    /// An exception, a rejection or a `console.error`.
    Error {
        /// The page.
        url: Option<String>,
        /// File and line.
        source: Option<String>,
        /// Where it comes from.
        #[serde(rename = "type")]
        kind: LogKind,
    },
    /// A request that failed.
    Request {
        /// HTTP method.
        method: String,
        /// Address of the request.
        url: String,
        /// Its status.
        status: u16,
        /// The beginning of the response body.
        response_preview: Option<String>,
        /// The status of the last success of the same endpoint.
        previous_status: Option<u16>,
    },
    /// A request that shows a credential.
    Credential {
        /// HTTP method.
        method: String,
        /// Address of the request.
        url: String,
        /// What the credential was recognised as.
        kind: &'static str,
    },
    /// A page that loads much slower than before.
    SlowLoad {
        /// Path of the page.
        url: String,
        /// Milliseconds of this load.
        load: f64,
        /// Milliseconds of the loads before.
        baseline: f64,
    },
    /// A task that blocked the main thread.
    LongTask {
        /// Path of the page.
        url: String,
        /// Milliseconds.
        duration: f64,
    },
    /// Repeated clicks on one element.
    Clicks {
        /// The element.
        selector: String,
        /// How many clicks.
        clicks: usize,
        /// The page.
        url: Option<String>,
    },
    /// A form that nothing followed.
    Form {
        /// Where the form was sent.
        form_action: String,
        /// The page.
        url: Option<String>,
    },
}

impl Event {
    fn new(category: Category, severity: Severity, message: String, timestamp: Timestamp, context: Context) -> Self {
        let message = shorten(&message, limits::STREAM_MESSAGE_CHARS);
        Self { category, severity, message, timestamp, context, addresses: Vec::new(), once: None }
    }

    fn at<'u>(mut self, addresses: impl IntoIterator<Item = Option<&'u str>>) -> Self {
        self.addresses = addresses.into_iter().flatten().map(str::to_owned).collect();
        self
    }

    fn params(&self) -> Params<&Context> {
        let Self { category, severity, ref message, timestamp, ref context, .. } = *self;
        Params { category, severity, message: message.clone(), timestamp, context }
    }
}

/// One message to a client: an event, or all events that gathered while the client was not to be disturbed.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    events: Vec<Event>,
    /// How many did not fit, and the most severe of them.
    left_out: usize,
    gravest_left_out: Option<Severity>,
}

/// The parameters of `notifications/gasoline/event`.
#[derive(Debug, Serialize)]
struct Params<C> {
    category: Category,
    severity: Severity,
    message: String,
    timestamp: Timestamp,
    context: C,
}

/// The context of several events in one message.
#[skip_serializing_none]
#[derive(Debug, Serialize)]
struct Gathered<'e> {
    events: Vec<Params<&'e Context>>,
    left_out: Option<usize>,
    rest: Option<&'static str>,
}

impl Notification {
    /// The severity of the most severe event.
    pub fn severity(&self) -> Severity {
        let listed = self.events.iter().map(|event| event.severity).max();
        listed.max(self.gravest_left_out).unwrap_or(Severity::Warning)
    }

    /// Its events, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

/// In the shape of `notifications/gasoline/event`. Several events are named in the message and listed in the context; the
/// most severe one gives the category.
impl Serialize for Notification {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(gravest) = self.events.iter().rev().max_by_key(|event| event.severity) else {
            return serializer.serialize_map(Some(0))?.end();
        };
        if self.events.len() == 1 && self.left_out == 0 {
            return gravest.params().serialize(serializer);
        }
        let messages: Vec<&str> = self.events.iter().map(|event| event.message.as_str()).collect();
        let count = self.events.len() + self.left_out;
        let Event { category, severity, timestamp, .. } = *gravest;
        Params {
            category,
            severity,
            message: format!("{count} events: {}", messages.join("; ")),
            timestamp: self.events.iter().map(|event| event.timestamp).max().unwrap_or(timestamp),
            context: Gathered {
                events: self.events.iter().map(Event::params).collect(),
                left_out: (self.left_out > 0).then_some(self.left_out),
                rest: (self.left_out > 0).then_some("get_browser_errors and security_audit show the rest"),
            },
        }
        .serialize(serializer)
    }
}
