//! The recent past in bounded buffers: a ring for each kind, and cursors. What is learned from it is kept in the
//! session.

pub(crate) mod accounting;
mod buffer;
mod connections;
mod filter;
pub mod id;
mod message_schema;
pub(crate) mod page_loads;
mod performance;
mod request_times;
mod ring;

use std::collections::{HashMap, HashSet, VecDeque};

use serde::Serialize;
use wire::{Level, Timestamp, limits};

use crate::entry::{Entry, Log, PageLoad, Request, SocketEvent, merge_context};
use crate::redact::Redacted;
use id::{IdKind, Ids, Lookup};

pub use accounting::BufferReport;
pub(crate) use buffer::Buffer;
pub use connections::{Connection, Connections, State, Traffic};
pub use filter::{Filter, Since};
pub(crate) use page_loads::load_of;
pub use performance::{PageLoads, Performance, Sample};
pub use ring::{Ring, Stored};

/// How much the store accepts, depending on the memory of the process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
pub enum Pressure {
    /// Everything is accepted.
    #[default]
    Normal,
    /// Network bodies are refused.
    NoBodies,
    /// Only warnings and errors are accepted, and few of them.
    Minimal,
}

/// Why an entry was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// Memory is short, and the entry is of a kind that is refused then.
    MemoryPressure,
    /// This entry is already stored.
    Repeated,
    /// A patch of an entry that is not stored.
    NothingToPatch,
}

/// What happened to a log entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushed {
    /// It was stored under this cursor.
    Added(u64),
    /// It was merged into the entry under this cursor.
    Amended(u64),
}

/// Entries that were removed together.
#[derive(Debug, Default)]
pub struct Removed {
    /// How many entries.
    pub entries: usize,
    /// How many of them belonged to each test.
    pub of_tests: HashMap<String, usize>,
}

macro_rules! buffer_type {
    (ring, $entry:ident, $entries:ident, $bytes:ident) => { Ring<crate::entry::$entry> };
    (own, $entry:ident, $buffer:ident) => { $buffer };
}

macro_rules! new_buffer {
    (ring, $entries:ident, $bytes:ident) => {
        Ring::new(limits::$entries, limits::$bytes)
    };
    (own, $buffer:ident) => {
        $buffer::default()
    };
}

/// The push function of a plain kind.
macro_rules! push_to_store {
    (plain, $push:ident, $entry:ident, $buffer:ident) => {
        /// Stores an entry. `bytes` is its serialized size.
        pub fn $push(
            &mut self,
            redacted: Redacted<crate::entry::$entry>,
            arrived: Timestamp,
            bytes: usize,
        ) -> Result<(), Refused> {
            self.push(|store| &mut store.$buffer, redacted, arrived, bytes)
        }
    };
    ($how:ident, $push:ident, $entry:ident, $buffer:ident) => {};
}

macro_rules! define_store {
    ($(
        $(#[$meta:meta])*
        $kind:ident = $name:literal, $entry:ident, $buffer:ident: $room:ident($($size:ident),*), $how:ident $push:ident, $($batch:ident)::+, $path:literal;
    )*) => {
        /// The buffers of all kinds.
        #[derive(Debug)]
        pub struct Store {
            /// Writes and reads the ids of entries.
            pub ids: Ids,
            $( $(#[$meta])* pub $buffer: buffer_type!($room, $entry, $($size),*), )*
            /// Connections, derived from socket events.
            pub connections: Connections,
            /// Ids that pages gave to log entries, by which later context finds its entry.
            named_logs: HashMap<String, u64>,
            /// Screenshots whose error has not arrived yet: the entry's id, and the file.
            awaited: VecDeque<(String, String)>,
            cursor: u64,
            /// Whether each test has its own room.
            is_per_test: bool,
            /// Tests that were evicted to make room for newer ones.
            evicted_tests: u64,
            pressure: Pressure,
            refused: u64,
            /// When a caller last cleared the logs, and the cursor then.
            logs_cleared: Option<(Timestamp, u64)>,
            /// When a caller last cleared everything, and the cursor then.
            cleared: Option<(Timestamp, u64)>,
            /// The page loads that were known then.
            cleared_loads: HashSet<String>,
        }

        impl Store {
            /// An empty store. Ids of its entries carry `run`, the tag of this run.
            pub fn new(run: &str) -> Self {
                Self {
                    ids: Ids::new(run),
                    $($buffer: new_buffer!($room, $($size),*),)*
                    connections: Connections::default(),
                    named_logs: HashMap::new(),
                    awaited: VecDeque::new(),
                    cursor: 0,
                    is_per_test: false,
                    evicted_tests: 0,
                    pressure: Pressure::Normal,
                    refused: 0,
                    logs_cleared: None,
                    cleared: None,
                    cleared_loads: HashSet::new(),
                }
            }

            $(push_to_store!($how, $push, $entry, $buffer);)*
        }
    };
}

for_each_kind!(define_store);

impl Store {
    /// The same with the limits of each kind for each test, so that one worker's entries take no room from another's.
    /// All tests together are bounded, too.
    pub fn per_test(run: &str) -> Self {
        let mut store = Self { is_per_test: true, ..Self::new(run) };
        store.buffers_mut().into_iter().for_each(Buffer::make_per_test);
        store
    }

    /// How many tests were evicted to make room for newer ones.
    pub fn evicted_tests(&self) -> u64 {
        self.evicted_tests
    }

    /// Memory that all captured entries take.
    pub fn bytes(&self) -> usize {
        self.buffers().iter().map(|(_, buffer)| buffer.bytes()).sum()
    }

    /// Evicts the longest silent test if all captured entries take more than `most` bytes; to be called until it
    /// returns `None`. Tests are evicted as a unit: a partial test would look like a complete one. Does nothing unless
    /// each test has its own room.
    pub fn shed(&mut self, most: usize) -> Option<Removed> {
        if !self.is_per_test || self.bytes() <= most {
            return None;
        }
        let oldest = self.oldest_test()?;
        let test_id = oldest.as_deref();
        let entries = self.buffers_mut().into_iter().map(|buffer| buffer.evict_test(test_id)).sum();
        self.forget_names();
        self.evicted_tests += 1;
        let of_tests = oldest.into_iter().map(|test_id| (test_id, entries)).collect();
        Some(Removed { entries, of_tests })
    }

    /// The test whose newest entry is the oldest. Entries outside of tests count as one test.
    fn oldest_test(&self) -> Option<Option<String>> {
        let mut newest: HashMap<Option<&str>, u64> = HashMap::new();
        let buffers = self.buffers();
        for (test_id, cursor) in buffers.iter().flat_map(|(_, buffer)| buffer.newest_of_tests()) {
            let known = newest.entry(test_id).or_default();
            *known = cursor.max(*known);
        }
        let oldest = newest.into_iter().min_by_key(|(_, cursor)| *cursor)?;
        Some(oldest.0.map(str::to_owned))
    }

    /// The cursor of the newest entry.
    pub fn cursor(&self) -> u64 {
        self.cursor
    }

    /// The current stage of memory pressure.
    pub fn pressure(&self) -> Pressure {
        self.pressure
    }

    /// Entries that were refused under memory pressure.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// When a caller last cleared the logs, and the cursor then. `None` if that never happened.
    pub fn logs_cleared(&self) -> Option<(Timestamp, u64)> {
        self.logs_cleared
    }

    /// When a caller last cleared everything. `None` if that never happened.
    pub fn cleared(&self) -> Option<Timestamp> {
        self.cleared.map(|(at, _)| at)
    }

    /// The cursor up to which all kinds were cleared.
    pub fn cleared_to(&self) -> u64 {
        self.cleared.map_or(0, |(_, cursor)| cursor)
    }

    /// Forgets connections that closed a while ago.
    pub fn forget(&mut self, now: Timestamp) {
        self.connections.forget(now);
    }

    fn next_cursor(&mut self) -> u64 {
        self.cursor += 1;
        self.cursor
    }

    fn refuse(&mut self) -> Refused {
        self.refused += 1;
        Refused::MemoryPressure
    }

    /// Stores a log entry. One with the id of a stored entry is a patch of it, or the same entry sent again.
    pub fn push_log(&mut self, redacted: Redacted<Log>, arrived: Timestamp, bytes: usize) -> Result<Pushed, Refused> {
        if self.pressure == Pressure::Minimal && redacted.entry().level < Level::Warn {
            return Err(self.refuse());
        }
        let known = redacted.entry().id.as_deref().and_then(|id| self.log_of_id(id));
        let is_of_test =
            |cursor: u64| self.logs.find(cursor).is_some_and(|stored| stored.entry.test_id == redacted.entry().test_id);
        let pushed = match known {
            // Another test's entry has the same id by chance.
            Some(cursor) if self.is_per_test && !is_of_test(cursor) && !redacted.entry().message.is_empty() => {
                self.add_log(redacted, arrived, bytes, false)
            }
            Some(cursor) if redacted.entry().ai_context.is_some() => self.patch_log(cursor, redacted, bytes),
            Some(cursor) if self.is_same_log(cursor, redacted.entry()) => return Err(Refused::Repeated),
            _ if redacted.entry().message.is_empty() => return Err(Refused::NothingToPatch),
            known => self.add_log(redacted, arrived, bytes, known.is_none()),
        };
        let most = if self.pressure == Pressure::Minimal { limits::MINIMAL_LOG_ENTRIES } else { usize::MAX };
        forget_names(&mut self.named_logs, self.logs.evict(most));
        Ok(pushed)
    }

    /// The stored entry with this id, which the page or the server assigned.
    fn log_of_id(&self, id: &str) -> Option<u64> {
        self.named_logs.get(id).copied().or_else(|| match self.ids.read(id) {
            Lookup::Entry(IdKind::Log, cursor) => self.logs.find(cursor).map(|stored| stored.cursor),
            _ => None,
        })
    }

    fn is_same_log(&self, cursor: u64, entry: &Log) -> bool {
        self.logs.find(cursor).is_some_and(|stored| stored.entry.message == entry.message)
    }

    fn patch_log(&mut self, cursor: u64, redacted: Redacted<Log>, bytes: usize) -> Pushed {
        let (patch, findings) = redacted.into_parts();
        self.logs.amend(cursor, bytes, |stored| {
            stored.findings.extend(findings);
            stored.findings.truncate(limits::FINDINGS_PER_ENTRY);
            if let Some(patch) = patch.ai_context {
                merge_context(stored.entry.ai_context.get_or_insert_default(), patch);
            }
        });
        Pushed::Amended(cursor)
    }

    /// Two entries never share an id: if another entry has it, `keeps_id` is false and the entry gets one from the
    /// server.
    fn add_log(&mut self, redacted: Redacted<Log>, arrived: Timestamp, bytes: usize, keeps_id: bool) -> Pushed {
        let cursor = self.next_cursor();
        let redacted = if keeps_id { redacted } else { redacted.map(|entry| Log { id: None, ..entry }) };
        let mut awaited = None;
        if let Some(id) = &redacted.entry().id {
            self.named_logs.insert(id.clone(), cursor);
            let place = self.awaited.iter().position(|(of, _)| of == id);
            awaited = place.and_then(|place| self.awaited.remove(place));
        }
        let evicted = self.logs.push(cursor, arrived, redacted, bytes);
        forget_names(&mut self.named_logs, evicted);
        if let Some((id, path)) = awaited {
            self.link_screenshot(&id, &path);
        }
        Pushed::Added(cursor)
    }

    /// Changes the context of an error; `bytes` is added to its size.
    pub(crate) fn amend_log(&mut self, cursor: u64, bytes: usize, change: impl FnOnce(&mut Stored<Log>)) {
        self.logs.amend(cursor, bytes, change);
        forget_names(&mut self.named_logs, self.logs.evict(usize::MAX));
    }

    /// Links a screenshot to its log entry, or keeps it until the entry arrives: a screenshot may overtake its error's
    /// batch.
    pub fn link_screenshot(&mut self, id: &str, path: &str) {
        if let Some(cursor) = self.log_of_id(id) {
            // A second screenshot replaces the first.
            let is_first = self.logs.find(cursor).is_some_and(|stored| stored.entry.screenshot.is_none());
            let added = if is_first { path.len() } else { 0 };
            self.logs.amend(cursor, added, |stored| stored.entry.screenshot = Some(path.to_owned()));
            forget_names(&mut self.named_logs, self.logs.evict(usize::MAX));
            return;
        }
        if id.chars().count() > limits::ENTRY_ID_CHARS {
            return;
        }
        if self.awaited.len() >= limits::AWAITED_ERRORS {
            self.awaited.pop_front();
        }
        self.awaited.push_back((id.to_owned(), path.to_owned()));
    }

    /// Stores a socket event and updates its connection. `bytes` is its serialized size.
    pub fn push_websocket(
        &mut self,
        redacted: Redacted<SocketEvent>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return Err(self.refuse());
        }
        let url = self.connections.take(redacted.entry(), arrived).map(str::to_owned);
        // Totals update the connection; as an event they mean nothing.
        if redacted.entry().is_stats() {
            return Ok(());
        }
        let (redacted, bytes) = match url {
            Some(url) if redacted.entry().url.is_none() => {
                let bytes = bytes + url.len();
                (redacted.map(|event| SocketEvent { url: Some(url), ..event }), bytes)
            }
            _ => (redacted, bytes),
        };
        self.push(|store| &mut store.websocket, redacted, arrived, bytes)
    }

    /// Stores a request. `bytes` is its serialized size.
    pub fn push_network(
        &mut self,
        redacted: Redacted<Request>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure == Pressure::NoBodies {
            return Err(self.refuse());
        }
        self.push(|store| &mut store.network, redacted, arrived, bytes)
    }

    fn push<T: Entry>(
        &mut self,
        ring: fn(&mut Self) -> &mut Ring<T>,
        redacted: Redacted<T>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return Err(self.refuse());
        }
        let cursor = self.next_cursor();
        drop(ring(self).push(cursor, arrived, redacted, bytes));
        Ok(())
    }

    /// Stores a page load, or merges a single web vital into its load. `bytes` is its serialized size.
    pub fn push_performance(&mut self, redacted: Redacted<PageLoad>, bytes: usize) -> Result<(), Refused> {
        if self.pressure == Pressure::Minimal {
            return Err(self.refuse());
        }
        if redacted.entry().is_lone_vital && self.performance.amend(redacted.entry()) {
            return Ok(());
        }
        let cursor = self.next_cursor();
        self.performance.push(cursor, redacted, bytes);
        Ok(())
    }

    /// Sets the stage of memory pressure. Entering the last stage empties all buffers.
    pub fn set_pressure(&mut self, pressure: Pressure) {
        if pressure == Pressure::Minimal && self.pressure != Pressure::Minimal {
            self.buffers_mut().into_iter().for_each(Buffer::drop_all);
            self.named_logs.clear();
        }
        self.pressure = pressure;
    }

    /// Empties the logs and returns how many entries they had.
    pub fn clear_logs(&mut self, now: Timestamp) -> usize {
        self.logs_cleared = Some((now, self.cursor));
        self.named_logs.clear();
        self.logs.clear(None).len()
    }

    /// Empties the buffers of every kind, or removes what belongs to one test.
    pub fn clear(&mut self, test_id: Option<&str>, now: Timestamp) -> Removed {
        if test_id.is_none() {
            self.logs_cleared = Some((now, self.cursor));
            self.cleared = Some((now, self.cursor));
            self.note_cleared_loads();
        }
        let mut of_tests = HashMap::new();
        let entries = self.buffers_mut().into_iter().map(|buffer| buffer.take_out(test_id, &mut of_tests)).sum();
        self.forget_names();
        Removed { entries, of_tests }
    }

    /// Forgets the ids of log entries that are gone.
    fn forget_names(&mut self) {
        let logs = &self.logs;
        self.named_logs.retain(|_, cursor| logs.find(*cursor).is_some());
    }
}

fn forget_names(named: &mut HashMap<String, u64>, evicted: impl Iterator<Item = Stored<Log>>) {
    for id in evicted.filter_map(|stored| stored.entry.id) {
        named.remove(&id);
    }
}
