//! Lists of requests and their bodies for the model.

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

/// Which requests to list.
#[derive(Debug, Clone, Default)]
pub struct BodyFilter {
    /// The filters that every list accepts.
    pub common: Filter,
    /// Only this method, ignoring case.
    pub method: Option<String>,
    /// Only this status and higher ones.
    pub status_min: Option<u16>,
    /// Only this status and lower ones.
    pub status_max: Option<u16>,
}

impl BodyFilter {
    /// Whether any filter is set.
    pub fn is_set(&self) -> bool {
        self.common.is_set() || self.method.is_some() || self.status_min.is_some() || self.status_max.is_some()
    }

    fn admits(&self, body: &Request) -> bool {
        let in_range = match (self.status_min, self.status_max, body.status) {
            (None, None, _) => true,
            // A request with an unknown status is outside of every range.
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

/// The class by which a list counts the requests that it does not show: `2xx` and the like, or that no response
/// arrived.
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
    /// HTTP status; 0 when no response arrived.
    pub status: Option<u16>,
    /// Why no response arrived.
    pub error: Option<String>,
    /// The request body, if bodies are captured.
    pub request_body: Option<String>,
    /// The response body, if bodies are captured.
    pub response_body: Option<String>,
    /// Content type of the response.
    pub content_type: Option<String>,
    /// Milliseconds until the response was complete.
    pub duration: Option<f64>,
    /// Bytes of the request body.
    pub request_size: Option<u64>,
    /// Bytes of the response body.
    pub response_size: Option<u64>,
    /// Whether a body was cut before it was stored.
    pub truncated: Option<bool>,
    /// Whether it carried credentials in a header.
    pub has_auth_header: Option<bool>,
    /// Address of the page that sent it.
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
