//! The dashboard: a page without data at `/`, and the routes that it reads. `auth.rs` decides who has access.
//!
//! `gasoline open` requests a key and puts it into the fragment of the page's address, which browsers never send. The
//! page removes the key from the address and exchanges it for a cookie.

mod live;
mod news;

#[cfg(debug_assertions)]
pub(crate) use news::News as DashboardNews;

use std::time::Instant;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Path, Query, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::limits;

use super::body::Body;
use super::pair::{Ends, is_same_user};
use super::{HttpError, Shared};
use crate::app::App;
use crate::embedded;
use crate::tools::full_entry;

/// The page may run its own script, use its own styles, and talk to its own server; nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NOT_BUILT: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Gasoline</title>
<h1>This binary was built without the dashboard</h1>
<p>Build both with <code>cargo xtask build</code>, which needs Node, and use <code>target/release/gasoline</code>.</p>
<p>Everything else works: <code>gasoline status</code> shows what is captured.</p>
</html>
";

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/", get(page))
        .route("/open", get(page))
        .route("/dashboard/key", post(key))
        .route("/dashboard/session", post(session))
        .route("/dashboard/{file}", get(file))
        .route("/dashboard/{session}/state", get(news::state))
        .route("/dashboard/{session}/live", get(live::live))
        .route("/dashboard/{session}/entry", get(entry))
        .route("/dashboard/{session}/call", get(call))
        .layer(middleware::map_response(protect))
}

/// Headers that keep the page and its data from being framed, sniffed or cached.
async fn protect(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn page() -> Result<Response, HttpError> {
    match embedded::dashboard("index.html") {
        Some(page) => told("text/html; charset=utf-8", page),
        None => Ok((StatusCode::OK, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], NOT_BUILT).into_response()),
    }
}

async fn file(Path(name): Path<String>) -> Result<Response, HttpError> {
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => return Ok(nothing_there("no such file")),
    };
    embedded::dashboard(&name).map_or_else(|| Ok(nothing_there("no such file")), |content| told(kind, content))
}

fn told(kind: &'static str, content: anyhow::Result<Vec<u8>>) -> Result<Response, HttpError> {
    let content = content.map_err(|error| HttpError::Internal(format!("{error:#}")))?;
    Ok(([(header::CONTENT_TYPE, kind)], content).into_response())
}

fn nothing_there(what: &str) -> Response {
    (StatusCode::NOT_FOUND, Json(json!({ "error": what }))).into_response()
}

/// Creates a key for `gasoline open`, which has the token.
async fn key(State(app): State<Shared>) -> Result<Json<Value>, HttpError> {
    let made = app.dashboard.access().new_key(Instant::now());
    let key = made.map_err(|error| HttpError::Internal(format!("cannot create a key: {error}")))?;
    Ok(Json(json!({ "key": key.value, "seconds": limits::DASHBOARD_KEY_SECONDS })))
}

#[derive(Debug, Deserialize)]
struct Opening {
    key: String,
}

async fn session(
    State(app): State<Shared>,
    Extension(ends): Extension<Ends>,
    Body(body): Body,
) -> Result<Response, HttpError> {
    // Other users of the machine can read command lines, and the key was on one.
    if !is_same_user(ends) {
        return Err(HttpError::Forbidden("the browser belongs to another user of this machine"));
    }
    let Opening { key } = serde_json::from_slice(&body)
        .map_err(|_| HttpError::BadRequest("expected {\"key\":…}, from the link of `gasoline open`".to_owned()))?;
    let opened = app.dashboard.access().open(&key, Instant::now()).ok_or(HttpError::Unauthorized)?;
    let session = opened.map_err(|error| HttpError::Internal(format!("cannot create a session: {error}")))?;
    let folder = format!("/dashboard/{}/", session.id);
    let cookie = format!(
        "{}={}; Path={folder}; Max-Age={}; HttpOnly; SameSite=Strict",
        cookie_name(app.port),
        session.secret,
        limits::DASHBOARD_SESSION_SECONDS
    );
    Ok(([(header::SET_COOKIE, cookie)], Json(json!({ "folder": folder }))).into_response())
}

/// The cookie's name has our port: all ports of a host share cookies, and two servers must not use each other's.
fn cookie_name(port: u16) -> String {
    format!("gasoline_{port}")
}

/// Whether the cookie belongs to the session whose folder is requested.
pub(super) fn has_cookie(app: &App, path: &str, headers: &HeaderMap) -> bool {
    let Some((session, "state" | "live" | "entry" | "call")) =
        path.strip_prefix("/dashboard/").and_then(|rest| rest.split_once('/'))
    else {
        return false;
    };
    let name = cookie_name(app.port);
    let (access, now) = (app.dashboard.access(), Instant::now());
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .any(|(given, secret)| given == name && access.admits(session, secret, now))
}

/// Whether a path is part of the page itself, which has no data.
pub(super) fn is_page(path: &str) -> bool {
    matches!(path, "/" | "/open") || path.strip_prefix("/dashboard/").is_some_and(|file| !file.contains('/'))
}

#[derive(Debug, Deserialize)]
struct Wanted {
    id: String,
}

/// One entry in full, by its id.
async fn entry(
    State(app): State<Shared>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(Wanted { id }) = wanted.map_err(|problem| HttpError::BadRequest(problem.body_text()))?;
    Ok(full_entry(&app, &id, limits::DASHBOARD_ENTRY_BYTES)
        .map_or_else(|| nothing_there("it has been evicted from the buffer"), |entry| Json(entry).into_response()))
}

#[derive(Debug, Deserialize)]
struct Numbered {
    number: u64,
}

/// One call of an AI client, with its arguments and answer.
async fn call(
    State(app): State<Shared>,
    wanted: Result<Query<Numbered>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(Numbered { number }) = wanted.map_err(|problem| HttpError::BadRequest(problem.body_text()))?;
    let call = app.dashboard.calls().one(number);
    Ok(call.map_or_else(|| nothing_there("newer calls have replaced it"), |call| Json(call).into_response()))
}
