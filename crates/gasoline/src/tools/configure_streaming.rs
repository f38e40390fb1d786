//! Notifications of significant events.

use std::sync::Arc;

use engine::Kind;
use engine::stream::{Category, Settings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::limits;

use super::answer::ToolError;
use super::{Context, Effect, Outcome, Tool};
use crate::streams::push_events;

pub(super) struct ConfigureStreaming;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// On or off (unchanged).
    enabled: Option<bool>,
    /// errors, network_errors, performance, user_frustration, security (all).
    events: Option<Vec<String>>,
    /// Shortest gap, 1 to 60 (5).
    throttle_seconds: Option<f64>,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Streaming {
    /// Whether events are pushed to this client.
    enabled: bool,
    /// Which events are pushed.
    events: Vec<Category>,
    /// Shortest time between two notifications, in seconds.
    throttle_seconds: f64,
    /// Only events of pages or requests whose URL contains this.
    url_filter: Option<String>,
    /// How events arrive, or how to turn them on.
    hint: &'static str,
}

impl Tool for ConfigureStreaming {
    const NAME: &'static str = "configure_streaming";
    const TITLE: &'static str = "Streaming";
    const DESCRIPTION: &'static str = "Pushes significant events to you as notifications; off by default. Turn it \
        on while the user tries something.";
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[];
    type Params = Params;
    type Answer = Streaming;

    async fn call(context: &Context, params: Params) -> Outcome<Streaming> {
        let streams = &context.app.streams;
        let current = streams.settings(&context.client);
        let settings = read(&params, current.clone().unwrap_or_default())?;
        match params.enabled.unwrap_or(current.is_some()) {
            false => streams.leave(&context.client),
            true if streams.change(&context.client, settings.clone()) => {}
            true => {
                let line = context.line.clone().ok_or_else(|| {
                    ToolError::disabled(
                        "this client has no MCP session, so the server cannot send it notifications",
                        "read GET /events/stream instead, or call the tools",
                    )
                })?;
                let messages = streams.listen(&context.app.session(), Some(&context.client), settings.clone());
                tokio::spawn(push_events(Arc::clone(&context.app), Arc::clone(&context.client), line, messages));
            }
        }
        Ok(answer(streams.settings(&context.client).is_some(), settings).into())
    }
}

fn answer(enabled: bool, settings: Settings) -> Streaming {
    Streaming {
        enabled,
        events: settings.categories,
        throttle_seconds: settings.throttle_seconds,
        url_filter: settings.url_filter,
        hint: if enabled {
            "events come as notifications/gasoline/event; clients that do not show those still see new_since_last_call"
        } else {
            "nothing is pushed; call again with enabled true to start"
        },
    }
}

/// Applies the given parameters to the settings.
fn read(params: &Params, mut settings: Settings) -> Result<Settings, ToolError> {
    if let Some(events) = &params.events {
        settings.categories = categories(events)
            .map_err(|problem| ToolError::invalid_params(problem, "leave `events` out to get all of them"))?;
    }
    if let Some(seconds) = params.throttle_seconds {
        settings.throttle_seconds =
            throttle(seconds).map_err(|problem| ToolError::invalid_params(problem, "leave it out for 5 seconds"))?;
    }
    if let Some(filter) = &params.url_filter {
        settings.url_filter = Some(filter.clone()).filter(|filter| !filter.is_empty());
    }
    Ok(settings)
}

pub(crate) fn categories<T: AsRef<str>>(names: &[T]) -> Result<Vec<Category>, String> {
    let known = || Category::ALL.map(Category::name).join(", ");
    if names.is_empty() {
        return Err(format!("`events` is empty: expected any of {}", known()));
    }
    names
        .iter()
        .map(|name| {
            let name = name.as_ref();
            Category::of_name(name)
                .ok_or_else(|| format!("unknown event `{name}` in `events`: expected any of {}", known()))
        })
        .collect()
}

pub(crate) fn throttle(seconds: f64) -> Result<f64, String> {
    let (least, most) = (limits::STREAM_THROTTLE_LEAST, limits::STREAM_THROTTLE_MOST);
    if (least as f64..=most as f64).contains(&seconds) {
        Ok(seconds)
    } else {
        Err(format!("`throttle_seconds` is {seconds}: expected {least} to {most}"))
    }
}
