//! Watches the process's memory, and makes the store accept less when memory is low.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use engine::store::Pressure;

use crate::app::App;

/// Limits in bytes: above the first, entries are evicted; above the second, bodies are rejected; above the third,
/// buffers are cleared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemoryLimits {
    pub(crate) ease: usize,
    pub(crate) soft: usize,
    pub(crate) hard: usize,
}

const MB: usize = 1024 * 1024;

impl Default for MemoryLimits {
    fn default() -> Self {
        Self::of_mb(wire::limits::MEMORY_SOFT_MB, wire::limits::MEMORY_HARD_MB)
    }
}

impl MemoryLimits {
    pub(crate) fn of_mb(soft: usize, hard: usize) -> Self {
        Self { ease: soft * MB, soft: soft * MB, hard: hard * MB }
    }

    /// The buffers of many tests are meant to be full; the oldest tests are evicted before bodies are rejected.
    pub(crate) fn for_ci() -> Self {
        let ease = wire::limits::CI_MEMORY_EASE_MB * MB;
        Self { ease, ..Self::of_mb(wire::limits::CI_MEMORY_SOFT_MB, wire::limits::MEMORY_HARD_MB) }
    }

    /// Minimal mode ends only below the soft limit, so that a process near the hard limit does not switch back and
    /// forth.
    fn pressure(self, resident: usize, current: Pressure) -> Pressure {
        if resident > self.hard || (current == Pressure::Minimal && resident > self.soft) {
            Pressure::Minimal
        } else if resident > self.soft {
            Pressure::NoBodies
        } else {
            Pressure::Normal
        }
    }
}

/// Checks once a second until the server shuts down.
pub(crate) async fn watch(app: Arc<App>) {
    map_large_blocks();
    let mut every_second = tokio::time::interval(Duration::from_secs(1));
    loop {
        every_second.tick().await;
        let resident = make_room(&app);
        let mut session = app.session();
        let current = session.store.pressure();
        let next = app.memory_limits.pressure(resident, current);
        if next != current {
            tracing::warn!(?next, resident_mb = resident / (1024 * 1024), "memory pressure changed");
            session.set_pressure(next);
        }
    }
}

/// Bytes that requests need while they are processed.
static WORKING: AtomicUsize = AtomicUsize::new(0);

/// Memory that a request needs while the server processes it. The guard does not count it: it is bounded and is freed
/// within seconds, so evicting stored entries for it would lose data for nothing. Bodies that are still arriving do
/// count, because a slow client decides how long they stay.
#[derive(Debug)]
pub(crate) struct Working(usize);

pub(crate) fn working(bytes: usize) -> Working {
    WORKING.fetch_add(bytes, Ordering::SeqCst);
    Working(bytes)
}

impl Drop for Working {
    fn drop(&mut self) {
        WORKING.fetch_sub(self.0, Ordering::SeqCst);
    }
}

/// The process's memory, without the memory of requests that are being processed.
fn lasting_bytes(app: &App) -> usize {
    // Processing may begin or end between the two readings. Using the larger one avoids a false alarm.
    let before = WORKING.load(Ordering::SeqCst);
    let resident = resident_bytes(app);
    resident.saturating_sub(before.max(WORKING.load(Ordering::SeqCst)))
}

/// Brings the process below its first limit, as far as that is possible without rejecting anything. Returns the memory
/// without that of requests that are being processed.
pub(crate) fn make_room(app: &App) -> usize {
    let mut resident = lasting_bytes(app);
    let ease = app.memory_limits.ease;
    if resident > ease {
        give_back();
        resident = lasting_bytes(app);
    }
    if resident > ease {
        // If tests have their own buffers, the oldest tests are evicted.
        let mut session = app.session();
        let most = session.store.bytes().saturating_sub(resident - ease);
        session.shed(most);
        drop(session);
        give_back();
        resident = lasting_bytes(app);
    }
    resident
}

/// Returns freed memory to the system. The C library keeps the memory of a burst, so the process would seem low on
/// memory long after it was freed.
fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code, reason = "a plain call into the C library, without pointers; no safe wrapper exists")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Gives every large block its own mapping, which returns to the system when the block is freed. By default the C
/// library raises that threshold with each large block that is freed, up to 32 MB. It then keeps the memory of such
/// blocks at the end of a thread's arena, which `malloc_trim` does not trim.
fn map_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code, reason = "a plain call into the C library, without pointers; no safe wrapper exists")]
    unsafe {
        const LARGE: libc::c_int = 512 * 1024;
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// How much memory the process uses. If the system does not report it, the size of the buffers, which are most of it.
pub(crate) fn resident_bytes(app: &App) -> usize {
    memory_stats::memory_stats().map_or_else(|| app.session().store.bytes(), |memory| memory.physical_mem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stage_begins_above_its_limit_and_ends_below() {
        let limits = MemoryLimits { ease: 40, soft: 50, hard: 100 };
        for (resident, current, next) in [
            (50, Pressure::Normal, Pressure::Normal),
            (51, Pressure::Normal, Pressure::NoBodies),
            (100, Pressure::NoBodies, Pressure::NoBodies),
            (101, Pressure::NoBodies, Pressure::Minimal),
            (101, Pressure::Normal, Pressure::Minimal),
            (60, Pressure::Minimal, Pressure::Minimal),
            (50, Pressure::Minimal, Pressure::Normal),
            (50, Pressure::NoBodies, Pressure::Normal),
        ] {
            assert_eq!(limits.pressure(resident, current), next, "{resident} {current:?}");
        }
    }
}
