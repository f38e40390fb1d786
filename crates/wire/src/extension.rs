//! What the extension reports about itself, and the messages on its socket.

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::query::{PendingQuery, QueryResult};
use crate::settings::Settings;

shape! {
    /// A tab of the developer's browser.
    pub struct Tab {
        /// Chrome's id of the tab.
        pub id: i64,
        /// The address of its page.
        pub url: String,
        /// The title of its page.
        pub title: String,
        /// Whether it is in front of its window.
        pub active: bool,
        /// Whether the user captures its site.
        pub captured: bool,
    }
}

/// A message of the extension on its socket.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FromExtension {
    /// The first message: the extension's token, version, tabs and settings.
    Hello(Hello),
    /// Tabs or settings changed.
    Status(Status),
    /// Keeps the worker alive and says nothing else.
    Heartbeat,
    /// The answer to a query.
    Result(Box<QueryResult>),
}

impl FromExtension {
    /// Reads a message. The type is read first, because JSON kept as text cannot be deserialized through a tagged enum.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Kind {
            Hello,
            Status,
            Heartbeat,
            Result,
        }
        #[derive(Deserialize)]
        struct Head {
            #[serde(rename = "type")]
            kind: Kind,
        }
        Ok(match serde_json::from_str::<Head>(text)?.kind {
            Kind::Hello => Self::Hello(serde_json::from_str(text)?),
            Kind::Status => Self::Status(serde_json::from_str(text)?),
            Kind::Heartbeat => Self::Heartbeat,
            Kind::Result => Self::Result(serde_json::from_str(text)?),
        })
    }
}

/// A message of the server on the extension's socket.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ToExtension {
    /// The answer to `hello`.
    Welcome {
        /// The server's version.
        version: String,
    },
    /// A question for one of the browser's tabs.
    Query {
        /// The question.
        query: Box<PendingQuery>,
    },
    /// Keeps the worker alive and says nothing else.
    Heartbeat,
}

shape! {
    /// The extension's first message on its socket.
    pub struct Hello {
        /// The server's token, as the user entered it. Absent when the server asks for none.
        pub token: String,
        /// The extension's version.
        pub version: String,
        /// The open tabs.
        pub tabs: Vec<Tab>,
        /// The user's settings.
        pub settings: Settings,
        /// The extension's accounting so far.
        pub counts: ExtensionCounts,
    }
}

shape! {
    /// What changed since the last message: absent parts stay as they were.
    pub struct Status {
        /// The open tabs.
        pub tabs: Vec<Tab>,
        /// The user's settings.
        pub settings: Settings,
        /// The extension's accounting so far.
        pub counts: ExtensionCounts,
    }
}

shape! {
    /// The extension's accounting since its browser started: captured = sent + buffered + dropped + rejected.
    pub struct ExtensionCounts {
        /// Entries that pages handed over.
        pub captured: u64,
        /// Entries that the server accepted.
        pub sent: u64,
        /// Waiting in the extension.
        pub buffered: u64,
        /// Lost for lack of room, in the page or in the extension.
        pub dropped: u64,
        /// Refused by the server.
        pub rejected: u64,
    }
}

entry! {
    /// A line of the extension's own debug log.
    pub struct ExtensionLog {
        /// How severe the line is.
        pub level: crate::Level,
        /// The text of the line.
        pub message: String,
        /// Values logged with it.
        pub context: Json,
    }
}

batch!(
    /// The body of `POST /extension-logs`.
    ExtensionLogBatch,
    logs
);
