//! The page's requests, with their bodies.

use engine::Kind;
use engine::answer::fit::{Extent, Fitted, fit_by};
use engine::store::Stored;
use engine::view::network::{BodyFilter, RequestBrief, bodies, brief, status_class};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::limits;

use super::entry::{self, Listing};
use super::list::list_params;
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct GetNetworkBodies;

list_params! {
    Params {
        /// How many (20).
        limit: Option<u32>,
        /// HTTP method.
        method: Option<String>,
        /// Lowest, 400 for failures.
        status_min: Option<u16>,
        /// Highest status.
        status_max: Option<u16>,
    }
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Bodies {
    /// Newest first.
    bodies: Vec<Fitted<RequestBrief>>,
    #[serde(flatten)]
    extent: Extent,
    /// Why nothing is listed, or what is missing.
    hint: Option<String>,
}

impl Tool for GetNetworkBodies {
    const NAME: &'static str = "get_network_bodies";
    const TITLE: &'static str = "Network bodies";
    const DESCRIPTION: &'static str = "The page's requests with status, duration and bodies, newest first. Use it \
        to see what an API answered.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::NetworkBodies];
    type Params = Params;
    type Answer = Listing<Bodies>;

    async fn call(context: &Context, params: Params) -> Outcome<Listing<Bodies>> {
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
        let (list, has_bodies, known) = {
            let session = app.session();
            let entries = bodies(&session.store, &filter);
            let class = |_, stored: &&Stored<_>| status_class(&stored.entry);
            let list = fit_by(&entries, class, |stored, texts| brief(stored, &app.ids, texts), budget);
            let has_bodies = entries.iter().any(|(_, stored)| stored.entry.has_body());
            (list, has_bodies, session.store.network.len())
        };
        let hint = if list.is_empty() {
            Some(hint::for_empty(context, Self::READS, known, filter.is_set()))
        } else {
            (!has_bodies && hint::bodies_are_off(context)).then(|| hint::BODIES_OFF.to_owned())
        };
        Ok(Listing::List(Bodies { bodies: list.entries, extent: list.extent, hint }).into())
    }
}
