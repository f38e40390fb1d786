//! Everything that happened, whatever its kind, one line each.

use std::collections::HashSet;

use wire::{Level, Timestamp};

use crate::code_changes::{ChangeKind, CodeChange};
use crate::entry::{Action, ActionKind, Entry, Log, LogKind, Request, SocketEvent, SocketEventKind};
use crate::session::Session;
use crate::store::Stored;
use crate::store::id::{IdKind, Ids};
use crate::store::{Filter, Since};
use crate::symbolicate::explain::location;
use crate::symbolicate::summary::error_type;
use crate::text::shorten;
use crate::url::{Url, origin_of, path_of};

const TEXT_CHARS: usize = 160;
const LABEL_CHARS: usize = 60;

/// Anything that happened at one time.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub what: What<'a>,
}

/// The entry or change that happened.
#[derive(Debug, Clone, Copy)]
pub enum What<'a> {
    /// A user action.
    Action(&'a Stored<Action>),
    /// A request.
    Request(&'a Stored<Request>),
    /// A console line or an error.
    Console(&'a Stored<Log>),
    /// A socket event.
    Socket(&'a Stored<SocketEvent>),
    /// New code in a page.
    Update(&'a CodeChange),
}

/// Which kinds to list. Code changes are always listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Include {
    /// User actions.
    pub actions: bool,
    /// Requests.
    pub network: bool,
    /// Console lines and errors.
    pub console: bool,
    /// Socket events.
    pub websocket: bool,
}

impl Include {
    /// Every kind.
    pub const ALL: Self = Self { actions: true, network: true, console: true, websocket: true };
}

/// Everything that the filter admits, oldest first. A failed request with a log entry and a body is listed once.
pub fn moments<'a>(session: &'a Session, filter: &Filter, include: Include) -> Vec<Moment<'a>> {
    fn at<T: Entry>(stored: &Stored<T>) -> Timestamp {
        stored.entry.at()
    }
    let mut found: Vec<Moment<'a>> = Vec::new();
    if include.actions {
        let actions = session.store.actions.iter().filter(|stored| filter.admits(stored));
        found.extend(actions.map(|stored| Moment { at: at(stored), what: What::Action(stored) }));
    }
    if include.network {
        let requests = session.store.network.iter().filter(|stored| filter.admits(stored));
        found.extend(requests.map(|stored| Moment { at: stored.began(), what: What::Request(stored) }));
    }
    let with_body: HashSet<&str> =
        session.store.network.iter().filter_map(|request| request.entry.request_id.as_deref()).collect();
    let has_body = |entry: &Log| entry.request_id.as_deref().is_some_and(|id| with_body.contains(id));
    let lines = session.store.logs.iter().filter(|stored| filter.admits(stored));
    for stored in lines {
        let is_request = stored.entry.kind == LogKind::Network;
        let is_wanted = if is_request { include.network && !has_body(&stored.entry) } else { include.console };
        if is_wanted {
            found.push(Moment { at: at(stored), what: What::Console(stored) });
        }
    }
    if include.websocket {
        let events = session.store.websocket.iter().filter(|stored| filter.admits(stored));
        found.extend(events.map(|stored| Moment { at: at(stored), what: What::Socket(stored) }));
    }
    // New code explains what follows it, whatever kinds are listed.
    let changes = session.code_changes.iter().filter(|change| {
        let is_of_tab = filter.tab_id.is_none_or(|tab| change.tab == Some(tab));
        is_of_tab && filter.test_id.is_none() && filter.url.is_none()
    });
    let changes = changes.filter(|change| match filter.since {
        Since::Ever => true,
        Since::Time(from) => change.at >= from,
        Since::Cursor(_) => false,
    });
    found.extend(changes.map(|change| Moment { at: change.at, what: What::Update(change) }));
    // A user action comes before what it caused in the same millisecond.
    found.sort_by_key(|moment| (moment.at, !matches!(moment.what, What::Action(_)), moment.cursor()));
    found
}

/// The kind that a list shows. A failed request counts as a request, whether it was captured as a log entry or a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MomentKind {
    /// A user action.
    Action,
    /// A request, failed or not.
    Network,
    /// A console error, an uncaught error or a rejection.
    Error,
    /// Any other console line.
    Console,
    /// A socket event.
    WebSocket,
    /// New code in a page.
    #[serde(rename = "code_update")]
    CodeUpdate,
}

impl Moment<'_> {
    fn cursor(&self) -> u64 {
        match self.what {
            What::Action(stored) => stored.cursor,
            What::Request(stored) => stored.cursor,
            What::Console(stored) => stored.cursor,
            What::Socket(stored) => stored.cursor,
            What::Update(_) => 0,
        }
    }

    /// The kind that a list shows.
    pub fn kind(&self) -> MomentKind {
        match self.what {
            What::Action(_) => MomentKind::Action,
            What::Request(_) => MomentKind::Network,
            What::Console(stored) if stored.entry.kind == LogKind::Network => MomentKind::Network,
            What::Console(stored) if stored.entry.level == Level::Error => MomentKind::Error,
            What::Console(_) => MomentKind::Console,
            What::Socket(_) => MomentKind::WebSocket,
            What::Update(_) => MomentKind::CodeUpdate,
        }
    }

    /// The entry's id. `None` for code changes, which have none.
    pub fn id(&self, ids: &Ids) -> Option<String> {
        match self.what {
            What::Action(stored) => Some(ids.format(IdKind::Action, stored.cursor)),
            What::Request(stored) => Some(ids.format(IdKind::Network, stored.cursor)),
            What::Console(stored) => Some(stored.id(ids)),
            What::Socket(stored) => Some(ids.format(IdKind::WebSocket, stored.cursor)),
            What::Update(_) => None,
        }
    }

    /// The browser tab that it happened in.
    pub fn tab_id(&self) -> Option<i64> {
        match self.what {
            What::Action(stored) => stored.entry.tab_id,
            What::Request(stored) => stored.entry.tab_id,
            What::Console(stored) => stored.entry.tab_id,
            What::Socket(stored) => stored.entry.tab_id,
            What::Update(change) => change.tab,
        }
    }

    /// The page load that it happened in.
    pub fn page_id(&self) -> Option<&str> {
        match self.what {
            What::Action(stored) => stored.entry.page_id.as_deref(),
            What::Request(stored) => stored.entry.page_id.as_deref(),
            What::Console(stored) => stored.entry.page_id.as_deref(),
            What::Socket(stored) => stored.entry.page_id.as_deref(),
            What::Update(_) => None,
        }
    }

    /// Whether both are the same entry.
    pub fn is_same(&self, other: &Self) -> bool {
        self.cursor() == other.cursor() && self.kind() == other.kind()
    }

    /// How severe it is.
    pub fn severity(&self) -> Level {
        match self.what {
            What::Action(_) | What::Update(_) => Level::Info,
            What::Request(stored) if is_failed(&stored.entry) => Level::Error,
            What::Request(_) => Level::Log,
            What::Console(stored) => stored.entry.level,
            What::Socket(stored) => stored.entry.severity(),
        }
    }

    /// One short line about it.
    pub fn text(&self) -> String {
        match self.what {
            What::Action(stored) => action_text(&stored.entry),
            What::Request(stored) => request_text(&stored.entry),
            What::Console(stored) => line_text(&stored.entry),
            What::Socket(stored) => socket_text(&stored.entry),
            What::Update(change) => change_text(change),
        }
    }
}

/// Whether the response is a failure or missing; requests that the page itself cancelled did not fail.
pub fn is_failed(request: &Request) -> bool {
    request.status.is_some_and(|status| status == 0 || status >= 400) && !request.is_aborted()
}

/// `click button "Pay"`
pub fn action_text(action: &Action) -> String {
    let selectors = action.selectors.as_ref();
    let role = selectors.and_then(|selectors| selectors.role.as_ref());
    let named = role.and_then(|role| {
        Some(format!("{} \"{}\"", role.role.as_deref()?, shorten(role.name.as_deref()?, LABEL_CHARS)))
    });
    let quoted = |text: &String| format!("\"{}\"", shorten(text, LABEL_CHARS));
    let target = named
        .or_else(|| {
            selectors.and_then(|selectors| selectors.aria_label.as_ref().or(selectors.text.as_ref())).map(quoted)
        })
        .or_else(|| action.text.as_ref().filter(|text| !text.is_empty()).map(quoted))
        .or_else(|| selectors.and_then(|selectors| selectors.test_id.as_ref()).map(quoted))
        .or_else(|| {
            selectors.and_then(|selectors| selectors.id.as_ref()).map(|id| format!("#{}", shorten(id, LABEL_CHARS)))
        })
        .or_else(|| selectors.and_then(|selectors| selectors.css_path.as_ref()).map(|path| shorten(path, LABEL_CHARS)))
        .unwrap_or_default();
    let detail = match action.kind {
        ActionKind::Navigate => {
            format!("to {}", Url::new(action.to_url.as_deref().unwrap_or_default()).path_and_query())
        }
        ActionKind::Input => {
            format!("{target} = \"{}\"", shorten(action.value.as_deref().unwrap_or_default(), LABEL_CHARS))
        }
        ActionKind::Select => {
            let chosen = action.selected_text.as_deref().or(action.selected_value.as_deref()).unwrap_or_default();
            format!("{target} = \"{}\"", shorten(chosen, LABEL_CHARS))
        }
        ActionKind::Keypress => format!("{} in {target}", action.key.as_deref().unwrap_or("key")),
        ActionKind::Scroll => format!("to y={}", action.scroll_y.unwrap_or_default()),
        _ => target,
    };
    format!("{} {detail}", action.kind.name()).trim_end().to_owned()
}

/// `POST /api/pay → 500 (120 ms)`
pub fn request_text(request: &Request) -> String {
    let outcome = match (request.status, request.error.as_deref()) {
        (Some(0), Some(error)) => format!("failed: {}", shorten(error, LABEL_CHARS)),
        (Some(0), None) => "no response".to_owned(),
        (Some(status), _) => status.to_string(),
        (None, _) => "answered".to_owned(),
    };
    let time = request.duration.map(|millis| format!(" ({millis:.0} ms)")).unwrap_or_default();
    format!("{} {} → {outcome}{time}", request.method.as_str(), address(request))
}

/// The request's address in its shortest form: without an origin that it shares with its page.
pub fn address(request: &Request) -> String {
    let url = request.url.as_str();
    let origin = origin_of(url);
    let is_of_page = origin.is_some() && origin == request.page_url.as_deref().and_then(origin_of);
    let shown = if is_of_page { Url::new(url).path_and_query() } else { url };
    shorten(shown, TEXT_CHARS)
}

fn line_text(entry: &Log) -> String {
    let message = entry.message.as_str();
    let message = shorten(message.lines().next().unwrap_or_default(), TEXT_CHARS);
    match entry.kind {
        LogKind::Network => message,
        LogKind::Console => format!("console.{}: {message}", entry.level.name()),
        _ => {
            let place = location(entry).map(|(file, line, _)| format!(" at {file}:{line}")).unwrap_or_default();
            let kind = error_type(entry);
            let message =
                message.strip_prefix(kind).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&message).to_owned();
            format!("{kind}: {message}{place}")
        }
    }
}

/// `socket /live closed with 1006`
pub fn socket_text(event: &SocketEvent) -> String {
    let name = path_of(event.url.as_deref().unwrap_or("?"));
    let data = || shorten(event.data.as_deref().unwrap_or_default(), LABEL_CHARS);
    match event.event {
        SocketEventKind::Message if event.is_outgoing() => format!("socket {name} ← {}", data()),
        SocketEventKind::Message => format!("socket {name} → {}", data()),
        SocketEventKind::Close => {
            let reason = event.reason.as_deref().filter(|reason| !reason.is_empty());
            let reason = reason.map(|reason| format!(" ({})", shorten(reason, LABEL_CHARS))).unwrap_or_default();
            format!("socket {name} closed with {}{reason}", event.code.unwrap_or(1005))
        }
        other => format!("socket {name} {}", other.name()),
    }
}

/// `hot update by vite: src/App.jsx`
pub fn change_text(change: &CodeChange) -> String {
    let kind = match change.kind {
        ChangeKind::HotUpdate => "hot update",
        ChangeKind::Reload => "page reloaded",
    };
    let by = change.by.map(|tool| format!(" by {tool}")).unwrap_or_default();
    let modules = if change.modules.is_empty() { String::new() } else { format!(": {}", change.modules.join(", ")) };
    format!("{kind}{by}{modules}")
}
