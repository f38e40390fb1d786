//! The recent past, bounded: a ring per kind.

mod performance;
mod ring;

use std::collections::HashMap;

use serde::Serialize;
use wire::extension::ExtensionLog;
use wire::log::AiContext;
use wire::sync::{BufferFill, BufferStatus};
use wire::{
    DomSnapshot, EnhancedAction, Entry, Level, LogEntry, NetworkBody, PerformanceSnapshot, Timestamp, WebSocketEvent,
    limits,
};

use crate::redact::Redacted;

pub use performance::{PageLoads, Performance};
pub use ring::{Ring, Stored};

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
}

impl Kind {
    pub const ALL: [Self; 7] = [
        Self::Logs,
        Self::WebsocketEvents,
        Self::NetworkBodies,
        Self::EnhancedActions,
        Self::DomSnapshots,
        Self::Performance,
        Self::ExtensionLogs,
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
        }
    }
}

/// How much the store takes in, by how much memory the process uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pressure {
    #[default]
    Normal,
    /// Network bodies are refused.
    NoBodies,
    /// Only warnings and errors are kept, and few of them.
    Minimal,
}

/// Why an entry was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    MemoryPressure,
}

#[derive(Debug, Clone, Serialize)]
pub struct BufferReport {
    pub count: usize,
    pub capacity: usize,
    pub memory_bytes: usize,
    pub dropped: u64,
    /// All that ever came in, including what left again.
    pub received: u64,
}

#[derive(Debug)]
pub struct Store {
    pub logs: Ring<LogEntry>,
    pub websocket: Ring<WebSocketEvent>,
    pub network: Ring<NetworkBody>,
    pub actions: Ring<EnhancedAction>,
    pub dom_snapshots: Ring<DomSnapshot>,
    pub performance: Performance,
    pub extension_logs: Ring<ExtensionLog>,
    /// Ids that pages gave to log entries, so that their context can be patched in.
    named_logs: HashMap<String, u64>,
    cursor: u64,
    pressure: Pressure,
    refused: u64,
    /// When someone last emptied the logs, and the cursor at that moment.
    logs_cleared: Option<(Timestamp, u64)>,
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

impl Store {
    pub fn new() -> Self {
        Self {
            logs: Ring::new(limits::LOG_ENTRIES, limits::LOG_BYTES),
            websocket: Ring::new(limits::WEBSOCKET_ENTRIES, limits::WEBSOCKET_BYTES),
            network: Ring::new(limits::NETWORK_ENTRIES, limits::NETWORK_BYTES),
            actions: Ring::new(limits::ACTION_ENTRIES, limits::ACTION_BYTES),
            dom_snapshots: Ring::new(limits::DOM_SNAPSHOT_ENTRIES, limits::DOM_SNAPSHOT_BYTES),
            performance: Performance::default(),
            extension_logs: Ring::new(limits::EXTENSION_LOG_ENTRIES, limits::EXTENSION_LOG_BYTES),
            named_logs: HashMap::new(),
            cursor: 0,
            pressure: Pressure::Normal,
            refused: 0,
            logs_cleared: None,
        }
    }

    /// The cursor of the newest entry.
    pub fn cursor(&self) -> u64 {
        self.cursor
    }

    pub fn pressure(&self) -> Pressure {
        self.pressure
    }

    /// Entries turned away under memory pressure.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    pub fn logs_cleared(&self) -> Option<(Timestamp, u64)> {
        self.logs_cleared
    }

    fn next_cursor(&mut self) -> u64 {
        self.cursor += 1;
        self.cursor
    }

    fn refuse(&mut self) -> Result<(), Refused> {
        self.refused += 1;
        Err(Refused::MemoryPressure)
    }

    /// An entry with the id of a stored one brings context for it; any other is new.
    pub fn push_log(&mut self, redacted: Redacted<LogEntry>, arrived: Timestamp, bytes: usize) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal && redacted.entry().level.is_none_or(|level| level < Level::Warn) {
            return self.refuse();
        }
        let id = redacted.entry().id.clone();
        if let Some(cursor) = id.as_ref().and_then(|id| self.named_logs.get(id).copied()) {
            let (patch, findings) = redacted.into_parts();
            self.logs.amend(cursor, bytes, |stored| {
                stored.findings.extend(findings);
                stored.findings.truncate(limits::FINDINGS_PER_ENTRY);
                if let Some(patch) = patch.ai_context {
                    merge_context(stored.entry.ai_context.get_or_insert_default(), patch);
                }
            });
        } else {
            let cursor = self.next_cursor();
            if let Some(id) = id {
                self.named_logs.insert(id, cursor);
            }
            let evicted = self.logs.push(cursor, arrived, redacted, bytes);
            forget_names(&mut self.named_logs, evicted);
        }
        let most = if self.pressure == Pressure::Minimal { limits::MINIMAL_LOG_ENTRIES } else { usize::MAX };
        forget_names(&mut self.named_logs, self.logs.evict(most));
        Ok(())
    }

    pub fn push_websocket(
        &mut self,
        redacted: Redacted<WebSocketEvent>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return self.refuse();
        }
        let cursor = self.next_cursor();
        drop(self.websocket.push(cursor, arrived, redacted, bytes));
        Ok(())
    }

    pub fn push_network(
        &mut self,
        redacted: Redacted<NetworkBody>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure != Pressure::Normal {
            return self.refuse();
        }
        let cursor = self.next_cursor();
        drop(self.network.push(cursor, arrived, redacted, bytes));
        Ok(())
    }

    pub fn push_action(
        &mut self,
        redacted: Redacted<EnhancedAction>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return self.refuse();
        }
        let cursor = self.next_cursor();
        drop(self.actions.push(cursor, arrived, redacted, bytes));
        Ok(())
    }

    pub fn push_dom_snapshot(
        &mut self,
        redacted: Redacted<DomSnapshot>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return self.refuse();
        }
        let cursor = self.next_cursor();
        drop(self.dom_snapshots.push(cursor, arrived, redacted, bytes));
        Ok(())
    }

    pub fn push_performance(&mut self, redacted: Redacted<PerformanceSnapshot>, bytes: usize) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return self.refuse();
        }
        // A lone web vital has no network part; a load always has.
        let lone_metric = redacted.entry().network.is_none() && redacted.entry().long_tasks.is_none();
        if lone_metric && self.performance.amend(redacted.entry()) {
            return Ok(());
        }
        let cursor = self.next_cursor();
        self.performance.push(cursor, redacted, bytes);
        Ok(())
    }

    pub fn push_extension_log(
        &mut self,
        redacted: Redacted<ExtensionLog>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return self.refuse();
        }
        let cursor = self.next_cursor();
        drop(self.extension_logs.push(cursor, arrived, redacted, bytes));
        Ok(())
    }

    /// Enters or leaves a stage of memory pressure. Entering the last one empties all buffers.
    pub fn set_pressure(&mut self, pressure: Pressure) {
        if pressure == Pressure::Minimal && self.pressure != Pressure::Minimal {
            self.clear(None);
        }
        self.pressure = pressure;
    }

    pub fn clear_logs(&mut self, now: Timestamp) -> usize {
        self.logs_cleared = Some((now, self.cursor));
        self.named_logs.clear();
        self.logs.retain(|_| false)
    }

    /// Empties every kind, or drops what belongs to one test. Returns how many entries went.
    pub fn clear(&mut self, test_id: Option<&str>) -> usize {
        let keeps = |own: Option<&str>| test_id.is_some_and(|test_id| own != Some(test_id));
        let removed = self.logs.retain(|stored| keeps(stored.entry.test_id()))
            + self.websocket.retain(|stored| keeps(stored.entry.test_id()))
            + self.network.retain(|stored| keeps(stored.entry.test_id()))
            + self.actions.retain(|stored| keeps(stored.entry.test_id()))
            + self.dom_snapshots.retain(|stored| keeps(stored.entry.test_id()))
            + self.performance.retain(|page| keeps(page.latest.test_id()));
        let logs = &self.logs;
        self.named_logs.retain(|_, cursor| logs.find(*cursor).is_some());
        removed
    }

    pub fn report(&self, kind: Kind) -> BufferReport {
        fn of<T>(ring: &Ring<T>) -> BufferReport {
            BufferReport {
                count: ring.len(),
                capacity: ring.capacity(),
                memory_bytes: ring.bytes(),
                dropped: ring.dropped(),
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
                received: self.performance.received(),
            },
        }
    }

    pub fn buffer_status(&self) -> BufferStatus {
        fn fill<T: Entry>(ring: &Ring<T>) -> BufferFill {
            BufferFill {
                count: ring.len(),
                oldest_ms: ring.iter().next().and_then(|stored| stored.entry.time()).map_or(0, Timestamp::millis),
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

fn forget_names(named: &mut HashMap<String, u64>, evicted: impl Iterator<Item = Stored<LogEntry>>) {
    for id in evicted.filter_map(|stored| stored.entry.id) {
        named.remove(&id);
    }
}

/// What the patch brings wins; what it leaves out stays.
fn merge_context(own: &mut AiContext, patch: AiContext) {
    let AiContext { summary, source_snippets, component_ancestry, state_snapshot } = patch;
    own.summary = summary.or(own.summary.take());
    own.source_snippets = source_snippets.or(own.source_snippets.take());
    own.component_ancestry = component_ancestry.or(own.component_ancestry.take());
    own.state_snapshot = state_snapshot.or(own.state_snapshot.take());
}
