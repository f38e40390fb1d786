//! `/report`: the report on a test run, and the differences between two attempts at a test.

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use engine::report::{self, Format, Options, Snapshot};
use engine::store::Filter;
use serde::Deserialize;
use wire::Level;

use super::snapshot::{bad_query, read_time};
use super::{HttpError, Shared};
use crate::app::App;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/report", get(report)).route("/report/difference", get(difference))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    format: Option<String>,
    #[serde(alias = "testId")]
    test_id: Option<String>,
    since: Option<String>,
    severity: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attempts {
    failed: String,
    passed: String,
}

async fn report(State(app): State<Shared>, asked: Result<Query<Asked>, QueryRejection>) -> Result<Response, HttpError> {
    let Query(asked) = asked.map_err(bad_query)?;
    let format: Format = asked.format.as_deref().unwrap_or("text").parse().map_err(HttpError::BadRequest)?;
    let options = Options {
        test: asked.test_id.map(|test_id| app.redactor.text(&test_id)),
        since: asked.since.as_deref().map(read_time).transpose()?,
        severity: asked.severity.as_deref().map_or(Ok(Level::Error), severity).map_err(HttpError::BadRequest)?,
        noise: app.session().noise.clone(),
    };
    // Copying and analysing the entries of a run must not block a thread that answers requests.
    let work = tokio::task::spawn_blocking(move || {
        let snapshot = captured(&app, options.test.as_deref());
        report::report(vec![snapshot], &options, &app.redactor).write(format)
    });
    let text = work.await.map_err(|error| HttpError::Internal(format!("cannot create the report: {error}")))?;
    Ok(([(header::CONTENT_TYPE, format.content_type())], text).into_response())
}

/// A snapshot of everything, or of the test with exactly this id.
fn captured(app: &App, wanted: Option<&str>) -> Snapshot {
    let session = app.session();
    let exact = wanted.and_then(|wanted| session.tests.find(wanted)).cloned();
    let filter = Filter { test_id: exact.as_ref().map(|test| test.test_id.clone()), ..Filter::default() };
    let tests = exact.map_or_else(|| session.tests.iter().cloned().collect(), |test| vec![test]);
    Snapshot::of_store(&session, &filter, tests)
}

async fn difference(
    State(app): State<Shared>,
    asked: Result<Query<Attempts>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(asked) = asked.map_err(bad_query)?;
    let [failed, passed] = [asked.failed, asked.passed].map(|test_id| {
        let test_id = app.redactor.text(&test_id);
        let session = app.session();
        let filter = Filter { test_id: Some(test_id.clone()), ..Filter::default() };
        let record = session.tests.find(&test_id).cloned();
        record.map(|record| Snapshot::of_store(&session, &filter, vec![record]))
    });
    let (Some(failed), Some(passed)) = (failed, passed) else {
        let message = "no test has this id; `failed` and `passed` must be ids that were sent to /test-boundary";
        return Err(HttpError::NotFound(message));
    };
    let text = report::difference(failed, passed, &app.redactor).unwrap_or_default();
    Ok(([(header::CONTENT_TYPE, Format::Markdown.content_type())], text).into_response())
}

/// The lowest severity that is reported.
pub(crate) fn severity(name: &str) -> Result<Level, String> {
    match name {
        "error" => Ok(Level::Error),
        "warn" => Ok(Level::Warn),
        "info" => Ok(Level::Info),
        _ => Err(format!("unknown severity `{name}`: expected error, warn or info")),
    }
}
