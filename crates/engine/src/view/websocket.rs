//! WebSocket events, as the model reads them.

use serde_json::{Map, Value, json};
use wire::Level;

use crate::answer::fit::Texts;
use crate::answer::object;
use crate::entry::{Direction, SocketEvent};
use crate::store::Filter;
use crate::store::id::{IdKind, Ids};
use crate::store::{Store, Stored};

const DATA_CHARS: usize = 500;

#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    pub common: Filter,
    pub connection_id: Option<String>,
    /// Messages of that direction alone.
    pub direction: Option<Direction>,
}

impl EventFilter {
    pub fn is_set(&self) -> bool {
        self.common.is_set() || self.connection_id.is_some() || self.direction.is_some()
    }
}

/// Matching events, newest first.
pub fn events<'a>(store: &'a Store, filter: &EventFilter) -> Vec<(Level, &'a Stored<SocketEvent>)> {
    store
        .websocket
        .iter()
        .rev()
        .filter(|stored| filter.common.admits(stored))
        .filter(|stored| filter.connection_id.is_none() || stored.entry.connection_id == filter.connection_id)
        .filter(|stored| filter.direction.is_none() || stored.entry.direction == filter.direction)
        .map(|stored| (stored.entry.severity(), stored))
        .collect()
}

/// What a list shows of an event.
pub fn brief(stored: &Stored<SocketEvent>, ids: &Ids, texts: &Texts) -> Map<String, Value> {
    let event = &stored.entry;
    object([
        ("id", json!(ids.format(IdKind::WebSocket, stored.cursor))),
        ("ts", json!(event.at)),
        ("event", json!(event.event)),
        ("connection_id", json!(event.connection_id)),
        ("url", json!(event.url)),
        ("direction", json!(event.direction)),
        (
            "data",
            json!(event.data.as_deref().map(|data| texts.show_cut(
                data,
                DATA_CHARS,
                event.size.filter(|_| event.truncated == Some(true))
            ))),
        ),
        ("size", json!(event.size)),
        ("truncated", json!(event.truncated.filter(|truncated| *truncated))),
        ("sampled", json!(event.sampled)),
        ("code", json!(event.code)),
        ("reason", json!(event.reason)),
        ("tabId", json!(event.tab_id)),
        ("test_id", json!(event.test_id)),
    ])
}
