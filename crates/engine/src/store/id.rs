//! Names of entries that the model can ask for again.

use super::Stored;
use crate::entry::Log;

/// The kinds that can be asked for by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    Log,
    Network,
    WebSocket,
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

/// Makes and reads ids. Cursors start at 1 with each start of the server, so ids carry a tag of the run: an id from
/// before a restart must not name another entry.
#[derive(Debug, Clone)]
pub struct Ids {
    run: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    Entry(IdKind, u64),
    /// Well-formed, but of another run.
    EarlierRun,
    /// Not one of ours; perhaps a page's.
    Foreign,
}

impl Stored<Log> {
    /// What the entry is asked for by: the id that its page gave it, else ours.
    pub fn id(&self, ids: &Ids) -> String {
        self.entry.id.clone().unwrap_or_else(|| ids.format(IdKind::Log, self.cursor))
    }
}

impl Ids {
    pub fn new(run: impl Into<String>) -> Self {
        Self { run: run.into() }
    }

    /// The tag of this run.
    pub fn run(&self) -> &str {
        &self.run
    }

    pub fn format(&self, kind: IdKind, cursor: u64) -> String {
        format!("{}-{}-{cursor}", kind.prefix(), self.run)
    }

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
