//! What a developer would have missed, and what nobody needs to see.

pub mod api;
pub mod noise;
pub mod performance;
pub mod security;
