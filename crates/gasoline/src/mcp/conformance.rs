//! Fixtures for the official MCP conformance suite: tools, prompts and resources with fixed names and answers. They
//! exercise the SDK and our transports; the product has none of them.
//!
//! Compiled only with the feature `conformance`. `docs/conformance.md` says how to run the suite, and what does not
//! apply.

#![allow(
    deprecated,
    reason = "the suite still tests sampling, logging and subscriptions, which the protocol is giving up"
)]

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, CompleteRequestParams, CompleteResult,
    CompletionInfo, ContentBlock, CreateMessageRequestParams, ElicitRequest, ElicitRequestParams, ElicitationSchema,
    GetPromptRequestParams, GetPromptResult, JsonObject, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam, Prompt, PromptArgument, PromptMessage, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, Role, SamplingMessage, ServerConfig, ServerRequest, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// Half a millisecond of silence.
const WAV: &str = "UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA";
/// The pause between two notifications of one call, as the suite requires.
const PAUSE: Duration = Duration::from_millis(50);
/// No fixture waits longer for the suite's client.
const PATIENCE: Duration = Duration::from_secs(10);

/// Handles the requests that the product leaves to the SDK's defaults.
macro_rules! fixture_methods {
    () => {
        async fn complete(
            &self,
            request: rmcp::model::CompleteRequestParams,
            _: RequestContext<RoleServer>,
        ) -> Result<rmcp::model::CompleteResult, ErrorData> {
            super::conformance::complete(&request)
        }

        async fn list_resource_templates(
            &self,
            _: Option<PaginatedRequestParams>,
            _: RequestContext<RoleServer>,
        ) -> Result<rmcp::model::ListResourceTemplatesResult, ErrorData> {
            Ok(rmcp::model::ListResourceTemplatesResult::with_all_items(super::conformance::templates()))
        }
    };
}
pub(super) use fixture_methods;

/// Announces the capabilities that the fixtures add.
pub(super) fn extend(info: &mut ServerConfig) {
    info.capabilities.completions = Some(JsonObject::new());
}

pub(super) fn tools() -> Vec<Tool> {
    let plain = [
        ("test_simple_text", "Answers with text."),
        ("test_image_content", "Answers with an image."),
        ("test_audio_content", "Answers with a sound."),
        ("test_embedded_resource", "Answers with a resource."),
        ("test_multiple_content_types", "Answers with text, an image and a resource."),
        ("test_tool_with_logging", "Logs three messages while it runs."),
        ("test_tool_with_progress", "Reports its progress three times."),
        ("test_error_handling", "Always fails."),
        ("test_reconnection", "Takes its time, so that a client could reconnect."),
        ("test_elicitation_sep1034_defaults", "Asks the user, with a default for each kind of value."),
        ("test_elicitation_sep1330_enums", "Asks the user to choose, in each way there is."),
    ];
    let mut tools: Vec<Tool> = plain
        .into_iter()
        .map(|(name, description)| Tool::new(name, description, object(json!({"type": "object", "properties": {}}))))
        .collect();
    tools.push(asking("test_sampling", "Asks the client's model.", "prompt"));
    tools.push(asking("test_elicitation", "Asks the user for a name and an address.", "message"));
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": false,
    });
    tools.push(Tool::new("json_schema_2020_12_tool", "Has a schema with definitions.", object(schema)));
    tools
}

fn asking(name: &'static str, description: &'static str, argument: &str) -> Tool {
    let schema = json!({"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]});
    Tool::new(name, description, object(schema))
}

/// The answer of a fixture, or `None` if no fixture has this name.
pub(super) async fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let answer = match request.name.as_ref() {
        "test_simple_text" | "json_schema_2020_12_tool" => text("This is a simple text response for testing."),
        "test_image_content" => Ok(vec![ContentBlock::image(PNG, "image/png")]),
        "test_audio_content" => Ok(vec![ContentBlock::audio(WAV, "audio/wav")]),
        "test_embedded_resource" => {
            Ok(vec![embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")])
        }
        "test_multiple_content_types" => Ok(vec![
            ContentBlock::text("Multiple content types test:"),
            ContentBlock::image(PNG, "image/png"),
            embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]),
        "test_tool_with_logging" => log(context).await,
        "test_tool_with_progress" => progress(context).await,
        "test_error_handling" => Err("This tool intentionally returns an error for testing".to_owned()),
        "test_reconnection" => {
            tokio::time::sleep(PAUSE * 2).await;
            text("The call has ended.")
        }
        "test_sampling" => sample(context, &argument("prompt")).await,
        "test_elicitation" => {
            let schema = json!({
                "type": "object",
                "properties": {
                    "username": {"type": "string", "description": "User's response"},
                    "email": {"type": "string", "description": "User's email address"},
                },
                "required": ["username", "email"],
            });
            elicit(context, argument("message"), schema, "User response").await
        }
        "test_elicitation_sep1034_defaults" => {
            let schema = json!({"type": "object", "properties": {
                "name": {"type": "string", "default": "John Doe"},
                "age": {"type": "integer", "default": 30},
                "score": {"type": "number", "default": 95.5},
                "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                "verified": {"type": "boolean", "default": true},
            }});
            elicit(context, "Please check these values".to_owned(), schema, "Elicitation completed").await
        }
        "test_elicitation_sep1330_enums" => {
            let titled = |title: &str| {
                json!([
                    {"const": "value1", "title": format!("First {title}")},
                    {"const": "value2", "title": format!("Second {title}")},
                    {"const": "value3", "title": format!("Third {title}")},
                ])
            };
            let schema = json!({"type": "object", "properties": {
                "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
                "titledSingle": {"type": "string", "oneOf": titled("Option")},
                "legacyEnum": {
                    "type": "string",
                    "enum": ["opt1", "opt2", "opt3"],
                    "enumNames": ["Option One", "Option Two", "Option Three"],
                },
                "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
                "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
            }});
            elicit(context, "Please choose".to_owned(), schema, "Elicitation completed").await
        }
        _ => return None,
    };
    let result = match answer {
        Ok(content) => CallToolResult::success(content),
        Err(message) => CallToolResult::error(vec![ContentBlock::text(message)]),
    };
    Some(Ok(result.into()))
}

type Content = Result<Vec<ContentBlock>, String>;

async fn log(context: &RequestContext<RoleServer>) -> Content {
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let params = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        context.peer.notify_logging_message(params).await.map_err(|error| error.to_string())?;
        tokio::time::sleep(PAUSE).await;
    }
    text("Three messages were logged.")
}

async fn progress(context: &RequestContext<RoleServer>) -> Content {
    let token = context.meta.get_progress_token();
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = token.clone() {
            let params = ProgressNotificationParam::new(token, done).with_total(100.0);
            context.peer.notify_progress(params).await.map_err(|error| error.to_string())?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    text("Done.")
}

async fn sample(context: &RequestContext<RoleServer>, prompt: &str) -> Content {
    let asked =
        context.peer.create_message(CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100));
    let result = in_time(asked).await?;
    let said = serde_json::to_value(&result.message.content).unwrap_or_default();
    text(format!("LLM response: {}", said.get("text").and_then(Value::as_str).unwrap_or_default()))
}

async fn elicit(context: &RequestContext<RoleServer>, message: String, schema: Value, lead: &str) -> Content {
    let requested_schema = ElicitationSchema::from_json_schema(object(schema)).map_err(|error| error.to_string())?;
    let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
    let asked = context.peer.send_request(ServerRequest::ElicitRequest(ElicitRequest::new(params)));
    match in_time(asked).await? {
        ClientResult::ElicitResult(result) => {
            let action = serde_json::to_value(&result.action).unwrap_or_default();
            let action = action.as_str().unwrap_or_default();
            text(format!("{lead}: action={action}, content={}", result.content.unwrap_or_default()))
        }
        _ => Err("the client answered something else".to_owned()),
    }
}

async fn in_time<T, E: std::fmt::Display>(asked: impl Future<Output = Result<T, E>>) -> Result<T, String> {
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err("the client did not answer".to_owned()),
    }
}

pub(super) fn prompts() -> Vec<Prompt> {
    let required =
        |name: &str, description: &str| PromptArgument::new(name).with_description(description).with_required(true);
    vec![
        Prompt::new("test_simple_prompt", Some("Text alone."), None),
        Prompt::new(
            "test_prompt_with_arguments",
            Some("Text with two arguments in it."),
            Some(vec![required("arg1", "First test argument"), required("arg2", "Second test argument")]),
        ),
        Prompt::new(
            "test_prompt_with_embedded_resource",
            Some("A resource and text."),
            Some(vec![required("resourceUri", "URI of the resource to embed")]),
        ),
        Prompt::new("test_prompt_with_image", Some("An image and text."), None),
    ]
}

pub(super) fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name)).and_then(Value::as_str);
        value.ok_or_else(|| ErrorData::invalid_params(format!("{} needs `{name}`", request.name), None))
    };
    let said = |text: &str| PromptMessage::new_text(Role::User, text);
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![said("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1")?, argument("arg2")?);
            vec![said(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let resource = embedded(argument("resourceUri")?, "text/plain", "Embedded resource content for testing.");
            vec![PromptMessage::new(Role::User, resource), said("Please process the embedded resource above.")]
        }
        "test_prompt_with_image" => {
            let image = ContentBlock::image(PNG, "image/png");
            vec![PromptMessage::new(Role::User, image), said("Please analyze the image above.")]
        }
        unknown => return Err(ErrorData::invalid_params(format!("unknown prompt `{unknown}`"), None)),
    };
    Ok(GetPromptResult::new(messages))
}

pub(super) fn complete(request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
    let typed = request.argument.value.as_str();
    let values = ["testValue1", "testValue2"].into_iter().filter(|value| value.starts_with(typed));
    let found = CompletionInfo::with_all_values(values.map(str::to_owned).collect());
    found.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
}

pub(super) fn resources() -> Vec<Resource> {
    vec![
        Resource::new("test://static-text", "Static text").with_description("Text.").with_mime_type("text/plain"),
        Resource::new("test://static-binary", "Static binary")
            .with_description("An image.")
            .with_mime_type("image/png"),
        Resource::new("test://watched-resource", "Watched").with_description("Text.").with_mime_type("text/plain"),
    ]
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("test://template/{id}/data", "Template")
            .with_description("JSON with the id in it.")
            .with_mime_type("application/json"),
    ]
}

pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let contents =
        match uri {
            "test://static-text" => ResourceContents::text("This is the content of the static text resource.", uri)
                .with_mime_type("text/plain"),
            "test://static-binary" => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
            "test://watched-resource" => {
                ResourceContents::text("Watched resource content.", uri).with_mime_type("text/plain")
            }
            _ => {
                let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data")).ok_or_else(
                    || ErrorData::resource_not_found(format!("unknown resource `{uri}`"), Some(json!({"uri": uri}))),
                )?;
                let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
                ResourceContents::text(data.to_string(), uri).with_mime_type("application/json")
            }
        };
    Ok(ReadResourceResult::new(vec![contents]))
}

fn text(text: impl Into<String>) -> Content {
    Ok(vec![ContentBlock::text(text)])
}

fn embedded(uri: &str, mime_type: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime_type))
}

/// Converts an object literal. Anything else becomes an empty object.
fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}
