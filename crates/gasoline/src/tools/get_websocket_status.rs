//! Is the socket connected, and does anything come.

use engine::Kind;
use engine::view::connections::{ConnectionFilter, status};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool, hint};
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

impl Tool for GetWebsocketStatus {
    const NAME: &'static str = "get_websocket_status";
    const TITLE: &'static str = "WebSocket status";
    const DESCRIPTION: &'static str = "Each WebSocket: open or closed, rates, last messages, their schema. Use it \
        to see whether a socket is connected.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::WebsocketEvents];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let filter = ConnectionFilter {
            url: given(params.url_filter),
            connection_id: given(params.connection_id),
            tab_id: params.tab_id,
            test_id: params.test_id,
        };
        let now = clock::now();
        let ((connections, closed), known) = {
            let mut session = context.app.session();
            session.forget(now);
            (status(&session.store, &filter, now), session.store.connections.len())
        };
        let empty = connections.is_empty() && closed.is_empty();
        let mut answer = Map::new();
        answer.insert("connections".to_owned(), json!(connections));
        answer.insert("closed".to_owned(), json!(closed));
        if empty {
            answer.insert("hint".to_owned(), json!(hint::for_empty(context, Self::READS, known, filter.is_set())));
        }
        Ok(answer.into())
    }
}
