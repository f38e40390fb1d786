//! The parameters that all list tools share, and how they are read.

use engine::answer::fit::Budget;
use engine::store::{Filter, Since};
use wire::Timestamp;

use super::Context;
use super::answer::{LIST_BYTES, ToolError};
use crate::clock;

/// Declares a list tool's parameters: its own, and those that every list tool takes.
macro_rules! list_params {
    ($(#[$meta:meta])* $name:ident { $( $(#[$field_meta:meta])* $field:ident : $ty:ty, )* }) => {
        $(#[$meta])*
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $( $(#[$field_meta])* $field: $ty, )*
            /// Part of a URL.
            #[serde(alias = "url")]
            url_filter: Option<String>,
            /// One tab.
            tab_id: Option<i64>,
            /// One test.
            test_id: Option<String>,
            /// ISO time or checkpoint.
            since: Option<String>,
            /// This entry in full.
            id: Option<String>,
            /// Answer size.
            max_tokens: Option<u32>,
        }

        impl $name {
            fn common(&self) -> $crate::tools::list::Common<'_> {
                $crate::tools::list::Common {
                    url: self.url_filter.as_deref(),
                    tab_id: self.tab_id,
                    test_id: self.test_id.as_deref(),
                    since: self.since.as_deref(),
                    max_tokens: self.max_tokens,
                }
            }
        }
    };
}

pub(super) use list_params;

/// The shared parameters, as given.
pub(super) struct Common<'p> {
    pub(super) url: Option<&'p str>,
    pub(super) tab_id: Option<i64>,
    pub(super) test_id: Option<&'p str>,
    pub(super) since: Option<&'p str>,
    pub(super) max_tokens: Option<u32>,
}

impl Common<'_> {
    /// Reads the filter. Also sets the tool's checkpoint: the next call with "checkpoint" begins here.
    pub(super) fn filter(&self, context: &Context, tool: &'static str) -> Result<Filter, ToolError> {
        let since = match self.since {
            None | Some("checkpoint") => Since::Ever,
            Some(text) => Since::Time(Timestamp::parse_iso(text).ok_or_else(|| {
                ToolError::invalid_params(
                    format!("invalid `since` \"{text}\": expected \"checkpoint\" or an ISO 8601 time"),
                    format!("use a time such as {}", clock::now()),
                )
            })?),
        };
        let previous = context.client.checkpoint(tool, context.app.session().store.cursor());
        let since = match (self.since, previous) {
            (Some("checkpoint"), Some(cursor)) => Since::Cursor(cursor),
            _ => since,
        };
        Ok(Filter {
            url: self.url.filter(|url| !url.is_empty()).map(str::to_owned),
            tab_id: self.tab_id,
            test_id: self.test_id.map(str::to_owned),
            since,
            without_noise: false,
        })
    }

    /// The response budget for entries, in bytes. `max_tokens` is for the whole answer, at four bytes a token.
    pub(super) fn bytes(&self) -> usize {
        self.max_tokens
            .map_or(LIST_BYTES, |tokens| (tokens as usize).saturating_mul(4).saturating_sub(160).min(LIST_BYTES))
    }

    pub(super) fn budget(&self, limit: Option<u32>, default: usize) -> Result<Budget, ToolError> {
        self.budget_of("limit", limit, default)
    }

    /// The same for a tool whose limit has another name.
    pub(super) fn budget_of(&self, name: &str, limit: Option<u32>, default: usize) -> Result<Budget, ToolError> {
        let entries = match limit {
            Some(0) => {
                let message = format!("`{name}` must be at least 1");
                return Err(ToolError::invalid_params(message, "leave it out for the default"));
            }
            Some(limit) => limit as usize,
            None => default,
        };
        Ok(Budget { entries, bytes: self.bytes(), severe_first: self.max_tokens.is_some() })
    }
}
