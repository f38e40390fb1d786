//! What a developer would have missed.

pub mod performance;
pub mod security;
