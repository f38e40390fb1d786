//! Answers, kept for a minute for those who fetch them by their correlation id.

use std::collections::VecDeque;
use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;
use wire::limits;
use wire::query::{PendingQuery, QueryError, QueryResult, QueryValue};

use crate::clock;

const KEPT_FOR: Duration = Duration::from_secs(limits::QUERY_RESULT_SECONDS);

/// An answer as `/completed-results` shows it.
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
    pub(super) fn keep(&mut self, query: &PendingQuery, result: &QueryResult) {
        let (result, error) = (result.result.clone(), result.error.clone());
        let bytes = result.as_ref().and_then(|value| value.value.as_ref()).map_or(0, |value| value.text().len());
        let completed = Completed {
            correlation_id: query.correlation_id.clone(),
            query_id: query.id.clone(),
            result,
            error,
            expires_at: expiry(),
        };
        self.kept.push_back(Kept { completed, bytes, until: Instant::now() + KEPT_FOR });
        self.forget();
    }

    /// The same answer once more: what is kept, for another minute.
    pub(super) fn again(&mut self, result: &QueryResult) -> Option<Completed> {
        self.forget();
        let same = |kept: &&mut Kept| {
            result.query_id.as_deref() == Some(kept.completed.query_id.as_str())
                || result.correlation_id.as_deref() == Some(kept.completed.correlation_id.as_str())
        };
        let kept = self.kept.iter_mut().find(same)?;
        kept.until = Instant::now() + KEPT_FOR;
        kept.completed.expires_at = expiry();
        Some(kept.completed.clone())
    }

    pub(super) fn get(&mut self, correlation_id: &str) -> Option<Completed> {
        self.forget();
        let kept = self.kept.iter().find(|kept| kept.completed.correlation_id == correlation_id)?;
        Some(kept.completed.clone())
    }

    fn forget(&mut self) {
        let now = Instant::now();
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
