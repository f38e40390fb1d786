//! Sends differences to open dashboards, at most a few times a second. A slow reader gets fewer and larger messages. A
//! reader that stops reading is disconnected, and reconnects by itself.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{self, Poll};
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse as _, Response, Sse};
use futures_core::Stream;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use wire::limits;

use super::super::{HttpError, Shared};
use super::news::{Mark, Shown};
use crate::dashboard::Watching;

/// The shortest time between two messages: people do not notice the delay, and ingest gets the store's lock more often.
const PAUSE: Duration = Duration::from_millis(80);
/// How often to look without new entries: memory, tabs and rates change without any.
const TICK: Duration = Duration::from_secs(2);
const KEEP_ALIVE: Duration = Duration::from_secs(15);

#[derive(Debug, Deserialize)]
pub(super) struct From {
    /// The mark of the page's latest data. A reconnecting browser sends it in a header instead.
    after: Option<String>,
}

pub(super) async fn live(
    State(app): State<Shared>,
    headers: HeaderMap,
    from: Result<Query<From>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(From { after }) = from.map_err(|problem| HttpError::BadRequest(problem.body_text()))?;
    let seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let mark = seen.or(after).and_then(|text| Mark::read(&text));
    let Some(watching) = app.dashboard.watch() else {
        return Err(HttpError::RateLimited { retry_after_ms: TICK.as_millis() as u64 });
    };
    let (sender, messages) = mpsc::channel(1);
    let shown = mark.map_or_else(Shown::default, |mark| Shown::up_to(mark, &app));
    tokio::spawn(send(app, shown, watching, sender));
    Ok(Sse::new(Messages(messages)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

async fn send(app: Shared, mut shown: Shown, mut watching: Watching, sender: mpsc::Sender<Event>) {
    let patience = Duration::from_secs(limits::DASHBOARD_PATIENCE_SECONDS);
    let mut is_tick = true;
    loop {
        // Wait for room first, so that the message is current when it is sent.
        let Ok(Ok(place)) = timeout(patience, sender.reserve()).await else { return };
        watching.changed.mark_unchanged();
        if let Some(news) = shown.news(&app, is_tick) {
            place.send(Event::default().event("news").data(news.text()).id(news.mark));
        }
        let sent = Instant::now();
        tokio::select! {
            () = app.shutdown.cancelled() => return,
            () = sender.closed() => return,
            () = tokio::time::sleep(TICK) => is_tick = true,
            changed = watching.changed.changed() => {
                if changed.is_err() {
                    return;
                }
                is_tick = false;
                tokio::time::sleep_until(sent + PAUSE).await;
            }
        }
    }
}

struct Messages(mpsc::Receiver<Event>);

impl Stream for Messages {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
