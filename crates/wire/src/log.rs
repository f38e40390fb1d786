//! Console output, uncaught errors, rejections and failed requests: the `logs` buffer.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use crate::Json;

/// How severe an entry is. Other spellings that pages and CI scripts use are read as the nearest of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Level {
    /// `console.debug` and other trace output.
    Debug,
    /// `console.log`.
    Log,
    /// `console.info`.
    Info,
    /// `console.warn`.
    Warn,
    /// `console.error`, uncaught errors and failed requests.
    Error,
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <Cow<'de, str>>::deserialize(deserializer)?;
        match name.to_ascii_lowercase().as_str() {
            "debug" | "trace" | "verbose" => Ok(Self::Debug),
            "log" => Ok(Self::Log),
            "info" => Ok(Self::Info),
            "warn" | "warning" => Ok(Self::Warn),
            "error" | "fatal" | "critical" => Ok(Self::Error),
            _ => Err(serde::de::Error::custom("`level` is one of debug, log, info, warn, error")),
        }
    }
}

impl Level {
    /// Every level, the most severe first.
    pub const LOUDEST_FIRST: [Self; 5] = [Self::Error, Self::Warn, Self::Info, Self::Log, Self::Debug];

    /// The level as it is written on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Log => "log",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

entry! {
    /// One console line, uncaught error, rejection or failed request.
    pub struct LogEntry {
        /// Set by the page, so that context can be added later; else the server assigns one.
        pub id: String,
        /// `console`, `exception`, `rejection`, `network`, `resource`, `csp`; when absent, `source` decides.
        #[serde(rename = "type")]
        pub kind: String,
        /// How severe the entry is.
        pub level: Level,
        /// The text of the line or error.
        pub message: String,
        /// The console call's arguments, serialized by the page.
        pub args: Json,
        /// The page's address, not the request's.
        pub url: String,
        /// Where it was caught (`console`, `exception`, `unhandledrejection`, `network`) or the line that logged.
        pub source: String,
        /// The stack as the browser wrote it. The server maps it to source files in `ai_context`.
        pub stack: String,
        /// The script that the error was thrown in, as `window.onerror` gives it.
        pub filename: String,
        /// The line in that script, from 1.
        pub lineno: u32,
        /// The column in that line, from 1.
        pub colno: u32,
        /// Failed requests only: the request's method.
        pub method: String,
        /// Failed requests only: the request's address.
        #[serde(rename = "requestUrl", alias = "request_url")]
        pub request_url: String,
        /// Failed requests only: 0 for a request that got no answer.
        pub status: u16,
        /// Failed requests only, in milliseconds.
        #[serde(alias = "duration_ms", alias = "durationMs")]
        pub duration: f64,
        /// Links a failed request to its network body.
        #[serde(rename = "requestId", alias = "request_id")]
        pub request_id: String,
        /// How often the page logged this since the last batch; absent means once.
        pub count: u32,
        /// `window.__gasoline.annotate` values at that time.
        #[serde(rename = "_context", alias = "context")]
        pub context: Json,
        /// Names of the contexts that were added to this entry.
        #[serde(rename = "_enrichments", alias = "enrichments")]
        pub enrichments: Vec<String>,
        /// User actions shortly before an error.
        #[serde(rename = "_actions", alias = "actions")]
        pub actions: Json,
        /// Context of an error, added after the entry was sent.
        #[serde(rename = "_aiContext", alias = "_ai_context", alias = "aiContext", alias = "ai_context")]
        pub ai_context: AiContext,
        /// Whatever else the sender adds.
        pub metadata: Json,
        /// The file with a screenshot of the page at that time. Only the server sets it; it is ignored on input.
        pub screenshot: String,
    }
}

shape! {
    /// What the page and the server found out about an error after it was sent.
    pub struct AiContext {
        /// One sentence about the error and its likely place.
        pub summary: String,
        /// The stack in the developer's own files: `save (src/cart.ts:10:5)`. Only the server sets it.
        #[serde(rename = "mappedStack", alias = "mapped_stack")]
        pub mapped_stack: Vec<String>,
        /// Source lines around the stack's first frames.
        #[serde(rename = "sourceSnippets", alias = "source_snippets")]
        pub source_snippets: Json,
        /// The components that the error happened in, the innermost first.
        #[serde(rename = "componentAncestry", alias = "component_ancestry")]
        pub component_ancestry: Json,
        /// What the application's stores held.
        #[serde(rename = "stateSnapshot", alias = "state_snapshot")]
        pub state_snapshot: Json,
    }
}

batch!(
    /// The body of `POST /logs`.
    LogBatch,
    entries
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_listed_from_loudest_to_quietest() {
        // A new level does not compile here until this match places it.
        let place = |level: Level| match level {
            Level::Error => 0,
            Level::Warn => 1,
            Level::Info => 2,
            Level::Log => 3,
            Level::Debug => 4,
        };
        assert!(Level::LOUDEST_FIRST.iter().enumerate().all(|(index, level)| place(*level) == index));
        assert!(Level::LOUDEST_FIRST.is_sorted_by(|louder, other| louder > other));
    }
}
