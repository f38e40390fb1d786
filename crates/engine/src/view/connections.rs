//! Whether a socket is connected, and what runs over it.

use serde_json::{Map, Value, json};
use wire::Timestamp;
use wire::websocket::{MessageSchema, SamplingState};

use crate::answer::object;
use crate::store::{Connection, Store, Traffic};
use crate::text::shorten;

const URL_CHARS: usize = 500;
/// A key, a variant, a reason: longer ones are content.
const NAME_CHARS: usize = 100;
/// Below this many messages a second nothing is sampled.
const SAMPLED_FROM: f64 = 10.0;

#[derive(Debug, Clone, Default)]
pub struct ConnectionFilter {
    pub url: Option<String>,
    pub connection_id: Option<String>,
    pub tab_id: Option<i64>,
    pub test_id: Option<String>,
}

impl ConnectionFilter {
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

/// The matching connections, newest first: those that live, and those that ended.
pub fn status(store: &Store, filter: &ConnectionFilter, now: Timestamp) -> (Vec<Value>, Vec<Value>) {
    let mut all: (Vec<Value>, Vec<Value>) = Default::default();
    for connection in store.connections.iter().rev().filter(|connection| filter.admits(connection)) {
        if !connection.is_closed() {
            all.0.push(Value::Object(live(connection, now)));
        } else if !connection.is_over(now) {
            all.1.push(Value::Object(closed(connection)));
        }
    }
    all
}

fn live(connection: &Connection, now: Timestamp) -> Map<String, Value> {
    let (incoming, outgoing) = connection.rates(now);
    let traffic = |traffic: &Traffic, rate: f64| json!({ "perSecond": tenths(rate), "total": traffic.total, "bytes": traffic.bytes });
    let last = |traffic: &Traffic| match traffic.last_at {
        Some(at) => {
            json!(object([("at", json!(at)), ("age", json!(age(at, now))), ("preview", json!(traffic.last_preview)),]))
        }
        None => Value::Null,
    };
    let last_message = object([("incoming", last(&connection.incoming)), ("outgoing", last(&connection.outgoing))]);
    object([
        ("id", json!(connection.id)),
        ("url", url(connection)),
        ("state", json!(connection.state.name())),
        ("openedAt", json!(connection.opened_at)),
        ("duration", json!(connection.opened_at.map(|at| age(at, now)))),
        (
            "messageRate",
            json!({ "incoming": traffic(&connection.incoming, incoming), "outgoing": traffic(&connection.outgoing, outgoing) }),
        ),
        ("lastMessage", if last_message.is_empty() { Value::Null } else { Value::Object(last_message) }),
        ("schema", json!(connection.schema().map(short_schema))),
        ("outgoingSchema", json!(connection.outgoing_schema().map(short_schema))),
        ("sampling", json!(sampling(connection, incoming + outgoing, now))),
        ("tabId", json!(connection.tab_id)),
        ("test_id", json!(connection.test_id)),
    ])
}

fn closed(connection: &Connection) -> Map<String, Value> {
    let mut out = object([
        ("id", json!(connection.id)),
        ("url", url(connection)),
        ("state", json!(connection.state.name())),
        ("openedAt", json!(connection.opened_at)),
        ("closedAt", json!(connection.closed_at)),
        ("closeCode", json!(connection.close_code)),
        ("closeReason", json!(connection.close_reason.as_deref().unwrap_or_default())),
    ]);
    let total = json!({ "incoming": connection.incoming.total, "outgoing": connection.outgoing.total });
    out.insert("totalMessages".to_owned(), total);
    out.extend(object([("tabId", json!(connection.tab_id)), ("test_id", json!(connection.test_id))]));
    out
}

fn url(connection: &Connection) -> Value {
    json!(connection.url.as_deref().map(|url| shorten(url, URL_CHARS)))
}

fn short_schema(mut schema: MessageSchema) -> MessageSchema {
    for name in [&mut schema.detected_keys, &mut schema.variants].into_iter().flatten().flatten() {
        *name = shorten(name, NAME_CHARS);
    }
    schema
}

/// Whether every message is here: as the page says, else as its last message says, as long as messages come that fast.
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
    // A page's clock may be ahead of ours.
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
    fn ages() {
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
