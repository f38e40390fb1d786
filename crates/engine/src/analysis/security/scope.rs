//! What an audit looks at: the entries that its filter lets through, newest first.

use std::collections::HashSet;

use wire::{Entry as _, LogEntry, NetworkBody, WebSocketEvent};

use super::address;
use crate::store::{Connection, PageLoads, Store, Stored};
use crate::view::Filter;
use crate::view::id::{IdKind, Ids};

pub struct Scope<'a> {
    pub requests: Vec<&'a Stored<NetworkBody>>,
    pub logs: Vec<&'a Stored<LogEntry>>,
    pub sockets: Vec<&'a Stored<WebSocketEvent>>,
    pub connections: Vec<&'a Connection>,
    pub loads: Vec<&'a PageLoads>,
    ids: &'a Ids,
}

impl<'a> Scope<'a> {
    pub fn of(store: &'a Store, filter: &Filter) -> Self {
        let requests = store.network.iter().rev();
        let logs = store.logs.iter().rev();
        let sockets = store.websocket.iter().rev();
        Self {
            requests: requests.filter(|of| filter.admits(of, [&of.entry.url, &of.entry.page_url])).collect(),
            logs: logs.filter(|of| filter.admits(of, [&of.entry.url, &of.entry.request_url])).collect(),
            sockets: sockets.filter(|of| filter.admits(of, [&of.entry.url])).collect(),
            connections: store
                .connections
                .iter()
                .rev()
                // A connection is not stored at a moment; its events are, and they are looked at as well.
                .filter(|of| filter.admits_at(None, None, of.tab_id, of.test_id.as_deref(), [&of.url]))
                .collect(),
            loads: store
                .performance
                .iter()
                .rev()
                .filter(|load| {
                    let page = &load.latest;
                    let urls = [&page.url, &page.page_url];
                    filter.admits_at(page.time(), Some(load.cursor), page.tab_id, page.test_id.as_deref(), urls)
                })
                .collect(),
            ids: &store.ids,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.requests.is_empty() && self.logs.is_empty() && self.sockets.is_empty() && self.loads.is_empty()
    }

    /// Whether any request came with what was sent or answered.
    pub fn has_bodies(&self) -> bool {
        self.requests.iter().any(|stored| crate::view::network::has_body(&stored.entry))
    }

    /// Distinct pairs of method and path.
    pub(super) fn endpoints(&self) -> usize {
        let endpoints: HashSet<_> = self.requests.iter().map(|stored| address::endpoint(&stored.entry)).collect();
        endpoints.len()
    }

    /// By which the other tools show the entry in full.
    pub(super) fn id<T>(&self, kind: IdKind, stored: &Stored<T>) -> String {
        self.ids.format(kind, stored.cursor)
    }

    /// Whether this log entry only repeats what a request in scope tells better.
    pub(super) fn is_known_request(&self, entry: &LogEntry) -> bool {
        entry.request_id.is_some() && self.requests.iter().any(|stored| stored.entry.request_id == entry.request_id)
    }
}
