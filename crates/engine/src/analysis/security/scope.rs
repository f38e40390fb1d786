//! What an audit looks at: the entries that its filter admits, newest first.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::address;
use super::personal::{self, Personal};
use crate::entry::{Action, Entry, Log, Request, SocketEvent};
use crate::session::Session;
use crate::store::Filter;
use crate::store::id::{IdKind, Ids};
use crate::store::{Connection, PageLoads, Stored};

/// The entries and connections that an audit scans.
pub struct Scope<'a> {
    /// Requests, newest first.
    pub requests: Vec<&'a Stored<Request>>,
    /// Console lines and errors, newest first.
    pub logs: Vec<&'a Stored<Log>>,
    /// Socket events, newest first.
    pub sockets: Vec<&'a Stored<SocketEvent>>,
    /// User actions, newest first.
    pub actions: Vec<&'a Stored<Action>>,
    /// Connections, open and closed.
    pub connections: Vec<&'a Connection>,
    /// Page loads, for their cookies, headers and insecure resources.
    pub loads: Vec<&'a PageLoads>,
    /// The personal data of each request, computed when a check first asks.
    personal: Vec<OnceCell<Personal>>,
    ids: &'a Ids,
}

impl<'a> Scope<'a> {
    /// Everything in the session that the filter admits.
    pub fn from_session(session: &'a Session, filter: &Filter) -> Self {
        let requests = session.store.network.iter().rev();
        let logs = session.store.logs.iter().rev();
        let sockets = session.store.websocket.iter().rev();
        let requests: Vec<_> = requests.filter(|of| filter.admits(of)).collect();
        Self {
            personal: vec![OnceCell::new(); requests.len()],
            requests,
            logs: logs.filter(|of| filter.admits(of)).collect(),
            sockets: sockets.filter(|of| filter.admits(of)).collect(),
            actions: session.store.actions.iter().rev().filter(|of| filter.admits(of)).collect(),
            connections: session
                .store
                .connections
                .iter()
                .rev()
                // A connection is not an event with a time; its events are, and they are scanned as well.
                .filter(|of| filter.admits_at(None, None, of.tab_id, of.test_id.as_deref(), [of.url.as_deref()]))
                .collect(),
            loads: session
                .store
                .performance
                .iter()
                .rev()
                .filter(|load| {
                    let page = &load.latest;
                    let test = page.test_id.as_deref();
                    filter.admits_at(Some(page.at), Some(load.cursor), page.tab_id, test, page.addresses())
                })
                .collect(),
            ids: &session.store.ids,
        }
    }

    /// Whether there is nothing to scan.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
            && self.logs.is_empty()
            && self.sockets.is_empty()
            && self.loads.is_empty()
            && self.actions.is_empty()
    }

    /// Whether any request has a body.
    pub fn has_bodies(&self) -> bool {
        self.requests.iter().any(|stored| stored.entry.has_body())
    }

    /// Distinct pairs of method and path.
    pub(super) fn endpoints(&self) -> usize {
        let endpoints: HashSet<_> = self.requests.iter().map(|stored| address::endpoint(&stored.entry)).collect();
        endpoints.len()
    }

    /// The personal data in each request's response: in its text, and redacted from it. Newest first, like `requests`.
    /// Reading a response takes longer than everything else, so it is done once, and only when a check asks.
    pub(super) fn answers<'s>(&'s self) -> impl Iterator<Item = (&'a Stored<Request>, impl Fn() -> &'s Personal)> {
        self.requests.iter().zip(&self.personal).map(|(stored, known)| {
            let stored = *stored;
            (stored, move || known.get_or_init(|| personal::of_answer(stored)))
        })
    }

    /// The id by which other tools show the entry in full.
    pub(super) fn id<T>(&self, kind: IdKind, stored: &Stored<T>) -> String {
        self.ids.format(kind, stored.cursor)
    }

    /// Whether this log entry only repeats what a request in scope shows better.
    pub(super) fn is_known_request(&self, entry: &Log) -> bool {
        entry.request_id.is_some() && self.requests.iter().any(|stored| stored.entry.request_id == entry.request_id)
    }
}
