//! Generates a test that repeats the user's actions.

use engine::Kind;
use engine::generate::{Format, Outcome as Reproduced, Reproduction, ScriptRequest, reproduce};
use engine::store::{Filter, Since};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct GetReproductionScript;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Runner {
    Playwright,
    Cypress,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// (playwright)
    format: Option<Runner>,
    /// Check for the error (true).
    include_assertions: Option<bool>,
    /// Replaces the origin.
    base_url: Option<String>,
    /// Last n actions (all).
    last_n_actions: Option<u32>,
    /// Part of the error (latest).
    error_message: Option<String>,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    // Accepted but not advertised: these are rarely useful here, and the list of tools is read in every session.
    #[schemars(skip)]
    tab_id: Option<i64>,
    #[schemars(skip)]
    test_id: Option<String>,
}

#[skip_serializing_none]
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Script {
    /// The test; empty if there is nothing to repeat.
    script: String,
    /// How many captured actions it repeats.
    actions_used: usize,
    /// The error it checks for.
    error_context: Option<ErrorContext>,
    /// Kinds of selectors that the test uses.
    selectors_used: Vec<&'static str>,
    /// What may differ from what the user did.
    warnings: Vec<String>,
    /// What it means when the test passes or fails.
    check: Option<&'static str>,
    /// Why there are no steps.
    hint: Option<String>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorContext {
    /// The error's message.
    message: String,
    /// The file that threw it.
    file: Option<String>,
    /// The line in that file.
    line: Option<u32>,
}

impl Tool for GetReproductionScript {
    const NAME: &'static str = "get_reproduction_script";
    const TITLE: &'static str = "Reproduction script";
    const DESCRIPTION: &'static str = "Writes a Playwright or Cypress test that repeats the user's actions up to an \
        error; it passes until the error is fixed.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::EnhancedActions];
    type Params = Params;
    type Answer = Script;

    async fn call(context: &Context, params: Params) -> Outcome<Script> {
        if params.last_n_actions == Some(0) {
            let message = "`last_n_actions` must be at least 1";
            return Err(ToolError::invalid_params(message, "leave it out to use all actions"));
        }
        let given = |text: &Option<String>| text.as_deref().filter(|text| !text.is_empty()).map(str::to_owned);
        let (base_url, error_message) = (given(&params.base_url), given(&params.error_message));
        let request = ScriptRequest {
            format: match params.format {
                Some(Runner::Cypress) => Format::Cypress,
                Some(Runner::Playwright) | None => Format::Playwright,
            },
            include_assertions: params.include_assertions.unwrap_or(true),
            base_url: base_url.as_deref(),
            last_n_actions: params.last_n_actions.map(|count| count as usize),
            error_message: error_message.as_deref(),
            filter: Filter {
                url: given(&params.url_filter),
                tab_id: params.tab_id,
                test_id: params.test_id.clone(),
                since: Since::Ever,
                // A lost beacon is not worth reproducing.
                without_noise: params.error_message.is_none(),
            },
        };
        let (outcome, known) = {
            let session = context.app.session();
            (reproduce(&session, &request), session.store.actions.len())
        };
        let why_no_actions = || hint::for_empty(context, Self::READS, known, request.filter.is_set());
        match outcome {
            Reproduced::Script(reproduction) => {
                let none = reproduction.actions_used == 0;
                let mut script = script(*reproduction);
                if none {
                    script.hint = Some(if known > 0 && !request.filter.is_set() {
                        format!("none of the {known} captured actions came before this error in its tab")
                    } else {
                        why_no_actions()
                    });
                }
                Ok(Answer::from(script).whole())
            }
            Reproduced::Nothing => Ok(Script { hint: Some(why_no_actions()), ..Script::default() }.into()),
            Reproduced::NoSuchError(errors) => {
                let wanted = request.error_message.unwrap_or_default();
                Err(ToolError::not_found(
                    format!("none of {errors} captured errors contains {wanted:?}"),
                    "get_browser_errors lists them; leave `error_message` out for the latest",
                ))
            }
            Reproduced::BadBase => {
                Err(ToolError::invalid_params("`base_url` is not an HTTP URL", "use one such as http://localhost:3000"))
            }
        }
    }
}

fn script(reproduction: Reproduction) -> Script {
    let Reproduction { script, actions_used, error, selectors_used, warnings, checks_error } = reproduction;
    let check = match (&error, checks_error) {
        (Some(_), true) => "passes while the error occurs, fails once it is fixed",
        (Some(_), false) => "repeats the steps and does not check for the error",
        (None, _) => "repeats the steps; no error was captured with them",
    };
    Script {
        script,
        actions_used,
        error_context: error.map(|error| ErrorContext { message: error.message, file: error.file, line: error.line }),
        selectors_used,
        warnings,
        check: Some(check),
        hint: None,
    }
}
