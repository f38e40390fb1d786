//! Groups failures of different tests that have the same cause.

use serde::Serialize;

use super::attempt::Attempt;
use crate::answer::Confidence;
use crate::fingerprint::normalize_message;

/// Failures with the same cause.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// The cause, as the first failure states it.
    pub cause: String,
    /// How well the evidence supports the cause.
    pub confidence: Confidence,
    /// The tests' titles.
    pub tests: Vec<String>,
}

/// The groups, the largest first.
pub(super) fn group(tests: &[Attempt]) -> Vec<Group> {
    let mut groups: Vec<(String, Group)> = Vec::new();
    for attempt in tests.iter().filter(|attempt| attempt.is_reported && attempt.test_id.is_some()) {
        let (cause, confidence) = match (&attempt.cause, attempt.runner_line()) {
            (Some(cause), _) => (cause.text.clone(), cause.confidence),
            // The browser captured nothing telling; the test's own message may be the same.
            (None, Some(line)) => (line.to_owned(), Confidence::Low),
            (None, None) => ("no error was captured".to_owned(), Confidence::Low),
        };
        // A cause is the same whatever numbers it contains. The test's own message is the same only as a whole: what
        // was expected, where, and what was there instead. That a test timed out says nothing about why.
        let key = match (&attempt.cause, attempt.runner_error.as_deref()) {
            (Some(_), _) => normalize_message(&cause),
            (None, Some(said)) if said.lines().count() > 1 => {
                said.split("Call log:").next().unwrap_or(said).trim().to_owned()
            }
            (None, _) => format!("{} of {}", cause, attempt.test_id.as_deref().unwrap_or_default()),
        };
        let place = match attempt.place().as_str() {
            "" => attempt.title.clone(),
            place => format!("{} ({place})", attempt.title),
        };
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.tests.push(place),
            None => groups.push((key, Group { cause, confidence, tests: vec![place] })),
        }
    }
    // The sort is stable: among groups of the same size, the first found comes first.
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.tests.len()));
    groups.into_iter().map(|(_, group)| group).collect()
}
