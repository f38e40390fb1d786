//! How full the buffers are, and what became of all that came in.

use serde::Serialize;
use wire::sync::{BufferFill, BufferStatus};

use super::{Ring, Store};
use crate::entry::Entry;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
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
