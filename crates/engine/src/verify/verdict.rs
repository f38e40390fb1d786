//! The words that comparisons end with, and which of them comes first when several would fit.

use schemars::JsonSchema;
use serde::Serialize;

/// How a fix turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Verdict {
    Fixed,
    Improved,
    Unchanged,
    DifferentIssue,
    Regressed,
    NoIssuesDetected,
}

impl Verdict {
    /// `known` issues were there before; of those `resolved` are gone, and `new` ones came.
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

/// How two states differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum DiffVerdict {
    Mixed,
    Improved,
    Regressed,
    Unchanged,
}

impl DiffVerdict {
    /// A page that became slower is something that got worse, as a new error is.
    pub fn from_counts(resolved: usize, new: usize, performance_regressions: usize) -> Self {
        match (resolved > 0, new + performance_regressions > 0) {
            (true, true) => Self::Mixed,
            (true, false) => Self::Improved,
            (false, true) => Self::Regressed,
            (false, false) => Self::Unchanged,
        }
    }

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
    fn each_verdict_and_each_precedence() {
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
    fn each_verdict_of_a_difference() {
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
