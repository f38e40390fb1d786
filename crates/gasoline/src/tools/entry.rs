//! One entry in full, whatever list its id came from.

use engine::view::fit::fit_value;
use engine::view::id::{IdKind, Lookup};
use engine::view::{full, logs};
use serde_json::{Map, Value, json};

use super::Context;
use super::answer::{Answer, ToolError};

pub(super) fn one(context: &Context, id: &str, most_bytes: usize) -> Result<Answer, ToolError> {
    let ids = &context.app.ids;
    let store = context.app.store();
    let found = match ids.read(id) {
        Lookup::Entry(IdKind::Log, cursor) => store.logs.find(cursor).map(|stored| logs::full(stored, ids)),
        Lookup::Entry(kind @ IdKind::Network, cursor) => {
            store.network.find(cursor).map(|stored| full(stored, kind, ids))
        }
        Lookup::Entry(kind @ IdKind::WebSocket, cursor) => {
            store.websocket.find(cursor).map(|stored| full(stored, kind, ids))
        }
        Lookup::Entry(kind @ IdKind::Action, cursor) => {
            store.actions.find(cursor).map(|stored| full(stored, kind, ids))
        }
        Lookup::EarlierRun => {
            let message = format!("{id} is from before the server was restarted");
            return Err(ToolError::not_found(message, "list the entries again and use an id from that answer"));
        }
        Lookup::Foreign => None,
    };
    // A page may give its entries ids that look like ours.
    let found = found.or_else(|| logs::by_page_id(&store, id).map(|stored| logs::full(stored, ids)));
    let entry = found.ok_or_else(|| {
        ToolError::not_found(format!("no entry has the id {id}"), "it may have left the buffer; list the entries again")
    })?;
    drop(store);
    let mut entry = Value::Object(entry);
    let cut = fit_value(&mut entry, most_bytes);
    let mut answer = Map::new();
    answer.insert("entry".to_owned(), entry);
    if cut > 0 {
        answer.insert("cut".to_owned(), json!(format!("{cut} bytes, to keep the answer small")));
    }
    Ok(answer.into())
}
