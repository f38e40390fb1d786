//! `GET /events/stream`: significant events as they happen, for programs without MCP. The parameters are those of
//! `configure_streaming`. The stream ends when its reader disconnects or falls too far behind.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{self, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream};
use axum::routing::get;
use engine::stream::{Notification, Settings};
use futures_core::Stream;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::{HttpError, Shared};
use crate::tools::configure_streaming::{categories, throttle};

const KEEP_ALIVE: Duration = Duration::from_secs(15);
const NAME: &str = "gasoline";

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/events/stream", get(stream))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Separated by commas.
    events: Option<String>,
    throttle_seconds: Option<f64>,
    #[serde(alias = "url")]
    url_filter: Option<String>,
}

async fn stream(
    State(app): State<Shared>,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Sse<KeepAliveStream<Messages>>, HttpError> {
    let Query(parameters) = parameters.map_err(|problem| HttpError::BadRequest(problem.body_text()))?;
    let mut settings = Settings::default();
    if let Some(events) = &parameters.events {
        let names: Vec<&str> = events.split(',').map(str::trim).collect();
        settings.categories = categories(&names).map_err(HttpError::BadRequest)?;
    }
    if let Some(seconds) = parameters.throttle_seconds {
        settings.throttle_seconds = throttle(seconds).map_err(HttpError::BadRequest)?;
    }
    settings.url_filter = parameters.url_filter.filter(|filter| !filter.is_empty());
    let messages = app.streams.listen(&app.session(), None, settings);
    let shutdown: CancellationToken = app.shutdown.clone();
    let messages = Messages { messages, end: Box::pin(shutdown.cancelled_owned()) };
    Ok(Sse::new(messages).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

struct Messages {
    messages: mpsc::Receiver<Notification>,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Stream for Messages {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Self::Item>> {
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        self.messages.poll_recv(context).map(|message| {
            let params = json!(message?);
            Some(Ok(Event::default().event(NAME).data(params.to_string())))
        })
    }
}
