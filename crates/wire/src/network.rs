//! Requests, with their bodies where the user allowed that.

use crate::Headers;

entry! {
    /// One request and its answer.
    pub struct NetworkBody {
        /// Always `network_body` on output.
        #[serde(rename = "type")]
        pub kind: String,
        pub method: String,
        pub url: String,
        /// 0 when no answer came: aborted, blocked, offline.
        pub status: u16,
        #[serde(rename = "requestBody", alias = "request_body")]
        pub request_body: String,
        #[serde(rename = "responseBody", alias = "response_body")]
        pub response_body: String,
        #[serde(rename = "contentType", alias = "content_type")]
        pub content_type: String,
        /// Milliseconds.
        #[serde(alias = "duration_ms", alias = "durationMs")]
        pub duration: f64,
        #[serde(rename = "requestHeaders", alias = "request_headers")]
        pub request_headers: Headers,
        #[serde(rename = "responseHeaders", alias = "response_headers")]
        pub response_headers: Headers,
        #[serde(rename = "hasAuthHeader", alias = "has_auth_header")]
        pub has_auth_header: bool,
        #[serde(rename = "requestSize", alias = "request_size")]
        pub request_size: u64,
        #[serde(rename = "responseSize", alias = "response_size")]
        pub response_size: u64,
        /// A body was cut at its limit.
        pub truncated: bool,
        /// The page that sent it.
        #[serde(rename = "pageUrl", alias = "page_url")]
        pub page_url: String,
        /// Why no answer came.
        pub error: String,
        /// Links it to the log entry of the same failed request.
        #[serde(rename = "requestId", alias = "request_id")]
        pub request_id: String,
        /// `fetch`, `xhr`, `script`, `img` and the like.
        pub initiator: String,
        /// Where the page asked for it, as a stack without a message.
        pub stack: String,
        /// The user's event in whose handler it was asked for: `click`, `submit` and the like.
        pub trigger: String,
        /// Names and flags of the cookies it set; values never get this far.
        pub cookies: Vec<Cookie>,
    }
}

shape! {
    /// A cookie without its value.
    pub struct Cookie {
        pub name: String,
        pub secure: bool,
        #[serde(rename = "httpOnly", alias = "http_only")]
        pub http_only: bool,
        #[serde(rename = "sameSite", alias = "same_site")]
        pub same_site: String,
    }
}
