//! What captured data says about an application: checks that need a history, not one entry.

pub mod api;
pub mod performance;
