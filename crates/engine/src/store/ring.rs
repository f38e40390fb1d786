//! A queue bounded in entries and bytes: the oldest leave first, and are counted.

use std::collections::VecDeque;

use wire::Timestamp;

use crate::redact::{Finding, Redacted};

/// An entry as it lies in a ring.
#[derive(Debug, Clone)]
pub struct Stored<T> {
    /// Grows with every entry of any kind; never reused.
    pub cursor: u64,
    pub arrived: Timestamp,
    pub entry: T,
    /// The credentials that were cut out of it.
    pub findings: Vec<Finding>,
    bytes: usize,
}

/// What an entry takes besides its text: the struct, its allocations' headers, its place in the queue.
const OVERHEAD_BYTES: usize = 512;

#[derive(Debug)]
pub struct Ring<T> {
    entries: VecDeque<Stored<T>>,
    most_entries: usize,
    most_bytes: usize,
    bytes: usize,
    dropped: u64,
    received: u64,
    /// The newest that had to leave for lack of room, and the newest that was taken out: entries after a cursor are
    /// all here if neither is after it.
    dropped_to: u64,
    removed_to: u64,
}

impl<T> Ring<T> {
    pub fn new(most_entries: usize, most_bytes: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            most_entries,
            most_bytes,
            bytes: 0,
            dropped: 0,
            received: 0,
            dropped_to: 0,
            removed_to: 0,
        }
    }

    /// Adds an entry of `text_bytes` serialized bytes and returns those that had to leave for it. One that is larger
    /// than the whole ring is dropped itself.
    pub fn push(
        &mut self,
        cursor: u64,
        arrived: Timestamp,
        redacted: Redacted<T>,
        text_bytes: usize,
    ) -> impl Iterator<Item = Stored<T>> + use<T> {
        let (entry, findings) = redacted.into_parts();
        let bytes = text_bytes + OVERHEAD_BYTES + findings.len() * size_of::<Finding>();
        self.received += 1;
        self.bytes += bytes;
        self.entries.push_back(Stored { cursor, arrived, entry, findings, bytes });
        self.evict(self.most_entries)
    }

    /// Makes the oldest leave until at most `most` are left and the bytes hold.
    pub fn evict(&mut self, most: usize) -> std::vec::IntoIter<Stored<T>> {
        let mut evicted = Vec::new();
        while self.entries.len() > most.min(self.most_entries) || self.bytes > self.most_bytes {
            let Some(oldest) = self.entries.pop_front() else { break };
            self.bytes -= oldest.bytes;
            self.dropped += 1;
            self.dropped_to = self.dropped_to.max(oldest.cursor);
            evicted.push(oldest);
        }
        evicted.into_iter()
    }

    /// Keeps only what `keep` says; returns how many went. Those were asked for, so they do not count as dropped.
    pub fn retain(&mut self, mut keep: impl FnMut(&Stored<T>) -> bool) -> usize {
        let before = self.entries.len();
        let mut removed_to = self.removed_to;
        self.entries.retain(|stored| {
            let keeps = keep(stored);
            if !keeps {
                removed_to = removed_to.max(stored.cursor);
            }
            keeps
        });
        self.removed_to = removed_to;
        self.bytes = self.entries.iter().map(|stored| stored.bytes).sum();
        if self.entries.is_empty() {
            self.entries.shrink_to_fit();
        }
        before - self.entries.len()
    }

    /// Empties it because there is no room, not because someone asked: all of them count as dropped.
    pub fn drop_all(&mut self) {
        self.dropped += self.entries.len() as u64;
        self.dropped_to = self.entries.back().map_or(self.dropped_to, |newest| newest.cursor);
        self.entries = VecDeque::new();
        self.bytes = 0;
    }

    /// Oldest first; reverse it for newest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Stored<T>> + ExactSizeIterator {
        self.entries.iter()
    }

    pub fn find(&self, cursor: u64) -> Option<&Stored<T>> {
        self.entries
            .binary_search_by_key(&cursor, |stored| stored.cursor)
            .ok()
            .and_then(|index| self.entries.get(index))
    }

    /// Changes an entry in place; `text_bytes` is added to its size.
    pub fn amend(&mut self, cursor: u64, text_bytes: usize, change: impl FnOnce(&mut Stored<T>)) -> bool {
        let Ok(index) = self.entries.binary_search_by_key(&cursor, |stored| stored.cursor) else { return false };
        let Some(stored) = self.entries.get_mut(index) else { return false };
        change(stored);
        stored.bytes += text_bytes;
        self.bytes += text_bytes;
        true
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn capacity(&self) -> usize {
        self.most_entries
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many had to leave for lack of room.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    pub fn received(&self) -> u64 {
        self.received
    }

    /// Whether some that came after `cursor` had to leave for lack of room.
    pub fn overflowed_after(&self, cursor: u64) -> bool {
        self.dropped_to > cursor
    }

    /// Whether someone took out what came after `cursor`.
    pub fn cleared_after(&self, cursor: u64) -> bool {
        self.removed_to > cursor
    }
}
