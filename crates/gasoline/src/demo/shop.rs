//! The shop's server: pages, scripts and an API, in two releases. The second release is broken.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

use crate::clock;
use crate::state::random_hex;

/// The script that the second release loads before the page is shown, and how long that takes.
const TRACKING_TIME: Duration = Duration::from_millis(1200);
const TRACKING_BYTES: usize = 180_000;

pub(super) struct Shop {
    port: u16,
    inner: Arc<Inner>,
    serving: AbortHandle,
}

struct Inner {
    files: HashMap<&'static str, Vec<u8>>,
    /// Looks like the key of a payment service. Generated each time, so that the binary contains none.
    key: String,
    token: String,
    is_second_release: AtomicBool,
}

impl Shop {
    pub(super) async fn open(files: Vec<(&'static str, Vec<u8>)>) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no free port found")?;
        let port = listener.local_addr()?.port();
        let inner = Arc::new(Inner {
            files: files.into_iter().collect(),
            key: format!("sk_live_{}", random_hex(12)?),
            token: session_token()?,
            is_second_release: AtomicBool::new(false),
        });
        let router = Router::new()
            .route("/", get(page))
            .route("/tracking.js", get(tracking))
            .route("/api/session", get(session))
            .route("/api/products", get(products))
            .route("/api/recommendations", get(recommendations))
            .route("/api/quote", post(quote))
            .route("/{file}", get(file))
            .with_state(Arc::clone(&inner));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await }).abort_handle();
        Ok(Self { port, inner, serving })
    }

    pub(super) fn address(&self) -> String {
        format!("http://localhost:{}/", self.port)
    }

    /// The credentials that no answer may contain.
    pub(super) fn secrets(&self) -> [&str; 2] {
        [&self.inner.key, &self.inner.token]
    }

    /// Switches pages and answers to the second release.
    pub(super) fn deploy(&self) {
        self.inner.is_second_release.store(true, Ordering::Relaxed);
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A JWT with a made-up signature.
fn session_token() -> Result<String> {
    let expires = clock::now().millis() / 1000 + 3600;
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signature = URL_SAFE_NO_PAD.encode(random_hex(16)?);
    let head = part(json!({ "alg": "HS256", "typ": "JWT" }));
    Ok(format!("{head}.{}.{signature}", part(json!({ "sub": "ada", "exp": expires }))))
}

fn reply(kind: &'static str, content: impl Into<Bytes>) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], content.into()).into_response()
}

fn json_reply(value: Value) -> Response {
    reply("application/json", value.to_string())
}

async fn page(State(shop): State<Arc<Inner>>) -> Response {
    let is_second = shop.is_second_release.load(Ordering::Relaxed);
    let tracking = if is_second { r#"<script src="/tracking.js"></script>"# } else { "" };
    let template = shop.files.get("index.html").map(|page| String::from_utf8_lossy(page)).unwrap_or_default();
    let page = template.replace("{{recommendations-key}}", &shop.key).replace("{{new-in-this-release}}", tracking);
    reply("text/html; charset=utf-8", page)
}

async fn file(State(shop): State<Arc<Inner>>, Path(name): Path<String>) -> Response {
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "application/json",
    };
    match shop.files.get(name.as_str()) {
        Some(content) => reply(kind, content.clone()),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Planted bug: a script that delays the page.
async fn tracking() -> Response {
    tokio::time::sleep(TRACKING_TIME).await;
    let mut script = "window.tracking = [];\n".to_owned();
    script.push_str(&"/* a tag manager, as they are */\n".repeat(TRACKING_BYTES / 33));
    reply("text/javascript; charset=utf-8", script)
}

async fn session(State(shop): State<Arc<Inner>>) -> Response {
    json_reply(json!({ "user": "ada", "token": shop.token }))
}

async fn products() -> Response {
    json_reply(json!([
        { "id": 1, "name": "Sidamo", "notes": "Peach, jasmine, a clear head.", "price": 14.5, "colour": "#c9793f" },
        { "id": 2, "name": "Huila", "notes": "Caramel and no surprises.", "price": 12.9, "colour": "#7f4a2e" },
        { "id": 3, "name": "Kiambu", "notes": "Blackcurrant. Wakes servers.", "price": 16.0, "colour": "#7b2f44" },
    ]))
}

async fn recommendations() -> Response {
    json_reply(json!(["Paper filters, 100", "Hand grinder", "Cup, 250 ml"]))
}

/// Planted bug: the second release answers without `shipping`, which the page reads.
async fn quote(State(shop): State<Arc<Inner>>) -> Response {
    json_reply(if shop.is_second_release.load(Ordering::Relaxed) {
        json!({ "currency": "EUR", "subtotal": 14.5, "delivery": { "price": 4.9, "eta": "2 days" } })
    } else {
        json!({ "currency": "EUR", "subtotal": 14.5, "shipping": { "price": 4.9, "eta": "2 days" } })
    })
}
