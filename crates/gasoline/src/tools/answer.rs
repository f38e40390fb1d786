//! A tool's answer: JSON as text and as structured content, within its response budget, with the counts of new errors
//! at its end.

use std::fmt::Write as _;

use engine::answer::fit::fit_value;
use engine::failures::count_since;
use engine::store::Pressure;
use engine::text::shorten;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Map, Value, json};
use wire::limits;

use crate::app::App;
use crate::clients::Client;

/// A tool's answer, and how it is rendered.
#[derive(Debug)]
pub(crate) struct Answer<T> {
    content: T,
    /// Text that the model reads instead of JSON.
    report: Option<String>,
    picture: Option<Picture>,
    whole: bool,
}

/// An image block of the answer.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) base64: String,
    pub(crate) media_type: &'static str,
}

impl<T> From<T> for Answer<T> {
    fn from(content: T) -> Self {
        Self { content, report: None, picture: None, whole: false }
    }
}

impl<T: Serialize> Answer<T> {
    /// Converts the answer to the type that all tools share. Every answer is a struct or an enum of structs, so it is
    /// an object.
    pub(super) fn render(self) -> Answer<Map<String, Value>> {
        let Self { content, report, picture, whole } = self;
        let content = match serde_json::to_value(content) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        Answer { content, report, picture, whole }
    }

    pub(super) fn with_picture(self, picture: Picture) -> Self {
        Self { picture: Some(picture), ..self }
    }

    /// For facts that read better as prose: the text is the report, and the fields hold the same facts for programs.
    pub(super) fn with_report(self, report: String) -> Self {
        Self { report: Some(report), ..self }
    }

    /// For content that is useless in part and has its own limit, such as a script: it is never cut.
    pub(super) fn whole(self) -> Self {
        Self { whole: true, ..self }
    }
}

/// A failed call: what happened, and what to do next.
#[derive(Debug)]
pub(crate) struct ToolError {
    code: &'static str,
    message: String,
    hint: String,
}

macro_rules! codes {
    ($($code:ident),* $(,)?) => {
        impl ToolError {
            $(
                pub(super) fn $code(message: impl Into<String>, hint: impl Into<String>) -> Self {
                    Self { code: stringify!($code), message: message.into(), hint: hint.into() }
                }
            )*
        }
    };
}

codes!(invalid_params, not_found, no_browser, browser_timeout, browser_error, disabled, rate_limited, internal);

/// Adds the fields that every answer carries, and converts the answer to an MCP result.
pub(super) fn finish(
    app: &App,
    client: &Client,
    outcome: Result<Answer<Map<String, Value>>, ToolError>,
) -> CallToolResult {
    let failed = outcome.is_err();
    let (mut report, mut picture, mut whole) = (None, None, false);
    let mut fields = match outcome {
        Ok(answer) => {
            (report, picture, whole) = (answer.report, answer.picture, answer.whole);
            answer.content
        }
        Err(error) => {
            let mut fields = Map::new();
            fields.insert("error".to_owned(), json!(error.code));
            fields.insert("message".to_owned(), json!(error.message));
            fields.insert("hint".to_owned(), json!(error.hint));
            fields
        }
    };
    {
        let session = app.session();
        if session.store.pressure() == Pressure::Minimal {
            let warning = "the server ran out of memory, emptied its buffers and keeps only warnings and errors until it has room again";
            fields.insert("warning".to_owned(), json!(warning));
            add_line(&mut report, format_args!("Warning: {warning}"));
        }
        let told_to = client.tell(session.store.cursor());
        let (errors, failed_requests) = count_since(&session, told_to);
        if errors + failed_requests > 0 {
            let news = json!({ "errors": errors, "failed_requests": failed_requests });
            fields.insert("new_since_last_call".to_owned(), news);
            add_line(
                &mut report,
                format_args!("New since your last call: errors {errors}, failed requests {failed_requests}"),
            );
        }
    }
    let mut structured = Value::Object(fields);
    let mut json = structured.to_string();
    // Lists already fit their budget. This cuts whatever else an answer may contain.
    if !whole && json.len() > limits::ANSWER_BYTES {
        fit_value(&mut structured, limits::ANSWER_BYTES);
        json = structured.to_string();
    }
    let text = report.map_or(json, |report| shorten(&report, limits::ANSWER_BYTES / 4));
    let mut content = vec![ContentBlock::text(text)];
    content.extend(picture.map(|picture| ContentBlock::image(picture.base64, picture.media_type)));
    let mut result = if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(structured);
    result
}

fn add_line(report: &mut Option<String>, line: std::fmt::Arguments<'_>) {
    if let Some(report) = report {
        // Writing to a text can't fail.
        let _ = writeln!(report, "{line}");
    }
}

/// The share of an answer's size that a list may fill; the rest is for the fields around it.
pub(super) const LIST_BYTES: usize = limits::ANSWER_BYTES - 1024;
