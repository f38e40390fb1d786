//! Requests and their bodies, as the model reads them.

use serde_json::{Map, Value, json};
use wire::Level;

use crate::answer::fit::Texts;
use crate::answer::object;
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

/// What a list shows of a request.
pub fn brief(stored: &Stored<Request>, ids: &Ids, texts: &Texts) -> Map<String, Value> {
    let body = &stored.entry;
    object([
        ("id", json!(ids.format(IdKind::Network, stored.cursor))),
        ("ts", json!(body.at)),
        ("method", json!(body.method)),
        ("url", json!(body.url)),
        ("status", json!(body.status)),
        ("error", json!(body.error)),
        (
            "requestBody",
            json!(body.request_body.as_deref().map(|text| texts.show_cut(
                text,
                REQUEST_CHARS,
                body.cut_from(body.request_size)
            ))),
        ),
        (
            "responseBody",
            json!(body.response_body.as_deref().map(|text| texts.show_cut(
                text,
                RESPONSE_CHARS,
                body.cut_from(body.response_size)
            ))),
        ),
        ("contentType", json!(body.content_type)),
        ("duration", json!(body.duration)),
        ("requestSize", json!(body.request_size)),
        ("responseSize", json!(body.response_size)),
        ("truncated", json!(body.truncated.filter(|truncated| *truncated))),
        ("hasAuthHeader", json!(body.has_auth_header)),
        ("pageUrl", json!(body.page_url)),
        ("tabId", json!(body.tab_id)),
        ("test_id", json!(body.test_id)),
    ])
}
