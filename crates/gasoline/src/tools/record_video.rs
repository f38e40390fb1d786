//! Records a video of the tab, for what a screenshot cannot show.

use std::time::Duration;

use engine::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::limits;
use wire::live_page::RecordingStarted;
use wire::query::{QueryAction, QueryParams};
use wire::recording::RecordingReply;

use super::answer::ToolError;
use super::live::{AskedTab, PassedOn};
use super::{Context, Effect, Outcome, Tool, live};
use crate::clock;
use crate::recordings::{Listed, unique_name};

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
    /// Action.
    action: Action,
    /// Name of the new file.
    name: Option<String>,
    /// (active tab)
    tab_id: Option<i64>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Answered {
    /// With `start`.
    Started {
        #[serde(flatten)]
        recording: PassedOn<RecordingStarted>,
        /// The tab that is recorded.
        tab: AskedTab,
    },
    /// With `stop`.
    Saved(PassedOn<RecordingReply>),
    /// With `list`.
    Listed {
        /// Newest first.
        recordings: Vec<Listed>,
        /// Why nothing is listed.
        hint: Option<&'static str>,
    },
}

impl Tool for RecordVideo {
    const NAME: &'static str = "record_video";
    const TITLE: &'static str = "Record video";
    const DESCRIPTION: &'static str = "Records a tab as WebM on this machine, at most ten minutes. The user must click \
        the Gasoline icon on that tab first.";
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
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
        Ok(match action {
            // The recorded tab may have been closed.
            QueryAction::RecordStop => Answered::Saved(live.pass_on().0),
            _ => {
                let (recording, tab) = live.pass_on();
                Answered::Started { recording, tab }
            }
        }
        .into())
    }
}

fn list(context: &Context) -> Outcome<Answered> {
    let recordings = context
        .app
        .recordings
        .list()
        .map_err(|error| ToolError::internal(format!("cannot read the recordings: {error}"), "call again"))?;
    let hint = recordings.is_empty().then_some("nothing has been recorded yet: use action start");
    Ok(Answered::Listed { recordings, hint }.into())
}
