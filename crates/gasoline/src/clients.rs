//! The AI clients that are attached, and what each has already been told.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use serde::Serialize;
use wire::Timestamp;

use crate::clock;

/// How a client is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// One AI client. Lives as long as its session.
#[derive(Debug)]
pub(crate) struct Client {
    transport: Transport,
    since: Timestamp,
    memory: Mutex<Memory>,
}

#[derive(Debug)]
struct Memory {
    name: Option<String>,
    version: Option<String>,
    /// The newest entry at this client's last call: what came later is news to it.
    told_to: u64,
    /// The same per tool, for `since: "checkpoint"`.
    checkpoints: HashMap<&'static str, u64>,
}

#[derive(Debug, Clone, Serialize)]
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

    /// Moves the client's mark to `cursor` and returns where it was.
    pub(crate) fn tell(&self, cursor: u64) -> u64 {
        std::mem::replace(&mut self.memory().told_to, cursor)
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

/// Protocol versions without sessions send every request on its own; such clients are told apart by name.
const NAMED_CLIENTS: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Clients {
    attached: Mutex<Vec<Weak<Client>>>,
    /// Clients without a session, the least recently seen first.
    named: Mutex<Vec<(String, Arc<Client>, Instant)>>,
}

impl Clients {
    pub(crate) fn attach(&self, transport: Transport, cursor: u64) -> Arc<Client> {
        let client = new_client(transport, cursor);
        let mut attached = self.attached.lock().unwrap_or_else(PoisonError::into_inner);
        attached.retain(|client| client.strong_count() > 0);
        attached.push(Arc::downgrade(&client));
        client
    }

    /// The client of this name that has no session of its own.
    pub(crate) fn by_name(&self, name: &str, cursor: u64) -> Arc<Client> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let known = named.iter().position(|(known, _, _)| known == name).map(|index| named.remove(index));
        let client = known.map_or_else(|| new_client(Transport::Http, cursor), |(_, client, _)| client);
        if named.len() >= NAMED_CLIENTS {
            named.remove(0);
        }
        named.push((name.to_owned(), Arc::clone(&client), Instant::now()));
        client
    }

    /// Those with an open session.
    pub(crate) fn report(&self) -> Vec<ClientReport> {
        let attached = self.attached.lock().unwrap_or_else(PoisonError::into_inner);
        attached.iter().filter_map(Weak::upgrade).map(|client| client.report()).collect()
    }

    pub(crate) fn count(&self) -> usize {
        let attached = self.attached.lock().unwrap_or_else(PoisonError::into_inner);
        attached.iter().filter(|client| client.strong_count() > 0).count()
    }
}

fn new_client(transport: Transport, cursor: u64) -> Arc<Client> {
    Arc::new(Client {
        transport,
        since: clock::now(),
        memory: Mutex::new(Memory { name: None, version: None, told_to: cursor, checkpoints: HashMap::new() }),
    })
}
