//! Compares the browser's behaviour before and after a change.
//!
//! `observed.rs` summarizes a time span: errors (`issue.rs`) and the calls of each endpoint (`calls.rs`). `places.rs`
//! remembers where these happened. `same.rs` and `content.rs` decide which parts of two time spans are the same thing,
//! and `likeness.rs` how surely.
//!
//! `trigger.rs` records what led to an error: a user's step (`step.rs` and `target.rs`), a request (`asked.rs`), a
//! socket message (`heard.rs`) or a page (`page.rs`). `tries.rs` counts how often that happened, `exercise.rs` records
//! what was done later, and `repetition.rs` compares the two. An error that did not happen again is resolved only if its
//! trigger was repeated. It is certainly resolved only if the trigger was the same and repeated often enough
//! (`chance.rs`).
//!
//! Two tools use them: `verifications.rs` and `comparison.rs` verify a fix, `snapshots.rs` and `diff.rs` compare named
//! snapshots. `verdict.rs` holds the verdicts of both, `coverage.rs` and `doubts.rs` say how far these can be trusted,
//! and `answer.rs` has the answers. Only messages, addresses, statuses and counts are kept, never bodies, and only in
//! memory.

mod answer;
mod asked;
mod caller;
mod calls;
mod chance;
mod comparison;
mod content;
mod coverage;
mod diff;
mod doubts;
mod exercise;
mod heard;
mod issue;
mod late;
mod likeness;
mod loads;
mod missing;
mod observed;
mod otherwise;
mod page;
mod places;
mod repetition;
mod same;
mod snapshots;
mod sockets;
mod step;
mod target;
mod tries;
mod trigger;
mod verdict;
mod verifications;

pub use answer::{
    Baseline, Compared, Differences, ErrorDifferences, FigureChange, Listed, LoadSummary, LoadTimes,
    NetworkDifferences, SessionBrief, SnapshotBrief, SnapshotSummary, SocketChange, SocketDifferences, StatusChange,
    Summary,
};
pub use caller::{Caller, Owner};
pub use calls::Calls;
pub use comparison::{Change, Comparison, Evidence, Outcome, Totals};
pub use coverage::{Coverage, Trust};
pub use diff::Diff;
pub use issue::Issue;
pub use observed::{Observed, Scope};
pub use snapshots::{LIVE, Snapshot, SnapshotRefusal, Snapshots, Stored as StoredSnapshot, Window};
pub use verdict::{DiffVerdict, Verdict};
pub use verifications::{Refusal, Stage, Start, Verification, Verifications};
