//! A screenshot of the page.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::limits;
use wire::live_page::ScreenshotAnswer;
use wire::query::{QueryAction, QueryParams};

use super::answer::{Answer, Picture, ToolError};
use super::live::{AskedTab, PassedOn};
use super::{Context, Effect, Outcome, Tool, live};
use crate::clock;
use crate::screenshots::read_data_url;

pub(super) struct TakeScreenshot;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The whole page, by scrolling.
    full_page: Option<bool>,
    /// (active tab)
    tab_id: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    picture: PassedOn<ScreenshotAnswer>,
    /// The tab that answered.
    tab: AskedTab,
    /// Where the screenshot was saved.
    path: String,
}

impl Tool for TakeScreenshot {
    const NAME: &'static str = "take_screenshot";
    const TITLE: &'static str = "Screenshot";
    const DESCRIPTION: &'static str = "A screenshot of the page, without taking focus. The tab must be its window's \
        active tab.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let asked = QueryParams { full_page: params.full_page, ..QueryParams::default() };
        let seconds = match params.full_page {
            Some(true) => limits::SCREENSHOT_FULL_PAGE_SECONDS,
            _ => limits::SCREENSHOT_SECONDS,
        };
        let timeout = Duration::from_secs(seconds);
        let live = live::ask(context, QueryAction::TakeScreenshot, asked, params.tab_id, timeout).await?;
        let (mut answer, tab) = live.pass_on::<ScreenshotAnswer>();
        let data_url = match answer.fields.shift_remove("data_url") {
            Some(Value::String(data_url)) => data_url,
            _ => return Err(ToolError::browser_error("the browser sent no image", "call again")),
        };
        let app = Arc::clone(&context.app);
        // Decoding and writing megabytes must not block a thread that answers requests.
        let saved = tokio::task::spawn_blocking(move || {
            let (format, bytes) = read_data_url(&data_url)?;
            let path = app.screenshots.save(&bytes, format, clock::now()).map_err(|error| format!("{error:#}"))?;
            Ok::<_, String>((path, Picture { base64: STANDARD.encode(&bytes), media_type: format.media_type() }))
        });
        let (path, picture) = saved
            .await
            .map_err(|error| error.to_string())
            .and_then(|saved| saved)
            .map_err(|error| ToolError::internal(format!("cannot save the screenshot: {error}"), "call again"))?;
        let answered = Answered { picture: answer, tab, path: path.display().to_string() };
        Ok(Answer::from(answered).with_picture(picture))
    }
}
