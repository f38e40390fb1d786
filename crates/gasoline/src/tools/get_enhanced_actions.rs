//! The user's actions.

use engine::Kind;
use engine::answer::fit::{Extent, Fitted, fit};
use engine::view::actions::{ActionBrief, actions, brief};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::limits;

use super::entry::{self, Listing};
use super::list::list_params;
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct GetEnhancedActions;

list_params! {
    Params {
        /// Last n actions (all).
        last_n: Option<u32>,
    }
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Actions {
    /// Newest first.
    actions: Vec<Fitted<ActionBrief>>,
    #[serde(flatten)]
    extent: Extent,
    /// Why nothing is listed, or what is missing.
    hint: Option<String>,
}

impl Tool for GetEnhancedActions {
    const NAME: &'static str = "get_enhanced_actions";
    const TITLE: &'static str = "User actions";
    const DESCRIPTION: &'static str = "User actions with selectors for each element, newest first. Use it for the \
        steps before an error.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::EnhancedActions];
    type Params = Params;
    type Answer = Listing<Actions>;

    async fn call(context: &Context, params: Params) -> Outcome<Listing<Actions>> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let budget = common.budget_of("last_n", params.last_n, limits::ACTION_ENTRIES)?;
        let filter = common.filter(context, Self::NAME)?;
        let app = &context.app;
        let (list, known) = {
            let session = app.session();
            let entries = actions(&session.store, &filter);
            (fit(&entries, |stored, _| brief(stored, &app.ids), budget), session.store.actions.len())
        };
        let hint = list.is_empty().then(|| hint::for_empty(context, Self::READS, known, filter.is_set()));
        Ok(Listing::List(Actions { actions: list.entries, extent: list.extent, hint }).into())
    }
}
