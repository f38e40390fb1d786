//! One entry in full. Its id may come from any list.

use engine::answer::fit::fit_value;
use engine::store::id::{IdKind, Lookup};
use engine::view::{logs, whole, whole_log};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use serde_with::skip_serializing_none;

use super::answer::{Answer, ToolError};
use super::{Context, Outcome};
use crate::app::App;

/// What a list tool answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Listing<L> {
    /// The list.
    List(L),
    /// With `id`: that entry.
    Entry(OneEntry),
}

/// One entry, with everything that was captured.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OneEntry {
    /// The entry with all its fields.
    #[schemars(with = "serde_json::Map<String, Value>")]
    entry: Value,
    /// How much of it was cut, to keep the answer small.
    cut: Option<String>,
}

pub(super) fn one<L>(context: &Context, id: &str, most_bytes: usize) -> Outcome<Listing<L>> {
    let found = find(&context.app, id, most_bytes).ok_or_else(|| match context.app.ids.read(id) {
        Lookup::EarlierRun => {
            let message = format!("entry {id} is from before the server restarted");
            ToolError::not_found(message, "list the entries again and use an id from that answer")
        }
        _ => ToolError::not_found(format!("no entry has id {id}"), "it may have been evicted; list the entries again"),
    })?;
    Ok(Answer::from(Listing::Entry(found)))
}

/// The entry with this id, or `None` when the store does not have it.
pub(crate) fn find(app: &App, id: &str, most_bytes: usize) -> Option<OneEntry> {
    let ids = &app.ids;
    let session = app.session();
    let store = &session.store;
    let found = match ids.read(id) {
        Lookup::Entry(IdKind::Log, cursor) => store.logs.find(cursor).map(|stored| json!(whole_log(stored, ids))),
        Lookup::Entry(kind @ IdKind::Network, cursor) => {
            store.network.find(cursor).map(|stored| json!(whole(stored, kind, ids)))
        }
        Lookup::Entry(kind @ IdKind::WebSocket, cursor) => {
            store.websocket.find(cursor).map(|stored| json!(whole(stored, kind, ids)))
        }
        Lookup::Entry(kind @ IdKind::Action, cursor) => {
            store.actions.find(cursor).map(|stored| json!(whole(stored, kind, ids)))
        }
        // An id of an earlier run may name another entry in this one.
        Lookup::EarlierRun => return None,
        Lookup::Foreign => None,
    };
    // A page may give its entries ids that look like the server's.
    let found = found.or_else(|| logs::by_page_id(store, id).map(|stored| json!(whole_log(stored, ids))));
    let mut entry = found?;
    drop(session);
    let cut = fit_value(&mut entry, most_bytes);
    Some(OneEntry { entry, cut: (cut > 0).then(|| format!("{cut} bytes, to keep the answer small")) })
}
