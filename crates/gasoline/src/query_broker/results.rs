//! Results, kept for a minute for clients that fetch them by correlation id.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;
use wire::limits;
use wire::query::{PendingQuery, QueryError, QueryResult, QueryValue};

use crate::clock;

const KEPT_FOR: Duration = Duration::from_secs(limits::QUERY_RESULT_SECONDS);

/// A result as `/completed-results` returns it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Completed {
    pub(crate) correlation_id: String,
    #[serde(skip)]
    pub(crate) query_id: String,
    pub(crate) result: Option<QueryValue>,
    pub(crate) error: Option<QueryError>,
    pub(crate) expires_at: i64,
}

#[derive(Debug)]
struct Kept {
    completed: Completed,
    bytes: usize,
    until: Instant,
}

#[derive(Debug, Default)]
pub(super) struct Results {
    kept: VecDeque<Kept>,
}

impl Results {
    pub(super) fn keep(&mut self, query: &PendingQuery, result: &QueryResult, now: Instant) {
        let (result, error) = (result.result.clone(), result.error.clone());
        let bytes = result.as_ref().and_then(|value| value.value.as_ref()).map_or(0, |value| value.text().len());
        let completed = Completed {
            correlation_id: query.correlation_id.clone(),
            query_id: query.id.clone(),
            result,
            error,
            expires_at: expiry(),
        };
        self.kept.push_back(Kept { completed, bytes, until: now + KEPT_FOR });
        self.forget(now);
    }

    /// The same result again: returns the stored one and keeps it for another minute.
    pub(super) fn again(&mut self, result: &QueryResult, now: Instant) -> Option<Completed> {
        self.forget(now);
        let same = |kept: &&mut Kept| {
            result.query_id.as_deref() == Some(kept.completed.query_id.as_str())
                || result.correlation_id.as_deref() == Some(kept.completed.correlation_id.as_str())
        };
        let kept = self.kept.iter_mut().find(same)?;
        kept.until = now + KEPT_FOR;
        kept.completed.expires_at = expiry();
        Some(kept.completed.clone())
    }

    pub(super) fn get(&mut self, correlation_id: &str, now: Instant) -> Option<Completed> {
        self.forget(now);
        let kept = self.kept.iter().find(|kept| kept.completed.correlation_id == correlation_id)?;
        Some(kept.completed.clone())
    }

    fn forget(&mut self, now: Instant) {
        self.kept.retain(|kept| kept.until > now);
        while self.kept.len() > limits::QUERY_RESULTS
            || self.kept.iter().map(|kept| kept.bytes).sum::<usize>() > limits::QUERY_RESULTS_BYTES
        {
            self.kept.pop_front();
        }
    }
}

fn expiry() -> i64 {
    clock::now().millis() + KEPT_FOR.as_millis() as i64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn query(number: usize) -> PendingQuery {
        serde_json::from_value(json!({
            "id": format!("q-{number}"), "correlation_id": format!("dom_{number}"), "action": "query_dom",
            "timeout_ms": 10, "created_at": 0,
        }))
        .unwrap()
    }

    fn result(number: usize, value: &str) -> QueryResult {
        let result = json!({ "query_id": format!("q-{number}"), "result": { "success": true, "value": value } });
        serde_json::from_value(result).unwrap()
    }

    #[test]
    fn a_result_is_kept_for_a_minute_after_its_last_delivery() {
        let (mut results, start) = (Results::default(), Instant::now());
        results.keep(&query(1), &result(1, "a"), start);
        let nearly = KEPT_FOR - Duration::from_millis(1);
        assert!(results.get("dom_1", start + nearly).is_some());
        assert!(results.again(&result(1, "b"), start + nearly).is_some());
        assert!(results.get("dom_1", start + nearly + nearly).is_some());
        assert!(results.get("dom_1", start + nearly + KEPT_FOR).is_none());
    }

    #[test]
    fn results_are_bounded_in_number_and_size() {
        let (mut results, now) = (Results::default(), Instant::now());
        for number in 0..=limits::QUERY_RESULTS {
            results.keep(&query(number), &result(number, "a"), now);
        }
        assert!(results.get("dom_0", now).is_none());
        assert!(results.get("dom_1", now).is_some());
        let large = "x".repeat(limits::QUERY_RESULTS_BYTES / 2);
        for number in 100..102 {
            results.keep(&query(number), &result(number, &large), now);
        }
        assert!(results.get("dom_100", now).is_none(), "two results of half the limit do not fit with their quotes");
        assert!(results.get("dom_101", now).is_some());
    }
}
