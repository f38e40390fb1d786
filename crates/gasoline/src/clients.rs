//! The connected AI clients, and which entries each has already seen.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio_util::sync::CancellationToken;
use wire::Timestamp;

use crate::clock;

/// How a client is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// One AI client. Lives as long as its session.
#[derive(Debug)]
pub(crate) struct Client {
    /// Never reused.
    pub(crate) id: u64,
    transport: Transport,
    since: Timestamp,
    memory: Mutex<Memory>,
    /// Closes the client's connection, if it has one.
    connection: CancellationToken,
}

#[derive(Debug)]
struct Memory {
    name: Option<String>,
    version: Option<String>,
    /// The newest entry at this client's last call. Later entries are new to it.
    told_to: u64,
    /// The same per tool, for `since: "checkpoint"`.
    checkpoints: HashMap<&'static str, u64>,
    last_call: Instant,
    /// The lowest level of log messages that the client wants, by [`LEVELS`]; `None` until it sets one.
    level: Option<usize>,
}

/// In the protocol's order.
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub(crate) struct ClientReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    transport: Transport,
    since: Timestamp,
}

impl Client {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn introduce(&self, name: String, version: String) {
        let mut memory = self.memory();
        (memory.name, memory.version) = (Some(name), Some(version));
    }

    /// For a client that stands in for another.
    pub(crate) fn go_by_name_of(&self, other: &Self) {
        let name = other.name();
        self.memory().name = name;
    }

    /// Whether it wants log messages of this level.
    pub(crate) fn hears(&self, level: &str) -> bool {
        let place = LEVELS.iter().position(|known| *known == level);
        self.memory().level.is_some_and(|least| place.is_some_and(|place| place >= least))
    }

    pub(crate) fn set_level(&self, level: &str) {
        self.memory().level = LEVELS.iter().position(|known| *known == level);
    }

    pub(crate) fn connection(&self) -> CancellationToken {
        self.connection.clone()
    }

    pub(crate) fn transport(&self) -> Transport {
        self.transport
    }

    pub(crate) fn hang_up(&self) {
        self.connection.cancel();
    }

    pub(crate) fn name(&self) -> Option<String> {
        self.memory().name.clone()
    }

    /// Moves the client's mark to `cursor` and returns the previous one.
    pub(crate) fn tell(&self, cursor: u64) -> u64 {
        let mut memory = self.memory();
        memory.last_call = Instant::now();
        std::mem::replace(&mut memory.told_to, cursor)
    }

    /// A stdio client counts as connected as long as its pipe is open. An HTTP client may disappear without closing its
    /// session, so it counts only for a while after its last call; its session stays usable.
    fn is_present(&self) -> bool {
        self.transport == Transport::Stdio || self.memory().last_call.elapsed() < HTTP_PRESENCE
    }

    /// The same for one tool; `None` at its first call.
    pub(crate) fn checkpoint(&self, tool: &'static str, cursor: u64) -> Option<u64> {
        self.memory().checkpoints.insert(tool, cursor)
    }

    fn report(&self) -> ClientReport {
        let memory = self.memory();
        ClientReport {
            name: memory.name.clone(),
            version: memory.version.clone(),
            transport: self.transport,
            since: self.since,
        }
    }
}

/// How long a silent HTTP client counts as connected.
const HTTP_PRESENCE: Duration = Duration::from_secs(5 * 60);

/// Protocol versions without sessions send every request on its own; such clients are told apart by name.
const NAMED_CLIENTS: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Clients {
    attached: Mutex<Vec<Weak<Client>>>,
    /// Clients without a session, the least recently seen first.
    named: Mutex<Vec<(String, Arc<Client>)>>,
    made: AtomicU64,
}

impl Clients {
    pub(crate) fn attach(&self, transport: Transport, cursor: u64) -> Arc<Client> {
        let client = self.new_client(transport, cursor);
        let mut attached = self.attached.lock().unwrap_or_else(PoisonError::into_inner);
        attached.retain(|client| client.strong_count() > 0);
        attached.push(Arc::downgrade(&client));
        client
    }

    /// The client of this name that has no session.
    pub(crate) fn by_name(&self, name: &str, cursor: u64) -> Arc<Client> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let known = named.iter().position(|(known, _)| known == name).map(|index| named.remove(index));
        let client = known.map_or_else(
            || {
                let client = self.new_client(Transport::Http, cursor);
                client.memory().name = Some(name.to_owned());
                client
            },
            |(_, client)| client,
        );
        if named.len() >= NAMED_CLIENTS {
            named.remove(0);
        }
        named.push((name.to_owned(), Arc::clone(&client)));
        client
    }

    /// A client that is not connected: nothing is remembered about it.
    pub(crate) fn passing(&self, cursor: u64) -> Arc<Client> {
        self.new_client(Transport::Http, cursor)
    }

    /// The connected clients that have an open session.
    pub(crate) fn report(&self) -> Vec<ClientReport> {
        let attached = self.attached.lock().unwrap_or_else(PoisonError::into_inner);
        attached
            .iter()
            .filter_map(Weak::upgrade)
            .filter(|client| client.is_present())
            .map(|client| client.report())
            .collect()
    }

    /// Whether the client with this id is still connected, with or without a session.
    pub(crate) fn is_here(&self, id: u64) -> bool {
        let attached = self.attached.lock().unwrap_or_else(PoisonError::into_inner);
        let named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let with_session = attached.iter().filter_map(Weak::upgrade);
        with_session
            .chain(named.iter().map(|(_, client)| Arc::clone(client)))
            .any(|client| client.id == id && client.is_present())
    }

    pub(crate) fn count(&self) -> usize {
        let attached = self.attached.lock().unwrap_or_else(PoisonError::into_inner);
        attached.iter().filter_map(Weak::upgrade).filter(|client| client.is_present()).count()
    }

    fn new_client(&self, transport: Transport, cursor: u64) -> Arc<Client> {
        Arc::new(Client {
            id: self.made.fetch_add(1, Ordering::Relaxed),
            transport,
            since: clock::now(),
            memory: Mutex::new(Memory {
                name: None,
                version: None,
                told_to: cursor,
                checkpoints: HashMap::new(),
                last_call: Instant::now(),
                level: None,
            }),
            connection: CancellationToken::new(),
        })
    }
}
