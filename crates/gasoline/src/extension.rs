//! What the server knows about the developer's browser.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::symbolicate::explain::Allowed;
use serde::Serialize;
use wire::extension::{ExtensionCounts, Hello, Status, Tab};
use wire::settings::Settings;
use wire::{Timestamp, limits};

use crate::clock;

/// One extension with an open socket.
#[derive(Debug, Clone, Default)]
struct Browser {
    version: Option<String>,
    tabs: Vec<Tab>,
    settings: Settings,
    counts: Option<ExtensionCounts>,
}

#[derive(Debug, Default)]
struct Seen {
    next_socket: u64,
    sockets: BTreeMap<u64, Browser>,
    /// The last browser's report, kept after its socket has closed.
    last: Option<Browser>,
    last_seen: Option<(Timestamp, Instant)>,
    polled: Option<Instant>,
}

#[derive(Debug, Default)]
pub(crate) struct Extension {
    seen: Mutex<Seen>,
}

/// No socket is open, and no browser polls.
#[derive(Debug)]
pub(crate) struct NoBrowser;

#[derive(Debug, Clone, Serialize)]
pub(crate) struct ExtensionReport {
    pub(crate) connected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_seen: Option<Timestamp>,
    pub(crate) tabs: Vec<Tab>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) counts: Option<ExtensionCounts>,
    pub(crate) settings: Settings,
}

impl Extension {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn connect(&self, hello: Hello) -> u64 {
        let mut seen = self.seen();
        seen.next_socket += 1;
        let socket = seen.next_socket;
        let browser = Browser {
            version: hello.version,
            tabs: hello.tabs.unwrap_or_default(),
            settings: hello.settings.unwrap_or_default(),
            counts: hello.counts,
        };
        seen.sockets.insert(socket, browser);
        seen.forget_older(socket);
        seen.touch();
        socket
    }

    pub(crate) fn update(&self, socket: u64, status: Status) {
        let mut seen = self.seen();
        if let Some(browser) = seen.sockets.get_mut(&socket) {
            if let Some(tabs) = status.tabs {
                browser.tabs = tabs;
            }
            if let Some(settings) = status.settings {
                browser.settings = settings;
            }
            browser.counts = status.counts.or(browser.counts.take());
        }
        seen.forget_older(socket);
        seen.touch();
    }

    pub(crate) fn heartbeat(&self) {
        self.seen().touch();
    }

    pub(crate) fn disconnect(&self, socket: u64) {
        let mut seen = self.seen();
        seen.last = seen.sockets.remove(&socket).or(seen.last.take());
        seen.touch();
    }

    /// A browser has polled for queries. Returns whether none had for a while: then this is a new browser.
    pub(crate) fn polled(&self) -> bool {
        let mut seen = self.seen();
        let is_new = !seen.polls();
        seen.polled = Some(Instant::now());
        seen.touch();
        is_new
    }

    /// Which socket to query about a tab: the one whose browser has the tab, otherwise the one whose window is active,
    /// otherwise the newest. `None` if no socket is open; an error if no browser is connected at all.
    pub(crate) fn whom_to_ask(&self, tab_id: Option<i64>) -> Result<Option<u64>, NoBrowser> {
        let seen = self.seen();
        let having = |wanted: &dyn Fn(&Tab) -> bool| {
            let mut sockets = seen.sockets.iter().rev();
            sockets.find(|(_, browser)| browser.tabs.iter().any(wanted)).map(|(id, _)| *id)
        };
        let socket = tab_id
            .and_then(|tab_id| having(&|tab| tab.id == Some(tab_id)))
            .or_else(|| having(&|tab| tab.active == Some(true)))
            .or_else(|| seen.sockets.keys().next_back().copied());
        if socket.is_none() && !seen.polls() { Err(NoBrowser) } else { Ok(socket) }
    }

    /// The given tab, or the one that a query without a tab is about, if it is known.
    pub(crate) fn tab(&self, tab_id: Option<i64>) -> Option<(i64, String)> {
        let socket = self.whom_to_ask(tab_id).ok()??;
        let seen = self.seen();
        let fits = |tab: &&Tab| match tab_id {
            Some(_) => tab.id == tab_id,
            None => tab.active == Some(true),
        };
        let tab = seen.sockets.get(&socket)?.tabs.iter().find(fits)?;
        Some((tab.id?, tab.url.clone()?))
    }

    /// Whether the browser reports that it allows this. A browser that polls cannot report it.
    pub(crate) fn allows_execute_js(&self, socket: Option<u64>) -> bool {
        let seen = self.seen();
        socket
            .and_then(|socket| seen.sockets.get(&socket))
            .is_some_and(|browser| browser.settings.allow_execute_js == Some(true))
    }

    /// What may be added to errors: everything except what the newest browser's switches turn off.
    pub(crate) fn allowed_context(&self) -> Allowed {
        let seen = self.seen();
        let Some(Browser { settings, .. }) = seen.sockets.values().next_back().or(seen.last.as_ref()) else {
            return Allowed::ALL;
        };
        if settings.ai_context_enabled == Some(false) {
            return Allowed::NOTHING;
        }
        Allowed {
            snippets: settings.ai_context_source_snippets != Some(false),
            components: settings.ai_context_component_tree != Some(false),
        }
    }

    /// The time since the last message of a browser; `None` if there was none.
    pub(crate) fn silent_for(&self) -> Option<Duration> {
        let seen = self.seen();
        if !seen.sockets.is_empty() {
            return Some(Duration::ZERO);
        }
        seen.last_seen.map(|(_, at)| at.elapsed())
    }

    pub(crate) fn report(&self) -> ExtensionReport {
        let seen = self.seen();
        let browser = seen.sockets.values().next_back();
        let known = browser.or(seen.last.as_ref());
        let last_seen = match browser {
            Some(_) => Some(clock::now()),
            None => seen.last_seen.map(|(at, _)| at),
        };
        ExtensionReport {
            connected: browser.is_some() || seen.polls(),
            version: known.and_then(|browser| browser.version.clone()),
            last_seen,
            tabs: seen.sockets.values().flat_map(|browser| browser.tabs.clone()).collect(),
            counts: known.and_then(|browser| browser.counts.clone()),
            settings: browser.map(|browser| browser.settings.clone()).unwrap_or_default(),
        }
    }
}

impl Seen {
    fn polls(&self) -> bool {
        self.polled.is_some_and(|at| at.elapsed() < Duration::from_secs(limits::POLL_PRESENCE_SECONDS))
    }

    /// Removes stale sockets: if a new socket reports a tab of an older one, the browser has reconnected and the older
    /// connection is dead.
    fn forget_older(&mut self, newest: u64) {
        let Some(browser) = self.sockets.get(&newest) else { return };
        let tabs: Vec<i64> = browser.tabs.iter().filter_map(|tab| tab.id).collect();
        self.sockets.retain(|socket, other| {
            *socket >= newest || !other.tabs.iter().any(|tab| tab.id.is_some_and(|id| tabs.contains(&id)))
        });
    }

    fn touch(&mut self) {
        self.last_seen = Some((clock::now(), Instant::now()));
    }
}
