//! A queue bounded in entries and bytes. It evicts the oldest entries first and counts them.
//!
//! With [`Ring::per_test`] each test has these limits for itself, so that no test's entries are evicted for another's;
//! the store bounds all tests together. Readers see one queue all the same.

use std::collections::{BTreeMap, HashMap, VecDeque};

use wire::Timestamp;

use super::{Buffer, BufferReport};
use crate::entry::Entry;
use crate::redact::{Finding, Redacted};

/// An entry in a ring.
#[derive(Debug, Clone)]
pub struct Stored<T> {
    /// Its position in the order of arrival: grows with every entry of any kind, and is never reused.
    pub cursor: u64,
    /// When the server received it.
    pub arrived: Timestamp,
    /// The entry.
    pub entry: T,
    /// The credentials that were redacted from it.
    pub findings: Vec<Finding>,
    bytes: usize,
}

/// Memory of an entry besides its text: the headers of its allocations, and its place in the queue. Structs larger than
/// this are added on top.
const OVERHEAD_BYTES: usize = 512;

/// A bounded queue of entries of one kind.
#[derive(Debug)]
pub struct Ring<T> {
    /// By cursor, which is the order of arrival. Boxed, because a tree's nodes are never full.
    entries: BTreeMap<u64, Box<Stored<T>>>,
    /// Entries outside of tests, or all entries if tests are not kept apart.
    common: Part,
    tests: HashMap<String, Part>,
    is_per_test: bool,
    /// Tests whose entries were changed and may now exceed their limits.
    grown: Vec<Option<String>>,
    most_entries: usize,
    most_bytes: usize,
    bytes: usize,
    dropped: u64,
    received: u64,
    removed: u64,
    /// The newest entry that was evicted, and the newest that was removed: if neither is after a cursor, all entries
    /// after it are still here.
    dropped_to: u64,
    removed_to: u64,
}

/// The entries that share one limit.
#[derive(Debug, Default)]
struct Part {
    cursors: VecDeque<u64>,
    bytes: usize,
}

impl<T: Entry> Ring<T> {
    /// An empty ring with these limits.
    pub fn new(most_entries: usize, most_bytes: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            common: Part::default(),
            tests: HashMap::new(),
            is_per_test: false,
            grown: Vec::new(),
            most_entries,
            most_bytes,
            bytes: 0,
            dropped: 0,
            received: 0,
            removed: 0,
            dropped_to: 0,
            removed_to: 0,
        }
    }

    /// Adds an entry of `text_bytes` serialized bytes and returns the entries that were evicted for it. An entry that
    /// is larger than the whole ring is dropped itself.
    pub fn push(
        &mut self,
        cursor: u64,
        arrived: Timestamp,
        redacted: Redacted<T>,
        text_bytes: usize,
    ) -> impl Iterator<Item = Stored<T>> + use<T> {
        let (entry, findings) = redacted.into_parts();
        let overhead = OVERHEAD_BYTES.max(size_of::<Stored<T>>());
        let bytes = text_bytes + overhead + findings.len() * size_of::<Finding>();
        self.received += 1;
        self.bytes += bytes;
        let part = match entry.test_id().filter(|_| self.is_per_test) {
            None => &mut self.common,
            Some(test_id) => {
                // The test's id is copied only for its first entry.
                if !self.tests.contains_key(test_id) {
                    self.tests.insert(test_id.to_owned(), Part::default());
                }
                self.tests.get_mut(test_id).unwrap_or(&mut self.common)
            }
        };
        part.cursors.push_back(cursor);
        part.bytes += bytes;
        let is_over = part.cursors.len() > self.most_entries || part.bytes > self.most_bytes;
        let outgrown = is_over.then(|| entry.test_id().filter(|_| self.is_per_test).map(str::to_owned));
        self.entries.insert(cursor, Box::new(Stored { cursor, arrived, entry, findings, bytes }));
        let mut evicted = Vec::new();
        if let Some(test_id) = outgrown {
            self.fit(test_id.as_deref(), &mut evicted);
        }
        evicted.into_iter()
    }

    /// Evicts the oldest entries until at most `most` are left and the byte limit holds.
    pub fn evict(&mut self, most: usize) -> std::vec::IntoIter<Stored<T>> {
        let mut evicted = Vec::new();
        for test_id in std::mem::take(&mut self.grown) {
            self.fit(test_id.as_deref(), &mut evicted);
        }
        while self.entries.len() > most {
            let Some((&oldest, _)) = self.entries.first_key_value() else { break };
            self.drop_one(oldest, &mut evicted);
        }
        evicted.into_iter()
    }

    /// Evicts the oldest entries of a test until its limits hold.
    fn fit(&mut self, test_id: Option<&str>, evicted: &mut Vec<Stored<T>>) {
        while let Some(part) = self.part(test_id)
            && (part.cursors.len() > self.most_entries || part.bytes > self.most_bytes)
            && let Some(&oldest) = part.cursors.front()
        {
            self.drop_one(oldest, evicted);
        }
    }

    fn drop_one(&mut self, cursor: u64, evicted: &mut Vec<Stored<T>>) {
        if let Some(stored) = self.remove(cursor) {
            self.dropped += 1;
            self.dropped_to = self.dropped_to.max(cursor);
            evicted.push(stored);
        }
    }

    /// Removes an entry and updates all counts.
    fn remove(&mut self, cursor: u64) -> Option<Stored<T>> {
        let stored = *self.entries.remove(&cursor)?;
        self.bytes -= stored.bytes;
        let test_id = stored.entry.test_id().filter(|_| self.is_per_test);
        let part = match test_id {
            Some(test_id) => self.tests.get_mut(test_id)?,
            None => &mut self.common,
        };
        part.bytes -= stored.bytes;
        if part.cursors.front() == Some(&cursor) {
            part.cursors.pop_front();
        } else if let Ok(place) = part.cursors.binary_search(&cursor) {
            part.cursors.remove(place);
        }
        if part.cursors.is_empty() {
            match test_id {
                Some(test_id) => drop(self.tests.remove(test_id)),
                None => part.cursors.shrink_to_fit(),
            }
        }
        Some(stored)
    }

    fn part(&self, test_id: Option<&str>) -> Option<&Part> {
        match test_id.filter(|_| self.is_per_test) {
            Some(test_id) => self.tests.get(test_id),
            None => Some(&self.common),
        }
    }

    /// Removes the entries of a test on request; `None` removes all.
    pub fn clear(&mut self, test_id: Option<&str>) -> Vec<Stored<T>> {
        let cursors: Vec<u64> = match test_id {
            Some(test_id) if self.is_per_test => {
                self.part(Some(test_id)).iter().flat_map(|part| part.cursors.iter().copied()).collect()
            }
            Some(test_id) => {
                let of_test = self.iter().filter(|stored| stored.entry.test_id() == Some(test_id));
                of_test.map(|stored| stored.cursor).collect()
            }
            None => self.entries.keys().copied().collect(),
        };
        self.removed_to = self.removed_to.max(cursors.last().copied().unwrap_or(0));
        let taken: Vec<Stored<T>> = cursors.into_iter().filter_map(|cursor| self.remove(cursor)).collect();
        self.removed += taken.len() as u64;
        taken
    }

    /// The entries of a test, or with `None` all entries, oldest first.
    pub fn iter_of<'a: 'n, 'n>(
        &'a self,
        test_id: Option<&'n str>,
    ) -> Box<dyn DoubleEndedIterator<Item = &'a Stored<T>> + 'n> {
        match test_id {
            Some(test_id) if self.is_per_test => {
                let cursors = self.tests.get(test_id).into_iter().flat_map(|part| part.cursors.iter());
                Box::new(cursors.filter_map(|cursor| self.find(*cursor)))
            }
            Some(test_id) => Box::new(self.iter().filter(move |stored| stored.entry.test_id() == Some(test_id))),
            None => Box::new(self.iter()),
        }
    }

    /// Changes an entry in place. Its test must stay the same. `text_bytes` is added to its size.
    pub fn amend(&mut self, cursor: u64, text_bytes: usize, change: impl FnOnce(&mut Stored<T>)) -> bool {
        let Some(stored) = self.entries.get_mut(&cursor) else { return false };
        change(stored);
        stored.bytes += text_bytes;
        self.bytes += text_bytes;
        let test_id = stored.entry.test_id().filter(|_| self.is_per_test);
        let part = test_id.and_then(|test_id| self.tests.get_mut(test_id)).unwrap_or(&mut self.common);
        part.bytes += text_bytes;
        if part.bytes > self.most_bytes {
            self.grown.push(test_id.map(str::to_owned));
        }
        true
    }
}

impl<T: Entry> Buffer for Ring<T> {
    fn report(&self) -> BufferReport {
        BufferReport {
            count: self.len(),
            capacity: self.capacity(),
            memory_bytes: self.bytes,
            dropped: self.dropped,
            removed: self.removed,
            received: self.received,
        }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn make_per_test(&mut self) {
        self.is_per_test = true;
    }

    fn drop_all(&mut self) {
        self.dropped += self.entries.len() as u64;
        self.dropped_to = self.entries.last_key_value().map_or(self.dropped_to, |(newest, _)| *newest);
        self.entries = BTreeMap::new();
        self.common = Part::default();
        self.tests = HashMap::new();
        self.bytes = 0;
    }

    fn evict_test(&mut self, test_id: Option<&str>) -> usize {
        let cursors: Vec<u64> = self.part(test_id).iter().flat_map(|part| part.cursors.iter().copied()).collect();
        let mut evicted = Vec::with_capacity(cursors.len());
        for cursor in cursors {
            self.drop_one(cursor, &mut evicted);
        }
        evicted.len()
    }

    fn take_out(&mut self, test_id: Option<&str>, of_tests: &mut HashMap<String, usize>) -> usize {
        let removed = self.clear(test_id);
        for test_id in removed.iter().filter_map(|stored| stored.entry.test_id()) {
            *of_tests.entry(test_id.to_owned()).or_default() += 1;
        }
        removed.len()
    }

    fn newest_of_tests<'s>(&'s self) -> Box<dyn Iterator<Item = (Option<&'s str>, u64)> + 's> {
        let tests = self.tests.iter().map(|(test_id, part)| (Some(test_id.as_str()), part));
        let all = tests.chain([(None, &self.common)]);
        Box::new(all.filter_map(|(test_id, part)| Some((test_id, *part.cursors.back()?))))
    }
}

impl<T> Ring<T> {
    /// All entries, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Stored<T>> + ExactSizeIterator {
        self.entries.values().map(|stored| &**stored)
    }

    /// The entry with this cursor. `None` if it is gone.
    pub fn find(&self, cursor: u64) -> Option<&Stored<T>> {
        self.entries.get(&cursor).map(|stored| &**stored)
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many entries it can hold; for each test, if tests are kept apart.
    pub fn capacity(&self) -> usize {
        self.most_entries
    }

    /// Memory that its entries take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many entries were evicted to make room.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// How many entries were ever added.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// How many entries were removed on request.
    pub fn removed(&self) -> u64 {
        self.removed
    }

    /// An upper bound of the memory of a test's entries; `None` is for all entries.
    pub fn bytes_of(&self, test_id: Option<&str>) -> usize {
        match test_id.filter(|_| self.is_per_test) {
            Some(test_id) => self.tests.get(test_id).map_or(0, |part| part.bytes),
            None => self.bytes,
        }
    }

    /// Whether entries after `cursor` were evicted.
    pub fn overflowed_after(&self, cursor: u64) -> bool {
        self.dropped_to > cursor
    }

    /// Whether entries after `cursor` were removed on request.
    pub fn cleared_after(&self, cursor: u64) -> bool {
        self.removed_to > cursor
    }
}
