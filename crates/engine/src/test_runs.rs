//! The tests of a run: which are running now, and what is known of those that ran.

use std::collections::{HashSet, VecDeque};

use wire::{TestRecord, Timestamp, limits};

use crate::redact::Redacted;

/// What a record takes besides its texts.
const OVERHEAD_BYTES: usize = 512;

/// Records, the least recently told of first.
#[derive(Debug, Default)]
pub struct TestRuns {
    records: VecDeque<TestRecord>,
    /// Of the records, those that pages under test reported.
    by_pages: HashSet<String>,
    open: OpenTests,
    bytes: usize,
    dropped: u64,
    received: u64,
}

/// The tests that started and did not end.
#[derive(Debug, Clone, Default)]
pub struct OpenTests(Vec<Open>);

#[derive(Debug, Clone)]
struct Open {
    test_id: String,
    worker: Option<String>,
}

impl OpenTests {
    /// The test that an entry without a tag belongs to, if that is certain. What names its worker is that worker's, and
    /// never another's.
    pub fn test_of(&self, worker: Option<&str>) -> Option<&str> {
        let own = worker.and_then(|worker| self.0.iter().find(|open| open.worker.as_deref() == Some(worker)));
        let only = match self.0.as_slice() {
            [only] if worker.is_none() || only.worker.is_none() => Some(only),
            _ => None,
        };
        own.or(only).map(|open| open.test_id.as_str())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn close(&mut self, test_id: &str) {
        self.0.retain(|open| open.test_id != test_id);
    }
}

impl TestRuns {
    /// Whether a page under test may report on this test: one that nobody else reported, on a worker that runs none of
    /// those.
    pub fn is_free_for_pages(&self, record: &TestRecord) -> bool {
        let is_own = |test_id: &str| self.by_pages.contains(test_id);
        let of_others = |open: &Open| open.worker == record.worker && !is_own(&open.test_id);
        (is_own(&record.test_id) || self.find(&record.test_id).is_none())
            && (record.worker.is_none() || !self.open.0.iter().any(of_others))
    }

    /// What comes next about this test comes from a page under test.
    pub fn claim_for_pages(&mut self, test_id: &str) {
        self.by_pages.insert(test_id.to_owned());
    }

    /// A test starts. One that runs already, or ran before, starts anew: nothing of what became of it then holds.
    pub fn start(&mut self, record: Redacted<TestRecord>, now: Timestamp) {
        let (record, _) = record.into_parts();
        self.take_out(&record.test_id);
        self.open.close(&record.test_id);
        // A worker runs one test at a time: one that it did not end was lost.
        if record.worker.is_some() {
            self.open.0.retain(|open| open.worker != record.worker);
        }
        self.open.0.push(Open { test_id: record.test_id.clone(), worker: record.worker.clone() });
        self.received += 1;
        self.keep(TestRecord { started: Some(now), ended: None, entries_removed: None, ..record });
    }

    /// A test ends. One whose start nobody told of is known from now on: what became of it matters more than when it
    /// began.
    pub fn end(&mut self, record: Redacted<TestRecord>, now: Timestamp) {
        let (record, _) = record.into_parts();
        self.open.close(&record.test_id);
        let known = self.take_out(&record.test_id);
        self.received += u64::from(known.is_none());
        let started = known.as_ref().and_then(|known| known.started);
        let whole = merged(known.unwrap_or_default(), record);
        self.keep(TestRecord { started, ended: Some(now), ..whole });
    }

    /// Entries of a test were cleared or evicted: a report must not say that there were none.
    pub fn note_removed(&mut self, test_id: &str, entries: usize) {
        let record = self.records.iter_mut().rev().find(|known| known.test_id == test_id);
        if let Some(record) = record.filter(|_| entries > 0) {
            record.entries_removed = Some(record.entries_removed.unwrap_or(0) + entries as u64);
        }
    }

    fn keep(&mut self, record: TestRecord) {
        self.bytes += size(&record);
        self.records.push_back(record);
        while self.records.len() > limits::TEST_RECORDS || self.bytes > limits::TEST_RECORD_BYTES {
            let Some(oldest) = self.records.pop_front() else { break };
            self.bytes -= size(&oldest);
            self.dropped += 1;
            self.open.close(&oldest.test_id);
            self.by_pages.remove(&oldest.test_id);
        }
    }

    fn take_out(&mut self, test_id: &str) -> Option<TestRecord> {
        let place = self.records.iter().rposition(|known| known.test_id == test_id)?;
        let record = self.records.remove(place)?;
        self.bytes -= size(&record);
        Some(record)
    }

    pub fn open(&self) -> &OpenTests {
        &self.open
    }

    pub fn find(&self, test_id: &str) -> Option<&TestRecord> {
        self.records.iter().rfind(|known| known.test_id == test_id)
    }

    /// In the order in which something was last heard of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &TestRecord> + ExactSizeIterator {
        self.records.iter()
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    pub fn received(&self) -> u64 {
        self.received
    }
}

fn size(record: &TestRecord) -> usize {
    let TestRecord { test_id, title, file, project, shard, worker, error, location, .. } = record;
    let texts = [title, file, project, shard, worker, error, location];
    OVERHEAD_BYTES + test_id.len() + texts.into_iter().flatten().map(String::len).sum::<usize>()
}

/// What is told last wins; what it leaves out stays.
fn merged(known: TestRecord, told: TestRecord) -> TestRecord {
    TestRecord {
        test_id: told.test_id,
        title: told.title.or(known.title),
        file: told.file.or(known.file),
        line: told.line.or(known.line),
        project: told.project.or(known.project),
        retry: told.retry.or(known.retry),
        repeat: told.repeat.or(known.repeat),
        shard: told.shard.or(known.shard),
        worker: told.worker.or(known.worker),
        status: told.status.or(known.status),
        expected_status: told.expected_status.or(known.expected_status),
        duration_ms: told.duration_ms.or(known.duration_ms),
        error: told.error.or(known.error),
        location: told.location.or(known.location),
        started: told.started.or(known.started),
        ended: told.ended.or(known.ended),
        entries_removed: known.entries_removed,
    }
}
