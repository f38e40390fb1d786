//! What the extension says about itself.

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::query::{PendingQuery, QueryResult};
use crate::settings::Settings;

shape! {
    /// A tab of the developer's browser.
    pub struct Tab {
        pub id: i64,
        pub url: String,
        pub title: String,
        pub active: bool,
        /// Whether its site is one that is captured.
        pub captured: bool,
    }
}

/// A message of the extension on its socket.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FromExtension {
    /// The first message: who it is and what it sees.
    Hello(Hello),
    /// Tabs or settings changed.
    Status(Status),
    /// Keeps the worker alive; nothing else.
    Heartbeat,
    Result(Box<QueryResult>),
}

impl FromExtension {
    /// Reads a message. Its type is read first: JSON that is kept as text can't be read through a tagged enum.
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
        version: String,
    },
    Query {
        query: Box<PendingQuery>,
    },
    Heartbeat,
}

shape! {
    pub struct Hello {
        pub token: String,
        pub version: String,
        pub tabs: Vec<Tab>,
        pub settings: Settings,
        pub counts: ExtensionCounts,
    }
}

shape! {
    pub struct Status {
        pub tabs: Vec<Tab>,
        pub settings: Settings,
        pub counts: ExtensionCounts,
    }
}

shape! {
    /// The extension's accounting since its browser started: captured = sent + buffered + dropped + rejected.
    pub struct ExtensionCounts {
        pub captured: u64,
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
        pub level: crate::Level,
        pub message: String,
        pub context: Json,
    }
}
