//! The differences between two snapshots of the browser.

use std::collections::HashSet;

use wire::limits;

use super::answer::{
    Differences, ErrorDifferences, Listed, NetworkDifferences, SocketDifferences, StatusChange, Summary,
};
use super::calls::{Calls, Fate};
use super::doubts;
use super::issue::Issue;
use super::missing::Missing;
use super::observed::Observed;
use super::otherwise::{self, Otherwise};
use super::repetition::Between;
use super::snapshots::Window;
use super::verdict::DiffVerdict;
use super::{loads, sockets};

/// A duration that changed by less, or by a smaller share, means nothing.
const DURATION_MILLIS: f64 = 100.0;
const DURATION_SHARE: f64 = 0.5;

/// Two snapshots compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    /// The result in one word, and counts.
    pub summary: Summary,
    /// What may make the comparison wrong.
    pub warnings: Vec<String>,
    /// Whether the live side has neither errors nor requests.
    pub is_live_empty: bool,
    /// The time span of each side.
    pub windows: [Window; 2],
    /// Whether an error of the page itself is called resolved.
    pub(super) is_error_gone: bool,
    /// Issues that are absent from the second side and were not exercised.
    pub not_exercised: usize,
    /// All differences, before they are cut to the response budget.
    differences: Differences,
}

impl Diff {
    /// Compares side `a` with side `b`.
    pub fn between(a: &Observed, b: &Observed, between: &Between, windows: [Window; 2]) -> Self {
        let otherwise_of = |error: &Issue| Otherwise::find(error, a, b);
        let wrapping: HashSet<&str> = a
            .errors
            .iter()
            .filter_map(|error| match otherwise_of(error)? {
                Otherwise::Wrapped(now) => Some(now.key.as_str()),
                _ => None,
            })
            .collect();
        let is_new = |error: &&Issue| a.find_error(error).is_none() && !wrapping.contains(error.key.as_str());
        let new: Vec<&Issue> = b.errors.iter().filter(is_new).collect();
        let gone = a.errors.iter().filter(|error| b.find_error(error).is_none());
        // An error that is now caught and logged, or happens elsewhere, still happens.
        let (otherwise, gone): (Vec<&Issue>, Vec<&Issue>) = gone.partition(|error| otherwise_of(error).is_some());
        let (unproven, resolved): (Vec<&Issue>, Vec<&Issue>) =
            gone.into_iter().partition(|error| b.lost_errors || error.missing(&b.exercise, between).is_some());
        let unproven = unproven.into_iter().map(|error| {
            (error, error.missing(&b.exercise, between).as_ref().map(Missing::text).or_else(|| error.instruction()))
        });
        let unproven: Vec<_> = unproven.collect();
        let unchanged = b.errors.iter().filter(|error| a.find_error(error).is_some());
        let unchanged: Vec<&Issue> = unchanged.chain(otherwise.iter().copied()).collect();

        let brief = |calls: &[&Calls]| calls.iter().map(|call| call.brief()).collect::<Vec<_>>();
        let failed = |call: &Calls| call.failed.map_or(0, |(_, count)| count);
        let failed_in = |calls: &[Calls], key: &str| find(calls, key).is_some_and(|call| call.failed.is_some());
        let new_failures: Vec<&Calls> =
            b.endpoints.iter().filter(|call| call.failed.is_some() && !failed_in(&a.endpoints, &call.key)).collect();
        let mut resolved_failures: Vec<&Calls> = Vec::new();
        let mut uncalled: Vec<(&Calls, Missing)> = Vec::new();
        let mut warnings: Vec<String> = resolved.iter().flat_map(|error| error.doubts(&b.exercise, between)).collect();
        for error in &resolved {
            warnings.extend(otherwise::doubts(error, a, b));
            let similar = new.iter().find(|now| error.is_similar(now));
            warnings.extend(
                similar.map(|now| format!("{} came, and differs from {} in names alone", now.name(), error.name())),
            );
        }
        for call in a.endpoints.iter().filter(|call| call.failed.is_some()) {
            match call.fate(b) {
                Fate::Failing => {}
                Fate::Answered(more) => {
                    warnings.extend(more);
                    resolved_failures.push(call);
                }
                Fate::Unknown(missing) => uncalled.push((call, missing)),
            }
        }
        let still_failing: Vec<&Calls> =
            b.endpoints.iter().filter(|call| call.failed.is_some() && failed_in(&a.endpoints, &call.key)).collect();
        let listed = |errors: &[&Issue], requests: &[&Calls]| {
            let errors = errors.iter().map(|error| error.brief());
            errors.chain(requests.iter().map(|call| call.brief_failure())).collect::<Vec<_>>()
        };
        let not_exercised = not_exercised(&unproven, &uncalled);
        let errors = ErrorDifferences {
            new: listed(&new, &new_failures),
            resolved: listed(&resolved, &resolved_failures),
            unchanged: listed(&unchanged, &still_failing),
            not_exercised: Some(not_exercised).filter(|list| !list.is_empty()),
        };
        let status_changes = b.endpoints.iter().filter_map(|now| status_change(find(&a.endpoints, &now.key)?, now));
        let new_endpoints: Vec<&Calls> =
            b.endpoints.iter().filter(|call| find(&a.endpoints, &call.key).is_none()).collect();
        let missing: Vec<&Calls> = a.endpoints.iter().filter(|call| find(&b.endpoints, &call.key).is_none()).collect();
        let network = NetworkDifferences {
            new_errors: brief(&new_failures),
            status_changes: status_changes.collect(),
            new_endpoints: brief(&new_endpoints),
            missing_endpoints: brief(&missing),
        };

        let (performance, performance_regressions) = loads::figures(&a.loads, &b.loads);
        let count = |errors: &[&Issue]| errors.iter().map(|error| error.count).sum::<u64>();
        let resolved_count = resolved_failures.iter().map(|call| failed(call)).sum::<u64>();
        let mut warnings = doubts::bounded(warnings);
        if let left_out @ 1.. = a.left_out + b.left_out {
            warnings.push(format!(
                "{left_out} of the oldest errors and endpoints did not fit into a snapshot: they are not compared"
            ));
        }
        let came = otherwise.iter().filter_map(|error| Some((error, otherwise_of(error)?)));
        let came: Vec<_> =
            came.map(|(error, how)| format!("{} came as: {}", error.name(), how.text(&error.message))).collect();
        warnings.extend(doubts::bounded(came));
        Self {
            summary: Summary {
                verdict: DiffVerdict::from_counts(
                    resolved.len() + resolved_failures.len(),
                    new.len() + new_failures.len(),
                    performance_regressions,
                ),
                new_errors: count(&new),
                resolved_errors: count(&resolved) + resolved_count,
                performance_regressions,
                new_network_errors: new_failures.iter().map(|call| failed(call)).sum(),
            },
            warnings,
            is_live_empty: false,
            is_error_gone: !resolved.is_empty(),
            windows,
            not_exercised: unproven.len() + uncalled.len(),
            differences: Differences {
                errors,
                network,
                performance,
                websockets: SocketDifferences { connection_changes: sockets::changes(&a.sockets, &b.sockets) },
                left_out: None,
            },
        }
    }

    /// The differences, each list cut to the room of an answer.
    pub fn answer(&self) -> Differences {
        let mut shown = self.differences.clone();
        let mut left_out = Vec::new();
        let Differences { errors, network, .. } = &mut shown;
        bound("new", &mut errors.new, &mut left_out);
        bound("resolved", &mut errors.resolved, &mut left_out);
        bound("unchanged", &mut errors.unchanged, &mut left_out);
        if let Some(list) = &mut errors.not_exercised {
            bound("not_exercised", list, &mut left_out);
        }
        bound("new_errors", &mut network.new_errors, &mut left_out);
        bound("status_changes", &mut network.status_changes, &mut left_out);
        bound("new_endpoints", &mut network.new_endpoints, &mut left_out);
        bound("missing_endpoints", &mut network.missing_endpoints, &mut left_out);
        shown.left_out = (!left_out.is_empty()).then(|| left_out.into_iter().collect());
        shown
    }
}

fn bound<T>(name: &'static str, list: &mut Vec<T>, left_out: &mut Vec<(&'static str, usize)>) {
    if let more @ 1.. = list.len().saturating_sub(limits::COMPARISON_LIST) {
        left_out.push((name, more));
        list.truncate(limits::COMPARISON_LIST);
    }
}

/// Issues that are absent although nothing shows that they are resolved, each with what to repeat.
fn not_exercised(errors: &[(&Issue, Option<String>)], requests: &[(&Calls, Missing)]) -> Vec<Listed> {
    let errors = errors.iter().map(|(error, repeat)| Listed { repeat: repeat.clone(), ..error.brief() });
    let requests =
        requests.iter().map(|(call, missing)| Listed { repeat: Some(missing.text()), ..call.brief_failure() });
    errors.chain(requests).collect()
}

fn find<'c>(calls: &'c [Calls], key: &str) -> Option<&'c Calls> {
    calls.iter().find(|call| call.key == key)
}

/// An endpoint whose status changed, or that became much faster or slower.
fn status_change(was: &Calls, now: &Calls) -> Option<StatusChange> {
    let (before, after) = (was.status(), now.status());
    let duration_change = duration_change(was.duration, now.duration);
    (before != after || duration_change.is_some()).then(|| StatusChange {
        method: now.method.clone(),
        url: now.path().to_owned(),
        operation: now.operation.clone(),
        before,
        after,
        duration_change,
    })
}

fn duration_change(was: Option<f64>, now: Option<f64>) -> Option<String> {
    let (was, now) = (was?, now?);
    let change = now - was;
    let tells = change.abs() > DURATION_MILLIS && change.abs() > was * DURATION_SHARE;
    tells.then(|| format!("{:+}ms", change.round()))
}

#[cfg(test)]
mod tests {
    use super::duration_change;

    #[test]
    fn a_duration_counts_as_changed_beyond_both_bounds() {
        for (was, now, expected) in [
            (100.0, 440.0, Some("+340ms")),
            (440.0, 100.0, Some("-340ms")),
            (100.0, 200.0, None),
            (100.0, 201.0, Some("+101ms")),
            (1_000.0, 1_500.0, None),
            (1_000.0, 1_501.0, Some("+501ms")),
            (1_000.0, 500.0, None),
            (1_000.0, 499.0, Some("-501ms")),
            (0.0, 100.0, None),
            (0.0, 101.0, Some("+101ms")),
        ] {
            assert_eq!(duration_change(Some(was), Some(now)).as_deref(), expected, "{was} {now}");
        }
        assert_eq!(duration_change(None, Some(900.0)), None);
    }
}
