//! Before and after: what the browser showed at one moment, held against what it showed at another.
//!
//! `observed.rs` summarizes a window of time: errors (`issue.rs`) and the calls of each endpoint (`calls.rs`). `places.rs`
//! remembers where its parts happened, `same.rs` and `content.rs` say which parts of two windows are the same thing, and
//! `likeness.rs` how surely. `trigger.rs` records what led to an error (`step.rs` and `target.rs`: a user's step,
//! `asked.rs`: a request, `heard.rs`: a socket's message, `page.rs`: a page), `tries.rs` how often that was done,
//! `exercise.rs` what was done later. `repetition.rs` holds the two against each other: an error that did not come again is
//! resolved only if what led to it did, and surely resolved only if it was the same and often enough (`chance.rs`).
//! On them stand the two tools: `sessions.rs` and `comparison.rs` verify a fix, `snapshots.rs` and `diff.rs` compare states
//! that were given names. `verdict.rs` has the words both end with, `coverage.rs` and `doubts.rs` how far they can be trusted, `answer.rs` what is answered.
//! Only messages, addresses, statuses and counts are kept, never bodies, and all of it in memory alone.

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
