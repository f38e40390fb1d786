//! The state of sockets, and what passes through them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::Timestamp;
use wire::websocket::{MessageSchema, SamplingState};

use crate::store::{Connection, Store, Traffic};
use crate::text::shorten;

const URL_CHARS: usize = 500;
/// Length of a key, a variant or a reason; longer ones are content.
const NAME_CHARS: usize = 100;
/// Below this many messages a second, nothing is sampled.
const SAMPLED_FROM: f64 = 10.0;

/// Which connections to list.
#[derive(Debug, Clone, Default)]
pub struct ConnectionFilter {
    /// Only addresses that contain this.
    pub url: Option<String>,
    /// Only this connection.
    pub connection_id: Option<String>,
    /// Only this browser tab.
    pub tab_id: Option<i64>,
    /// Only this test.
    pub test_id: Option<String>,
}

impl ConnectionFilter {
    /// Whether any filter is set.
    pub fn is_set(&self) -> bool {
        self.url.is_some() || self.connection_id.is_some() || self.tab_id.is_some() || self.test_id.is_some()
    }

    fn admits(&self, connection: &Connection) -> bool {
        self.url.as_deref().is_none_or(|part| connection.url.as_deref().is_some_and(|url| url.contains(part)))
            && self.connection_id.as_deref().is_none_or(|id| connection.id == id)
            && self.tab_id.is_none_or(|tab| connection.tab_id == Some(tab))
            && self.test_id.as_deref().is_none_or(|test| connection.test_id.as_deref() == Some(test))
    }
}

/// The connections that match, newest first.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Connections {
    /// Open connections, and those being opened.
    pub connections: Vec<OpenConnection>,
    /// Closed connections.
    pub closed: Vec<ClosedConnection>,
}

/// An open connection.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenConnection {
    /// Pass it as `connection_id`.
    pub id: String,
    /// Address of the socket.
    pub url: Option<String>,
    /// `connecting` or `open`.
    pub state: &'static str,
    /// When it was opened.
    pub opened_at: Option<Timestamp>,
    /// How long it has been open.
    pub duration: Option<String>,
    /// How many messages pass.
    pub message_rate: BothWays<Rate>,
    /// The last message in each direction.
    pub last_message: Option<LastMessages>,
    /// What incoming messages look like, if they are JSON.
    pub schema: Option<MessageSchema>,
    /// What outgoing messages look like, if they are JSON.
    pub outgoing_schema: Option<MessageSchema>,
    /// Whether only a share of the messages is kept, and why.
    pub sampling: SamplingState,
    /// The browser tab.
    pub tab_id: Option<i64>,
    /// The test that it belongs to.
    #[serde(rename = "test_id")]
    pub test_id: Option<String>,
}

/// A closed connection.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedConnection {
    /// Pass it as `connection_id`.
    pub id: String,
    /// Address of the socket.
    pub url: Option<String>,
    /// `closed` or `error`.
    pub state: &'static str,
    /// When it was opened.
    pub opened_at: Option<Timestamp>,
    /// When it closed.
    pub closed_at: Option<Timestamp>,
    /// The close code.
    pub close_code: Option<u16>,
    /// The close reason; empty if none was given.
    pub close_reason: String,
    /// Messages over its whole life.
    pub total_messages: BothWays<u64>,
    /// The browser tab.
    pub tab_id: Option<i64>,
    /// The test that it belongs to.
    #[serde(rename = "test_id")]
    pub test_id: Option<String>,
}

/// The same for both directions.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct BothWays<T> {
    /// From the server to the page.
    pub incoming: T,
    /// From the page to the server.
    pub outgoing: T,
}

/// The traffic in one direction.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Rate {
    /// Messages a second, over the last five seconds.
    pub per_second: f64,
    /// Messages so far.
    pub total: u64,
    /// Bytes so far.
    pub bytes: u64,
}

/// The last message in each direction, if there was one.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct LastMessages {
    /// From the server to the page.
    pub incoming: Option<LastMessage>,
    /// From the page to the server.
    pub outgoing: Option<LastMessage>,
}

/// The last message in one direction.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct LastMessage {
    /// When it passed.
    pub at: Timestamp,
    /// How long ago that is.
    pub age: String,
    /// Its start.
    pub preview: Option<String>,
}

/// The matching connections, open and closed.
pub fn status(store: &Store, filter: &ConnectionFilter, now: Timestamp) -> Connections {
    let mut all = Connections::default();
    for connection in store.connections.iter().rev().filter(|connection| filter.admits(connection)) {
        if !connection.is_closed() {
            all.connections.push(live(connection, now));
        } else if !connection.is_over(now) {
            all.closed.push(closed(connection));
        }
    }
    all
}

fn live(connection: &Connection, now: Timestamp) -> OpenConnection {
    let (incoming, outgoing) = connection.rates(now);
    let rate =
        |traffic: &Traffic, rate: f64| Rate { per_second: tenths(rate), total: traffic.total, bytes: traffic.bytes };
    let last = |traffic: &Traffic| {
        let at = traffic.last_at?;
        Some(LastMessage { at, age: age(at, now), preview: traffic.last_preview.clone() })
    };
    let (last_in, last_out) = (last(&connection.incoming), last(&connection.outgoing));
    let has_messages = last_in.is_some() || last_out.is_some();
    OpenConnection {
        id: connection.id.clone(),
        url: url(connection),
        state: connection.state.name(),
        opened_at: connection.opened_at,
        duration: connection.opened_at.map(|at| age(at, now)),
        message_rate: BothWays {
            incoming: rate(&connection.incoming, incoming),
            outgoing: rate(&connection.outgoing, outgoing),
        },
        last_message: has_messages.then_some(LastMessages { incoming: last_in, outgoing: last_out }),
        schema: connection.schema().map(short_schema),
        outgoing_schema: connection.outgoing_schema().map(short_schema),
        sampling: sampling(connection, incoming + outgoing, now),
        tab_id: connection.tab_id,
        test_id: connection.test_id.clone(),
    }
}

fn closed(connection: &Connection) -> ClosedConnection {
    ClosedConnection {
        id: connection.id.clone(),
        url: url(connection),
        state: connection.state.name(),
        opened_at: connection.opened_at,
        closed_at: connection.closed_at,
        close_code: connection.close_code,
        close_reason: connection.close_reason.clone().unwrap_or_default(),
        total_messages: BothWays { incoming: connection.incoming.total, outgoing: connection.outgoing.total },
        tab_id: connection.tab_id,
        test_id: connection.test_id.clone(),
    }
}

fn url(connection: &Connection) -> Option<String> {
    connection.url.as_deref().map(|url| shorten(url, URL_CHARS))
}

fn short_schema(mut schema: MessageSchema) -> MessageSchema {
    for name in [&mut schema.detected_keys, &mut schema.variants].into_iter().flatten().flatten() {
        *name = shorten(name, NAME_CHARS);
    }
    schema
}

/// Whether every message is captured: as the page reports, else as its last message states, while messages come that
/// fast.
fn sampling(connection: &Connection, rate: f64, now: Timestamp) -> SamplingState {
    if let Some(sampling) = connection.sampling.as_ref().filter(|_| connection.is_fresh(now) || rate >= SAMPLED_FROM) {
        let short = |text: &Option<String>| text.as_deref().map(|text| shorten(text, NAME_CHARS));
        let reason = match sampling.active {
            Some(true) if !connection.is_fresh(now) => Some(exceeds(&format!("{:.1}", tenths(rate)))),
            _ => short(&sampling.reason),
        };
        return SamplingState { active: sampling.active, rate: short(&sampling.rate), reason };
    }
    let is_stated = connection.sampling.is_some() || connection.is_silent(now);
    if let Some(sampled) = connection.sampled.as_ref().filter(|_| !is_stated) {
        let rate = sampled.rate.as_deref().unwrap_or_default().trim_end_matches("/s");
        return SamplingState { active: Some(true), rate: sampled.logged.clone(), reason: Some(exceeds(rate)) };
    }
    let reason = if rate < SAMPLED_FROM {
        format!("{:.1} msg/s below {SAMPLED_FROM} msg/s threshold", tenths(rate))
    } else {
        format!("{:.1} msg/s, and the sender left none out", tenths(rate))
    };
    SamplingState { active: Some(false), rate: None, reason: Some(reason) }
}

fn exceeds(rate: &str) -> String {
    format!("{rate} msg/s exceeds {SAMPLED_FROM} msg/s threshold")
}

fn tenths(rate: f64) -> f64 {
    (rate * 10.0).round() / 10.0
}

/// How long ago: `0.2s`, `5m02s`, `2h05m`.
fn age(at: Timestamp, now: Timestamp) -> String {
    // A page's clock may be ahead of the server's.
    let millis = (now.millis() - at.millis()).max(0);
    let seconds = millis / 1000;
    match seconds {
        0..60 => format!("{seconds}.{}s", millis % 1000 / 100),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_written_briefly() {
        for (millis, expected) in [
            (-5, "0.0s"),
            (0, "0.0s"),
            (200, "0.2s"),
            (17_299, "17.2s"),
            (59_999, "59.9s"),
            (60_000, "1m00s"),
            (302_000, "5m02s"),
            (3_599_999, "59m59s"),
            (3_600_000, "1h00m"),
            (7_500_000, "2h05m"),
        ] {
            assert_eq!(age(Timestamp::from_millis(0), Timestamp::from_millis(millis)), expected);
        }
    }
}
