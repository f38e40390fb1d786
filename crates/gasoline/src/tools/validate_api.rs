//! Whether the API's responses still have the shapes learned earlier.

use engine::Kind;
use engine::contracts::{Analysis, ContractReport, Coverage, EndpointFilter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::limits;

use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct ValidateApi;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Analyze,
    Report,
    Clear,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Violations, all shapes, or forget them.
    action: Action,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    /// Parts of URLs to skip.
    ignore_endpoints: Option<Vec<String>>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    done: Done,
    /// Why nothing was compared, or less than expected.
    hint: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Done {
    /// With `analyze`.
    Analyzed(Analysis),
    /// With `report`.
    Reported(ContractReport),
    /// With `clear`.
    Cleared {
        /// Always `cleared`.
        action: &'static str,
        /// How many endpoints were forgotten.
        endpoints_cleared: usize,
    },
}

impl Tool for ValidateApi {
    const NAME: &'static str = "validate_api";
    const TITLE: &'static str = "API contracts";
    const DESCRIPTION: &'static str = "Compares API responses with shapes learned earlier: missing or new fields, \
        changed types, new errors. Use it after API changes.";
    /// Learned shapes are not captured data: after `clear`, they are learned again from the next responses.
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[Kind::NetworkBodies];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let given = |part: &String| !part.is_empty();
        let filter = EndpointFilter {
            only: params.url_filter.filter(given),
            ignored: params.ignore_endpoints.unwrap_or_default().into_iter().filter(given).collect(),
        };
        let app = &context.app;
        let (done, coverage, known) = {
            let mut session = app.session();
            let (coverage, known) = (session.contracts.coverage(&filter), session.contracts.len());
            let done = match params.action {
                Action::Analyze => Done::Analyzed(session.contracts.analyze(&filter, &app.ids)),
                Action::Report => Done::Reported(session.contracts.report(&filter)),
                Action::Clear => {
                    Done::Cleared { action: "cleared", endpoints_cleared: session.contracts.clear(&filter) }
                }
            };
            (done, coverage, known)
        };
        let hint = hint_for(context, params.action, coverage, known, &filter);
        Ok(Answered { done, hint }.into())
    }
}

/// Why nothing was compared, or less than expected.
fn hint_for(
    context: &Context,
    action: Action,
    coverage: Coverage,
    known: usize,
    filter: &EndpointFilter,
) -> Option<String> {
    let Coverage { tracked, established, unread } = coverage;
    if action == Action::Clear {
        return None;
    }
    if tracked == 0 && known > 0 && filter.is_set() {
        return Some(format!("the filter matched none of {known} endpoints; widen it or leave it out"));
    }
    if established == 0 && hint::bodies_are_off(context) {
        return Some(format!("{}; without bodies only statuses can be compared", hint::BODIES_OFF));
    }
    if tracked == 0 {
        let requests = context.app.session().store.network.len();
        return Some(match requests {
            0 => hint::for_empty(context, ValidateApi::READS, 0, false),
            _ => format!(
                "none of the {requests} buffered requests got a JSON response since the shapes were last cleared"
            ),
        });
    }
    if established == 0 {
        let cut = if unread > 0 { format!("; {unread} bodies were not captured completely") } else { String::new() };
        return Some(format!(
            "still learning: an endpoint's shape is established once {} successful responses agree{cut}",
            limits::API_SHAPE_AGREEING
        ));
    }
    (unread > 0).then(|| {
        format!(
            "{unread} responses were not compared: their bodies were not captured, or were cut at {} bytes",
            limits::RESPONSE_BODY_BYTES
        )
    })
}
