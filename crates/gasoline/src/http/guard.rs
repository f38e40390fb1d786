//! Who may talk to us: checked for every request, before its body is read.
//!
//! Host first (no DNS rebinding), then Origin (no web page), then the token.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;
use wire::identity::EXTENSION_ORIGIN;

use super::{HttpError, Shared, metrics};

pub(super) async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    match admit(&app, &request) {
        Ok(Pass::Preflight) => preflight(),
        Ok(Pass::Request { cors }) => {
            let mut response = next.run(request).await;
            if cors {
                allow_extension(response.headers_mut());
            }
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
}

fn admit(app: &Shared, request: &Request) -> Result<Pass, HttpError> {
    let headers = request.headers();
    if !host_is_loopback(headers, request.uri()) {
        return Err(HttpError::Forbidden("only requests to 127.0.0.1, localhost or [::1] are answered"));
    }
    let from_extension = match headers.get(header::ORIGIN) {
        None => false,
        Some(origin) if origin.as_bytes() == EXTENSION_ORIGIN.as_bytes() => true,
        Some(_) => return Err(HttpError::Forbidden("requests from web pages are not answered")),
    };
    // A browser that hides the origin (a plain navigation, an image) still says that a page is behind it.
    let fetch_site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if !from_extension && matches!(fetch_site, Some(b"cross-site" | b"same-site")) {
        return Err(HttpError::Forbidden("requests from web pages are not answered"));
    }
    if request.method() == Method::OPTIONS && from_extension {
        return Ok(Pass::Preflight);
    }
    let open = match (request.method(), request.uri().path()) {
        (&Method::GET | &Method::HEAD, "/health") => true,
        // Pairing hands the token out, to the extension alone; see `pair`.
        (&Method::POST, "/pair") => true,
        // A browser's WebSocket can't send headers: the token is in its first message.
        (_, "/extension/socket") => true,
        _ => false,
    };
    if !open && !has_token(app, headers) {
        return Err(HttpError::Unauthorized);
    }
    Ok(Pass::Request { cors: from_extension })
}

/// Whether the request carries the token, or none is wanted.
pub(super) fn has_token(app: &Shared, headers: &HeaderMap) -> bool {
    let Some(expected) = &app.token else { return true };
    headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && same_token(token.trim(), expected))
}

/// Takes the same time wherever the two differ.
pub(super) fn same_token(given: &str, expected: &str) -> bool {
    given.as_bytes().ct_eq(expected.as_bytes()).into()
}

fn host_is_loopback(headers: &HeaderMap, uri: &Uri) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    // An absolute-form request target names a host too; it must be as harmless as the header.
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
