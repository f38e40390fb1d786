//! Loads of pages, by the names that pages give themselves.

use std::collections::HashSet;

use wire::Timestamp;

use super::{Ring, Store};
use crate::entry::Entry;

/// The name of a page in a frame has the frame's number after this.
const FRAME_MARK: char = '.';

/// A frame belongs to the load of its page.
pub(crate) fn load_of(page_id: &str) -> &str {
    page_id.split(FRAME_MARK).next().unwrap_or(page_id)
}

/// Loads of each kind of entry that are remembered, the newest.
const LOADS: usize = 50;
/// Loads that are remembered of times before the buffers were cleared.
const CLEARED_LOADS: usize = 500;

impl Store {
    /// Everything is about to be cleared.
    pub(super) fn note_cleared_loads(&mut self) {
        // Those of so long ago have ended.
        if self.cleared_loads.len() > CLEARED_LOADS {
            self.cleared_loads.clear();
        }
        self.cleared_loads.extend(self.page_loads(|_| true));
    }

    /// Whether something of this page load may have been cleared.
    pub(crate) fn was_cleared(&self, page_id: &str) -> bool {
        self.cleared_loads.contains(load_of(page_id))
    }

    /// The page loads that entries with such cursors came from, the newest of each kind.
    pub(crate) fn page_loads(&self, is_meant: impl Fn(u64) -> bool) -> HashSet<String> {
        let mut loads = HashSet::new();
        add(&mut loads, &self.logs, &is_meant);
        add(&mut loads, &self.network, &is_meant);
        add(&mut loads, &self.actions, &is_meant);
        add(&mut loads, &self.dom_snapshots, &is_meant);
        loads
    }

    /// When the first that is known of a page load happened.
    pub(crate) fn opened(&self, page_id: &str) -> Option<Timestamp> {
        let load = load_of(page_id);
        let firsts = [
            first(&self.logs, load),
            first(&self.network, load),
            first(&self.websocket, load),
            first(&self.actions, load),
            first(&self.dom_snapshots, load),
        ];
        firsts.into_iter().flatten().min()
    }
}

fn add<T: Entry>(loads: &mut HashSet<String>, ring: &Ring<T>, is_meant: impl Fn(u64) -> bool) {
    let mut own = 0;
    for stored in ring.iter().rev().filter(|stored| is_meant(stored.cursor)) {
        if let Some(load) = stored.entry.page_id().map(load_of)
            && !loads.contains(load)
            && own < LOADS
        {
            own += 1;
            loads.insert(load.to_owned());
        }
    }
}

fn first<T: Entry>(ring: &Ring<T>, load: &str) -> Option<Timestamp> {
    let of_load = ring.iter().filter(|stored| stored.entry.page_id().is_some_and(|id| load_of(id) == load));
    of_load.map(|stored| stored.entry.at()).min()
}
