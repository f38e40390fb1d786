//! Rules for errors that are not worth reading.

use engine::Kind;
use engine::failures::failures;
use engine::noise::{NoiseRule, NoiseRules, Refusal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::limits;

use super::answer::ToolError;
use super::{Context, Effect, Outcome, Tool};

pub(super) struct ConfigureNoise;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Action {
    List,
    Add,
    Remove,
    Reset,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Action.
    action: Action,
    /// Part of a message or URL, /regex/, or id to remove.
    rule: Option<String>,
}

#[skip_serializing_none]
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Rules {
    /// Id of the rule that was added.
    added: Option<String>,
    /// Id of the rule that was removed.
    removed: Option<String>,
    /// Whether the built-in rules were restored.
    reset: Option<bool>,
    /// The rules in force.
    rules: Vec<Rule>,
    /// How many captured failures they mark.
    marked: usize,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Rule {
    /// Pass it as `rule` to remove it.
    id: String,
    /// Its text or pattern.
    rule: String,
    /// Whether it is built in.
    built_in: Option<bool>,
    /// How many captured failures it marks.
    marked: Option<usize>,
}

impl Tool for ConfigureNoise {
    const NAME: &'static str = "configure_noise";
    const TITLE: &'static str = "Noise rules";
    const DESCRIPTION: &'static str = "Rules that hide errors not worth reading; matches are marked, never deleted. \
        Add one for an error that keeps distracting.";
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[Kind::Logs];
    type Params = Params;
    type Answer = Rules;

    async fn call(context: &Context, params: Params) -> Outcome<Rules> {
        let rule = params.rule.as_deref();
        let needed = || {
            rule.ok_or_else(|| {
                ToolError::invalid_params(
                    "`rule` is missing: actions add and remove need it",
                    "give a part of the message, /regex/, or an id that action list returned",
                )
            })
        };
        let mut session = context.app.session();
        let mut answer = Rules::default();
        match params.action {
            Action::List => {}
            Action::Add => {
                answer.added = Some(session.noise.add(needed()?).map(|rule| rule.id.clone()).map_err(refused)?);
            }
            Action::Remove => answer.removed = Some(session.noise.remove(needed()?).map_err(refused)?.id),
            Action::Reset => {
                session.noise.reset();
                answer.reset = Some(true);
            }
        }
        let found = failures(&session, &Default::default());
        let marked: Vec<&str> = found.iter().filter_map(|failure| session.noise.rule_for(failure)).collect();
        answer.rules = listed(&session.noise, &marked);
        answer.marked = marked.len();
        Ok(answer.into())
    }
}

fn listed(rules: &NoiseRules, marked: &[&str]) -> Vec<Rule> {
    let brief = |rule: &NoiseRule| {
        let hits = marked.iter().filter(|id| **id == rule.id).count();
        Rule {
            id: rule.id.clone(),
            rule: rule.text.clone(),
            built_in: rule.is_built_in.then_some(true),
            marked: Some(hits).filter(|hits| *hits > 0),
        }
    };
    rules.iter().map(brief).collect()
}

fn refused(refusal: Refusal) -> ToolError {
    match refusal {
        Refusal::Empty => ToolError::invalid_params("`rule` is empty", "give a part of the message or URL, or /regex/"),
        Refusal::TooLong => ToolError::invalid_params(
            format!("`rule` has more than {} characters", limits::NOISE_RULE_CHARS),
            "use a short part of the message that no other message has",
        ),
        Refusal::TooMany => ToolError::rate_limited(
            format!("there are already {} rules, which is the maximum", limits::NOISE_RULES),
            "remove a rule, or reset them, then add this one",
        ),
        Refusal::BadPattern(why) => ToolError::invalid_params(
            format!("`rule` is not a valid regular expression: {why}"),
            "correct it, or leave out the slashes to match plain text",
        ),
        Refusal::Known(id) => ToolError::invalid_params(format!("this rule already exists as {id}"), "nothing to do"),
        Refusal::Unknown => ToolError::not_found("no rule has this id or text", "action list shows all rules"),
    }
}
