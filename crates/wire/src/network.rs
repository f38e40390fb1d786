//! Requests, with their bodies where the user allows capturing them.

use crate::Headers;

entry! {
    /// One request and its response.
    pub struct NetworkBody {
        /// Always `network_body` on output.
        #[serde(rename = "type")]
        pub kind: String,
        /// The HTTP method.
        pub method: String,
        /// The request's address.
        pub url: String,
        /// The HTTP status; 0 when no response arrived: aborted, blocked, offline.
        pub status: u16,
        /// The body that was sent, at most 8 KB of it.
        #[serde(rename = "requestBody", alias = "request_body")]
        pub request_body: String,
        /// The body of the response, at most 16 KB of it.
        #[serde(rename = "responseBody", alias = "response_body")]
        pub response_body: String,
        /// The response's `content-type`.
        #[serde(rename = "contentType", alias = "content_type")]
        pub content_type: String,
        /// Milliseconds from the request to the end of its response.
        #[serde(alias = "duration_ms", alias = "durationMs")]
        pub duration: f64,
        /// Headers that were sent.
        #[serde(rename = "requestHeaders", alias = "request_headers")]
        pub request_headers: Headers,
        /// Headers of the response.
        #[serde(rename = "responseHeaders", alias = "response_headers")]
        pub response_headers: Headers,
        /// Whether the request carried a header that authenticates its sender. Its value is not captured.
        #[serde(rename = "hasAuthHeader", alias = "has_auth_header")]
        pub has_auth_header: bool,
        /// Size of the request body in bytes, before it was cut.
        #[serde(rename = "requestSize", alias = "request_size")]
        pub request_size: u64,
        /// Size of the response body in bytes, before it was cut.
        #[serde(rename = "responseSize", alias = "response_size")]
        pub response_size: u64,
        /// Whether a body was cut at its limit.
        pub truncated: bool,
        /// The address of the page that sent it.
        #[serde(rename = "pageUrl", alias = "page_url")]
        pub page_url: String,
        /// Why no response arrived.
        pub error: String,
        /// Links it to the log entry of the same failed request.
        #[serde(rename = "requestId", alias = "request_id")]
        pub request_id: String,
        /// `fetch`, `xhr`, `script`, `img` and the like.
        pub initiator: String,
        /// Where the page sent it, as a stack without a message.
        pub stack: String,
        /// The user's event in whose handler it was sent: `click`, `submit` and the like.
        pub trigger: String,
        /// Names and flags of the cookies that it set; values are never captured.
        pub cookies: Vec<Cookie>,
    }
}

shape! {
    /// A cookie without its value.
    pub struct Cookie {
        /// The cookie's name.
        pub name: String,
        /// Whether it is sent over HTTPS only.
        pub secure: bool,
        /// Whether scripts cannot read it.
        #[serde(rename = "httpOnly", alias = "http_only")]
        pub http_only: bool,
        /// `Strict`, `Lax` or `None`.
        #[serde(rename = "sameSite", alias = "same_site")]
        pub same_site: String,
    }
}

batch!(
    /// The body of `POST /network-bodies`.
    BodyBatch,
    bodies
);
