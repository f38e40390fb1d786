//! Authentication of every request, before its body is read.
//!
//! The Host is checked first (against DNS rebinding), then the Origin (against web pages), then the token. With `serve
//! --ci`, pages under test may write with the ingest token, only on the routes that accept captured data. They read
//! only the results of their own requests, including rejections: a page that knows the reason does not retry.
//!
//! The dashboard is a page of our own origin. Its cookie gives access only to the routes that it reads, and only if the
//! browser reports that the request comes from the same origin: all ports of a host share cookies and are the same
//! site.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;
use wire::identity::EXTENSION_ORIGIN;

use super::{HttpError, Shared, dashboard, metrics};

/// The routes that accept the ingest token. Source maps are among them: all pages of a run are built from the same
/// code, and without its maps their errors would point into bundles.
const INGEST_ROUTES: &[&str] = &[
    "/logs",
    "/websocket-events",
    "/network-bodies",
    "/enhanced-actions",
    "/performance-snapshot",
    "/dom-snapshots",
    "/source-maps",
    "/sync",
    "/test-boundary",
];

const PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// How much the sender of a request may learn from the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    Trusted,
    /// Sent with the ingest token: the answer reports the results of the sender's own entries only.
    WriteOnly,
}

impl<S: Sync> FromRequestParts<S> for Sender {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        // The guard always sets a pass. Without one, the answer reports the least.
        Ok(parts.extensions.get().copied().unwrap_or(Self::WriteOnly))
    }
}

pub(super) async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let may_change = request.method() != Method::GET;
    let response = answer(&app, request, next).await;
    if may_change {
        // Dashboards find out themselves what has changed.
        app.dashboard.nudge();
    }
    response
}

async fn answer(app: &Shared, mut request: Request, next: Next) -> Response {
    match admit(app, &request) {
        Ok(Pass::Preflight) => preflight(),
        Ok(Pass::IngestPreflight { origin }) => ingest_preflight(origin),
        Ok(Pass::Request { cors }) => {
            request.extensions_mut().insert(Sender::Trusted);
            let mut response = next.run(request).await;
            if cors {
                allow_extension(response.headers_mut());
            }
            response
        }
        Ok(Pass::Ingest { origin }) => {
            request.extensions_mut().insert(Sender::WriteOnly);
            let mut response = next.run(request).await;
            if let Some(origin) = origin {
                allow_origin(response.headers_mut(), origin);
            }
            response
        }
        Ok(Pass::RefusedIngest { origin }) => {
            metrics::count(&app.metrics.refused);
            let mut response = HttpError::Unauthorized.into_response();
            allow_origin(response.headers_mut(), origin);
            response
        }
        Err(refusal) => {
            metrics::count(&app.metrics.refused);
            refusal.into_response()
        }
    }
}

enum Pass {
    Preflight,
    Request { cors: bool },
    IngestPreflight { origin: HeaderValue },
    Ingest { origin: Option<HeaderValue> },
    RefusedIngest { origin: HeaderValue },
}

fn admit(app: &Shared, request: &Request) -> Result<Pass, HttpError> {
    let headers = request.headers();
    if !host_is_loopback(headers, request.uri()) {
        return Err(HttpError::Forbidden("invalid Host: expected 127.0.0.1, localhost or [::1]"));
    }
    if let Some(pass) = admit_page_under_test(app, request) {
        return Ok(pass);
    }
    if admits_dashboard(app, request) {
        return Ok(Pass::Request { cors: false });
    }
    let from_extension = match headers.get(header::ORIGIN) {
        None => false,
        Some(origin) if origin.as_bytes() == EXTENSION_ORIGIN.as_bytes() => true,
        Some(_) => return Err(HttpError::Forbidden("requests from web pages are rejected")),
    };
    // A browser that hides the origin (a navigation, an image) still reports that a page made the request.
    let fetch_site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if !from_extension && matches!(fetch_site, Some(b"cross-site" | b"same-site")) {
        return Err(HttpError::Forbidden("requests from web pages are rejected"));
    }
    if request.method() == Method::OPTIONS && from_extension {
        return Ok(Pass::Preflight);
    }
    let open = match (request.method(), request.uri().path()) {
        (&Method::GET | &Method::HEAD, "/health") => true,
        // The dashboard's page without data is the same for everyone.
        (&Method::GET | &Method::HEAD, path) if dashboard::is_page(path) => true,
        // Pairing returns the token, to the extension only; see `pair`.
        (&Method::POST, "/pair") => true,
        // A browser's WebSocket cannot send headers: the token is in its first message.
        (_, "/extension/socket") => true,
        _ => false,
    };
    if !open && !has_token(app, headers) {
        return Err(HttpError::Unauthorized);
    }
    Ok(Pass::Request { cors: from_extension })
}

/// Whether the dashboard requests something that its cookie is for, or exchanges its key for one.
fn admits_dashboard(app: &Shared, request: &Request) -> bool {
    let headers = request.headers();
    let is_our_page = headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"same-origin")
        && headers.get(header::ORIGIN).is_none_or(|origin| is_own_origin(origin, headers));
    is_our_page
        && match (request.method(), request.uri().path()) {
            (&Method::POST, "/dashboard/session") => true,
            (&Method::GET, path) => dashboard::has_cookie(app, path, headers),
            _ => false,
        }
}

/// Whether the request's origin equals the server's own address.
fn is_own_origin(origin: &HeaderValue, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
    origin.as_bytes().strip_prefix(b"http://").is_some_and(|address| Some(address) == host)
}

/// With `--ci`: admits a request of a page under test to the ingest routes. `None` for all other requests.
fn admit_page_under_test(app: &Shared, request: &Request) -> Option<Pass> {
    let expected = app.ingest_token.as_ref()?;
    if !INGEST_ROUTES.contains(&request.uri().path()) {
        return None;
    }
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    let origin = match (origins.next(), origins.next()) {
        (origin, None) => origin.cloned(),
        _ => return None,
    };
    match (request.method(), origin) {
        (&Method::POST, origin) if bears(request.headers(), &expected.value) => Some(Pass::Ingest { origin }),
        (_, Some(origin)) if origin.as_bytes() == EXTENSION_ORIGIN.as_bytes() => None,
        (&Method::OPTIONS, Some(origin)) => Some(Pass::IngestPreflight { origin }),
        // A page without the ingest token is rejected even with the access token, which is not for pages.
        (&Method::POST, Some(origin)) => Some(Pass::RefusedIngest { origin }),
        _ => None,
    }
}

/// Whether the request carries the token, or none is needed.
pub(super) fn has_token(app: &Shared, headers: &HeaderMap) -> bool {
    app.token.as_ref().is_none_or(|expected| bears(headers, expected))
}

fn bears(headers: &HeaderMap, expected: &str) -> bool {
    headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && same_token(token.trim(), expected))
}

/// Compares in constant time.
pub(super) fn same_token(given: &str, expected: &str) -> bool {
    given.as_bytes().ct_eq(expected.as_bytes()).into()
}

fn host_is_loopback(headers: &HeaderMap, uri: &Uri) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    // An absolute-form request target also names a host, which must pass the same check as the header.
    if uri.authority().is_some_and(|authority| !is_loopback(authority.as_str())) {
        return false;
    }
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().is_ok_and(is_loopback),
        _ => false,
    }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "127.0.0.1" | "[::1]") || name.eq_ignore_ascii_case("localhost")
}

fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    allow_extension(headers);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, content-type"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}

/// Answers a preflight with what a page may send. Chrome also asks whether a public page may reach this machine at all.
fn ingest_preflight(origin: HeaderValue) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    allow_origin(headers, origin);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("authorization, content-type"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    headers.insert(PRIVATE_NETWORK, HeaderValue::from_static("true"));
    response
}

fn allow_origin(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
}

fn allow_extension(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static(EXTENSION_ORIGIN));
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn hosts() {
        for host in ["127.0.0.1", "127.0.0.1:7890", "localhost", "LOCALHOST:1", "[::1]", "[::1]:7890"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:7890",
            "",
            ":7890",
            "127.0.0.2",
            "[::2]",
            "localhost:",
            "127.0.0.1:7890:7890",
            "127.0.0.1@evil.example",
            "0.0.0.0",
            "::1",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
