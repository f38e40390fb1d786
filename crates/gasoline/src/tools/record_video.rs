//! A film of the tab, for what no picture shows.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};
use wire::limits;
use wire::query::{QueryAction, QueryParams};

use super::answer::{Answer, ToolError};
use super::{Context, Effect, Tool, live};
use crate::clock;
use crate::recordings::unique_name;

pub(super) struct RecordVideo;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Start,
    Stop,
    List,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// What to do.
    action: Action,
    /// Name of the file to start.
    name: Option<String>,
    /// (the tab in front)
    tab_id: Option<i64>,
}

impl Tool for RecordVideo {
    const NAME: &'static str = "record_video";
    const TITLE: &'static str = "Record video";
    const DESCRIPTION: &'static str = "Records a tab as WebM to this machine, ten minutes at most. The user must \
        click the Gasoline icon on that tab first.";
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        let Params { action, name, tab_id } = params;
        let (action, asked, seconds) = match action {
            Action::List => return list(context),
            Action::Start => {
                let name = unique_name(name.as_deref(), clock::now()).as_str().to_owned();
                let asked = QueryParams { name: Some(name), ..QueryParams::default() };
                (QueryAction::RecordStart, asked, limits::RECORD_START_SECONDS)
            }
            Action::Stop => (QueryAction::RecordStop, QueryParams::default(), limits::RECORD_STOP_SECONDS),
        };
        let live = live::ask(context, action, asked, tab_id, Duration::from_secs(seconds)).await?;
        let mut fields = live.into_fields();
        // What was recorded may be a tab that is gone.
        if matches!(action, QueryAction::RecordStop) {
            fields.remove("tab");
        }
        Ok(fields.into())
    }
}

fn list(context: &Context) -> Result<Answer, ToolError> {
    let recordings = context
        .app
        .recordings
        .list()
        .map_err(|error| ToolError::internal(format!("the recordings could not be read: {error}"), "call again"))?;
    let mut fields = Map::new();
    if recordings.is_empty() {
        fields.insert("hint".to_owned(), json!("nothing was recorded yet: use action start"));
    }
    fields.insert("recordings".to_owned(), json!(recordings));
    Ok(fields.into())
}
