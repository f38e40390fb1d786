//! Console output, uncaught errors, rejections and failed requests.

use wire::log::AiContext;
use wire::{Json, Level, LogEntry, Timestamp, identity, limits};

use super::{Arrival, Parse, Refusal, marks, page_of, time_of};
use crate::redact::{Redact, Scrubber};

open_names! {
    /// What produced a log entry.
    pub enum LogKind {
        Console = "console",
        /// An uncaught exception.
        Exception = "exception",
        /// An unhandled rejection of a promise.
        Rejection = "rejection",
        /// A failed request.
        Network = "network",
        /// A script, style or picture that did not load.
        Resource = "resource",
        /// A violation of the content security policy.
        Csp = "csp",
    }
}

entry! {
    /// One console line, uncaught error, rejection or failed request.
    pub struct Log from LogEntry {
        #[serde(rename = "ts")]
        at: Timestamp,
        #[serde(rename = "type")]
        kind: LogKind,
        level: Level,
        /// Empty only in a patch of an entry that was sent before; a patch is never stored by itself.
        #[serde(skip_serializing_if = "String::is_empty")]
        message: String,
        /// The message's size in bytes, if it was cut.
        #[serde(rename = "messageSize", skip_serializing_if = "Option::is_none")]
        message_size: Option<u64>,
    } optional {
        id: String,
        args: Json,
        url: String,
        source: String,
        stack: String,
        filename: String,
        lineno: u32,
        colno: u32,
        method: String,
        #[serde(rename = "requestUrl")]
        request_url: String,
        status: u16,
        duration: f64,
        #[serde(rename = "requestId")]
        request_id: String,
        count: u32,
        #[serde(rename = "_context")]
        context: Json,
        #[serde(rename = "_enrichments")]
        enrichments: Vec<String>,
        #[serde(rename = "_actions")]
        actions: Json,
        #[serde(rename = "_aiContext")]
        ai_context: AiContext,
        metadata: Json,
        screenshot: String,
    } addresses {
        log => [log.url.as_deref(), log.request_url.as_deref(), None]
    }
}

impl Log {
    /// `file:line:column`, where the entry names one.
    pub(crate) fn place(&self) -> Option<String> {
        let mut place = self.filename.clone()?;
        for number in [self.lineno, self.colno].into_iter().map_while(|number| number) {
            place.push_str(&format!(":{number}"));
        }
        Some(place)
    }
}

impl Parse for Log {
    type Wire = LogEntry;

    fn parse(mut wire: LogEntry, arrival: Arrival<'_>) -> Result<Self, Refusal> {
        let is_patch = wire.id.is_some() && wire.ai_context.is_some();
        let said = wire.message.take().or_else(|| wire.args.as_ref().and_then(message_of_args));
        let said = said.or_else(|| wire.stack.as_ref().and_then(|stack| stack.lines().next()).map(str::to_owned));
        let message = said.unwrap_or_default();
        if message.is_empty() && !is_patch {
            return Err("a log entry needs a message, args or a stack");
        }
        if wire.id.as_ref().is_some_and(|id| id.is_empty() || id.chars().count() > limits::ENTRY_ID_CHARS) {
            return Err("an entry's id has 1 to 64 characters");
        }
        // A position in our wrapper is not a position in the page's code.
        if wire.filename.as_deref().is_some_and(is_our_script) {
            (wire.filename, wire.lineno, wire.colno) = (None, None, None);
        }
        // A page must not point the reader at a file that it chooses.
        wire.screenshot = None;
        wire.url = page_of(&mut wire.url, arrival);
        let kind = kind_of(wire.kind.take(), wire.source.as_deref());
        let level = wire.level.unwrap_or(match (&kind, wire.status) {
            (LogKind::Exception | LogKind::Rejection | LogKind::Csp | LogKind::Resource, _) => Level::Error,
            (LogKind::Network, Some(400..=499)) => Level::Warn,
            (LogKind::Network, _) => Level::Error,
            _ => Level::Log,
        });
        let message_size = (message.len() > limits::TEXT_BYTES).then_some(message.len() as u64);
        let mut log = Self::with(time_of(&wire, arrival), kind, level, message, message_size, wire);
        if level == Level::Error && !is_patch {
            marks::complete(&mut log);
        }
        Ok(log)
    }
}

/// Whether the file is our script, as stacks name it: the extension's, or the one for test runners.
fn is_our_script(file: &str) -> bool {
    file.starts_with("gasoline:") || file == "gasoline" || file.contains(identity::EXTENSION_ID)
}

/// The kind of an entry; senders use several names for the same kind.
fn kind_of(kind: Option<String>, source: Option<&str>) -> LogKind {
    match (kind.as_deref(), source) {
        (Some("exception" | "error") | None, Some("unhandledrejection" | "rejection")) => LogKind::Rejection,
        (Some("error") | None, Some("network")) => LogKind::Network,
        (Some("error") | None, Some("resource")) => LogKind::Resource,
        (Some("error") | None, Some("csp")) => LogKind::Csp,
        (None, Some("exception")) | (Some("error" | "exception"), _) => LogKind::Exception,
        (Some("unhandledrejection"), _) => LogKind::Rejection,
        (None, _) => LogKind::Console,
        (Some(_), _) => kind.as_deref().map_or(LogKind::Console, LogKind::named),
    }
}

/// What the console would show: strings as they are, other values as JSON.
fn message_of_args(args: &Json) -> Option<String> {
    let serde_json::Value::Array(args) = args.value() else { return None };
    let parts: Vec<String> = args
        .into_iter()
        .map(|arg| match arg {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        })
        .collect();
    Some(parts.join(" "))
}

impl Redact for Log {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            at: _,
            id,
            kind,
            level: _,
            message,
            message_size: _,
            args,
            url,
            source,
            stack,
            filename,
            lineno: _,
            colno: _,
            method,
            request_url,
            status: _,
            duration: _,
            request_id,
            count: _,
            context,
            enrichments,
            actions,
            ai_context,
            metadata,
            screenshot,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        kind.scrub(scrubber);
        scrubber.text("message", message);
        for (field, text) in [
            ("id", id),
            ("source", source),
            ("stack", stack),
            ("method", method),
            ("requestId", request_id),
            ("screenshot", screenshot),
            ("test_id", test_id),
            ("page_id", page_id),
            ("worker", worker),
        ] {
            scrubber.opt_text(field, text);
        }
        for (field, address) in [("url", url), ("filename", filename), ("requestUrl", request_url)] {
            scrubber.url(field, address);
        }
        for (field, json) in [("args", args), ("_context", context), ("_actions", actions), ("metadata", metadata)] {
            scrubber.json(field, json);
        }
        for text in enrichments.iter_mut().flatten() {
            scrubber.text("_enrichments", text);
        }
        if let Some(ai_context) = ai_context {
            ai_context.scrub(scrubber);
        }
    }
}
