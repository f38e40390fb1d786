//! What was asked of the server, and what it said.

use engine::Kind;
use engine::answer::fit::{Texts, fit_by};
use engine::store::Stored;
use engine::view::network::{BodyFilter, bodies, brief, status_class};
use serde_json::{Value, json};
use wire::limits;

use super::answer::{Answer, ToolError};
use super::list::list_params;
use super::{Context, Effect, Tool, entry, hint};

pub(super) struct GetNetworkBodies;

list_params! {
    Params {
        /// How many (20).
        limit: Option<u32>,
        /// HTTP method.
        method: Option<String>,
        /// 400 for failures.
        status_min: Option<u16>,
        /// Highest status.
        status_max: Option<u16>,
    }
}

impl Tool for GetNetworkBodies {
    const NAME: &'static str = "get_network_bodies";
    const TITLE: &'static str = "Network bodies";
    const DESCRIPTION: &'static str = "The page's requests with status, duration and bodies, newest first. Use it \
        to see what an API answered.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::NetworkBodies];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let budget = common.budget(params.limit, limits::NETWORK_LIST_DEFAULT)?;
        let filter = BodyFilter {
            common: common.filter(context, Self::NAME)?,
            method: params.method.clone().filter(|method| !method.is_empty()),
            status_min: params.status_min,
            status_max: params.status_max,
        };
        let app = &context.app;
        let (mut answer, empty, bare, known) = {
            let session = app.session();
            let entries = bodies(&session.store, &filter);
            let class = |_, stored: &&Stored<_>| status_class(&stored.entry);
            let render = |stored: &&Stored<_>, texts: &Texts| Value::Object(brief(stored, &app.ids, texts));
            let answer = fit_by("bodies", &entries, class, render, budget);
            let bare = entries.iter().all(|(_, stored)| !stored.entry.has_body());
            (answer, entries.is_empty(), bare, session.store.network.len())
        };
        if empty {
            answer.insert("hint".to_owned(), json!(hint::for_empty(context, Self::READS, known, filter.is_set())));
        } else if bare && hint::bodies_are_off(context) {
            answer.insert("hint".to_owned(), json!(hint::BODIES_OFF));
        }
        Ok(answer.into())
    }
}
