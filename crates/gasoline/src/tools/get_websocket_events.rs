//! What went over the page's sockets.

use engine::Kind;
use engine::answer::fit::fit;
use engine::view::websocket::{EventFilter, brief, events};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::limits;

use super::answer::{Answer, ToolError};
use super::list::list_params;
use super::{Context, Effect, Tool, entry, hint};

pub(super) struct GetWebsocketEvents;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Direction {
    Incoming,
    Outgoing,
}

list_params! {
    Params {
        /// How many (50).
        limit: Option<u32>,
        /// One connection.
        connection_id: Option<String>,
        /// Messages only.
        direction: Option<Direction>,
    }
}

impl Tool for GetWebsocketEvents {
    const NAME: &'static str = "get_websocket_events";
    const TITLE: &'static str = "WebSocket events";
    const DESCRIPTION: &'static str = "Socket connections, messages and disconnections, newest first. Use it to see \
        what went over a socket.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::WebsocketEvents];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let budget = common.budget(params.limit, limits::WEBSOCKET_LIST_DEFAULT)?;
        let filter = EventFilter {
            common: common.filter(context, Self::NAME)?,
            connection_id: params.connection_id.clone().filter(|id| !id.is_empty()),
            direction: params.direction.map(|direction| match direction {
                Direction::Incoming => engine::entry::Direction::Incoming,
                Direction::Outgoing => engine::entry::Direction::Outgoing,
            }),
        };
        let app = &context.app;
        let (mut answer, empty, known) = {
            let session = app.session();
            let entries = events(&session.store, &filter);
            let answer = fit("events", &entries, |stored, texts| Value::Object(brief(stored, &app.ids, texts)), budget);
            (answer, entries.is_empty(), session.store.websocket.len())
        };
        if empty {
            answer.insert("hint".to_owned(), json!(hint::for_empty(context, Self::READS, known, filter.is_set())));
        }
        Ok(answer.into())
    }
}
