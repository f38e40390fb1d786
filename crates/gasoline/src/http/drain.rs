//! Reads the rest of a rejected request, so that the client sees the answer.

use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body_util::BodyExt as _;

/// How much of a body is read although it is rejected for its size: a client that is still sending would otherwise see
/// a broken connection instead of the answer.
const DRAINED: usize = 64 * 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(5);

pub(super) async fn drain(mut body: Body) {
    let read = async {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, Bytes::len);
            if read > DRAINED {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(DRAIN_TIME, read).await;
}
