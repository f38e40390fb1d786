//! Page loads, by the ids that pages give themselves.

use std::collections::HashSet;

use wire::Timestamp;

use super::{Ring, Store};
use crate::entry::Entry;

/// Separates the page's id from the frame's number in the id of a frame.
const FRAME_MARK: char = '.';

/// The page load that an id belongs to: a frame belongs to the load of its page.
pub(crate) fn load_of(page_id: &str) -> &str {
    page_id.split(FRAME_MARK).next().unwrap_or(page_id)
}

/// How many of the newest loads in each buffer are remembered.
const LOADS: usize = 50;
/// How many loads from before a clearing are remembered.
const CLEARED_LOADS: usize = 500;

impl Store {
    /// To be called before everything is cleared.
    pub(super) fn note_cleared_loads(&mut self) {
        // Such old page loads have ended.
        if self.cleared_loads.len() > CLEARED_LOADS {
            self.cleared_loads.clear();
        }
        self.cleared_loads.extend(self.page_loads(|_| true));
    }

    /// Whether entries of this page load may have been cleared.
    pub(crate) fn was_cleared(&self, page_id: &str) -> bool {
        self.cleared_loads.contains(load_of(page_id))
    }

    /// The page loads of the entries whose cursors are accepted, the newest of each kind.
    pub(crate) fn page_loads(&self, is_meant: impl Fn(u64) -> bool) -> HashSet<String> {
        let mut loads = HashSet::new();
        add(&mut loads, &self.logs, &is_meant);
        add(&mut loads, &self.network, &is_meant);
        add(&mut loads, &self.actions, &is_meant);
        add(&mut loads, &self.dom_snapshots, &is_meant);
        loads
    }

    /// When the first known event of a page load happened.
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
