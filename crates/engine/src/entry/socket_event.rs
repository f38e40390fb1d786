//! WebSocket life cycle and messages.

use wire::websocket::{ConnectionStats, DirectionStats, MessageSchema, Sampling, SamplingState};
use wire::{Level, Timestamp, WebSocketEvent, limits};

use super::{Arrival, Parse, Refusal, time_of};
use crate::redact::{Redact, Scrubber};

/// Codes of a normal end: normal, going away, no code.
const EXPECTED_CODES: [u16; 3] = [1000, 1001, 1005];

names! {
    /// What happened to a connection.
    pub enum SocketEventKind {
        Connecting = "connecting",
        Open = "open",
        Message = "message",
        Close = "close",
        Error = "error",
        /// Not an event: the page's totals of a connection.
        Stats = "stats",
    }
}

names! {
    /// The direction of a message.
    pub enum Direction {
        Incoming = "incoming",
        Outgoing = "outgoing",
    }
}

entry! {
    /// One event of one connection.
    #[serde(tag = "type", rename = "websocket")]
    pub struct SocketEvent from WebSocketEvent {
        #[serde(rename = "ts")]
        at: Timestamp,
        event: SocketEventKind,
        #[serde(skip_serializing_if = "Option::is_none")]
        direction: Option<Direction>,
    } optional {
        connection_id: String,
        url: String,
        data: String,
        /// The message's whole size in bytes.
        size: u64,
        truncated: bool,
        sampled: Sampling,
        code: u16,
        reason: String,
        stats: ConnectionStats,
    } addresses {
        event => [event.url.as_deref(), None, None]
    }
}

impl SocketEvent {
    pub(crate) fn is_incoming_message(&self) -> bool {
        self.event == SocketEventKind::Message && !self.is_outgoing()
    }

    /// Whether it only carries the page's totals of its connection.
    pub(crate) fn is_stats(&self) -> bool {
        self.event == SocketEventKind::Stats
    }

    pub(crate) fn is_outgoing(&self) -> bool {
        self.direction == Some(Direction::Outgoing)
    }

    /// Whether the connection was lost, judged by its close code.
    pub(crate) fn is_unexpected_close(&self) -> bool {
        self.event == SocketEventKind::Close && self.code.is_some_and(|code| !EXPECTED_CODES.contains(&code))
    }

    /// How severe the event is.
    pub fn severity(&self) -> Level {
        match self.event {
            SocketEventKind::Error => Level::Error,
            SocketEventKind::Close if self.is_unexpected_close() => Level::Warn,
            _ => Level::Log,
        }
    }
}

impl Parse for SocketEvent {
    type Wire = WebSocketEvent;

    fn parse(mut wire: WebSocketEvent, arrival: Arrival<'_>) -> Result<Self, Refusal> {
        let event = wire.event.as_deref().ok_or("a WebSocket event needs `event`")?;
        let event =
            SocketEventKind::named(event).ok_or("`event` is one of connecting, open, message, close, error, stats")?;
        let direction = match wire.direction.as_deref().map(Direction::named) {
            None => None,
            Some(Some(direction)) => Some(direction),
            Some(None) => return Err("`direction` is incoming or outgoing"),
        };
        let cut_from = wire.data.as_ref().map(String::len).filter(|length| *length > limits::WEBSOCKET_MESSAGE_BYTES);
        wire.size = wire.size.or(cut_from.map(|length| length as u64));
        Ok(Self::with(time_of(&wire, arrival), event, direction, wire))
    }
}

impl Redact for SocketEvent {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            at: _,
            event: _,
            direction: _,
            connection_id,
            url,
            data,
            size: _,
            truncated,
            sampled,
            code: _,
            reason,
            stats,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        if let Some(data) = data
            && scrubber.bounded("data", data, limits::WEBSOCKET_MESSAGE_BYTES)
        {
            *truncated = Some(true);
        }
        scrubber.url("url", url);
        for (field, text) in
            [("id", connection_id), ("reason", reason), ("test_id", test_id), ("page_id", page_id), ("worker", worker)]
        {
            scrubber.opt_text(field, text);
        }
        if let Some(Sampling { rate, logged, window }) = sampled {
            for text in [rate, logged, window] {
                scrubber.opt_text("sampled", text);
            }
        }
        if let Some(stats) = stats {
            scrub_stats(stats, scrubber);
        }
    }
}

fn scrub_stats(stats: &mut ConnectionStats, scrubber: &mut Scrubber<'_>) {
    let ConnectionStats { incoming, outgoing, schema, sampling } = stats;
    for direction in [incoming, outgoing].into_iter().flatten() {
        let DirectionStats { total: _, bytes: _, per_second: _, last_at: _, last_preview } = direction;
        scrubber.opt_text("stats.lastPreview", last_preview);
    }
    if let Some(MessageSchema { detected_keys, message_count: _, consistent: _, variants }) = schema {
        for text in [detected_keys, variants].into_iter().flatten().flatten() {
            scrubber.text("stats.schema", text);
        }
    }
    if let Some(SamplingState { active: _, rate, reason }) = sampling {
        for text in [rate, reason] {
            scrubber.opt_text("stats.sampling", text);
        }
    }
}
