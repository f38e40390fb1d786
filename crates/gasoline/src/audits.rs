//! A cache of recent accessibility audits: an audit takes seconds, and agents repeat their calls.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wire::limits;

use crate::tools::Audited;

const KEPT_FOR: Duration = Duration::from_secs(limits::AUDIT_CACHE_SECONDS);

/// The cache key: two audits with the same key have the same result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) tab_id: i64,
    pub(crate) url: String,
    pub(crate) scope: Option<String>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) include_passes: bool,
}

#[derive(Debug)]
struct Kept {
    key: Key,
    answer: Audited,
    at: Instant,
}

#[derive(Debug, Default)]
pub(crate) struct Audits {
    kept: Mutex<VecDeque<Kept>>,
}

impl Audits {
    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|audit| audit.at.elapsed() < KEPT_FOR);
        kept
    }

    /// The cached answer and its age.
    pub(crate) fn get(&self, key: &Key) -> Option<(Audited, Duration)> {
        let kept = self.kept();
        let audit = kept.iter().find(|audit| audit.key == *key)?;
        Some((audit.answer.clone(), audit.at.elapsed()))
    }

    pub(crate) fn keep(&self, key: Key, answer: Audited) {
        let mut kept = self.kept();
        kept.retain(|audit| audit.key != key);
        kept.push_back(Kept { key, answer, at: Instant::now() });
        if kept.len() > limits::AUDIT_CACHE_ENTRIES {
            kept.pop_front();
        }
    }
}
