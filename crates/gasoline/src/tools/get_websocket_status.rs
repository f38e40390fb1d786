//! Whether each socket is connected, and whether messages arrive.

use engine::Kind;
use engine::view::connections::{ConnectionFilter, Connections, status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{Context, Effect, Outcome, Tool, hint};
use crate::clock;

pub(super) struct GetWebsocketStatus;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    /// One connection.
    connection_id: Option<String>,
    /// One tab.
    tab_id: Option<i64>,
    /// One test.
    test_id: Option<String>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    connections: Connections,
    /// Why nothing is listed.
    hint: Option<String>,
}

impl Tool for GetWebsocketStatus {
    const NAME: &'static str = "get_websocket_status";
    const TITLE: &'static str = "WebSocket status";
    const DESCRIPTION: &'static str = "Each WebSocket: open or closed, rates, last messages, their schema. Use it \
        to check a connection.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::WebsocketEvents];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let filter = ConnectionFilter {
            url: given(params.url_filter),
            connection_id: given(params.connection_id),
            tab_id: params.tab_id,
            test_id: params.test_id,
        };
        let now = clock::now();
        let (connections, known) = {
            let mut session = context.app.session();
            session.forget(now);
            (status(&session.store, &filter, now), session.store.connections.len())
        };
        let is_empty = connections.connections.is_empty() && connections.closed.is_empty();
        let hint = is_empty.then(|| hint::for_empty(context, Self::READS, known, filter.is_set()));
        Ok(Answered { connections, hint }.into())
    }
}
