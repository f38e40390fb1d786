//! Before and after: what the browser showed at one moment, held against what it showed at another.
//!
//! `observed.rs` takes the picture, `places.rs` remembers where its parts happened, `same.rs` says which parts of two
//! pictures are the same thing. On them stand the two tools: `sessions.rs` and `comparison.rs` for a fix that is to be verified, `snapshots.rs` and `diff.rs` for
//! states that were given names. `verdict.rs` has the words both end with, `coverage.rs` how far they can be trusted.
//! Only messages, addresses, statuses and counts are kept, never bodies, and all of it in memory alone.

mod comparison;
mod coverage;
mod diff;
mod loads;
mod observed;
mod owner;
mod places;
mod same;
mod sessions;
mod snapshots;
mod sockets;
mod verdict;

pub use comparison::{Change, Comparison, Outcome, Totals};
pub use coverage::{Coverage, Trust};
pub use diff::{Diff, Summary};
pub use observed::{Calls, Issue, Observed, Scope};
pub use owner::{Caller, Owner};
pub use sessions::{Refusal, Session, Sessions, Stage};
pub use snapshots::{LIVE, Snapshot, SnapshotRefusal, Snapshots, Stored as StoredSnapshot};
pub use verdict::{DiffVerdict, Verdict};
