//! What the dashboard needs from the server besides the captured data: access control, the calls of AI clients, and
//! notifications of changes. The routes are in `http/dashboard`.

mod access;
mod calls;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use wire::limits;

pub(crate) use access::Access;
#[cfg(debug_assertions)]
pub(crate) use calls::WholeCall;
pub(crate) use calls::{Call, CallBrief, Calls};

#[derive(Debug)]
pub(crate) struct Dashboard {
    access: Mutex<Access>,
    calls: Mutex<Calls>,
    changed: watch::Sender<()>,
    watching: Arc<AtomicUsize>,
}

impl Default for Dashboard {
    fn default() -> Self {
        Self {
            access: Mutex::default(),
            calls: Mutex::default(),
            changed: watch::Sender::new(()),
            watching: Arc::default(),
        }
    }
}

impl Dashboard {
    pub(crate) fn access(&self) -> MutexGuard<'_, Access> {
        self.access.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notifies open dashboards of a change. Costs almost nothing while none is open.
    pub(crate) fn nudge(&self) {
        if self.is_watched() {
            self.changed.send_replace(());
        }
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.watching.load(Ordering::Relaxed) > 0
    }

    /// A slot for one more dashboard that receives changes; `None` if all are taken.
    pub(crate) fn watch(&self) -> Option<Watching> {
        let taken = self.watching.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |watching| {
            (watching < limits::DASHBOARD_STREAMS).then_some(watching + 1)
        });
        taken.ok().map(|_| Watching { changed: self.changed.subscribe(), watching: Arc::clone(&self.watching) })
    }
}

/// The slot of one dashboard that receives changes. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Watching {
    pub(crate) changed: watch::Receiver<()>,
    watching: Arc<AtomicUsize>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.watching.fetch_sub(1, Ordering::Relaxed);
    }
}
