//! One entry in full, whatever list its id came from.

use engine::answer::fit::fit_value;
use engine::store::id::{IdKind, Lookup};
use engine::view::{full, logs};
use serde_json::{Map, Value, json};

use super::Context;
use super::answer::{Answer, ToolError};
use crate::app::App;

pub(super) fn one(context: &Context, id: &str, most_bytes: usize) -> Result<Answer, ToolError> {
    let answer = find(&context.app, id, most_bytes).ok_or_else(|| match context.app.ids.read(id) {
        Lookup::EarlierRun => {
            let message = format!("{id} is from before the server was restarted");
            ToolError::not_found(message, "list the entries again and use an id from that answer")
        }
        _ => ToolError::not_found(
            format!("no entry has the id {id}"),
            "it may have left the buffer; list the entries again",
        ),
    })?;
    Ok(answer.into())
}

/// `entry`, and how much of it was cut. `None` when it is not here.
pub(crate) fn find(app: &App, id: &str, most_bytes: usize) -> Option<Map<String, Value>> {
    let ids = &app.ids;
    let session = app.session();
    let found = match ids.read(id) {
        Lookup::Entry(IdKind::Log, cursor) => session.store.logs.find(cursor).map(|stored| logs::full(stored, ids)),
        Lookup::Entry(kind @ IdKind::Network, cursor) => {
            session.store.network.find(cursor).map(|stored| full(stored, kind, ids))
        }
        Lookup::Entry(kind @ IdKind::WebSocket, cursor) => {
            session.store.websocket.find(cursor).map(|stored| full(stored, kind, ids))
        }
        Lookup::Entry(kind @ IdKind::Action, cursor) => {
            session.store.actions.find(cursor).map(|stored| full(stored, kind, ids))
        }
        // A number of that run may be another entry's in this one.
        Lookup::EarlierRun => return None,
        Lookup::Foreign => None,
    };
    // A page may give its entries ids that look like ours.
    let found = found.or_else(|| logs::by_page_id(&session.store, id).map(|stored| logs::full(stored, ids)));
    let found = found?;
    drop(session);
    let mut entry = Value::Object(found);
    let cut = fit_value(&mut entry, most_bytes);
    let mut answer = Map::new();
    answer.insert("entry".to_owned(), entry);
    if cut > 0 {
        answer.insert("cut".to_owned(), json!(format!("{cut} bytes, to keep the answer small")));
    }
    Some(answer)
}
