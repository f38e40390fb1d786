//! Views of the store: filtered, grouped and cut to size.

pub mod actions;
pub mod announced;
pub mod connections;
pub mod dashboard;
pub mod errors;
pub mod extension_logs;
pub mod logs;
pub mod network;
pub mod timeline;
pub mod websocket;

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::entry::Log;
use crate::redact::Finding;
use crate::store::Stored;
use crate::store::id::{IdKind, Ids};

/// An entry with all its fields.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Whole<E> {
    /// Its id.
    pub id: String,
    /// What was captured.
    #[serde(flatten)]
    pub entry: E,
    /// The credentials that were replaced in it.
    pub redacted: Option<Vec<Finding>>,
}

/// An entry in full, for kinds whose ids only the server assigns.
pub fn whole<'a, E: Serialize>(stored: &'a Stored<E>, kind: IdKind, ids: &Ids) -> Whole<&'a E> {
    whole_with_id(stored, ids.format(kind, stored.cursor))
}

/// A log entry in full; its page may have assigned its id.
pub fn whole_log<'a>(stored: &'a Stored<Log>, ids: &Ids) -> Whole<&'a Log> {
    whole_with_id(stored, stored.id(ids))
}

fn whole_with_id<E>(stored: &Stored<E>, id: String) -> Whole<&E> {
    let redacted = Some(stored.findings.clone()).filter(|findings| !findings.is_empty());
    Whole { id, entry: &stored.entry, redacted }
}
