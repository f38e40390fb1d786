//! `POST /test-boundary`: a test starts or ends.

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use engine::text::shorten;
use wire::test_run::{BoundaryAction, BoundaryHead, BoundaryReply};
use wire::{TestRecord, limits};

use super::auth::Sender;
use super::body::{Body, read_json};
use super::ingest::readable;
use super::{HttpError, Shared};
use crate::clock;

/// The body limit: a boundary has a few names and one message.
const BOUNDARY_BYTES: usize = 256 * 1024;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/test-boundary", post(boundary))
}

async fn boundary(
    State(app): State<Shared>,
    sender: Sender,
    Body(body): Body<BOUNDARY_BYTES>,
) -> Result<Json<BoundaryReply>, HttpError> {
    let bad = |what: String| HttpError::BadRequest(format!("{what}; {EXAMPLE}"));
    let unread = |error: serde_json::Error| {
        let reason = readable(&app.redactor.text(&error.to_string()));
        bad(format!("not the JSON expected here: {reason}"))
    };
    // Serde would read a list as a struct, too.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(bad("not the JSON expected here: expected an object at line 1 column 1".to_owned()));
    }
    let head: BoundaryHead = read_json(&body).map_err(unread)?;
    let record: TestRecord = read_json(&body).map_err(unread)?;
    let action = match head.action.as_deref() {
        Some("start") => BoundaryAction::Start,
        Some("end") => BoundaryAction::End,
        Some(other) => {
            let other = app.redactor.text(&shorten(other, 40));
            return Err(bad(format!("invalid `action` \"{other}\": expected `start` or `end`")));
        }
        None => return Err(bad("`action` is missing".to_owned())),
    };
    if record.test_id.is_empty() {
        return Err(bad("`test_id` is missing".to_owned()));
    }
    for (name, text) in [("test_id", Some(&record.test_id)), ("worker", record.worker.as_ref())] {
        if text.is_some_and(|text| text.chars().count() > limits::TEST_ID_CHARS) {
            return Err(bad(format!("`{name}` has more than {} characters", limits::TEST_ID_CHARS)));
        }
    }
    let record = app.redactor.redact(record);
    let (test_id, timestamp) = (record.entry().test_id.clone(), clock::now());
    let tests = &mut app.session().tests;
    if sender == Sender::WriteOnly {
        if !tests.is_free_for_pages(record.entry()) {
            return Err(HttpError::Forbidden(
                "with the ingest token, a sender reports only on tests that it started: this `test_id` or `worker` belongs to another",
            ));
        }
        tests.claim_for_pages(&test_id);
    }
    match action {
        BoundaryAction::Start => tests.start(record, timestamp),
        BoundaryAction::End => tests.end(record, timestamp),
    }
    Ok(Json(BoundaryReply { test_id, action, timestamp }))
}

const EXAMPLE: &str = r#"send {"test_id":"login › works","action":"start"}, and the same with "end" when it is over"#;
