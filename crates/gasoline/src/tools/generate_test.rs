//! Generates a regression test from a session that worked.

use engine::Kind;
use engine::generate::{Assertions, GeneratedTest, TestOutcome, TestRequest, generate_test};
use engine::store::{Filter, Since};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct GenerateTest;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Checks {
    network: Option<bool>,
    response_shape: Option<bool>,
    no_errors: Option<bool>,
    dom_state: Option<bool>,
    visual: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// (from page and actions)
    test_name: Option<String>,
    /// Last n actions (all).
    last_n_actions: Option<u32>,
    /// Replaces the origin.
    base_url: Option<String>,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    /// All true except visual.
    assertions: Option<Checks>,
    /// Also a mocked test (false).
    fixtures: Option<bool>,
    // Accepted but not advertised: these are rarely useful here, and the list of tools is read in every session.
    #[schemars(skip)]
    tab_id: Option<i64>,
    #[schemars(skip)]
    test_id: Option<String>,
    // Older names, from before `assertions` existed.
    #[schemars(skip)]
    assert_network: Option<bool>,
    #[schemars(skip)]
    assert_no_errors: Option<bool>,
    #[schemars(skip)]
    assert_response_shape: Option<bool>,
}

impl Params {
    fn assertions(&self) -> Assertions {
        let usual = Assertions::default();
        let none = Checks::default();
        let asked = self.assertions.as_ref().unwrap_or(&none);
        Assertions {
            network: asked.network.or(self.assert_network).unwrap_or(usual.network),
            response_shape: asked.response_shape.or(self.assert_response_shape).unwrap_or(usual.response_shape),
            no_errors: asked.no_errors.or(self.assert_no_errors).unwrap_or(usual.no_errors),
            dom_state: asked.dom_state.unwrap_or(usual.dom_state),
            visual: asked.visual.unwrap_or(usual.visual),
        }
    }
}

#[skip_serializing_none]
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Generated {
    /// The test; empty if there is nothing to test.
    test_script: String,
    /// With `fixtures`: the captured answers that the mocked test plays back.
    fixture_file: Option<String>,
    /// The test's name.
    test_name: String,
    /// How many captured actions it repeats.
    action_count: usize,
    /// How many checks it makes.
    assertion_count: usize,
    /// File names to save both under: the test imports its fixtures by name.
    save_as: Option<Vec<String>>,
    /// What could not be checked, or may differ.
    warnings: Option<Vec<String>>,
    /// Why the test is empty or checks less than expected.
    hint: Option<String>,
}

impl Tool for GenerateTest {
    const NAME: &'static str = "generate_test";
    const TITLE: &'static str = "Regression test";
    const DESCRIPTION: &'static str = "Writes a Playwright regression test from a captured session that worked.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::EnhancedActions];
    type Params = Params;
    type Answer = Generated;

    async fn call(context: &Context, params: Params) -> Outcome<Generated> {
        if params.last_n_actions == Some(0) {
            let message = "`last_n_actions` must be at least 1";
            return Err(ToolError::invalid_params(message, "leave it out to use all actions"));
        }
        let given = |text: &Option<String>| text.as_deref().filter(|text| !text.is_empty()).map(str::to_owned);
        let (test_name, base_url) = (given(&params.test_name), given(&params.base_url));
        let wants_bodies = params.assertions().response_shape || params.fixtures == Some(true);
        let request = TestRequest {
            test_name: test_name.as_deref(),
            last_n_actions: params.last_n_actions.map(|count| count as usize),
            base_url: base_url.as_deref(),
            assertions: params.assertions(),
            fixtures: params.fixtures.unwrap_or(false),
            filter: Filter {
                url: given(&params.url_filter),
                tab_id: params.tab_id,
                test_id: params.test_id.clone(),
                since: Since::Ever,
                without_noise: true,
            },
        };
        let (outcome, known) = {
            let session = context.app.session();
            (generate_test(&session, &request), session.store.actions.len())
        };
        match outcome {
            TestOutcome::Test(test) => {
                let missing = test.bodies_missing;
                let mut answer = answer(*test);
                if wants_bodies && missing > 0 {
                    answer.hint = Some(if hint::bodies_are_off(context) {
                        hint::BODIES_OFF.to_owned()
                    } else {
                        format!(
                            "{missing} response bodies were not captured, or were cut: their shapes are not checked"
                        )
                    });
                }
                Ok(Answer::from(answer).whole())
            }
            TestOutcome::Nothing => {
                let why = hint::for_empty(context, Self::READS, known, request.filter.is_set());
                Ok(Generated { hint: Some(why), ..Generated::default() }.into())
            }
            TestOutcome::BadBase => {
                Err(ToolError::invalid_params("`base_url` is not an HTTP URL", "use one such as http://localhost:3000"))
            }
        }
    }
}

fn answer(test: GeneratedTest) -> Generated {
    let GeneratedTest { script, fixture_file, name, actions, assertions, warnings, bodies_missing: _ } = test;
    // The script imports its fixtures by this name.
    let mut files = vec![format!("{name}.spec.js")];
    files.extend(fixture_file.is_some().then(|| format!("{name}.fixtures.js")));
    Generated {
        test_script: script,
        fixture_file,
        test_name: name,
        action_count: actions,
        assertion_count: assertions,
        save_as: Some(files),
        warnings: Some(warnings).filter(|warnings| !warnings.is_empty()),
        hint: None,
    }
}
