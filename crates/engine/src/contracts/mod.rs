//! Learns what an application's endpoints answer as responses arrive, and reports where an endpoint stopped doing so.
//! It keeps shapes, never values. The one exception is the last error's message, because an error has no shape.

mod answer;
mod brief;
mod call;
mod candidates;
mod endpoint;
mod excerpt;
mod learned;
mod shape;
mod tracker;

use std::collections::VecDeque;

use wire::{Timestamp, limits};

use crate::answer::fit::fit_list;
use crate::store::id::Ids;
use crate::text::shorten;

pub use answer::{Analysis, Broken, ContractReport, EndpointReport, How, Occurrences};
pub use call::Call;
pub(crate) use endpoint::{Endpoint, is_identifier, normalize_path};
pub use tracker::Severity;
use tracker::Tracker;

/// The endpoint that a request calls: `GET /users/:id`.
pub(crate) fn endpoint_name(request: &crate::entry::Request) -> String {
    Endpoint::from_request(request).name
}

/// Selects endpoints.
#[derive(Debug, Clone, Default)]
pub struct EndpointFilter {
    /// A part of the address or of the endpoint's name. Absent: all endpoints.
    pub only: Option<String>,
    /// Parts of addresses or names; endpoints that match one are left out.
    pub ignored: Vec<String>,
}

impl EndpointFilter {
    /// Whether it selects less than everything.
    pub fn is_set(&self) -> bool {
        self.only.is_some() || !self.ignored.is_empty()
    }

    fn admits(&self, tracker: &Tracker) -> bool {
        self.only.as_deref().is_none_or(|part| tracker.is_meant(part))
            && !self.ignored.iter().any(|part| tracker.is_meant(part))
    }
}

/// What was learned about each endpoint, the least recently called first.
#[derive(Debug, Default)]
pub struct Contracts {
    trackers: VecDeque<Tracker>,
    dropped: u64,
}

/// How much is known about the selected endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Endpoints that are followed.
    pub tracked: usize,
    /// Endpoints whose shape is established.
    pub established: usize,
    /// Successful responses whose JSON was not captured, or was cut.
    pub unread: u64,
}

impl Contracts {
    /// Learns from a call when it arrives, once for each call. `body` is its response as it is stored.
    pub fn learn(&mut self, call: Call, body: Option<&str>, cursor: u64, time: Timestamp) {
        let known = self.trackers.iter().position(|tracker| tracker.is_of(&call.endpoint));
        let known = known.and_then(|index| self.trackers.remove(index));
        if known.is_none() && !call.is_api {
            return;
        }
        let mut tracker = known.unwrap_or_else(|| Tracker::new(&call, time));
        tracker.learn(call, body, cursor, time);
        self.trackers.push_back(tracker);
        if self.trackers.len() > limits::API_ENDPOINTS {
            self.trackers.pop_front();
            self.dropped += 1;
        }
    }

    /// Forgets the selected endpoints and returns their number. Responses that are still buffered are not learned
    /// again.
    pub fn clear(&mut self, filter: &EndpointFilter) -> usize {
        let before = self.trackers.len();
        self.trackers.retain(|tracker| !filter.admits(tracker));
        if !filter.is_set() {
            self.dropped = 0;
        }
        before - self.trackers.len()
    }

    /// The number of endpoints.
    pub fn len(&self) -> usize {
        self.trackers.len()
    }

    /// Whether no endpoint is known.
    pub fn is_empty(&self) -> bool {
        self.trackers.is_empty()
    }

    /// How a response differs from the others of its endpoint: the endpoint, and each difference. Fields that the
    /// others lack break nothing and are not reported.
    pub fn oddities(&self, request: &crate::entry::Request) -> Vec<(String, String)> {
        let Some(call) = Call::from_request(request) else { return Vec::new() };
        let Some(tracker) = self.trackers.iter().find(|tracker| tracker.is_of(&call.endpoint)) else {
            return Vec::new();
        };
        tracker.oddities(&call).into_iter().map(|odd| (self.name_of(tracker), odd)).collect()
    }

    /// The endpoint's name, with its host where another host has the same path.
    fn name_of(&self, tracker: &Tracker) -> String {
        let is_shared = self.trackers.iter().any(|other| other.name == tracker.name && other.host != tracker.host);
        if is_shared { tracker.name_with_host() } else { tracker.name.clone() }
    }

    fn meant<'a>(&'a self, filter: &'a EndpointFilter) -> impl Iterator<Item = &'a Tracker> {
        self.trackers.iter().rev().filter(|tracker| filter.admits(tracker))
    }

    /// How much is known about the selected endpoints.
    pub fn coverage(&self, filter: &EndpointFilter) -> Coverage {
        Coverage {
            tracked: self.meant(filter).count(),
            established: self.meant(filter).filter(|tracker| tracker.is_established()).count(),
            unread: self.meant(filter).map(Tracker::unread).sum(),
        }
    }

    /// All violations, the worst and newest first.
    pub fn analyze(&self, filter: &EndpointFilter, ids: &Ids) -> Analysis {
        let mut violations: Vec<Broken> = Vec::new();
        let (mut clean, mut forgotten) = (0, 0);
        for tracker in self.meant(filter) {
            let found = tracker.violations(&self.name_of(tracker), ids);
            clean += usize::from(found.is_empty() && !tracker.is_learning());
            forgotten += tracker.forgotten_violations();
            violations.extend(found);
        }
        violations.sort_by_key(|broken| std::cmp::Reverse((broken.severity, broken.last)));
        let endpoints: Vec<String> = violations.iter().map(|broken| broken.endpoint.clone()).collect();
        let learning = self.meant(filter).filter(|tracker| tracker.is_learning()).count();
        let mut answer = Analysis {
            action: "analyzed",
            violations,
            tracked_endpoints: self.meant(filter).count(),
            total_requests_analyzed: self.meant(filter).map(|tracker| tracker.calls).sum(),
            clean_endpoints: clean,
            learning_endpoints: (learning > 0).then_some(learning),
            left_out_endpoints: None,
            violations_left_out: None,
            endpoints_forgotten: (self.dropped > 0).then_some(self.dropped),
        };
        let mut left_out = fit_list(&mut answer, |answer| &mut answer.violations, LIST_BYTES);
        if left_out > 0 {
            left_out += fit_list(&mut answer, |answer| &mut answer.violations, LIST_BYTES - LEFT_OUT_BYTES);
            let (shown, rest) = endpoints.split_at(endpoints.len().saturating_sub(left_out));
            answer.left_out_endpoints = Some(left_out_endpoints(shown, rest));
        }
        let left_out = left_out as u64 + forgotten;
        answer.violations_left_out = (left_out > 0).then_some(left_out);
        answer
    }

    /// Every endpoint, the latest called first.
    pub fn report(&self, filter: &EndpointFilter) -> ContractReport {
        let mut answer = ContractReport {
            action: "report",
            endpoints: self.meant(filter).map(|tracker| tracker.report(&self.name_of(tracker))).collect(),
            endpoints_left_out: None,
            endpoints_forgotten: (self.dropped > 0).then_some(self.dropped),
        };
        let left_out = fit_list(&mut answer, |answer| &mut answer.endpoints, LIST_BYTES) as u64;
        answer.endpoints_left_out = (left_out > 0).then_some(left_out);
        answer
    }
}

/// Each endpoint with violations that are not shown, first those with none shown; as many as there is room for.
fn left_out_endpoints(shown: &[String], rest: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut bytes = 0;
    let (partly, wholly): (Vec<&String>, Vec<&String>) = rest.iter().partition(|name| shown.contains(name));
    for name in wholly.into_iter().chain(partly).map(|name| shorten(name, LEFT_OUT_CHARS)) {
        if names.contains(&name) {
            continue;
        }
        bytes += name.len() + 3;
        if bytes > LEFT_OUT_BYTES - 64 {
            break;
        }
        names.push(name);
    }
    names
}

/// Room for the names of endpoints with violations that are not shown.
const LEFT_OUT_BYTES: usize = 2_048;
const LEFT_OUT_CHARS: usize = 100;

/// Room for the list, beside what every answer carries.
const LIST_BYTES: usize = limits::ANSWER_BYTES - 1_024;
