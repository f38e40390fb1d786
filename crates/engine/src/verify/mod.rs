//! Before and after: what the browser showed at one moment, held against what it showed at another.
//!
//! `observed.rs` summarizes a window of time, `places.rs` remembers where its parts happened, `same.rs` says which parts of
//! two windows are the same thing. `trigger.rs` records what led to an error (`step.rs`: a user's step, `heard.rs`: a
//! socket's message, `page.rs`: a page), `exercise.rs` what was done later: an error that did not come again is resolved
//! only if its triggers did.
//! On them stand the two tools: `sessions.rs` and `comparison.rs` verify a fix, `snapshots.rs` and `diff.rs` compare states
//! that were given names. `verdict.rs` has the words both end with, `coverage.rs` how far they can be trusted.
//! Only messages, addresses, statuses and counts are kept, never bodies, and all of it in memory alone.

mod comparison;
mod coverage;
mod diff;
mod exercise;
mod heard;
mod loads;
mod observed;
mod owner;
mod page;
mod places;
mod same;
mod sessions;
mod snapshots;
mod sockets;
mod step;
mod trigger;
mod verdict;

pub use comparison::{Change, Comparison, Evidence, Outcome, Totals};
pub use coverage::{Coverage, Trust};
pub use diff::{Diff, Summary};
pub use observed::{Calls, Issue, Observed, Scope};
pub use owner::{Caller, Owner};
pub use sessions::{Refusal, Session, Sessions, Stage, Start};
pub use snapshots::{LIVE, Snapshot, SnapshotRefusal, Snapshots, Stored as StoredSnapshot, Window};
pub use verdict::{DiffVerdict, Verdict};
