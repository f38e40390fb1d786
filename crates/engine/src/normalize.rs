//! Gives an entry its final form: what senders spell differently or leave out is settled once, before storage.

use wire::action::Position;
use wire::action::Selectors;
use wire::extension::ExtensionLog;
use wire::network::Cookie;
use wire::time::EpochMillis;
use wire::{
    DomSnapshot, EnhancedAction, Entry, Json, Level, LogEntry, NetworkBody, PerformanceSnapshot, Timestamp,
    WebSocketEvent, identity, limits,
};

use crate::marks;
use crate::plausible;
use crate::url::path_of;

/// Why an entry can't be kept.
pub type Refusal = &'static str;

pub trait Normalize: Entry {
    /// `arrival` stands in for a missing time, `page` for a missing page address.
    fn normalize(&mut self, arrival: Timestamp, page: Option<&str>) -> Result<(), Refusal>;
}

impl Normalize for LogEntry {
    fn normalize(&mut self, arrival: Timestamp, page: Option<&str>) -> Result<(), Refusal> {
        let is_patch = self.id.is_some() && self.ai_context.is_some();
        if self.message.is_none() {
            self.message = self.args.as_ref().and_then(message_of);
        }
        if self.message.is_none() {
            self.message = self.stack.as_ref().and_then(|stack| stack.lines().next()).map(str::to_owned);
        }
        if self.message.as_deref().is_none_or(str::is_empty) && !is_patch {
            return Err("a log entry needs a message, args or a stack");
        }
        if self.id.as_ref().is_some_and(|id| id.is_empty() || id.chars().count() > limits::ENTRY_ID_CHARS) {
            return Err("an entry's id has 1 to 64 characters");
        }
        self.ts = Some(self.time().unwrap_or(arrival));
        self.timestamp = None;
        // What a wrapper of ours called on the page's behalf is no place in the page's code.
        if self.filename.as_deref().is_some_and(is_our_script) {
            (self.filename, self.lineno, self.colno) = (None, None, None);
        }
        // A page must not point the reader at a file of its choice.
        self.screenshot = None;
        inherit_page(&mut self.url, page);
        let kind = log_kind(self.kind.as_deref(), self.source.as_deref());
        self.level = self.level.or(Some(match (kind, self.status) {
            ("exception" | "rejection" | "csp" | "resource", _) => Level::Error,
            ("network", Some(400..=499)) => Level::Warn,
            ("network", _) => Level::Error,
            _ => Level::Log,
        }));
        self.kind = Some(kind.to_owned());
        if self.level == Some(Level::Error) && !is_patch {
            marks::complete(self);
        }
        Ok(())
    }
}

/// As our scripts are named in stacks: by the extension, and by the script for test runners.
fn is_our_script(file: &str) -> bool {
    file.starts_with("gasoline:") || file == "gasoline" || file.contains(identity::EXTENSION_ID)
}

/// One name for what senders call by several.
fn log_kind<'a>(kind: Option<&'a str>, source: Option<&'a str>) -> &'a str {
    match (kind, source) {
        (Some("exception" | "error") | None, Some("unhandledrejection" | "rejection")) => "rejection",
        (Some("error"), Some(source @ ("network" | "resource" | "csp"))) => source,
        (Some("error" | "exception"), _) => "exception",
        (Some("unhandledrejection"), _) => "rejection",
        (Some(kind), _) => kind,
        (None, Some(source @ ("exception" | "network" | "resource" | "csp"))) => source,
        (None, _) => "console",
    }
}

/// What the console would show: texts as they are, the rest as JSON.
fn message_of(args: &Json) -> Option<String> {
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

impl Normalize for WebSocketEvent {
    fn normalize(&mut self, arrival: Timestamp, _: Option<&str>) -> Result<(), Refusal> {
        let event = self.event.as_deref().ok_or("a WebSocket event needs `event`")?;
        if !matches!(event, "connecting" | "open" | "message" | "close" | "error" | "stats") {
            return Err("`event` is one of connecting, open, message, close, error, stats");
        }
        if !matches!(self.direction.as_deref(), None | Some("incoming" | "outgoing")) {
            return Err("`direction` is incoming or outgoing");
        }
        self.ts = Some(self.time().unwrap_or(arrival));
        self.timestamp = None;
        self.kind = Some("websocket".to_owned());
        Ok(())
    }
}

impl Normalize for NetworkBody {
    fn normalize(&mut self, arrival: Timestamp, page: Option<&str>) -> Result<(), Refusal> {
        if self.url.as_deref().is_none_or(str::is_empty) {
            return Err("a network body needs `url`");
        }
        self.ts = Some(self.time().unwrap_or(arrival));
        self.timestamp = None;
        self.kind = Some("network_body".to_owned());
        self.method = Some(self.method.take().unwrap_or_else(|| "GET".to_owned()).to_ascii_uppercase());
        inherit_page(&mut self.page_url, page);
        if self.cookies.is_none()
            && let Some(headers) = &self.response_headers
            && let Some((_, set)) = headers.0.iter().find(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
        {
            // Values go, but whether a cookie is `Secure` is worth knowing.
            self.cookies = Some(set.lines().filter_map(cookie).take(50).collect());
        }
        Ok(())
    }
}

fn cookie(line: &str) -> Option<Cookie> {
    let mut parts = line.split(';').map(str::trim);
    let (name, _) = parts.next()?.split_once('=')?;
    let mut cookie =
        Cookie { name: Some(name.trim().to_owned()), secure: Some(false), http_only: Some(false), same_site: None };
    for flag in parts {
        let (flag, value) = flag.split_once('=').unwrap_or((flag, ""));
        match flag.to_ascii_lowercase().as_str() {
            "secure" => cookie.secure = Some(true),
            "httponly" => cookie.http_only = Some(true),
            "samesite" => cookie.same_site = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    Some(cookie)
}

impl Normalize for EnhancedAction {
    fn normalize(&mut self, arrival: Timestamp, page: Option<&str>) -> Result<(), Refusal> {
        if let Some(kind) = self.action_type.take() {
            self.kind = Some(kind);
        }
        if self.kind.as_deref().is_none_or(|kind| kind.is_empty() || kind == "action") {
            return Err("an action needs `type` (in /sync: `action_type`)");
        }
        let time = self.time().unwrap_or(arrival);
        self.ts = Some(time);
        self.timestamp = Some(EpochMillis(time));
        if self.position.is_none() && (self.x.is_some() || self.y.is_some()) {
            self.position = Some(Position { x: self.x, y: self.y });
        }
        (self.x, self.y) = (None, None);
        if self.selectors.is_none() && self.kind.as_deref() != Some("scroll") {
            self.selectors = self.target.clone().map(|path| Selectors { css_path: Some(path), ..Selectors::default() });
        }
        inherit_page(&mut self.url, page);
        Ok(())
    }
}

impl Normalize for PerformanceSnapshot {
    fn normalize(&mut self, arrival: Timestamp, page: Option<&str>) -> Result<(), Refusal> {
        inherit_page(&mut self.url, page);
        let url = self.url.as_deref().ok_or("a performance snapshot needs `url`")?;
        self.url = Some(path_of(url).to_owned());
        self.timestamp = Some(EpochMillis(self.time().unwrap_or(arrival)));
        (self.ts, self.kind) = (None, None);
        if let Some(resources) = &mut self.insecure_resources {
            resources.truncate(limits::INSECURE_RESOURCES);
        }
        if let Some(cookies) = &mut self.cookies {
            cookies.truncate(limits::PAGE_COOKIES);
        }
        if let Some(metric) = &self.metric {
            let value = self.value.take().ok_or("a metric needs `value`")?;
            self.unit = None;
            let timing = self.timing.get_or_insert_default();
            match metric.as_str() {
                "LCP" => timing.largest_contentful_paint = Some(value),
                "FCP" => timing.first_contentful_paint = Some(value),
                "TTFB" => timing.time_to_first_byte = Some(value),
                "CLS" => self.cumulative_layout_shift = Some(value),
                "INP" => self.interaction_to_next_paint = Some(value),
                "DCL" => timing.dom_content_loaded = Some(value),
                "load" | "Load" => timing.load = Some(value),
                _ => return Err("`metric` is one of LCP, FCP, TTFB, CLS, INP, DCL, load"),
            }
        }
        plausible::check(self)
    }
}

impl Normalize for DomSnapshot {
    fn normalize(&mut self, arrival: Timestamp, page: Option<&str>) -> Result<(), Refusal> {
        inherit_page(&mut self.url, page);
        if self.url.is_none() {
            return Err("a DOM snapshot needs `url`");
        }
        self.timestamp = Some(EpochMillis(self.time().unwrap_or(arrival)));
        (self.ts, self.kind) = (None, None);
        if let Some(elements) = &mut self.elements {
            elements.truncate(limits::SNAPSHOT_ELEMENTS);
            for text in elements.iter_mut().filter_map(|element| element.text.as_mut()) {
                if let Some((end, _)) = text.char_indices().nth(limits::SNAPSHOT_TEXT_CHARS) {
                    text.truncate(end);
                }
            }
        }
        Ok(())
    }
}

impl Normalize for ExtensionLog {
    fn normalize(&mut self, arrival: Timestamp, _: Option<&str>) -> Result<(), Refusal> {
        if self.message.is_none() {
            return Err("an extension log needs `message`");
        }
        self.ts = Some(self.time().unwrap_or(arrival));
        self.timestamp = None;
        self.level = Some(self.level.unwrap_or(Level::Info));
        Ok(())
    }
}

fn inherit_page(own: &mut Option<String>, page: Option<&str>) {
    if own.is_none() {
        *own = page.map(str::to_owned);
    }
}
