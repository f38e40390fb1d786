//! What nobody needs to read about.

use engine::Kind;
use engine::failures::failures;
use engine::noise::{NoiseRule, NoiseRules, Refusal};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use wire::limits;

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool};

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
    /// What to do.
    action: Action,
    /// Part of a message or URL, /regex/, or id to remove.
    rule: Option<String>,
}

impl Tool for ConfigureNoise {
    const NAME: &'static str = "configure_noise";
    const TITLE: &'static str = "Noise rules";
    const DESCRIPTION: &'static str = "Rules for errors not worth reading: they are marked and left out, never \
        deleted. Add one for what keeps getting in the way.";
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[Kind::Logs];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let rule = params.rule.as_deref();
        let needed = || {
            rule.ok_or_else(|| {
                ToolError::invalid_params("`rule` is needed to add or remove one", "action list shows all rules")
            })
        };
        let mut session = context.app.session();
        let mut answer = Map::new();
        match params.action {
            Action::List => {}
            Action::Add => {
                let added = session.noise.add(needed()?).map(|rule| rule.id.clone()).map_err(refused)?;
                answer.insert("added".to_owned(), json!(added));
            }
            Action::Remove => {
                let removed = session.noise.remove(needed()?).map_err(refused)?;
                answer.insert("removed".to_owned(), json!(removed.id));
            }
            Action::Reset => {
                session.noise.reset();
                answer.insert("reset".to_owned(), json!(true));
            }
        }
        let found = failures(&session, &Default::default());
        let marked: Vec<&str> = found.iter().filter_map(|failure| session.noise.of(failure)).collect();
        answer.insert("rules".to_owned(), listed(&session.noise, &marked));
        answer.insert("marked".to_owned(), json!(marked.len()));
        Ok(answer.into())
    }
}

fn listed(rules: &NoiseRules, marked: &[&str]) -> Value {
    let brief = |rule: &NoiseRule| {
        let hits = marked.iter().filter(|id| **id == rule.id).count();
        let mut fields = json!({ "id": rule.id, "rule": rule.text });
        if let Value::Object(fields) = &mut fields {
            if rule.is_built_in {
                fields.insert("built_in".to_owned(), json!(true));
            }
            if hits > 0 {
                fields.insert("marked".to_owned(), json!(hits));
            }
        }
        fields
    };
    rules.iter().map(brief).collect()
}

fn refused(refusal: Refusal) -> ToolError {
    match refusal {
        Refusal::Empty => ToolError::invalid_params("`rule` is empty", "give a part of the message, or /regex/"),
        Refusal::TooLong => ToolError::invalid_params(
            format!("`rule` has more than {} characters", limits::NOISE_RULE_CHARS),
            "a short, telling part of the message is enough",
        ),
        Refusal::TooMany => ToolError::rate_limited(
            format!("there are {} rules already", limits::NOISE_RULES),
            "remove one, or reset them, then add this one",
        ),
        Refusal::BadPattern(why) => ToolError::invalid_params(
            format!("`rule` is no pattern: {why}"),
            "without slashes it is taken as plain text",
        ),
        Refusal::Known(id) => {
            ToolError::invalid_params(format!("that rule is there already, as {id}"), "nothing to do")
        }
        Refusal::Unknown => ToolError::not_found("no rule has that id or text", "action list shows all rules"),
    }
}
