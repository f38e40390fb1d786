//! Requests and their bodies, as the model reads them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::{Level, Timestamp};

use crate::answer::fit::Texts;
use crate::entry::Request;
use crate::store::Filter;
use crate::store::id::{IdKind, Ids};
use crate::store::{Store, Stored};

const REQUEST_CHARS: usize = 500;
const RESPONSE_CHARS: usize = 1_000;

#[derive(Debug, Clone, Default)]
pub struct BodyFilter {
    pub common: Filter,
    /// Whatever its case.
    pub method: Option<String>,
    pub status_min: Option<u16>,
    pub status_max: Option<u16>,
}

impl BodyFilter {
    pub fn is_set(&self) -> bool {
        self.common.is_set() || self.method.is_some() || self.status_min.is_some() || self.status_max.is_some()
    }

    fn admits(&self, body: &Request) -> bool {
        let in_range = match (self.status_min, self.status_max, body.status) {
            (None, None, _) => true,
            // A request of unknown outcome is in no range.
            (_, _, None) => false,
            (min, max, Some(status)) => min.is_none_or(|min| status >= min) && max.is_none_or(|max| status <= max),
        };
        in_range && self.method.as_deref().is_none_or(|method| body.method.eq_ignore_ascii_case(method))
    }
}

/// Matching requests, newest first.
pub fn bodies<'a>(store: &'a Store, filter: &BodyFilter) -> Vec<(Level, &'a Stored<Request>)> {
    store
        .network
        .iter()
        .rev()
        .filter(|stored| filter.common.admits(stored))
        .filter(|stored| filter.admits(&stored.entry))
        .map(|stored| (severity(&stored.entry), stored))
        .collect()
}

fn severity(body: &Request) -> Level {
    match body.status {
        Some(0 | 400..) => Level::Error,
        _ => Level::Log,
    }
}

/// What a list counts requests by that it does not show: `2xx`, or that no answer came.
pub fn status_class(body: &Request) -> &'static str {
    match body.status {
        None => "unknown",
        Some(0) => "no_response",
        Some(..200) => "1xx",
        Some(..300) => "2xx",
        Some(..400) => "3xx",
        Some(..500) => "4xx",
        Some(500..) => "5xx",
    }
}

/// A request, as lists show it.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestBrief {
    /// Pass it as `id` to get the whole exchange.
    pub id: String,
    /// When it happened.
    pub ts: Timestamp,
    /// HTTP method.
    pub method: String,
    /// Address.
    pub url: String,
    /// HTTP status; 0 without an answer.
    pub status: Option<u16>,
    /// Why there was no answer.
    pub error: Option<String>,
    /// What was sent, if bodies are captured.
    pub request_body: Option<String>,
    /// What was answered, if bodies are captured.
    pub response_body: Option<String>,
    /// Content type of the answer.
    pub content_type: Option<String>,
    /// Milliseconds until the whole answer was there.
    pub duration: Option<f64>,
    /// Bytes of the request body.
    pub request_size: Option<u64>,
    /// Bytes of the response body.
    pub response_size: Option<u64>,
    /// Whether a body was cut before it was stored.
    pub truncated: Option<bool>,
    /// Whether it carried credentials in a header.
    pub has_auth_header: Option<bool>,
    /// The page that asked.
    pub page_url: Option<String>,
    /// The browser tab.
    pub tab_id: Option<i64>,
    /// The test that it belongs to.
    #[serde(rename = "test_id")]
    pub test_id: Option<String>,
}

/// What a list shows of a request.
pub fn brief(stored: &Stored<Request>, ids: &Ids, texts: &Texts) -> RequestBrief {
    let request = &stored.entry;
    let body = |text: &Option<String>, most: usize, size: Option<u64>| {
        text.as_deref().map(|text| texts.show_cut(text, most, request.cut_from(size)))
    };
    RequestBrief {
        id: ids.format(IdKind::Network, stored.cursor),
        ts: request.at,
        method: request.method.clone(),
        url: request.url.clone(),
        status: request.status,
        error: request.error.clone(),
        request_body: body(&request.request_body, REQUEST_CHARS, request.request_size),
        response_body: body(&request.response_body, RESPONSE_CHARS, request.response_size),
        content_type: request.content_type.clone(),
        duration: request.duration,
        request_size: request.request_size,
        response_size: request.response_size,
        truncated: request.truncated.filter(|truncated| *truncated),
        has_auth_header: request.has_auth_header,
        page_url: request.page_url.clone(),
        tab_id: request.tab_id,
        test_id: request.test_id.clone(),
    }
}
