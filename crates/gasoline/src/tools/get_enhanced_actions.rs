//! What the user did.

use engine::Kind;
use engine::answer::fit::fit;
use engine::view::actions::{actions, brief};
use serde_json::json;
use wire::limits;

use super::answer::{Answer, ToolError};
use super::list::list_params;
use super::{Context, Effect, Tool, entry, hint};

pub(super) struct GetEnhancedActions;

list_params! {
    Params {
        /// Last n actions (all).
        last_n: Option<u32>,
    }
}

impl Tool for GetEnhancedActions {
    const NAME: &'static str = "get_enhanced_actions";
    const TITLE: &'static str = "User actions";
    const DESCRIPTION: &'static str = "What the user did, with selectors that find each element again, newest \
        first. Use it for the steps before an error.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::EnhancedActions];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        if let Some(id) = &params.id {
            return entry::one(context, id, params.common().bytes());
        }
        let common = params.common();
        let budget = common.budget_of("last_n", params.last_n, limits::ACTION_ENTRIES)?;
        let filter = common.filter(context, Self::NAME)?;
        let app = &context.app;
        let (mut answer, empty, known) = {
            let session = app.session();
            let entries = actions(&session.store, &filter);
            let answer = fit("actions", &entries, |stored, _| brief(stored, &app.ids), budget);
            (answer, entries.is_empty(), session.store.actions.len())
        };
        if empty {
            answer.insert("hint".to_owned(), json!(hint::for_empty(context, Self::READS, known, filter.is_set())));
        }
        Ok(answer.into())
    }
}
