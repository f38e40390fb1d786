//! Ids by which a caller can ask for an entry again.

use super::Stored;
use crate::entry::Log;

/// The kinds of entries that have ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    /// Console lines and errors.
    Log,
    /// Requests.
    Network,
    /// Socket events.
    WebSocket,
    /// User actions.
    Action,
}

impl IdKind {
    const ALL: [Self; 4] = [Self::Log, Self::Network, Self::WebSocket, Self::Action];

    const fn prefix(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Network => "net",
            Self::WebSocket => "ws",
            Self::Action => "act",
        }
    }
}

/// Writes and reads ids. Cursors start at 1 with each start of the server, so ids carry a tag of the run: an id from
/// before a restart must not name another entry.
#[derive(Debug, Clone)]
pub struct Ids {
    run: String,
}

/// What an id refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// An entry of this kind and cursor, which may be evicted by now.
    Entry(IdKind, u64),
    /// A well-formed id of another run.
    EarlierRun,
    /// Not an id of this server; possibly one that a page assigned.
    Foreign,
}

impl Stored<Log> {
    /// The id by which callers ask for the entry: its page's id, else the server's.
    pub fn id(&self, ids: &Ids) -> String {
        self.entry.id.clone().unwrap_or_else(|| ids.format(IdKind::Log, self.cursor))
    }
}

impl Ids {
    /// Ids of a run with this tag.
    pub fn new(run: impl Into<String>) -> Self {
        Self { run: run.into() }
    }

    /// The tag of this run.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The id of the entry with this cursor.
    pub fn format(&self, kind: IdKind, cursor: u64) -> String {
        format!("{}-{}-{cursor}", kind.prefix(), self.run)
    }

    /// What an id refers to.
    pub fn read(&self, id: &str) -> Lookup {
        let mut parts = id.splitn(3, '-');
        let (Some(prefix), Some(run), Some(cursor)) = (parts.next(), parts.next(), parts.next()) else {
            return Lookup::Foreign;
        };
        let Some(kind) = IdKind::ALL.into_iter().find(|kind| kind.prefix() == prefix) else { return Lookup::Foreign };
        match cursor.parse() {
            Ok(cursor) if run == self.run => Lookup::Entry(kind, cursor),
            Ok(_) => Lookup::EarlierRun,
            Err(_) => Lookup::Foreign,
        }
    }
}
