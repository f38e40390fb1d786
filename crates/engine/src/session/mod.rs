//! What pages did, and what was learned from it: the store, and above it everything that outlives or explains entries.
//!
//! Entries come in here alone: each is stored, and those who learn from it are shown it once.

mod symbolication;

use wire::{Timestamp, limits};

use crate::code_changes::{CodeChanges, hot_update};
use crate::contracts::{Call, Contracts};
use crate::entry::{Action, Direction, DomSnapshot, ExtensionLog, Log, LogKind, PageLoad, Request, SocketEvent};
use crate::intake::{Item, Prepared};
use crate::noise::NoiseRules;
use crate::redact::Redacted;
use crate::store::{Pressure, Pushed, Refused, Removed, Store};
use crate::symbolicate::SourceMaps;
use crate::symbolicate::explain::is_explainable;
use crate::test_runs::TestRuns;

#[derive(Debug)]
pub struct Session {
    pub store: Store,
    /// Clearing the buffers leaves it alone: what became of a test is asked for after its entries went.
    pub tests: TestRuns,
    pub code_changes: CodeChanges,
    pub noise: NoiseRules,
    /// What endpoints answer. Outlives the bodies it was learned from.
    pub contracts: Contracts,
    source_maps: SourceMaps,
    /// Errors that came, or that something came for, since they were last symbolicated.
    unsymbolicated: Vec<u64>,
}

impl Session {
    /// `run` is the tag that this run's ids carry.
    pub fn new(run: &str) -> Self {
        Self::with_store(Store::new(run))
    }

    /// The same with the limits of each kind for each test: what a worker sends takes no room from another's. All of them
    /// together are bounded too.
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

    /// Stores an entry and gives its text back.
    pub fn add(&mut self, prepared: Prepared, arrived: Timestamp) -> Result<Vec<u8>, Refused> {
        let Prepared { item, call, text } = prepared;
        let bytes = text.len();
        match item {
            Item::Logs(entry) => self.push_log(entry, arrived, bytes),
            Item::WebsocketEvents(entry) => self.push_websocket(entry, arrived, bytes),
            Item::NetworkBodies(entry) => self.push_call(entry, call, arrived, bytes),
            Item::EnhancedActions(entry) => self.push_action(entry, arrived, bytes),
            Item::DomSnapshots(entry) => self.push_dom_snapshot(entry, arrived, bytes),
            Item::Performance(entry) => self.push_performance(entry, bytes),
            Item::ExtensionLogs(entry) => self.push_extension_log(entry, arrived, bytes),
        }?;
        Ok(text)
    }

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

    pub fn push_network(
        &mut self,
        redacted: Redacted<Request>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        let call = Call::from_request(redacted.entry());
        self.push_call(redacted, call, arrived, bytes)
    }

    /// The same when what its endpoint's contract learns from it was read before, without holding the session.
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

    pub fn push_action(&mut self, redacted: Redacted<Action>, arrived: Timestamp, bytes: usize) -> Result<(), Refused> {
        self.store.push_action(redacted, arrived, bytes)?;
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    pub fn push_dom_snapshot(
        &mut self,
        redacted: Redacted<DomSnapshot>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        self.store.push_dom_snapshot(redacted, arrived, bytes)?;
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    pub fn push_extension_log(
        &mut self,
        redacted: Redacted<ExtensionLog>,
        arrived: Timestamp,
        bytes: usize,
    ) -> Result<(), Refused> {
        self.store.push_extension_log(redacted, arrived, bytes)?;
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    pub fn push_performance(&mut self, redacted: Redacted<PageLoad>, bytes: usize) -> Result<(), Refused> {
        self.store.push_performance(redacted, bytes)?;
        self.shed(limits::CI_BUFFER_BYTES);
        Ok(())
    }

    /// Evicts whole tests, those first that were silent for the longest, until all entries take at most `most` bytes.
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

    /// Forgets what is only kept for a while.
    pub fn forget(&mut self, now: Timestamp) {
        self.store.forget(now);
    }

    /// Enters or leaves a stage of memory pressure. Entering the last one empties all buffers.
    pub fn set_pressure(&mut self, pressure: Pressure) {
        if pressure != Pressure::Normal {
            // They can be had again.
            self.source_maps.clear();
        }
        self.store.set_pressure(pressure);
    }

    /// Empties every kind, or drops what belongs to one test. Returns how many entries went.
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
