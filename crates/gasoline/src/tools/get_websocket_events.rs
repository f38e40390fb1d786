//! Events of the page's sockets.

use engine::Kind;
use engine::answer::fit::{Extent, Fitted, fit};
use engine::view::websocket::{EventFilter, SocketEventBrief, brief, events};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::limits;

use super::entry::{self, Listing};
use super::list::list_params;
use super::{Context, Effect, Outcome, Tool, hint};

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

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Events {
    /// Newest first.
    events: Vec<Fitted<SocketEventBrief>>,
    #[serde(flatten)]
    extent: Extent,
    /// Why nothing is listed, or what is missing.
    hint: Option<String>,
}

impl Tool for GetWebsocketEvents {
    const NAME: &'static str = "get_websocket_events";
    const TITLE: &'static str = "WebSocket events";
    const DESCRIPTION: &'static str = "WebSocket opens, messages, errors and closes, newest first. Use it to see \
        what went over a socket.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::WebsocketEvents];
    type Params = Params;
    type Answer = Listing<Events>;

    async fn call(context: &Context, params: Params) -> Outcome<Listing<Events>> {
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
        let (list, known) = {
            let session = app.session();
            let entries = events(&session.store, &filter);
            let list = fit(&entries, |stored, texts| brief(stored, &app.ids, texts), budget);
            (list, session.store.websocket.len())
        };
        let hint = list.is_empty().then(|| hint::for_empty(context, Self::READS, known, filter.is_set()));
        Ok(Listing::List(Events { events: list.entries, extent: list.extent, hint }).into())
    }
}
