//! One entry in full, whatever list its id came from.

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

/// One entry, with all that was captured of it.
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
            let message = format!("{id} is from before the server was restarted");
            ToolError::not_found(message, "list the entries again and use an id from that answer")
        }
        _ => ToolError::not_found(
            format!("no entry has the id {id}"),
            "it may have left the buffer; list the entries again",
        ),
    })?;
    Ok(Answer::from(Listing::Entry(found)))
}

/// The entry with that id. `None` when it is not here.
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
        // A number of that run may be another entry's in this one.
        Lookup::EarlierRun => return None,
        Lookup::Foreign => None,
    };
    // A page may give its entries ids that look like ours.
    let found = found.or_else(|| logs::by_page_id(store, id).map(|stored| json!(whole_log(stored, ids))));
    let mut entry = found?;
    drop(session);
    let cut = fit_value(&mut entry, most_bytes);
    Some(OneEntry { entry, cut: (cut > 0).then(|| format!("{cut} bytes, to keep the answer small")) })
}
