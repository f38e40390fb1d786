//! How full the buffers are, and what became of all that came in.

use serde::Serialize;
use wire::limits;
use wire::sync::{BufferFill, BufferStatus};

use super::{Ring, Store};
use crate::entry::Entry;

/// The kinds of things that are captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Logs,
    WebsocketEvents,
    NetworkBodies,
    EnhancedActions,
    DomSnapshots,
    Performance,
    ExtensionLogs,
    Connections,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::Logs,
        Self::WebsocketEvents,
        Self::NetworkBodies,
        Self::EnhancedActions,
        Self::DomSnapshots,
        Self::Performance,
        Self::ExtensionLogs,
        Self::Connections,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Logs => "logs",
            Self::WebsocketEvents => "websocket_events",
            Self::NetworkBodies => "network_bodies",
            Self::EnhancedActions => "enhanced_actions",
            Self::DomSnapshots => "dom_snapshots",
            Self::Performance => "performance",
            Self::ExtensionLogs => "extension_logs",
            Self::Connections => "connections",
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct BufferReport {
    pub count: usize,
    pub capacity: usize,
    pub memory_bytes: usize,
    pub dropped: u64,
    /// Taken out because someone asked, because a newer one took its place, or because its time was over.
    pub removed: u64,
    /// All that ever came in: what is there, what was dropped and what was removed.
    pub received: u64,
}

impl Store {
    pub fn report(&self, kind: Kind) -> BufferReport {
        fn of<T>(ring: &Ring<T>) -> BufferReport {
            BufferReport {
                count: ring.len(),
                capacity: ring.capacity(),
                memory_bytes: ring.bytes(),
                dropped: ring.dropped(),
                removed: ring.removed(),
                received: ring.received(),
            }
        }
        match kind {
            Kind::Logs => of(&self.logs),
            Kind::WebsocketEvents => of(&self.websocket),
            Kind::NetworkBodies => of(&self.network),
            Kind::EnhancedActions => of(&self.actions),
            Kind::DomSnapshots => of(&self.dom_snapshots),
            Kind::ExtensionLogs => of(&self.extension_logs),
            Kind::Performance => BufferReport {
                count: self.performance.len(),
                capacity: limits::PERFORMANCE_URLS,
                memory_bytes: self.performance.bytes(),
                dropped: self.performance.dropped(),
                removed: self.performance.removed(),
                received: self.performance.received(),
            },
            Kind::Connections => BufferReport {
                count: self.connections.len(),
                capacity: limits::OPEN_CONNECTIONS + limits::CLOSED_CONNECTIONS,
                memory_bytes: self.connections.bytes(),
                dropped: self.connections.dropped(),
                removed: self.connections.removed(),
                received: self.connections.received(),
            },
        }
    }

    pub fn buffer_status(&self) -> BufferStatus {
        fn fill<T: Entry>(ring: &Ring<T>) -> BufferFill {
            BufferFill {
                count: ring.len(),
                oldest_ms: ring.iter().next().map_or(0, |stored| stored.entry.at().millis()),
                memory_bytes: ring.bytes(),
            }
        }
        BufferStatus {
            logs: fill(&self.logs),
            network: fill(&self.network),
            actions: fill(&self.actions),
            websocket: fill(&self.websocket),
        }
    }
}
