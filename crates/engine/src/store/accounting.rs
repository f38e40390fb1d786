//! How full the buffers are, and what happened to everything that was received.

use serde::Serialize;
use wire::sync::{BufferFill, BufferStatus};

use super::{Ring, Store};
use crate::entry::Entry;

/// How full one buffer is, and what happened to its entries.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct BufferReport {
    /// Entries in it.
    pub count: usize,
    /// Entries that it can hold.
    pub capacity: usize,
    /// Memory that its entries take.
    pub memory_bytes: usize,
    /// Entries that were evicted to make room.
    pub dropped: u64,
    /// Entries that were cleared on request, replaced by newer ones, or expired.
    pub removed: u64,
    /// Everything ever received: `count`, `dropped` and `removed` together.
    pub received: u64,
}

impl Store {
    /// The part of the accounting that replies to `POST /sync` contain.
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
