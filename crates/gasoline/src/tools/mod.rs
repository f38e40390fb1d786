//! The tools, one file each. A tool is a description, its parameters, the kinds that it reads, and `call`. Only its
//! line in [`registry`] lists it.

pub(crate) mod announced;
mod answer;
mod caller;
mod check_performance;
mod clear_browser_logs;
mod configure_noise;
pub(crate) mod configure_streaming;
mod diagnose;
mod diff_sessions;
mod entry;
mod execute_js;
mod generate_test;
mod get_browser_errors;
mod get_browser_logs;
mod get_enhanced_actions;
mod get_network_bodies;
mod get_page_info;
mod get_reproduction_script;
mod get_session_timeline;
mod get_status;
mod get_websocket_events;
mod get_websocket_status;
mod hint;
mod list;
mod live;
mod query_dom;
mod record_video;
mod run_accessibility_audit;
mod schema;
mod security_audit;
mod take_screenshot;
mod validate_api;
mod verify_fix;

use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use engine::Kind;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, ToolAnnotations};
use rmcp::service::{Peer, RoleServer};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::clients::Client;
use crate::clock;
use crate::dashboard::Call as NotedCall;

use answer::{Answer, ToolError};
pub(crate) use entry::find as full_entry;
pub(crate) use run_accessibility_audit::Answered as Audited;

/// Every tool.
pub(crate) fn registry() -> &'static [Registered] {
    static REGISTRY: OnceLock<Vec<Registered>> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        vec![
            Registered::new::<get_status::GetStatus>(),
            Registered::new::<diagnose::Diagnose>(),
            Registered::new::<get_browser_errors::GetBrowserErrors>(),
            Registered::new::<get_browser_logs::GetBrowserLogs>(),
            Registered::new::<get_network_bodies::GetNetworkBodies>(),
            Registered::new::<get_websocket_events::GetWebsocketEvents>(),
            Registered::new::<get_websocket_status::GetWebsocketStatus>(),
            Registered::new::<get_enhanced_actions::GetEnhancedActions>(),
            Registered::new::<get_session_timeline::GetSessionTimeline>(),
            Registered::new::<get_reproduction_script::GetReproductionScript>(),
            Registered::new::<generate_test::GenerateTest>(),
            Registered::new::<security_audit::SecurityAudit>(),
            Registered::new::<validate_api::ValidateApi>(),
            Registered::new::<check_performance::CheckPerformance>(),
            Registered::new::<verify_fix::VerifyFix>(),
            Registered::new::<diff_sessions::DiffSessions>(),
            Registered::new::<clear_browser_logs::ClearBrowserLogs>(),
            Registered::new::<configure_noise::ConfigureNoise>(),
            Registered::new::<configure_streaming::ConfigureStreaming>(),
            Registered::new::<get_page_info::GetPageInfo>(),
            Registered::new::<query_dom::QueryDom>(),
            Registered::new::<take_screenshot::TakeScreenshot>(),
            Registered::new::<run_accessibility_audit::RunAccessibilityAudit>(),
            Registered::new::<execute_js::ExecuteJs>(),
            Registered::new::<record_video::RecordVideo>(),
        ]
    })
}

pub(crate) fn find(name: &str) -> Option<&'static Registered> {
    registry().iter().find(|tool| tool.name == name)
}

/// What a call has access to.
pub(crate) struct Context {
    pub(crate) app: Arc<App>,
    pub(crate) client: Arc<Client>,
    /// Sends notifications to the client, if it has a session.
    pub(crate) line: Option<Peer<RoleServer>>,
    /// The folder that the client was started from, if it runs on this machine.
    pub(crate) directory: Option<Arc<Path>>,
}

/// What a call does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Reads,
    /// Creates something.
    Adds,
    /// Discards captured data, or may change the page.
    Destroys,
}

pub(crate) trait Tool {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// One or two sentences that say what it returns and when to use it: this is all that the model sees.
    const DESCRIPTION: &'static str;
    const EFFECT: Effect;
    /// The captured kinds that its answer depends on. The hint of an empty answer is derived from them.
    const READS: &'static [Kind];
    type Params: DeserializeOwned + JsonSchema + Send;
    /// A struct, or an enum of structs without a tag: docs/tools.md lists its fields.
    type Answer: Serialize + JsonSchema + Send;

    fn call(context: &Context, params: Self::Params) -> impl Future<Output = Outcome<Self::Answer>> + Send;
}

/// The result of a call.
pub(crate) type Outcome<T> = Result<Answer<T>, ToolError>;

type Call = fn(Context, JsonObject) -> Pin<Box<dyn Future<Output = Outcome<JsonObject>> + Send>>;

pub(crate) struct Registered {
    pub(crate) name: &'static str,
    pub(crate) definition: rmcp::model::Tool,
    /// The schema of its answer, for `gasoline schemas` only: clients would read it in every session.
    #[cfg(debug_assertions)]
    pub(crate) answer: fn() -> JsonObject,
    call: Call,
}

impl Registered {
    fn new<T: Tool + 'static>() -> Self {
        let annotations = ToolAnnotations::with_title(T::TITLE)
            .read_only(T::EFFECT == Effect::Reads)
            .destructive(T::EFFECT == Effect::Destroys)
            .open_world(false);
        let definition = rmcp::model::Tool::new(T::NAME, T::DESCRIPTION, schema::of_parameters::<T::Params>())
            .with_annotations(annotations);
        Self {
            name: T::NAME,
            definition,
            #[cfg(debug_assertions)]
            answer: schema::of_answer::<T::Answer>,
            call: run::<T>,
        }
    }

    /// Always returns an answer. A failed call is reported in it.
    pub(crate) async fn call(&self, context: Context, arguments: JsonObject) -> CallToolResult {
        let began = Instant::now();
        let (app, client) = (Arc::clone(&context.app), Arc::clone(&context.client));
        let asked = serde_json::to_string(&arguments).unwrap_or_default();
        let outcome = (self.call)(context, arguments).await;
        let failed = outcome.is_err();
        app.metrics.tool_called(self.name, began.elapsed(), failed);
        let result = answer::finish(&app, &client, outcome);
        self.note(&app, &client, &asked, &result, began.elapsed());
        result
    }

    /// Records the call for the dashboard, where the user sees what AI clients asked and which data they got.
    fn note(&self, app: &App, client: &Client, asked: &str, result: &CallToolResult, took: Duration) {
        let mut call = NotedCall {
            at: clock::now(),
            client: client.name(),
            tool: self.name,
            arguments: app.redactor.text(asked),
            answer: String::new(),
            answer_bytes: 0,
            picture_bytes: 0,
            took,
            failed: result.is_error == Some(true),
        };
        for block in &result.content {
            match block {
                ContentBlock::Text(text) => call.take_answer(&text.text),
                ContentBlock::Image(image) => call.picture_bytes += image.data.len(),
                _ => {}
            }
        }
        app.dashboard.calls().note(call);
        app.dashboard.nudge();
    }
}

fn run<T: Tool>(context: Context, arguments: JsonObject) -> Pin<Box<dyn Future<Output = Outcome<JsonObject>> + Send>> {
    Box::pin(async move {
        let params = serde_json::from_value(serde_json::Value::Object(arguments)).map_err(|error| {
            ToolError::invalid_params(format!("{}: {error}", T::NAME), "correct the parameters and call again")
        })?;
        if T::READS.contains(&Kind::Logs) || T::READS.contains(&Kind::NetworkBodies) {
            announced::arrived(&context.app).await;
        }
        T::call(&context, params).await.map(Answer::render)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Files that are not tools.
    const HELPERS: &[&str] = &["mod", "announced", "answer", "entry", "hint", "list", "live", "caller", "schema"];

    #[test]
    fn the_list_matches_the_folder() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tools");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .filter(|name| !HELPERS.contains(&name.as_str()))
            .collect();
        let listed: BTreeSet<String> = registry().iter().map(|tool| tool.name.to_owned()).collect();
        assert_eq!(files, listed);
    }

    #[test]
    fn definitions_are_small_and_plain() {
        let list: Vec<_> = registry().iter().map(|tool| &tool.definition).collect();
        let text = serde_json::to_string(&list).unwrap();
        assert!(text.len() < wire::limits::TOOLS_LIST_BYTES, "{} bytes", text.len());
        for word in ["oneOf", "anyOf", "allOf", "$schema", "$ref", "\"format\":\"", "outputSchema"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        for tool in list {
            let description = tool.description.as_deref().unwrap();
            assert!(description.matches(". ").count() <= 1, "{}: two sentences at most", tool.name);
            let properties = tool.input_schema["properties"].as_object().unwrap();
            for (name, property) in properties {
                assert!(property["description"].is_string(), "{}.{name} has no description", tool.name);
            }
        }
    }
}
