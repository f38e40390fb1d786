//! Loads of pages, by the names that pages give themselves.

use wire::{Entry, Timestamp};

use super::{Ring, Store};

/// The name of a page in a frame has the frame's number after this.
const FRAME_MARK: char = '.';

/// A frame belongs to the load of its page.
pub(crate) fn load_of(page_id: &str) -> &str {
    page_id.split(FRAME_MARK).next().unwrap_or(page_id)
}

impl Store {
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

fn first<T: Entry>(ring: &Ring<T>, load: &str) -> Option<Timestamp> {
    let of_load = ring.iter().filter(|stored| stored.entry.page_id().is_some_and(|id| load_of(id) == load));
    of_load.map(|stored| stored.entry.time().unwrap_or(stored.arrived)).min()
}
