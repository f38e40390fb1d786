//! From an error to its likely cause in one call.

use engine::Kind;
use engine::diagnose::{Diagnosis, Subject, diagnose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wire::limits;

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct Diagnose;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Id of an error or request (the latest).
    error_id: Option<String>,
    /// Answer size (500).
    max_tokens: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Diagnosed {
    /// The likely cause of a failure.
    Cause(Box<Diagnosis>),
    /// Nothing to explain.
    Nothing {
        /// Always null.
        error: (),
        /// Why there is nothing to explain.
        hint: String,
    },
}

impl Tool for Diagnose {
    const NAME: &'static str = "diagnose";
    const TITLE: &'static str = "Diagnose";
    const DESCRIPTION: &'static str = "Returns an error's likely cause: source line, failing request, user action, \
        what changed. Start here when something broke.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Logs];
    type Params = Params;
    type Answer = Diagnosed;

    async fn call(context: &Context, params: Params) -> Outcome<Diagnosed> {
        let tokens = params.max_tokens.unwrap_or(limits::DIAGNOSIS_TOKENS);
        if tokens < limits::DIAGNOSIS_LEAST_TOKENS {
            let message = format!("`max_tokens` must be at least {}", limits::DIAGNOSIS_LEAST_TOKENS);
            return Err(ToolError::invalid_params(message, "leave it out for the default"));
        }
        let bytes = (tokens as usize).saturating_mul(4).min(limits::ANSWER_BYTES);
        let about = params.error_id.as_deref().map_or(Subject::Latest, Subject::Id);
        let session = context.app.session();
        if let Some(diagnosis) = diagnose(&session, about, bytes) {
            return Ok(Diagnosed::Cause(Box::new(diagnosis)).into());
        }
        let known = session.store.logs.len() + session.store.network.len();
        drop(session);
        if let Some(id) = params.error_id {
            let message = format!("no error or failed request has id {id}");
            return Err(ToolError::not_found(
                message,
                "take an id from get_browser_errors, or leave it out for the latest",
            ));
        }
        let hint = match known {
            0 => hint::for_empty(context, Self::READS, 0, false),
            known => format!(
                "none of {known} captured entries is an error; reproduce the failure in the browser, then call again"
            ),
        };
        Ok(Answer::from(Diagnosed::Nothing { error: (), hint }))
    }
}
