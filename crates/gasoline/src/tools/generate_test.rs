//! A regression test from a session that worked.

use engine::Kind;
use engine::generate::{Assertions, GeneratedTest, TestOutcome, TestRequest, generate_test};
use engine::store::{Filter, Since};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool, hint};

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
    /// Replaces origins.
    base_url: Option<String>,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    /// Each true but visual.
    assertions: Option<Checks>,
    /// Also a mocked test (false).
    fixtures: Option<bool>,
    // What is seldom wanted here is taken and not advertised: the list of tools is read in every session.
    #[schemars(skip)]
    tab_id: Option<i64>,
    #[schemars(skip)]
    test_id: Option<String>,
    // Names from before there was `assertions`.
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

impl Tool for GenerateTest {
    const NAME: &'static str = "generate_test";
    const TITLE: &'static str = "Regression test";
    const DESCRIPTION: &'static str = "A Playwright regression test from a captured session that worked. It fails once the \
        app breaks.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::EnhancedActions];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        if params.last_n_actions == Some(0) {
            let message = "`last_n_actions` is at least 1";
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
                let mut fields = fields(*test);
                if wants_bodies && missing > 0 {
                    let why = if hint::bodies_are_off(context) {
                        hint::BODIES_OFF.to_owned()
                    } else {
                        format!(
                            "the bodies of {missing} answers were not captured, or not whole: their shapes are not checked"
                        )
                    };
                    fields.insert("hint".to_owned(), json!(why));
                }
                Ok(Answer::from(fields).whole())
            }
            TestOutcome::Nothing => {
                let why = hint::for_empty(context, Self::READS, known, request.filter.is_set());
                Ok(Map::from_iter([
                    ("test_script".to_owned(), json!("")),
                    ("test_name".to_owned(), json!("")),
                    ("action_count".to_owned(), json!(0)),
                    ("assertion_count".to_owned(), json!(0)),
                    ("hint".to_owned(), json!(why)),
                ])
                .into())
            }
            TestOutcome::BadBase => Err(ToolError::invalid_params(
                "`base_url` is not the address of a page",
                "use one such as http://localhost:3000",
            )),
        }
    }
}

fn fields(test: GeneratedTest) -> Map<String, Value> {
    let GeneratedTest { script, fixture_file, name, actions, assertions, warnings, bodies_missing: _ } = test;
    // The script imports its fixtures by this name.
    let mut files = vec![format!("{name}.spec.js")];
    files.extend(fixture_file.is_some().then(|| format!("{name}.fixtures.js")));
    let mut fields = Map::new();
    fields.insert("test_script".to_owned(), json!(script));
    fields.extend(fixture_file.map(|file| ("fixture_file".to_owned(), json!(file))));
    fields.insert("test_name".to_owned(), json!(name));
    fields.insert("action_count".to_owned(), json!(actions));
    fields.insert("assertion_count".to_owned(), json!(assertions));
    fields.insert("save_as".to_owned(), json!(files));
    if !warnings.is_empty() {
        fields.insert("warnings".to_owned(), json!(warnings));
    }
    fields
}
