//! WebSocket events, as the model reads them.

use serde_json::{Map, Value, json};
use wire::{Level, WebSocketEvent};

use crate::answer::fit::Texts;
use crate::answer::object;
use crate::store::Filter;
use crate::store::id::{IdKind, Ids};
use crate::store::{Store, Stored};

const DATA_CHARS: usize = 500;
/// Codes of a connection that ended as it should.
const EXPECTED_CODES: &[u16] = &[1000, 1001, 1005];

#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    pub common: Filter,
    pub connection_id: Option<String>,
    /// `incoming` or `outgoing`: messages of that direction alone.
    pub direction: Option<&'static str>,
}

impl EventFilter {
    pub fn is_set(&self) -> bool {
        self.common.is_set() || self.connection_id.is_some() || self.direction.is_some()
    }
}

/// Matching events, newest first.
pub fn events<'a>(store: &'a Store, filter: &EventFilter) -> Vec<(Level, &'a Stored<WebSocketEvent>)> {
    let is = |own: &Option<String>, wanted: Option<&str>| wanted.is_none_or(|wanted| own.as_deref() == Some(wanted));
    store
        .websocket
        .iter()
        .rev()
        .filter(|stored| filter.common.admits(stored, [&stored.entry.url]))
        .filter(|stored| is(&stored.entry.connection_id, filter.connection_id.as_deref()))
        .filter(|stored| is(&stored.entry.direction, filter.direction))
        .map(|stored| (severity(&stored.entry), stored))
        .collect()
}

pub(crate) fn severity(event: &WebSocketEvent) -> Level {
    match (event.event.as_deref(), event.code) {
        (Some("error"), _) => Level::Error,
        (Some("close"), Some(code)) if !EXPECTED_CODES.contains(&code) => Level::Warn,
        _ => Level::Log,
    }
}

/// What a list shows of an event.
pub fn brief(stored: &Stored<WebSocketEvent>, ids: &Ids, texts: &Texts) -> Map<String, Value> {
    let event = &stored.entry;
    object([
        ("id", json!(ids.format(IdKind::WebSocket, stored.cursor))),
        ("ts", json!(event.ts)),
        ("event", json!(event.event)),
        ("connection_id", json!(event.connection_id)),
        ("url", json!(event.url)),
        ("direction", json!(event.direction)),
        ("data", json!(event.data.as_deref().map(|data| texts.show(data, DATA_CHARS)))),
        ("size", json!(event.size)),
        ("truncated", json!(event.truncated.filter(|truncated| *truncated))),
        ("sampled", json!(event.sampled)),
        ("code", json!(event.code)),
        ("reason", json!(event.reason)),
        ("tabId", json!(event.tab_id)),
        ("test_id", json!(event.test_id)),
    ])
}
