//! The console, as the model reads it.

use serde_json::{Map, Value, json};
use wire::Level;

use crate::answer::fit::Texts;
use crate::entry::Log;
use crate::store::Filter;
use crate::store::id::Ids;
use crate::store::{Store, Stored};
use crate::text::shorten;

const MESSAGE_CHARS: usize = 500;
const STACK_LINES: usize = 4;
const FRAME_CHARS: usize = 300;
const ARGS_BYTES: usize = 400;

#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    pub common: Filter,
    /// Exactly this level.
    pub level: Option<Level>,
    /// A part of the message, whatever its case.
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

/// What a list shows of an entry.
pub fn brief(stored: &Stored<Log>, ids: &Ids, texts: &Texts) -> Map<String, Value> {
    let entry = &stored.entry;
    let mut out = Map::new();
    out.insert("id".to_owned(), json!(stored.id(ids)));
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            out.insert(name.to_owned(), value);
        }
    };
    put("ts", json!(entry.at));
    put("level", json!(entry.level));
    put("type", json!(entry.kind));
    put("message", json!(texts.show_cut(&entry.message, MESSAGE_CHARS, entry.message_size)));
    if let Some(args) = &entry.args
        && (texts.are_whole() || args.text().len() <= ARGS_BYTES)
        && !says_no_more(args.value())
    {
        put("args", args.value());
    }
    put("url", json!(entry.url));
    put("at", json!(entry.place()));
    put("stack", json!(entry.stack.as_deref().and_then(|stack| head_of_stack(stack, texts))));
    put("method", json!(entry.method));
    put("requestUrl", json!(entry.request_url));
    put("status", json!(entry.status));
    put("duration", json!(entry.duration));
    put("count", json!(entry.count));
    put("screenshot", json!(entry.screenshot));
    put("tabId", json!(entry.tab_id));
    put("test_id", json!(entry.test_id));
    out
}

/// Whether the arguments are just the message again.
fn says_no_more(args: Value) -> bool {
    let Value::Array(args) = args else { return false };
    args.iter().all(|arg| arg.is_string() || arg.is_number() || arg.is_boolean())
}

/// The first frames, without the line that repeats the message.
fn head_of_stack(stack: &str, texts: &Texts) -> Option<String> {
    let frames: Vec<&str> =
        stack.lines().map(str::trim).filter(|line| line.starts_with("at ") || line.contains('@')).collect();
    (!frames.is_empty()).then(|| head_of(&frames, texts))
}

/// The first of some frames, and how many more there are.
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

/// All there is about an entry.
pub fn full(stored: &Stored<Log>, ids: &Ids) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("id".to_owned(), json!(stored.id(ids)));
    if let Ok(Value::Object(fields)) = serde_json::to_value(&stored.entry) {
        out.extend(fields.into_iter().filter(|(name, _)| name != "id"));
    }
    if !stored.findings.is_empty() {
        out.insert("redacted".to_owned(), json!(stored.findings));
    }
    out
}
