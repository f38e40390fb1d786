//! Lists of console lines and errors for the model.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_with::skip_serializing_none;
use wire::{Level, Timestamp};

use crate::answer::fit::Texts;
use crate::entry::{Log, LogKind};
use crate::store::Filter;
use crate::store::id::Ids;
use crate::store::{Store, Stored};
use crate::text::shorten;

const MESSAGE_CHARS: usize = 500;
const STACK_LINES: usize = 4;
const FRAME_CHARS: usize = 300;
const ARGS_BYTES: usize = 400;

/// Which console lines to list.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    /// The filters that every list accepts.
    pub common: Filter,
    /// Only this level.
    pub level: Option<Level>,
    /// A part of the message, ignoring case.
    pub search: Option<String>,
}

/// Matching entries, newest first.
pub fn logs<'a>(store: &'a Store, filter: &LogFilter) -> Vec<(Level, &'a Stored<Log>)> {
    let search = filter.search.as_ref().map(|search| search.to_lowercase());
    let found = |entry: &Log| search.as_ref().is_none_or(|search| entry.message.to_lowercase().contains(search));
    store
        .logs
        .iter()
        .rev()
        .filter(|stored| filter.common.admits(stored))
        .filter(|stored| filter.level.is_none_or(|level| stored.entry.level == level))
        .filter(|stored| found(&stored.entry))
        .map(|stored| (stored.entry.level, stored))
        .collect()
}

/// The entry with this page-given id.
pub fn by_page_id<'a>(store: &'a Store, id: &str) -> Option<&'a Stored<Log>> {
    store.logs.iter().rev().find(|stored| stored.entry.id.as_deref() == Some(id))
}

/// A console line or an error, as lists show it.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogBrief {
    /// Pass it as `id` to get the whole entry.
    pub id: String,
    /// When it happened.
    pub ts: Option<Timestamp>,
    /// How severe it is.
    pub level: Level,
    /// What produced it.
    #[serde(rename = "type")]
    pub kind: LogKind,
    /// Its text.
    pub message: String,
    /// The arguments of the console call, where they say more than the message.
    pub args: Option<Value>,
    /// Address of the page.
    pub url: Option<String>,
    /// File, line and column.
    pub at: Option<String>,
    /// The first frames of the stack, in the developer's files if source maps are known.
    pub stack: Option<String>,
    /// Method of the failed request.
    pub method: Option<String>,
    /// Address of the failed request.
    pub request_url: Option<String>,
    /// Status of the failed request; 0 when no response arrived.
    pub status: Option<u16>,
    /// Milliseconds the request took.
    pub duration: Option<f64>,
    /// How often it happened.
    pub count: Option<u64>,
    /// File with a screenshot of the page at that time.
    pub screenshot: Option<String>,
    /// The browser tab.
    pub tab_id: Option<i64>,
    /// The test that it belongs to.
    #[serde(rename = "test_id")]
    pub test_id: Option<String>,
    /// The noise rule that matches it.
    pub noise: Option<String>,
}

/// What a list shows of an entry.
pub fn brief(stored: &Stored<Log>, ids: &Ids, texts: &Texts) -> LogBrief {
    let entry = &stored.entry;
    let args = entry.args.as_ref().filter(|args| texts.are_whole() || args.text().len() <= ARGS_BYTES);
    LogBrief {
        id: stored.id(ids),
        ts: Some(entry.at),
        level: entry.level,
        kind: entry.kind.clone(),
        message: texts.show_cut(&entry.message, MESSAGE_CHARS, entry.message_size),
        args: args.map(wire::Json::value).filter(|args| !repeats_message(args) && !args.is_null()),
        url: entry.url.clone(),
        at: entry.place(),
        stack: entry.stack.as_deref().and_then(|stack| head_of_stack(stack, texts)),
        method: entry.method.clone(),
        request_url: entry.request_url.clone(),
        status: entry.status,
        duration: entry.duration,
        count: entry.count.map(u64::from),
        screenshot: entry.screenshot.clone(),
        tab_id: entry.tab_id,
        test_id: entry.test_id.clone(),
        noise: None,
    }
}

/// Whether the arguments only repeat the message.
fn repeats_message(args: &Value) -> bool {
    let Value::Array(args) = args else { return false };
    args.iter().all(|arg| arg.is_string() || arg.is_number() || arg.is_boolean())
}

/// The first frames, without the line that repeats the message.
fn head_of_stack(stack: &str, texts: &Texts) -> Option<String> {
    let frames: Vec<&str> =
        stack.lines().map(str::trim).filter(|line| line.starts_with("at ") || line.contains('@')).collect();
    (!frames.is_empty()).then(|| head_of(&frames, texts))
}

/// The first of these frames, and the number of the others.
pub(super) fn head_of(frames: &[impl AsRef<str>], texts: &Texts) -> String {
    if texts.are_whole() {
        return frames.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n");
    }
    let shown: Vec<String> =
        frames.iter().take(STACK_LINES).map(|frame| shorten(frame.as_ref(), FRAME_CHARS)).collect();
    let mut head = shown.join("\n");
    if frames.len() > STACK_LINES {
        head.push_str(&format!("\n… {} more", frames.len() - STACK_LINES));
    }
    head
}
