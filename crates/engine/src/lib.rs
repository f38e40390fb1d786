//! Understanding of captured browser data: what is kept, what is redacted, what it means.
//!
//! This crate does no I/O, reads no clock and awaits nothing. Time is an argument, so tests can run every rule with any
//! history.

#![warn(missing_docs)]

#[macro_use]
pub mod kind;

pub mod analysis;
pub mod answer;
pub mod code_changes;
pub mod contracts;
pub mod diagnose;
pub mod entry;
pub mod failures;
pub mod fingerprint;
pub mod generate;
pub mod intake;
pub mod metric;
pub mod moments;
pub mod noise;
pub mod redact;
pub mod report;
pub mod session;
pub mod store;
pub mod stream;
pub mod symbolicate;
pub mod test_runs;
pub mod text;
pub mod url;
pub mod verify;
pub mod view;

pub use kind::Kind;
pub use redact::{Finding, Redacted, Redactor};
pub use session::Session;
pub use store::Store;
pub use text::whole_characters;
