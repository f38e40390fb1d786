//! What the bridge knows about the JSON-RPC that passes through it: the pending requests, and the client's handshake.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

pub(super) const REPLAY_ID: &str = "gasoline-replay";
/// JSON-RPC's range for a server's own errors.
const SERVER_ERROR: i64 = -32000;

/// The members of a line that the bridge reads.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<String>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

impl<'a> Head<'a> {
    /// `None` if the line is not a message: serde would read a list as one, too.
    fn parse(line: &'a str) -> Option<Self> {
        if line.starts_with('{') { serde_json::from_str(line).ok() } else { None }
    }

    fn id(&self) -> Option<String> {
        key(self.id?)
    }
}

/// The members of a `notifications/cancelled` that the bridge reads.
#[derive(Deserialize)]
struct Cancelled<'a> {
    #[serde(borrow)]
    params: CancelledParams<'a>,
}

#[derive(Deserialize)]
struct CancelledParams<'a> {
    #[serde(borrow, rename = "requestId")]
    request_id: &'a RawValue,
}

/// An id in a canonical spelling: an answer may escape a string differently than the request did. Numbers keep their
/// spelling, because parsing could change a large one.
fn key(id: &RawValue) -> Option<String> {
    match serde_json::from_str(id.get()).ok()? {
        Value::String(text) => Some(Value::String(text).to_string()),
        Value::Number(_) => Some(id.get().to_owned()),
        _ => None,
    }
}

/// A pending request.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) line: String,
    pub(super) is_introduction: bool,
}

#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// The client's `initialize`, once a server has accepted it. It is replayed to the next server.
    introduction: Option<String>,
    /// Its `notifications/initialized`.
    pub(super) confirmation: Option<String>,
    pub(super) waiting: HashMap<String, Waiting>,
    /// A line that arrived while there was no server.
    pub(super) held: Option<String>,
}

impl Conversation {
    pub(super) fn sent(&mut self, line: &str) {
        let Some(head) = Head::parse(line) else { return };
        match (head.method.as_deref(), head.id()) {
            (Some("notifications/initialized"), None) => self.confirmation = Some(line.to_owned()),
            (Some("notifications/cancelled"), None) => self.cancelled(line),
            (Some(method), Some(id)) => {
                let is_introduction = method == "initialize";
                self.waiting.insert(id, Waiting { line: line.to_owned(), is_introduction });
            }
            _ => {}
        }
    }

    /// A cancelled request gets no answer.
    fn cancelled(&mut self, line: &str) {
        let cancelled: Option<Cancelled<'_>> = serde_json::from_str(line).ok();
        if let Some(id) = cancelled.and_then(|cancelled| key(cancelled.params.request_id)) {
            self.waiting.remove(&id);
        }
    }

    pub(super) fn answered(&mut self, line: &str) {
        let Some(head) = Head::parse(line) else { return };
        if head.method.is_some() {
            return;
        }
        let waiting = head.id().and_then(|id| self.waiting.remove(&id));
        if let Some(Waiting { line, is_introduction: true }) = waiting
            && head.result.is_some()
        {
            self.introduction = Some(line);
        }
    }
    /// The handshake for a new server. It has our id, so the answer does not reach the client.
    pub(super) fn replayed(&self) -> Option<String> {
        let mut introduction: Map<String, Value> = serde_json::from_str(self.introduction.as_deref()?).ok()?;
        introduction.insert("id".to_owned(), json!(REPLAY_ID));
        serde_json::to_string(&introduction).ok()
    }
}

/// The line to pass on, or `None` if it is empty.
pub(super) fn line_of(bytes: &[u8]) -> Option<String> {
    // A line is nearly always valid UTF-8, and checking that is faster than repairing it.
    let text = str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The error for a request that the server will not answer.
pub(super) fn error_line(id: &str, message: &str) -> String {
    let error = json!({ "code": SERVER_ERROR, "message": message });
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{error}}}")
}
