//! The HTTP interface. [`app`] assembles it; every route is registered beside its handler.

mod auth;
pub(crate) mod batches;
mod body;
mod dashboard;
mod drain;
mod entries;
mod error;
mod events;
mod extension_logs;
mod health;
pub(crate) mod ingest;
mod logs;
pub(crate) mod metrics;
mod pair;
mod performance;
mod queries;
pub(crate) mod rate;
mod recordings;
mod report;
pub(crate) mod response_budget;
mod screenshots;
pub(crate) mod serve;
mod snapshot;
mod socket;
mod source_maps;
mod stdio;
mod test_boundary;
pub(crate) mod unknown;
mod upload;

use std::sync::Arc;

use axum::Router;
use axum::middleware;

use crate::app::App;
use crate::mcp;

#[cfg(debug_assertions)]
pub(crate) use dashboard::DashboardNews;
pub(crate) use error::HttpError;
pub(crate) use report::severity;
pub(crate) use stdio::{DIRECTORY_HEADER, STDIO_PATH, STDIO_PROTOCOL};

pub(crate) type Shared = Arc<App>;

pub(crate) fn app(shared: Shared) -> Router {
    Router::new()
        .merge(health::routes())
        .merge(pair::routes())
        .merge(logs::routes())
        .merge(extension_logs::routes())
        .merge(ingest::routes())
        .merge(performance::routes())
        .merge(test_boundary::routes())
        .merge(snapshot::routes())
        .merge(report::routes())
        .merge(screenshots::routes())
        .merge(recordings::routes())
        .merge(source_maps::routes())
        .merge(metrics::routes())
        .merge(events::routes())
        .merge(dashboard::routes())
        .merge(queries::routes())
        .merge(socket::routes())
        .merge(stdio::routes())
        .merge(mcp::routes(Arc::clone(&shared)))
        .fallback(error::not_found)
        .method_not_allowed_fallback(error::method_not_allowed)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), auth::guard))
        .with_state(shared)
}
