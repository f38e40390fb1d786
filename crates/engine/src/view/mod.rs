//! What is read out of the store: filtered, grouped, cut to size.

pub mod actions;
pub mod announced;
pub mod connections;
pub mod errors;
pub mod extension_logs;
pub mod logs;
pub mod network;
pub mod picture;
pub mod timeline;
pub mod websocket;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::store::Stored;
use crate::store::id::{IdKind, Ids};

/// All there is about an entry that only we name.
pub fn full<T: Serialize>(stored: &Stored<T>, kind: IdKind, ids: &Ids) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("id".to_owned(), json!(ids.format(kind, stored.cursor)));
    if let Ok(Value::Object(fields)) = serde_json::to_value(&stored.entry) {
        out.extend(fields);
    }
    if !stored.findings.is_empty() {
        out.insert("redacted".to_owned(), json!(stored.findings));
    }
    out
}
