//! What is known about one endpoint: its statuses, the shape of its responses, and how some of them broke it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use wire::{Timestamp, limits};

use super::answer::{Broken, EndpointReport, How, Occurrences};
use super::brief::{SHAPE_BYTES, bounded, listed, said};
use super::call::{Body, Call, Outcome};
use super::candidates::Candidates;
use super::endpoint::Endpoint;
use super::excerpt;
use super::learned::{Difference, Learned, WHOLE};
use super::shape::Shape;
use crate::store::id::{IdKind, Ids};

/// How bad a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Severity {
    /// Nothing that existing code reads has changed.
    Info,
    /// Existing code may fail on it.
    Warning,
    /// Existing code most likely fails on it.
    Critical,
}

/// A way to break a contract. `Violation::of` holds the rules for all of them.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    ShapeChange { missing: Vec<String>, seen: u64 },
    TypeChange { field: String, expected: &'static str, actual: &'static str },
    NewField { fields: BTreeMap<String, &'static str> },
    ArrayShapeChange { field: String, expected: Value, actual: Value },
    NullField { field: String, expected: &'static str },
}

impl Kind {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::ShapeChange { missing: own, .. }, Self::ShapeChange { missing, .. }) => own == missing,
            (Self::TypeChange { field: own, actual: now, .. }, Self::TypeChange { field, actual, .. }) => {
                own == field && now == actual
            }
            (Self::NewField { fields: own }, Self::NewField { fields }) => own.keys().eq(fields.keys()),
            (Self::ArrayShapeChange { field: own, .. }, Self::ArrayShapeChange { field, .. })
            | (Self::NullField { field: own, .. }, Self::NullField { field, .. }) => own == field,
            _ => false,
        }
    }

    /// The value in a response that broke it: the value of the unexpected type, or the new fields by name.
    fn sample(&self, body: &Value) -> Option<Value> {
        match self {
            Self::ShapeChange { .. } => None,
            Self::TypeChange { field, actual, .. } => excerpt::at_path(body, field, actual),
            Self::NullField { field, .. } => excerpt::at_path(body, field, "null"),
            Self::ArrayShapeChange { field, actual, .. } => excerpt::element_at(body, field, actual),
            Self::NewField { fields } => {
                let named = fields.iter().take(SAMPLES);
                let found = named.filter_map(|(path, kind)| Some((path.clone(), excerpt::at_path(body, path, kind)?)));
                let found: Map<String, Value> = found.collect();
                (!found.is_empty()).then_some(Value::Object(found))
            }
        }
    }

    fn severity(&self) -> Severity {
        match self {
            Self::ShapeChange { seen, .. } if *seen < limits::API_SHAPE_AGREEING => Severity::Info,
            Self::ShapeChange { .. } | Self::TypeChange { .. } | Self::ArrayShapeChange { .. } => Severity::Warning,
            Self::NewField { .. } | Self::NullField { .. } => Severity::Info,
        }
    }
}

/// New fields that are shown with a sample value.
const SAMPLES: usize = 3;

#[derive(Debug)]
struct Violation {
    kind: Kind,
    count: u64,
    /// The number of responses that kept the contract before it was first broken in this way.
    expected: u64,
    last: Timestamp,
    /// The latest request that broke it.
    cursor: u64,
    /// The shape of that response, unless it was a page.
    actual: Option<Arc<Value>>,
    /// The value that broke it, where there is one. Without credentials, like everything that is stored.
    sample: Option<Value>,
}

/// An endpoint's successes and failures: counted, because the history of statuses is bounded.
#[derive(Debug, Default)]
struct Fortune {
    successes: u64,
    last_success: u16,
    /// Failures since the last success.
    failures: u64,
    last_failure: u16,
    is_grave: bool,
}

impl Fortune {
    fn add(&mut self, status: u16, outcome: Outcome) {
        match outcome {
            Outcome::Success => {
                *self = Self { successes: self.successes + 1, last_success: status, ..Self::default() };
            }
            Outcome::Failure => {
                self.failures += 1;
                self.last_failure = status;
                self.is_grave |= status == 0 || status >= 500;
            }
            Outcome::Neither => {}
        }
    }
}

#[derive(Debug)]
pub(super) struct Tracker {
    pub(super) name: String,
    pub(super) host: String,
    method: String,
    address: String,
    pub(super) calls: u64,
    statuses: BTreeMap<u16, u64>,
    history: VecDeque<u16>,
    fortune: Fortune,
    /// Candidates while no shape is established.
    candidates: Candidates,
    /// The established shape.
    learned: Option<Learned>,
    matching: u64,
    compared: u64,
    unread: u64,
    first_seen: Timestamp,
    pub(super) last_called: Timestamp,
    violations: Vec<Violation>,
    forgotten_violations: u64,
    /// The request of the latest compared response: what that response broke is still broken.
    last_compared: u64,
    /// The last error and its message, without credentials.
    last_error: Option<(u64, Option<Value>)>,
}

impl Tracker {
    pub(super) fn new(call: &Call, time: Timestamp) -> Self {
        Self {
            name: call.endpoint.name.clone(),
            host: call.endpoint.host.clone(),
            method: call.endpoint.method.clone(),
            address: String::new(),
            calls: 0,
            statuses: BTreeMap::new(),
            history: VecDeque::new(),
            fortune: Fortune::default(),
            candidates: Candidates::default(),
            learned: None,
            matching: 0,
            compared: 0,
            unread: 0,
            first_seen: time,
            last_called: time,
            violations: Vec::new(),
            forgotten_violations: 0,
            last_compared: 0,
            last_error: None,
        }
    }

    pub(super) fn is_of(&self, endpoint: &Endpoint) -> bool {
        self.name == endpoint.name && self.host == endpoint.host
    }

    /// `GET api.example/users`: for paths that several hosts have.
    pub(super) fn name_with_host(&self) -> String {
        match self.name.split_once(' ') {
            Some((method, path)) => format!("{method} {}{path}", self.host),
            None => self.name.clone(),
        }
    }

    /// Learns from a call. `body` is the response as it is stored.
    pub(super) fn learn(&mut self, call: Call, body: Option<&str>, cursor: u64, time: Timestamp) {
        let outcome = call.outcome();
        self.calls += 1;
        self.last_called = self.last_called.max(time);
        self.address = call.endpoint.address;
        if self.statuses.len() < limits::API_STATUS_HISTORY || self.statuses.contains_key(&call.status) {
            *self.statuses.entry(call.status).or_default() += 1;
        }
        if self.history.len() >= limits::API_STATUS_HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(call.status);
        self.fortune.add(call.status, outcome);
        if outcome == Outcome::Failure {
            self.last_error = Some((cursor, body.and_then(excerpt::of_error)));
        }
        match (outcome, call.body) {
            (Outcome::Success, Body::Json(shape)) => self.compare(&shape, body, cursor, time),
            (Outcome::Success, Body::Unread) => self.unread += 1,
            (Outcome::Success, Body::Page) => self.meet_page(cursor, time),
            // A success by its status, but not a response of the shape.
            (Outcome::Failure, Body::Json(_)) if call.status < 300 => self.compared += 1,
            _ => {}
        }
    }

    pub(super) fn is_established(&self) -> bool {
        self.learned.is_some()
    }

    /// Whether too little is known to say that the endpoint is fine. An endpoint that never sends a body has no shape
    /// to wait for.
    pub(super) fn is_learning(&self) -> bool {
        let is_bare = self.candidates.best().is_none() && self.unread == 0;
        let is_known = self.is_established() || (is_bare && self.fortune.successes >= limits::API_SHAPE_AGREEING);
        !is_known
    }

    fn compare(&mut self, shape: &Shape, body: Option<&str>, cursor: u64, time: Timestamp) {
        self.compared += 1;
        self.last_compared = cursor;
        let Some(learned) = &mut self.learned else {
            if let Some((learned, agreeing)) = self.candidates.add(shape) {
                (self.learned, self.matching) = (Some(learned), agreeing);
            }
            return;
        };
        let differences = learned.differences(shape);
        if differences.is_empty() {
            learned.absorb(shape);
            self.matching += 1;
        } else {
            self.note(differences, Some(shape), body, cursor, time);
        }
    }

    /// How one response differs from the established shape, in few words.
    pub(super) fn oddities(&self, call: &Call) -> Vec<String> {
        let (Some(learned), Outcome::Success, Body::Json(shape)) = (&self.learned, call.outcome(), &call.body) else {
            return Vec::new();
        };
        let told = kinds(learned.differences(shape)).into_iter().filter_map(|kind| match kind {
            Kind::ShapeChange { missing, seen } => {
                let names = said(missing.iter().map(String::as_str));
                Some(format!("lacks {names}, which {seen} other answers had"))
            }
            Kind::TypeChange { field, expected, actual } => Some(format!("'{field}' is {actual}, not {expected}")),
            Kind::NullField { field, expected } => Some(format!("'{field}' is null, not {expected}")),
            Kind::ArrayShapeChange { field, .. } => Some(format!("the elements of '{field}' look different")),
            Kind::NewField { .. } => None,
        });
        told.collect()
    }

    /// An HTML page instead of JSON breaks every shape.
    fn meet_page(&mut self, cursor: u64, time: Timestamp) {
        let Some(expected) = self.learned.as_ref().map(Learned::type_name) else { return };
        self.last_compared = cursor;
        let difference = Difference::Type { path: WHOLE.to_owned(), expected, actual: "html" };
        self.note(vec![difference], None, None, cursor, time);
    }

    fn note(
        &mut self,
        differences: Vec<Difference>,
        shape: Option<&Shape>,
        body: Option<&str>,
        cursor: u64,
        time: Timestamp,
    ) {
        let body: Option<Value> = body.and_then(|body| serde_json::from_str(body).ok());
        let actual = shape.map(|shape| Arc::new(kept(&shape.to_json())));
        for kind in kinds(differences) {
            let sample = body.as_ref().and_then(|body| kind.sample(body));
            if let Some(known) = self.violations.iter_mut().find(|known| known.kind.is_same(&kind)) {
                known.count += 1;
                (known.last, known.cursor, known.actual, known.sample) = (time, cursor, actual.clone(), sample);
                continue;
            }
            if self.violations.len() >= limits::API_VIOLATIONS {
                // A violation that has not happened for the longest time matters least.
                let oldest = self.violations.iter().enumerate().min_by_key(|(_, known)| known.cursor);
                if let Some(index) = oldest.map(|(index, _)| index) {
                    self.violations.remove(index);
                }
                self.forgotten_violations += 1;
            }
            let expected = self.matching;
            let actual = actual.clone();
            self.violations.push(Violation { kind, count: 1, expected, last: time, cursor, actual, sample });
        }
    }

    /// Whether a filter's part of an address, or of an endpoint's name, selects this endpoint.
    pub(super) fn is_meant(&self, part: &str) -> bool {
        let normalized = super::endpoint::normalize_path(part);
        let names = [&self.address, &self.name, &self.name_with_host()];
        [part, &normalized].iter().any(|part| names.iter().any(|name| name.contains(part)))
    }

    pub(super) fn forgotten_violations(&self) -> u64 {
        self.forgotten_violations
    }

    pub(super) fn unread(&self) -> u64 {
        self.unread
    }

    /// All violations of the endpoint.
    pub(super) fn violations(&self, name: &str, ids: &Ids) -> Vec<Broken> {
        let shapes = self.violations.iter().map(|violation| self.violation(violation, name, ids));
        self.error_spike(name, ids).into_iter().chain(shapes).collect()
    }

    fn violation(&self, violation: &Violation, endpoint: &str, ids: &Ids) -> Broken {
        let Violation { kind, count, expected, last, cursor, actual, sample } = violation;
        let is_current = *cursor == self.last_compared;
        let latest = if is_current { "the latest response" } else { "an earlier response" };
        let shown = |shape: &Value| bounded(shape, SHAPE_BYTES);
        let some = |left_out: usize| (left_out > 0).then_some(left_out);
        let (description, how) = match kind {
            Kind::ShapeChange { missing, seen } => {
                let (fields, was) = if missing.len() == 1 { ("field", "was") } else { ("fields", "were") };
                let names = said(missing.iter().map(String::as_str));
                let (listed, left_out) = listed(missing.iter().map(String::as_str));
                let how = How::ShapeChange {
                    expected_shape: self.learned.as_ref().map(|learned| shown(&learned.to_json())),
                    actual_shape: actual.as_deref().map(shown),
                    missing_fields: missing.iter().take(listed).cloned().collect(),
                    missing_fields_left_out: some(left_out),
                };
                let description = format!(
                    "Response shape changed: {fields} {names} {was} present in {seen} responses but missing in {latest}"
                );
                (description, how)
            }
            Kind::TypeChange { field, expected, actual } => (
                format!("Field '{field}' changed type from '{expected}' to '{actual}' in {latest}"),
                How::TypeChange { field: field.clone(), expected_type: expected, actual_type: actual },
            ),
            Kind::NewField { fields } => {
                let (listed, left_out) = listed(fields.keys().map(String::as_str));
                let names = said(fields.keys().map(String::as_str));
                let how = How::NewField {
                    new_fields: fields.iter().take(listed).map(|(name, kind)| (name.clone(), *kind)).collect(),
                    new_fields_left_out: some(left_out),
                };
                (format!("Not in the {expected} responses before: {names}, in {latest}"), how)
            }
            Kind::ArrayShapeChange { field, expected, actual } => (
                format!("Elements of '{field}' changed structure in {latest}"),
                How::ArrayShapeChange {
                    field: field.clone(),
                    expected_shape: shown(expected),
                    actual_shape: shown(actual),
                },
            ),
            Kind::NullField { field, expected } => (
                format!("Field '{field}' was never null before, and is in {latest}"),
                How::NullField { field: field.clone(), expected_type: expected },
            ),
        };
        Broken {
            endpoint: endpoint.to_owned(),
            how,
            severity: kind.severity(),
            description,
            sample_value: sample.clone(),
            still_so: Some(is_current),
            occurrences: Some(Occurrences {
                expected_count: *expected,
                violation_count: *count,
                first_seen: self.first_seen,
                last_violation: *last,
            }),
            request_id: Some(ids.format(IdKind::Network, *cursor)),
            last: *last,
        }
    }

    /// An endpoint that succeeded often enough to prove that it can, and has failed since.
    fn error_spike(&self, name: &str, ids: &Ids) -> Option<Broken> {
        let Fortune { successes, last_success, failures, last_failure, is_grave } = self.fortune;
        if failures == 0 || successes < limits::API_SHAPE_AGREEING {
            return None;
        }
        let how = match last_failure {
            0 => "no answer",
            1..300 => "errors in its answer",
            _ => "error",
        };
        let last = match failures {
            1 => "the last request".to_owned(),
            more => format!("the last {more} requests"),
        };
        let (cursor, said) = self.last_error.clone().unzip();
        Some(Broken {
            endpoint: name.to_owned(),
            how: How::ErrorSpike {
                status_history: self.history.iter().copied().collect(),
                last_error_body: said.flatten(),
            },
            severity: if is_grave { Severity::Critical } else { Severity::Warning },
            description: format!(
                "Endpoint returned success ({last_success}) {successes} times, then switched to {how} ({last_failure}) for {last}"
            ),
            sample_value: None,
            still_so: None,
            occurrences: None,
            request_id: cursor.map(|cursor| ids.format(IdKind::Network, cursor)),
            last: self.last_called,
        })
    }

    pub(super) fn report(&self, name: &str) -> EndpointReport {
        let best = self.candidates.best();
        let matching = best.map_or(self.matching, |(_, agreeing)| agreeing);
        let share = |matching: u64| (matching as f64 * 100.0 / self.compared as f64).round();
        EndpointReport {
            endpoint: name.to_owned(),
            method: self.method.clone(),
            call_count: self.calls,
            status_codes: self.statuses.clone(),
            established_shape: self.learned.as_ref().map(Learned::to_json),
            shape_so_far: best.map(|(learned, _)| learned.to_json()),
            learning: best
                .map(|(_, agreeing)| format!("{agreeing} of {} agreeing responses", limits::API_SHAPE_AGREEING)),
            consistency: (self.compared > 0).then(|| format!("{}%", share(matching))),
            not_compared: (self.unread > 0).then_some(self.unread),
            last_called: self.last_called,
        }
    }
}

/// A shape that will be shown later, if it is small enough to keep.
fn kept(shape: &Value) -> Value {
    bounded(shape, limits::API_KEPT_SHAPE_BYTES)
}

/// One response's differences, combined into as few violations as possible.
fn kinds(differences: Vec<Difference>) -> Vec<Kind> {
    let (mut missing, mut least, mut new, mut kinds) = (Vec::new(), u64::MAX, BTreeMap::new(), Vec::new());
    for difference in differences {
        match difference {
            Difference::Missing { path, seen } => {
                missing.push(path);
                least = least.min(seen);
            }
            Difference::New { path, kind } => {
                new.insert(path, kind);
            }
            Difference::Type { path: field, expected, actual } => {
                kinds.push(Kind::TypeChange { field, expected, actual });
            }
            Difference::Null { path: field, expected } => kinds.push(Kind::NullField { field, expected }),
            Difference::Element { path: field, expected, actual, later: _ } => {
                kinds.push(Kind::ArrayShapeChange { field, expected, actual });
            }
        }
    }
    if !missing.is_empty() {
        kinds.insert(0, Kind::ShapeChange { missing, seen: least });
    }
    if !new.is_empty() {
        kinds.push(Kind::NewField { fields: new });
    }
    kinds
}
