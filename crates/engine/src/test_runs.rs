//! The tests of a run: those that are running now, and the records of those that ran.

use std::collections::{HashSet, VecDeque};

use wire::{TestRecord, Timestamp, limits};

use crate::redact::Redacted;

/// Memory of a record besides its texts.
const OVERHEAD_BYTES: usize = 512;

/// The records of tests, the least recently updated first.
#[derive(Debug, Default)]
pub struct TestRuns {
    records: VecDeque<TestRecord>,
    /// Ids of the records that pages under test reported.
    by_pages: HashSet<String>,
    open: OpenTests,
    bytes: usize,
    dropped: u64,
    received: u64,
}

/// The tests that have started and not ended.
#[derive(Debug, Clone, Default)]
pub struct OpenTests(Vec<Open>);

#[derive(Debug, Clone)]
struct Open {
    test_id: String,
    worker: Option<String>,
}

impl OpenTests {
    /// The test that an untagged entry belongs to, if there is exactly one candidate. An entry that names its worker
    /// can only belong to that worker's test.
    pub fn test_of(&self, worker: Option<&str>) -> Option<&str> {
        let own = worker.and_then(|worker| self.0.iter().find(|open| open.worker.as_deref() == Some(worker)));
        let only = match self.0.as_slice() {
            [only] if worker.is_none() || only.worker.is_none() => Some(only),
            _ => None,
        };
        own.or(only).map(|open| open.test_id.as_str())
    }

    /// Whether no test is running.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many tests are running.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn close(&mut self, test_id: &str) {
        self.0.retain(|open| open.test_id != test_id);
    }
}

impl TestRuns {
    /// Whether a page under test may report this test: no runner reported it, and its worker runs no test that a runner
    /// reported.
    pub fn is_free_for_pages(&self, record: &TestRecord) -> bool {
        let is_own = |test_id: &str| self.by_pages.contains(test_id);
        let of_others = |open: &Open| open.worker == record.worker && !is_own(&open.test_id);
        (is_own(&record.test_id) || self.find(&record.test_id).is_none())
            && (record.worker.is_none() || !self.open.0.iter().any(of_others))
    }

    /// Marks the test: its next report comes from a page under test.
    pub fn claim_for_pages(&mut self, test_id: &str) {
        self.by_pages.insert(test_id.to_owned());
    }

    /// Starts a test. A test that is running or ran before starts again, without its earlier result.
    pub fn start(&mut self, record: Redacted<TestRecord>, now: Timestamp) {
        let (record, _) = record.into_parts();
        self.take_out(&record.test_id);
        self.open.close(&record.test_id);
        // A worker runs one test at a time: an earlier test that it did not end was lost.
        if record.worker.is_some() {
            self.open.0.retain(|open| open.worker != record.worker);
        }
        self.open.0.push(Open { test_id: record.test_id.clone(), worker: record.worker.clone() });
        self.received += 1;
        self.keep(TestRecord { started: Some(now), ended: None, entries_removed: None, ..record });
    }

    /// Ends a test. A test whose start was not reported is recorded now: its result matters more than its start.
    pub fn end(&mut self, record: Redacted<TestRecord>, now: Timestamp) {
        let (record, _) = record.into_parts();
        self.open.close(&record.test_id);
        let known = self.take_out(&record.test_id);
        self.received += u64::from(known.is_none());
        let started = known.as_ref().and_then(|known| known.started);
        let whole = merged(known.unwrap_or_default(), record);
        self.keep(TestRecord { started, ended: Some(now), ..whole });
    }

    /// Records that entries of a test were cleared or evicted: a report must not claim that there were none.
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

    /// The tests that are running.
    pub fn open(&self) -> &OpenTests {
        &self.open
    }

    /// The record of a test.
    pub fn find(&self, test_id: &str) -> Option<&TestRecord> {
        self.records.iter().rfind(|known| known.test_id == test_id)
    }

    /// All records, the least recently updated first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &TestRecord> + ExactSizeIterator {
        self.records.iter()
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Memory that the records take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many records were evicted to make room.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// How many records were ever added.
    pub fn received(&self) -> u64 {
        self.received
    }
}

fn size(record: &TestRecord) -> usize {
    let TestRecord { test_id, title, file, project, shard, worker, error, location, .. } = record;
    let texts = [title, file, project, shard, worker, error, location];
    OVERHEAD_BYTES + test_id.len() + texts.into_iter().flatten().map(String::len).sum::<usize>()
}

/// The later report wins; fields that it leaves out stay.
fn merged(known: TestRecord, news: TestRecord) -> TestRecord {
    TestRecord {
        test_id: news.test_id,
        title: news.title.or(known.title),
        file: news.file.or(known.file),
        line: news.line.or(known.line),
        project: news.project.or(known.project),
        retry: news.retry.or(known.retry),
        repeat: news.repeat.or(known.repeat),
        shard: news.shard.or(known.shard),
        worker: news.worker.or(known.worker),
        status: news.status.or(known.status),
        expected_status: news.expected_status.or(known.expected_status),
        duration_ms: news.duration_ms.or(known.duration_ms),
        error: news.error.or(known.error),
        location: news.location.or(known.location),
        started: news.started.or(known.started),
        ended: news.ended.or(known.ended),
        entries_removed: known.entries_removed,
    }
}
