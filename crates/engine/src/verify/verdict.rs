//! The verdicts of comparisons, and their order of precedence.

use schemars::JsonSchema;
use serde::Serialize;

/// The result of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Verdict {
    /// All issues are gone and none is new.
    Fixed,
    /// Some issues are gone and none is new.
    Improved,
    /// The issues persist, and none is new.
    Unchanged,
    /// Issues are gone, but others are new.
    DifferentIssue,
    /// New issues came without the old ones being gone.
    Regressed,
    /// There were no issues, before or after.
    NoIssuesDetected,
}

impl Verdict {
    /// `known` issues existed before; of those `resolved` are gone, and `new` ones were added.
    pub fn from_counts(known: usize, resolved: usize, new: usize) -> Self {
        match (known, resolved, new) {
            (0, _, 0) => Self::NoIssuesDetected,
            (_, 1.., 1..) => Self::DifferentIssue,
            (_, 0, 1..) => Self::Regressed,
            (known, resolved, 0) if resolved >= known => Self::Fixed,
            (_, 1.., 0) => Self::Improved,
            (_, 0, 0) => Self::Unchanged,
        }
    }

    /// The word that answers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Improved => "improved",
            Self::Unchanged => "unchanged",
            Self::DifferentIssue => "different_issue",
            Self::Regressed => "regressed",
            Self::NoIssuesDetected => "no_issues_detected",
        }
    }
}

/// The result of comparing two snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum DiffVerdict {
    /// Some things got better and others worse.
    Mixed,
    /// Some things got better and nothing got worse.
    Improved,
    /// Something got worse and nothing got better.
    Regressed,
    /// Nothing got better or worse.
    Unchanged,
}

impl DiffVerdict {
    /// A page that became slower counts as worse, like a new error.
    pub fn from_counts(resolved: usize, new: usize, performance_regressions: usize) -> Self {
        match (resolved > 0, new + performance_regressions > 0) {
            (true, true) => Self::Mixed,
            (true, false) => Self::Improved,
            (false, true) => Self::Regressed,
            (false, false) => Self::Unchanged,
        }
    }

    /// The word that answers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::Improved => "improved",
            Self::Regressed => "regressed",
            Self::Unchanged => "unchanged",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_and_their_precedence() {
        use Verdict::*;
        for (known, resolved, new, expected) in [
            (0, 0, 0, NoIssuesDetected),
            (0, 0, 1, Regressed),
            (1, 0, 0, Unchanged),
            (1, 0, 1, Regressed),
            (1, 1, 0, Fixed),
            (1, 1, 1, DifferentIssue),
            (2, 1, 0, Improved),
            (2, 1, 1, DifferentIssue),
            (2, 2, 0, Fixed),
            (2, 0, 3, Regressed),
            (2, 2, 9, DifferentIssue),
        ] {
            assert_eq!(
                Verdict::from_counts(known, resolved, new),
                expected,
                "{known} known, {resolved} resolved, {new} new"
            );
        }
    }

    #[test]
    fn every_verdict_of_a_difference() {
        use DiffVerdict::*;
        for (resolved, new, slower, expected) in [
            (0, 0, 0, Unchanged),
            (1, 0, 0, Improved),
            (0, 1, 0, Regressed),
            (0, 0, 1, Regressed),
            (1, 1, 0, Mixed),
            (1, 0, 1, Mixed),
            (1, 1, 1, Mixed),
        ] {
            assert_eq!(DiffVerdict::from_counts(resolved, new, slower), expected, "{resolved} {new} {slower}");
        }
    }
}
