//! Understanding of captured browser data: what is kept, what is hidden, what it means.
//!
//! Nothing in here does I/O, reads a clock or awaits: time comes in as an argument, so every rule can be tested
//! with any history.

pub mod analysis;
pub mod generate;
pub mod intake;
pub mod normalize;
mod order;
mod plausible;
pub mod redact;
pub mod report;
pub mod store;
pub mod stream;
pub mod understand;
pub mod url;
pub mod verify;
pub mod view;
mod whole_characters;

pub use redact::{Finding, Redacted, Redactor};
pub use store::{Kind, Store};
pub use whole_characters::whole_characters;
