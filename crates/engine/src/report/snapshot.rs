//! The input of a report: everything captured, from a server or from saved files, grouped by test.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::Timestamp;
use wire::snapshot::OddAnswer;
use wire::test_run::TestRecord;

use crate::entry::{Action, Arrival, DomSnapshot, Entry, Log, Parse, Request, SocketEvent};
use crate::redact::Redactor;
use crate::session::Session;
use crate::store::Filter;
use crate::store::Store;
use crate::store::{Refused, Ring};

/// The answer of `/snapshot`, parsed.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// When it was made.
    pub timestamp: Option<Timestamp>,
    /// The test that all entries belong to, unless an entry names another.
    pub test_id: Option<String>,
    /// What test runners reported about the tests.
    pub tests: Vec<TestRecord>,
    /// Console lines and errors.
    pub logs: Vec<Log>,
    /// Socket events.
    pub websocket_events: Vec<SocketEvent>,
    /// Requests, with their bodies if those were captured.
    pub network_bodies: Vec<Request>,
    /// Actions of the user or the test.
    pub enhanced_actions: Vec<Action>,
    /// What the pages showed.
    pub dom_snapshots: Vec<DomSnapshot>,
    /// Responses that differ from the endpoint's other responses.
    pub odd_answers: Vec<OddAnswer>,
    /// How many entries could not be parsed.
    pub unreadable: usize,
}

impl Snapshot {
    /// Everything in a session's store that the filter admits.
    pub fn of_store(session: &Session, filter: &Filter, tests: Vec<TestRecord>) -> Self {
        fn entries<T: Entry + Clone>(ring: &Ring<T>, filter: &Filter) -> Vec<T> {
            ring.iter().filter(|stored| filter.admits(stored)).map(|stored| stored.entry.clone()).collect()
        }
        Self {
            timestamp: None,
            test_id: filter.test_id.clone(),
            tests,
            logs: entries(&session.store.logs, filter),
            websocket_events: entries(&session.store.websocket, filter),
            // A parsed entry has no arrival that would show whether its time is that of its end.
            network_bodies: session
                .store
                .network
                .iter()
                .filter(|stored| filter.admits(stored))
                .map(|stored| Request { at: stored.began(), ..stored.entry.clone() })
                .collect(),
            enhanced_actions: entries(&session.store.actions, filter),
            dom_snapshots: entries(&session.store.dom_snapshots, filter),
            odd_answers: odd_answers(session, filter),
            unreadable: 0,
        }
    }

    /// Parses a saved snapshot. A file that is not one is refused with the reason; single invalid entries are counted.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut value: Value = serde_json::from_str(text).map_err(|error| format!("not valid JSON: {error}"))?;
        if let Value::Object(fields) = &mut value {
            // Absent and null mean the same, as everywhere.
            fields.retain(|_, field| !field.is_null());
        }
        let saved: Saved = serde_json::from_value(value)
            .map_err(|error| format!("not a snapshot ({error}); save what /snapshot answers"))?;
        let mut unreadable = 0;
        let arrival = Arrival::at(saved.timestamp.unwrap_or_default());
        // Their `id` is the entry's; on input, `id` is another name of the connection.
        let events = saved.websocket_events.into_iter().map(|mut event| {
            if let Value::Object(fields) = &mut event
                && fields.contains_key("connection_id")
            {
                fields.remove("id");
            }
            event
        });
        Ok(Self {
            timestamp: saved.timestamp,
            test_id: saved.test_id,
            tests: read_all(saved.tests.into_iter().flatten().chain(saved.test), &mut unreadable),
            logs: entries(saved.logs.into_iter(), arrival, &mut unreadable),
            websocket_events: entries(events, arrival, &mut unreadable),
            network_bodies: entries(saved.network_bodies.into_iter(), arrival, &mut unreadable),
            enhanced_actions: entries(saved.enhanced_actions.into_iter(), arrival, &mut unreadable),
            dom_snapshots: entries(saved.dom_snapshots.into_iter(), arrival, &mut unreadable),
            odd_answers: read_all(saved.odd_answers.into_iter(), &mut unreadable),
            unreadable,
        })
    }
}

/// A snapshot file whose entries are not parsed yet: each may turn out to be invalid.
type Saved = wire::Snapshot<Vec<Value>, Vec<Value>, Vec<Value>, Vec<Value>, Vec<Value>, Value, Vec<Value>>;

/// The valid entries among these values; the others are counted.
fn entries<T: Parse>(values: impl Iterator<Item = Value>, arrival: Arrival<'_>, unreadable: &mut usize) -> Vec<T> {
    known(values.map(|value| T::from_json(value, arrival)), unreadable)
}

fn read_all<T: DeserializeOwned>(values: impl Iterator<Item = Value>, unreadable: &mut usize) -> Vec<T> {
    known(values.map(serde_json::from_value), unreadable)
}

fn known<T, E>(read: impl Iterator<Item = Result<T, E>>, unreadable: &mut usize) -> Vec<T> {
    let known = read.filter_map(|one| {
        *unreadable += usize::from(one.is_err());
        one.ok()
    });
    known.collect()
}

/// The responses of a test that differ from earlier and later ones of the same endpoints.
pub fn odd_answers(session: &Session, filter: &Filter) -> Vec<OddAnswer> {
    let requests = session.store.network.iter().filter(|stored| filter.admits(stored));
    requests
        .flat_map(|stored| {
            let odd = session.contracts.oddities(&stored.entry).into_iter();
            odd.map(|(endpoint, description)| OddAnswer {
                endpoint,
                description,
                test_id: stored.entry.test_id.clone(),
            })
        })
        .collect()
}

/// One attempt at a test, or everything that happened outside of tests.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) record: TestRecord,
    pub(super) session: Session,
    pub(super) odd_answers: Vec<OddAnswer>,
}

impl Run {
    /// `None` for what happened outside of tests.
    pub(super) fn test_id(&self) -> Option<&str> {
        Some(self.record.test_id.as_str()).filter(|id| !id.is_empty())
    }

    /// How many entries were captured during this test.
    pub(super) fn entries(&self) -> usize {
        let Store { logs, network, websocket, actions, dom_snapshots, .. } = &self.session.store;
        logs.len() + network.len() + websocket.len() + actions.len() + dom_snapshots.len()
    }

    /// Entries of this test that the server removed.
    pub(super) fn removed(&self) -> u64 {
        self.record.entries_removed.unwrap_or(0)
    }
}

/// Every known attempt, in the order in which they began. Texts are redacted once more, because files may come from
/// anywhere.
pub(super) fn runs(snapshots: Vec<Snapshot>, redactor: &Redactor) -> Vec<Run> {
    let mut runs = Runs { runs: Vec::new(), of_test: HashMap::new(), redactor };
    for snapshot in snapshots {
        let fallback = snapshot.timestamp.unwrap_or_default();
        // In a file about one test, all entries belong to that test.
        let only = match snapshot.tests.as_slice() {
            [only] => Some(only.test_id.clone()).filter(|id| !id.is_empty()).or_else(|| only.title.clone()),
            _ => None,
        };
        let own = snapshot.test_id.or(only).map(|id| redactor.text(&id));
        for record in snapshot.tests {
            runs.record(record);
        }
        runs.fill(snapshot.logs, own.as_deref(), fallback, Session::push_log);
        runs.fill(snapshot.websocket_events, own.as_deref(), fallback, Session::push_websocket);
        runs.fill(snapshot.network_bodies, own.as_deref(), fallback, Session::push_network);
        runs.fill(snapshot.enhanced_actions, own.as_deref(), fallback, Session::push_action);
        runs.fill(snapshot.dom_snapshots, own.as_deref(), fallback, Session::push_dom_snapshot);
        for odd in snapshot.odd_answers {
            let test = odd.test_id.clone().or_else(|| own.clone());
            runs.run_of(test.as_deref()).odd_answers.push(odd);
        }
    }
    runs.runs
}

struct Runs<'r> {
    runs: Vec<Run>,
    of_test: HashMap<Option<String>, usize>,
    redactor: &'r Redactor,
}

impl Runs<'_> {
    fn run_of(&mut self, test_id: Option<&str>) -> &mut Run {
        let index = match self.of_test.get(&test_id.map(str::to_owned)) {
            Some(index) => *index,
            None => {
                self.of_test.insert(test_id.map(str::to_owned), self.runs.len());
                let record = TestRecord { test_id: test_id.unwrap_or_default().to_owned(), ..TestRecord::default() };
                self.runs.push(Run { record, session: Session::new("r"), odd_answers: Vec::new() });
                self.runs.len() - 1
            }
        };
        #[allow(clippy::indexing_slicing, reason = "the index was just made, or found in the map of this list")]
        &mut self.runs[index]
    }

    fn record(&mut self, record: TestRecord) {
        let (mut record, _) = self.redactor.redact(record).into_parts();
        // A test without an id is a test all the same.
        if record.test_id.is_empty() {
            record.test_id = record.title.clone().unwrap_or_else(|| "a test without a name".to_owned());
        }
        let test_id = Some(record.test_id.clone()).filter(|id| !id.is_empty());
        self.run_of(test_id.as_deref()).record = record;
    }

    fn fill<T: Parse>(
        &mut self,
        entries: Vec<T>,
        own: Option<&str>,
        fallback: Timestamp,
        push: impl Fn(&mut Session, crate::Redacted<T>, Timestamp, usize) -> Result<(), Refused>,
    ) {
        for entry in entries {
            let redacted = self.redactor.redact(entry);
            let test = redacted.entry().test_id().or(own).map(str::to_owned);
            let _ = push(&mut self.run_of(test.as_deref()).session, redacted, fallback, 0);
        }
    }
}
