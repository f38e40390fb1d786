//! The store and everything learned from it. What is kept here outlives or explains entries.
//!
//! All entries come in through this module: it stores each one and shows it once to everything that learns from it.

mod symbolication;

use wire::{Timestamp, limits};

use crate::code_changes::{CodeChanges, hot_update};
use crate::contracts::{Call, Contracts};
use crate::entry::{Direction, Log, LogKind, PageLoad, Request, SocketEvent};
use crate::intake::{Item, Prepared};
use crate::noise::NoiseRules;
use crate::redact::Redacted;
use crate::store::{Pressure, Pushed, Refused, Removed, Store};
use crate::symbolicate::SourceMaps;
use crate::symbolicate::explain::is_explainable;
use crate::test_runs::TestRuns;

/// The push function of a plain kind.
macro_rules! push_to_session {
    (plain, $push:ident, $entry:ident) => {
        /// Stores an entry. `bytes` is its serialized size.
        pub fn $push(
            &mut self,
            redacted: Redacted<crate::entry::$entry>,
            arrived: Timestamp,
            bytes: usize,
        ) -> Result<(), Refused> {
            self.store.$push(redacted, arrived, bytes)?;
            self.shed(limits::CI_BUFFER_BYTES);
            Ok(())
        }
    };
    ($how:ident, $push:ident, $entry:ident) => {};
}

macro_rules! push_with {
    (undated, $session:ident.$push:ident, $entry:ident, $arrived:ident, $bytes:ident) => {
        $session.$push($entry, $bytes)
    };
    ($how:ident, $session:ident.$push:ident, $entry:ident, $arrived:ident, $bytes:ident) => {
        $session.$push($entry, $arrived, $bytes)
    };
}

macro_rules! define_pushes {
    ($(
        $(#[$meta:meta])*
        $kind:ident = $name:literal, $entry:ident, $buffer:ident: $room:ident($($size:ident),*), $how:ident $push:ident, $($batch:ident)::+, $path:literal;
    )*) => {
        impl Session {
            $(push_to_session!($how, $push, $entry);)*

            fn push_item(&mut self, item: Item, arrived: Timestamp, bytes: usize) -> Result<(), Refused> {
                let session = self;
                match item {
                    $(Item::$kind(entry) => push_with!($how, session.$push, entry, arrived, bytes),)*
                }
            }
        }
    };
}

for_each_kind!(define_pushes);

/// Everything that one server knows about the recent past.
#[derive(Debug)]
pub struct Session {
    /// The buffers.
    pub store: Store,
    /// Test records. Clearing the buffers leaves them alone: results of a test are asked for after its entries are
    /// gone.
    pub tests: TestRuns,
    /// When pages received new code.
    pub code_changes: CodeChanges,
    /// Rules for entries that do not concern the developer.
    pub noise: NoiseRules,
    /// The contracts of endpoints. They outlive the bodies they were learned from.
    pub contracts: Contracts,
    source_maps: SourceMaps,
    /// Errors that arrived, or whose source map arrived, since they were last symbolicated.
    unsymbolicated: Vec<u64>,
}

impl Session {
    /// An empty session. Ids of its entries carry `run`, the tag of this run.
    pub fn new(run: &str) -> Self {
        Self::with_store(Store::new(run))
    }

    /// The same with the limits of each kind for each test, so that one worker's entries take no room from another's.
    /// All tests together are bounded, too.
    pub fn per_test(run: &str) -> Self {
        Self::with_store(Store::per_test(run))
    }

    fn with_store(store: Store) -> Self {
        Self {
            store,
            tests: TestRuns::default(),
            code_changes: CodeChanges::default(),
            noise: NoiseRules::default(),
            contracts: Contracts::default(),
            source_maps: SourceMaps::default(),
            unsymbolicated: Vec::new(),
        }
    }

    /// Stores an entry and returns its JSON text.
    pub fn add(&mut self, prepared: Prepared, arrived: Timestamp) -> Result<Vec<u8>, Refused> {
        let Prepared { item, call, text } = prepared;
        let bytes = text.len();
        match item {
            // Read before the session was locked.
            Item::NetworkBodies(entry) => self.push_call(entry, call, arrived, bytes),
            other => self.push_item(other, arrived, bytes),
        }?;
        Ok(text)
    }

    /// Stores a log entry, or merges it into the entry that it patches. `bytes` is its serialized size.
    pub fn push_log(&mut self, redacted: Redacted<Log>, arrived: Timestamp, bytes: usize) -> Result<(), Refused> {
        match self.store.push_log(redacted, arrived, bytes)? {
            Pushed::Amended(cursor) => self.unsymbolicated.push(cursor),
            Pushed::Added(cursor) => self.learn_from_log(cursor),
        }
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    fn learn_from_log(&mut self, cursor: u64) {
        let Some(stored) = self.store.logs.find(cursor) else { return };
        let entry = &stored.entry;
        let time = entry.at;
        self.code_changes.note_page(entry.tab_id, entry.page_id.as_deref(), entry.url.as_deref(), time);
        if entry.kind == LogKind::Console
            && let Some(update) = hot_update::of_console(&entry.message)
        {
            self.code_changes.note_line(entry.tab_id, time, update);
        }
        if is_explainable(entry) {
            self.unsymbolicated.push(cursor);
        }
    }

    /// Stores a socket event. `bytes` is its serialized size.
    pub fn push_websocket(
        &mut self,
        redacted: Redacted<SocketEvent>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        let event = redacted.entry();
        let is_incoming = event.direction == Some(Direction::Incoming);
        let update = event.data.as_deref().filter(|_| is_incoming).and_then(hot_update::of_socket);
        let (tab, time) = (event.tab_id, event.at);
        self.store.push_websocket(redacted, arrived, bytes)?;
        if let Some(update) = update {
            self.code_changes.note_update(tab, time, update);
        }
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    /// Stores a request. `bytes` is its serialized size.
    pub fn push_network(
        &mut self,
        redacted: Redacted<Request>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        let call = Call::from_request(redacted.entry());
        self.push_call(redacted, call, arrived, bytes)
    }

    /// The same, with what the endpoint's contract needs already read, outside of the session's lock.
    fn push_call(
        &mut self,
        redacted: Redacted<Request>,
        call: Option<Call>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        self.store.push_network(redacted, arrived, bytes)?;
        let cursor = self.store.cursor();
        if let Some(stored) = self.store.network.find(cursor) {
            let entry = &stored.entry;
            let began = entry.at;
            self.code_changes.note_page(entry.tab_id, entry.page_id.as_deref(), entry.page_url.as_deref(), began);
            if let Some(call) = call {
                self.contracts.learn(call, entry.response_body.as_deref(), cursor, began);
            }
        }
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    /// Stores a page load. `bytes` is its serialized size.
    pub fn push_performance(&mut self, redacted: Redacted<PageLoad>, bytes: usize) -> Result<(), Refused> {
        self.store.push_performance(redacted, bytes)?;
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    /// Evicts whole tests, the longest silent first, until all entries take at most `most` bytes.
    pub fn shed(&mut self, most: usize) {
        while let Some(removed) = self.store.shed(most) {
            self.note_removed(removed);
        }
    }

    fn note_removed(&mut self, removed: Removed) {
        for (test_id, entries) in removed.of_tests {
            self.tests.note_removed(&test_id, entries);
        }
    }

    /// Forgets what is kept only for a limited time.
    pub fn forget(&mut self, now: Timestamp) {
        self.store.forget(now);
    }

    /// Sets the stage of memory pressure. Entering the last stage empties all buffers.
    pub fn set_pressure(&mut self, pressure: Pressure) {
        if pressure != Pressure::Normal {
            // Source maps can be uploaded again.
            self.source_maps.clear();
        }
        self.store.set_pressure(pressure);
    }

    /// Empties the buffers of every kind, or removes what belongs to one test. Returns how many entries were removed.
    pub fn clear(&mut self, test_id: Option<&str>, now: Timestamp) -> usize {
        let removed = self.store.clear(test_id, now);
        if test_id.is_none() {
            self.code_changes.clear();
        }
        let entries = removed.entries;
        self.note_removed(removed);
        entries
    }
}
