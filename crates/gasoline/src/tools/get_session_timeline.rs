//! Everything that happened in a session, in order.

use engine::Kind;
use engine::moments::Include;
use engine::view::timeline::{Timeline, timeline};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::limits;

use super::answer::ToolError;
use super::entry::{self, Listing};
use super::list::list_params;
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct GetSessionTimeline;

list_params! {
    Params {
        /// Last n actions (all).
        last_n_actions: Option<u32>,
        /// actions, network, console, websocket (all).
        include: Option<Vec<String>>,
    }
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    timeline: Timeline,
    /// Why nothing is listed.
    hint: Option<String>,
}

impl Tool for GetSessionTimeline {
    const NAME: &'static str = "get_session_timeline";
    const TITLE: &'static str = "Session timeline";
    const DESCRIPTION: &'static str = "Actions, requests, console, sockets and code updates in order, oldest first. \
        Use it to see what led to what.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::EnhancedActions, Kind::NetworkBodies, Kind::Logs, Kind::WebsocketEvents];
    type Params = Params;
    type Answer = Listing<Answered>;

    async fn call(context: &Context, params: Params) -> Outcome<Listing<Answered>> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let mut budget = common.budget_of("last_n_actions", params.last_n_actions, 0)?;
        budget.entries = limits::TIMELINE_ENTRIES;
        let include = read_include(params.include.as_deref())?;
        let filter = common.filter(context, Self::NAME)?;
        let last_actions = params.last_n_actions.map(|wanted| wanted as usize);
        let (timeline, known) = {
            let session = context.app.session();
            let known = session.store.logs.len()
                + session.store.network.len()
                + session.store.actions.len()
                + session.store.websocket.len();
            (timeline(&session, &filter, include, last_actions, budget), known)
        };
        let is_filtered = filter.is_set() || include != Include::ALL;
        let is_empty = timeline.extent.total == 0;
        let hint = is_empty.then(|| hint::for_empty(context, Self::READS, known, is_filtered));
        Ok(Listing::List(Answered { timeline, hint }).into())
    }
}

fn read_include(wanted: Option<&[String]>) -> Result<Include, ToolError> {
    let Some(wanted) = wanted.filter(|wanted| !wanted.is_empty()) else { return Ok(Include::ALL) };
    let mut include = Include { actions: false, network: false, console: false, websocket: false };
    for name in wanted {
        match name.as_str() {
            "actions" => include.actions = true,
            "network" => include.network = true,
            "console" => include.console = true,
            "websocket" => include.websocket = true,
            other => {
                let message = format!("unknown value `{other}` in `include`");
                return Err(ToolError::invalid_params(message, "use any of actions, network, console, websocket"));
            }
        }
    }
    Ok(include)
}
