//! How often an intermittent failure has to succeed before it counts as fixed.

/// Accepted probability that a failure persists unseen.
const MISSED_SHARE: f64 = 0.05;
/// Nobody is asked to repeat a step more often than this.
const MOST: u64 = 100;

/// How many more successes are needed for something that failed `failed` of `tries` times and succeeded `well` times
/// since. `None` if that is enough.
pub(super) fn more_needed(failed: u64, tries: u64, well: u64) -> Option<u64> {
    if failed >= tries || failed == 0 {
        return None;
    }
    let share = 1.0 - failed as f64 / tries as f64;
    let needed = (MISSED_SHARE.ln() / share.ln()).ceil() as u64;
    let needed = needed.min(MOST);
    (needed > well).then(|| needed - well)
}

/// `once`, `3 times`.
pub(super) fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

#[cfg(test)]
mod tests {
    use super::more_needed;

    #[test]
    fn rarer_failures_need_more_successes() {
        assert_eq!(more_needed(3, 3, 1), None);
        assert_eq!(more_needed(4, 3, 1), None, "an error may come several times");
        assert_eq!(more_needed(1, 2, 1), Some(4));
        assert_eq!(more_needed(1, 4, 1), Some(10));
        assert_eq!(more_needed(1, 4, 11), None);
        assert_eq!(more_needed(1, 5, 0), Some(14));
        assert_eq!(more_needed(1, 1_000, 0), Some(100));
    }
}
